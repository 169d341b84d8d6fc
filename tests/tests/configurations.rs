// SPDX-License-Identifier: Apache-2.0
//! Whatever a user may write in a configuration is generated, and Verilator accepts it.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::common::legal::{legal, runner, sample};
use crate::common::pairwise::pairwise;
use proptest::prelude::*;
use rtl_gen::{Config, generate};

/// What Verilator says of the files that `rtl-gen --out` writes.
fn lint(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    rtl_gen::write(config, folder.path()).unwrap();
    let verilator = e2e::oldest_verilator();
    let output = Command::new(&verilator)
        .args(["--lint-only", "-Wall", "--top-module", "tl_top", "-f", "tl.f"])
        .current_dir(folder.path())
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}; run `make setup`", verilator.display()));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // Newer Verilators end a silent run with a report on themselves.
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("- ")).collect();
    assert!(output.status.success() && text.is_empty(), "{}\n{}", text.join("\n"), config.to_toml());
}

/// Every legal set of element widths on rows of `lanes` bytes; precise traps and matrix instructions take turns.
fn widths_on(lanes: u32) -> Vec<Config> {
    (1..16u32)
        .map(|set| {
            let widths: Vec<u32> = (0..4).filter(|bit| set >> bit & 1 == 1).map(|bit| 4 << bit).collect();
            let (precise, matrix) = (set % 2 == 0, set % 3 == 0);
            Config::from_toml(&format!(
                "name = \"grid{lanes}_{set}\"\nlanes = {lanes}\nelement_widths = {widths:?}\nprecise = {precise}\nmatrix = {matrix}"
            ))
            .unwrap()
        })
        .collect()
}

fn agrees_with_the_model(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("config.toml"), folder.path().join("failures"));
    std::fs::write(&file, config.to_toml()).unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    e2e::stdout("cosim", &["random", "--config", file, "--seed", "1", "--count", "6000", "--out", out]);
}

#[test]
fn random_configurations_are_generated() {
    // The layout checks of the writer are assertions: generating is the test.
    let test = |config: Config| {
        prop_assert!(generate(&config).unwrap().len() > 40);
        prop_assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
        Ok(())
    };
    runner(200).run(&legal(), test).unwrap();
}

#[test]
#[ignore = "half a minute: make test-all"]
fn verilator_accepts_random_configurations() {
    e2e::in_parallel(&sample(8), lint);
}

/// Rows of two and four granules, whose halves are shorter than what is counted at once, are the corner of the grid.
#[test]
fn verilator_accepts_all_element_widths_on_the_shortest_rows() {
    e2e::in_parallel(&widths_on(8), lint);
}

#[test]
#[ignore = "a minute: make test-all"]
fn verilator_accepts_all_element_widths_on_longer_rows() {
    e2e::in_parallel(&[16, 32, 64].map(widths_on).concat(), lint);
}

#[test]
#[ignore = "needs models of 30 configurations: make test-all"]
fn all_element_widths_agree_with_the_model() {
    e2e::in_parallel(&[8, 16].map(widths_on).concat(), agrees_with_the_model);
}

/// Random programs on the unit with the properties of the proofs, and behind each adapter. Properties that were true of
/// the named configurations alone stood in the proofs for long, and an adapter with CSRs of a second unit was never run.
fn holds_in_every_surrounding(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config.to_toml()).unwrap();
    let file = file.to_str().unwrap();
    let checks =
        ["check facts --count 3000 --jobs 1", "check xif --count 3000 --jobs 1", "check axi --cases 24 --jobs 1"];
    // PicoRV32 has registers of 32 bits.
    let core = (config.xlen == 32).then_some("soc --random 16");
    for check in checks.into_iter().chain(core) {
        let words: Vec<&str> = check.split(' ').collect();
        let done = e2e::run("cosim", &[&words[..], &["--config", file]].concat());
        let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(
            done.status.success(),
            "{check}: {}\n{}",
            said.lines().take(40).collect::<Vec<_>>().join("\n"),
            config.to_toml()
        );
    }
}

#[test]
fn every_two_values_of_two_options_meet_in_a_few_units() {
    let units = pairwise();
    assert!((12..=24).contains(&units.len()), "{}", units.len());
    for unit in units {
        generate(&unit).unwrap();
    }
}

#[test]
#[ignore = "needs PicoRV32, and six models of each of 16 units: make test-all"]
fn every_two_values_of_two_options_hold_in_every_surrounding() {
    e2e::in_parallel(&pairwise(), holds_in_every_surrounding);
}

/// Longer rows than 64 bytes once were a loop that Verilator 5.006 does not unroll (BLKLOOPINIT).
#[test]
fn verilator_accepts_matrix_registers_with_long_rows() {
    let rows = [(4096, 2048), (4096, 256), (128, 32)].map(|(tlen, trlen)| {
        let text = format!("name = \"long_rows\"\nmatrix = true\ntlen = {tlen}\ntrlen = {trlen}\n");
        Config::from_toml(&text).unwrap()
    });
    e2e::in_parallel(&rows, lint);
}

/// Names of 28 characters and more once made a header that was longer than a line may be.
#[test]
fn a_name_of_any_length_is_generated() {
    for length in 1..=32 {
        let name = "a".repeat(length);
        let config = Config::from_toml(&format!("name = \"{name}\"")).unwrap();
        let files = generate(&config).unwrap();
        assert!(files[0].text.contains(&format!("configuration `{name}`;")), "{}", files[0].text);
    }
}
