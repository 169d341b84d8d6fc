// SPDX-License-Identifier: Apache-2.0
//! Survivors that a person has looked at: why no program can tell them. An argument is no proof, so they are counted apart.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::mutant::Mutant;

/// Most bytes of a file.
const LARGEST: u64 = 1 << 20;

/// Survivors with one reason.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reviewed {
    /// The mutants, by one of what [`Mutant::names`] gives: a name that several share is about all of them. `[1,3..5]` is the
    /// bits 1, 3, 4 and 5.
    mutants: Vec<String>,
    /// Why nothing tells them.
    because: String,
    /// The configurations that it holds in; none: all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    only: Vec<String>,
    /// They are slower, or faster, than the unit, which is all that a program can tell.
    #[serde(default)]
    slower: bool,
}

/// Why a mutant cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The reason.
    pub because: String,
    /// Its clock cycles can.
    pub slower: bool,
}

/// All of them that hold in a configuration.
#[derive(Debug, Default)]
pub struct Review(BTreeMap<String, Reason>);

impl Review {
    /// Reads a list, for the configuration of this name.
    ///
    /// # Errors
    /// For a file that cannot be read, is no list, or has a mutant twice or without a reason.
    pub fn read(path: &Path, config: &str) -> Result<Review> {
        let name = path.display();
        let text = files::read_text(path, LARGEST).with_context(|| format!("cannot read {name}"))?;
        Review::parse(&text, config).with_context(|| format!("{name} is no list of reviewed mutants"))
    }

    fn parse(text: &str, config: &str) -> Result<Review> {
        let list: Vec<Reviewed> = serde_json::from_str(text)?;
        let (mut review, mut seen) = (Review::default(), BTreeSet::new());
        for Reviewed { mutants, because, only, slower } in list {
            ensure!(!because.trim().is_empty(), "{mutants:?} have no reason");
            for mutant in mutants.iter().flat_map(|name| each_bit(name)) {
                ensure!(seen.insert(mutant.clone()), "{mutant:?} is there twice");
                if only.is_empty() || only.iter().any(|name| name == config) {
                    review.0.insert(mutant, Reason { because: because.clone(), slower });
                }
            }
        }
        Ok(review)
    }

    /// Why this mutant cannot be told, if somebody knows.
    pub fn reason(&self, mutant: &Mutant) -> Option<&Reason> {
        mutant.names().iter().find_map(|name| self.0.get(name))
    }

    /// Those of the list that are at none of the `places` where there can be mutants: the RTL has changed since.
    pub fn unknown(&self, places: &BTreeSet<String>) -> Vec<String> {
        // What is behind the name of a place says which of its mutants are meant.
        let at = |name: &str, place: &str| name.strip_prefix(place).is_some_and(|rest| rest.starts_with([',', ' ']));
        let known = |name: &String| places.contains(name) || places.iter().any(|place| at(name, place));
        self.0.keys().filter(|name| !known(name)).cloned().collect()
    }
}

/// The names that a name with several bits stands for.
fn each_bit(name: &str) -> Vec<String> {
    let several = |at: usize| {
        let (list, after) = name[at + 2..].split_once(']')?;
        let bits = list.split(',').map(range).collect::<Option<Vec<_>>>()?;
        list.contains([',', '.']).then_some((&name[..at], bits, after))
    };
    match name.match_indices(" [").find_map(|(at, _)| several(at)) {
        Some((before, bits, after)) => {
            bits.into_iter().flatten().flat_map(|bit| each_bit(&format!("{before} [{bit}]{after}"))).collect()
        }
        None => vec![name.to_owned()],
    }
}

/// `3..5`, or `3` alone.
fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_bits_stand_for_each_of_them() {
        let each = |tail: &str| each_bit(&format!("a.sv, $or Y: [[b]] c {tail}"));
        let named =
            |tails: &[&str]| tails.iter().map(|tail| format!("a.sv, $or Y: [[b]] c {tail}")).collect::<Vec<_>>();
        assert_eq!(each("[9..10]"), named(&["[9]", "[10]"]));
        assert_eq!(each("cnot1 [1,3..4] by [7,0]").len(), 6);
        assert_eq!(each("cnot1 [1] by [7,0]"), named(&["cnot1 [1] by [7]", "cnot1 [1] by [0]"]));
        assert_eq!(each("[9]"), named(&["[9]"]));
        // As it may stand in the RTL.
        assert_eq!(each("d [3:0], inv"), named(&["d [3:0], inv"]));
    }

    #[test]
    fn the_lists_of_the_project_are_read() {
        for path in crate::mutate::REVIEWED {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            assert!(Review::read(&root.join(path), "tiny").expect(path).0.len() > 500, "{path}");
            // The netlist was looked at in one configuration alone.
            let other = Review::read(&root.join(path), "w16").expect(path);
            assert_eq!(other.0.is_empty(), path.contains("netlist"), "{path}");
        }
    }

    #[test]
    fn entries_without_a_reason_and_twice_the_same_are_refused() {
        let entry = |mutant: &str, because: &str| format!(r#"{{"mutants":["{mutant}"],"because":"{because}"}}"#);
        let parse = |entries: &[String]| Review::parse(&format!("[{}]", entries.join(",")), "tiny");
        assert_eq!(parse(&[entry("a", "x"), entry("b", "y")]).expect("list").0.len(), 2);
        assert!(parse(&[entry("a", " ")]).is_err());
        assert!(parse(&[entry("a", "x"), entry("a", "y")]).is_err());
        assert!(Review::parse("{}", "tiny").is_err());
    }

    #[test]
    fn a_reason_is_of_a_place_that_there_is() {
        let list = r#"[{"mutants":["a.sv, $or Y: b","a.sv, $or Y: b, inv","a.sv, $or Y: b [2]","a.sv, $or Y: bc"],"because":"x"}]"#;
        let places = BTreeSet::from(["a.sv, $or Y: b".to_owned()]);
        assert_eq!(Review::parse(list, "tiny").expect("list").unknown(&places), ["a.sv, $or Y: bc"]);
    }

    #[test]
    fn a_reason_may_hold_in_some_configurations_alone() {
        let list = r#"[{"mutants":["a"],"because":"x","only":["tiny"]},{"mutants":["b"],"because":"y"}]"#;
        let known = |config| Review::parse(list, config).expect("list").0.into_keys().collect::<Vec<String>>();
        assert_eq!(known("tiny"), ["a", "b"]);
        assert_eq!(known("w16"), ["b"]);
    }
}
