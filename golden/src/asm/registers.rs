// SPDX-License-Identifier: Apache-2.0
//! Register names. `t5` is tl5 where a TLReg belongs and x30 where a host register belongs.

use crate::tiles::Tile;

const ABI: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

/// The number of a TLReg: `tl5`, `tlr5` or `t5`.
pub(super) fn tl(name: &str) -> Option<u8> {
    ["tlr", "tl", "t"].iter().find_map(|prefix| name.strip_prefix(prefix)).and_then(index)
}

/// The number of a matrix register of the kind that `prefix` names: `tr0`..`tr3` or `acc0`..`acc3`.
pub(super) fn matrix(name: &str, prefix: &str) -> Option<u8> {
    name.strip_prefix(prefix).and_then(index).filter(|&i| i < Tile::OF_A_KIND)
}

/// The number of a host register: `x5` or an ABI name.
pub(super) fn gpr(name: &str) -> Option<u8> {
    if name == "fp" {
        return Some(8);
    }
    let abi = ABI.iter().zip(0..).find(|(abi, _)| **abi == name).map(|(_, i)| i);
    abi.or_else(|| name.strip_prefix('x').and_then(index))
}

/// A decimal 0..31 without leading zeros or signs.
fn index(text: &str) -> Option<u8> {
    (0..32).find(|i: &u8| i.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meaning_of_t5_depends_on_the_position() {
        assert_eq!((tl("t5"), gpr("t5")), (Some(5), Some(30)));
        assert_eq!((tl("tl31"), tl("tlr0"), tl("t31")), (Some(31), Some(0), Some(31)));
        assert_eq!(
            (gpr("x31"), gpr("zero"), gpr("fp"), gpr("s0"), gpr("a7")),
            (Some(31), Some(0), Some(8), Some(8), Some(17))
        );
    }

    #[test]
    fn other_names_are_no_registers() {
        for name in ["tl32", "tl05", "tl", "x5", "tl+1", "TL1", ""] {
            assert_eq!(tl(name), None, "{name}");
        }
        for name in ["x32", "x01", "tl5", "t7", "s12", "a8", "X1", ""] {
            assert_eq!(gpr(name), None, "{name}");
        }
    }
}
