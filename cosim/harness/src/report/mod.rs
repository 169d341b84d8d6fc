// SPDX-License-Identifier: Apache-2.0
//! What the cases of a unit came to, for people and for CI systems: `outcome` has it, `buckets` the failing cases by
//! their causes, `index` a page of these; `junit` and `summary` are for CI systems.

pub mod buckets;
mod explain;
pub mod index;
pub mod junit;
mod outcome;
pub mod summary;

pub use outcome::{Bucket, Explained, Failed, Outcome, name};

use maud::Markup;

use crate::base::html;
use crate::cases::Sum;

/// The style of all pages.
const STYLE: &str = include_str!("style.css");

/// A page with the style of all pages, and with a script if it needs one.
pub fn page(title: &str, body: &Markup, script: Option<&str>) -> String {
    html::document(STYLE, title, body, script)
}

/// Words of a program in its reports.
pub struct Words {
    /// What was run, in titles: `gcd random`.
    pub title: String,
    /// Head of the column with the units.
    pub unit: &'static str,
    /// Head of the column with the part of the unit that has failed.
    pub block: &'static str,
    /// Head of the column with what a small case consists of.
    pub steps: &'static str,
    /// What the cases of a bucket have in common; the first part tells its own pages from others.
    pub about: [&'static str; 2],
}

/// Sums over cases that reports can show.
pub trait Reported: Sum {
    /// Heads of their columns.
    const HEADS: &'static [&'static str];

    /// What steps and cases are called in pages.
    fn words() -> Words;

    /// The columns of their line in a table.
    fn cells(&self) -> Vec<String>;

    /// What was done, in half a sentence.
    fn text(&self) -> String;

    /// What a reader has to know about it, if anything.
    fn note(&self) -> Option<&'static str> {
        None
    }

    /// More about it, in lines that begin with a line feed.
    fn details(&self) -> String {
        String::new()
    }

    /// The same of several units, in Markdown.
    fn markdown(_: &[Outcome<Self>]) -> String
    where
        Self: Sized,
    {
        String::new()
    }
}

#[cfg(test)]
mod testing {
    use super::{Reported, Words};
    use crate::cases::Sum;

    /// Sums over nothing.
    #[derive(Default)]
    pub struct Nothing;

    impl Sum for Nothing {
        fn add(&mut self, _: Nothing) {}
    }

    impl Reported for Nothing {
        const HEADS: &'static [&'static str] = &[];

        fn words() -> Words {
            Words { title: "unit random".into(), unit: "unit", block: "block", steps: "steps", about: ["", ""] }
        }

        fn cells(&self) -> Vec<String> {
            Vec::new()
        }

        fn text(&self) -> String {
            String::new()
        }
    }
}
