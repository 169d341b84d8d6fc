// SPDX-License-Identifier: Apache-2.0
//! Two statements of the instruction set: neither the model nor the generator knows the other.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn model_and_generator_share_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (one, other) in [("golden", ["rtl-gen", "rtl_gen", "cosim"]), ("rtl-gen", ["golden", "use golden", "cosim"])] {
        let mut files = vec![root.join(one).join("Cargo.toml")];
        sources(&root.join(one).join("src"), &mut files);
        assert!(files.len() > 10, "{one}: {} files", files.len());
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in other {
                assert!(!text.contains(name), "{} mentions {name}", file.display());
            }
        }
    }
}
