// SPDX-License-Identifier: Apache-2.0
//! Files of the clone that this program was built from, which some commands read.

use std::path::{Path, PathBuf};

/// The clone.
const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A path on the command line: in the current folder, or else in the clone.
///
/// # Errors
/// For a path of the clone that is in neither; a new file may be made in the current folder.
pub fn path(text: &str) -> Result<PathBuf, String> {
    find(Path::new(text), Path::new(CLONE))
}

fn find(path: &Path, clone: &Path) -> Result<PathBuf, String> {
    let around = path.parent().filter(|around| *around != Path::new(""));
    if path.exists() || path.is_absolute() || around.is_none_or(Path::exists) {
        return Ok(path.to_owned());
    }
    // Without `..`, as it is shown.
    let found = clone.join(path).canonicalize();
    found.map_err(|_| "it is not here, nor in the clone that this program was built from: run it in a clone".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_folder_comes_before_the_clone() {
        let clone = tempfile::tempdir().expect("folder");
        std::fs::create_dir(clone.path().join("checks")).expect("created");
        std::fs::write(clone.path().join("checks/own.json"), "").expect("written");
        let found = |path: &str| find(Path::new(path), clone.path());
        assert_eq!(found("src/lib.rs"), Ok("src/lib.rs".into()));
        assert_eq!(found("checks/own.json"), Ok(clone.path().canonicalize().expect("path").join("checks/own.json")));
        for new in ["new.json", "src/new.json", "/nowhere/new.json"] {
            assert_eq!(found(new), Ok(new.into()));
        }
        assert!(found("nowhere/new.json").expect_err("nowhere").starts_with("it is not here, nor in the clone"));
    }
}
