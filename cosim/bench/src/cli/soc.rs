// SPDX-License-Identifier: Apache-2.0
//! `cosim soc`: programs on a real core with the unit beside it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use golden::Program;

use super::program::{self, Code};
use crate::base::draw::Draw;
use crate::base::ending::Ending;
use crate::base::output::{self, say};
use crate::base::table;
use crate::lockstep::failure::Failure;
use crate::lockstep::system::{System, SystemCounts};
use crate::operators::soc_examples::{Example, c_examples, operators, two_units};
use crate::random::case::contents;
use crate::random::core_program::{self, Traps};
use crate::random::generator::Generator;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::surroundings::{INTERRUPTS, LATE};
use crate::unit::target::{Target, Workshop};

/// Options of `cosim soc`.
#[derive(Debug, Args)]
pub struct SocOptions {
    /// Program to run, in assembly language or ELF; all examples when it is missing
    program: Option<PathBuf>,
    /// Contents of L1M for the program
    #[arg(long, value_name = "FILE", requires = "program")]
    l1m: Option<PathBuf>,
    /// Where to write L0M as the program leaves it
    #[arg(long, value_name = "FILE", requires = "program")]
    dump_l0m: Option<PathBuf>,
    /// The core
    #[arg(long, value_enum, default_value_t = Core::Picorv32)]
    core: Core,
    /// Configuration: a name or a file NAME.toml; CV32E40X needs one with gpr_rs1 [default: w16; w16r for cv32e40x]
    #[arg(long)]
    config: Option<String>,
    /// Configuration of a second unit beside the first one, with the other engine_id and csr_base. The program, or a C
    /// example for two units, runs once with each of them watched, and so do random programs
    #[arg(long, value_name = "CONFIG", conflicts_with_all = ["markdown", "dump_l0m"])]
    second: Option<String>,
    /// Random programs in place of the examples; for cv32e40x with late memories and interrupts
    #[arg(long, value_name = "COUNT", conflicts_with = "program")]
    random: Option<u64>,
    /// Seed of the random programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the table in Markdown (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    markdown: Option<PathBuf>,
}

/// The core of a system.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Core {
    /// PicoRV32, with the adapter for PCPI
    Picorv32,
    /// CV32E40X, with the adapter for CV-X-IF
    Cv32e40x,
}

impl Core {
    fn kind(self) -> ModelKind {
        match self {
            Core::Picorv32 => ModelKind::Soc,
            Core::Cv32e40x => ModelKind::SocE40x,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Core::Picorv32 => "PicoRV32",
            Core::Cv32e40x => "CV32E40X",
        }
    }

    /// The configuration that is taken when none is named.
    fn config(self) -> &'static str {
        match self {
            Core::Picorv32 => "w16",
            Core::Cv32e40x => "w16r",
        }
    }
}

const HEADER: [&str; 8] =
    ["program", "size", "cycles", "of the core alone", "x", "instructions", "of the unit", "traps"];

/// `cosim soc`.
pub fn run(workshop: &Workshop, options: &SocOptions) -> Result<Ending> {
    let target = workshop.target(options.config.as_deref().unwrap_or(options.core.config()))?;
    let kind = options.core.kind();
    ensure!(
        kind == ModelKind::Soc || target.rtl.gpr_rs1,
        "configuration {} has gpr_rs1 = false: CV32E40X reads two registers, so it needs gpr_rs1 = true (w16r)",
        target.name()
    );
    if let Some(second) = &options.second {
        return two(workshop, &target, &workshop.target(second)?, options);
    }
    match (&options.program, options.random) {
        (Some(path), _) => one(&target, path, options),
        (None, Some(count)) => {
            ensure!(
                kind == ModelKind::Soc || !target.rtl.precise,
                "configuration {} has precise = true: behind a fault it does nothing until tcause is cleared, which the model \
                 does not know; random programs need precise = false",
                target.name()
            );
            random_programs(&target, options.core, options.seed, count)
        }
        (None, None) => all(&target, kind, options.markdown.as_deref()),
    }
}

/// One program of a user.
fn one(target: &Target, path: &Path, options: &SocOptions) -> Result<Ending> {
    let read = program::Program::read(target, path, options.l1m.as_deref(), None)?;
    let Code::Program(program) = &read.code else { return Ok(Ending::Clean) };
    let mut system = System::new(target, options.core.kind(), program, &read.setup.l1m, [1, 0])?;
    let code = match system.run() {
        Ok(code) => code,
        Err(failure) => return different(target, &failure),
    };
    output::bytes(system.console())?;
    if let Some(path) = &options.dump_l0m {
        output::save(path, system.l0m())?;
    }
    let SystemCounts { cycles, instructions, unit, traps, .. } = system.counts();
    say!(
        "{}: {instructions} instructions, {unit} of the unit, {traps} trapped, {cycles} cycles; no mismatch",
        target.name()
    )?;
    if code != 0 {
        say!("exit code {code}")?;
        return Ok(Ending::Failed);
    }
    Ok(Ending::Clean)
}

/// One program on two units, once with each of them watched.
fn two(workshop: &Workshop, first: &Target, second: &Target, options: &SocOptions) -> Result<Ending> {
    let (kind, core) = (options.core.kind(), options.core.name());
    ensure!(
        kind == ModelKind::Soc || second.rtl.gpr_rs1,
        "configuration {} has gpr_rs1 = false: CV32E40X reads two registers, so it needs gpr_rs1 = true",
        second.name()
    );
    if let Some(count) = options.random {
        ensure!(
            kind == ModelKind::Soc,
            "random programs for two units need PicoRV32: on CV32E40X software orders the memory accesses of units"
        );
        let mut ending = Ending::Clean;
        for [watched, other] in [[first, second], [second, first]] {
            let target = workshop.beside(watched, other)?;
            ending = ending.max(random_programs(&target, options.core, options.seed, count)?);
        }
        return Ok(ending);
    }
    let (program, l1m) = match &options.program {
        Some(path) => {
            let read = program::Program::read(first, path, options.l1m.as_deref(), None)?;
            let Code::Program(program) = read.code else { return Ok(Ending::Clean) };
            (program, read.setup.l1m)
        }
        None => {
            ensure!(
                first.rtl.gpr_rs1 == second.rtl.gpr_rs1,
                "gpr_rs1 of configurations {} and {} differs: the example is compiled for both units, so it must be the same",
                first.name(),
                second.name()
            );
            two_units(first)?
        }
    };
    for [watched, other] in [[first, second], [second, first]] {
        let target = workshop.beside(watched, other)?;
        let mut system = System::new(&target, kind, &program, &l1m, [1, 0])?;
        let code = match system.run() {
            Ok(code) => code,
            Err(failure) => return different(&target, &failure),
        };
        let SystemCounts { cycles, instructions, unit, second, traps } = system.counts();
        let (watched, other) = (watched.name(), other.name());
        say!(
            "{core}: {instructions} instructions, {unit} of {watched}, {second} of {other} beside it, {traps} trapped, \
             {cycles} cycles; no mismatch"
        )?;
        if code != 0 {
            say!("exit code {code}")?;
            return Ok(Ending::Failed);
        }
    }
    Ok(Ending::Clean)
}

fn different(target: &Target, failure: &Failure) -> Result<Ending> {
    output::text(&report::text(target, failure))?;
    Ok(Ending::Different)
}

fn random_programs(target: &Target, core: Core, seed: u64, count: u64) -> Result<Ending> {
    let mut sum = SystemCounts::default();
    for number in 0..count {
        match random(target, core.kind(), [seed, number], 0)? {
            Ok(counts) => sum.add(&counts),
            Err(failure) => {
                say!("{}, {}, seed {seed}, program {number}:", target.name(), core.name())?;
                return different(target, &failure);
            }
        }
    }
    let SystemCounts { cycles, instructions, unit, second, traps } = sum;
    let beside = if target.second.is_some() { format!(" and {second} of another one") } else { String::new() };
    say!(
        "{}, {}: {count} programs, {instructions} instructions, {unit} of the unit{beside}, {traps} trapped, {cycles} \
         cycles; no mismatch",
        target.name(),
        core.name()
    )?;
    Ok(Ending::Clean)
}

/// Runs random program `number` of `seed` on the system `kind`; `fault` is one that it has, 0 for none. On PicoRV32 half
/// of them have a handler of traps. On CV32E40X memories are late in most of them, and there are interrupts in half.
pub fn random(target: &Target, kind: ModelKind, [seed, number]: [u64; 2], fault: u32) -> Ran<SystemCounts> {
    let mut draw = Draw::new(seed, target.name(), number);
    let l1m = contents(&mut draw, target.golden.l1m_bytes);
    let mut revised = target.clone();
    revised.golden.csr_op |= kind == ModelKind::SocE40x;
    let traps = match kind {
        ModelKind::SocE40x => Traps::Core,
        _ if draw.chance(50) => Traps::Handler,
        _ => Traps::Adapter,
    };
    let generator = Generator::new(&revised, &mut draw, [&[], &[]]);
    let words = core_program::program(generator, traps, target.second.as_ref());
    let disturbed = match kind {
        ModelKind::SocE40x => [0, LATE, INTERRUPTS, LATE | INTERRUPTS][draw.below(4) as usize],
        _ => 0,
    };
    let selection = [draw.u32(), fault | disturbed];
    let mut system = System::new(target, kind, &Program::from_words(&words), &l1m, selection)?;
    Ok(system.run().map(|_| system.counts()))
}

/// The table of all examples.
fn all(target: &Target, kind: ModelKind, markdown: Option<&Path>) -> Result<Ending> {
    let mut rows = Vec::new();
    for example in c_examples(target, kind)?.into_iter().chain(operators(target)?) {
        match measure(target, kind, &example).with_context(|| example.name)? {
            Ok(row) => rows.push(row),
            Err(failure) => return different(target, &failure),
        }
    }
    match markdown {
        Some(path) => output::save_text(path, &table::markdown(&HEADER, 2, &rows))?,
        None => say!("{}\n\nno mismatch", table::rows(&HEADER, 2, rows))?,
    }
    Ok(Ending::Clean)
}

/// What a run gives: the inner error is a difference, the outer one that there was no run.
pub type Ran<T> = Result<Result<T, Box<Failure>>>;

fn measure(target: &Target, kind: ModelKind, example: &Example) -> Ran<[String; 8]> {
    let (with, result) = match go(target, kind, &example.with, example)? {
        Ok(done) => done,
        Err(failure) => return Ok(Err(failure)),
    };
    let alone = match &example.without {
        None => None,
        Some(program) => match go(target, kind, program, example)? {
            Ok((counts, other)) => {
                ensure!(counts.unit == 0, "the program of the core alone uses the unit");
                ensure!(result == other, "the core alone has another result");
                Some(counts.cycles)
            }
            Err(failure) => return Ok(Err(failure)),
        },
    };
    let SystemCounts { cycles, instructions, unit, traps, .. } = with;
    let or_none = |text: Option<String>| text.unwrap_or_default();
    Ok(Ok([
        example.name.to_owned(),
        example.size.clone(),
        cycles.to_string(),
        or_none(alone.map(|cycles| cycles.to_string())),
        or_none(alone.map(|alone| format!("{:.1}", alone as f64 / cycles as f64))),
        instructions.to_string(),
        unit.to_string(),
        traps.to_string(),
    ]))
}

/// Runs a program; what it did, and its result in L0M.
fn go(target: &Target, kind: ModelKind, program: &Program, example: &Example) -> Ran<(SystemCounts, Vec<u8>)> {
    let mut system = System::new(target, kind, program, &example.l1m, [1, 0])?;
    Ok(match system.run() {
        Ok(code) => {
            ensure!(code == 0, "exit code {code}");
            let result = system.l0m()[..example.result].to_vec();
            Ok((system.counts(), result))
        }
        Err(failure) => Err(failure),
    })
}
