// SPDX-License-Identifier: Apache-2.0
//! `cosim axi`: the unit with memories behind AXI4.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::ending::Ending;
use crate::base::output::{self, say};
use crate::base::{parallel, table};
use crate::performance::axi::{self, Sustained};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Workshop;

/// Options of `cosim axi`.
#[derive(Debug, Args)]
pub struct AxiOptions {
    /// Configuration: a name or a file NAME.toml
    #[arg(long, default_value = "w16")]
    config: String,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random cases, for beats as wide as the ports and for those of 512 bits
    #[arg(long, default_value_t = 100)]
    cases: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
    /// Write the table of cycles in Markdown (- for standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

const HEADER: [&str; 7] = ["instruction", "latency", "native", "AXI4", "x", "AXI4, 512 bits", "x"];

/// `cosim axi`.
///
/// # Errors
/// For configurations that cannot be used.
pub fn run(workshop: &Workshop, options: &AxiOptions) -> Result<Ending> {
    let target = workshop.target(&options.config)?;
    let numbers: Vec<u64> = (0..options.cases).collect();
    for (kind, bits) in [(ModelKind::Axi, 8 * target.rtl.port_bytes()), (ModelKind::AxiWide, 512)] {
        target.models.get(kind)?;
        let one = |number: &u64| Ok(axi::random(&target, kind, [options.seed, *number], 0).map_err(|f| (*number, f)));
        let mut instructions = 0;
        for done in parallel::map(&numbers, options.jobs, || (), one)? {
            match done {
                Ok(counts) => instructions += counts.retired,
                Err((number, failure)) => {
                    say!("{}, AXI4 of {bits} bits, seed {}, case {number}:", target.name(), options.seed)?;
                    output::text(&report::text(&target, &failure))?;
                    return Ok(Ending::Different);
                }
            }
        }
        say!(
            "{}, AXI4 of {bits} bits: {} cases, {instructions} instructions; no mismatch",
            target.name(),
            options.cases
        )?;
    }
    let rows: Vec<[String; 7]> = axi::measure(&target)?.iter().map(row).collect();
    let Some(path) = &options.markdown else {
        let mut table = table::table(&HEADER, 1);
        rows.into_iter().for_each(|row| {
            table.add_row(row);
        });
        say!("\nCycles of one of many\n{table}")?;
        return Ok(Ending::Clean);
    };
    let line = |cells: &[String; 7]| format!("| {} |\n", cells.join(" | "));
    let lines: String = rows.iter().map(line).collect();
    let text = format!("{}|---|---:|---:|---:|---:|---:|---:|\n{lines}", line(&HEADER.map(String::from)));
    match path.to_str() {
        Some("-") => output::text(&text)?,
        _ => output::save(path, text.as_bytes())?,
    }
    Ok(Ending::Clean)
}

fn row(Sustained { op, latency, native, axi, wide }: &Sustained) -> [String; 7] {
    let cycles = |cycles: &f64| format!("{cycles:.1}");
    let times = |cycles: &f64| format!("{:.2}", cycles / native);
    [format!("`{op}`"), latency.to_string(), cycles(native), cycles(axi), times(axi), cycles(wide), times(wide)]
}
