// SPDX-License-Identifier: Apache-2.0
//! Finds and runs Verilator and a C++ compiler: those that variables name, then beside this program, in the checkout
//! that it was built from, on PATH. Never in the current folder, which may be anybody's.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::product::Product;
use super::store::{Key, Store};

/// The oldest version of Verilator that is known to work.
const OLDEST: (u32, u32) = (5, 6);

/// Folders of the checkout that this crate was built in, with tools that are not installed.
const PRIVATE: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/bin"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/venv/bin"),
];

/// What makes models.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The program of Verilator.
    pub verilator: PathBuf,
    /// First line of its `-V`.
    pub version: String,
    /// Folder of its run-time sources.
    pub include: PathBuf,
    /// A C++17 compiler: program and first arguments, such as `ccache g++`.
    pub compiler: Vec<OsString>,
    /// First line of its `--version`.
    pub compiler_version: String,
}

impl Toolchain {
    /// Takes the programs that `VERILATOR` and `CXX` name, those that the product's set-up has installed, or those on
    /// PATH; a store remembers what they answer.
    ///
    /// # Errors
    /// When one is missing, or old; the message says what to do.
    pub fn find(product: &Product, memory: Option<&Store>) -> Result<Toolchain> {
        let (verilator, version, include) = Toolchain::verilator(product, memory)?;
        let (compiler, compiler_version) = Toolchain::compiler(product, memory)?;
        Ok(Toolchain { verilator, version, include, compiler, compiler_version })
    }

    /// Verilator, its version, and the folder of its run-time sources.
    pub fn verilator(product: &Product, memory: Option<&Store>) -> Result<(PathBuf, String, PathBuf)> {
        // One run says all.
        let (verilator, said) = find_answer("VERILATOR", &["verilator"], "-V", product.setup, memory)?;
        let verilator = PathBuf::from(verilator.into_iter().collect::<OsString>());
        let version = first_line(&said);
        let root = root(&said).with_context(|| format!("{} -V does not name VERILATOR_ROOT", verilator.display()))?;
        let include = Path::new(root).join("include");
        // A build without version control information (the PyPI wheels) has no number. It is version 5 when it has
        // the timing of version 5; what else is missing shows when it runs.
        let unnumbered = version.contains("vUNKNOWN") && include.join("verilated_timing.h").is_file();
        if !unnumbered {
            let shown = verilator.display();
            let number = parse_version(&version)
                .with_context(|| format!("{shown} says {version:?}, which has no version number"))?;
            ensure!(
                number >= OLDEST,
                "{shown} is version {}.{:03}; {}.{:03} or newer is needed: {}, or name one with VERILATOR=/path",
                number.0,
                number.1,
                OLDEST.0,
                OLDEST.1,
                product.setup.map_or("install it".into(), |setup| format!("run `{setup}`"))
            );
        }
        Ok((verilator, version, include))
    }

    /// The compiler and its version.
    pub fn compiler(product: &Product, memory: Option<&Store>) -> Result<(Vec<OsString>, String)> {
        // Clang first: it takes less time, and what it makes runs faster.
        let names = ["clang++", "c++", "g++"];
        let (compiler, said) = find_answer("CXX", &names, "--version", product.setup, memory)?;
        Ok((compiler, first_line(&said)))
    }

    /// Whether the compiler is Clang, which leaves some atomic operations to a library of GCC.
    pub fn is_clang(&self) -> bool {
        self.compiler_version.contains("clang")
    }

    /// What waveforms are compressed with: newer Verilators have a writer that takes a second library.
    pub fn trace_libraries(&self) -> &'static [&'static str] {
        if self.include.join("fstcpp").is_dir() { &["-llz4", "-lz"] } else { &["-lz"] }
    }

    /// All of it that has an influence on what is compiled.
    pub fn identity(&self) -> String {
        // The wheels have no version, but their run-time sources differ.
        let runtime = ["verilated.h", "verilated.cpp", "verilated_config.h"]
            .map(|name| std::fs::read_to_string(self.include.join(name)).unwrap_or_default());
        [&[self.version.clone(), format!("{:?}", self.compiler), self.compiler_version.clone()], &runtime[..]]
            .concat()
            .join("\n")
    }

    /// The compiler, to be given its other arguments.
    pub fn compile(&self) -> Command {
        command(&self.compiler)
    }
}

/// The program that the variable names, or the first of `names` that answers to `version`.
///
/// # Errors
/// When there is none; the message names the variable and `setup`, a command that installs it.
pub fn find(variable: &str, names: &[&str], version: &str, setup: Option<&str>) -> Result<PathBuf> {
    find_answer(variable, names, version, setup, None).map(|(words, _)| words.into_iter().collect::<OsString>().into())
}

/// As [`find`], with what the program answers; only a program that `CXX` names has arguments.
fn find_answer(
    variable: &str,
    names: &[&str],
    version: &str,
    setup: Option<&str>,
    memory: Option<&Store>,
) -> Result<(Vec<OsString>, String)> {
    let answer = |words: &[OsString]| answer(words, version, memory);
    if let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
        let words = words(&value, variable == "CXX");
        let said = answer(&words);
        let said = said.with_context(|| format!("{variable}={} does not run", value.to_string_lossy()))?;
        return Ok((words, said));
    }
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(PRIVATE.map(PathBuf::from)).chain(std::env::split_paths(&path));
    // A folder of PATH that is not absolute is below the current one.
    for folder in folders.filter(|folder| folder.is_absolute()).filter_map(|folder| folder.canonicalize().ok()) {
        for path in names.iter().map(|name| folder.join(name)).filter(|path| path.is_file()) {
            let words = vec![path.into_os_string()];
            if let Some(said) = answer(&words) {
                return Ok((words, said));
            }
        }
    }
    let install = setup.map_or("install it".into(), |setup| format!("run `{setup}`, which installs it"));
    bail!("{} is missing: {install}, or name one with {variable}=/path", names[0])
}

/// What a program answers to `version`, if it does. A program that the store has seen with this path, size and time is
/// not run again.
fn answer(words: &[OsString], version: &str, memory: Option<&Store>) -> Option<String> {
    /// Name in the folder.
    const ANSWER: &str = "answer.txt";
    let ask = || {
        let done = command(words).arg(version).output().ok()?;
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let Some((store, key)) = memory.zip(look(words, version)) else { return ask() };
    let make = |folder: &Path| Ok(std::fs::write(folder.join(ANSWER), ask().context("no answer")?)?);
    let kept = store.get("tool", &key, make).ok();
    // A store that cannot be written is told when a model is made.
    kept.and_then(|folder| std::fs::read_to_string(folder.join(ANSWER)).ok()).or_else(ask)
}

/// What a program looks like from outside; none for what may hide another program, which can change alone. Scripts are
/// Verilator's, whose run-time sources are in [`Toolchain::identity`].
fn look(words: &[OsString], version: &str) -> Option<Key> {
    let [program] = words else { return None };
    let path = Path::new(program);
    let data = path.metadata().ok().filter(|_| path.is_absolute())?;
    let mut start = [0; 2];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).ok()?;
    if start == *b"#!" && version != "-V" {
        return None;
    }
    let seen = format!("{} {:?}", data.len(), data.modified().ok()?);
    let root = std::env::var("VERILATOR_ROOT").unwrap_or_default();
    Some(Key::digest([path.to_str()?, version, &seen, &root]))
}

/// The words of a variable: those between blanks where it is a command, as for make, unless all of it is the name of a
/// file. A program that is named with its folder is found from any folder then.
fn words(value: &OsStr, command: bool) -> Vec<OsString> {
    let text = value.to_string_lossy();
    let mut words: Vec<OsString> = match Path::new(value).is_file() || !command {
        true => vec![value.to_owned()],
        false => text.split_whitespace().map(OsString::from).collect(),
    };
    if let (Some(program), Ok(here)) = (words.first_mut(), std::env::current_dir())
        && Path::new(program).components().count() > 1
    {
        *program = here.join(&program).into_os_string();
    }
    words
}

/// A program with its first arguments.
fn command(words: &[OsString]) -> Command {
    let mut command = Command::new(words.first().map_or(OsStr::new(""), OsString::as_os_str));
    command.args(words.iter().skip(1));
    command
}

/// Runs a program to its end; what it printed.
///
/// # Errors
/// When it cannot be started, or fails: with its messages, the last lines if there are many. When it leaves no file of
/// the name behind its `-o`, too.
pub fn run(mut command: Command, name: &str) -> Result<String> {
    /// Lines of messages that are shown.
    const SHOWN: usize = 24;
    let done = command.output().with_context(|| format!("cannot run {name}: {:?}", command.get_program()))?;
    let arguments: Vec<&OsStr> = command.get_args().collect();
    let output = arguments.iter().position(|word| *word == "-o").and_then(|at| arguments.get(at + 1)).map(Path::new);
    let output = output.filter(|path| done.status.success() && !path.exists());
    if !done.status.success() || output.is_some() {
        let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let what = output.map_or("fails".into(), |path| format!("does not write {}", path.display()));
        let program = command.get_program().to_string_lossy();
        ensure!(!lines.is_empty(), "{name} {what}, without a message: {program}, {}", done.status);
        bail!("{name} {what}:\n{}", lines[lines.len().saturating_sub(SHOWN)..].join("\n"));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The first line of what a program answers.
fn first_line(said: &str) -> String {
    said.lines().next().unwrap_or_default().trim().to_owned()
}

/// The folder of Verilator: by the environment, which `verilator -V` shows last, else as it was built.
fn root(said: &str) -> Option<&str> {
    let values =
        said.lines().filter_map(|line| line.trim().strip_prefix("VERILATOR_ROOT")?.trim_start().strip_prefix('='));
    values.map(str::trim).rfind(|value| !value.is_empty())
}

/// `Verilator 5.006 2023-01-22 ...` is (5, 6).
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.strip_prefix("Verilator ")?.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Verible's parser: what `VERIBLE` names, `setup` has installed, or is on PATH.
///
/// # Errors
/// When there is none.
pub fn verible(setup: Option<&str>) -> Result<PathBuf> {
    find("VERIBLE", &["verible-verilog-syntax"], "--version", setup)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_variable_is_a_command_whose_program_is_found_from_other_folders() {
        let here = std::env::current_dir().expect("folder");
        let text = |value: &str, command| -> Vec<String> {
            words(OsStr::new(value), command).into_iter().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(text("ccache  g++ -m64", true), ["ccache", "g++", "-m64"]);
        assert_eq!(text("tools/c++", true), [here.join("tools/c++").to_string_lossy()]);
        assert_eq!(text("/opt/my tools/verilator", false), ["/opt/my tools/verilator"]);
        assert_eq!(text("verilator", false), ["verilator"]);
    }

    /// Not of a script, whose answer may be that of another program.
    #[test]
    fn the_answer_of_a_program_is_remembered_until_it_changes() {
        let folder = tempfile::tempdir().expect("folder");
        let store = Store::at(folder.path().join("models"));
        let allow = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("mode");
        let said = |path: &Path| answer(&[path.as_os_str().to_owned()], "--version", Some(&store));
        let [program, script] = ["program", "script"].map(|name| folder.path().join(name));
        std::fs::copy("/bin/true", &program).expect("copied");
        std::fs::write(&script, "#!/bin/sh\necho one\n").expect("written");
        for (path, remembered) in [(&program, true), (&script, false)] {
            allow(path, 0o755);
            let first = said(path);
            assert!(first.is_some(), "{path:?}");
            // It could not be asked.
            allow(path, 0o644);
            assert_eq!(said(path), first.filter(|_| remembered), "{path:?}");
            let file = std::fs::File::options().append(true).open(path).expect("file");
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("older");
            assert_eq!(said(path), None, "{path:?}");
        }
    }

    #[test]
    fn the_folder_of_the_environment_comes_before_the_one_of_the_build() {
        let built = "Verilator 5.006\n    VERILATOR_ROOT     = /usr/share/verilator\n";
        assert_eq!(root(&format!("{built}Environment:\n    VERILATOR_ROOT     = \n")), Some("/usr/share/verilator"));
        assert_eq!(root(&format!("{built}Environment:\n    VERILATOR_ROOT     = /own\n")), Some("/own"));
        assert_eq!(root("Verilator 5.006\n"), None);
    }

    #[test]
    fn versions_are_numbers() {
        assert_eq!(parse_version("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(parse_version("Verilator 5.048 2025"), Some((5, 48)));
        assert_eq!(parse_version("Verilator rev vUNKNOWN"), None);
    }
}
