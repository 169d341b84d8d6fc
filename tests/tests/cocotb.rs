// SPDX-License-Identifier: Apache-2.0
//! The masters of AXI4 against cocotbext-axi, the memory ports against cocotbext-obi, the unit against the model from
//! Python, and the Python package itself.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use e2e::{in_parallel, root};

/// Runs `script` on the RTL of `tiny`, and on the same with `wrong` for `right` in a file; `check` gets whether all was
/// well, whether it should be, and what the script says.
fn sound_and_wrong(
    script: &str,
    arguments: &[&str],
    [file, right, wrong]: [&str; 3],
    check: impl Fn(bool, bool, &str) + Sync,
) {
    let faulty = tempfile::tempdir().unwrap();
    rtl_gen::write(&rtl_gen::Config::named("tiny").unwrap(), faulty.path()).unwrap();
    let path = faulty.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(right));
    std::fs::write(path, text.replace(right, wrong)).unwrap();
    let sound = root().join("rtl/tiny");
    in_parallel(&[(sound.as_path(), true), (faulty.path(), false)], |(folder, expected): &(&Path, bool)| {
        let output = Command::new("sh").arg(root().join(script)).arg(folder).args(arguments).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        check(output.status.code() == Some(0), *expected, &text);
    });
}

/// With a fault that only this opponent has to see: a burst that crosses 4 KiB.
#[test]
#[ignore = "needs cocotb: make test-all"]
fn the_masters_hold_against_cocotbext_axi_and_a_fault_does_not() {
    let boundary = ["tl_axi_run.sv", "addr_i / PortBytes % BurstWords != 32'd0", "1'b1"];
    let arguments = ["--words", "800", "--axi-bytes", "32"];
    sound_and_wrong("tests/axi/run.sh", &arguments, boundary, |good, expected, text| {
        assert_eq!(good, expected, "{text}");
        assert!(text.ends_with(if expected { "2 tests, 0 failed\n" } else { " failed\n" }), "{text}");
    });
}

/// With a fault that only what looks at the protocol sees: a request is taken back while a response comes. The contract
/// of the unit's inputs sees the answer to it.
#[test]
#[ignore = "needs cocotb: make test-all"]
fn the_ports_hold_against_cocotbext_obi_and_a_fault_does_not() {
    let request = "word_valid_q && waiting_room;";
    let withdrawn = ["tl_store.sv", request, "word_valid_q && waiting_room && !l0m_rvalid_i;"];
    sound_and_wrong("tests/obi/run.sh", &["--copies", "30"], withdrawn, |good, expected, text| {
        assert_eq!(good, expected, "{text}");
        assert!(expected || text.contains("tl_top: a response of L0M without a request"), "{text}");
        assert!(text.contains(if expected { "1 tests, 0 failed\n" } else { "1 tests, 1 failed\n" }), "{text}");
    });
}

/// The package; `make python` also puts it where cocotb is.
fn python(arguments: &[&str]) -> (bool, String) {
    static PACKAGE: LazyLock<()> = LazyLock::new(|| {
        let done = Command::new("make").arg("python").current_dir(root()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    });
    LazyLock::force(&PACKAGE);
    let output = Command::new(root().join(".tools/cocotb/bin/python")).args(arguments).current_dir(root()).output();
    let output = output.unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.success(), text)
}

#[test]
#[ignore = "needs maturin: make test-all"]
fn the_python_package_does_what_its_stubs_and_numpy_say() {
    let (good, text) = python(&["golden/python/tests/package.py", "--mebibytes", "8"]);
    assert!(good && text.starts_with("transpose of 8 MiB: "), "{text}");
    let (good, text) = python(&["-m", "mypy.stubtest", "tensorload"]);
    assert!(good, "{text}");
}

/// With a fault that shows in L0M alone: a masked load keeps what the register had.
#[test]
#[ignore = "needs cocotb: make test-all"]
fn the_unit_holds_against_the_model_from_python_and_a_fault_does_not() {
    python(&["-c", ""]);
    let kept = ["tl_load.sv", "zero_first[b] = all[zero_next] ?", "zero_first[b] = 1'b1 ?"];
    sound_and_wrong("tests/model/run.sh", &["--words", "3000"], kept, |good, expected, text| {
        assert_eq!(good, expected, "{text}");
        assert!(expected || text.contains(" bytes of L0M differ, the first at 0x"), "{text}");
        assert!(text.contains(if expected { "1 tests, 0 failed\n" } else { "1 tests, 1 failed\n" }), "{text}");
    });
}
