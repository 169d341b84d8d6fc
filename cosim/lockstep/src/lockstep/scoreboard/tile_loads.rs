// SPDX-License-Identifier: Apache-2.0
//! The comparison of the matrix registers.
//!
//! A load writes its register before it retires, and a younger load may have written it again by then. So its contents
//! are kept under the tag of the load when they are written, and compared when that instruction retires.

use golden::{Machine, Outcome, Tile};

use crate::lockstep::mismatch::Mismatch;
use crate::unit::{Rtl, tiles};

type Checked = Result<(), Mismatch>;

/// What matrix loads wrote, kept until they retire.
pub struct TileLoads {
    /// By tag: the register and its contents after the write.
    written: Vec<Option<(Tile, Vec<u8>)>>,
}

impl Default for TileLoads {
    fn default() -> Self {
        TileLoads { written: vec![None; 256] }
    }
}

impl TileLoads {
    /// An instruction starts to execute under this tag.
    pub fn start(&self, tag: u8) -> Checked {
        match &self.written[usize::from(tag)] {
            Some((tile, _)) => Err(Mismatch::StrayTile { tile: *tile, tag }),
            None => Ok(()),
        }
    }

    /// The instruction with this tag has written a register, all of which is now `bytes`.
    pub fn write(&mut self, tag: u8, tile: Tile, bytes: Vec<u8>) -> Checked {
        self.start(tag)?;
        self.written[usize::from(tag)] = Some((tile, bytes));
        Ok(())
    }

    /// The instruction with this tag retires, and the model has executed it.
    pub fn retire(&mut self, tag: u8, outcome: &Outcome, model: &Machine) -> Checked {
        let written = self.written[usize::from(tag)].take();
        let by_rtl = written.as_ref().map(|(tile, _)| *tile);
        if by_rtl != outcome.tile_write {
            return Err(Mismatch::TileWrite { rtl: by_rtl, model: outcome.tile_write });
        }
        written.map_or(Ok(()), |(tile, bytes)| compare(tile, bytes, model))
    }

    /// All has retired: no write is left over.
    pub fn finish(&self) -> Checked {
        (0..=255).try_for_each(|tag| self.start(tag))
    }
}

fn compare(tile: Tile, rtl: Vec<u8>, model: &Machine) -> Checked {
    let expected = model.tiles.as_ref().map_or(&[][..], |tiles| tiles.get(tile));
    if rtl == expected { Ok(()) } else { Err(Mismatch::Tile { tile, rtl, model: expected.to_vec() }) }
}

pub fn all_tiles(rtl: &Rtl, model: &Machine) -> Checked {
    let Some(config) = model.config().matrix else { return Ok(()) };
    tiles::all().try_for_each(|tile| compare(tile, rtl.tile(config, tile), model))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine::new(&golden::Config::named("mx1024").expect("mx1024"))
    }

    #[test]
    fn a_load_must_write_the_register_of_the_model_once_and_whole() {
        let mut model = machine();
        model.tiles.as_mut().expect("tiles").get_mut(Tile::Acc(1))[7] = 9;
        let contents = model.tiles.as_ref().expect("tiles").get(Tile::Acc(1)).to_vec();
        let outcome = |tile| Outcome { tile_write: tile, ..Outcome::default() };
        let write = |tile, bytes: &[u8]| {
            let mut loads = TileLoads::default();
            loads.write(3, tile, bytes.to_vec()).map(|()| loads)
        };
        let acc1 = Some(Tile::Acc(1));
        let mut loads = write(Tile::Acc(1), &contents).expect("first");
        assert_eq!(loads.retire(3, &outcome(acc1), &model), Ok(()));
        assert_eq!(loads.finish(), Ok(()));
        // Not written, written twice, written by an instruction that should not, another register, another value.
        let missing = Mismatch::TileWrite { rtl: None, model: acc1 };
        assert_eq!(loads.retire(3, &outcome(acc1), &model), Err(missing));
        let mut loads = write(Tile::Acc(1), &contents).expect("first");
        let stray = Err(Mismatch::StrayTile { tile: Tile::Acc(1), tag: 3 });
        assert_eq!(loads.write(3, Tile::Acc(1), contents.clone()), stray);
        assert_eq!((loads.finish(), loads.start(3)), (stray.clone(), stray));
        let extra = Mismatch::TileWrite { rtl: acc1, model: None };
        assert_eq!(loads.retire(3, &outcome(None), &model), Err(extra));
        let mut loads = write(Tile::Tr(1), &contents).expect("first");
        let other = Mismatch::TileWrite { rtl: Some(Tile::Tr(1)), model: acc1 };
        assert_eq!(loads.retire(3, &outcome(acc1), &model), Err(other));
        for byte in [0, 7, contents.len() - 1] {
            let mut wrong = contents.clone();
            wrong[byte] ^= 1;
            let mut loads = write(Tile::Acc(1), &wrong).expect("first");
            let expected = Mismatch::Tile { tile: Tile::Acc(1), rtl: wrong, model: contents.clone() };
            assert_eq!(loads.retire(3, &outcome(acc1), &model), Err(expected));
        }
    }
}
