// SPDX-License-Identifier: Apache-2.0
//! `cosim run`.

use std::path::Path;

use anyhow::{Result, bail};

use super::options::RunOptions;
use super::program::Program;
use super::program_page;
use super::table::mnemonics;
use crate::base::ending::{Ending, outlive};
use crate::base::interrupt::Interrupt;
use crate::base::output::{self, say};
use crate::base::shell;
use crate::lockstep::Counts;
use crate::unit::make_all;
use crate::unit::target::Workshop;
use crate::waveform;

/// `cosim run`.
pub fn run(workshop: &Workshop, options: &RunOptions) -> Result<Ending> {
    options.show.iter().try_for_each(|name| golden::show::number(name).map(drop)).map_err(anyhow::Error::msg)?;
    let target = options.unit.target(workshop)?;
    let mut program = Program::read(&target, &options.program, options.l1m.as_deref(), options.l0m.as_deref())?;
    if options.l1m.is_none() {
        program.fill_l1m(&target);
    }
    program.limit = options.limit;
    program.latency = options.profile.latency;
    program.profile = options.profile.wanted();
    if options.stream {
        program.stream(&target)?;
    }
    if let Some(path) = &options.wave {
        waveform::reserve(path)?;
    }
    make_all(std::slice::from_ref(&target), program.kind(options.wave.as_deref()))?;
    if let Some(seed) = options.stall_seed {
        program.stall(seed);
    }
    program.interrupt = Interrupt::watch()?;
    let outcome = match program.run(&target, options.wave.as_deref())? {
        Ok(outcome) => outcome,
        Err(failure) => {
            let again = shell::command(std::env::args());
            let said = output::text(&program_page::text(&target, &program, &failure, &again, options.out.as_deref()));
            let written = said.and_then(|()| options.wave.as_deref().map_or(Ok(()), waveform::check));
            return outlive(true, written.map(|()| Ending::Different));
        }
    };
    // The report on standard output has it, too.
    if options.json.as_deref() != Some(Path::new("-")) {
        output::bytes(&outcome.console)?;
    }
    if let Some(path) = &options.dump_l0m {
        output::save(path, &outcome.l0m)?;
    }
    match &options.json {
        Some(path) => output::save_json(path, &outcome.report)?,
        None => {
            output::text(&golden::run::summary(&outcome.report, &target.golden))?;
            let Counts { cycles, compared, .. } = &outcome.counts;
            let verdict = if outcome.stuck.is_some() { "up to there" } else { "no mismatch" };
            say!("{cycles} cycles, {compared} instructions compared, {verdict}")?;
            if options.l1m.is_none() {
                say!("L1M: a pattern, as no file is given; registers are 0 until they are written")?;
            }
            for name in &options.show {
                let block = golden::show::register(&outcome.report, &target.golden, name);
                output::text(&block.map_err(anyhow::Error::msg)?)?;
            }
            say!("\n{}", mnemonics([&outcome.counts]))?;
        }
    }
    if let Some(profile) = &outcome.profile {
        options.profile.report(&target, &program, profile)?;
    }
    if let Some(stuck) = outcome.stuck {
        let at = outcome.report.retired.last().map_or(String::new(), |last| format!(", last pc {:#x}", last.pc));
        if let Some(signal) = program.interrupt.signal() {
            output::log(&format!("cosim: {}: interrupted{at}", options.program.display()));
            return Ok(Ending::Interrupted(signal));
        }
        bail!("{}: {stuck}{at}", options.program.display());
    }
    Ok(if outcome.report.exit.is_some_and(|code| code != 0) { Ending::Failed } else { Ending::Clean })
}
