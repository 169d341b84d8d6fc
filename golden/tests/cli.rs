// SPDX-License-Identifier: Apache-2.0
//! The program `golden`, end to end.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use golden::Trap;
use golden::report::{Report, Retired};
use tempfile::TempDir;

/// A folder with a program `p.s`.
fn folder(program: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.s"), program).unwrap();
    folder
}

/// Runs `golden` with the words of `arguments` in a folder.
#[track_caller]
fn golden(folder: &TempDir, arguments: &str, code: i32) -> Output {
    let mut command = Command::new(cargo_bin!("golden"));
    let output = command.current_dir(folder.path()).args(arguments.split_whitespace()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments}: {output:?}");
    output
}

/// Standard output of a command that must exit with 0.
#[track_caller]
fn output(folder: &TempDir, arguments: &str) -> String {
    String::from_utf8(golden(folder, arguments, 0).stdout).unwrap()
}

/// The message of a command that must exit with 2.
#[track_caller]
fn error(folder: &TempDir, arguments: &str) -> String {
    String::from_utf8(golden(folder, arguments, 2).stderr).unwrap()
}

#[test]
fn asm_prints_words() {
    let folder = folder("tl.load tl1, 0(x10)\nli x5, 0x12345678 # two words\n");
    assert_eq!(output(&folder, "asm p.s"), "0000855b\n123452b7\n67828293\n");
}

#[test]
fn disasm_prints_text() {
    let text = output(&folder(""), "disasm 855b 0x123452B7 67828293 0");
    assert_eq!(text, "tl.load tl1, 0(x10)\nlui x5, 0x12345\naddi x5, x5, 1656\n.word 0x00000000\n");
}

#[test]
fn a_file_without_an_end_is_refused() {
    let folder = folder("nop\n");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.toml")).unwrap();
    for arguments in ["asm /dev/zero", "run p.s --l1m /dev/zero", "run p.s --config zero.toml"] {
        let text = error(&folder, arguments);
        assert!(text.contains("it is no ordinary file"), "{text}");
    }
}

#[test]
fn messages_have_an_end_and_no_control_characters() {
    let text = error(&folder(&"tl.\u{1b}[2J\n".repeat(200_000)), "asm p.s");
    assert!(text.contains("p.s:1:1: unknown instruction `tl.\\u{1b}[2J`") && text.len() < 200_000, "{}", text.len());
    assert!(!text.contains('\u{1b}') && text.contains("more lines"), "{text}");
    let text = error(&folder(&"q".repeat(600_000)), "asm p.s");
    assert!(text.len() < 2000 && text.contains("more characters"), "{text}");
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(cargo_bin!("golden"));
    assert!(command.args(["disasm", "855b"]).stdout(writer).status().unwrap().success());
}

#[test]
fn run_prints_a_summary() {
    let folder = folder("li x5, 0x00010104\ncsrrw x0, tshape, x5\ntl.load tl1, 0(x0)\ntl.mload tl1, 0(x0)\n");
    let trap = "pc 0x10: tl.mload tl1, 0(x0): illegal instruction (cause 2, tval 0x1000805b)";
    assert_eq!(output(&folder, "run p.s"), format!("w16: 5 instructions, 1 trapped\n  {trap}\n"));
}

#[test]
fn a_program_without_an_end_says_how_far_it_is() {
    let folder = folder("loop: j loop\n");
    let mut command = Command::new(cargo_bin!("golden"));
    command.current_dir(folder.path()).args(["run", "p.s", "--limit", "1000000000000"]).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (stderr, (sender, receiver)) = (child.stderr.take().unwrap(), channel());
    std::thread::spawn(move || sender.send(BufReader::new(stderr).lines().next()));
    let line = receiver.recv_timeout(Duration::from_secs(5));
    child.kill().unwrap();
    child.wait().unwrap();
    let line = line.expect("a line within five seconds").unwrap().unwrap();
    let done = line.strip_prefix("golden: p.s: ").and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    let rest = " of at most 1000000000000 instructions (--limit)";
    assert!(done.is_some_and(|done| done > 10_000) && line.ends_with(rest), "{line}");
    // Before it runs.
    let refused = error(&folder, "run p.s --limit 1000000000000 --show tl1,tl99");
    assert!(refused.contains("--show tl99: no such register; allowed: tl0 to tl31"), "{refused}");
}

/// `lui` and `addi` sign-extend to 64 bits: what they cannot make is an error, and the report shows all bits.
#[test]
fn a_stream_of_64_bits_has_the_values_that_it_names() {
    let folder = folder("li x5, 2147481599\nli x6, -2147483648\nli x7, 1\nslli x7, x7, 40\nli x8, -1\n");
    fs::write(folder.path().join("wide.toml"), "name = \"wide\"\nxlen = 64\n").unwrap();
    let report = output(&folder, "run p.s --stream --config wide.toml --json -");
    let report: Report = serde_json::from_str(&report).unwrap();
    assert_eq!(report.x[5..9], [0x7fff_f7ff, 0xffff_ffff_8000_0000, 1 << 40, u64::MAX]);
    for value in ["2147481600", "0x7fffffff", "0xffffffff"] {
        fs::write(folder.path().join("p.s"), format!("li x5, {value}\n")).unwrap();
        let refused = error(&folder, "run p.s --stream --config wide.toml");
        assert!(refused.contains("imm32, -2147483648 to 2147481599"), "{refused}");
        // The host of a program stays RV32IM, and so is a stream for it.
        output(&folder, "run p.s --config wide.toml");
        output(&folder, "run p.s --stream");
    }
}

#[test]
fn run_moves_data_from_l1m_to_l0m() {
    let folder = folder("li x5, 0x00010104\ncsrrw x0, tshape, x5\ntl.load tl1, 1(x0)\ntl.store tl1, 0(x0)\n.word 0\n");
    fs::write(folder.path().join("l1m"), [0, 1, 2, 3, 0xA, 0xB, 0xC, 0xD]).unwrap();
    fs::write(folder.path().join("l0m"), [9; 6]).unwrap();
    let text = output(&folder, "run p.s --config tiny --json - --l1m l1m --l0m l0m --dump-l0m dump");
    let report: Report = serde_json::from_str(&text).unwrap();

    assert_eq!((report.config.as_str(), report.x[5], report.csr.tshape), ("tiny", 0x10104, 0x10104));
    assert_eq!((report.tl.len(), &report.tl[1][..10], report.tl[1].len()), (32, "0a0b0c0d00", 128));
    let trap = Some(Trap { cause: 2, tval: 0 });
    assert_eq!(report.retired.len(), 6);
    assert_eq!(report.retired[5], Retired { pc: 20, word: 0, trap });
    let dump = fs::read(folder.path().join("dump")).unwrap();
    assert_eq!((dump.len(), &dump[..7]), (4096, &[0xA, 0xB, 0xC, 0xD, 9, 9, 0][..]));
}

/// The names and types of the report, which other programs read.
#[test]
fn the_report_has_exactly_these_fields() {
    let folder = folder("nop\n.word 1");
    assert_eq!(output(&folder, "run p.s --config w8 --json out.json"), "");
    let json = fs::read_to_string(folder.path().join("out.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
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
    let folder =
        folder("msettilemi 2\nmsettileni 1\nli x5, 3\nmsettilek x5\nmlae8 tr1, (x0), x5\nmlce32 acc3, (x0), x5\n");
    fs::write(folder.path().join("l1m"), [1, 2, 3, 4, 5, 6, 7]).unwrap();
    let text = output(&folder, "run p.s --config mx1024 --json - --l1m l1m");
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
    let folder = folder("mlae8 tr0, (x10), x11");
    assert_eq!(output(&folder, "asm p.s --config mx1024"), "04b5002b\n");
    assert_eq!(output(&folder, "disasm 04b5002b --config mx1024"), "mlae8 tr0, (x10), x11\n");
    assert_eq!(output(&folder, "disasm 04b5002b --config tiny"), ".word 0x04b5002b\n");
    let message = error(&folder, "run p.s --config tiny");
    assert!(message.contains("p.s:1:1: unknown instruction `mlae8`; the configuration has no matrix"), "{message}");
}

#[test]
fn configuration_files() {
    let folder = folder("tl.load tl1, 0(x10)");
    let toml = folder.path().join("c.toml");
    fs::write(&toml, "name = \"c\"\nengine_id = 1\n").unwrap();
    assert_eq!(output(&folder, "asm p.s --config c.toml"), "4000855b\n");
    assert_eq!(output(&folder, "disasm 4000855b --config c.toml"), "tl.load tl1, 0(x10)\n");
    fs::write(&toml, "name = \"c\"\nengine_id = 9\n").unwrap();
    let message = error(&folder, "run p.s --config c.toml");
    assert!(message.contains("c.toml: field `engine_id` is 9; allowed is an integer, 0 to 3"), "{message}");
    fs::write(&toml, "name = \"tiny\"\nengine_id = 1\n").unwrap();
    let message = error(&folder, "run p.s --config c.toml");
    assert!(message.contains("c.toml: the name `tiny` is that of a configuration with other fields"), "{message}");
}

#[test]
fn bad_input_exits_with_2_and_says_why() {
    let folder = folder("nop\nnope\n");
    fs::write(folder.path().join("good.s"), "nop\n").unwrap();
    fs::write(folder.path().join("image"), vec![0; 4097]).unwrap();
    for (arguments, said) in [
        ("run p.s", "p.s:2:1: unknown instruction `nope`"),
        ("run missing.s", "cannot read missing.s"),
        ("disasm xyz", "`xyz` is not a word; allowed are 1 to 8 hexadecimal digits"),
        ("disasm 123456789", "`123456789` is not a word"),
        ("", "Usage"),
        ("disasm", "Usage"),
        ("walk p.s", "unrecognized subcommand 'walk'"),
        (
            "run good.s --config w17",
            "no configuration `w17`; allowed are w16, w8, w32, w64, w16r, w16p8, int8, tiny, mx1024",
        ),
        ("run good.s --config tiny --l1m image", "more than 4096 bytes, which is the limit"),
    ] {
        let message = error(&folder, arguments);
        assert!(message.contains(said), "{arguments}: {message}");
    }
}

/// Bytes as they are, also beside a report in a file, and when the program does not end.
#[test]
fn what_a_program_prints_is_shown_in_each_case() {
    let print = "li x5, 0x30000004\nli x6, 0xff\nsb x6, 0(x5)\n";
    let folder = folder(print);
    for options in ["", "--json report.json"] {
        let printed = golden(&folder, &format!("run p.s {options}"), 0).stdout;
        assert!(printed.starts_with(&[0xFF]) && !printed.contains(&0xEF), "{printed:?}");
    }
    fs::write(folder.path().join("p.s"), format!("{print}j .")).unwrap();
    fs::remove_file(folder.path().join("report.json")).unwrap();
    assert_eq!(golden(&folder, "run p.s --limit 10 --json report.json", 2).stdout, [0xFF]);
    let text = fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: Report = serde_json::from_str(&text).unwrap();
    assert_eq!(report.retired.len(), 10);
    let error = error(&folder, "run p.s --limit 10 --json -");
    assert!(error.contains("has not ended after 10 instructions"), "{error}");
}
