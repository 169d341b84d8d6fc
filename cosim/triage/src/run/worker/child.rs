// SPDX-License-Identifier: Apache-2.0
//! The worker's side: reads requests and answers them.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use rtl_config::Config;

use super::request::{Answer, Ask, Request};
use crate::base::output;
use crate::base::signals::{LastWords, leave_to_the_parent};
use crate::case::replay::Replay;
use crate::cases::process::child;
use crate::coverage::bins::Bins;
use crate::run::executor::{done, run_case};
use crate::run::{Cases, Done, InProcess, SelfTest};
use crate::unit::ModelKind;
use crate::unit::target::Workshop;
use crate::waveform;

/// Options of `cosim worker`.
#[derive(Clone, Debug, clap::Args)]
pub struct WorkerOptions {
    /// Configuration, as the text of a file
    #[arg(long)]
    pub toml: String,
    /// Hash of the text of the RTL
    #[arg(long)]
    pub rtl_digest: u64,
    /// The RTL has no probe
    #[arg(long)]
    pub port_only: bool,
    /// Seed of random cases
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Planted faults in random cases, which take turns
    #[arg(long, value_delimiter = ',')]
    pub fault: Vec<u32>,
    /// Collect what cases hit
    #[arg(long)]
    pub coverage: bool,
    /// Crash on purpose
    #[arg(long)]
    pub self_test: Option<SelfTest>,
}

/// What runs errands: given their order, it gives what came of it.
pub type Errands = fn(&Workshop, Option<&SelfTest>, &str) -> Result<String>;

/// Answers requests until there are no more.
pub fn serve(options: &WorkerOptions, errands: Errands) -> Result<()> {
    leave_to_the_parent().context("cannot watch for signals")?;
    let config = Config::from_toml(&options.toml)?;
    let workshop = Workshop::elsewhere(&config, options.rtl_digest, options.port_only);
    let target = workshop.target_of(config)?;
    let mut cases = Cases::new(&target, options.seed, 0).with_faults(&options.fault);
    if options.coverage {
        cases = cases.covering(&Arc::new(Bins::new(&target)));
    }
    let self_test = options.self_test.as_ref();
    let executor = InProcess::new(cases).with_self_test(self_test);
    child::serve(|Ask { models, kind, request }| {
        models.iter().for_each(|(kind, path)| target.models.made_elsewhere(*kind, path));
        kind.map(|kind| target.models.get(kind)).transpose()?;
        match request {
            Request::Job(job) => executor.execute(&job).map(Answer::Done),
            Request::Replay { text, wave } => replay(&workshop, self_test, &text, wave.as_deref()).map(Answer::Done),
            Request::Track(text) => track(&workshop, self_test, &text).map(Answer::Done),
            Request::Errand { order, .. } => errands(&workshop, self_test, &order).map(Answer::Errand),
        }
    })
}

fn replay(workshop: &Workshop, self_test: Option<&SelfTest>, text: &str, wave: Option<&Path>) -> Result<Done> {
    let Replay { target, origin, case, .. } = Replay::from_text(workshop, text.as_bytes())?;
    let kind = ModelKind::for_run(origin.fault, wave.is_some());
    let _last_words = match wave {
        Some(path) => Some(LastWords::new(output::descriptor(), child::error_line(waveform::no_room(path))?, path)?),
        None => None,
    };
    let result = run_case(&target, &case, kind, origin.fault, |bench| {
        bench.observers.hooks.extend(self_test.and_then(|test| test.observer(&target)));
        wave.map_or(Ok(()), |path| bench.rtl().open_wave(path))
    });
    // A failure counts, whatever became of the waveform.
    wave.filter(|_| result.is_ok()).map_or(Ok(()), waveform::check)?;
    Ok(done(&case, result))
}

/// Runs a case, and tells in every clock cycle how a failure there would look.
fn track(workshop: &Workshop, self_test: Option<&SelfTest>, text: &str) -> Result<Done> {
    let Replay { target, origin, case, .. } = Replay::from_text(workshop, text.as_bytes())?;
    let result = run_case(&target, &case, ModelKind::for_run(origin.fault, false), origin.fault, |bench| {
        bench.observers.hooks.extend(self_test.and_then(|test| test.observer(&target)));
        bench.tracker = Some(Box::new(|at| {
            child::tell(at);
            Ok(())
        }));
        Ok(())
    });
    Ok(done(&case, result))
}
