// SPDX-License-Identifier: Apache-2.0
//! What fuzzing starts from: files of the repository, and some that are made here.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cosim_bench::cli::ci::{Compared, Outcome};
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::file::{Coverage, Covered};
use cosim_bench::coverage::hits::Hits;
use cosim_bench::lockstep::Counts;
use cosim_bench::report::{Bucket, Explained, Failed};
use cosim_bench::run::schedule::{Shard, Stopped};
use serde_json::json;

/// The files of a folder of the repository that end so.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

pub fn programs() -> Vec<Vec<u8>> {
    [files("tests/programs", ".s"), files("tests/programs/matrix", ".s"), files("cosim/tests", ".s")].concat()
}

pub fn configurations() -> Vec<Vec<u8>> {
    files("configs", ".toml")
}

pub fn replays() -> Vec<Vec<u8>> {
    files("tests/regressions", ".json")
}

/// An executable with two segments: a program, and words for L1M.
pub fn elves() -> Vec<Vec<u8>> {
    let code = [0x0000_855b_u32, 0x00a1_20db, 0x0000_006f];
    let header = |address: u32, offset: u32, bytes: u32| [1, offset, address, address, bytes, bytes, 5, 4];
    let mut words = vec![0x464c_457f, 0x0001_0101, 0, 0, 2 | 243 << 16, 1, 0, 52, 0, 0, 52 | 32 << 16, 2, 0];
    words.extend(header(0, 116, 12));
    words.extend(header(0x1000_0000, 116, 8));
    words.extend(code);
    vec![words.iter().flat_map(|word| word.to_le_bytes()).collect()]
}

pub fn coverages() -> Vec<Vec<u8>> {
    let mut coverage = Coverage::default();
    let mut files = vec![coverage.to_json()];
    if let Ok(target) = cosim::workshop().target("tiny") {
        let bins = Arc::new(Bins::new(&target));
        let mut hits = Hits::default();
        (hits.cases, hits.instructions) = (1, 256);
        bins.possible().take(20).for_each(|id| hits.add(id, 1 + id as u64));
        coverage.add(Covered { target, bins, hits });
    }
    files.push(coverage.to_json());
    files.into_iter().filter_map(Result::ok).map(String::into_bytes).collect()
}

/// The first one has a configuration with a failing case.
pub fn shards() -> Vec<Vec<u8>> {
    let places = "loaded elements".into();
    let bucket = Bucket { signature: "a".into(), places, block: "host".into(), steps: vec!["addi".into()] };
    let text = || "tiny: MISMATCH\n  at\n".to_owned();
    let (headline, again, nearby, folder) = (text(), text(), String::new(), "tiny-seed1-case0".to_owned());
    let size = (1, 8);
    let explained =
        Explained { headline, again, here: text(), text: text(), nearby, bucket, size, size_text: text(), folder };
    let failures = vec![Failed { case: 0, signature: "a".into(), explained: Some(explained) }];
    let mut counts = Counts { retired: 256, compared: 250, traps: 1, killed: 0, cycles: 999, ..Counts::default() };
    golden::Config::named("tiny").iter().for_each(|config| counts.mnemonics.issue(0x13, config));
    let (elapsed, stopped) = (Duration::from_millis(10), Some(Stopped::Signal(15)));
    let (unit, sums) = ("tiny".into(), Compared { counts, ports_only: true });
    let outcome = Outcome { unit, seed: 1, shard: Shard::WHOLE, cases: 1, hash: 7, sums, elapsed, stopped, failures };
    let part = |shard: &str, outcomes: &[&Outcome]| {
        let names: Vec<_> = outcomes.iter().map(|_| ("name = \"tiny\"\n", "0")).collect();
        let run = json!({"cosim": env!("CARGO_PKG_VERSION"), "seed": 1, "instructions": 256, "faults": [0], "max_failures": 9, "configurations": names});
        json!({"format": "cosim shard", "version": 5, "run": run, "shard": shard, "outcomes": outcomes, "coverage": null})
    };
    let parts = [part("1/2", &[&outcome]), part("1/2", &[]), part("0/0", &[]), part("2/1", &[])];
    parts.iter().map(|part| part.to_string().into_bytes()).collect()
}

pub fn arrays() -> Vec<Vec<u8>> {
    let array = |dict: &str, data: usize| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dict.len() as u16).to_le_bytes());
        bytes.extend(dict.bytes());
        bytes.extend((0..data).map(|i| i as u8));
        bytes
    };
    vec![
        array("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3, 4), }\n", 24),
        array("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }\n", 24),
        array("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 2), }\n", 8),
        array("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (), }\n", 4),
        array(&"{".repeat(33), 0),
        array("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2), }\n", 8),
    ]
}
