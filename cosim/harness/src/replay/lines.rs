// SPDX-License-Identifier: Apache-2.0
//! JSON with a line for each field, and for each element of a field that is a list.

use std::io::{Result, Write};

use serde_json::ser::Formatter;

#[derive(Default)]
pub struct Lines {
    /// Brackets that are open.
    depth: usize,
    /// Whether the latest list has elements.
    filled: bool,
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> Result<()> {
        self.depth += 1;
        to.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> Result<()> {
        to.write_all(if first { b"" } else { b"," })?;
        to.write_all(if self.depth == 1 { b"\n  " } else { b"" })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> Result<()> {
        to.write_all(if self.depth == 1 { b": " } else { b":" })
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> Result<()> {
        self.depth -= 1;
        to.write_all(if self.depth == 0 { b"\n}\n" } else { b"}" })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> Result<()> {
        self.depth += 1;
        self.filled = false;
        to.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> Result<()> {
        to.write_all(if first { b"" } else { b"," })?;
        to.write_all(if self.depth == 2 { b"\n    " } else { b"" })
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> Result<()> {
        self.depth -= 1;
        to.write_all(if self.depth == 1 && self.filled { b"\n  ]" } else { b"]" })
    }
}
