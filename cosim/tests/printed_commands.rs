// SPDX-License-Identifier: Apache-2.0
//! Every command that is printed runs as it is, in the folder in which it is printed, whatever the names of files are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{break_lane_swap, edit, repository_text, shell, write_tiny};

/// The command runs in `folder`, and finds the mismatch again.
#[track_caller]
fn fails_again(folder: &Path, command: &str) -> String {
    let said = shell(folder, command).with_code(1);
    assert!(said.contains(": MISMATCH: "), "{command}: {said}");
    said
}

/// What stands behind `label` in the lines of a text.
fn printed<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix(label)).map(str::trim).collect()
}

/// A folder with a name that has to be quoted; in it RTL of `tiny` with two wrong lines.
fn place() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir().expect("folder");
    let folder = outer.path().join("it's $HOME here");
    let rtl = folder.join("my rtl");
    write_tiny(&rtl);
    break_lane_swap(&rtl);
    let line = "b%(4<<e) : ImmW-1];";
    edit(&rtl.join("tl_addi_row.sv"), line, "b%(4<<e) : ImmW-1] ^ ((e == 1) && (b % 8 == 0));");
    (outer, folder)
}

#[test]
fn commands_run_where_they_are_printed() {
    let (_outer, folder) = place();
    let arguments = "--config tiny --rtl 'my rtl' --seed 3";
    let run = format!("cosim random {arguments} --count 3000 --out 'my failures' --junit j.xml --summary s.md");
    let said = fails_again(&folder, &run);
    let (again, replay) = (printed(&said, "again  "), printed(&said, "replay  "));
    assert!(!again.is_empty() && replay.len() == again.len(), "{said}");
    again.iter().chain(&replay).for_each(|command| drop(fails_again(&folder, command)));
    // In the summary of the job.
    let summary = fs::read_to_string(folder.join("s.md")).expect("summary");
    assert!(summary.contains(&format!("```\n{}\n```", again[0])), "{summary}");
    // On the page of the run, in its folder.
    let out = folder.join("my failures");
    let page = fs::read_to_string(out.join("index.html")).expect("page").replace("&quot;", "\"").replace("&amp;", "&");
    let command = page.split("<code>").nth(1).and_then(|rest| rest.split("</code>").next()).expect("a command");
    fails_again(&out, command);
    // On the page of the case, in its folder.
    let case = fs::read_dir(&out).expect("folder").map(|entry| entry.expect("entry").path()).find(|path| path.is_dir());
    let case = case.expect("the folder of the case");
    let page = fs::read_to_string(case.join("report.md")).expect("page");
    let commands: Vec<&str> =
        page.lines().filter_map(|line| line.trim_matches(['`', ' ', '-']).strip_prefix("cosim ")).collect();
    assert!(!commands.is_empty(), "{page}");
    for command in commands {
        fails_again(&case, &format!("cosim {}", command.split('`').next().expect("command")));
    }
    // A smaller case, and files of the regression.
    let name = case.file_name().and_then(|name| name.to_str()).expect("name");
    fs::create_dir(folder.join("my replays")).expect("folder");
    fs::copy(case.join("original.json"), folder.join("my replays/it's one.json")).expect("copied");
    let said = fails_again(
        &folder,
        &format!("cosim shrink 'my failures/{name}/original.json' -o 'my small.json' --rtl 'my rtl'"),
    );
    fails_again(&folder, printed(&said, "replay  ")[0]);
    // Its page, of a replay.
    let said = fails_again(&folder, "cosim replay 'my small.json' --rtl 'my rtl' --out 'my pages'");
    let page = printed(&said, "report  ")[0];
    assert!(page.starts_with("my pages/tiny-seed3-case") && folder.join(page).exists(), "{said}");
    for label in ["again  ", "replay  "] {
        fails_again(&folder, printed(&said, label)[0]);
    }
    // A program that fails.
    fs::create_dir(folder.join("my programs")).expect("folder");
    fs::write(folder.join("my programs/a b.s"), repository_text("tests/programs/addi.s")).expect("written");
    let said = fails_again(&folder, "cosim run 'my programs/a b.s' --config tiny --rtl 'my rtl'");
    fails_again(&folder, printed(&said, "again  ")[0]);
    // With its page, and the small case as a file.
    for command in ["run 'my programs/a b.s'", "check programs 'my programs'"] {
        let said = fails_again(&folder, &format!("cosim {command} --config tiny --rtl 'my rtl' --out 'of a program'"));
        let (page, replay) = (printed(&said, "report  "), printed(&said, "replay  "));
        assert!(folder.join(page[0]).exists() && said.contains("  shrunk   from "), "{said}");
        fails_again(&folder, replay[0]);
        fails_again(&folder, printed(&said, "again  ")[0]);
    }
    let folders = "--programs 'my programs' --replays 'my replays'";
    let regress = format!("cosim regress --config tiny --rtl 'my rtl' {folders} --count 256 --no-shrink");
    let said = shell(&folder, &regress).with_code(1);
    let again = printed(&said, "again  ");
    for kind in ["check programs", "measure workloads", "replay"] {
        let command = again.iter().find(|command| command.starts_with(&format!("cosim {kind} ")));
        fails_again(&folder, command.unwrap_or_else(|| panic!("no {kind}: {said}")));
    }
}
