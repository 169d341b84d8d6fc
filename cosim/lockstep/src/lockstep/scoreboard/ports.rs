// SPDX-License-Identifier: Apache-2.0
//! The comparison of a unit without a probe, by its ports alone. Results are compared as always. The beats on the L0M
//! port are those of the stores in program order. Registers are compared when they are stored, as the bench does at the
//! end of a case.

use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::Range;

use golden::{Config, Machine, Outcome};

use super::stores::{Piece, Stores};
use crate::lockstep::environment::memory::Beat;
use crate::lockstep::mismatch::Mismatch;

/// What the comparison does not see without a probe, for reports.
pub const UNSEEN: &str = "ports only: CSRs, rename map, and registers that are not stored are not seen";

/// The beats on the L0M port that no store has been given yet.
#[derive(Debug)]
pub struct Ports {
    beats: VecDeque<Beat>,
    /// The host issues one store at a time, since the port may answer with an error: all beats are those of the one
    /// store.
    serial: bool,
}

impl Ports {
    /// No beats yet; `errors` tells whether the L0M port may answer with an error.
    pub fn new(errors: bool) -> Ports {
        Ports { beats: VecDeque::new(), serial: errors }
    }

    pub fn reset(&mut self) {
        self.beats.clear();
    }

    pub fn beat(&mut self, beat: Beat) {
        self.beats.push_back(beat);
    }

    /// A store retires, and the model has executed it; `pieces` is what it writes if no error comes.
    pub fn retire(
        &mut self,
        pieces: &[Piece],
        outcome: &Outcome,
        model: &mut Machine,
        stores: &mut Stores,
    ) -> Result<(), Mismatch> {
        /// With beats in program order there is no need for tags.
        const TAG: u8 = 0;
        let taken = if self.serial { self.beats.len() } else { self.belonging(pieces, outcome, model) };
        self.beats.drain(..taken).for_each(|beat| stores.beat(TAG, beat));
        stores.retire(TAG, outcome, model)
    }

    /// How many of the beats belong to a store that writes each byte of `pieces` once. A beat with one byte of the
    /// store belongs to it; the comparison says what is wrong with the others.
    fn belonging(&self, pieces: &[Piece], outcome: &Outcome, model: &Machine) -> usize {
        if outcome.mem_writes.is_empty() {
            return 0;
        }
        let mut missing = vec![0u8; model.l0m.bytes.len()];
        let bytes = pieces.iter().flat_map(|(at, bytes)| *at as usize..*at as usize + bytes.len());
        let mut count: usize = 0;
        for address in bytes {
            missing[address] += 1;
            count += 1;
        }
        let mut taken = 0;
        for beat in &self.beats {
            let written = (0..64).filter(|i| beat.enables >> i & 1 == 1).map(|i| beat.address as usize + i);
            let ours: Vec<usize> = written.filter(|&address| missing.get(address).is_some_and(|&n| n > 0)).collect();
            if count == 0 || ours.is_empty() {
                break;
            }
            count -= ours.len();
            ours.into_iter().for_each(|address| missing[address] -= 1);
            taken += 1;
        }
        taken
    }

    /// All has retired: no beat is left over.
    pub fn finish(&self) -> Result<(), Mismatch> {
        match self.beats.front() {
            Some(beat) => Err(Mismatch::StrayWrite { address: beat.address, tag: 0 }),
            None => Ok(()),
        }
    }
}

/// Block [1, D1, D2] of the widest elements that is a whole register, as values of `ttype` and `tshape`.
pub fn whole_register(config: &Config) -> (u32, u32) {
    let bits = config.element_widths.iter().max().unwrap_or(8);
    let elements = (8 * config.reg_bytes as u32 / bits).ilog2();
    (1 << (bits.ilog2() - 2), 1 << 16 | 1 << (elements / 2 + 8) | 1 << (elements - elements / 2))
}

/// A program that stores every register where nothing answers with an error. Registers for which L0M has no such room
/// are not stored.
pub fn store_registers(config: &Config, faults: &[Range<u32>]) -> Vec<u32> {
    let mut source = String::new();
    let place = |bytes: u32| {
        let starts = (0..config.l0m_bytes.saturating_sub(bytes - 1)).step_by(64);
        starts.into_iter().find(|&start| faults.iter().all(|fault| fault.end <= start || start + bytes <= fault.start))
    };
    if let Some(base) = place(config.reg_bytes as u32) {
        let (ttype, tshape) = whole_register(config);
        let _ = write!(source, "li x5, {base}\nli x6, {ttype}\ncsrrw x0, ttype, x6\nli x6, {tshape}\n");
        source.push_str("csrrw x0, tshape, x6\ncsrrwi x0, tstore_width, 0\ncsrrwi x0, tstore_stride0, 0\n");
        source.extend((0..32).map(|i| format!("tl.store tl{i}, 0(x5)\n")));
    }
    if let Some(matrix) = config.matrix {
        let rows = matrix.rows();
        for (row_bytes, form, set, sizes) in [
            (matrix.tr_row_bytes(), "msae8 tr", "msettilek", matrix.tr_row_bytes()),
            (matrix.acc_row_bytes(), "msce32 acc", "msettilen", rows),
        ] {
            let Some((rows, base)) = (1..=rows).rev().find_map(|n| Some((n, place(n * row_bytes)?))) else { continue };
            let _ = write!(
                source,
                "li x5, {base}\nli x6, {sizes}\n{set} x6\nli x6, {rows}\nmsettilem x6\nli x6, {row_bytes}\n"
            );
            source.extend((0..4).map(|i| format!("{form}{i}, (x5), x6\n")));
        }
    }
    // Only its own text is assembled, which a test does for many configurations.
    golden::asm::assemble("registers", &source, config).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_is_stored_whole_and_without_a_trap() {
        for target in crate::unit::testing::all() {
            let config = &target.golden;
            let faults = [0..64, 192..256];
            let words = store_registers(config, &faults);
            let mut model = Machine::new(config);
            model.l0m.faults = faults.to_vec();
            let mut bytes = 0;
            for &word in &words {
                let outcome = model.step(word);
                assert_eq!(outcome.trap, None, "{}: {}", target.name(), target.disassemble(word));
                bytes += outcome.mem_writes.iter().map(|(_, len)| *len as usize).sum::<usize>();
            }
            let tiles = config.matrix.map_or(0, |m| 4 * m.rows() * (m.tr_row_bytes() + m.acc_row_bytes()));
            assert_eq!(bytes, 32 * config.reg_bytes + tiles as usize, "{}", target.name());
        }
    }

    #[test]
    fn beats_belong_to_the_stores_in_program_order() {
        let target = crate::unit::testing::target("tiny");
        let mut model = Machine::new(&target.golden);
        let word = *store_registers(&target.golden, &[]).last().expect("a store");
        let mut stores = Stores::new(&vec![0; 4096], 8);
        let mut ports = Ports::new(false);
        let beat = |address, value| Beat { address, enables: 0xff, data: [value; 64], error: false };
        // Two slices at one place, then one of the next store at the same place.
        for value in [1, 2, 3] {
            ports.beat(beat(8, value));
        }
        let outcome = Outcome { word, mem_writes: vec![(8, 8), (8, 8)], ..Outcome::default() };
        model.l0m.bytes[8..16].fill(2);
        let pieces = [(8, vec![1; 8]), (8, vec![2; 8])];
        assert_eq!(ports.retire(&pieces, &outcome, &mut model, &mut stores), Ok(()));
        assert_eq!(ports.finish(), Err(Mismatch::StrayWrite { address: 8, tag: 0 }));
        model.l0m.bytes[8..16].fill(4);
        let outcome = Outcome { mem_writes: vec![(8, 8)], ..outcome };
        let wrong = Err(Mismatch::StoreValue { address: 8, rtl: 3, model: 4 });
        assert_eq!(ports.retire(&[(8, vec![4; 8])], &outcome, &mut model, &mut stores), wrong);
    }
}
