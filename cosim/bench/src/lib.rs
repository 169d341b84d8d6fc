// SPDX-License-Identifier: Apache-2.0
//! The co-verification bench: the verilated RTL and the golden model in lockstep.
//!
//! It does not know the generator: a [`unit::target::Workshop`] is given one. So a change of the generator compiles the
//! generator, and not this.
//!
//! It stands on `cosim-harness`, whose rooms it has under their names. A room uses those above it in this list, and none
//! below:
//!
//! 1. `unit`: configurations, and the models of the unit
//! 2. `decode`: the two decoders, compared on every word
//! 3. `lockstep`: one clock cycle of everything, what is compared, and what can go wrong
//! 4. `case`: what the unit is given in one run, and its form as a file
//! 5. `random`: random cases
//! 6. `coverage`: what a case hits, and cases for what is missing
//! 7. `run`: many cases: schedule, threads, workers, sums
//! 8. `shrink`: a failing case made smaller
//! 9. `triage`: a failure as text and as a folder
//! 10. `bench`: clock cycles against the roofline and against pinned ones, speed of the bench
//! 11. `mutate`: what the bench finds of mutants of the unit
//! 12. `ppa`: area, clock and depth of the RTL
//! 13. `operators`: operators on whole tensors
//! 14. `cli`: the commands

// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_harness::{base, bisect, model, waveform};

pub mod bench;
pub mod case;
pub mod cli;
pub mod coverage;
pub mod decode;
pub mod lockstep;
pub mod mutate;
pub mod operators;
pub mod ppa;
pub mod random;
pub mod run;
pub mod shrink;
pub mod triage;
pub mod unit;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// All source files below `folder`.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path());
        let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
        files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
    }

    /// The rooms that a source file names, with the line.
    fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
        let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        text.lines().flat_map(move |line| {
            line.split("crate::").skip(1).map(move |rest| (rest.split(ends).next().unwrap_or_default(), line))
        })
    }

    #[test]
    fn imports_go_one_way() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let this = fs::read_to_string(source.join("lib.rs")).expect("this file");
        let place = |line: &str| Some(line.strip_prefix("//! ")?.split_once(". `")?.1.split_once('`')?.0.to_owned());
        let order: Vec<String> = this.lines().filter_map(place).collect();
        let mut rooms: Vec<&str> = this.lines().filter_map(|line| line.strip_prefix("pub mod ")).collect();
        rooms.sort_by_key(|room| order.iter().position(|name| *name == room.trim_end_matches(';')));
        assert_eq!(rooms, order.iter().map(|name| format!("{name};")).collect::<Vec<_>>());
        let mut wrong = Vec::new();
        for (at, room) in order.iter().enumerate() {
            for file in sources(&source.join(room)) {
                let text = fs::read_to_string(&file).expect("source");
                for (name, line) in named(&text) {
                    if order.iter().position(|room| room == name).is_none_or(|other| other > at) {
                        wrong.push(format!("{}: {}", file.display(), line.trim()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "against the order of the rooms:\n{}", wrong.join("\n"));
    }
}
