// SPDX-License-Identifier: Apache-2.0
//! Checks every field of a replay file, and makes a case of them.

use std::ops::Range;

use cosim_harness::replay::{ReplayError, check_hash, note_of_rtl, number, quoted, shortened, value};
use data_encoding::HEXLOWER_PERMISSIVE;

use super::file::{Config, File, Instruction, Memory};
use super::identity::Identity;
use super::limits::{MAX_ERROR_RANGES, MAX_INSTRUCTIONS, MAX_RESET_AFTER};
use crate::base::draw::{FNV_START, fnv};
use crate::case::image::Image;
use crate::case::{Case, Origin};
use crate::lockstep::Setup;
use crate::unit::MOST_RESET_CYCLES;
use crate::unit::target::{Target, Workshop};

#[derive(Debug)]
pub struct Replay {
    pub target: Target,
    pub origin: Origin,
    pub case: Case,
    /// What is different from when the file was made, and does not prevent running it: one line each.
    pub notes: Vec<String>,
}

type Checked<T> = Result<T, ReplayError>;

pub fn replay(workshop: &Workshop, file: &File) -> Checked<Replay> {
    let origin = file.origin;
    let (target, identity) = configuration(workshop, &file.config, origin.fault)?;
    if file.reset_after.is_some_and(|cycles| cycles > MAX_RESET_AFTER) {
        let given = file.reset_after.unwrap_or_default();
        return Err(value("reset_after", given, &format!("null, or at most {MAX_RESET_AFTER} cycles")));
    }
    if !(1..=MOST_RESET_CYCLES).contains(&file.reset_cycles) {
        return Err(value("reset_cycles", file.reset_cycles, &format!("1 to {MOST_RESET_CYCLES} clock cycles")));
    }
    let count = file.preload.len() + file.program.len();
    if count > MAX_INSTRUCTIONS {
        let given = format!("{count} instructions long, with `preload`");
        return Err(value("program", given, &format!("at most {MAX_INSTRUCTIONS}")));
    }
    let word = target.rtl.port_bytes();
    let setup = Setup {
        l1m: contents("l1m", &file.l1m, target.golden.l1m_bytes)?,
        l0m: contents("l0m", &file.l0m, target.golden.l0m_bytes)?,
        l1m_faults: errors("l1m", &file.l1m, target.golden.l1m_bytes, word)?,
        l0m_faults: errors("l0m", &file.l0m, target.golden.l0m_bytes, word)?,
        reset_cycles: file.reset_cycles,
        stalls: file.stalls,
        seed: number("power_up", &file.power_up, 16)?,
        stall_seeds: file.preload.iter().chain(&file.program).map(|instruction| instruction.stall).collect(),
        fault: 0,
        bare: false,
    };
    let (preload, program) = (words("preload", &file.preload)?, words("program", &file.program)?);
    if file.host && (!preload.is_empty() || file.reset_after.is_some()) {
        return Err(value("host", true, "false where there is a `preload` or a `reset_after`"));
    }
    let case = Case { preload, program, host: file.host, setup, reset_after: file.reset_after };
    check_hash(file.stimulus.as_deref(), case.hash())?;
    Ok(Replay { notes: notes(file, &target, &identity)?, target, origin, case })
}

fn configuration(workshop: &Workshop, file: &Config, fault: u32) -> Checked<(Target, Identity)> {
    let config =
        rtl_config::Config::from_toml(&file.toml).map_err(|error| ReplayError::Configuration(error.to_string()))?;
    let hash = fnv(FNV_START, file.toml.as_bytes());
    if number("config.hash", &file.hash, 16)? != hash {
        let allowed = format!("{hash:016x}, which is the hash of the field `config.toml`");
        return Err(value("config.hash", &file.hash, &allowed));
    }
    if config.name != file.name {
        return Err(value("config.name", quoted(&file.name), &format!("{:?}, as in `config.toml`", config.name)));
    }
    let target = workshop.target_of(config).map_err(|error| ReplayError::Configuration(format!("{error:#}")))?;
    if fault != 0
        && let Err(error) = target.check_fault(fault)
    {
        return Err(value(
            "origin.fault",
            fault,
            &format!("0, or a planted fault that `cosim check faults` lists: {error:#}"),
        ));
    }
    let identity = Identity::new(&target);
    Ok((target, identity))
}

fn notes(file: &File, target: &Target, identity: &Identity) -> Checked<Vec<String>> {
    let mut notes = Vec::new();
    let ours = env!("CARGO_PKG_VERSION");
    if file.made_by.cosim != ours {
        notes.push(format!("made by cosim {}, this is {ours}", shortened(&file.made_by.cosim)));
    }
    notes.extend(note_of_rtl("made_by.rtl", &file.made_by.rtl, identity.rtl, &identity.name)?);
    let named = rtl_config::Config::named(target.name());
    // With a planted fault `tiny` has all instruction sets.
    if file.origin.fault == 0 && named.is_some_and(|named| named != target.rtl) {
        notes.push(format!("configuration {} has other parameters by now: those of the file count", target.name()));
    }
    Ok(notes)
}

fn contents(name: &str, memory: &Memory, size: u32) -> Checked<Vec<u8>> {
    let bytes = |field: String, text: &str, room: usize| {
        let allowed = format!("hexadecimal, two digits for each byte, at most {room} bytes");
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
        bytes.filter(|bytes| bytes.len() <= room).ok_or_else(|| value(&field, quoted(text), &allowed))
    };
    let fill = bytes(format!("{name}.fill"), &memory.fill, size as usize)?;
    let mut patches = Vec::new();
    for (i, patch) in memory.patches.iter().enumerate() {
        let room = size.checked_sub(patch.at).ok_or_else(|| {
            value(&format!("{name}.patches[{i}].at"), patch.at, &format!("addresses of the {size} bytes of the memory"))
        })?;
        patches.push((patch.at, bytes(format!("{name}.patches[{i}].bytes"), &patch.bytes, room as usize)?));
    }
    Ok(Image { fill, patches }.bytes(size))
}

/// Ranges of whole words of a port, of `word` bytes: a request is either inside or outside.
fn errors(name: &str, memory: &Memory, size: u32, word: u32) -> Checked<Vec<Range<u32>>> {
    let field = format!("{name}.errors");
    if memory.errors.len() > MAX_ERROR_RANGES {
        return Err(value(&field, format!("{} ranges", memory.errors.len()), &format!("at most {MAX_ERROR_RANGES}")));
    }
    let one = |&[start, end]: &[u32; 2]| {
        let whole = start % word == 0 && end % word == 0;
        let allowed = format!("[start, end] with start < end <= {size}, both multiples of {word}");
        let ok = whole && start < end && end <= size;
        if ok { Ok(start..end) } else { Err(value(&field, format!("[{start}, {end}]"), &allowed)) }
    };
    memory.errors.iter().map(one).collect()
}

fn words(name: &str, instructions: &[Instruction]) -> Checked<Vec<u32>> {
    let one = |(i, instruction): (usize, &Instruction)| {
        // Eight digits fit.
        number(&format!("{name}[{i}].word"), &instruction.word, 8).map(|word| word as u32)
    };
    instructions.iter().enumerate().map(one).collect()
}
