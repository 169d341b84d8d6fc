// SPDX-License-Identifier: Apache-2.0
//! Runs of the program, and what it runs on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use cosim_bench::case::Case;
use cosim_bench::run::FailedCase;
use cosim_bench::run::executor::run_case;
use cosim_bench::run::regression::{Plan, run as run_cases};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Target;
use rtl_gen::Config;

pub const COSIM: &str = env!("CARGO_BIN_EXE_cosim");

/// How a run ended, and what it printed.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Done { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Done {
    /// All that it printed, after it has ended with this exit code.
    #[track_caller]
    pub fn with_code(self, code: i32) -> String {
        let Done { code: ended, out, err } = self;
        assert_eq!(ended, Some(code), "{out}{err}");
        out + &err
    }

    /// It could not run, and said this.
    #[track_caller]
    pub fn refused(&self, message: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.contains(message), "{message}: {}", self.err);
    }
}

/// Ends when the command does.
pub fn run(command: &mut Command) -> Done {
    command.output().expect("it runs").into()
}

/// `cosim` with the words of `arguments`, in a folder.
pub fn cosim(folder: &Path, arguments: &str) -> Done {
    run(Command::new(COSIM).current_dir(folder).args(arguments.split_whitespace()))
}

/// `cosim` with these arguments, paths among them.
pub fn cosim_with(arguments: &[&str]) -> Done {
    run(Command::new(COSIM).args(arguments))
}

/// A line for a shell, with `cosim` on PATH.
pub fn shell(folder: &Path, line: &str) -> Done {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", Path::new(COSIM).parent().expect("folder").display());
    run(Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path))
}

/// Sends a signal to a process.
pub fn signal(process: u32, name: &str) {
    let kill = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(kill.expect("kill").success());
}

/// Waits until `done`, a minute at most.
#[track_caller]
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The number behind `before` in a line.
pub fn number(line: &str, before: &str) -> u64 {
    let rest = &line[line.find(before).expect(before) + before.len()..];
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number in {line}"))
}

/// The folder of the only failing case below `out`; beside it is the page of the run, and nothing of cases that ran.
pub fn case_folder(out: &Path) -> PathBuf {
    let entries = fs::read_dir(out).expect("folder").map(|entry| entry.expect("entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| !path.ends_with("index.html")).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    folders.remove(0)
}

/// Replaces the only `from` of a file.
pub fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert_eq!(text.matches(from).count(), 1, "{from} in {}", path.display());
    fs::write(path, text.replace(from, to)).expect("written");
}

/// Writes the RTL of `tiny`.
pub fn write_tiny(rtl: &Path) {
    rtl_gen::write(&Config::named("tiny").expect("tiny"), rtl).expect("written");
}

/// Makes RTL wrong. The same way in all tests, so that the model is made once.
pub fn break_lane_swap(rtl: &Path) {
    edit(&rtl.join("tl_lane_swap.sv"), "if (swap_i[s])", "if (swap_i[s] && s != 1)");
}

/// Writes a script that can be executed.
pub fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
}

/// A compiler whose libraries are none, as on a machine that lacks what they need.
pub fn compiler(folder: &Path, library: &str) -> PathBuf {
    let text = "#!/bin/sh\nfor word; do case $word in\n--version) echo fake 1; exit;;\n-shared) shared=1;;\n\
                  -o) next=1; continue;;\n*) [ -z \"$next\" ] || out=$word;;\nesac; next=; done\n\
                  if [ -n \"$shared\" ]; then LIBRARY; else echo object >\"$out\"; fi\n";
    let path = folder.join("c++");
    script(&path, &text.replace("LIBRARY", library));
    path
}

/// A configuration of no name of ours; the same in all tests, so that its model is made once.
pub const OWN: &str =
    "name = \"own\"\nlanes = 8\nreg_bytes = 64\nelement_widths = [8]\nl1m_bytes = 4096\nl0m_bytes = 4096\n";

/// A configuration that has a name.
pub fn target(name: &str) -> Target {
    cosim::workshop().target(name).expect(name)
}

/// A configuration out of a file.
pub fn target_of(toml: &str) -> Target {
    cosim::workshop().target_of(Config::from_toml(toml).expect("legal")).expect("legal")
}

/// `tiny` with planted faults, all instruction sets and precise traps.
pub fn tiny() -> Target {
    cosim::workshop().with_faults().expect("tiny")
}

/// A unit with the narrowest port.
pub fn thin() -> Target {
    target_of("name = \"thin\"\nlanes = 8\nmem_port_bytes = 4\nmatrix = true\n")
}

/// Every case of every target passes.
pub fn all_pass(targets: impl IntoIterator<Item = Target>, cases: impl Fn(&Target) -> Vec<Case>) {
    for target in targets {
        for case in cases(&target) {
            run_case(&target, &case, ModelKind::Fast, 0, |_| Ok(()))
                .unwrap_or_else(|failure| panic!("{}: {failure:?}", target.name()));
        }
    }
}

/// The first of random cases of seed 1 that fails with this planted fault.
pub fn failure(fault: u32) -> FailedCase {
    let plan = Plan { seed: 1, instructions: 30_000, jobs: 2, fault };
    run_cases(&tiny(), &plan, |_| ()).failed.unwrap_or_else(|| panic!("fault {fault} does not show"))
}

/// All configurations with matrix instructions.
pub fn matrix_targets() -> Vec<Target> {
    let mut all = cosim::workshop().targets("all").expect("all");
    all.retain(|target| target.golden.matrix.is_some());
    assert!(all.len() >= 3, "{} configurations with matrix instructions", all.len());
    all
}

/// A file of the repository as text.
pub fn repository_text(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).expect(name)
}
