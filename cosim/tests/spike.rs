// SPDX-License-Identifier: Apache-2.0
//! Programs on Spike with the extension of golden/spike, and on the model: the host of Spike knows nothing of
//! `golden::hart`.
#![allow(clippy::unwrap_used)]

mod hart_program;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use cosim_bench::base::parallel;
use cosim_bench::export::elf;
use cosim_bench::operators::soc_examples::{c_examples, operators};
use cosim_bench::random::host_program::share;
use cosim_bench::random::random_case;
use cosim_bench::unit::ModelKind;
use golden::hart::{EXIT, HartCsr};
use golden::report::Report;
use golden::{Config, Machine, Program, asm, run};

/// The extension, built by `make spike`.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let done = Command::new("make").arg("spike").current_dir(root()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    root().join("target/libtensorload.so")
});

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Everything that a program leaves: report, L0M, and program memory up to its last byte that is not 0.
#[derive(PartialEq)]
struct State {
    report: Report,
    l0m: Vec<u8>,
    ram: Vec<u8>,
}

/// Spike with the extension on a file.
pub fn spike(elf: &Path, isa: &str, variables: &[(&str, &Path)]) -> Output {
    spike_with(&LIBRARY, elf, isa, variables)
}

fn spike_with(library: &Path, elf: &Path, isa: &str, variables: &[(&str, &Path)]) -> Output {
    let library = format!("--extlib={}", library.display());
    let mut command = Command::new(root().join(".tools/bin/spike"));
    command.args([&library, "--isa", isa, "--extension=tensorload"]).arg(elf);
    command.envs(variables.iter().copied()).output().unwrap()
}

/// The program on Spike; and its exit code.
fn on_spike(elf: &[u8], config: &str, memories: [&[u8]; 2]) -> (State, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("elf"), elf).unwrap();
    for (name, bytes) in ["l1m", "l0m"].into_iter().zip(memories) {
        std::fs::write(path(name), bytes).unwrap();
    }
    let files = ["l1m", "l0m", "json", "dump_l0m", "dump_ram"]
        .map(|name| (format!("TENSORLOAD_{}", name.to_uppercase()), path(name)));
    let mut variables: Vec<(&str, &Path)> = files.iter().map(|(name, path)| (name.as_str(), path.as_path())).collect();
    variables.push(("TENSORLOAD_CONFIG", Path::new(config)));
    let done = spike(&path("elf"), "rv32im_zicsr", &variables);
    let read =
        |name: &str| std::fs::read(path(name)).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    let report = serde_json::from_slice(&read("json")).unwrap();
    (State { report, l0m: read("dump_l0m"), ram: read("dump_ram") }, done.status.code())
}

/// The program on the model; and its exit code and traps.
fn on_model(elf: &[u8], config: &str, [l1m, l0m]: [&[u8]; 2]) -> (State, u32, usize) {
    let mut m = Machine::new(&Config::named(config).unwrap());
    m.l1m.fill(l1m).unwrap();
    m.l0m.fill(l0m).unwrap();
    m.load(&Program::from_elf(elf).unwrap()).unwrap();
    let mut traps = 0;
    let code = run::execute(&mut m, run::LIMIT, |outcome| traps += usize::from(outcome.trap.is_some()));
    let used = m.hart.ram.used();
    let state = State {
        report: Report::new(&m, Vec::new()),
        l0m: m.l0m.bytes,
        ram: m.hart.ram.read(0..used).expect("program memory"),
    };
    (state, code.unwrap(), traps)
}

/// What is not the same on Spike and on the model; and how many traps there were.
fn difference(elf: &[u8], config: &str, memories: [&[u8]; 2]) -> (Option<String>, usize) {
    let (expected, code, traps) = on_model(elf, config, memories);
    let (found, ended) = on_spike(elf, config, memories);
    let first = |name: &str, found: &[u8], expected: &[u8]| {
        let at = found.iter().zip(expected).position(|(a, b)| a != b);
        at.or((found.len() != expected.len()).then_some(found.len().min(expected.len())))
            .map(|at| format!("{name}, byte {at:#x}"))
    };
    let registers = || {
        let (found, expected) = (found.report.x, expected.report.x);
        (0..32).find(|&i| found[i] != expected[i]).map(|i| format!("x{i} is {:#x}, not {:#x}", found[i], expected[i]))
    };
    let report = || (found.report != expected.report).then(|| "the report".to_owned());
    let other = registers()
        .or_else(|| first("program memory", &found.ram, &expected.ram))
        .or_else(|| first("L0M", &found.l0m, &expected.l0m))
        .or_else(report)
        .or_else(|| (ended != Some(if code == 0 { 0 } else { 3 })).then(|| format!("exit code {code}: {ended:?}")));
    (other, traps)
}

/// Assembles a program, and behind it what stores the CSRs of the host to program memory and ends it with x30 as its
/// code. x29 and x31 are lost.
fn ended(words: &[u32], config: &Config) -> Vec<u8> {
    let csrs = HartCsr::all().filter(|csr| !csr.name().starts_with("mcycle") && *csr != HartCsr::Minstret);
    let stores = csrs.enumerate().map(|(i, csr)| format!("csrr x29, {}\nsw x29, {}(x31)\n", csr.name(), 4 * i));
    let end = format!("lui x31, 0x10\n{}li x31, {EXIT}\nsw x30, 0(x31)", stores.collect::<String>());
    let end = asm::assemble("end", &end, config).unwrap();
    elf::write(&Program::from_words(&words.iter().copied().map(comparable).chain(end).collect::<Vec<_>>()), &[], 32)
}

/// What Spike does in another way that the standard allows, too: its clock counts no traps, so what reads mcycle or
/// mcycleh reads minstret; and a word that does not end in 11 is an instruction of 16 bits, which are its tval.
fn comparable(word: u32) -> u32 {
    match word & 0x7f {
        0x73 if word >> 12 & 7 != 0 && matches!(word >> 20, 0xB00 | 0xB80) => word + (0x002 << 20),
        low if low & 3 != 3 => word & 0xFFFF,
        _ => word,
    }
}

/// A program, and what L1M and L0M begin with.
struct Sample {
    name: String,
    config: String,
    elf: Vec<u8>,
    memories: [Vec<u8>; 2],
}

/// Runs programs in parallel and reports those that differ; gives the number of traps.
fn compare(samples: &[Sample]) -> usize {
    LazyLock::force(&LIBRARY);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let one = |Sample { name, config, elf, memories: [l1m, l0m] }: &Sample| {
        let (other, traps) = difference(elf, config, [l1m, l0m]);
        Ok((other.map(|other| format!("{name}: {other}")), traps))
    };
    let done = parallel::map(samples, jobs, || (), one).unwrap();
    let other: Vec<&String> = done.iter().filter_map(|(other, _)| other.as_ref()).collect();
    assert!(other.is_empty(), "{} of {}:\n{:#?}", other.len(), samples.len(), &other[..other.len().min(20)]);
    done.iter().map(|(_, traps)| traps).sum()
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn random_programs_of_the_bench_leave_the_same_on_spike() {
    let mut samples = Vec::new();
    for target in cosim::workshop().targets("w16,tiny,mx1024,w16r").unwrap() {
        for number in (0..).filter(|&number| share(number)).take(250) {
            let case = random_case(&target, 5, number);
            let elf = ended(&case.program, &target.golden);
            let (name, config) = (format!("{} {number}", target.name()), target.name().to_owned());
            samples.push(Sample { name, config, elf, memories: [case.setup.l1m, case.setup.l0m] });
        }
    }
    let traps = compare(&samples);
    assert!(traps > 5 * samples.len(), "{traps} traps");
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn random_instructions_of_the_host_do_the_same_on_spike() {
    let config = Config::named("tiny").unwrap();
    let sample = |number| {
        let elf = ended(&hart_program::program(number, &config), &config);
        let memories = [vec![0x5A; 64], vec![0xA5; 64]];
        Sample { name: format!("hart {number}"), config: "tiny".into(), elf, memories }
    };
    let samples: Vec<Sample> = (0..1000).map(sample).collect();
    let traps = compare(&samples);
    assert!(traps > 20 * samples.len(), "{traps} traps");
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn c_examples_and_operators_leave_the_same_on_spike() {
    let target = &cosim::workshop().targets("w16").unwrap()[0];
    let mut samples = Vec::new();
    for example in c_examples(target, ModelKind::Soc).unwrap().into_iter().chain(operators(target).unwrap()) {
        for (kind, program) in [("with", Some(example.with)), ("without", example.without)] {
            let Some(mut program) = program else { continue };
            // An assembled one ends behind its last word.
            if let (Some(_), [code]) = (program.end, &mut program.segments[..]) {
                let exit = [EXIT | 31 << 7 | 0x37, 31 << 15 | 0x2023];
                code.bytes.extend(exit.iter().flat_map(|word: &u32| word.to_le_bytes()));
            }
            let name = format!("{} {kind} the unit", example.name);
            let memories = [example.l1m.clone(), Vec::new()];
            samples.push(Sample { name, config: "w16".into(), elf: elf::write(&program, &[], 32), memories });
        }
    }
    assert_eq!(samples.len(), 11);
    compare(&samples);
}

/// Compiles a C program for RV64 and runs it.
fn on_rv64(source: &Path, variables: &[(&str, &Path)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (kernels, elf) = (kernels::folder(), folder.path().join("elf"));
    let mut compiler = Command::new(kernels::COMPILER);
    compiler.args(["-march=rv64im_zicsr", "-mabi=lp64", "-mcmodel=medany", "-nostdlib", "-ffreestanding", "-O2", "-T"]);
    compiler.arg(kernels.join("runtime/link.ld")).arg("-I").arg(kernels.join("include")).arg("-o").arg(&elf);
    let done = compiler.arg(kernels.join("runtime/crt0.S")).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    spike(&elf, "rv64im_zicsr", variables)
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn a_host_with_64_bits_has_the_unit_too() {
    let done = on_rv64(&root().join("cosim/tests/spike/xlen64.c"), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let done = on_rv64(&kernels::folder().join("examples/repair.c"), &[]);
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(0), b"repaired\n".as_slice()));
    let done = on_rv64(&kernels::folder().join("examples/repair.c"), &[("TENSORLOAD_CONFIG", Path::new("w16"))]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && said.contains("`w16` has `xlen` 32, and this hart 64 bits"), "{said}");
}

/// With the other C++ ABI it would load, and read wrong registers.
#[test]
#[ignore = "needs Spike: make test-all"]
fn a_library_for_another_spike_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (other, elf) = (folder.path().join("other.so"), folder.path().join("elf"));
    let library = LIBRARY.with_file_name("release/libtensorload_spike.a");
    let mut build = Command::new("sh");
    build
        .current_dir(root())
        .env("ABI", "1")
        .arg("golden/spike/build.sh")
        .args([".tools/spike".as_ref(), library.as_path()]);
    assert!(build.arg(&other).status().unwrap().success());
    std::fs::write(&elf, ended(&[], &Config::named("w16").unwrap())).unwrap();
    let done = spike_with(&other, &elf, "rv32im_zicsr", &[]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && said.contains("_GLIBCXX_USE_CXX11_ABI"), "{said}");
    assert_eq!(spike_with(&LIBRARY, &elf, "rv32im_zicsr", &[]).status.code(), Some(0));
}
