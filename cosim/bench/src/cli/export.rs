// SPDX-License-Identifier: Apache-2.0
//! `cosim export`: programs that check themselves, as ELF files.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use golden::Program;
use golden::hart::{EXIT, L0M_BASE, L1M_BASE};
use serde::Serialize;

use crate::base::ending::Ending;
use crate::base::output::{self, say};
use crate::export::{Bodies, Check, End, Exported, Layout, elf, program};
use crate::unit::target::{Target, UnitOptions, Workshop, with_default};

/// Options of `cosim export`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("config", |arg| with_default(arg, "w16")))]
pub struct ExportOptions {
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Number of programs
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub count: u16,
    /// Cases of a program, of which each has a check: random ones, ones for bins, pairs, and operators in turn
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub cases: u16,
    /// Seed of the cases
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Folder for the programs and for manifest.json
    #[arg(long)]
    pub out: PathBuf,
    /// How a program ends: exit=ADDRESS stores 0, or the number of the first check that failed; tohost=ADDRESS twice
    /// that and 1; call=ADDRESS calls a function with it in a0 [default: exit=0x30000000]
    #[arg(long, value_parser = end)]
    pub end: Option<End>,
    /// Address of the program, a multiple of 128
    #[arg(long, default_value = "0", value_parser = address)]
    pub base: u32,
    /// Address of L1M as the host sees it; the unit has it from its address 0 on
    #[arg(long, default_value_t = L1M_BASE, value_parser = address)]
    pub l1m: u32,
    /// The same for L0M
    #[arg(long, default_value_t = L0M_BASE, value_parser = address)]
    pub l0m: u32,
    /// Also write the words of each program from --base on, one per line, as a .hex file for $readmemh
    #[arg(long)]
    pub hex: bool,
}

/// `fromhost` behind `tohost`, as in riscv-tests.
const FROMHOST: u32 = 64;

fn address(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().filter(|number| number % 4 == 0).ok_or_else(|| "allowed: a multiple of 4 with 32 bits, or 0x...".into())
}

fn end(text: &str) -> Result<End, String> {
    let allowed = || "allowed: exit=ADDRESS, tohost=ADDRESS, call=ADDRESS".to_owned();
    let (kind, at) = text.split_once('=').ok_or_else(allowed)?;
    let at = address(at)?;
    match kind {
        "exit" => Ok(End::Exit(at)),
        "tohost" => Ok(End::Tohost(at)),
        "call" => Ok(End::Call(at)),
        _ => Err(allowed()),
    }
}

/// What manifest.json has.
#[derive(Serialize)]
struct Manifest<'a> {
    config: &'a str,
    seed: u64,
    /// Bytes of L1M and L0M, from their beginning, that the programs use.
    window: u32,
    programs: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    file: String,
    bytes: usize,
    checks: Vec<Check>,
}

/// `cosim export`.
///
/// # Errors
/// For an unknown configuration, addresses that cannot be, and files that cannot be written.
pub fn export(workshop: &Workshop, options: &ExportOptions) -> Result<Ending> {
    let ExportOptions { count, cases, seed, base, l1m, l0m, .. } = *options;
    let target = options.unit.target(workshop)?;
    ensure!(base % 128 == 0, "--base is {base:#x}; allowed is a multiple of 128: a handler of traps begins there");
    let layout = Layout { base, l1m, l0m, end: options.end.unwrap_or(End::Exit(EXIT)) };
    // Spike uses the first only where there is the second, too.
    let symbols: &[(&str, u32)] = match layout.end {
        End::Tohost(at) => &[("tohost", at), ("fromhost", at.wrapping_add(FROMHOST))],
        End::Exit(_) | End::Call(_) => &[],
    };
    files::create_inside(&options.out).with_context(|| format!("cannot make {}", options.out.display()))?;
    let mut programs = Vec::new();
    for (file, Exported { program, checks }) in exported(&target, &layout, seed, [count, cases])? {
        let bytes = program.segments.iter().map(|segment| segment.bytes.len()).sum();
        output::save(&options.out.join(&file), &elf::write(&program, symbols, target.golden.xlen))?;
        if options.hex {
            output::save(&options.out.join(&file).with_extension("hex"), hex(&program).as_bytes())?;
        }
        programs.push(Row { file, bytes, checks });
    }
    let window = Bodies::new(&target, seed).window;
    output::save_json(&options.out.join("manifest.json"), &Manifest { config: target.name(), seed, window, programs })?;
    say!("{}: {count} programs with {cases} checks each in {}", target.name(), options.out.display())?;
    Ok(Ending::Clean)
}

/// The words of a program of one segment.
fn hex(program: &Program) -> String {
    let bytes = program.segments.iter().flat_map(|segment| segment.bytes.chunks(4));
    bytes.map(|word| word.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n").collect()
}

/// `count` programs with so many cases each, and the names of their files.
///
/// # Errors
/// When a program cannot be made.
pub fn exported(
    target: &Target,
    layout: &Layout,
    seed: u64,
    [count, cases]: [u16; 2],
) -> Result<Vec<(String, Exported)>> {
    let mut bodies = Bodies::new(target, seed);
    let one = |number| {
        let file = format!("{}-seed{seed}-{number:03}.elf", target.name());
        let taken = bodies.take(cases.into())?;
        Ok((file, program(&target.golden, layout, bodies.window, taken)?))
    };
    (0..count).map(one).collect()
}
