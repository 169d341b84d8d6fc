// SPDX-License-Identifier: Apache-2.0
//! The fields of a replay file, as they are written. All of it is text that somebody else may have made: `read` checks
//! it.

use cosim_harness::replay::number16;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use super::Identity;
use super::limits::FORMAT;
use crate::case::image::Image;
use crate::case::{Case, Origin};
use crate::lockstep::stall::Plan;
use crate::unit::RESET_CYCLES;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub format: String,
    pub version: u64,
    pub made_by: MadeBy,
    pub config: Config,
    pub origin: Origin,
    /// Hash of the case.
    pub stimulus: Option<String>,
    /// Seed of the state that reset leaves alone.
    pub power_up: String,
    pub reset_after: Option<u64>,
    /// Clock cycles for which reset is held.
    #[serde(default = "reset_cycles")]
    pub reset_cycles: u32,
    pub stalls: Plan,
    pub l1m: Memory,
    pub l0m: Memory,
    pub preload: Vec<Instruction>,
    #[serde(default)]
    pub host: bool,
    pub program: Vec<Instruction>,
}

/// Of a file of version 1.
fn reset_cycles() -> u32 {
    RESET_CYCLES
}

/// Versions of what made the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeBy {
    pub cosim: String,
    /// Hash of the text of the RTL.
    pub rtl: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub name: String,
    pub hash: String,
    pub toml: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Bytes that are repeated from address 0 on; none for zeros.
    pub fill: String,
    pub patches: Vec<Patch>,
    /// First address, and the address behind, of ranges that answer with an error.
    pub errors: Vec<[u32; 2]>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    pub at: u32,
    pub bytes: String,
}

/// An instruction and the seed of its stalls; 0: it never waits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instruction {
    pub word: String,
    pub stall: u32,
}

impl File {
    pub fn new(identity: &Identity, origin: Origin, case: &Case) -> File {
        let setup = &case.setup;
        let mut seeds = setup.stall_seeds.iter().copied();
        let mut instructions = |words: &[u32]| {
            let one = |word| Instruction { word: format!("{word:08x}"), stall: seeds.next().unwrap_or_default() };
            words.iter().map(one).collect()
        };
        let (preload, program) = (instructions(&case.preload), instructions(&case.program));
        let images = case.images();
        let hash = case.hash_with(&images);
        let [l1m, l0m] = images;
        File {
            format: FORMAT.name.into(),
            version: *FORMAT.versions.end(),
            made_by: MadeBy { cosim: env!("CARGO_PKG_VERSION").into(), rtl: number16(identity.rtl) },
            config: Config { name: identity.name.clone(), hash: number16(identity.hash), toml: identity.toml.clone() },
            origin,
            stimulus: Some(number16(hash)),
            power_up: number16(setup.seed),
            reset_after: case.reset_after,
            reset_cycles: setup.reset_cycles,
            stalls: setup.stalls,
            l1m: memory(l1m, &setup.l1m_faults),
            l0m: memory(l0m, &setup.l0m_faults),
            preload,
            host: case.host,
            program,
        }
    }
}

fn memory(image: Image, faults: &[std::ops::Range<u32>]) -> Memory {
    let patches = image.patches.iter().map(|(at, bytes)| Patch { at: *at, bytes: HEXLOWER.encode(bytes) }).collect();
    let errors = faults.iter().map(|fault| [fault.start, fault.end]).collect();
    Memory { fill: HEXLOWER.encode(&image.fill), patches, errors }
}
