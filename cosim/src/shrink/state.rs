// SPDX-License-Identifier: Apache-2.0
//! The state that a program starts from, and the instructions that make it.

use std::collections::BTreeMap;
use std::ops::Range;

use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded, Host, Tensor};
use golden::{Csr, Machine};

use crate::target::Target;

/// What differs from the state after reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Host registers by number.
    pub x: BTreeMap<u8, u32>,
    /// CSRs by address. A mask that is here is initialised.
    pub csr: BTreeMap<u16, u32>,
    /// TLRegs by number.
    pub tl: BTreeMap<u8, Vec<u8>>,
}

/// One part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A host register.
    X(u8),
    /// A CSR, by address.
    Csr(u16),
    /// A TLReg.
    Tl(u8),
}

/// The host register that the instructions use for values on their way to a CSR, and for addresses.
const SCRATCH: u8 = 31;

impl State {
    /// The state of `machine`, which has run for a while.
    pub fn of(machine: &Machine) -> State {
        let reset = Machine::new(&golden::Config { l1m_bytes: 0, l0m_bytes: 0, ..machine.config().clone() });
        let changed = |csr: &Csr| {
            machine.csr.read(*csr) != reset.csr.read(*csr) || machine.csr.mask(*csr) != reset.csr.mask(*csr)
        };
        let csrs = Csr::all().filter(changed).map(|csr| (csr.address(), machine.csr.read(csr)));
        let tls = (1..32).map(|tl| (tl, machine.tl.get(tl))).filter(|(_, bytes)| bytes.iter().any(|&byte| byte != 0));
        State {
            x: (1..32).map(|i| (i, machine.x(i))).filter(|&(_, value)| value != 0).collect(),
            csr: csrs.collect(),
            tl: tls.map(|(tl, bytes)| (tl, bytes.to_vec())).collect(),
        }
    }

    /// Puts `machine`, which must be as after reset, into this state.
    pub fn apply(&self, machine: &mut Machine) {
        self.x.iter().for_each(|(&i, &value)| machine.set_x(i, value));
        self.tl.iter().for_each(|(&tl, bytes)| machine.tl.set(tl, bytes));
        for (csr, &value) in self.csr.iter().filter_map(|(&address, value)| Some((Csr::from_address(address)?, value)))
        {
            machine.csr.write(csr, value);
        }
    }

    /// All parts.
    pub fn items(&self) -> Vec<Item> {
        let tls = self.tl.keys().map(|&tl| Item::Tl(tl));
        tls.chain(self.csr.keys().map(|&csr| Item::Csr(csr))).chain(self.x.keys().map(|&x| Item::X(x))).collect()
    }

    /// Takes a part away: it is then as after reset.
    pub fn remove(&mut self, item: Item) {
        match item {
            Item::X(i) => drop(self.x.remove(&i)),
            Item::Csr(address) => drop(self.csr.remove(&address)),
            Item::Tl(tl) => drop(self.tl.remove(&tl)),
        }
    }

    /// The instructions that make this state after reset, out of an L1M that has the contents of the TLRegs. `images`
    /// gives the address of the contents of each TLReg, in the order of their numbers.
    pub fn words(&self, target: &Target, images: &[u32]) -> Vec<u32> {
        let mut writer = Writer { target, words: Vec::new() };
        let mut csrs: BTreeMap<u16, u32> = self.csr.clone();
        if !self.tl.is_empty() {
            // One slice that fills a register, of the narrowest elements that are whole bytes.
            let widths = target.golden.element_widths;
            let bits = [8, 16, 32, 4].into_iter().find(|&bits| widths.contains(bits)).unwrap_or(8);
            let elements = target.rtl.reg_bytes * 8 / bits;
            let inner = elements.min(32);
            let shape =
                [(Csr::Ttype, 1 << (bits.ilog2() - 2)), (Csr::Tshape, 1 << 16 | (elements / inner) << 8 | inner)];
            for (csr, value) in shape {
                if value != reset_value(csr) {
                    writer.csr(csr.address(), value);
                    // What the program starts with has to be written again, if it is the value after reset.
                    csrs.entry(csr.address()).or_insert(reset_value(csr));
                }
            }
            for (&tlrd, &address) in self.tl.keys().zip(images) {
                let rs = if address == 0 { 0 } else { SCRATCH };
                writer.li(rs, address);
                writer.push(Decoded::Tensor(Tensor::Load { tlrd, rs, imm8: 0 }));
            }
        }
        csrs.iter().for_each(|(&csr, &value)| writer.csr(csr, value));
        self.x.iter().for_each(|(&rd, &value)| writer.li(rd, value));
        if !self.x.contains_key(&SCRATCH) && writer.uses_scratch() {
            writer.li(SCRATCH, 0);
        }
        writer.words
    }
}

/// The value of `ttype` and `tshape` after reset (docs/isa.md).
fn reset_value(csr: Csr) -> u32 {
    if csr == Csr::Ttype { 2 } else { 0 }
}

struct Writer<'a> {
    target: &'a Target,
    words: Vec<u32>,
}

impl Writer<'_> {
    fn push(&mut self, instruction: Decoded) {
        self.words.extend(instruction.encode(self.target.golden.engine_id));
    }

    /// Loads a constant; nothing to do for x0.
    fn li(&mut self, rd: u8, value: u32) {
        if rd == 0 {
            return;
        }
        let low = (value << 20) as i32 >> 20;
        let imm20 = value.wrapping_sub(low as u32) >> 12;
        if imm20 != 0 {
            self.push(Decoded::Host(Host::Lui { rd, imm20 }));
        }
        if low != 0 || imm20 == 0 {
            let rs1 = if imm20 == 0 { 0 } else { rd };
            self.push(Decoded::Host(Host::Addi { rd, rs1, imm12: low as i16 }));
        }
    }

    fn csr(&mut self, address: u16, value: u32) {
        let Some(csr) = Csr::from_address(address) else { return };
        let source = if value < 32 {
            CsrSource::Immediate(value as u8)
        } else {
            self.li(SCRATCH, value);
            CsrSource::Register(SCRATCH)
        };
        self.push(Decoded::Csr(CsrInstruction { operation: CsrOperation::Write, csr, rd: 0, source }));
    }

    fn uses_scratch(&self) -> bool {
        let engine_id = self.target.golden.engine_id;
        let writes = |&word: &u32| {
            matches!(
                golden::decode::decode(word, engine_id),
                Decoded::Host(Host::Lui { rd: SCRATCH, .. } | Host::Addi { rd: SCRATCH, .. })
            )
        };
        self.words.iter().any(writes)
    }
}

/// Addresses in an L1M of `size` bytes for `count` images of `bytes` bytes each, away from the ranges `used`, from the
/// top down; `None` when there is no room.
pub fn places(size: u32, bytes: u32, count: usize, used: &[Range<u32>]) -> Option<Vec<u32>> {
    let free = |&start: &u32| used.iter().all(|range| range.end <= start || start + bytes <= range.start);
    let slots = (0..size / bytes).rev().map(|slot| slot * bytes);
    let places: Vec<u32> = slots.filter(free).take(count).collect();
    (places.len() == count).then_some(places)
}
