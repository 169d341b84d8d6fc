// SPDX-License-Identifier: Apache-2.0
//! Where a load leaves wrong contents in a TLReg: in parts that are told apart by what the load does there, and not by
//! values or sizes, which are others in each case.

use golden::Machine;
use golden::decode::{Direction, SliceTransfer, decode, elements};

use super::block::Datapath;
use super::compare;
use super::provenance::{self, Source};
use crate::lockstep::failure::Mismatch;

/// Elements that come from memory.
const LOADED: &str = "loaded elements";
/// The same, when each wrong one holds what another one should.
const MOVED: &str = "loaded elements that hold data of others";
/// Zeros in the block.
const LEFT_OUT: &str = "slices that are not selected";
/// Zeros between the end of the block and that of its last row of the datapath.
const LAST_ROW: &str = "the rest of the last row";
/// Rows of the datapath that no part of the block is in, whatever else is wrong behind it.
const ROWS_BEHIND: &str = "rows behind the block";

/// Where `word`, executed in the state `before`, leaves wrong contents in a TLReg. Empty when it loads none, or when
/// `mismatch` is another one. What other instructions get wrong depends on what is in the registers that they read.
pub fn wrong_places(before: &Machine, word: u32, mismatch: &Mismatch, datapath: Datapath) -> Vec<&'static str> {
    let transfer = decode(word, before.config()).slice_transfer();
    let (Mismatch::Register { tl, rtl, model, .. }, Some(SliceTransfer { direction: Direction::Load, .. })) =
        (mismatch, transfer)
    else {
        return Vec::new();
    };
    let (layout, _) = compare::layout(before, Some(word), *tl, datapath);
    let Some(sources) = provenance::of_register(before, word, *tl, layout.bits) else { return Vec::new() };

    let all = || 0..sources.len();
    let [actual, expected] = [rtl, model].map(|side| elements(side, layout.bits));
    let loaded = |i: usize| sources[i] != Source::Zero;
    let in_block = |i: usize| layout.index(layout.first + i).is_some();
    let row = |i: usize| i * layout.bits as usize / 8 / datapath.lanes;
    let wrong = || all().filter(|&i| actual[i] != expected[i]);

    // A zero may come from anywhere.
    let of_another = |i: usize| actual[i] != 0 && all().any(|j| loaded(j) && expected[j] == actual[i]);
    let mut places = Vec::new();
    if wrong().any(loaded) {
        places.push(if wrong().filter(|&i| loaded(i)).all(of_another) { MOVED } else { LOADED });
    }
    if wrong().any(|i| in_block(i) && !loaded(i)) {
        places.push(LEFT_OUT);
    }
    if let Some(farthest) = wrong().rfind(|&i| !in_block(i)) {
        let last_row = all().rfind(|&i| in_block(i)).map(row);
        places.push(if Some(row(farthest)) > last_row { ROWS_BEHIND } else { LAST_ROW });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::Csr;

    /// Three slices of three bytes in rows of eight; the second one is not selected by the mask. `change` is what is
    /// wrong with the result of `text`.
    fn places(text: &str, change: impl FnOnce(&mut [u8])) -> Vec<&'static str> {
        let mut before = Machine::new(&golden::Config::named("tiny").expect("tiny"));
        before.csr.write(Csr::Tshape, 0x03_01_03);
        before.csr.write(Csr::TmaskLoad, 0b101);
        before.l1m.bytes.iter_mut().zip(1..=250).for_each(|(byte, number)| *byte = number);
        let word = golden::asm::assemble("test", text, before.config()).expect("assembles")[0];
        let mut after = before.clone();
        after.step(word);
        let model = after.tl.get(3).to_vec();
        let mut rtl = model.clone();
        change(&mut rtl);
        let mismatch = Mismatch::Register { tl: 3, phys: None, rtl, model };
        wrong_places(&before, word, &mismatch, Datapath { lanes: 8, granule: 8 })
    }

    #[test]
    fn a_load_is_wrong_where_it_loads_or_where_it_fills() {
        let load = "tl.mload tl3, 0(x0)";
        assert_eq!(places(load, |bytes| bytes[1] ^= 128), [LOADED]);
        assert_eq!(places(load, |bytes| bytes[1] = 0), [LOADED]);
        assert_eq!(places(load, |bytes| bytes[4] = 1), [LEFT_OUT]);
        assert_eq!(places(load, |bytes| bytes.swap(2, 4)), [LOADED, LEFT_OUT]);
        assert_eq!(places(load, |bytes| bytes[15] = 1), [LAST_ROW]);
        assert_eq!(places(load, |bytes| bytes[9..17].fill(1)), [ROWS_BEHIND]);
        assert_eq!(places(load, |bytes| bytes[3..16].fill(255)), [LOADED, LEFT_OUT, LAST_ROW]);
        assert_eq!(places("tl.load tl3, 0(x0)", |bytes| bytes[4] = 77), [LOADED]);
    }

    #[test]
    fn data_of_other_elements_are_told_from_other_data() {
        let load = "tl.mload tl3, 0(x0)";
        assert_eq!(places(load, |bytes| bytes.swap(0, 7)), [MOVED]);
        assert_eq!(places(load, |bytes| bytes[1] = bytes[0]), [MOVED]);
        assert_eq!(places(load, |bytes| bytes[0..2].copy_from_slice(&[2, 77])), [LOADED]);
    }

    #[test]
    fn nothing_is_said_of_what_loads_no_register() {
        assert_eq!(places("tl.addi tl3, tl0, 1", |bytes| bytes[0] = 7), [""; 0]);
        let before = Machine::new(&golden::Config::named("tiny").expect("tiny"));
        let load = golden::asm::assemble("test", "tl.load tl3, 0(x0)", before.config()).expect("assembles")[0];
        let datapath = Datapath { lanes: 8, granule: 8 };
        assert_eq!(wrong_places(&before, load, &Mismatch::NotExecuted, datapath), [""; 0]);
    }
}
