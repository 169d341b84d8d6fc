// SPDX-License-Identifier: Apache-2.0
//! Whatever a user may write in a configuration is generated, and Verilator accepts it.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as Runs, TestRunner};
use rtl_gen::{Config, generate};

/// The power of two from `low` to `high` that `pick` selects.
fn power(pick: u32, low: u32, high: u32) -> u32 {
    low << (pick % (high.ilog2() - low.ilog2() + 1))
}

/// Configurations from all that docs/configuration.md allows.
fn legal() -> impl Strategy<Value = Config> {
    let widths = prop::sample::subsequence(vec![4, 8, 16, 32], 1..=4);
    let others = ("[a-z][a-z0-9_]{0,31}", widths, 0..=3u32, 2..=16u32, any::<bool>());
    (any::<[u32; 7]>(), others).prop_map(|(pick, (name, widths, engine, queue, matrix))| {
        let lanes = power(pick[0], 8, 64);
        let port = power(pick[1], 4, lanes);
        let reg_bytes = power(pick[2], 64.max(4 * lanes), 1024);
        let [l1m, l0m] = [3, 4].map(|i| power(pick[i], reg_bytes, 1 << 28));
        let tlen = power(pick[5], 128, 4096);
        let trlen = power(pick[6], 32.max(tlen / 16), tlen / 2);
        let text = format!(
            "name = \"{name}\"\nlanes = {lanes}\nmem_port_bytes = {port}\nreg_bytes = {reg_bytes}\n\
             element_widths = {widths:?}\nl1m_bytes = {l1m}\nl0m_bytes = {l0m}\nengine_id = {engine}\n\
             queue_entries = {queue}\nmatrix = {matrix}\ntlen = {tlen}\ntrlen = {trlen}\n"
        );
        Config::from_toml(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    })
}

/// The same configurations in every run.
fn runner(cases: u32) -> TestRunner {
    let random = TestRunner::deterministic().rng().clone();
    TestRunner::new_with_rng(Runs { cases, failure_persistence: None, ..Runs::default() }, random)
}

/// What Verilator says of the files that `rtl-gen --out` writes.
fn lint(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    rtl_gen::write(config, folder.path()).unwrap();
    let verilator = std::env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
    let output = Command::new(&verilator)
        .args(["--lint-only", "-Wall", "--top-module", "tl_top", "-f", "tl.f"])
        .current_dir(folder.path())
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}; run `make setup`", Path::new(&verilator).display()));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // Newer Verilators end a silent run with a report on themselves.
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("- ")).collect();
    assert!(output.status.success() && text.is_empty(), "{}\n{}", text.join("\n"), config.to_toml());
}

#[test]
fn random_configurations_are_generated() {
    // The layout checks of the writer are assertions: generating is the test.
    let test = |config: Config| {
        prop_assert!(generate(&config).len() > 40);
        prop_assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
        Ok(())
    };
    runner(200).run(&legal(), test).unwrap();
}

#[test]
fn verilator_accepts_random_configurations() {
    let mut runner = runner(8);
    for number in 0..runner.config().cases {
        let mut config = legal().new_tree(&mut runner).unwrap().current();
        // Half of them, which chance alone does not give in a sample as small as this.
        config.matrix = number % 2 == 0;
        lint(&config);
    }
}

/// Longer rows than 64 bytes once were a loop that Verilator 5.006 does not unroll (BLKLOOPINIT).
#[test]
fn verilator_accepts_matrix_registers_with_long_rows() {
    for (tlen, trlen) in [(2048, 1024), (4096, 2048), (4096, 1024), (4096, 256), (128, 32)] {
        let text = format!("name = \"long_rows\"\nmatrix = true\ntlen = {tlen}\ntrlen = {trlen}\n");
        lint(&Config::from_toml(&text).unwrap());
    }
}

/// Names of 28 characters and more once made a header that was longer than a line may be.
#[test]
fn a_name_of_any_length_is_generated() {
    for length in 1..=32 {
        let name = "a".repeat(length);
        let config = Config::from_toml(&format!("name = \"{name}\"")).unwrap();
        let files = generate(&config);
        assert!(files[0].text.contains(&format!("configuration `{name}`;")), "{}", files[0].text);
    }
}
