// SPDX-License-Identifier: Apache-2.0
//! `cosim op`: an operator on tensors in files.

mod attributes;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use kernels::emit;
use kernels::mapping::Mapping;
use kernels::plan::{Plan, Step};
use kernels::tensor::Tensor;
use serde::Serialize;

use attributes::Named;

use crate::base::ending::Ending;
use crate::base::output::{self, say};
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, Plan as Stalls};
use crate::operators::execute::{Operation, Ran};
use crate::operators::npy::{self, Array};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, UnitOptions, Workshop};

/// Options of `cosim op`.
#[derive(Debug, Args)]
#[command(mut_args(|arg| arg.global(true)))]
pub struct OpOptions {
    /// The operator with its attributes, as ONNX names them
    #[command(subcommand)]
    operator: Named,
    /// File of NumPy with an input; several for Concat
    #[arg(long = "in", value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// File of NumPy for the output; several for Split
    #[arg(long = "out", value_name = "FILE")]
    outputs: Vec<PathBuf>,
    /// The inputs, of int8 or uint8, have two elements of 4 bits in each byte; so have the outputs
    #[arg(long)]
    packed_int4: bool,
    #[command(flatten)]
    unit: UnitOptions,
    /// Run it on the model alone: no Verilator, no clock cycles
    #[arg(long)]
    model: bool,
    /// By loops of the host in place of the unit
    #[arg(long)]
    host: bool,
    /// Stall every port at random; without it nothing stalls
    #[arg(long, conflicts_with = "model")]
    stall_seed: Option<u64>,
    /// Write what was measured as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the program to this file, in assembly language (- for standard output, without the report)
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Write the program to this file in C, for `tensorload.h` (- for standard output, without the report)
    #[arg(long, value_name = "FILE")]
    c: Option<PathBuf>,
    /// Instructions after which a program that has not ended is given up
    #[arg(long, default_value_t = golden::run::LIMIT)]
    limit: u64,
}

/// What `--json` has. Cycles are missing without RTL. The copies are not in the other numbers.
#[derive(Debug, Serialize)]
struct Measured {
    config: String,
    cycles: Option<u64>,
    predicted_cycles: u64,
    bound_cycles: u64,
    bytes_in: u64,
    bytes_out: u64,
    bytes_per_cycle: Option<f64>,
    share_of_bound: Option<f64>,
    binds: &'static str,
    instructions: u64,
    host_instructions: u64,
    /// Of pieces of tensors that do not fit into L1M or L0M.
    copy_instructions: u64,
    /// For each engine, the share of the cycles in which it has to work.
    engines: std::collections::BTreeMap<&'static str, f64>,
    plan: Vec<String>,
}

/// `cosim op`.
pub fn op(workshop: &Workshop, options: &OpOptions) -> Result<Ending> {
    ensure!(!options.inputs.is_empty(), "an input is missing: --in FILE");
    let target = options.unit.target(workshop)?;
    let arrays: Vec<Array> =
        options.inputs.iter().map(|path| npy::read(path, options.packed_int4)).collect::<Result<_>>()?;
    let tensors: Vec<Tensor> = arrays.iter().map(|array| array.tensor.clone()).collect();
    same_types(&options.inputs, &arrays)?;
    let operator = options.operator.operator(&arrays[0], options.outputs.len())?;
    let mapping = operator.mapping(&tensors)?;
    options.check_outputs(&mapping)?;
    let unit = target.for_plans();
    let plan = if options.host { Plan::by_host(&mapping, &unit)? } else { Plan::new(&mapping, &unit)? };
    let inputs = arrays.iter().map(|array| array.bytes.clone()).collect();
    let operation = Operation::new(&target, mapping, plan, inputs)?;
    if let Some(path) = &options.program {
        output::save_text(path, &operation.source)?;
    }
    if let Some(path) = &options.c {
        output::save_text(path, &emit::c::program(&operation.plan, &unit))?;
    }
    let ran = if options.model {
        operation.on_model(&target, options.limit)?
    } else {
        make_all(std::slice::from_ref(&target), ModelKind::Fast)?;
        match operation.in_lockstep(&target, &setup(options.stall_seed), options.limit)? {
            Ok(ran) => ran,
            Err(failure) => {
                output::text(&report::text(&target, &failure))?;
                return Ok(Ending::Different);
            }
        }
    };
    for ((path, tensor), bytes) in options.outputs.iter().zip(&operation.mapping.outputs).zip(&ran.outputs) {
        npy::write(path, tensor, arrays[0].dtype, bytes)?;
    }
    let measured = measured(&target, &operation, &ran);
    match &options.json {
        Some(path) => output::save_json(path, &measured)?,
        None if options.texts().any(|path| path == Path::new(STDOUT)) => {}
        None => tell(&measured)?,
    }
    Ok(Ending::Clean)
}

/// The name of standard output.
const STDOUT: &str = "-";

impl OpOptions {
    /// What is written other than tensors.
    fn texts(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.json, &self.program, &self.c].into_iter().flatten()
    }

    /// Whether every file can be written, each under its own name.
    fn check_outputs(&self, mapping: &Mapping) -> Result<()> {
        let (files, outputs) = (self.outputs.len(), mapping.outputs.len());
        ensure!(files == 0 || files == outputs, "{files} files for outputs (--out); the operator has {outputs}");
        let mut names = HashSet::new();
        for path in self.outputs.iter().chain(self.texts()) {
            let name = std::path::absolute(path).with_context(|| path.display().to_string())?;
            ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
            ensure!(name.parent().is_none_or(Path::is_dir), "cannot write {}: there is no such folder", path.display());
            ensure!(names.insert(name), "{} is named twice; every output has a file of its own", path.display());
        }
        for (path, tensor) in self.outputs.iter().zip(&mapping.outputs) {
            ensure!(path != Path::new(STDOUT), "--out -: an array is written to a file");
            npy::shape(tensor).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// All inputs have the type of the first one.
fn same_types(paths: &[PathBuf], arrays: &[Array]) -> Result<()> {
    let types: Vec<String> = arrays.iter().map(Array::type_name).collect();
    for (path, name) in paths.iter().zip(&types) {
        let (path, first) = (path.display(), paths[0].display());
        ensure!(*name == types[0], "{path} has elements of {name}, {first} of {}; allowed is one type", types[0]);
    }
    Ok(())
}

/// No stalls, or light ones of this seed.
pub(super) fn setup(stall_seed: Option<u64>) -> Setup {
    let stalls = Stalls::all(if stall_seed.is_some() { Class::Light } else { Class::None });
    Setup { seed: stall_seed.unwrap_or(1), stalls, ..Setup::default() }
}

fn measured(target: &Target, operation: &Operation, ran: &Ran) -> Measured {
    let [bytes_in, bytes_out] = operation.bytes();
    let bound = operation.bound(target);
    let all = ran.cycles.unwrap_or_else(|| ran.engines.values().copied().max().unwrap_or(1)).max(1);
    Measured {
        config: target.name().to_owned(),
        cycles: ran.cycles,
        predicted_cycles: operation.plan.cycles(),
        bound_cycles: bound,
        bytes_in,
        bytes_out,
        bytes_per_cycle: ran.cycles.map(|cycles| bytes_out as f64 / cycles as f64),
        share_of_bound: ran.cycles.map(|cycles| bound as f64 / cycles as f64),
        binds: ran.binds().0,
        instructions: ran.instructions,
        host_instructions: ran.host,
        copy_instructions: ran.copies,
        engines: ran.engines.iter().map(|(name, cycles)| (*name, *cycles as f64 / all as f64)).collect(),
        plan: operation.plan.steps.iter().map(Step::describe).collect(),
    }
}

fn tell(measured: &Measured) -> Result<()> {
    for step in &measured.plan {
        say!("  {step}")?;
    }
    let Measured { config, bytes_in, bytes_out, instructions, host_instructions, bound_cycles, binds, .. } = measured;
    say!(
        "{config}: {bytes_in} bytes in, {bytes_out} out; {instructions} instructions, {host_instructions} of the host"
    )?;
    if measured.copy_instructions > 0 {
        let copies = measured.copy_instructions;
        say!("larger than L1M or L0M: {copies} further instructions of the host copy pieces, one in a cycle")?;
    }
    if let (Some(cycles), Some(rate), Some(share)) =
        (measured.cycles, measured.bytes_per_cycle, measured.share_of_bound)
    {
        let predicted = measured.predicted_cycles;
        say!(
            "{cycles} cycles ({predicted} predicted), {rate:.2} bytes per cycle, {share:.2} of the bound of {bound_cycles}; {binds} binds"
        )?;
    }
    Ok(())
}
