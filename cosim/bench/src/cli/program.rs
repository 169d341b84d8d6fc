// SPDX-License-Identifier: Apache-2.0
//! Programs in assembly language, on RTL and model in lockstep.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use golden::config::wrapped;
use golden::report::{CsrReport, Report, Retired, TileReport, hex, printed};
use golden::run::{LIMIT, Pulse, Stuck};
use golden::{Csr, MatrixCsr, Tile};

use super::symbols::Symbols;
use crate::base::draw::Draw;
use crate::base::interrupt::Interrupt;
use crate::base::output;
use crate::lockstep::failure::Failure;
use crate::lockstep::profile::{Profile, Profiler};
use crate::lockstep::scoreboard::state::SINGLE;
use crate::lockstep::stall::{Class, Plan};
use crate::lockstep::{Counts, Lockstep, Observer, ProgramStep, Setup};
use crate::run::executor::{before_the_start, listening};
use crate::unit::target::Target;
use crate::unit::{CsrState, ModelKind};
use crate::waveform;

pub struct Program {
    pub path: PathBuf,
    pub code: Code,
    /// Names of addresses, of an ELF file.
    pub symbols: Symbols,
    /// Instructions after which a program is given up.
    pub limit: u64,
    pub setup: Setup,
    /// Clock cycles from a request that a memory takes to its answer.
    pub latency: u32,
    /// See where the clock cycles go.
    pub profile: bool,
    /// Ends the run.
    pub interrupt: Interrupt,
}

pub enum Code {
    /// By a host that fetches.
    Program(golden::Program),
    /// Words one after the other.
    Stream(Vec<u32>),
}

/// What a program left behind on the RTL.
pub struct Outcome {
    /// State and retirements, read out of the RTL.
    pub report: Report,
    pub l0m: Vec<u8>,
    pub console: Vec<u8>,
    pub counts: Counts,
    /// Why the program did not end, if it did not.
    pub stuck: Option<Stuck>,
    /// Where the clock cycles went, when that was asked for.
    pub profile: Option<Profile>,
}

impl Program {
    /// Reads a program, in assembly language or ELF. Memories are zero where no file is given.
    ///
    /// # Errors
    /// When a file cannot be read, does not assemble, or does not fit in its memory.
    pub fn read(target: &Target, path: &Path, l1m: Option<&Path>, l0m: Option<&Path>) -> Result<Program> {
        let name = path.display().to_string();
        let file = contents(path)?;
        let symbols = Symbols::new(&file);
        let program = if golden::Program::is_elf(&file) {
            golden::Program::from_elf(&file).with_context(|| name.clone())?
        } else {
            golden::asm::program(&name, &source(path, file)?, &target.golden)?
        };
        let image = |name: &str, path: Option<&Path>, size: u32| -> Result<Vec<u8>> {
            let Some(path) = path else { return Ok(Vec::new()) };
            let what = || format!("{name} of {} from {}", target.name(), path.display());
            files::read(path, size.into()).with_context(what)
        };
        let l1m = image("L1M", l1m, target.golden.l1m_bytes)?;
        let l0m = image("L0M", l0m, target.golden.l0m_bytes)?;
        let setup = Setup { l1m, l0m, seed: 1, ..Setup::default() };
        Ok(Program {
            path: path.to_owned(),
            code: Code::Program(program),
            symbols,
            limit: LIMIT,
            setup,
            latency: 1,
            profile: false,
            interrupt: Interrupt::default(),
        })
    }

    /// Makes a stream of it.
    ///
    /// # Errors
    /// When it is not in assembly language.
    pub fn stream(&mut self, target: &Target) -> Result<()> {
        let source = source(&self.path, contents(&self.path)?)?;
        self.code = Code::Stream(golden::asm::assemble(&self.path.display().to_string(), &source, &target.golden)?);
        Ok(())
    }

    /// Lets every port stall at random.
    pub fn stall(&mut self, seed: u64) {
        self.setup.seed = seed;
        self.setup.stalls = Plan::all(Class::Light);
    }

    /// Fills L1M with bytes that look random and are the same every time.
    pub fn fill_l1m(&mut self, target: &Target) {
        self.setup.l1m = vec![0; target.golden.l1m_bytes as usize];
        Draw::new(0, "L1M of a program", 0).fill(&mut self.setup.l1m);
    }

    pub fn kind(&self, wave: Option<&Path>) -> ModelKind {
        match wave {
            _ if self.profile => ModelKind::Profiled,
            Some(_) => ModelKind::Traced,
            None => ModelKind::Fast,
        }
    }

    /// Runs it in lockstep; with a waveform when `wave` names a file.
    ///
    /// # Errors
    /// When it does not fit in the memories, and when it passes and the waveform is not complete; what went wrong in
    /// the run is the inner error.
    pub fn run(&self, target: &Target, wave: Option<&Path>) -> Result<Result<Outcome, Box<Failure>>> {
        let last_words = wave.map(waveform::last_words).transpose()?;
        let done = listening(|| {
            let mut bench = Lockstep::new(target, self.kind(wave), &self.setup).map_err(before_the_start)?;
            let loaded = if let Code::Program(program) = &self.code { bench.load(program) } else { Ok(()) };
            loaded.map(|()| self.drive(target, &mut bench, wave)).map_or_else(|error| Ok(Err(error)), |ran| ran.map(Ok))
        })?;
        let done = match done {
            Ok(ran) => Ok(ran.with_context(|| self.path.display().to_string())?),
            Err(failure) => Err(failure),
        };
        // A failure counts, whatever became of the waveform.
        wave.filter(|_| done.is_ok()).map_or(Ok(()), waveform::check)?;
        drop(last_words);
        Ok(done)
    }

    fn drive(&self, target: &Target, bench: &mut Lockstep, wave: Option<&Path>) -> Result<Outcome, Box<Failure>> {
        if let Some(path) = wave {
            bench.rtl().open_wave(path).map_err(before_the_start)?;
        }
        bench.observers.retirements = Some(Vec::new());
        bench.interrupt = self.interrupt.clone();
        bench.set_latency(self.latency);
        bench.observers.profiler = self.profile.then(|| Profiler::new(&target.golden, target.rtl.precise));
        let progress = Progress { pulse: Pulse::default(), name: self.path.display().to_string(), limit: self.limit };
        bench.observers.hooks.push(Box::new(progress));
        let ended = match &self.code {
            Code::Program(_) => bench.run_program(self.limit).map(Result::err),
            Code::Stream(words) => bench.run(words).map(|()| None),
        };
        // There is no whole state to compare in the middle of a program.
        let ran =
            ended.and_then(|stuck| Ok((stuck, if stuck.is_some() { bench.counts().clone() } else { bench.finish()? })));
        bench.rtl().close_wave();
        let (stuck, counts) = ran?;
        let profile = bench.observers.profiler.take().map(Profiler::finish);
        let (l0m, console) = (bench.l0m().to_vec(), bench.hart().console.clone());
        Ok(Outcome { counts, report: report(target, bench), l0m, console, stuck, profile })
    }
}

/// Says how far a program is that runs for long.
struct Progress {
    pulse: Pulse,
    name: String,
    limit: u64,
}

impl Observer for Progress {
    fn program_step(&mut self, _step: &ProgramStep) {
        let Progress { name, limit, .. } = self;
        self.pulse
            .beat(|done| output::log(&format!("cosim: {name}: {done} of at most {limit} instructions (--limit)")));
    }
}

/// The report of `golden run`, with the state of the RTL.
fn report(target: &Target, bench: &mut Lockstep) -> Report {
    let csrs = bench.rtl().csrs();
    let registers = bench.rtl().registers(target.golden.reg_bytes);
    let value = |csr| read(&csrs, csr);
    let matrix = target.golden.matrix;
    let tiles = matrix.map(|config| {
        let mut tile = |tile| hex(&bench.rtl().tile(config, tile));
        TileReport { tr: [0, 1, 2, 3].map(|i| tile(Tile::Tr(i))), acc: [0, 1, 2, 3].map(|i| tile(Tile::Acc(i))) }
    });
    let retired = bench.observers.retirements.iter().flatten();
    Report {
        config: target.name().to_owned(),
        x: std::array::from_fn(|i| wrapped(bench.hart().wide(i as u8), target.golden.xlen)),
        csr: CsrReport::new(&target.golden, value),
        tl: registers.iter().map(|bytes| hex(bytes)).collect(),
        tiles,
        exit: bench.hart().exit,
        console: printed(&bench.hart().console),
        retired: retired.map(|r| Retired { pc: r.pc, word: r.word, trap: r.trap }).collect(),
    }
}

/// A CSR of the report out of the state of the RTL.
fn read(state: &CsrState, csr: Csr) -> u32 {
    match csr {
        Csr::TloadStride(i) => state.load_stride[usize::from(i & 31)],
        Csr::TstoreStride(i) => state.store_stride[usize::from(i & 31)],
        Csr::Matrix(MatrixCsr::Mtilem) => state.tile_sizes[0],
        Csr::Matrix(MatrixCsr::Mtilen) => state.tile_sizes[1],
        Csr::Matrix(MatrixCsr::Mtilek) => state.tile_sizes[2],
        // Those that are neither in it nor here are not part of a report.
        _ => SINGLE.iter().zip(state.single).find(|(single, _)| **single == csr).map_or(0, |(_, value)| value),
    }
}

pub fn contents(path: &Path) -> Result<Vec<u8>> {
    files::read(path, files::PROGRAM).with_context(|| format!("cannot read {}", path.display()))
}

fn source(path: &Path, bytes: Vec<u8>) -> Result<String> {
    files::text(bytes).with_context(|| format!("cannot read {}", path.display()))
}
