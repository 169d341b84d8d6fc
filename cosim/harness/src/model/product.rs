// SPDX-License-Identifier: Apache-2.0
//! What a program calls its place for models, and how its users install the tools that it needs.

/// The names that depend on the program.
#[derive(Clone, Debug)]
pub struct Product {
    /// Name of the folder for models, in the user's folder for caches.
    pub folder: String,
    /// The variable that names another folder.
    pub variable: String,
    /// The command that installs Verilator and a compiler, if there is one.
    pub setup: Option<&'static str>,
    /// The one that installs Yosys and Verible.
    pub setup_lint: Option<&'static str>,
}

impl Product {
    /// Of a program with this name: `gcd` keeps models in `gcd`, or where `GCD_MODELS` says.
    pub fn named(name: &str) -> Product {
        let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        let variable = name.chars().map(word).collect::<String>() + "_MODELS";
        Product { folder: name.to_owned(), variable, setup: None, setup_lint: None }
    }
}
