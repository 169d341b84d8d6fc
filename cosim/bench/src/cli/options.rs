// SPDX-License-Identifier: Apache-2.0
//! The options of the commands; those of `bench`, `cycles`, `mutate` and the workers are beside what they steer.

use std::path::PathBuf;
use std::time::Duration;

use super::profile::ProfileOptions;
use crate::base::table::processors;
use crate::base::{clone, parallel};
use crate::cases::process::WATCHDOG;
use crate::run::SelfTest;
use crate::run::schedule::Shard;
use crate::run::worker::Isolation;
use crate::shrink::Budget;
use crate::unit::target::{RtlOptions, UnitOptions, with_default};

/// Options of `cosim run`.
#[derive(Debug, clap::Args)]
pub struct RunOptions {
    /// Program in assembly language, or an ELF file
    pub program: PathBuf,
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Raw bytes for L1M, from address 0 (default: a pattern)
    #[arg(long)]
    pub l1m: Option<PathBuf>,
    /// Raw bytes for L0M, from address 0
    #[arg(long)]
    pub l0m: Option<PathBuf>,
    /// Write all of L0M to this file after the run
    #[arg(long)]
    pub dump_l0m: Option<PathBuf>,
    /// Write the state, read out of the RTL, as JSON to this file (- for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// When the program fails, leave a page, a waveform and a small case in a folder below this one
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print this register, tl0 to tl31, as the block that it is at the end; several with commas between them
    #[arg(long, value_name = "REGISTER", value_delimiter = ',')]
    pub show: Vec<String>,
    /// Write a waveform to this file (FST)
    #[arg(long)]
    pub wave: Option<PathBuf>,
    /// Stall every port at random; without it nothing stalls
    #[arg(long)]
    pub stall_seed: Option<u64>,
    /// Instructions after which a program that has not ended is given up
    #[arg(long, default_value_t = golden::run::LIMIT)]
    pub limit: u64,
    /// Issue the words as a stream, as replay files do: of the base instruction set the host knows lui and addi alone
    #[arg(long)]
    pub stream: bool,
    #[command(flatten)]
    pub profile: ProfileOptions,
}

/// Options of `cosim random`.
#[derive(Debug, clap::Args)]
pub struct RandomOptions {
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Seed: the same one gives the same stimulus everywhere
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Instructions for each configuration, rounded up to whole cases of 256 [default: 20000; with --for or
    /// --until-covered, no limit]
    #[arg(long)]
    pub count: Option<u64>,
    /// Run only this case of the seed
    #[arg(long)]
    pub case: Option<u64>,
    /// Threads
    #[arg(long, default_value_t = processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Activate this planted fault (see `cosim check faults`); in tiny all instruction sets are on then. Several with
    /// commas between them take turns from case to case
    #[arg(long, value_delimiter = ',')]
    pub fault: Vec<u32>,
    /// Folder for what a failing case leaves behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    pub job: CiOptions,
    #[command(flatten)]
    pub cases: CaseOptions,
    /// Functional coverage
    #[command(flatten)]
    pub coverage: CoverageOptions,
}

/// How cases run, and what is done about those that fail.
#[derive(Debug, clap::Args)]
pub struct CaseOptions {
    #[command(flatten)]
    pub process: ProcessOptions,
    /// Leave failing cases as large as they are
    #[arg(long)]
    pub no_shrink: bool,
}

/// The process of a case.
#[derive(Clone, Debug, clap::Args)]
pub struct ProcessOptions {
    /// Seconds without an answer after which a case has crashed
    #[arg(long, default_value_t = WATCHDOG, value_parser = clap::value_parser!(u64).range(1..))]
    pub watchdog: u64,
    /// End the process of a case on purpose, to prove that this is reported: HOW:MNEMONIC
    #[arg(long, hide = true)]
    pub self_test: Option<SelfTest>,
}

impl ProcessOptions {
    /// How workers are started.
    pub fn isolation(&self) -> Isolation {
        Isolation::new(self.watchdog, self.self_test.clone())
    }
}

/// What a CI job asks for.
#[derive(Clone, Debug, clap::Args)]
pub struct CiOptions {
    /// Run only part I of N of the cases: I/N, such as 2/4
    #[arg(long, allow_hyphen_values = true, default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Stop after this time, such as 90s, 10m or 2h, shared by all configurations
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true, value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// Go on until this many cases of a configuration have failed; the first eight that fail at the same check,
    /// operation and field are looked into, the others counted
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_failures: u16,
    /// Leave what the shard did in this folder, for `cosim collect`
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    #[command(flatten)]
    pub reports: ReportOptions,
}

/// Reports for the pages of a CI system.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportOptions {
    /// Write a JUnit file, with a test case for the random cases of each configuration, and for each program, replay file
    /// and operator
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a summary in Markdown, for the page of a job
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
}

/// Options of `cosim collect`.
#[derive(Debug, clap::Args)]
pub struct CollectOptions {
    /// Folder with what the shards left: --results of `cosim random`
    pub folder: PathBuf,
    /// Folder with the failing cases, for the page with their causes: --out of `cosim random`
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    pub reports: ReportOptions,
    /// Write the functional coverage of all shards to this file (JSON); they have to be run with --coverage
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// Write a page with the functional coverage of all shards to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_html: Option<PathBuf>,
}

/// Options of `cosim random` that are about coverage.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CoverageOptions {
    /// After some random cases make cases for the coverage bins that are not hit, until every bin is; --count limits
    /// the instructions. Exit code 1 when a bin is missing in the end
    #[arg(long, conflicts_with = "case")]
    pub until_covered: bool,
    /// Write the functional coverage of the run to this file (JSON)
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// Write a page with the functional coverage of the run to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_html: Option<PathBuf>,
    /// Count the lines and toggles of the RTL, too, and write them to this folder, with the lines that were not reached
    ///
    /// Cases run in this process then: a crash ends the run.
    #[arg(long, value_name = "DIR", conflicts_with = "case")]
    pub rtl_coverage: Option<PathBuf>,
    /// With --case: the coverage bins that the case was made for, by number (12,40-43), as the report of a failure of
    /// --until-covered gives them
    #[arg(long, value_name = "LIST", requires = "case")]
    pub bins: Option<String>,
}

/// Options of `cosim coverage`.
#[derive(Debug, clap::Subcommand)]
pub enum CoverageCommand {
    /// Add up coverage files
    Merge {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the sum to this file
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Report what a coverage file has hit, what is missing, and what cannot occur
    Report {
        /// The file
        file: PathBuf,
        /// Write the report as a page to this file
        #[arg(long)]
        html: Option<PathBuf>,
        /// Write the report as JSON to this file (- for standard output)
        #[arg(long)]
        json: Option<PathBuf>,
    },
}

/// Options of `cosim replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayOptions {
    /// Replay file; a failing case leaves it in its folder
    pub file: PathBuf,
    #[command(flatten)]
    pub rtl: RtlOptions,
    /// Write a waveform to this file (FST)
    #[arg(long)]
    pub wave: Option<PathBuf>,
    /// When the case fails, leave its page, waveform and program in a folder below this one
    #[arg(long, value_name = "DIR", conflicts_with = "wave")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub process: ProcessOptions,
}

/// Options of `cosim shrink`.
#[derive(Debug, clap::Args)]
pub struct ShrinkOptions {
    /// Replay file of a failing case
    pub file: PathBuf,
    /// Write the replay file of the smaller case here [default: FILE with .small.json in place of .json]
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub rtl: RtlOptions,
    #[command(flatten)]
    pub budget: BudgetOptions,
    #[command(flatten)]
    pub process: ProcessOptions,
}

/// How long shrinking may take.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct BudgetOptions {
    /// Most runs of the case
    #[arg(long, default_value_t = Budget::default().runs)]
    pub runs: u64,
    /// Most seconds [default: 20 times --watchdog]; a result that was cut short by them may differ from machine to
    /// machine
    #[arg(long)]
    pub seconds: Option<u64>,
}

/// Options of `cosim check programs`. A program with the line `# needs matrix` is run where there is the matrix
/// instruction set.
#[derive(Debug, clap::Args)]
#[command(mut_arg("config", |arg| with_default(arg, "all")))]
pub struct ProgramsOptions {
    /// Folder with programs (*.s), searched with all its subfolders, or one program
    pub folder: PathBuf,
    /// For each program that fails, leave a page, a waveform and a small case in a folder below this one
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub unit: UnitOptions,
}

/// Options of `cosim regress`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("config", |arg| with_default(arg, "all")))]
pub struct RegressOptions {
    /// Folder with programs (*.s)
    #[arg(long, default_value = "tests/programs", value_parser = clone::path)]
    pub programs: PathBuf,
    /// Folder with replay files (*.json) that must pass
    #[arg(long, default_value = "tests/regressions", value_parser = clone::path)]
    pub replays: PathBuf,
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Seed of the random part
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random instructions for each configuration, rounded up to whole cases of 256
    #[arg(long, default_value_t = 20_000)]
    pub count: u64,
    /// After the random part, cases for every coverage bin; a bin that is missed fails the run
    #[arg(long)]
    pub until_covered: bool,
    /// Pairs (see `cosim check pairs`) of these configurations: names or files NAME.toml with commas between them
    #[arg(long, value_name = "CONFIG")]
    pub pairs: Option<String>,
    /// Run only programs, replay files and operators whose names contain this text, and the parts `random` and `for
    /// every bin` if theirs do
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub filter: String,
    /// Say how long each stage takes at least, on 1 to 16 threads: its work, and the longest chain of what cannot run
    /// side by side. Models that have to be made come before
    #[arg(long)]
    pub timing: bool,
    /// Threads
    #[arg(long, default_value_t = processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Folder for what a failing case leaves behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    pub reports: ReportOptions,
    #[command(flatten)]
    pub cases: CaseOptions,
}

/// A layer of the network that exchanges lanes: half of the elements of a transposition are wrong, in a pattern.
const DEFAULT_FAULT: u32 = 38;

/// Options of `cosim demo-fault`.
#[derive(Debug, clap::Args)]
pub struct DemoOptions {
    /// Which fault to plant; `cosim check faults` lists them
    #[arg(long, default_value_t = DEFAULT_FAULT)]
    pub fault: u32,
    /// Seed of the random regression
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Instructions to look for it with, rounded up to whole cases of 256
    #[arg(long, default_value_t = 30_000)]
    pub count: u64,
    /// Threads
    #[arg(long, default_value_t = processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Folder below which the folder of the failure is written
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
}

/// Options of `cosim check faults`.
#[derive(Debug, clap::Args)]
pub struct FaultOptions {
    /// The default: list them
    #[arg(long)]
    pub list: bool,
    /// Find a failing case for each, make it smaller, and print how small it gets
    #[arg(long, conflicts_with = "list")]
    pub shrink: bool,
    /// With --shrink: these faults alone, with commas between them
    #[arg(long, value_delimiter = ',', requires = "shrink")]
    pub only: Vec<u32>,
    /// With --shrink: seed of the random cases
    #[arg(long, default_value_t = 1, requires = "shrink")]
    pub seed: u64,
    /// With --shrink: write a replay file of each smaller case, without the fault, to this folder
    #[arg(long, requires = "shrink")]
    pub save: Option<PathBuf>,
}
