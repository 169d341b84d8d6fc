// SPDX-License-Identifier: Apache-2.0
//! `cosim run --profile`: programs of which it is known where their clock cycles go.

use std::path::Path;

use crate::common::{cosim, target};
use cosim_bench::cli::profile::Summary;
use cosim_bench::cli::symbols::Symbols;
use cosim_bench::lockstep::profile::lanes::Lane;
use cosim_bench::lockstep::profile::reason::Reason;
use cosim_bench::lockstep::profile::{LONGEST, Profile, Profiler, Spent};
use cosim_bench::lockstep::stall::{Class, Plan};
use cosim_bench::lockstep::{Lockstep, Setup};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Target;
use golden::Program;

/// Profile of a program, of which the sums are those of the run.
fn profile(target: &Target, source: &str, setup: &Setup, latency: u32) -> Profile {
    let words = golden::asm::assemble("p.s", source, &target.golden).unwrap_or_else(|errors| panic!("{errors}"));
    let mut bench = Lockstep::new(target, ModelKind::Profiled, setup).expect("a model");
    bench.set_latency(latency);
    bench.observers.profiler = Some(Profiler::new(&target.golden, target.rtl.precise));
    bench.load(&Program::from_words(&words)).expect("fits");
    let ended = bench.run_program(1_000_000).unwrap_or_else(|failure| panic!("{:?}", failure.cause));
    ended.expect("an end");
    let counts = bench.finish().unwrap_or_else(|failure| panic!("{:?}", failure.cause));
    let profile = bench.observers.profiler.take().map(Profiler::finish).expect("a profile");
    assert_eq!(profile.cycles, counts.cycles);
    assert_eq!(profile.times.values().sum::<u64>(), counts.retired);
    assert_adds_up(target, &profile);
    profile
}

fn assert_adds_up(target: &Target, profile: &Profile) {
    assert_eq!(cycles(profile, |_| true), profile.cycles);
    let summary = Summary::new(target, "p.s", &Symbols::default(), profile);
    let by_instruction: u64 = summary.instructions.iter().map(|line| line.cycles).sum();
    let end = summary.reasons.get(&Reason::End).map_or(0, |work| work.cycles);
    assert_eq!(by_instruction + end, profile.cycles);
    assert_eq!(summary.reasons.values().map(|work| work.cycles).sum::<u64>(), profile.cycles);
    for lane in Lane::ALL {
        let (total, spans) = (profile.lanes.total(lane), profile.lanes.spans.iter().filter(|span| span.lane == lane));
        assert!(total.cycles <= profile.cycles && total.memory <= total.cycles);
        if profile.lanes.spans.len() < LONGEST {
            assert_eq!(spans.map(|span| span.to - span.from).sum::<u64>(), total.cycles, "{lane:?}");
        }
    }
    let shown: u64 = profile.timeline.iter().map(|stretch| stretch.cycles).sum();
    assert_eq!(shown, profile.timeline_end);
    assert!(
        profile.timeline_end == profile.cycles
            || profile.timeline.len() == LONGEST
            || profile.lanes.spans.len() == LONGEST
    );
}

fn cycles(profile: &Profile, which: impl Fn(&Spent) -> bool) -> u64 {
    profile.spent.iter().filter(|(spent, _)| which(spent)).map(|(_, cycles)| cycles).sum()
}

fn on(profile: &Profile, reason: Reason) -> u64 {
    cycles(profile, |spent| spent.reason == reason)
}

/// All reasons, for messages.
fn reasons(profile: &Profile) -> Vec<(Reason, u64)> {
    Reason::ALL.into_iter().map(|reason| (reason, on(profile, reason))).filter(|(_, cycles)| *cycles > 0).collect()
}

/// Mnemonic of the instruction that most of the cycles of a reason are spent waiting for.
fn blocker(target: &Target, profile: &Profile, reason: Reason) -> String {
    let most = profile.spent.iter().filter(|(spent, _)| spent.reason == reason).max_by_key(|(_, cycles)| **cycles);
    let line = most.and_then(|(spent, _)| spent.blocker);
    line.map_or(String::new(), |line| target.disassemble(line.word).split(' ').next().unwrap_or_default().to_owned())
}

/// The reason takes at least so many per cent of the cycles, and more than any other.
#[track_caller]
fn mostly(profile: &Profile, reason: Reason, percent: u64) {
    let most = Reason::ALL.into_iter().max_by_key(|&reason| on(profile, reason));
    let got = 100 * on(profile, reason) / profile.cycles;
    assert!(most == Some(reason) && got >= percent, "{reason:?}: {got} %; {:?}", reasons(profile));
}

/// Setup of a whole register of 8-bit elements in `w16` and `tiny`.
const SHAPE: &str = "csrwi ttype, 2\nli x5, 0x040404\ncsrw tshape, x5\n";

fn repeat(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|i| line(i) + "\n").collect()
}

#[test]
fn all_cycles_of_all_programs_have_one_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let programs = cosim_bench::cli::programs::list(&folder).expect("programs");
    for (name, seed, latency) in [("tiny", None, 1), ("w16", None, 1), ("w16", Some(3), 9)] {
        let target = target(name);
        let stalls = Plan::all(if seed.is_some() { Class::Light } else { Class::None });
        let setup = Setup { stalls, seed: seed.unwrap_or(1), ..Setup::default() };
        for path in &programs {
            if cosim_bench::cli::programs::runs_on(&target, path).expect("a program") {
                let source = std::fs::read_to_string(path).expect("a program");
                profile(&target, &source, &setup, latency);
            }
        }
    }
}

#[test]
fn a_chain_of_additions_waits_for_operands_and_others_for_the_engine() {
    let target = target("w16");
    let setup = Setup::default();
    let chain = profile(&target, &(SHAPE.to_owned() + &repeat(40, |_| "tl.addi tl1, tl1, 1".into())), &setup, 1);
    mostly(&chain, Reason::Operands, 80);
    assert_eq!(blocker(&target, &chain, Reason::Operands), "tl.addi");
    // Behind the first two, of which one has all its operands, the queue of the engine is full.
    assert!(on(&chain, Reason::Engine) < 2 * 76);
    let free = |i: usize| format!("tl.addi tl{}, tl{}, 1", 1 + i % 15, 16 + i % 15);
    let free = profile(&target, &(SHAPE.to_owned() + &repeat(40, free)), &setup, 1);
    mostly(&free, Reason::Engine, 80);
    assert_eq!((on(&free, Reason::Operands), blocker(&target, &free, Reason::Engine).as_str()), (0, "tl.addi"));
    assert_eq!(cycles(&free, |spent| spent.memory), 0);
    // Both engines' work is the same, as far as what is computed goes: 64 rows for each.
    for profile in [&chain, &free] {
        let work = profile.lanes.total(Lane::Move).cycles;
        assert!((40 * 64..40 * 78).contains(&work), "{work}");
        assert_eq!(profile.lanes.work.keys().filter(|(lane, _)| *lane != Lane::Move).count(), 0);
    }
}

#[test]
fn transpositions_wait_for_their_engine_or_for_each_other() {
    let target = target("w16");
    let setup = SHAPE.to_owned() + "li x6, 0x02081008\n";
    let free = |i: usize| format!("tl.xpose.01 tl{}, tl{}, x6", 1 + 2 * (i % 15), 2 + 2 * (i % 15));
    let free = profile(&target, &(setup.clone() + &repeat(30, free)), &Setup::default(), 1);
    mostly(&free, Reason::Engine, 80);
    assert_eq!(blocker(&target, &free, Reason::Engine), "tl.xpose.01");
    assert!(Summary::new(&target, "p.s", &Symbols::default(), &free).verdict.contains("waits for its engine"));
    let chain = |_| "tl.xpose.01 tl1, tl2, x6".into();
    let chain = profile(&target, &(setup + &repeat(30, chain)), &Setup::default(), 1);
    mostly(&chain, Reason::Operands, 80);
}

#[test]
fn loads_from_a_slow_memory_wait_for_memory() {
    let target = target("tiny");
    let count = 20;
    let source = SHAPE.to_owned() + &repeat(count, |_| "tl.load tl1, 0(x0)\ntl.addi tl1, tl1, 1".into());
    let fast = profile(&target, &source, &Setup::default(), 1);
    assert_eq!(cycles(&fast, |spent| spent.memory), 0);
    let slow = profile(&target, &source, &Setup::default(), 32);
    // Each load waits for its first word, and the bench shows no more of it than there is: 31 cycles more than before.
    let waited = cycles(&slow, |spent| spent.memory);
    assert!((28 * count as u64..=32 * count as u64).contains(&waited), "{waited}");
    assert!(slow.cycles - fast.cycles >= waited && slow.cycles - fast.cycles <= 32 * count as u64);
    mostly(&slow, Reason::Operands, 60);
    assert_eq!(blocker(&target, &slow, Reason::Operands), "tl.load");
    assert_eq!(slow.lanes.total(Lane::Move).memory, 0);
    // Cycles in which memory answers are not its fault; with 100 cycles of latency these are the fewer.
    let verdict = |latency| {
        Summary::new(&target, "p.s", &Symbols::default(), &profile(&target, &source, &Setup::default(), latency))
            .verdict
    };
    assert!(!verdict(1).contains("does not answer"), "{}", verdict(1));
    let slow = verdict(100);
    assert!(slow.contains("L1M does not answer") && slow.contains("`tl.addi` waits for `tl.load`"), "{slow}");
}

#[test]
fn stores_to_a_slow_memory_wait_for_it() {
    let target = target("tiny");
    let source = SHAPE.to_owned() + &repeat(20, |_| "tl.store tl1, 0(x0)\nfence".into());
    let slow = profile(&target, &source, &Setup::default(), 50);
    mostly(&slow, Reason::HostWaits, 60);
    assert!(cycles(&slow, |spent| spent.memory && spent.reason == Reason::HostWaits) > 20 * 40);
    assert!(Summary::new(&target, "p.s", &Symbols::default(), &slow).verdict.contains("L0M does not answer"));
}

#[test]
fn behind_a_slow_load_free_registers_run_out_and_behind_a_slow_store_room() {
    let target = target("tiny");
    let addi = |i: usize| format!("tl.addi tl{}, tl0, 1", 2 + i);
    let source = SHAPE.to_owned() + "tl.load tl1, 0(x0)\n" + &repeat(12, addi);
    let registers = profile(&target, &source, &Setup::default(), 1000);
    assert_eq!(blocker(&target, &registers, Reason::Registers), "tl.load");
    let waited = cycles(&registers, |spent| spent.reason == Reason::Registers && spent.memory);
    assert!(waited > 200, "{:?}", reasons(&registers));
    assert_eq!(on(&registers, Reason::Window), 0);
    let source = SHAPE.to_owned() + "tl.store tl1, 0(x0)\n" + &repeat(30, |_| "csrwi tmask_concat_1, 1".into());
    let window = profile(&target, &source, &Setup::default(), 500);
    mostly(&window, Reason::Window, 80);
    assert_eq!((blocker(&target, &window, Reason::Window).as_str(), on(&window, Reason::Registers)), ("tl.store", 0));
}

#[test]
fn matrix_and_tensor_loads_wait_for_the_port() {
    let target = target("w16");
    let setup = SHAPE.to_owned() + "msettilemi 4\nmsettileki 4\nli x6, 16\n";
    let both = |i: usize| format!("tl.load tl{}, 0(x0)\nmlae8 tr0, (x0), x6", 1 + i % 31);
    let both = profile(&target, &(setup.clone() + &repeat(10, both)), &Setup::default(), 1);
    mostly(&both, Reason::Port, 50);
    let alone = |i: usize| format!("tl.load tl{}, 0(x0)", 1 + i % 31);
    let alone = profile(&target, &(setup + &repeat(10, alone)), &Setup::default(), 1);
    assert_eq!(on(&alone, Reason::Port), 0);
}

#[test]
fn the_host_works_waits_and_is_held_back() {
    let target = target("tiny");
    let source = "li x5, 50\nloop: addi x6, x6, 1\naddi x7, x7, 1\naddi x5, x5, -1\nbnez x5, loop\n";
    let works = profile(&target, source, &Setup::default(), 1);
    mostly(&works, Reason::Host, 90);
    let source = SHAPE.to_owned() + "li x6, 0x02040404\n" + &repeat(10, |_| "tl.xpose.01 tl1, tl2, x6\nfence".into());
    let waits = profile(&target, &source, &Setup::default(), 1);
    mostly(&waits, Reason::HostWaits, 50);
    assert_eq!(blocker(&target, &waits, Reason::HostWaits), "tl.xpose.01");
    let stalls = Plan { issue: Class::Heavy, ..Plan::default() };
    let source = SHAPE.to_owned() + &repeat(50, |_| "csrwi tmask_concat_1, 1".into());
    let held = profile(&target, &source, &Setup { stalls, seed: 5, ..Setup::default() }, 1);
    mostly(&held, Reason::IssueHeld, 50);
    assert_eq!(on(&profile(&target, &source, &Setup::default(), 1), Reason::IssueHeld), 0);
}

#[test]
fn what_csrs_mean_takes_its_time_and_a_trap_its_own() {
    let tiny = target("tiny");
    let source = SHAPE.to_owned() + &repeat(20, |i| format!("csrwi ttype, 2\ntl.addi tl{}, tl0, 1", 1 + i));
    let csrs = profile(&tiny, &source, &Setup::default(), 1);
    assert!(on(&csrs, Reason::Csrs) >= 20 * 4, "{:?}", reasons(&csrs));
    let target = target("w16");
    let trap = |word: &str| SHAPE.to_owned() + &repeat(4, |_| format!("{word}\ncsrwi tmask_concat_1, 1"));
    let trapping =
        profile(&target, &trap("tl.addi tl1, tl0, 1\ntl.load tl1, 0(x5)\n.word 0x0000705b"), &Setup::default(), 1);
    assert!(on(&trapping, Reason::Trap) > 0, "{:?}", reasons(&trapping));
    let clean = profile(&target, &trap("tl.addi tl1, tl0, 1"), &Setup::default(), 1);
    assert_eq!(on(&clean, Reason::Trap), 0);
}

#[test]
fn the_last_instruction_is_executed_while_nothing_else_is_there() {
    let target = target("w16");
    let source = SHAPE.to_owned() + "li x6, 0x02081008\ntl.xpose.01 tl1, tl2, x6";
    let last = profile(&target, &source, &Setup::default(), 1);
    let executing = on(&last, Reason::Executing);
    assert!((120..180).contains(&executing), "{:?}", reasons(&last));
    let work = last.lanes.total(Lane::Xpose).cycles;
    assert!(work.abs_diff(executing) < 8, "{work} {executing}");
}

#[test]
fn the_program_prints_and_writes_what_was_seen() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("p.s"), SHAPE.to_owned() + &repeat(20, |_| "tl.addi tl1, tl1, 1".into())).expect("written");
    let run = |more: &str| cosim(folder.path(), &format!("run p.s --config tiny {more}"));
    let text = run("--profile --profile-json p.json --profile-html p.html --latency 4").with_code(0);
    assert!(
        text.contains("the next instruction waits for operands") && text.contains("where the cycles went"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(at("p.json")).expect("a file")).expect("JSON");
    let sum: u64 =
        json["reasons"].as_object().expect("reasons").values().filter_map(|work| work["cycles"].as_u64()).sum();
    assert_eq!(json["cycles"].as_u64(), Some(sum));
    assert!(text.contains(&format!("{sum} cycles, ")), "{text}");
    let page = std::fs::read_to_string(at("p.html")).expect("a page");
    assert!(page.contains("tl.addi tl1, tl1, 1 at 0x"), "{page}");
    // One script, which is in the page, and no other runs.
    assert!(page.matches("<script").count() == 1 && page.contains("; script-src 'sha256-"), "{page}");
    let heading = page.split("<h1>").nth(1).and_then(|rest| rest.split("</h1>").next()).expect("a heading");
    assert!(heading.contains("<code>tl.") && !heading.contains('`'), "{heading}");
    let again = run("--profile-json - --latency 4");
    assert!(again.out.contains(&std::fs::read_to_string(at("p.json")).expect("a file")));
    for (more, message) in [
        ("--profile --latency 0", "invalid value '0'"),
        ("--profile --latency 1001", "invalid value '1001'"),
        ("--profile --wave w.fst", "cannot be used with"),
        ("--profile-html /nowhere/p.html --profile", "cannot write /nowhere/p.html"),
    ] {
        run(more).refused(message);
    }
}
