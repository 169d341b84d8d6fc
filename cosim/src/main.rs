// SPDX-License-Identifier: Apache-2.0
//! The program `cosim`: generated RTL and golden model in lockstep.
//!
//! Exit code 0: no difference. 1: a difference, a hang or a broken rule. 2: bad usage or input, or nothing could be
//! run. 3: no difference, and the program of `cosim run` ended with another code than 0.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use cosim::workshop;
use cosim_bench::base::ending::{Ending, exit};
use cosim_bench::base::{arguments, output, signals};
use cosim_bench::cli::{self, adapters, options};
use cosim_bench::performance::{self, cycles};
use cosim_bench::ppa::{self, gates};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::{UnitOptions, Workshop};
use cosim_bench::{mutate, run, triage};

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
    Run(options::RunOptions),
    /// Run an operator on whole tensors, in files of NumPy
    Op(cli::op::OpOptions),
    /// Run programs on PicoRV32 or CV32E40X with the unit beside it, and on the model
    ///
    /// Every instruction of the core and of the unit is compared, and at the end every memory. Without a program: the C
    /// examples and three operators, with the unit and by the core alone.
    Soc(cli::soc::SocOptions),
    /// Write programs that check themselves, as ELF files for a core, an FPGA or a chip with the unit
    ///
    /// Each ends with 0, or with the number of the first check that failed. With `xlen` = 64 they are for RV64: Spike runs
    /// them, `golden run` and `cosim run` do not, because their host is RV32.
    Export(cli::export::ExportOptions),
    /// Run random programs with random stalls
    Random(options::RandomOptions),
    /// Run every program, then random ones, on every configuration
    Regress(options::RegressOptions),
    /// Put together what the shards of a random run left
    ///
    /// Exit code 0: all shards are there, and no difference; 1: one is missing or was interrupted, or a difference.
    Collect(options::CollectOptions),
    /// Run a case again out of its replay file
    Replay(options::ReplayOptions),
    /// Make the case of a replay file smaller, as long as it fails in the same way
    Shrink(options::ShrinkOptions),
    /// Find the commit whose RTL lets the case of a replay file fail
    ///
    /// Runs the case on the RTL that commits have, in a repository whose working tree stays as it is. Exit code 0:
    /// found; 1: it is one of several, because some cannot be run or fail in another way.
    Bisect(cli::bisect::BisectOptions),
    /// Merge and report coverage files
    #[command(subcommand)]
    Coverage(options::CoverageCommand),
    /// Make blind errors in the source of the RTL, and count those that the bench finds
    ///
    /// Exit code 0: done; 1: the score is below --at-least.
    Mutate(mutate::MutateOptions),
    /// Check one thing about the RTL: decoders, cycles, gates, proven properties, adapters, programs, planted faults
    #[command(subcommand)]
    Check(Check),
    /// Measure cycles, real networks, area and clock
    #[command(subcommand)]
    Measure(Measure),
    /// Plant a fault on purpose, find it, and show what the bench leaves behind
    ///
    /// Exit code 0: the fault was found; 1: it was not.
    DemoFault(options::DemoOptions),
    /// Say which tools are found, in which versions, where models are kept, and what is missing
    ///
    /// Exit code 0: models can be made; 1: what they need is missing.
    Doctor,
    /// Runs cases for another process, which asks on standard input
    #[command(hide = true)]
    Worker(run::worker::WorkerOptions),
}

#[derive(Subcommand)]
enum Check {
    /// Compare the decoders on every word of the unit's opcodes
    Decode(UnitOptions),
    /// Compare the clock cycles of pinned random cases with those of a file
    ///
    /// Exit code 0: all the same; 1: a case takes another number of cycles.
    Cycles(cycles::CyclesOptions),
    /// Compare area and depth of each module, in gates, with those of a file
    ///
    /// The unit is `tiny` with all instruction sets. Exit code 0: no module is larger by more than 3 % or deeper; 1:
    /// one is.
    Gates(gates::GatesOptions),
    /// Run random programs with the properties of `make formal`, and the assumptions of the proofs, as assertions
    ///
    /// Exit code 0: all hold, and no difference; 1: one does not hold, or a difference or a hang.
    Facts(adapters::AdapterOptions),
    /// Run random programs with memories behind AXI4, and measure loads and stores there
    ///
    /// Exit code 0: no difference; 1: a difference or a hang.
    Axi(adapters::AxiOptions),
    /// Run random programs behind CV-X-IF, with a core that speculates, takes back, kills and waits at random
    ///
    /// Exit code 0: no difference; 1: a difference, a hang or a broken rule.
    Xif(adapters::AdapterOptions),
    /// Run every instruction in each cycle after reset, every two instructions, and every edge of their operands
    ///
    /// Exit code 0: no difference; 1: a difference or a hang.
    Pairs(cli::pairs::PairsOptions),
    /// Run random cases and pairs on all named units and on random ones for hours, and say what is new
    ///
    /// Exit code 0: no difference; 1: a difference or a hang, new or known.
    Soak(cli::soak::SoakOptions),
    /// Run every program of a folder; one with a line "# needs matrix" only where there are matrix instructions
    Programs(options::ProgramsOptions),
    /// List the planted faults, or find and shrink each
    Faults(options::FaultOptions),
}

#[derive(Subcommand)]
enum Measure {
    /// Measure cycles per operation, and the speed of the bench
    Bench(performance::BenchOptions),
    /// Measure operators of real networks on the RTL
    Workloads(cli::workloads::WorkloadOptions),
    /// Measure what layout costs whole networks: the host alone, and with units
    Networks(cli::networks::NetworkOptions),
    /// Measure area, clock and depth of the RTL by synthesis, place and route
    ///
    /// Exit code 0: all was measured; 1: the time was over before the end of routing.
    Ppa(ppa::PpaOptions),
}

impl Check {
    fn run(self, workshop: &Workshop) -> Result<Ending> {
        match self {
            Check::Decode(options) => cli::decode::decode(workshop, &options).map(Ending::from),
            Check::Cycles(options) => cycles::run(workshop, &options).map(Ending::from),
            Check::Gates(options) => gates::run(workshop, &options).map(Ending::from),
            Check::Facts(options) => adapters::check(workshop, &options, ModelKind::Facts),
            Check::Axi(options) => adapters::axi(workshop, &options),
            Check::Pairs(options) => cli::pairs::pairs(workshop, &options),
            Check::Soak(options) => cli::soak::soak(workshop, &options),
            Check::Xif(options) => adapters::xif(workshop, &options),
            Check::Programs(options) => cli::programs::programs(workshop, &options).map(Ending::from),
            Check::Faults(options) => cli::faults::faults(workshop, &options).map(Ending::from),
        }
    }
}

impl Measure {
    fn run(self, workshop: &Workshop) -> Result<Ending> {
        match self {
            Measure::Bench(options) => performance::run(workshop, &options).map(Ending::from),
            Measure::Workloads(options) => cli::workloads::run(workshop, &options),
            Measure::Networks(options) => cli::networks::run(workshop, &options),
            Measure::Ppa(options) => ppa::run(workshop, &options).map(Ending::from),
        }
    }
}

fn main() -> ExitCode {
    let command = match arguments::parse::<Cli>() {
        Ok(Cli { command }) => command,
        Err(code) => return code,
    };
    if let Err(error) = signals::large_files_are_errors().and_then(|()| output::keep_for_results()) {
        return exit(Err(error.into()));
    }
    // A worker's crash is told by the process that has started it.
    if !matches!(command, Command::Worker(_))
        && let Err(error) = signals::tell_of_crashes()
    {
        return exit(Err(error.into()));
    }
    let workshop = &workshop();
    exit(match command {
        Command::Run(options) => cli::run::run(workshop, &options),
        Command::Op(options) => cli::op::op(workshop, &options),
        Command::Soc(options) => cli::soc::run(workshop, &options),
        Command::Export(options) => cli::export::export(workshop, &options),
        Command::Random(options) => cli::random::random(workshop, &options),
        Command::Regress(options) => cli::regress::regress(workshop, &options),
        Command::Collect(options) => cli::collect::run(workshop, &options).map(Ending::from),
        Command::Replay(options) => cli::replay::run(workshop, &options),
        Command::Shrink(options) => cli::shrink::run(workshop, &options).map(Ending::from),
        Command::Bisect(options) => cli::bisect::run(workshop, &options).map(Ending::from),
        Command::Coverage(command) => cli::coverage::coverage(workshop, &command).map(Ending::from),
        Command::Mutate(options) => mutate::run(workshop, &options).map(Ending::from),
        Command::Check(check) => check.run(workshop),
        Command::Measure(measure) => measure.run(workshop),
        Command::DemoFault(options) => cli::demo::run(workshop, &options).map(Ending::from),
        Command::Doctor => cli::doctor::run().map(Ending::from),
        Command::Worker(options) => run::worker::serve(&options, triage::carry_out).map(|()| Ending::Clean),
    })
}
