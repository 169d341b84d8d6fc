// SPDX-License-Identifier: Apache-2.0
//! The comparison of what stores write to L0M.

use golden::decode::stored;
use golden::{Machine, Outcome};

use super::byte_set::ByteSet;
use crate::lockstep::environment::memory::Beat;
use crate::lockstep::mismatch::Mismatch;

/// What a slice or a memory line of a store writes: address and bytes.
pub type Piece = (u32, Vec<u8>);

type Checked = Result<(), Mismatch>;

/// What stores write, kept per instruction until it retires.
pub struct Stores {
    port: usize,
    /// Beats by the tag of their instruction.
    beats: Vec<Vec<Beat>>,
    /// L0M with the writes of retired instructions alone; younger ones may have written to the real one.
    retired: Vec<u8>,
    by_rtl: ByteSet,
    by_model: ByteSet,
}

impl Stores {
    /// No stores yet, on an L0M with these contents and a port of `port` bytes.
    pub fn new(l0m: &[u8], port: usize) -> Stores {
        Stores {
            port,
            beats: vec![Vec::new(); 256],
            retired: l0m.to_vec(),
            by_rtl: ByteSet::new(l0m.len()),
            by_model: ByteSet::new(l0m.len()),
        }
    }

    /// A program was loaded, and part of it into L0M.
    pub fn reset(&mut self, l0m: &[u8]) {
        self.beats.iter_mut().for_each(Vec::clear);
        self.retired.copy_from_slice(l0m);
    }

    /// L0M as the retired instructions left it, on the side of the RTL.
    pub fn memory(&self) -> &[u8] {
        &self.retired
    }

    /// The host has written these bytes of L0M, when no store was in flight.
    pub fn written_by_host(&mut self, l0m: &[u8], ranges: &[(u32, u32)]) {
        for &(address, len) in ranges {
            let range = address as usize..address as usize + len as usize;
            self.retired[range.clone()].copy_from_slice(&l0m[range]);
        }
    }

    /// An instruction starts to execute under this tag.
    pub fn start(&mut self, tag: u8) -> Checked {
        self.no_beats(tag)
    }

    /// A beat was granted for the instruction with this tag.
    pub fn beat(&mut self, tag: u8, beat: Beat) {
        self.beats[usize::from(tag)].push(beat);
    }

    /// The instruction with this tag retires, and the model has executed it.
    pub fn retire(&mut self, tag: u8, outcome: &Outcome, model: &mut Machine) -> Checked {
        let beats = &mut self.beats[usize::from(tag)];
        if beats.is_empty() && outcome.mem_writes.is_empty() && outcome.mem_unknown.is_empty() {
            return Ok(());
        }
        for beat in beats.drain(..) {
            self.by_rtl.insert(beat.address, beat.enables);
            if !beat.error {
                beat.apply(&mut self.retired, self.port);
            }
        }
        for &(address, len) in outcome.mem_writes.iter().chain(&outcome.mem_unknown) {
            self.by_model.insert_range(address, len);
        }
        let checked =
            if outcome.mem_unknown.is_empty() { self.written(outcome, model) } else { self.unknown(outcome, model) };
        self.by_rtl.clear();
        self.by_model.clear();
        checked
    }

    /// The same bytes, with the same values.
    fn written(&self, outcome: &Outcome, model: &Machine) -> Checked {
        if let Some((address, by_rtl)) = self.by_rtl.first_difference(&self.by_model) {
            return Err(Mismatch::StoreSet { address, by_rtl });
        }
        for &(address, len) in &outcome.mem_writes {
            let range = address as usize..address as usize + len as usize;
            if self.retired[range.clone()] != model.l0m.bytes[range.clone()] {
                let pairs = self.retired[range.clone()].iter().zip(&model.l0m.bytes[range]);
                let different = (address..).zip(pairs).find(|(_, (rtl, model))| rtl != model);
                let (address, (&rtl, &model)) = different.unwrap_or((address, (&0, &0)));
                return Err(Mismatch::StoreValue { address, rtl, model });
            }
        }
        Ok(())
    }

    /// The port answered with an error: the store may have written any of its bytes. Each is as before, or has the
    /// value of one of the slices or lines there. The model goes on with the RTL's.
    fn unknown(&mut self, outcome: &Outcome, model: &mut Machine) -> Checked {
        if let Some(address) = self.by_rtl.first_outside(&self.by_model) {
            return Err(Mismatch::StoreSet { address, by_rtl: true });
        }
        // From here on: the bytes with a value that can be explained.
        self.by_rtl.clear();
        let pieces = stored(model, outcome.word);
        for (address, new) in pieces.iter().flat_map(|(address, bytes)| (*address..).zip(bytes)) {
            let rtl = self.retired[address as usize];
            if rtl == *new || rtl == model.l0m.bytes[address as usize] {
                self.by_rtl.insert(address, 1);
            }
        }
        if let Some(address) = self.by_model.first_outside(&self.by_rtl) {
            let last = pieces.iter().rev().find_map(|(start, bytes)| bytes.get(address.wrapping_sub(*start) as usize));
            let rtl = self.retired[address as usize];
            return Err(Mismatch::StoreValue { address, rtl, model: last.copied().unwrap_or_default() });
        }
        for &(address, len) in &outcome.mem_unknown {
            let range = address as usize..address as usize + len as usize;
            model.l0m.bytes[range.clone()].copy_from_slice(&self.retired[range]);
        }
        Ok(())
    }

    /// The instruction with this tag was killed. It may have written bytes of `pieces` and no others, and the model
    /// goes on with those. Whether it has written any.
    pub fn killed(&mut self, tag: u8, pieces: &[Piece], model: &mut Machine) -> Result<bool, Mismatch> {
        if pieces.is_empty() {
            return self.no_beats(tag).map(|()| false);
        }
        let beats = std::mem::take(&mut self.beats[usize::from(tag)]);
        for beat in &beats {
            for (address, rtl) in beat.bytes() {
                let mut legal = pieces.iter().filter_map(|(start, new)| new.get(address.wrapping_sub(*start) as usize));
                let first = *legal.clone().next().ok_or(Mismatch::StoreSet { address, by_rtl: true })?;
                if !legal.any(|&new| new == rtl) {
                    return Err(Mismatch::StoreValue { address, rtl, model: first });
                }
            }
            if !beat.error {
                beat.apply(&mut self.retired, self.port);
                beat.apply(&mut model.l0m.bytes, self.port);
            }
        }
        Ok(!beats.is_empty())
    }

    /// All has retired: no beat is left over.
    pub fn finish(&self) -> Checked {
        (0..=255).try_for_each(|tag| self.no_beats(tag))
    }

    fn no_beats(&self, tag: u8) -> Checked {
        match self.beats[usize::from(tag)].first() {
            Some(beat) => Err(Mismatch::StrayWrite { address: beat.address, tag }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_store_has_written_nothing_or_what_was_foreseen() {
        let config = golden::Config::named("tiny").expect("tiny");
        let beat = |enables, data: [u8; 4]| {
            let mut bytes = [0; 64];
            bytes[..4].copy_from_slice(&data);
            Beat { address: 8, enables, data: bytes, error: false }
        };
        let killed = |beats: &[Beat], pieces: &[Piece]| {
            let mut model = Machine::new(&config);
            let mut stores = Stores::new(&[0; 4096], 8);
            beats.iter().for_each(|&beat| stores.beat(3, beat));
            let begun = stores.killed(3, pieces, &mut model)?;
            stores.finish()?;
            assert_eq!(model.l0m.bytes[..4096], *stores.memory());
            Ok((begun, model.l0m.bytes[8..12].to_vec()))
        };
        let pieces = [(8, vec![1, 2]), (9, vec![7, 8])];
        assert_eq!(killed(&[], &pieces), Ok((false, vec![0; 4])));
        assert_eq!(killed(&[], &[]), Ok((false, vec![0; 4])));
        assert_eq!(killed(&[beat(1, [1, 0, 0, 0])], &[]), Err(Mismatch::StrayWrite { address: 8, tag: 3 }));
        assert_eq!(killed(&[beat(0b11, [1, 2, 0, 0])], &pieces), Ok((true, vec![1, 2, 0, 0])));
        assert_eq!(
            killed(&[beat(0b11, [1, 2, 0, 0]), beat(0b10, [0, 7, 0, 0])], &pieces),
            Ok((true, vec![1, 7, 0, 0]))
        );
        assert_eq!(killed(&[Beat { error: true, ..beat(1, [1, 0, 0, 0]) }], &pieces), Ok((true, vec![0; 4])));
        let wrong = Err(Mismatch::StoreValue { address: 9, rtl: 3, model: 2 });
        assert_eq!(killed(&[beat(0b11, [1, 3, 0, 0])], &pieces), wrong);
        let outside = Err(Mismatch::StoreSet { address: 11, by_rtl: true });
        assert_eq!(killed(&[beat(0b1000, [0; 4])], &pieces), outside);
    }

    #[test]
    fn a_store_must_write_the_bytes_of_the_model_and_no_others() {
        let config = golden::Config::named("tiny").expect("tiny");
        let mut model = Machine::new(&config);
        model.l0m.bytes[8..12].copy_from_slice(&[1, 2, 3, 4]);
        let outcome = Outcome { mem_writes: vec![(8, 4)], ..Outcome::default() };
        let beat = |enables| {
            let mut data = [0; 64];
            data[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
            Beat { address: 8, enables, data, error: false }
        };
        let mut retire = |beats: &[Beat]| {
            let mut stores = Stores::new(&[0; 4096], 8);
            beats.iter().for_each(|&beat| stores.beat(3, beat));
            stores.retire(3, &outcome, &mut model).and_then(|()| stores.finish())
        };
        assert_eq!(retire(&[beat(0xf)]), Ok(()));
        assert_eq!(retire(&[beat(0x7)]), Err(Mismatch::StoreSet { address: 11, by_rtl: false }));
        assert_eq!(retire(&[beat(0x1f)]), Err(Mismatch::StoreSet { address: 12, by_rtl: true }));
        let mut wrong = beat(0xf);
        wrong.data[2] = 9;
        assert_eq!(retire(&[wrong]), Err(Mismatch::StoreValue { address: 10, rtl: 9, model: 3 }));
        // In the order of the beats.
        assert_eq!(retire(&[wrong, beat(0xf)]), Ok(()));
        let mut stray = Stores::new(&[0; 4096], 8);
        stray.beat(1, wrong);
        assert_eq!(stray.finish(), Err(Mismatch::StrayWrite { address: 8, tag: 1 }));
    }

    /// After an error of the port each byte is old or what one of the lines that overlap there would have written.
    #[test]
    fn after_an_error_of_the_port_every_byte_has_an_explanation() {
        let config = golden::Config { l0m_bytes: 4096, ..golden::Config::named("w16").expect("w16") };
        let mut machine = Machine::new(&config);
        machine.l0m.bytes.fill(0xee);
        machine.l0m.faults.push(0..64);
        // Two rows of three bytes, one byte apart, at 8: rows 1 2 3 and 4 5 6.
        let source = "msettilemi 2\nmsettileki 3\nli x5, 8\nli x6, 1\nmsae8 tr0, (x5), x6";
        let words = golden::asm::assemble("test", source, &config).expect("assembles");
        let tiles = machine.tiles.as_mut().expect("tiles").get_mut(golden::Tile::Tr(0));
        tiles[..3].copy_from_slice(&[1, 2, 3]);
        tiles[16..19].copy_from_slice(&[4, 5, 6]);
        let outcomes: Vec<Outcome> = words.iter().map(|&word| machine.step(word)).collect();
        let outcome = outcomes.last().expect("store");
        assert_eq!(outcome.mem_unknown, [(8, 3), (9, 3)]);
        let retire = |bytes: [u8; 4]| {
            let mut model = machine.clone();
            let mut stores = Stores::new(&model.l0m.bytes, 8);
            let mut data = [0; 64];
            data[..4].copy_from_slice(&bytes);
            stores.beat(0, Beat { address: 8, enables: 0xf, data, error: false });
            stores.retire(0, outcome, &mut model).map(|()| model.l0m.bytes[8..12].to_vec())
        };
        for legal in [[1, 4, 5, 6], [0xee; 4], [1, 2, 3, 0xee], [0xee, 4, 3, 6]] {
            assert_eq!(retire(legal), Ok(legal.to_vec()));
        }
        assert_eq!(retire([1, 4, 5, 3]), Err(Mismatch::StoreValue { address: 11, rtl: 3, model: 6 }));
        assert_eq!(retire([1, 1, 5, 6]), Err(Mismatch::StoreValue { address: 9, rtl: 1, model: 4 }));
        assert_eq!(retire([4, 4, 5, 6]), Err(Mismatch::StoreValue { address: 8, rtl: 4, model: 1 }));
    }
}
