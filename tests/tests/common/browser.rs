// SPDX-License-Identifier: Apache-2.0
//! Headless Chromium.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use data_encoding::BASE64;
use serde_json::Value;

/// A browser that is installed.
fn chromium() -> PathBuf {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)));
    let found = named.into_iter().chain(installed).find(|program| program.is_file());
    found.unwrap_or_else(|| panic!("there is no Chromium: run `make setup-test-all`"))
}

/// Runs the browser on a page, with nothing of the user's and nothing from the network.
pub fn browse(page: &Path, profile: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(chromium());
    // Without its sandbox, because root in a container cannot have one; the pages are our own.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--enable-logging=stderr", "--virtual-time-budget=20000", "--force-device-scale-factor=1"]);
    command.arg(format!("--user-data-dir={}", profile.display())).args(more);
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What the script of a page leaves in base 64, as JSON in the first `<pre>`, and what else than "measured" was on the
/// console.
pub fn measured(output: &Output) -> (Vec<Value>, Vec<String>) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let start = text.find("<pre>").unwrap_or_else(|| panic!("nothing was measured: {text}")) + 5;
    let bytes = BASE64.decode(text[start..].split('<').next().unwrap().as_bytes()).unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let console: Vec<String> = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    // That this line is there shows that errors would be.
    assert!(console.iter().any(|line| line.contains("measured")), "{log}");
    let errors = console.into_iter().filter(|line| !line.contains("\"measured\"")).collect();
    (serde_json::from_slice(&bytes).unwrap(), errors)
}
