// SPDX-License-Identifier: Apache-2.0
//! The command line of a bench.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};

use super::collect::collect;
use super::explain::explain;
use super::faults::faults;
use super::kind::Kind;
use super::models::{Target, product};
use super::mutants::mutants;
use super::random::{RandomOptions, random};
use super::replay::Replay;
use super::report::{ReportOptions, conclude};
use super::unit::Unit;
use super::worker::{Worker, serve};
use crate::base::ending::{Ending, exit};
use crate::base::interrupt::Interrupt;
use crate::base::output::{self, say};
use crate::base::{arguments, signals};
use crate::bisect::{Range, first_bad};
use crate::cases::process::WATCHDOG;
use crate::model::doctor;
use crate::model::toolchain::verible;
use crate::model::yosys::Yosys;
use crate::mutate::MutateOptions;
use crate::report::index;

/// Checks a verilated unit against its model.
///
/// Exit code 0: no difference; 1: a difference, a hang, a crash; 2: bad usage or input, or nothing could be run.
#[derive(Parser)]
struct Cli {
    /// Configuration of the unit [default: the first one]
    #[arg(long, global = true)]
    config: Option<String>,
    /// Folder with the RTL in place of the unit's own
    #[arg(long, global = true, value_name = "DIR")]
    rtl: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run random cases; `--config all` runs all configurations
    Random {
        #[command(flatten)]
        options: RandomOptions,
        #[command(flatten)]
        reports: ReportOptions,
    },
    /// Run the case of a replay file again
    Replay {
        file: PathBuf,
        /// Write a waveform to this file
        #[arg(long)]
        wave: Option<PathBuf>,
    },
    /// Make the case of a replay file smaller, and explain it
    Shrink {
        file: PathBuf,
        /// Folder for the smaller case
        #[arg(long, default_value = "shrunk")]
        out: PathBuf,
    },
    /// Find each planted fault, and make its case smaller
    Faults {
        #[command(flatten)]
        options: RandomOptions,
    },
    /// Make blind errors in the RTL, and count those that are found
    Mutate(MutateOptions),
    /// Put together the results of shards (`random --shard --results`)
    Collect {
        folder: PathBuf,
        /// Folder for the page of all failing cases
        #[arg(long, default_value = "failures")]
        out: PathBuf,
        #[command(flatten)]
        reports: ReportOptions,
    },
    /// Find the commit whose RTL lets the case of a replay file fail
    Bisect {
        file: PathBuf,
        #[command(flatten)]
        range: Range,
        /// Folder of the RTL, from the top of the repository
        #[arg(long, value_name = "PATH")]
        folder: String,
    },
    /// Say which tools are found, and what is missing
    Doctor,
    /// Runs cases for another process, which asks on standard input
    #[command(hide = true)]
    Worker,
}

/// The program: `main` of a bench returns what this gives. `units` are the configurations of the unit.
pub fn run<U: Unit>(units: &[U]) -> ExitCode {
    let cli: Cli = match arguments::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    exit(carry_out(units, cli))
}

/// What a bench must not say, before anything is run.
fn check<U: Unit>(units: &[U]) -> Result<()> {
    ensure!(!units.is_empty(), "the bench has no unit");
    for (at, unit) in units.iter().enumerate() {
        let name = unit.name();
        let word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        ensure!(word, "the unit is called {name:?}; allowed: letters, digits and '_'");
        ensure!(units[..at].iter().all(|other| other.name() != name), "two units are called {name}");
        let bins = unit.bins();
        let twice = bins.iter().enumerate().find(|(at, bin)| bins[..*at].contains(bin));
        ensure!(twice.is_none(), "{name} has two bins {:?}", twice.map_or("", |(_, bin)| bin));
    }
    Ok(())
}

fn carry_out<U: Unit>(units: &[U], Cli { config, rtl, command }: Cli) -> Result<Ending> {
    signals::large_files_are_errors()?;
    output::keep_for_results()?;
    check(units)?;
    let named = |name: Option<&str>| -> Result<Target<U>> {
        let known = || units.iter().map(Unit::name).collect::<Vec<_>>().join(", ");
        let unit = units.iter().find(|unit| name.is_none_or(|name| name == unit.name()));
        let unit = unit.with_context(|| format!("--config {}; allowed: {}", name.unwrap_or_default(), known()))?;
        Target::new(unit, rtl.as_deref())
    };
    let of_file = |file: &Path| -> Result<(Target<U>, Replay<U::Step>)> {
        let replay = Replay::read(file)?;
        let other = config.as_deref().filter(|name| *name != replay.unit);
        ensure!(other.is_none(), "--config {}; {} is of {}", other.unwrap_or_default(), file.display(), replay.unit);
        let target = named(Some(&replay.unit))?;
        target.check_fault(replay.origin.fault)?;
        Ok((target, replay))
    };
    match command {
        Command::Random { options, reports } => {
            let all = config.as_deref() == Some("all");
            let names: Vec<Option<&str>> =
                if all { units.iter().map(|unit| Some(unit.name())).collect() } else { vec![config.as_deref()] };
            ensure!(reports.results.is_none() || names.len() == 1, "--results is for one configuration");
            let interrupt = Interrupt::watch()?;
            let parts = names
                .into_iter()
                .map(|name| random(&named(name)?, &options, &interrupt))
                .collect::<Result<Vec<_>>>()?;
            index::report(&parts, options.shard, &options.out)?;
            let missing =
                parts.iter().filter(|part| options.until_covered && part.failures.is_empty()).flat_map(|part| {
                    part.sums.missing().into_iter().map(|bin| format!("{}: a case for the bin {bin:?}", part.name()))
                });
            conclude(&parts, &missing.collect::<Vec<_>>(), &reports)
        }
        Command::Replay { file, wave } => {
            let (target, replay) = of_file(&file)?;
            let mut worker = Worker::new(&target, Duration::from_secs(WATCHDOG));
            let ran = worker.run(&replay.case, replay.origin.fault, wave.as_deref())?;
            if let Some(note) = replay.note(&target)? {
                output::log(&format!("note: {note}"));
            }
            if let Some(fault) = target.unit.faults().iter().find(|fault| fault.id == replay.origin.fault) {
                output::log(&format!("note: with the planted fault {}: {}", fault.id, fault.description));
            }
            // What the RTL, the unit and the model have printed.
            output::text(worker.printed())?;
            match &ran.failure {
                Some(failure) => {
                    say!("{}: {}, cycle {}\n{}", replay.unit, failure.signature, failure.cycle, failure.text)?
                }
                None => {
                    say!("{}: no difference: {} steps, {} cycles", replay.unit, replay.case.steps.len(), ran.cycles)?
                }
            }
            Ok(ran.failure.is_none().into())
        }
        Command::Shrink { file, out } => {
            let (target, replay) = of_file(&file)?;
            let mut worker = Worker::new(&target, Duration::from_secs(WATCHDOG));
            let failure = worker.run(&replay.case, replay.origin.fault, None)?.failure;
            let failure = failure.with_context(|| format!("{}: the case does not fail", file.display()))?;
            let case = (replay.case, failure);
            let explained = explain(&target, &mut worker, replay.origin, case, &out)?;
            say!("{}", explained.text)?;
            Ok(Ending::Clean)
        }
        Command::Faults { options } => {
            let target = named(config.as_deref())?;
            ensure!(options.fault == 0, "`faults` looks for all of them; `random --fault {}` for one", options.fault);
            ensure!(!target.unit.faults().is_empty(), "{} has no planted faults", target.unit.name());
            faults(&target, &options, &options.out, &Interrupt::watch()?).map(Ending::from)
        }
        Command::Mutate(options) => mutants(&named(config.as_deref())?, &options).map(Ending::from),
        Command::Collect { folder, out, reports } => collect(&folder, &out, &reports),
        Command::Bisect { file, range, folder } => {
            let (_, replay) = of_file(&file)?;
            ensure!(
                replay.origin.fault == 0,
                "{}: its fault is planted by the bench, and no commit has it",
                file.display()
            );
            let found = first_bad(&range, &folder, |rtl| {
                let unit = units.iter().find(|unit| unit.name() == replay.unit).context("the unit is gone")?;
                let target = Target::new(unit, Some(rtl))?;
                target.make(Kind::Fast)?;
                let ran = Worker::new(&target, Duration::from_secs(WATCHDOG)).run(&replay.case, 0, None)?;
                Ok(ran.failure.map(|failure| failure.signature))
            })?;
            Ok(found.into())
        }
        Command::Doctor => {
            let able = doctor::tools(&product())?;
            doctor::optional("yosys", Yosys::find(None).map(Yosys::into_path), "mutate")?;
            doctor::optional("verible", verible(None), "mutate")?;
            Ok(able.into())
        }
        Command::Worker => serve(&named(config.as_deref())?).map(|()| Ending::Clean),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cover, Dut, Failure, Reset, Rtl};
    use super::*;
    use crate::base::draw::Draw;

    struct Named(&'static str, Vec<&'static str>);

    impl Unit for Named {
        type Step = u8;

        fn name(&self) -> &str {
            self.0
        }

        fn rtl(&self) -> Rtl {
            let (folder, reset) = (PathBuf::new(), Reset::ActiveLow("rst_ni"));
            Rtl { folder, files: vec![], top: "top", parameters: vec![], flags: vec![], clock: "clk_i", reset }
        }

        fn random(&self, _: &mut Draw) -> Vec<u8> {
            Vec::new()
        }

        fn run(&self, _: &mut Dut, _: &[u8], _: &mut Cover) -> Result<(), Failure> {
            Ok(())
        }

        fn bins(&self) -> Vec<&'static str> {
            self.1.clone()
        }
    }

    #[test]
    fn a_bench_that_contradicts_itself_is_refused() {
        let unit = |name| Named(name, vec!["a", "b"]);
        assert!(check(&[unit("one"), unit("two")]).is_ok());
        for (units, message) in [
            (vec![], "the bench has no unit"),
            (vec![unit("a/b c")], "the unit is called \"a/b c\""),
            (vec![unit("")], "the unit is called \"\""),
            (vec![unit("one"), unit("two"), unit("one")], "two units are called one"),
            (vec![Named("one", vec!["a", "b", "a"])], "one has two bins \"a\""),
        ] {
            let error = check(&units).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
