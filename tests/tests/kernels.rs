// SPDX-License-Identifier: Apache-2.0
//! C programs, compiled with the intrinsics, on the model and on the RTL in lockstep.
#![allow(clippy::unwrap_used)]

use e2e::{run, stdout};
use serde_json::Value;

/// The report of a program, with the bytes of L0M.
fn report(program: &str, elf: &str, l1m: &str, more: &[&str]) -> (Value, Vec<u8>) {
    let dump = tempfile::NamedTempFile::new().unwrap();
    let mut args = vec!["run", elf, "--l1m", l1m, "--dump-l0m", dump.path().to_str().unwrap(), "--json", "-"];
    args.extend(more);
    let text = stdout(program, &args);
    (serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap(), std::fs::read(dump.path()).unwrap())
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn c_programs_do_the_same_on_the_rtl() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for name in ["image", "repair", "matmul"] {
        let mut l1m: Vec<u8> = (0..65536u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        if name == "matmul" {
            let parameters = [0, 5, 6, 20, 64, 256, 512].map(u32::to_le_bytes).concat();
            l1m[..parameters.len()].copy_from_slice(&parameters);
        }
        std::fs::write(file("l1m"), l1m).unwrap();
        let source = kernels::folder().join("examples").join(name).with_extension("c");
        kernels::compile(&[&source], &[], &file(name)).unwrap_or_else(|error| panic!("{error}"));
        let (elf, l1m) = (file(name).to_str().unwrap().to_owned(), file("l1m").to_str().unwrap().to_owned());
        let model = report("golden", &elf, &l1m, &[]);
        assert_eq!(model.0["exit"], 0, "{name}");
        assert!(model.0["retired"].as_array().unwrap().len() > 100, "{name}");
        for more in [&[][..], &["--stall-seed", "3"]] {
            assert!(report("cosim", &elf, &l1m, more) == model, "{name} {more:?}");
        }
    }
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn the_exit_code_of_a_program_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("p.c"), "int main(void) { return 42; }\n").unwrap();
    kernels::compile(&[&file("p.c")], &[], &file("p")).unwrap_or_else(|error| panic!("{error}"));
    for program in ["golden", "cosim"] {
        let output = run(program, &["run", file("p").to_str().unwrap()]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{program}: {text}");
        assert!(text.contains("exit code 42"), "{program}: {text}");
        let output = run(program, &["run", file("p").to_str().unwrap(), "--limit", "5"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{program}: {text}");
        assert!(text.contains("has not ended after 5 instructions"), "{program}: {text}");
    }
}
