// SPDX-License-Identifier: Apache-2.0
//! Helpers of the end-to-end tests: the built programs, tools, threads.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The workspace folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a program of this workspace. It is built by `cargo test --workspace`.
///
/// # Panics
/// When the program is not built or cannot be started.
pub fn run(program: &str, args: &[&str]) -> Output {
    let test = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    let folder = test.ancestors().nth(2).unwrap_or(&test);
    let path = folder.join(program);
    assert!(path.exists(), "{} is not built: run `cargo test --workspace`", path.display());
    Command::new(&path).args(args).current_dir(root()).output().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Standard output of a run that must succeed.
///
/// # Panics
/// When the program fails.
pub fn stdout(program: &str, args: &[&str]) -> String {
    let output = run(program, args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{program} {args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The oldest Verilator that the RTL is for, which `make setup-test-all` gets where there is Debian; elsewhere the one
/// that is installed.
pub fn oldest_verilator() -> PathBuf {
    let oldest = root().join(".tools/bin/verilator-oldest");
    if oldest.is_file() { oldest } else { "verilator".into() }
}

/// `work` on each of `items`, by as many threads as there are processors.
///
/// # Panics
/// When `work` does, after the others have ended.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let thread = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(thread))));
}
