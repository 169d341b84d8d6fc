// SPDX-License-Identifier: Apache-2.0
//! Exported programs pass wherever they run, and name the check that finds a fault.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use cosim_bench::model::source::SourceFile;
use cosim_bench::unit::faults::FAULTS;
use cosim_bench::unit::system::{Soc, SocMemory};
use cosim_bench::unit::target::{Target, Workshop};
use cosim_bench::unit::{ModelKind, RESET_CYCLES};
use golden::hart::{EXIT, Segment};
use golden::{Config, Machine, Program, asm, run};
use serde_json::Value;

use crate::common::{cosim, target_of};
use crate::spike::{root, spike};

/// Programs in a folder, and the rows of their manifest.
fn export(folder: &Path, options: &str) -> Vec<(PathBuf, Value)> {
    cosim(folder, &format!("export --out out {options}")).with_code(0);
    let text = std::fs::read(folder.join("out/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&text).unwrap();
    let rows = manifest["programs"].as_array().unwrap().clone();
    rows.into_iter().map(|row| (folder.join("out").join(row["file"].as_str().unwrap()), row)).collect()
}

fn program(elf: &Path) -> Program {
    Program::from_elf(&std::fs::read(elf).unwrap()).unwrap()
}

/// The exit code on the model.
fn on_model(config: &str, program: &Program) -> u32 {
    let mut model = Machine::new(&Config::named(config).unwrap());
    model.load(program).unwrap();
    run::execute(&mut model, run::LIMIT, |_| ()).unwrap()
}

fn plant(program: &mut Program, number: usize) {
    plant_in(&mut program.segments[0].bytes, number);
}

/// Changes bit 12 of the sum that check `number` of the program expects.
fn plant_in(bytes: &mut [u8], number: usize) {
    const SUM: u32 = 5 << 7 | 0x37;
    // `lui x5`, `addi x5, x5` and `beq x4, x5`.
    let compares: Vec<usize> = (8..bytes.len()).step_by(4).filter(|&at| compare(bytes, at)).collect();
    let at = compares[number - 1] - 8;
    assert_eq!(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) & 0xfff, SUM);
    bytes[at + 1] ^= 0x10;
}

fn compare(bytes: &[u8], at: usize) -> bool {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) & 0x01ff_f07f == 5 << 20 | 4 << 15 | 0x63
}

#[test]
fn programs_pass_on_the_model_and_on_the_rtl() {
    let folder = tempfile::tempdir().unwrap();
    let rows = export(folder.path(), "--config tiny --count 3 --cases 8 --seed 7");
    assert_eq!(rows.len(), 3);
    for (elf, row) in &rows {
        assert_eq!(on_model("tiny", &program(elf)), 0);
        let text = cosim(folder.path(), &format!("run --config tiny {}", elf.display())).with_code(0);
        assert!(text.contains("no mismatch"), "{text}");
        let checks = row["checks"].as_array().unwrap();
        assert_eq!(checks.len(), 8);
        for (check, kind) in checks.iter().zip(["random", "bin", "pair", "operator"].iter().cycle()) {
            assert!(check.get(kind).is_some() && !check["instructions"].as_object().unwrap().is_empty(), "{check}");
        }
    }
    let files =
        |folder: &Path| rows.iter().map(|(elf, _)| std::fs::read(folder.join(elf)).unwrap()).collect::<Vec<_>>();
    let first = files(folder.path());
    export(folder.path(), "--config tiny --count 3 --cases 8 --seed 7");
    assert_eq!(files(folder.path()), first, "the same seed");
}

#[test]
fn every_configuration_of_32_bits_has_programs() {
    let folder = tempfile::tempdir().unwrap();
    for config in ["int8", "mx1024", "w8", "w16r", "w64"] {
        for (elf, _) in export(folder.path(), &format!("--config {config} --count 2")) {
            assert_eq!(on_model(config, &program(&elf)), 0, "{config}");
        }
    }
}

#[test]
fn the_exit_code_is_the_number_of_the_check_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    for (elf, _) in export(folder.path(), "--config tiny --count 1 --cases 4") {
        for number in 1..=4 {
            let mut wrong = program(&elf);
            plant(&mut wrong, number);
            assert_eq!(on_model("tiny", &wrong), number as u32);
        }
    }
}

/// `call` with a function of the test, and `tohost`, both at another address.
#[test]
fn programs_end_as_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let options = "--config tiny --count 1 --base 0x10000 --end";
    let (elf, _) = export(folder.path(), &format!("{options} call=0x8000 --hex")).remove(0);
    let hex = std::fs::read_to_string(elf.with_extension("hex")).unwrap();
    let words: Vec<u32> = hex.lines().map(|line| u32::from_str_radix(line, 16).unwrap()).collect();
    assert_eq!(Program::from_words(&words).segments[0].bytes, program(&elf).segments[0].bytes);
    let function = format!("li x5, {EXIT}\naddi x10, x10, 9\nsw x10, 0(x5)");
    let words = asm::assemble("function", &function, &Config::named("tiny").unwrap()).unwrap();
    let mut program_with = program(&elf);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    program_with.segments.push(Segment { address: 0x8000, bytes, zeros: 0 });
    assert_eq!(on_model("tiny", &program_with), 9);
    plant(&mut program_with, 2);
    assert_eq!(on_model("tiny", &program_with), 11);
    // The exit device takes 2 times 0 and 1 as its code.
    let (elf, _) = export(folder.path(), &format!("{options} tohost={EXIT}")).remove(0);
    let mut program_with = program(&elf);
    assert_eq!(on_model("tiny", &program_with), 1);
    plant(&mut program_with, 3);
    assert_eq!(on_model("tiny", &program_with), 7);
    let symbols = golden::hart::symbols(&std::fs::read(&elf).unwrap());
    assert_eq!(symbols[&EXIT], "tohost");
}

#[test]
fn wrong_options_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (options, message) in [
        ("--base 64", "a multiple of 128"),
        ("--end stop=4", "allowed: exit=ADDRESS, tohost=ADDRESS, call=ADDRESS"),
        ("--l1m 0x2", "allowed: a multiple of 4"),
        ("--count 0", "--count"),
    ] {
        cosim(folder.path(), &format!("export --out out {options}")).refused(message);
    }
}

/// They are files for RV64, and the host of the model and of the bench is RV32.
#[test]
fn programs_of_64_bits_are_refused_where_the_host_has_32() {
    let folder = tempfile::tempdir().unwrap();
    let tiny64 = root().join("tests/tiny64.toml");
    let (elf, row) = export(folder.path(), &format!("--config {} --count 1", tiny64.display())).remove(0);
    assert_eq!(row["checks"].as_array().unwrap().len(), 4);
    let said = Program::from_elf(&std::fs::read(&elf).unwrap()).unwrap_err().to_string();
    assert!(said.contains("a 64-bit one; allowed is a 32-bit"), "{said}");
    let run = format!("run --config {} {}", tiny64.display(), elf.display());
    cosim(folder.path(), &run).refused("a 64-bit one; allowed is a 32-bit");
}

/// Spike ends with 3 when a program ends with another code than 0, and with the number itself behind `tohost`.
#[test]
#[ignore = "needs Spike: make test-all"]
fn programs_pass_on_spike() {
    let folder = tempfile::tempdir().unwrap();
    let tiny64 = root().join("tests/tiny64.toml");
    let tiny64 = tiny64.to_str().unwrap();
    for (config, isa, end, failed) in [
        ("tiny", RV32, "", 3),
        ("w16r", RV32, "", 3),
        ("tiny", RV32, "--end tohost=0x20000", 2),
        (tiny64, RV64, "--cases 20", 3),
        (tiny64, RV64, "--end tohost=0x20000", 2),
    ] {
        for (elf, row) in export(folder.path(), &format!("--config {config} --count 5 {end}")) {
            let run = || spike(&elf, isa, &[("TENSORLOAD_CONFIG", Path::new(config))]);
            let done = run();
            assert_eq!(done.status.code(), Some(0), "{config} {end}: {}", String::from_utf8_lossy(&done.stderr));
            let mut file = std::fs::read(&elf).unwrap();
            let at = file.len() - row["bytes"].as_u64().unwrap() as usize;
            plant_in(&mut file[at..], 2);
            std::fs::write(&elf, file).unwrap();
            assert_eq!(run().status.code(), Some(failed), "{config} {end}");
        }
    }
}

const RV32: &str = "rv32im_zicsr";
const RV64: &str = "rv64im_zicsr";

/// A host with 64 bits and a unit that has another fault in each run: it lacks a feature of the one that was exported for.
#[test]
#[ignore = "needs Spike: make test-all"]
fn programs_fail_on_another_unit_of_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    let programs = export(folder.path(), &format!("--config {} --count 5", root().join("tests/tiny64.toml").display()));
    let right = std::fs::read_to_string(root().join("tests/tiny64.toml")).unwrap();
    for (name, wrong) in [("pitch", "pitch = false"), ("mask_init", "mask_init = false"), ("matrix", "matrix = false")]
    {
        let path = folder.path().join(format!("{name}.toml"));
        std::fs::write(&path, right.replace(&format!("{name} = true"), wrong)).unwrap();
        let codes = programs.iter().map(|(elf, _)| spike(elf, RV64, &[("TENSORLOAD_CONFIG", &path)]).status.code());
        assert!(codes.into_iter().any(|code| code == Some(3)), "{name}");
    }
}

/// The exit code on a core with the unit, which nothing compares; none when it does not end.
fn on_system(target: &Target, kind: ModelKind, program: &Program) -> Option<u32> {
    let mut soc = Soc::new(target, kind, 1, 0).unwrap();
    soc.reset(RESET_CYCLES).unwrap();
    for segment in &program.segments {
        let start = segment.address as usize;
        soc.memory(SocMemory::Ram)[start..start + segment.bytes.len()].copy_from_slice(&segment.bytes);
    }
    (0..CYCLES).find_map(|_| {
        soc.step().unwrap();
        soc.core.exit_valid.then_some(soc.core.exit_code)
    })
}

/// Clock cycles of a program, at most.
const CYCLES: u32 = 8_000_000;

#[test]
#[ignore = "needs PicoRV32 and CV32E40X: make test-all"]
fn programs_pass_on_real_cores() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = rtl_gen::Config::named("tiny").unwrap();
    let tiny = config.to_toml();
    (config.name, config.gpr_rs1) = ("tiny_rs1".into(), true);
    let rs1 = config.to_toml();
    std::fs::write(folder.path().join("tiny_rs1.toml"), &rs1).unwrap();
    for (config, toml, kind) in [("tiny", tiny, ModelKind::Soc), ("tiny_rs1.toml", rs1, ModelKind::SocE40x)] {
        let target = target_of(&toml);
        for (elf, _) in export(folder.path(), &format!("--config {config} --count 5 --cases 8")) {
            let mut program = program(&elf);
            assert_eq!(on_system(&target, kind, &program), Some(0), "{config}: {}", elf.display());
            plant(&mut program, 5);
            assert_eq!(on_system(&target, kind, &program), Some(5), "{config}: {}", elf.display());
        }
    }
}

/// The RTL with this planted fault, for good.
fn with_fault<const ID: u32>(config: &rtl_gen::Config) -> anyhow::Result<Vec<SourceFile>> {
    let fault = FAULTS.iter().find(|fault| fault.id == ID).unwrap();
    let [right, wrong] = fault.texts();
    let faulty = |text: String| if text.contains(&right) { text.replace(&right, &wrong) } else { text };
    Ok(rtl_gen::generate(config)?
        .into_iter()
        .map(|file| SourceFile { name: file.name, text: faulty(file.text) })
        .collect())
}

#[test]
#[ignore = "needs PicoRV32: make test-all"]
fn ten_planted_faults_fail_without_the_bench() {
    let folder = tempfile::tempdir().unwrap();
    let programs = export(folder.path(), "--config tiny --count 20 --cases 8");
    let programs: Vec<Program> = programs.iter().map(|(elf, _)| program(elf)).collect();
    let workshops = [
        Workshop::new(with_fault::<1>),
        Workshop::new(with_fault::<3>),
        Workshop::new(with_fault::<4>),
        Workshop::new(with_fault::<5>),
        Workshop::new(with_fault::<6>),
        Workshop::new(with_fault::<7>),
        Workshop::new(with_fault::<19>),
        Workshop::new(with_fault::<28>),
        Workshop::new(with_fault::<37>),
        Workshop::new(with_fault::<101>),
    ];
    for (i, workshop) in workshops.iter().enumerate() {
        let target = workshop.target("tiny").unwrap();
        let code =
            programs.iter().map(|program| on_system(&target, ModelKind::Soc, program)).find(|&code| code != Some(0));
        println!("{i}: {code:?}");
        assert!(code.flatten().is_some_and(|code| code > 0), "{i}: {code:?}");
    }
}
