// SPDX-License-Identifier: Apache-2.0
//! Sets of bits of signals, written as `addr_o[0..PortW]` or `data[*][3,L0mW-1..]`.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result, ensure};

use crate::unit::target::Target;

/// The sizes of a configuration that bounds may name, as `tl_pkg` calls them.
pub struct Sizes(BTreeMap<&'static str, u32>);

/// Bits of signals: names, dots and indexes as Verilator writes them, names as alternatives with `|`. An index in brackets is a list of `3`, `3..7`
/// (without 7), `3..` (to the end) and `*` (all), with sizes of the configuration and `+` and `-`.
pub struct Signals(Vec<Piece>);

enum Piece {
    Name(String),
    Index(Vec<Range<u32>>),
}

impl Sizes {
    /// Those of `target`.
    pub fn new(target: &Target) -> Sizes {
        let rtl = &target.rtl;
        let gran = rtl.granule_bits();
        let gran_lanes = 8 * rtl.lanes / gran;
        let rows = rtl.reg_bytes / rtl.lanes;
        let mx_rows = rtl.tlen / rtl.trlen;
        let mx_row_bytes = (rtl.trlen / 8).max(4 * mx_rows);
        Sizes(BTreeMap::from([
            ("Gran", gran),
            ("GranLanes", gran_lanes),
            ("GranLaneW", gran_lanes.ilog2()),
            ("GranW", (rows * gran_lanes).ilog2()),
            ("RowW", rows.ilog2()),
            ("ByteW", rtl.reg_bytes.ilog2()),
            ("PortW", rtl.port_bytes().ilog2()),
            ("L1mW", rtl.l1m_bytes.ilog2()),
            ("L0mW", rtl.l0m_bytes.ilog2()),
            ("TagW", rtl.queue_entries.next_power_of_two().ilog2()),
            ("MxMemW", rtl.l1m_bytes.max(rtl.l0m_bytes).ilog2()),
            ("MxByteW", mx_row_bytes.ilog2()),
            ("MxRows", mx_rows),
        ]))
    }

    /// A number, or sizes and numbers with `+` and `-`; below 0 counts as 0.
    fn value(&self, text: &str) -> Result<u32> {
        let mut sum = 0i64;
        for term in text.replace('-', "+-").split('+') {
            let (sign, name) = term.strip_prefix('-').map_or((1, term), |name| (-1, name));
            let number = name.parse().ok().or_else(|| self.0.get(name).copied());
            sum += sign * i64::from(number.with_context(|| format!("{name:?} is no number and no size"))?);
        }
        Ok(u32::try_from(sum.max(0))?)
    }
}

impl Signals {
    /// Reads what is written as above.
    ///
    /// # Errors
    /// For anything else.
    pub fn parse(text: &str, sizes: &Sizes) -> Result<Signals> {
        let range = |part: &str| {
            Ok(match part.split_once("..") {
                _ if part == "*" => 0..u32::MAX,
                Some((first, "")) => sizes.value(first)?..u32::MAX,
                Some((first, end)) => sizes.value(first)?..sizes.value(end)?,
                None => sizes.value(part).map(|only| only..only.saturating_add(1))?,
            })
        };
        let pieces = split(text).into_iter().map(|(index, piece)| match index {
            false => Ok(Piece::Name(piece.to_owned())),
            true => Ok(Piece::Index(piece.split(',').map(range).collect::<Result<_>>()?)),
        });
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        let brackets = [text.matches('[').count(), text.matches(']').count()];
        ensure!(!pieces.is_empty() && brackets[0] == brackets[1], "no signal with indexes in brackets");
        Ok(Signals(pieces))
    }

    /// Whether a bit, as Verilator names it, is one of them.
    pub fn contain(&self, bit: &str) -> bool {
        let pieces = split(bit);
        let fits = |(piece, (index, text)): (&Piece, &(bool, &str))| match piece {
            Piece::Name(names) => !index && names.split('|').any(|name| name == *text),
            Piece::Index(ranges) => {
                let number = text.parse().ok().filter(|_| *index);
                number.is_some_and(|number: u32| ranges.iter().any(|range| range.contains(&number)))
            }
        };
        pieces.len() == self.0.len() && self.0.iter().zip(&pieces).all(fits)
    }
}

/// Names, and what is in brackets: that is marked.
fn split(text: &str) -> Vec<(bool, &str)> {
    let pieces = text.split('[').flat_map(|part| {
        let (index, rest) = part.split_once(']').map_or((None, part), |(index, rest)| (Some(index), rest));
        [index.map(|index| (true, index)), (!rest.is_empty()).then_some((false, rest))]
    });
    pieces.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(text: &str) -> Result<Signals> {
        Signals::parse(text, &Sizes::new(&crate::unit::testing::target("tiny")))
    }

    #[test]
    fn indexes_select_bits() {
        let contain = |text: &str, bit: &str| signals(text).expect("signals").contain(bit);
        assert!(contain("addr_o[0..PortW]", "addr_o[2]") && !contain("addr_o[0..PortW]", "addr_o[3]"));
        assert!(contain("addr_o[L0mW..]", "addr_o[12]") && !contain("addr_o[L0mW..]", "addr_o[11]"));
        assert!(contain("a.b[*][PortW-1,7]", "a.b[9][2]") && contain("a.b[*][PortW-1,7]", "a.b[0][7]"));
        assert!(!contain("a.b[*][PortW-1]", "a.b[9][1]") && !contain("a.b[*]", "a.b[9][1]"));
        assert!(contain("a|b.c[1]", "a[1]") && contain("a|b.c[1]", "b.c[1]") && !contain("a|b.c[1]", "b[1]"));
        assert!(contain("valid", "valid") && !contain("valid", "valid_q") && !contain("valid", "valid[0]"));
        assert!(contain("a[1].b[0]", "a[1].b[0]") && !contain("a[1].b[0]", "a[0].b[0]"));
        assert!(!contain("a[3..2]", "a[2]") && !contain("a[0-1]", "a[1]") && contain("a[0-1]", "a[0]"));
    }

    #[test]
    fn anything_else_is_an_error() {
        for bad in ["", "a[", "a[]", "a[x]", "a[1..y]", "a[1,,2]", "a[99999999999]"] {
            assert!(signals(bad).is_err(), "{bad}");
        }
    }
}
