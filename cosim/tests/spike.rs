// SPDX-License-Identifier: Apache-2.0
//! Programs on Spike with the extension of golden/spike, and on the model: the host of Spike knows nothing of
//! `golden::hart`.
#![allow(clippy::unwrap_used)]

mod hart_program;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use cosim_bench::base::parallel;
use cosim_bench::case::Case;
use cosim_bench::random::host_program::{MOST_INSTRUCTIONS, share};
use golden::hart::{EXIT, HartCsr};
use golden::report::Report;
use golden::{Config, Machine, Program, asm, run};

/// The extension, built by `make spike`.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let done = Command::new("make").arg("spike").current_dir(root()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    root().join("target/libtensorload.so")
});

thread_local! { static NAME: std::cell::RefCell<String> = Default::default(); }
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Everything that a program leaves: report, L0M, and program memory up to its last byte that is not 0.
#[derive(PartialEq)]
struct State {
    report: Report,
    l0m: Vec<u8>,
    ram: Vec<u8>,
}

fn spike(elf: &Path, isa: &str, variables: &[(&str, &Path)]) -> std::process::Output {
    let library = format!("--extlib={}", LIBRARY.display());
    let mut command = Command::new(root().join(".tools/bin/spike"));
    command.args([&library, "--isa", isa, "--disable-dtb", "--extension=tensorload"]).arg(elf);
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
    let code = run::execute(&mut m, MOST_INSTRUCTIONS, |outcome| traps += usize::from(outcome.trap.is_some()));
    let used = m.hart.ram.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let state = State { report: Report::new(&m, Vec::new()), l0m: m.l0m.bytes, ram: m.hart.ram.bytes[..used].to_vec() };
    (state, code.unwrap(), traps)
}

/// What is not the same on Spike and on the model; and how many traps there were.
fn difference(elf: &[u8], config: &str, memories: [&[u8]; 2]) -> (Option<String>, usize) {
    std::fs::write(format!("/tmp/wd/elf/{}", NAME.with(|n| n.borrow().clone())), elf).unwrap();
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

/// An ELF file of words at address 0. Spike asks for a table of sections: it has one, whose name is the zero byte at 8.
fn elf(words: &[u32]) -> Vec<u8> {
    let (header, sections) = (52 + 32, 40);
    let start = header + sections;
    let half = |value: u16| value.to_le_bytes().to_vec();
    let word = |value: usize| (value as u32).to_le_bytes().to_vec();
    let identity = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let [executable, riscv] = [2, 243].map(half);
    let places = [1, 0, 52, header, 0].map(word).concat();
    let sizes = [52, 32, 1, 40, 1, 0].map(half).concat();
    let size = 4 * words.len();
    let segment = [1, start, 0, 0, size, size, 7, 4].map(word).concat();
    let section = [0, 0, 0, 0, 8, 1, 0, 0, 0, 0].map(word).concat();
    let code = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    [identity, executable, riscv, places, sizes, segment, section, code].concat()
}

/// Assembles a program, and behind it what stores the CSRs of the host to program memory and ends it with x30 as its
/// code. x29 and x31 are lost.
fn ended(words: &[u32], config: &Config) -> Vec<u8> {
    let csrs = HartCsr::all().filter(|csr| !csr.name().starts_with("mcycle") && *csr != HartCsr::Minstret);
    let stores = csrs.enumerate().map(|(i, csr)| format!("csrr x29, {}\nsw x29, {}(x31)\n", csr.name(), 4 * i));
    let end = format!("lui x31, 0x10\n{}li x31, {EXIT}\nsw x30, 0(x31)", stores.collect::<String>());
    let end = asm::assemble("end", &end, config).unwrap();
    elf(&words.iter().copied().map(comparable).chain(end).collect::<Vec<_>>())
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

/// Runs programs in parallel and reports those that differ.
fn compare(programs: &[(String, String, Vec<u8>, [Vec<u8>; 2])]) {
    LazyLock::force(&LIBRARY);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let done = parallel::map(
        programs,
        jobs,
        || (),
        |(name, config, elf, [l1m, l0m])| {
            NAME.with(|n| *n.borrow_mut() = name.replace(' ', "_"));
            let (other, traps) = difference(elf, config, [l1m, l0m]);
            Ok((other.map(|other| format!("{name}: {other}")), traps))
        },
    );
    let done = done.unwrap();
    let other: Vec<&String> = done.iter().filter_map(|(other, _)| other.as_ref()).collect();
    assert!(other.is_empty(), "{} of {}:\n{:#?}", other.len(), programs.len(), &other[..other.len().min(20)]);
    let traps: usize = done.iter().map(|(_, traps)| traps).sum();
    println!("{} programs, {traps} traps", programs.len());
    assert!(traps > 3 * programs.len(), "{traps} traps");
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn random_programs_of_the_bench_leave_the_same_on_spike() {
    let mut programs = Vec::new();
    for target in cosim::workshop().targets("w16,tiny,mx1024,w16r").unwrap() {
        for number in (0..).filter(|&number| share(number)).take(250) {
            let case = Case::new(&target, 5, number);
            let elf = ended(&case.program, &target.golden);
            let name = target.name().to_owned();
            programs.push((format!("{name} {number}"), name, elf, [case.setup.l1m, case.setup.l0m]));
        }
    }
    compare(&programs);
}

#[test]
#[ignore = "needs Spike: make test-all"]
fn random_instructions_of_the_host_do_the_same_on_spike() {
    let config = Config::named("tiny").unwrap();
    let program = |number| {
        let elf = ended(&hart_program::program(number, &config), &config);
        (format!("hart {number}"), "tiny".to_owned(), elf, [vec![0x5A; 64], vec![0xA5; 64]])
    };
    compare(&(0..1000).map(program).collect::<Vec<_>>());
}
