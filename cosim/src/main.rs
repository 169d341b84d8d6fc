// SPDX-License-Identifier: Apache-2.0
//! The program `cosim`: generated RTL and golden model in lockstep.
//!
//! Exit code 0: no difference. 1: a difference, a hang or a broken rule. 2: bad usage or input, or nothing could be run.
//! 3: no difference, and the program of `cosim run` ended with another code than 0.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use cosim::workshop;
use cosim_bench::base::{output, signals};
use cosim_bench::cli::ending::{Ending, exit};
use cosim_bench::cli::{self, options};
use cosim_bench::performance::{self, cycles};
use cosim_bench::ppa::{self, gates};
use cosim_bench::{mutate, run};

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
    /// Measure operators of real networks on the RTL
    Workloads(cli::workloads::WorkloadOptions),
    /// Run programs on PicoRV32 with the unit beside it, and on the model
    ///
    /// Every instruction of the core and of the unit is compared, and at the end every memory. Without a program: the C
    /// examples and three operators, with the unit and by the core alone.
    Soc(cli::soc::SocOptions),
    /// Run random programs with memories behind AXI4, and measure loads and stores there
    ///
    /// Exit code 0: no difference; 1: a difference or a hang.
    Axi(cli::axi::AxiOptions),
    /// Run random programs behind CV-X-IF, with a core that speculates, takes back, kills and waits at random
    ///
    /// Exit code 0: no difference; 1: a difference, a hang or a broken rule.
    Xif(cli::xif::XifOptions),
    /// Run random programs with the properties of `make formal`, and the assumptions of the proofs, as assertions
    ///
    /// Exit code 0: all hold, and no difference; 1: one does not hold, or a difference or a hang.
    Facts(cli::facts::FactsOptions),
    /// Run random programs with random stalls
    Random(options::RandomOptions),
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
    /// Runs the case on the RTL that commits have, in a repository whose working tree stays as it is. Exit code 0: found;
    /// 1: it is one of several, because some cannot be run or fail in another way.
    Bisect(cli::bisect::BisectOptions),
    /// Run every program of a folder; one with a line "# needs matrix" only where there are matrix instructions
    Programs(options::ProgramsOptions),
    /// Run every program, then random ones, on every configuration
    Regress(options::RegressOptions),
    /// Compare the decoders on every word of the unit's opcodes
    Decode(options::DecodeOptions),
    /// Measure cycles per operation, and the speed of the bench
    Bench(performance::BenchOptions),
    /// Compare the clock cycles of pinned random cases with those of a file
    ///
    /// Exit code 0: all the same; 1: a case takes another number of cycles.
    Cycles(cycles::CyclesOptions),
    /// Runs cases for another process, which asks on standard input
    #[command(hide = true)]
    Worker(run::worker::WorkerOptions),
    /// Plant a fault on purpose, find it, and show what the bench leaves behind
    ///
    /// Exit code 0: the fault was found; 1: it was not.
    DemoFault(options::DemoOptions),
    /// Make blind errors in the source of the RTL, and count those that the bench finds
    ///
    /// Exit code 0: done; 1: the score is below --at-least.
    Mutate(mutate::MutateOptions),
    /// Measure area, clock and depth of the RTL by synthesis, place and route
    ///
    /// Exit code 0: all was measured; 1: the time was over before the end of routing.
    Ppa(ppa::PpaOptions),
    /// Compare area and depth of each module, in gates, with those of a file
    ///
    /// The unit is `tiny` with all instruction sets. Exit code 0: no module is larger by more than 3 % or deeper; 1: one is.
    Gates(gates::GatesOptions),
    /// Merge and report coverage files
    #[command(subcommand)]
    Coverage(options::CoverageCommand),
    /// List the planted faults
    Faults(options::FaultOptions),
    /// Say which tools are found, in which versions, where models are kept, and what is missing
    ///
    /// Exit code 0: models can be made; 1: what they need is missing.
    Doctor,
}

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    if let Err(error) = signals::large_files_are_errors().and_then(|()| output::keep_for_results()) {
        return exit(Err(error.into()));
    }
    let workshop = &workshop();
    let done = match command {
        Command::Run(options) => return exit(cli::run::run(workshop, &options)),
        Command::Op(options) => return exit(cli::op::op(workshop, &options)),
        Command::Workloads(options) => return exit(cli::workloads::run(workshop, &options)),
        Command::Soc(options) => return exit(cli::soc::run(workshop, &options)),
        Command::Axi(options) => return exit(cli::axi::run(workshop, &options)),
        Command::Xif(options) => return exit(cli::xif::run(workshop, &options)),
        Command::Facts(options) => return exit(cli::facts::run(workshop, &options)),
        Command::Random(options) => return exit(cli::random::random(workshop, &options)),
        Command::Collect(options) => cli::collect::run(workshop, &options),
        Command::Replay(options) => return exit(cli::replay::run(workshop, &options)),
        Command::Bisect(options) => cli::bisect::run(workshop, &options),
        Command::Programs(options) => cli::programs::programs(workshop, &options),
        Command::Regress(options) => return exit(cli::regress::regress(workshop, &options)),
        Command::Decode(options) => cli::decode::decode(workshop, &options),
        Command::Worker(options) => cli::worker::worker(&options).map(|()| true),
        Command::Bench(options) => performance::run(workshop, &options),
        Command::Cycles(options) => cycles::run(workshop, &options),
        Command::DemoFault(options) => cli::demo::run(workshop, &options),
        Command::Mutate(options) => mutate::run(workshop, &options),
        Command::Ppa(options) => ppa::run(workshop, &options),
        Command::Gates(options) => gates::run(workshop, &options),
        Command::Shrink(options) => cli::shrink::run(workshop, &options),
        Command::Coverage(command) => cli::coverage::coverage(workshop, &command),
        Command::Faults(options) => cli::faults::faults(workshop, &options),
        Command::Doctor => cli::doctor::run(),
    };
    exit(done.map(Ending::from))
}
