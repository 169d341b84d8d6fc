// SPDX-License-Identifier: Apache-2.0
//! What the programs read from files, as functions of bytes: whatever these are, nothing panics, and memory and time
//! stay within bounds. `tests/inputs.rs` runs some inputs each time, `make fuzz` as many as one likes.

pub mod mutate;
mod seeds;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::from_utf8;
use std::sync::LazyLock;

use cosim_bench::case::replay::Replay;
use cosim_bench::cli::ci::part::Part;
use cosim_bench::cli::collect;
use cosim_bench::coverage::file::Coverage;
use cosim_bench::operators::npy;
use cosim_bench::report::junit;
use cosim_bench::report::summary::{self, Others};
use cosim_bench::unit::target::Workshop;
use golden::asm::{assemble, disassemble, program as assemble_program};
use golden::{Config, Machine, Program};

/// Something that reads a file.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Takes the contents.
    pub run: fn(&[u8]),
    /// Files to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// What is put into them: a dictionary of libFuzzer.
    pub words: &'static str,
}

/// All of them.
pub const TARGETS: [Target; 7] = [
    Target { name: "program", run: program, seeds: seeds::programs, words: include_str!("../words/assembly.dict") },
    Target { name: "elf", run: elf, seeds: seeds::elves, words: include_str!("../words/elf.dict") },
    Target {
        name: "configuration",
        run: configuration,
        seeds: seeds::configurations,
        words: include_str!("../words/configuration.dict"),
    },
    Target { name: "replay", run: replay, seeds: seeds::replays, words: include_str!("../words/json.dict") },
    Target { name: "coverage", run: coverage, seeds: seeds::coverages, words: include_str!("../words/json.dict") },
    Target { name: "shard", run: shard, seeds: seeds::shards, words: include_str!("../words/json.dict") },
    Target { name: "numpy", run: numpy, seeds: seeds::arrays, words: include_str!("../words/numpy.dict") },
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

static TINY: LazyLock<Config> = LazyLock::new(|| Config::named("tiny").expect("tiny"));
static W16: LazyLock<Config> = LazyLock::new(|| Config::named("w16").expect("w16"));
static WORKSHOP: LazyLock<Workshop> = LazyLock::new(cosim::workshop);

/// Instructions that a program is executed for.
const INSTRUCTIONS: usize = 500;

/// Assembles, executes, and disassembles what was assembled, which has to give the same words again.
fn program(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    for config in [&*TINY, &*W16] {
        match assemble("p.s", text, config) {
            Ok(words) => {
                if let Ok(program) = assemble_program("p.s", text, config) {
                    execute(config, &program);
                }
                // Data is the same word many thousand times.
                let words: Vec<u32> = words.into_iter().collect::<BTreeSet<u32>>().into_iter().collect();
                let listing: Vec<String> = words.iter().map(|&word| disassemble(word, config)).collect();
                assert_eq!(assemble("again.s", &listing.join("\n"), config).as_ref(), Ok(&words));
            }
            Err(errors) => bounded(&errors.to_string()),
        }
    }
}

fn elf(data: &[u8]) {
    match Program::from_elf(data) {
        Ok(program) => execute(&TINY, &program),
        Err(error) => bounded(&error.to_string()),
    }
}

fn execute(config: &Config, program: &Program) {
    let mut machine = Machine::new(config);
    if machine.load(program).is_ok() {
        let _ended = (0..INSTRUCTIONS).find(|_| machine.step_program().is_err());
    }
}

/// The model takes what the generator takes, and perhaps more: it does not know all fields. Files have plain names.
fn configuration(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let (rtl, model) = (rtl_config::Config::from_toml(text), Config::from_toml_str(text));
    match (&rtl, &model) {
        (Ok(rtl), Ok(model)) => {
            assert_eq!((&rtl.name, rtl.reg_bytes as usize), (&model.name, model.reg_bytes));
            let again = rtl_config::Config::from_toml(&rtl.to_toml());
            assert_eq!(again.as_ref().ok(), Some(rtl), "{}", rtl.to_toml());
            // Wide ones take seconds.
            if rtl.lanes <= 8 && rtl.reg_bytes <= 128 && !rtl.matrix {
                let names = rtl_gen::generate(rtl).unwrap_or_default().into_iter().map(|file| file.name);
                names.for_each(|name| assert_eq!(Path::new(&name).file_name(), Some(name.as_ref())));
            }
        }
        (Ok(rtl), Err(error)) => panic!("the RTL can be {rtl:?}, and the model not: {error}"),
        (Err(error), _) => bounded(&error.to_string()),
    }
}

fn replay(data: &[u8]) {
    match Replay::from_text(&WORKSHOP, data) {
        Ok(replay) => drop(replay.case.hash()),
        Err(error) => bounded(&error.to_string()),
    }
}

fn coverage(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    match Coverage::from_json(&WORKSHOP, text) {
        Ok(coverage) => assert!(coverage.to_json().is_ok()),
        Err(error) => bounded(&format!("{error:#}")),
    }
}

/// Read, put together with another one, and reported.
fn shard(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let part = || Part::parse(text, Path::new("shard-00001-of-00002.json"));
    let reports = part().and_then(|one| collect::merge(&BTreeMap::from([(1, one), (2, part()?)])));
    match reports {
        Ok(reports) => {
            assert!(junit::xml(&reports, [], &[]).is_ok());
            drop(summary::markdown(&reports, &Others::default(), &[]));
        }
        Err(error) => bounded(&format!("{error:#}")),
    }
}

fn numpy(data: &[u8]) {
    for packed in [false, true] {
        match npy::parse(data, packed) {
            Ok(array) => assert!(array.bytes.len() <= data.len()),
            Err(error) => bounded(&format!("{error:#}")),
        }
    }
}

/// A message is not much longer than what it is about.
fn bounded(message: &str) {
    assert!(message.len() <= 1 << 20, "{} bytes of message", message.len());
}
