// SPDX-License-Identifier: Apache-2.0
//! The system for the board ULX3S, simulated up to the pin of its serial port, as `make soc-ecp5` does it first.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use e2e::root;

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn the_program_of_the_board_says_that_its_image_is_right() {
    let folder = tempfile::tempdir().unwrap();
    // As in the Makefile, paths from the current folder.
    let generator = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("rtl-gen");
    std::os::unix::fs::symlink(generator, folder.path().join("generator")).unwrap();
    let script = root().join("cosim/soc/ulx3s/build.sh").canonicalize().unwrap();
    let output = Command::new("sh")
        .arg(script)
        .args(["out", "generator"])
        .env("SIM_ONLY", "1")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("\nimage to planes: right\n"), "{text}");
}
