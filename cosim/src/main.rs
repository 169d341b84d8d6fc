// SPDX-License-Identifier: Apache-2.0
//! The program `cosim`: generated RTL and golden model in lockstep.
//!
//! Exit code 0: no difference. 1: a difference, a hang or a broken rule. 2: bad usage or input.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use cosim::workshop;
use cosim_bench::base::output;
use cosim_bench::bench::cycles;
use cosim_bench::cli::random;
use cosim_bench::cli::verdict::Verdict;
use cosim_bench::cli::{self, commands, coverage, demo, replay, shrink};
use cosim_bench::run::worker;
use cosim_bench::{bench, mutate};

/// Lockstep co-verification of the generated RTL against the golden model.
///
/// Every instruction that the RTL retires is compared with the model: word, order, trap, host register, CSRs, every
/// byte of the registers and of L0M that it writes. Exit code 0: no difference; 1: a difference or a hang; 2: bad
/// usage or input.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a program
    Run(commands::RunOptions),
    /// Run random programs with random stalls
    Random(random::RandomOptions),
    /// Run a case again out of its replay file
    Replay(replay::Options),
    /// Make the case of a replay file smaller, as long as it fails in the same way
    Shrink(shrink::Options),
    /// Run every program of a folder; one with a line "# needs matrix" only where there are matrix instructions
    Programs(commands::ProgramsOptions),
    /// Run every program, then random ones, on every configuration
    Regress(commands::RegressOptions),
    /// Compare the decoders on every word of the unit's opcodes
    Decode(commands::DecodeOptions),
    /// Measure cycles per operation, and the speed of the bench
    Bench(bench::Options),
    /// Compare the clock cycles of pinned random cases with those of a file
    ///
    /// Exit code 0: all the same; 1: a case takes another number of cycles.
    Cycles(cycles::Options),
    /// Runs cases for another process, which asks on standard input
    #[command(hide = true)]
    Worker(worker::WorkerOptions),
    /// Plant a fault on purpose, find it, and show what the bench leaves behind
    ///
    /// Exit code 0: the fault was found; 1: it was not.
    DemoFault(demo::Options),
    /// Mutate the netlist of the RTL, and count the mutants that the bench finds
    Mutate(mutate::Options),
    /// The process that runs mutants for `mutate`
    #[command(hide = true)]
    MutateWorker(mutate::worker::WorkerOptions),
    /// Merge and report coverage files
    #[command(subcommand)]
    Coverage(coverage::Command),
    /// List the planted faults
    Faults(shrink::FaultOptions),
}

fn main() -> ExitCode {
    let workshop = &workshop();
    let done = match Cli::parse().command {
        Command::Run(options) => commands::run(workshop, &options),
        Command::Random(options) => return end(random::random(workshop, &options)),
        Command::Replay(options) => replay::run(workshop, &options),
        Command::Programs(options) => commands::programs(workshop, &options),
        Command::Regress(options) => return end(commands::regress(workshop, &options)),
        Command::Decode(options) => commands::decode_sweep(workshop, &options),
        Command::Worker(options) => cli::worker::worker(&options).map(|()| true),
        Command::Bench(options) => bench::run(workshop, &options),
        Command::Cycles(options) => cycles::run(workshop, &options),
        Command::DemoFault(options) => demo::run(workshop, &options),
        Command::Mutate(options) => mutate::run(workshop, &options),
        Command::MutateWorker(options) => mutate::worker::work(&options),
        Command::Shrink(options) => shrink::run(workshop, &options),
        Command::Coverage(command) => coverage::coverage(workshop, &command),
        Command::Faults(options) if options.shrink => shrink::table_of_faults(workshop, &options),
        Command::Faults(_) => commands::faults(workshop),
    };
    end(done.map(Verdict::from))
}

/// The exit code; for a signal that of a program that it ends.
fn end(done: anyhow::Result<Verdict>) -> ExitCode {
    match done {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Different) => ExitCode::from(1),
        Ok(Verdict::Interrupted(signal)) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
        Err(error) => {
            output::log(&format!("cosim: {error:#}"));
            ExitCode::from(2)
        }
    }
}
