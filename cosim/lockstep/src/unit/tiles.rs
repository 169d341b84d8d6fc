// SPDX-License-Identifier: Apache-2.0
//! Numbers and names of the matrix registers.

use golden::Tile;

/// The eight registers, by their number in the field md.
pub fn all() -> impl Iterator<Item = Tile> {
    (0..8).map(tile)
}

/// The register with this number in the field md, of which the low three bits count.
pub fn tile(md: u8) -> Tile {
    if md & 4 == 0 { Tile::Tr(md & 3) } else { Tile::Acc(md & 3) }
}

/// The inverse of [`tile`].
pub fn number(tile: Tile) -> u8 {
    match tile {
        Tile::Tr(i) => i & 3,
        Tile::Acc(i) => 4 | i & 3,
    }
}

pub fn name(tile: Tile) -> String {
    match tile {
        Tile::Tr(i) => format!("tr{}", i & 3),
        Tile::Acc(i) => format!("acc{}", i & 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_a_number_and_a_name() {
        let names: Vec<String> = all().map(name).collect();
        assert_eq!(names, ["tr0", "tr1", "tr2", "tr3", "acc0", "acc1", "acc2", "acc3"]);
        assert!((0..8).all(|md| number(tile(md)) == md));
    }
}
