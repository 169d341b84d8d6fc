// SPDX-License-Identifier: Apache-2.0
//! Types of ports and signals.

use std::fmt;

/// A SystemVerilog data type: a base (`logic` or a type of the package) and packed ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ty {
    base: String,
    ranges: Vec<String>,
}

impl Ty {
    /// One bit.
    pub fn bit() -> Ty {
        Ty { base: "logic".into(), ranges: Vec::new() }
    }

    /// `logic [width-1:0]`; `width` is a number or a constant expression such as `RowW`.
    pub fn bits(width: impl fmt::Display) -> Ty {
        Ty::bit().packed(width)
    }

    /// A type that the package declares; its name ends in `_t` or `_e`.
    pub fn named(name: &str) -> Ty {
        assert!(name.ends_with("_t") || name.ends_with("_e"), "type name {name} does not end in _t or _e");
        Ty { base: name.into(), ranges: Vec::new() }
    }

    /// `count` packed elements of this type, as the outermost dimension.
    pub fn packed(mut self, count: impl fmt::Display) -> Ty {
        let count = count.to_string();
        let range = match count.parse::<u64>() {
            Ok(n) => {
                assert!(n > 0, "a packed range of no bits");
                format!("[{}:0]", n - 1)
            }
            Err(_) => format!("[{count}-1:0]"),
        };
        self.ranges.insert(0, range);
        self
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base)?;
        if !self.ranges.is_empty() {
            write!(f, " {}", self.ranges.concat())?;
        }
        Ok(())
    }
}
