// SPDX-License-Identifier: Apache-2.0
//! Writes a program. It knows the CSRs and the host registers at every point, and sets up what the next instruction
//! needs.

use std::collections::BTreeMap;
use std::ops::Range;

use golden::decode::{CsrEncoding, CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Host, Tensor, decode};
use golden::{Config, Csr, Machine};

use crate::base::draw::Draw;
use crate::unit::target::Target;

/// Writes a program word by word.
pub struct Generator<'a> {
    pub target: &'a Target,
    pub draw: &'a mut Draw,
    /// Host registers and CSRs as they are after the words so far. TLRegs and memories are not kept up.
    pub machine: Machine,
    /// Addresses of L1M and L0M that the program prefers, so that accesses meet.
    pub arena: [Range<u32>; 2],
    /// The ranges of L1M and L0M that answer with an error.
    pub faults: [Vec<Range<u32>>; 2],
    /// The last host register that is given a value.
    pub last: u8,
    /// Loops are short: what they are to bring about happens soon, or not.
    pub brief: bool,
    words: Vec<u32>,
    /// How often each instruction is among the words.
    drawn: BTreeMap<&'static str, u32>,
    /// The TLRegs that the program prefers.
    favourites: [u8; 6],
}

impl<'a> Generator<'a> {
    /// A generator; `faults` are the ranges of L1M and L0M that answer with an error.
    pub fn new(target: &'a Target, draw: &'a mut Draw, faults: [&[Range<u32>]; 2]) -> Generator<'a> {
        let machine = Machine::new(&golden::Config { l1m_bytes: 0, l0m_bytes: 0, ..target.golden.clone() });
        let mut arena = |size: u32, faults: &[Range<u32>]| {
            let length = (target.rtl.reg_bytes * draw.pick(&[2, 4, 16, 64])).min(size);
            let near = faults.first().map_or_else(|| draw.below(size - length + 1), |fault| fault.start);
            let start = near.saturating_sub(draw.below(length)).min(size - length);
            start..start + length
        };
        let arena = [arena(target.rtl.l1m_bytes, faults[0]), arena(target.rtl.l0m_bytes, faults[1])];
        let favourites = std::array::from_fn(|_| draw.below(32) as u8);
        Generator {
            target,
            draw,
            machine,
            arena,
            faults: faults.map(<[_]>::to_vec),
            last: 31,
            brief: false,
            words: Vec::new(),
            drawn: BTreeMap::new(),
            favourites,
        }
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Takes back all but the first `length` words; host registers and CSRs are as in `machine`.
    pub fn back_to(&mut self, length: usize, machine: &Machine) {
        for word in self.words.drain(length..) {
            let mnemonic = decode(word, &self.target.golden).mnemonic();
            mnemonic.and_then(|mnemonic| self.drawn.get_mut(mnemonic)).into_iter().for_each(|count| *count -= 1);
        }
        self.machine.csr.clone_from(&machine.csr);
        self.machine.hart.clone_from(&machine.hart);
    }

    /// The words, when there are no more to come.
    pub fn into_words(self) -> Vec<u32> {
        self.words
    }

    /// The first dimension of the shape as it is, legal or not: so many slices a load or store has.
    pub fn d0(&self) -> u32 {
        self.machine.csr.read(Csr::Tshape) >> 16 & 0xff
    }

    pub fn word(&mut self, word: u32) {
        self.words.push(word);
        let decoded = decode(word, &self.target.golden);
        decoded.mnemonic().into_iter().for_each(|mnemonic| *self.drawn.entry(mnemonic).or_default() += 1);
        // Tensor instructions change neither host registers nor CSRs.
        if !matches!(decoded, Decoded::Tensor(_)) {
            self.machine.step(word);
        }
    }

    /// How often the row of this instruction is among the words.
    pub fn drawn(&self, row: Decoded) -> u32 {
        row.mnemonic().and_then(|mnemonic| self.drawn.get(mnemonic)).copied().unwrap_or(0)
    }

    /// Appends an instruction, in any encoding that the unit has for it.
    pub fn emit(&mut self, instruction: Decoded) {
        let Config { csr_op, gpr_rs1, .. } = self.target.golden;
        let instruction = match instruction {
            Decoded::Tensor(tensor) if gpr_rs1 && self.draw.chance(50) => {
                Decoded::Tensor(tensor.second_form().unwrap_or(tensor))
            }
            Decoded::Csr(csr) if csr_op && self.draw.chance(50) => {
                Decoded::Csr(CsrInstruction { encoding: CsrEncoding::Unit, ..csr })
            }
            Decoded::Tensor(_)
            | Decoded::Csr(_)
            | Decoded::Matrix(_)
            | Decoded::Host(_)
            | Decoded::Illegal
            | Decoded::NotOurs => instruction,
        };
        self.emit_as_is(instruction);
    }

    /// Appends an instruction in its own encoding.
    pub fn emit_as_is(&mut self, instruction: Decoded) {
        if let Some(word) = instruction.encode(&self.target.golden) {
            self.word(word);
        }
    }

    /// Appends a TensorLoad instruction, or in half of the cases one that is like it, if there is one: what is made for
    /// `tl.addi` is there for a new sum too.
    pub fn tensor(&mut self, instruction: Tensor) {
        let alike: Vec<Tensor> = instruction.alike().collect();
        let other = if !alike.is_empty() && self.draw.chance(50) { self.draw.choose(&alike) } else { None };
        let mut values = instruction.operands().iter().map(|operand| operand.value);
        self.emit(Decoded::Tensor(
            other.unwrap_or(instruction).with_operands(|operand| values.next().unwrap_or(operand.value)),
        ));
    }

    /// A host register that holds `value` from here on: one that has it already, or a random one that is loaded.
    pub fn register_with(&mut self, value: u32) -> u8 {
        if let Some(found) = (0..32u8).find(|&r| self.machine.x(r) == value) {
            return found;
        }
        let rd = self.draw.range(1, self.last.into()) as u8;
        self.constant(rd, value);
        rd
    }

    pub fn constant(&mut self, rd: u8, value: u32) {
        let low = (value << 20) as i32 >> 20;
        let imm20 = value.wrapping_sub(low as u32) >> 12;
        let mut rs1 = 0;
        if imm20 != 0 {
            self.emit(Decoded::Host(Host::Lui { rd, imm20 }));
            rs1 = rd;
        }
        if low != 0 || imm20 == 0 {
            self.emit(Decoded::Host(Host::Addi { rd, rs1, imm12: low as i16 }));
        }
    }

    /// A host register that holds the 64 bits of `value` from here on.
    pub fn wide_register_with(&mut self, value: u64) -> u8 {
        let rd = self.draw.range(1, self.last.into()) as u8;
        self.wide_constant(rd, value);
        rd
    }

    /// Loads `value` into host register `rd` of 64 bits.
    fn wide_constant(&mut self, rd: u8, value: u64) {
        let low = (value << 52) as i64 >> 52;
        let rest = (value as i64).wrapping_sub(low);
        if i32::try_from(rest).is_ok() {
            return self.constant(rd, value as u32);
        }
        let shamt = rest.trailing_zeros() as u8;
        self.wide_constant(rd, (rest >> shamt) as u64);
        self.emit(Decoded::Host(Host::Slli { rd, rs1: rd, shamt }));
        if low != 0 {
            self.emit(Decoded::Host(Host::Addi { rd, rs1: rd, imm12: low as i16 }));
        }
    }

    /// Gives `csr` this value, by any of the instructions that can.
    pub fn set_csr(&mut self, csr: Csr, value: u32) {
        let old = self.machine.csr.read(csr);
        let rd = if self.draw.chance(70) { 0 } else { self.draw.below(32) as u8 };
        let (operation, operand) = match self.draw.below(5) {
            0 if old & !value == 0 => (CsrOperation::Set, value & !old),
            1 if value & !old == 0 => (CsrOperation::Clear, old & !value),
            _ => (CsrOperation::Write, value),
        };
        let source = if operand < 32 && self.draw.chance(80) {
            CsrSource::Immediate(operand as u8)
        } else {
            CsrSource::Register(self.register_with(operand))
        };
        // Set and clear with x0 do not write; a mask would stay uninitialised.
        let nothing = matches!(source, CsrSource::Immediate(0) | CsrSource::Register(0));
        let operation = if nothing && operand == value { CsrOperation::Write } else { operation };
        self.emit(Decoded::Csr(CsrInstruction::new(operation, csr, rd, source)));
    }

    /// Reads a CSR, into the register that is returned.
    pub fn read(&mut self, csr: Csr) -> u8 {
        let rd = self.draw.range(1, self.last.into()) as u8;
        self.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Set, csr, rd, CsrSource::Immediate(0))));
        rd
    }

    /// The host waits for a result: everything older has retired then.
    pub fn wait(&mut self) {
        let rd = self.read(Csr::Tlenb);
        self.emit(Decoded::Host(Host::Addi { rd, rs1: rd, imm12: 1 }));
    }

    pub fn tl(&mut self) -> u8 {
        match self.draw.below(20) {
            0 => 0,
            1..4 => self.draw.below(32) as u8,
            _ => self.draw.pick(&self.favourites.clone()),
        }
    }

    /// A TLReg that is often one of `sources`.
    pub fn tl_near(&mut self, sources: &[u8]) -> u8 {
        if self.draw.chance(25) { self.draw.pick(sources) } else { self.tl() }
    }

    /// A signed immediate, mostly small.
    pub fn imm8(&mut self) -> i8 {
        match self.draw.below(20) {
            0..4 => self.draw.u32() as i8,
            4 => self.draw.pick(&[i8::MIN, i8::MAX]),
            5..10 => self.draw.range(0, 8) as i8 - 4,
            _ => 0,
        }
    }

    /// The bytes of the memory of a direction.
    pub fn memory(&self, direction: Direction) -> u32 {
        if direction == Direction::Load { self.target.rtl.l1m_bytes } else { self.target.rtl.l0m_bytes }
    }

    /// A base address that the program prefers, a multiple of `step`, with room for so many bytes behind it.
    pub fn base(&mut self, direction: Direction, bytes: u32, step: u32) -> u32 {
        let room = self.memory(direction).saturating_sub(bytes);
        let arena = self.arena[usize::from(direction == Direction::Store)].clone();
        (arena.start + self.draw.below(arena.end - arena.start)).min(room) / step * step
    }

    /// An element width that the unit has, in bits.
    pub fn width(&mut self) -> u32 {
        let widths: Vec<u32> = self.target.golden.element_widths.iter().collect();
        self.draw.pick(&widths).max(4)
    }

    /// Gives the CSR this value, unless it has it already. A mask is written when it never was.
    pub fn want_csr(&mut self, csr: Csr, value: u32) {
        let written = self.machine.csr.mask(csr).is_none_or(|mask| mask.initialised);
        if !written || self.machine.csr.read(csr) != value {
            self.set_csr(csr, value);
        }
    }
}

/// A number of `bits` bits one bit away from `old`, one more or less, a power of two, all ones from some bit on, or
/// any.
pub fn flipped(g: &mut Generator, old: u32, bits: u32) -> u32 {
    let all = u32::MAX >> (32 - bits.clamp(1, 32));
    let bit = 1 << g.draw.below(bits);
    let value = match g.draw.below(12) {
        0..5 => old ^ bit,
        5..8 => bit,
        8 => bit | g.draw.below(4),
        9 => old.wrapping_add(g.draw.pick(&[1, u32::MAX])),
        10 => bit.wrapping_neg(),
        _ => g.draw.u32() >> g.draw.below(bits),
    };
    value & all
}
