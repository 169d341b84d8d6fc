// SPDX-License-Identifier: Apache-2.0
//! Targets for unit tests.

use crate::model::source::SourceFile;
use crate::unit::target::{Target, Workshop};

/// The workshop with the project's generator.
pub fn workshop() -> Workshop {
    Workshop::new(|config| {
        let file = |file: rtl_gen::GenFile| SourceFile { name: file.name, text: file.text };
        Ok(rtl_gen::generate(config)?.into_iter().map(file).collect())
    })
}

pub fn target(name: &str) -> Target {
    workshop().target(name).expect("a configuration")
}

pub fn all() -> Vec<Target> {
    workshop().targets("all").expect("configurations")
}

/// A tool where `make setup-lint` puts it, or else on the path.
pub fn tool(name: &str) -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(".tools/venv/bin").join(name).canonicalize().unwrap_or_else(|_| name.into())
}
