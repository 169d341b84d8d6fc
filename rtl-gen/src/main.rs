// SPDX-License-Identifier: Apache-2.0
//! `rtl-gen`: writes the SystemVerilog of a configuration.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use rtl_gen::{Config, Edited, Sources};

/// Writes the SystemVerilog of a TensorLoad unit: modules, package and file lists.
#[derive(Parser)]
#[command(version, after_help = "Exit codes: 0 done, 2 bad usage, configuration or output folder.")]
struct Args {
    /// A built-in configuration (see --list) or a TOML file
    #[arg(long, value_name = "NAME|FILE.toml", required_unless_present_any = ["all", "list", "gapi"])]
    config: Option<String>,
    /// Write every built-in configuration, with the files that do not differ once, in common/
    #[arg(long, conflicts_with = "config")]
    all: bool,
    /// Folder to write to; created when missing
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "ports", "gapi"])]
    out: Option<PathBuf>,
    /// Write over files that were edited
    #[arg(long, requires = "out")]
    force: bool,
    /// Also write a manifest for Bender, in a folder that --out is below
    #[arg(long, value_name = "FILE", requires = "all")]
    manifest: Option<PathBuf>,
    /// Do what FuseSoC asks its generators for in this file, in the current folder
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "all", "list", "out"])]
    gapi: Option<PathBuf>,
    /// Folder with the SystemVerilog of the modules [default: rtl-gen/sv of the checkout that this program was built
    /// in; where that is gone, what was there at the time]
    #[arg(long, value_name = "DIR")]
    sv: Option<PathBuf>,
    /// Print the ports of a configuration as Markdown and stop
    #[arg(long, requires = "config", conflicts_with = "out")]
    ports: bool,
    /// List the built-in configurations and stop
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rtl-gen: {}", files::printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    if args.list {
        let width = Config::names().iter().map(|name| name.len()).max().unwrap_or(0);
        let line = |name: &&str| format!("{name:<width$}  {}\n", Config::purpose(name));
        print(&Config::names().iter().map(line).collect::<String>())?;
    }
    let edited = if args.force { Edited::Overwrite } else { Edited::Refuse };
    let sources = Sources::load(args.sv.as_deref())?;
    if let Some(input) = &args.gapi {
        print(&format!("{}\n", rtl_gen::packages::gapi(&sources, input)?.display()))?;
    }
    if let (Some(config), true) = (&args.config, args.ports) {
        Config::load(config)?;
        print(&rtl_gen::guide::tables(&sources))?;
    }
    if let (Some(config), Some(out)) = (&args.config, &args.out) {
        let config = Config::load(config)?;
        let files = sources.write(&config, out, edited)?;
        print(&format!("{}: {} files in {}\n", config.name, files.len(), out.display()))?;
    }
    if let (true, Some(out)) = (args.all, &args.out) {
        let files = sources.write_tree(out, edited)?;
        if let Some(file) = &args.manifest {
            sources.write_manifest(file, out, edited)?;
        }
        let [count, files] = [Config::names().len(), files.len()];
        print(&format!("{count} configurations: {files} files in {}\n", out.display()))?;
    }
    Ok(())
}

/// Writes to standard output. A reader that has seen enough (`rtl-gen --list | head`) is no error.
fn print(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}
