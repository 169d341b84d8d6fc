// SPDX-License-Identifier: Apache-2.0
//! The program of a plan on the model, or on RTL and model in lockstep.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use golden::decode::{Engine, decode};
use golden::hart::Segment;
use golden::{Hart, Machine, Program};
use kernels::emit;
use kernels::mapping::{Mapping, Source, for_each};
use kernels::plan::Plan;
use kernels::tensor::Tensor;

use crate::lockstep::failure::Failure;
use crate::lockstep::profile::lanes::Lane;
use crate::lockstep::{Counts, Lockstep, Setup, bound};
use crate::run::executor::{before_the_start, listening};
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// A mapping, its plan, its program, and what goes in.
#[derive(Debug)]
pub struct Operation {
    pub mapping: Mapping,
    pub plan: Plan,
    /// In assembly language.
    pub source: String,
    program: Program,
    inputs: Vec<Vec<u8>>,
    /// Byte addresses of what copies in program memory.
    copies: Range<u32>,
    /// Cycles after which the memories answer.
    pub latency: u32,
}

/// What any unit has to move, whatever it does with it.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Bytes that are written, each counted once.
    pub bytes: u64,
    /// Memory words that have input which is needed.
    pub read: u64,
    /// Memory words that have output.
    pub written: u64,
}

#[derive(Debug, Default)]
pub struct Ran {
    /// The outputs; they are those of the mapping.
    pub outputs: Vec<Vec<u8>>,
    /// Clock cycles, where there is RTL, without those of the copies.
    pub cycles: Option<u64>,
    /// What the bench counted, where there is RTL.
    pub counts: Counts,
    /// Instructions of the host that copy pieces of tensors which are too large for L1M or L0M; one in a cycle.
    pub copies: u64,
    /// Instructions that were executed, without those of the copies.
    pub instructions: u64,
    /// Those of the host among them.
    pub host: u64,
    /// Fewest cycles that each engine can take for its instructions.
    pub engines: BTreeMap<&'static str, u64>,
}

impl Operation {
    /// The operation of a plan on these inputs.
    ///
    /// # Errors
    /// When the program does not assemble, which is a bug.
    pub fn new(target: &Target, mapping: Mapping, plan: Plan, inputs: Vec<Vec<u8>>) -> Result<Operation> {
        let source = emit::program(&plan, &target.for_plans());
        let words = |source: &str| golden::asm::assemble("the program of the operator", source, &target.golden);
        let mut program = Program::from_words(&words(&source)?);
        let copies = 0..4 * words(&emit::copies(&plan))?.len() as u32;
        if plan.tiled {
            let (bytes, most) = (program.segments[0].bytes.len() as u64, emit::PROGRAM_BYTES);
            ensure!(bytes <= most, "the program has {bytes} bytes; there is room for {most} before the tensors");
            let segment =
                |(bytes, &at): (&Vec<u8>, &u64)| Segment { address: at as u32, bytes: bytes.clone(), zeros: 0 };
            program.segments.extend(inputs.iter().zip(&plan.inputs).map(segment));
        }
        Ok(Operation { mapping, plan, source, program, inputs, copies, latency: 1 })
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Contents of L1M that it starts from.
    pub fn l1m(&self) -> Vec<u8> {
        let mut l1m = Vec::new();
        if self.plan.tiled {
            return l1m;
        }
        for (bytes, &at) in self.inputs.iter().zip(&self.plan.inputs) {
            l1m.resize(at as usize, 0);
            l1m.extend_from_slice(bytes);
        }
        l1m
    }

    /// Runs it on the model alone.
    ///
    /// # Errors
    /// When it does not do what the mapping says, which is a bug.
    pub fn on_model(&self, target: &Target, limit: u64) -> Result<Ran> {
        let mut machine = Machine::new(&target.golden);
        let l1m = self.l1m();
        machine.l1m.bytes[..l1m.len()].copy_from_slice(&l1m);
        machine.load(&self.program)?;
        let mut ran = Ran::default();
        while ran.instructions + ran.copies < limit {
            let copies = self.copies.contains(&machine.hart.pc);
            let word = machine.hart.fetch().ok().flatten().unwrap_or_default();
            let engine = engine(decode(word, &target.golden).engine());
            let cycles = if engine == "host" { 1 } else { bound::roofline(target, &machine, word) };
            let Ok(outcome) = machine.step_program() else { break };
            ensure!(outcome.trap.is_none(), "the program traps at {:#x}: {:?}", outcome.pc, outcome.trap);
            if copies {
                ran.copies += 1;
                continue;
            }
            *ran.engines.entry(engine).or_default() += cycles;
            ran.instructions += 1;
            ran.host += u64::from(engine == "host");
        }
        ensure!(
            ran.instructions + ran.copies < limit,
            "the program has not ended after {limit} instructions (--limit)"
        );
        ran.outputs = self.outputs(&machine.hart, &machine.l0m.bytes)?;
        Ok(ran)
    }

    /// Runs it on RTL and model in lockstep, after a run on the model that counts what the engines do.
    ///
    /// # Errors
    /// As [`Operation::on_model`]; a difference of the two sides is the inner error.
    pub fn in_lockstep(&self, target: &Target, setup: &Setup, limit: u64) -> Result<Result<Ran, Box<Failure>>> {
        let mut ran = self.on_model(target, limit)?;
        let setup = Setup { l1m: self.l1m(), ..setup.clone() };
        let done = listening(|| {
            let mut bench = Lockstep::new(target, ModelKind::Fast, &setup).map_err(before_the_start)?;
            bench.set_latency(self.latency);
            if let Err(error) = bench.load(&self.program) {
                return Ok(Err(anyhow::Error::from(error)));
            }
            let ended = bench.run_program(limit)?;
            let counts = bench.finish()?;
            Ok(ended.map(|_| (bench, counts)).map_err(anyhow::Error::from))
        })?;
        let (bench, counts) = match done {
            Ok(done) => done?,
            Err(failure) => return Ok(Err(failure)),
        };
        ran.outputs = self.outputs(bench.hart(), bench.l0m())?;
        ran.cycles = Some(counts.cycles.saturating_sub(ran.copies));
        ran.counts = counts;
        Ok(Ok(ran))
    }

    /// The outputs in the memory where they are, L0M or program memory, which have to be those of the mapping.
    pub fn outputs(&self, hart: &Hart, l0m: &[u8]) -> Result<Vec<Vec<u8>>> {
        let bytes = |(tensor, &at): (&Tensor, &u64)| {
            let range = at as usize..at as usize + tensor.bytes();
            if self.plan.tiled { hart.ram.read(range) } else { l0m.get(range).map(<[u8]>::to_vec) }
        };
        let outputs: Option<Vec<Vec<u8>>> = self.mapping.outputs.iter().zip(&self.plan.outputs).map(bytes).collect();
        let outputs = outputs.context("an output is outside of the memory")?;
        for (i, (got, want)) in outputs.iter().zip(self.mapping.apply(&self.inputs)).enumerate() {
            let wrong = (0..want.len()).find(|&at| got[at] != want[at]);
            ensure!(
                wrong.is_none(),
                "output {i} is wrong from byte {} on: a bug of the plan",
                wrong.unwrap_or_default()
            );
        }
        Ok(outputs)
    }

    /// Bytes of all inputs, and of all outputs.
    pub fn bytes(&self) -> [u64; 2] {
        let sum = |tensors: &[Tensor]| tensors.iter().map(|tensor| tensor.bytes() as u64).sum();
        [sum(&self.mapping.inputs), sum(&self.mapping.outputs)]
    }

    /// The fewest cycles that a datapath can take that writes `lanes` bytes in each.
    pub fn bound(&self, target: &Target) -> u64 {
        self.bytes()[1].div_ceil(u64::from(target.rtl.lanes))
    }

    /// What has to be moved, in memory words of `word` bytes.
    pub fn traffic(&self, word: u64) -> Traffic {
        let elements = |tensors: &[Tensor]| -> Vec<Vec<bool>> {
            tensors.iter().map(|tensor| vec![false; tensor.elements()]).collect()
        };
        let [mut read, mut written] = [&self.mapping.inputs, &self.mapping.outputs].map(|tensors| elements(tensors));
        for step in &self.mapping.moves {
            for_each(&step.dims, |from, to| {
                written[step.output][(step.offset + to) as usize] = true;
                if let Source::Input { input, offset } = step.source {
                    let place = usize::try_from(offset + from).ok().and_then(|n| read[input].get_mut(n));
                    place.into_iter().for_each(|place| *place = true);
                }
            });
        }
        let words = |tensors: &[Tensor], places: &[u64], moved: &[Vec<bool>]| {
            let mut words = BTreeSet::new();
            for ((tensor, &place), moved) in tensors.iter().zip(places).zip(moved) {
                let at = |n: usize| (place + n as u64 * u64::from(tensor.bits) / 8) / word;
                words.extend((0..moved.len()).filter(|&n| moved[n]).map(at));
            }
            words.len() as u64
        };
        let of = |(tensor, moved): (&Tensor, &Vec<bool>)| {
            (moved.iter().filter(|moved| **moved).count() as u64 * u64::from(tensor.bits)).div_ceil(8)
        };
        Traffic {
            bytes: self.mapping.outputs.iter().zip(&written).map(of).sum(),
            read: words(&self.mapping.inputs, &self.plan.inputs, &read),
            written: words(&self.mapping.outputs, &self.plan.outputs, &written),
        }
    }
}

impl Ran {
    /// The engine that needs the most cycles, and how many.
    pub fn binds(&self) -> (&'static str, u64) {
        let most = self.engines.iter().max_by_key(|(_, cycles)| **cycles);
        most.map_or(("host", 0), |(name, cycles)| (*name, *cycles))
    }
}

fn engine(engine: Option<Engine>) -> &'static str {
    match engine {
        None | Some(Engine::Host) => "host",
        Some(engine) => Lane::of_engine(engine).map_or("csr", Lane::name),
    }
}
