// SPDX-License-Identifier: Apache-2.0
//! The host: an RV32IM hart with machine-mode traps (docs/isa.md, "Host"). What is not its own instruction belongs to
//! the unit. `rrs-lib` executes the base instruction set; here are memories, CSRs and traps.

mod bus;
mod csr;
mod pages;
mod program;

pub use bus::{EXIT, L0M_BASE, L1M_BASE, PRINT, Place, RAM_BYTES};
pub use csr::HartCsr;
pub use pages::Pages;
pub use program::{Program, ProgramError, Segment, symbols};

use std::mem::swap;
use std::ops::Range;

use rrs_lib::instruction_executor::{InstructionException, InstructionExecutor};
use rrs_lib::instruction_formats::{
    IType, OPCODE_JALR, OPCODE_LOAD, OPCODE_OP_IMM, OPCODE_STORE, OPCODE_SYSTEM, SType,
};
use rrs_lib::{HartState, process_instruction};

use crate::isa::csr as csr_instruction;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};
use crate::tlregs::REGISTERS;
use bus::{Bus, Effect};

/// `ecall`
pub(crate) const ECALL: u32 = 0x0000_0073;
/// `ebreak`
pub(crate) const EBREAK: u32 = 0x0010_0073;
/// `mret`
pub(crate) const MRET: u32 = 0x3020_0073;

/// Why there is no next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ending {
    /// The program ended itself, with this code.
    #[error("exit code {0}")]
    Exit(u32),
    /// There is no program memory at this address, or a zero where the program put nothing; and no handler that could
    /// be told.
    #[error(
        "nothing to execute at pc {0:#x}: the program has put nothing there (program memory is 0 to {RAM_BYTES:#x}), and mtvec is 0"
    )]
    Nowhere(u32),
}

/// State of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hart {
    pub(crate) x: [u32; REGISTERS],
    /// Bits 63:32 of the registers, which a host with 64 bits has. What the hart writes is sign-extended.
    upper: [u32; REGISTERS],
    /// Byte address of the next instruction.
    pub pc: u32,
    /// Program memory; empty until a program is loaded.
    pub ram: Pages,
    /// A fetch from this address ends the program.
    end: Option<u32>,
    /// Addresses where the program put something.
    loaded: Vec<Range<u32>>,
    mtvec: u32,
    mscratch: u32,
    mepc: u32,
    mcause: u32,
    mtval: u32,
    /// Clock cycles. Each instruction counts one; who has a clock sets it.
    pub cycle: u64,
    /// Instructions without a trap.
    pub instret: u64,
    /// What the program has printed.
    pub console: Vec<u8>,
    /// The code that the program ended with.
    pub exit: Option<u32>,
}

impl Hart {
    /// The registers; x0 is 0.
    pub fn x(&self) -> &[u32; REGISTERS] {
        &self.x
    }

    /// Writes a register. A write to x0 is dropped.
    pub fn set_x(&mut self, i: u8, value: u32) {
        self.set_wide(i, value.into(), 32);
    }

    /// Writes `xlen` bits to a register. A write to x0 is dropped.
    pub fn set_wide(&mut self, i: u8, value: u64, xlen: u32) {
        let i = usize::from(i & 31);
        if i != 0 {
            let sign = (value as i32 >> 31) as u32;
            self.x[i] = value as u32;
            self.upper[i] = if xlen == 64 { (value >> 32) as u32 } else { sign };
        }
    }

    /// A register with its upper half (only the low five bits of `i` are used).
    pub fn wide(&self, i: u8) -> u64 {
        let i = usize::from(i & 31);
        u64::from(self.upper[i]) << 32 | u64::from(self.x[i])
    }

    /// Whether a trap is taken by a handler: `mtvec` is not 0.
    pub fn has_handler(&self) -> bool {
        self.mtvec != 0
    }

    /// The word at `pc`.
    ///
    /// # Errors
    /// When the program has ended. Where a handler takes the fault of the fetch, there is no word, and no error either.
    pub fn fetch(&self) -> Result<Option<u32>, Ending> {
        if let Some(code) = self.exit {
            return Err(Ending::Exit(code));
        }
        if self.end == Some(self.pc) {
            return Err(Ending::Exit(0));
        }
        let word = self.ram.get(self.pc, 4);
        let word = word.map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
        // Zeros that nobody wrote would trap one after the other, up to the end of memory.
        let nothing = || word == Some(0) && !self.loaded.iter().any(|range| range.contains(&self.pc));
        if !self.has_handler() && (word.is_none() || nothing()) {
            return Err(Ending::Nowhere(self.pc));
        }
        Ok(word)
    }

    /// The trap of a fetch that found nothing.
    pub fn fetch_fault(&mut self) -> Outcome {
        let trap = Some(Trap { cause: Trap::FETCH_FAULT, tval: self.pc.into() });
        let out = Outcome { pc: self.pc, trap, ..Outcome::default() };
        self.retire(&out);
        out
    }

    /// Executes `word` at `pc` and goes on to the next instruction or to the handler. `None`, and nothing has changed,
    /// when it is no instruction of the host: it is for the unit to execute, and then for [`Hart::retire`].
    pub fn execute(&mut self, word: u32, l1m: &mut Memory, l0m: &mut Memory) -> Option<Outcome> {
        let mut out = Outcome { pc: self.pc, word, ..Outcome::default() };
        let next = match word & 0x7F {
            OPCODE_SYSTEM => self.system(word, &mut out)?,
            opcode => self.base(word, opcode, [l1m, l0m], &mut out)?,
        };
        // The target of a jump that traps is not written to rd either.
        let next = next.and_then(|next| {
            let misaligned = Trap { cause: Trap::FETCH_MISALIGNED, tval: next.into() };
            if next & 3 == 0 { Ok(next) } else { Err(misaligned) }
        });
        out.trap = next.err();
        if out.trap.is_some() {
            out = Outcome { pc: out.pc, word, trap: out.trap, ..Outcome::default() };
        } else if let Some((rd, value)) = out.gpr_write {
            self.set_x(rd, value);
        }
        self.retire(&out);
        if let Ok(next) = next {
            self.pc = next;
        }
        Some(out)
    }

    /// Counts the instruction at `pc`, and goes on to the next one, or to the handler.
    pub fn retire(&mut self, out: &Outcome) {
        self.cycle += 1;
        self.instret += u64::from(out.trap.is_none());
        self.pc = match out.trap {
            Some(Trap { cause, tval }) if self.has_handler() => {
                (self.mepc, self.mcause, self.mtval) = (out.pc, cause, tval as u32);
                self.mtvec
            }
            _ => out.pc.wrapping_add(4),
        };
    }

    /// Where the load or store in `word` goes, and whether it is a store; `None` for all else.
    pub fn access(&self, word: u32) -> Option<(Place, bool)> {
        let (rs1, offset, store) = match word & 0x7F {
            OPCODE_LOAD => {
                let IType { rs1, imm, .. } = IType::new(word);
                (rs1, imm, false)
            }
            OPCODE_STORE => {
                let SType { rs1, imm, .. } = SType::new(word);
                (rs1, imm, true)
            }
            _ => return None,
        };
        Some((Place::of(self.x[rs1].wrapping_add_signed(offset))?, store))
    }

    /// The base instruction set: the next pc or the trap.
    fn base(
        &mut self,
        word: u32,
        opcode: u32,
        [l1m, l0m]: [&mut Memory; 2],
        out: &mut Outcome,
    ) -> Option<Result<u32, Trap>> {
        // The library does not look at funct7 of SLLI and at funct3 of JALR.
        let (funct3, funct7) = (word >> 12 & 7, word >> 25);
        if opcode == OPCODE_OP_IMM && funct3 == 1 && funct7 != 0 || opcode == OPCODE_JALR && funct3 != 0 {
            return None;
        }
        let exception = |exception| match exception {
            InstructionException::AlignmentFault(tval) if opcode == OPCODE_LOAD => {
                Trap { cause: Trap::LOAD_MISALIGNED, tval: tval.into() }
            }
            InstructionException::AlignmentFault(tval) => Trap { cause: Trap::STORE_MISALIGNED, tval: tval.into() },
            InstructionException::LoadAccessFault(tval) => Trap { cause: Trap::LOAD_FAULT, tval: tval.into() },
            InstructionException::StoreAccessFault(tval) => Trap { cause: Trap::STORE_FAULT, tval: tval.into() },
            InstructionException::FetchError(tval) => Trap { cause: Trap::FETCH_FAULT, tval: tval.into() },
            InstructionException::IllegalInstruction(_, word) => Trap::illegal(word),
        };
        // The library wants memories of its own: it has them for as long as a load or store takes.
        let mut bus = Bus::default();
        let mut exchange = |bus: &mut Bus, ram: &mut Pages| {
            if matches!(opcode, OPCODE_LOAD | OPCODE_STORE) {
                swap(&mut bus.ram, ram);
                swap(&mut bus.l1m, l1m);
                swap(&mut bus.l0m, l0m);
            }
        };
        exchange(&mut bus, &mut self.ram);
        let mut state = HartState { registers: self.x, pc: self.pc, last_register_write: None };
        let result = process_instruction(&mut InstructionExecutor { mem: &mut bus, hart_state: &mut state }, word);
        exchange(&mut bus, &mut self.ram);
        match bus.effect {
            Some(Effect::L0m(address, len)) => out.mem_writes.push((address, len)),
            Some(Effect::Print(byte)) => self.console.push(byte),
            Some(Effect::Exit(code)) => self.exit = Some(code),
            None => {}
        }
        out.gpr_write = state.last_register_write.map(|rd| (rd as u8, state.registers[rd]));
        let next = |jumps| if jumps { state.pc } else { self.pc.wrapping_add(4) };
        result.map(|result| result.map(next).map_err(exception))
    }

    /// SYSTEM: calls, the return of a handler, the host's own CSRs.
    fn system(&mut self, word: u32, out: &mut Outcome) -> Option<Result<u32, Trap>> {
        match word {
            ECALL => return Some(Err(Trap { cause: Trap::ECALL, tval: 0 })),
            EBREAK => return Some(Err(Trap { cause: Trap::BREAKPOINT, tval: 0 })),
            MRET => return Some(Ok(self.mepc)),
            _ => {}
        }
        let fields = csr_instruction::fields(word)?;
        let csr = HartCsr::from_address(fields.address)?;
        let old = self.csr(csr);
        if let Some(new) = fields.new_value(old, &self.x) {
            if csr.read_only() {
                return None;
            }
            out.csr_write = Some((fields.address, self.set_csr(csr, new)));
        }
        out.gpr_write = (fields.rd != 0).then_some((fields.rd, old));
        Some(Ok(self.pc.wrapping_add(4)))
    }
}
