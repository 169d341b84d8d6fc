// SPDX-License-Identifier: Apache-2.0
//! The program `tensorload-site`: writes the sources of the book into a folder, for `mdbook build`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;

/// Most bytes of a model.
const MODEL: u64 = 16 << 20;

/// Writes the documents of this checkout as the sources of a book for mdbook.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    /// Folder for book.toml and src/
    folder: PathBuf,
    /// The model as WebAssembly, which golden/web/build.sh makes
    #[arg(long)]
    model: PathBuf,
}

fn main() -> Result<()> {
    let Cli { folder, model } = Cli::parse();
    let model = files::read(&model, MODEL).with_context(|| format!("cannot read {}", model.display()))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, bytes) in tensorload_site::sources(&root, &model)? {
        let path = folder.join(name);
        let failed = || format!("cannot write {}", path.display());
        path.parent().map_or(Ok(()), std::fs::create_dir_all).with_context(failed)?;
        files::write(&path, &bytes).with_context(failed)?;
    }
    Ok(())
}
