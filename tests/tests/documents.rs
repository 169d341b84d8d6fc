// SPDX-License-Identifier: Apache-2.0
//! The documents name what is there: links, files, options of the programs; and their examples do what they say.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::markdown::{all, files, is_like, read, root, session};

#[test]
fn examples_do_what_they_say() {
    session::run("docs/isa.md", &[]);
    session::run("docs/export.md", &[]);
    session::run("docs/configuration.md", &[("program.s", "addi x1, x0, 1\n")]);
}

/// Fails with all that is wrong, not with the first of it.
fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let (mut count, mut complaints) = (0, Vec::new());
    for document in all() {
        let folder = root().join(&document.name).parent().unwrap().to_owned();
        for link in document.links.iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (file, anchor) = link.split_once('#').map_or((link.as_str(), None), |(file, a)| (file, Some(a)));
            let path = if file.is_empty() { root().join(&document.name) } else { folder.join(file) };
            if !path.exists() {
                complaints.push(format!("{}: ({link}): there is no such file", document.name));
            } else if let Some(anchor) = anchor {
                let path = path.canonicalize().unwrap();
                let anchors = read(path.strip_prefix(root()).unwrap().to_str().unwrap()).anchors;
                if !anchors.iter().any(|a| a == anchor) {
                    complaints.push(format!("{}: ({link}): no such heading; {anchors:?}", document.name));
                }
            }
        }
    }
    none(&complaints);
    assert!(count > 40, "{count} links");
}

#[test]
fn changes_in_documents_fit_the_files() {
    let blocks: Vec<_> = all().into_iter().flat_map(|document| document.blocks).collect();
    let changes: Vec<_> = blocks.iter().filter(|block| block.language == "diff").collect();
    assert!(!changes.is_empty());
    let lines = changes.iter().flat_map(|block| &block.lines);
    let patch: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    let git = assert_cmd::Command::new("git")
        .args(["apply", "--check", "-"])
        .current_dir(root())
        .write_stdin(patch)
        .output()
        .unwrap();
    assert!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
}

/// Every file and folder of the checkout, as paths from its folder.
fn checkout() -> (BTreeSet<String>, Vec<PathBuf>) {
    let hidden = |path: &Path| path.to_str().unwrap().starts_with(['.']) && !path.starts_with(".ci");
    let top: Vec<PathBuf> = std::fs::read_dir(root()).unwrap().map(|e| e.unwrap().file_name().into()).collect();
    // What programs write has names of its own, in .gitignore.
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap();
    let top = top.into_iter().filter(|path| {
        let made = ignored.lines().any(|line| line.strip_prefix('/') == path.to_str());
        !made && !hidden(path) && root().join(path).is_dir()
    });
    let top: BTreeSet<String> = top.map(|path| path.to_str().unwrap().to_owned()).collect();
    let mut paths = files(Path::new(""), false);
    top.iter().for_each(|folder| paths.extend(files(Path::new(folder), true)));
    (top, paths)
}

/// The path with `*` where it has a name in angle brackets.
fn pattern(code: &str) -> String {
    let mut pieces = code.split('<');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + "*" + piece.split_once('>').map_or(piece, |(_, rest)| rest))
}

#[test]
fn files_in_backticks_exist() {
    let (top, paths) = checkout();
    let names: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    // Sources are also named without the folder that the text is about.
    let is_part =
        |part: &str| names.iter().any(|name| name.strip_suffix(part).is_some_and(|s| s.is_empty() || s.ends_with('/')));
    let (mut count, mut complaints) = (0, Vec::new());
    for document in all() {
        // The log of changes names what has gone, too.
        if document.name == "CHANGELOG.md" {
            continue;
        }
        for (line, code) in document.code {
            let code = code.trim();
            let known = if code.contains([' ', '{', '$', '"']) {
                continue;
            } else if top.contains(code.split('/').next().unwrap()) && code.contains('/') {
                let code = pattern(code.trim_end_matches('/'));
                names.iter().any(|name| is_like(&code, "*", name) || is_like(&format!("{code}/*"), "*", name))
            } else if code.ends_with(".rs") {
                is_part(code)
            } else {
                continue;
            };
            count += 1;
            if !known {
                complaints.push(format!("{}:{line}: `{code}` is not in the repository", document.name));
            }
        }
    }
    none(&complaints);
    assert!(count > 60, "{count} files");
}

/// Help texts of the programs, by the words that ask for them.
#[derive(Default)]
struct Programs(BTreeMap<Vec<String>, String>);

impl Programs {
    fn help(&mut self, words: &[&str]) -> &str {
        let key: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        self.0.entry(key).or_insert_with(|| {
            let arguments: Vec<&str> = words[1..].iter().copied().chain(["--help"]).collect();
            e2e::stdout(words[0], &arguments)
        })
    }

    /// The commands that a help text lists.
    fn commands(&mut self, words: &[&str]) -> String {
        self.help(words).split_once("\nCommands:\n").map_or(String::new(), |(_, commands)| commands.to_owned())
    }

    /// What is wrong with a command line.
    fn complaint(&mut self, line: &str) -> Option<String> {
        let line = line.split(" #").next().unwrap_or_default();
        // Anything behind a word of the shell is another command.
        let words: Vec<&str> =
            line.split_whitespace().take_while(|word| !["|", ">", "&&", "||", ";"].contains(word)).collect();
        let mut asked = vec![words[0]];
        for word in words[1..].iter().take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase())) {
            let commands = self.commands(&asked);
            if commands.is_empty() {
                break;
            }
            let lists = |commands: &str| {
                let mut listed = commands.lines().take_while(|line| !line.is_empty());
                listed.any(|line| line.split_whitespace().next() == Some(word))
            };
            // What is in a group has its old name, too, which no help lists.
            let top = asked == ["cosim"];
            let hidden = top && ["check", "measure"].iter().any(|group| lists(&self.commands(&["cosim", group])));
            if !lists(&commands) && !hidden {
                return Some(format!("{} has no command {word}", asked.join(" ")));
            }
            asked.push(word);
        }
        let help = self.help(&asked).to_owned();
        let options: BTreeSet<&str> = help
            .lines()
            .filter(|line| line.trim_start().starts_with('-'))
            .flat_map(|line| line.split_whitespace().map(|word| word.trim_end_matches(',')))
            .filter(|word| word.starts_with('-'))
            .collect();
        let used = words.iter().filter(|word| word.starts_with("--") || (word.len() == 2 && word.starts_with('-')));
        let unknown = used.map(|word| word.split('=').next().unwrap_or_default()).find(|word| {
            let number = word[1..].parse::<u32>().is_ok();
            !options.contains(word) && *word != "-" && *word != "--" && !number
        });
        unknown.map(|option| format!("{} has no option {option}", asked.join(" ")))
    }
}

#[test]
fn command_lines_use_options_that_there_are() {
    let is_ours = |line: &str| ["cosim ", "golden ", "rtl-gen "].iter().any(|program| line.starts_with(program));
    let mut programs = Programs::default();
    let (mut count, mut complaints) = (0, Vec::new());
    for document in all() {
        let fenced =
            document.blocks.iter().flat_map(|block| &block.lines).map(|(number, line)| (*number, line.clone()));
        let inline = document.code.clone();
        for (number, line) in fenced.chain(inline).map(|(n, line)| (n, line.trim_start_matches("$ ").to_owned())) {
            if is_ours(&line) {
                count += 1;
                let complaint = programs.complaint(&line);
                complaints.extend(complaint.map(|text| format!("{}:{number}: {text}: {line}", document.name)));
            }
        }
    }
    none(&complaints);
    assert!(count > 40, "{count} command lines");
}

/// Decimal numbers of five digits and more, which measurements have, and sizes.
fn long_numbers(text: &str) -> BTreeSet<u64> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != ',' && c != '.');
    let digits = words.map(|word| word.trim_end_matches(['.', ',']).replace(',', ""));
    digits.filter(|word| word.len() >= 5).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_figure_stands_in_one_document() {
    let mut places = BTreeMap::<u64, BTreeSet<String>>::new();
    // A table that is made has hundreds of numbers, some of which are others by chance. The other page quotes files.
    let left_out = ["docs/workloads.md", "docs/new-instruction.md"];
    for document in all().into_iter().filter(|document| !left_out.contains(&document.name.as_str())) {
        for number in long_numbers(&document.source) {
            places.entry(number).or_default().insert(document.name.clone());
        }
    }
    assert!(places.len() > 50, "{} numbers", places.len());
    // A power of two is a size.
    let twice = places.iter().filter(|(number, names)| names.len() > 1 && !number.is_power_of_two());
    none(
        &twice
            .map(|(number, names)| format!("{number} stands in {names:?}; one of them could link"))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn a_wrong_command_line_is_told() {
    let mut programs = Programs::default();
    let mut complaint = |line| programs.complaint(line);
    assert_eq!(complaint("cosim random --config w16 --count 20 # --more"), None);
    assert_eq!(complaint("cosim shrink FILE -o SMALLER"), None);
    assert_eq!(complaint("cosim random --cuont 20"), Some("cosim random has no option --cuont".into()));
    assert_eq!(complaint("cosim coverage mrege A"), Some("cosim coverage has no command mrege".into()));
    assert_eq!(complaint("rtl-gen --rtl DIR"), Some("rtl-gen has no option --rtl".into()));
}

#[test]
fn dots_stand_for_what_was_left_out() {
    let fits = session::lines_fit;
    assert!(fits(&["a", "...", "z"], &["a", "z"]) && fits(&["a", "  ...", "z"], &["a", "b", "c", "z"]));
    assert!(fits(&["one ... three...", "..."], &["one two three", "four"]));
    assert!(!fits(&["a", "z"], &["a", "b", "z"]) && !fits(&["a..."], &["b"]) && !fits(&["a"], &[]));
}
