// SPDX-License-Identifier: Apache-2.0
//! The system for the board ULX3S, simulated up to its pins, as `make soc-ecp5` does it first.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use e2e::root;

/// Folder of the built programs.
fn programs() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned()
}

/// Simulates the board with this image in `folder/out`; `generator` writes the RTL.
fn simulate(folder: &Path, image: &str, generator: &str) -> (bool, String) {
    let tools = folder.join("tools");
    std::fs::create_dir(&tools).unwrap();
    symlink(programs().join("cosim"), tools.join("cosim")).unwrap();
    let script = tools.join("rtl-gen");
    std::fs::write(&script, format!("#!/bin/sh\nset -e\n{}/rtl-gen \"$@\"\n{generator}\n", programs().display()))
        .unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let output = Command::new("sh")
        .arg(root().join("cosim/soc/ulx3s/build.sh").canonicalize().unwrap())
        // As in the Makefile, paths from the current folder.
        .args(["out", "tools"])
        .envs([("SIM_ONLY", "1"), ("IMAGE", image)])
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.success(), text(&output))
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// The LEDs at the end, led[7] first.
fn leds(text: &str) -> u8 {
    let bits =
        text.lines().find_map(|line| line.strip_prefix("led ")?.split(',').next()).unwrap_or_else(|| panic!("{text}"));
    u8::from_str_radix(bits, 2).unwrap()
}

/// The board runs, and its program has passed.
const PASSED: u8 = 0b1000_0001;

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn the_program_of_the_board_says_that_its_image_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let (right, text) = simulate(folder.path(), "planes", "");
    assert!(right && text.contains("\nimage to planes: right\n") && leds(&text) == PASSED, "{text}");
}

#[test]
#[ignore = "needs PicoRV32: make test-all"]
fn the_leds_say_that_a_hundred_checks_pass_or_which_one_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (right, text) = simulate(folder.path(), "tests", "");
    assert!(right && leds(&text) == PASSED, "{text}");

    // Other sums in two checks, of which the first counts.
    let image = folder.path().join("out/program.hex");
    let mut words: Vec<u32> =
        std::fs::read_to_string(&image).unwrap().lines().map(|line| u32::from_str_radix(line, 16).unwrap()).collect();
    // `lui x5`, `addi x5, x5` and `beq x4, x5`.
    let compares: Vec<usize> =
        (2..words.len()).filter(|&i| words[i] & 0x01ff_f07f == 5 << 20 | 4 << 15 | 0x63).collect();
    assert_eq!(compares.len(), 100);
    for number in [64, 5] {
        words[compares[number - 1] - 2] ^= 0x1000;
        std::fs::write(&image, words.iter().map(|word| format!("{word:08x}\n")).collect::<String>()).unwrap();
        let output = Command::new("sim/Vulx3s_tb").current_dir(folder.path().join("out")).output().unwrap();
        assert_eq!(usize::from(leds(&self::text(&output))), number);
    }
}

#[test]
#[ignore = "needs PicoRV32: make test-all"]
fn the_leds_say_that_the_unit_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let plant = "sed -i 's/if (swap_i\\[s\\]) half\\[g\\]/if (swap_i[s] \\&\\& (s != 1)) half[g]/' rtl/tl_lane_swap.sv\n\
                 grep -q 's != 1' rtl/tl_lane_swap.sv";
    let (right, text) = simulate(folder.path(), "tests", plant);
    assert!(!right && text.contains("LED 0 does not say that the program has passed"), "{text}");
    assert!((1..=100).contains(&leds(&text)), "{text}");
}
