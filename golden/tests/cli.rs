// SPDX-License-Identifier: Apache-2.0
//! The program `golden`, end to end.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use golden::Trap;
use golden::report::{Report, Retired};
use tempfile::TempDir;

/// A folder with a program `p.s`.
fn folder(program: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.s");
    fs::write(&file, program).unwrap();
    (folder, file)
}

fn golden() -> Command {
    Command::cargo_bin("golden").unwrap()
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// Runs a command that must exit with 2 and returns its message.
fn error(command: &mut Command) -> String {
    String::from_utf8(command.assert().code(2).get_output().stderr.clone()).unwrap()
}

fn run(program: &Path) -> Command {
    let mut command = golden();
    command.arg("run").arg(program);
    command
}

#[test]
fn asm_prints_words() {
    let (_folder, file) = folder("tl.load tl1, 0(x10)\nli x5, 0x12345678 # two words\n");
    assert_eq!(output(golden().arg("asm").arg(file)), "0000855b\n123452b7\n67828293\n");
}

#[test]
fn disasm_prints_text() {
    let text = output(golden().args(["disasm", "855b", "0x123452B7", "67828293", "0"]));
    assert_eq!(text, "tl.load tl1, 0(x10)\nlui x5, 0x12345\naddi x5, x5, 1656\n.word 0x00000000\n");
}

#[test]
fn a_file_without_an_end_is_refused() {
    let (folder, file) = folder("nop\n");
    let toml = folder.path().join("zero.toml");
    std::os::unix::fs::symlink("/dev/zero", &toml).unwrap();
    for command in [
        golden().arg("asm").arg("/dev/zero"),
        run(&file).arg("--l1m").arg("/dev/zero"),
        run(&file).arg("--config").arg(toml),
    ] {
        let text = error(command);
        assert!(text.contains("it is no ordinary file"), "{text}");
    }
}

#[test]
fn messages_have_an_end_and_no_control_characters() {
    let (_folder, file) = folder(&"tl.\u{1b}[2J\n".repeat(200_000));
    let text = error(golden().arg("asm").arg(&file));
    assert!(text.contains("p.s:1:1: unknown instruction `tl.\\u{1b}[2J`") && text.len() < 200_000, "{}", text.len());
    assert!(!text.contains('\u{1b}') && text.contains("more lines"), "{text}");
    let (_folder, file) = folder(&"q".repeat(600_000));
    let text = error(golden().arg("asm").arg(&file));
    assert!(text.len() < 2000 && text.contains("more characters"), "{text}");
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("golden"));
    assert!(command.args(["disasm", "855b"]).stdout(writer).status().unwrap().success());
}

#[test]
fn run_prints_a_summary() {
    let (_folder, file) = folder("li x5, 0x00010104\ncsrrw x0, tshape, x5\ntl.load tl1, 0(x0)\ntl.mload tl1, 0(x0)\n");
    let trap = "pc 0x10: tl.mload tl1, 0(x0): illegal instruction (cause 2, tval 0x1000805b)";
    assert_eq!(output(&mut run(&file)), format!("w16: 5 instructions, 1 trapped\n  {trap}\n"));
}

#[test]
fn run_moves_data_from_l1m_to_l0m() {
    let (folder, file) =
        folder("li x5, 0x00010104\ncsrrw x0, tshape, x5\ntl.load tl1, 1(x0)\ntl.store tl1, 0(x0)\n.word 0\n");
    let (l1m, l0m, dump) = (folder.path().join("l1m"), folder.path().join("l0m"), folder.path().join("dump"));
    fs::write(&l1m, [0, 1, 2, 3, 0xA, 0xB, 0xC, 0xD]).unwrap();
    fs::write(&l0m, [9; 6]).unwrap();
    let mut command = run(&file);
    command
        .args(["--config", "tiny", "--json", "-", "--l1m"])
        .arg(l1m)
        .arg("--l0m")
        .arg(l0m)
        .arg("--dump-l0m")
        .arg(&dump);
    let report: Report = serde_json::from_str(&output(&mut command)).unwrap();

    assert_eq!((report.config.as_str(), report.x[5], report.csr.tshape), ("tiny", 0x10104, 0x10104));
    assert_eq!((report.tl.len(), &report.tl[1][..10], report.tl[1].len()), (32, "0a0b0c0d00", 128));
    let trap = Some(Trap { cause: 2, tval: 0 });
    assert_eq!(report.retired.len(), 6);
    assert_eq!(report.retired[5], Retired { pc: 20, word: 0, trap });
    let dump = fs::read(dump).unwrap();
    assert_eq!((dump.len(), &dump[..7]), (4096, &[0xA, 0xB, 0xC, 0xD, 9, 9, 0][..]));
}

/// The names and types of the report, which other programs read.
#[test]
fn the_report_has_exactly_these_fields() {
    let (folder, file) = folder("nop\n.word 1");
    let json = folder.path().join("out.json");
    assert_eq!(output(run(&file).args(["--config", "w8", "--json"]).arg(&json)), "");
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let identity: Vec<u32> = (0..32).collect();
    let expected = serde_json::json!({
        "config": "w8",
        "x": vec![0; 32],
        "csr": {
            "ttype": 2, "tshape": 0, "tmask_load": 0, "tmask_store": 0, "tmask_concat_1": 0, "tmask_concat_2": 0,
            "tload_width": 0, "tstore_width": 0, "tload_stride": identity, "tstore_stride": identity,
        },
        "tl": vec!["00".repeat(1024); 32],
        "retired": [
            {"pc": 0, "word": 0x13, "trap": null},
            {"pc": 4, "word": 1, "trap": {"cause": 2, "tval": 1}},
        ],
    });
    assert_eq!(report, expected);
}

#[test]
fn the_report_has_the_matrix_state_where_there_is_one() {
    let (folder, file) =
        folder("msettilemi 2\nmsettileni 1\nli x5, 3\nmsettilek x5\nmlae8 tr1, (x0), x5\nmlce32 acc3, (x0), x5\n");
    let l1m = folder.path().join("l1m");
    fs::write(&l1m, [1, 2, 3, 4, 5, 6, 7]).unwrap();
    let text = output(run(&file).args(["--config", "mx1024", "--json", "-", "--l1m"]).arg(l1m));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let zeros = |rows: usize, bytes: usize| "00".repeat(rows * bytes);
    let tr1 = format!("010203{}040506{}{}", zeros(1, 13), zeros(1, 13), zeros(6, 16));
    assert_eq!(json["tr"], serde_json::json!([zeros(8, 16), tr1, zeros(8, 16), zeros(8, 16)]));
    assert_eq!(json["acc"], serde_json::json!(vec![zeros(8, 32); 4]));
    assert_eq!(json["retired"][5]["trap"], serde_json::json!({"cause": 4, "tval": 3}));
    assert_eq!(
        (&json["csr"]["mtilem"], &json["csr"]["mtilen"], &json["csr"]["mtilek"]),
        (&2.into(), &1.into(), &3.into())
    );
    let report: Report = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), json);
}

#[test]
fn the_configuration_decides_what_is_an_instruction() {
    let (_folder, file) = folder("mlae8 tr0, (x10), x11");
    let mx = ["--config", "mx1024"];
    assert_eq!(output(golden().arg("asm").arg(&file).args(mx)), "04b5002b\n");
    assert_eq!(output(golden().args(["disasm", "04b5002b"]).args(mx)), "mlae8 tr0, (x10), x11\n");
    assert_eq!(output(golden().args(["disasm", "04b5002b", "--config", "tiny"])), ".word 0x04b5002b\n");
    let message = error(run(&file).args(["--config", "tiny"]));
    assert!(message.contains("p.s:1:1: unknown instruction `mlae8`; the configuration has no matrix"), "{message}");
}

#[test]
fn configuration_files() {
    let (folder, file) = folder("tl.load tl1, 0(x10)");
    let toml = folder.path().join("c.toml");
    fs::write(&toml, "name = \"c\"\nengine_id = 1\n").unwrap();
    assert_eq!(output(golden().arg("asm").arg(&file).arg("--config").arg(&toml)), "4000855b\n");
    assert_eq!(output(golden().args(["disasm", "4000855b", "--config"]).arg(&toml)), "tl.load tl1, 0(x10)\n");
    fs::write(&toml, "name = \"c\"\nengine_id = 9\n").unwrap();
    let message = error(run(&file).arg("--config").arg(&toml));
    assert!(message.contains("c.toml: field `engine_id` is 9; allowed is an integer, 0 to 3"), "{message}");
    fs::write(&toml, "name = \"tiny\"\nengine_id = 1\n").unwrap();
    let message = error(run(&file).arg("--config").arg(&toml));
    assert!(message.contains("c.toml: the name `tiny` is that of a configuration with other fields"), "{message}");
}

#[test]
fn bad_input_exits_with_2_and_says_why() {
    let (folder, file) = folder("nop\nnope\n");
    let message = error(&mut run(&file));
    assert!(message.contains("p.s:2:1: unknown instruction `nope`"), "{message}");
    let message = error(&mut run(&folder.path().join("missing.s")));
    assert!(message.contains("cannot read") && message.contains("missing.s"), "{message}");
    let message = error(golden().args(["disasm", "xyz"]));
    assert!(message.contains("`xyz` is not a word; allowed are 1 to 8 hexadecimal digits"), "{message}");
    let message = error(golden().args(["disasm", "123456789"]));
    assert!(message.contains("`123456789` is not a word"), "{message}");
    error(&mut golden());
    error(golden().arg("disasm"));
    error(golden().args(["walk", "p.s"]));

    fs::write(&file, "nop\n").unwrap();
    let message = error(run(&file).args(["--config", "w17"]));
    assert!(
        message.contains("no configuration `w17`; allowed are w16, w8, w32, w64, w16r, w16p8, int8, tiny, mx1024"),
        "{message}"
    );
    let image = folder.path().join("image");
    fs::write(&image, vec![0; 4097]).unwrap();
    let message = error(run(&file).args(["--config", "tiny", "--l1m"]).arg(&image));
    assert!(message.contains("L1M") && message.contains("more than 4096 bytes, which is the limit"), "{message}");
}

/// Bytes as they are, also beside a report in a file, and when the program does not end.
#[test]
fn what_a_program_prints_is_shown_in_each_case() {
    let print = "li x5, 0x30000004\nli x6, 0xff\nsb x6, 0(x5)\n";
    let (folder, file) = folder(print);
    let json = folder.path().join("report.json");
    for options in [vec![], vec!["--json".as_ref(), json.as_os_str()]] {
        let done = run(&file).args(options).assert().success().get_output().stdout.clone();
        assert!(done.starts_with(&[0xFF]) && !done.contains(&0xEF), "{done:?}");
    }
    fs::write(&file, format!("{print}j .")).unwrap();
    fs::remove_file(&json).unwrap();
    let assert = run(&file).args(["--limit", "10", "--json"]).arg(&json).assert().code(2);
    assert_eq!(assert.get_output().stdout, [0xFF]);
    let report: Report = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(report.retired.len(), 10);
    let error = error(run(&file).args(["--limit", "10", "--json", "-"]));
    assert!(error.contains("has not ended after 10 instructions"), "{error}");
}
