// SPDX-License-Identifier: Apache-2.0
//! Files that are no ordinary files, have no end, or for which there is no room.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::common::{cosim, repository_text, shell};

/// A folder with a program `p.s` and a replay file `case.json`.
fn folder() -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().to_owned();
    fs::write(path.join("p.s"), "li x1, 300\nloop:\naddi x1, x1, -1\nbne x1, x0, loop\n").expect("written");
    fs::write(path.join("case.json"), repository_text("tests/regressions/fault02.json")).expect("written");
    (folder, move |name: &str| path.join(name))
}

#[test]
fn a_waveform_replaces_nothing_but_an_ordinary_file() {
    let (folder, at) = folder();
    fs::write(at("target"), "kept").expect("written");
    fs::write(at("fixed"), "kept").expect("written");
    fs::set_permissions(at("fixed"), fs::Permissions::from_mode(0o444)).expect("read-only");
    symlink(at("target"), at("link")).expect("link");
    shell(folder.path(), "mkfifo pipe").with_code(0);
    let what = [
        ("link", "it is a symbolic link"),
        ("pipe", "it is no ordinary file"),
        ("fixed", "it is read-only"),
        ("/dev/null", "it is no ordinary file"),
        ("no/wave.fst", "No such file"),
    ];
    for (name, why) in what {
        for command in ["run p.s --config tiny", "replay case.json"] {
            let done = cosim(folder.path(), &format!("{command} --wave {name}"));
            done.refused(&format!("cannot write the waveform {name}: {why}"));
        }
    }
    assert!(at("link").is_symlink() && fs::read_to_string(at("target")).expect("there") == "kept");
    assert_eq!(fs::read_to_string(at("fixed")).expect("there"), "kept");
    fs::write(at("old.fst"), "old").expect("written");
    for command in ["run p.s --config tiny", "replay case.json"] {
        cosim(folder.path(), &format!("{command} --wave old.fst")).with_code(0);
        assert!(fs::metadata(at("old.fst")).expect("there").len() > 1000);
        fs::write(at("old.fst"), "old").expect("written");
    }
}

/// Folders that a program fills, writes over and clears are its own.
#[test]
fn a_folder_with_files_of_the_user_is_not_worked_in() {
    let (folder, at) = folder();
    for place in ["work/model", "work/tiny-without-matrix", "rtl/tiny"] {
        fs::create_dir_all(at(place)).expect("folder");
        fs::write(at(place).join("tl_top.sv"), "kept").expect("written");
    }
    for (command, place) in [
        ("mutate --config tiny --count 1 --work work", "work"),
        ("measure ppa --config tiny --no-gates --no-route --work work", "work/tiny-without-matrix"),
        ("random --config tiny --count 256 --rtl-coverage rtl", "rtl/tiny"),
    ] {
        let done = cosim(folder.path(), command);
        done.refused(&format!("{place}: other files are in it, and would be written over"));
        assert!(!done.err.contains("model tiny covered"), "it is said before a model is made");
    }
    for place in ["work/model", "work/tiny-without-matrix", "rtl/tiny"] {
        assert_eq!(fs::read_to_string(at(place).join("tl_top.sv")).expect("there"), "kept");
    }
}

#[test]
fn nothing_is_written_through_a_link_below_the_folder_of_failures() {
    let (folder, at) = folder();
    let run = |out: &str| cosim(folder.path(), &format!("random --config tiny --fault 8 --no-shrink --out {out}"));
    run("first").with_code(1);
    let case = fs::read_dir(at("first")).expect("there").filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let case = { case }.find(|name| name.starts_with("tiny-")).expect("a failing case");
    fs::create_dir(at("victim")).expect("folder");
    fs::write(at("victim/file"), "kept").expect("written");
    let files = ["original.json", "report.md", "report.html", "program.s"].map(|file| format!("{case}/{file}"));
    let files = files.into_iter().chain(["index.html".to_owned()]).map(|name| (name, "victim/file"));
    let folders = ["running".to_owned(), case].map(|name| (name, "victim"));
    for (number, (name, to)) in files.chain(folders).enumerate() {
        let out = format!("out{number}");
        let link = at(&out).join(&name);
        fs::create_dir_all(link.parent().expect("folder")).expect("folder");
        symlink(at(to), &link).expect("link");
        // A failure that was found counts all the same.
        let said = run(&out).with_code(if name == "running" { 2 } else { 1 });
        assert!(
            said.contains(&format!("{out}/{name} is a symbolic link, and nothing is written through one")),
            "{said}"
        );
        assert_eq!(fs::read_to_string(at("victim/file")).expect("there"), "kept", "{name}");
        assert_eq!(fs::read_dir(at("victim")).expect("there").count(), 1, "{name}");
    }
    // The folder itself may be one: that is what the user has named.
    symlink(at("victim"), at("out")).expect("link");
    run("out").with_code(1);
}

/// The limit of a shell stands for a full disk: the writer of waveforms maps files into memory, and looks at no error.
#[test]
fn a_waveform_without_room_is_an_error_and_no_failure_of_the_case() {
    let (folder, _) = folder();
    // The limit is not for making the model.
    cosim(folder.path(), "run p.s --config tiny --wave first.fst").with_code(0);
    for blocks in [1, 8, 40] {
        for command in ["run p.s --config tiny", "replay case.json"] {
            let done = shell(folder.path(), &format!("ulimit -f {blocks}; exec cosim {command} --wave wave.fst"));
            done.refused("cannot write the waveform wave.fst: there is no room for it");
            assert!(!done.out.contains("CRASH") && !done.err.contains("FST_CHECK"), "{done:?}");
        }
    }
}

#[test]
fn a_file_larger_than_allowed_is_an_error() {
    let (folder, at) = folder();
    cosim(folder.path(), "run p.s --config tiny").with_code(0);
    shell(folder.path(), "ulimit -f 1; exec cosim run p.s --config tiny --dump-l0m dump")
        .refused("cannot write dump: File too large");
    assert!(!at("dump").exists());
}

/// As on a full disk: what cannot be written whole is not there, and what was there before still is.
#[test]
fn a_report_without_room_leaves_nothing_of_itself() {
    let (folder, at) = folder();
    cosim(folder.path(), "run p.s --config tiny").with_code(0);
    let random = "random --config tiny --count 256 --coverage c.json";
    cosim(folder.path(), random).with_code(0);
    fs::write(at("old.json"), "old").expect("written");
    let before = files_below(folder.path());
    for command in [
        "run p.s --config tiny --json j.json",
        "run p.s --config tiny --json old.json",
        "coverage report c.json --html c.html",
        "coverage merge c.json -o d.json",
        "run p.s --config tiny --profile --profile-html p.html",
        "random --config tiny --count 256 --junit j.xml --summary s.md --out failures",
    ] {
        let done = shell(folder.path(), &format!("ulimit -f 0; exec cosim {command}"));
        done.refused("File too large");
        assert_eq!(files_below(folder.path()), before, "{command}");
    }
    assert_eq!(fs::read_to_string(at("old.json")).expect("there"), "old");
}

/// Files of a folder and of those in it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

#[test]
fn a_file_without_an_end_is_refused() {
    let (folder, at) = folder();
    for name in ["zero.toml", "tl.f", "zero.v", "zero.npy"] {
        symlink("/dev/zero", at(name)).expect("link");
    }
    shell(folder.path(), "mkfifo pipe pipe.toml pipe.v; mkdir rtl; mkfifo rtl/tl.f").with_code(0);
    for arguments in [
        "run /dev/zero --config tiny",
        "run /dev/zero --config tiny --stream",
        "run p.s --config zero.toml",
        "run p.s --config tiny --l1m /dev/zero",
        "run p.s --config tiny --l0m /dev/zero",
        "replay /dev/zero",
        "shrink /dev/zero",
        "check cycles --file /dev/zero",
        "coverage report /dev/zero",
        "random --config tiny --netlist zero.v",
        // And what nobody writes to.
        "run pipe --config tiny",
        "run p.s --config pipe.toml",
        "run p.s --config tiny --l1m pipe",
        "run p.s --config tiny --rtl rtl",
        "random --config tiny --netlist pipe.v",
        "op flatten --in pipe --model",
        "check programs pipe",
    ] {
        cosim(folder.path(), arguments).refused("it is no ordinary file");
    }
}

/// Nobody reads the pipe.
#[test]
fn a_report_to_a_pipe_with_a_name_is_an_error() {
    let (folder, _) = folder();
    shell(folder.path(), "mkfifo pipe").with_code(0);
    for arguments in [
        "run p.s --config tiny --json pipe",
        "run p.s --config tiny --dump-l0m pipe",
        "run p.s --config tiny --profile-html pipe",
        "random --config tiny --count 256 --junit pipe",
        "random --config tiny --count 256 --summary pipe",
        "random --config tiny --count 256 --coverage pipe",
    ] {
        cosim(folder.path(), arguments).refused("cannot write pipe: it is a pipe with a name");
    }
}

#[test]
fn a_replay_file_may_begin_with_the_mark_of_an_editor() {
    let (folder, at) = folder();
    let case = fs::read_to_string(at("case.json")).expect("case");
    fs::write(at("marked.json"), format!("\u{feff}{case}")).expect("written");
    let done = cosim(folder.path(), "replay marked.json");
    assert_eq!(done.code, cosim(folder.path(), "replay case.json").code, "{done:?}");
    assert_ne!(done.code, Some(2), "{done:?}");
}

#[test]
fn a_replay_file_may_be_a_pipe_of_the_shell() {
    let (folder, _) = folder();
    shell(folder.path(), "cat case.json | cosim replay /dev/stdin").with_code(0);
}

#[test]
fn messages_have_an_end_and_no_control_characters() {
    let (folder, at) = folder();
    let bell = "\u{7}\u{1b}[2J";
    fs::write(at("bad.s"), format!("tl.{bell}\n").repeat(100_000)).expect("written");
    fs::write(at("bad.toml"), format!("na{bell} = 1\n")).expect("written");
    fs::write(at("bad.json"), format!("{{\"{bell}\": 1}}")).expect("written");
    for arguments in ["run bad.s --config tiny", "run p.s --config bad.toml", "replay bad.json"] {
        let done = cosim(folder.path(), arguments);
        done.refused("");
        let text = done.err;
        assert!(text.len() < 200_000 && !text.contains(['\u{7}', '\u{1b}']), "{arguments}: {text:.1000}");
    }
}
