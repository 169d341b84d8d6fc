// SPDX-License-Identifier: Apache-2.0
//! The program `tensorload-udb`: writes the files for a configuration into a folder.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use golden::Config;

/// Writes instructions and CSRs of a configuration as YAML for riscv-unified-db.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    /// Folder for ext/, inst/ and csr/
    folder: PathBuf,
    /// Configuration: a name or a .toml file
    #[arg(long, default_value = "w16")]
    config: String,
}

fn main() -> Result<()> {
    let Cli { folder, config } = Cli::parse();
    for (name, text) in tensorload_udb::files(&Config::load(&config)?) {
        let path = folder.join(name);
        let failed = || format!("cannot write {}", path.display());
        path.parent().map_or(Ok(()), std::fs::create_dir_all).with_context(failed)?;
        files::write(&path, text.as_bytes()).with_context(failed)?;
    }
    Ok(())
}
