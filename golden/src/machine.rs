// SPDX-License-Identifier: Apache-2.0
//! The architectural state and its reset values (docs/isa.md, "State").

use crate::block::{ElementType, Shape};
use crate::config::{Config, wrapped};
use crate::csr::{Csr, Csrs};
use crate::hart::{Ending, Hart, Program, ProgramError};
use crate::isa;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};
use crate::tiles::Tiles;
use crate::tlregs::{REGISTERS, TlRegs};

/// A host with the unit attached: all state that a program can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    config: Config,
    /// The host: registers, and program memory when it runs a program.
    pub hart: Hart,
    /// The unit's CSRs.
    pub csr: Csrs,
    /// The tensor registers.
    pub tl: TlRegs,
    /// The matrix registers, if the configuration has them.
    pub tiles: Option<Tiles>,
    /// Memory that loads read.
    pub l1m: Memory,
    /// Memory that stores write, in a separate address space.
    pub l0m: Memory,
}

impl Machine {
    /// The state after reset, with both memories zero.
    pub fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            hart: Hart::default(),
            csr: csrs(config),
            tl: TlRegs::new(config.reg_bytes),
            tiles: config.matrix.map(Tiles::new),
            l1m: Memory::new(config.l1m_bytes),
            l0m: Memory::new(config.l0m_bytes),
        }
    }

    /// Resets the state. The memories keep their contents.
    pub fn reset(&mut self) {
        self.hart = Hart::default();
        self.csr = csrs(&self.config);
        self.tl = TlRegs::new(self.config.reg_bytes);
        self.tiles = self.config.matrix.map(Tiles::new);
    }

    /// The configuration that the machine was made for.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Host register `i` (only the low five bits are used). x0 reads 0.
    pub fn x(&self, i: u8) -> u32 {
        self.hart.x()[usize::from(i & 31)]
    }

    /// All host registers; x0 is 0.
    pub fn xs(&self) -> &[u32; REGISTERS] {
        self.hart.x()
    }

    /// Writes host register `i` (only the low five bits are used). A write to x0 is dropped. On a host with 64 bits the
    /// value is sign-extended.
    pub fn set_x(&mut self, i: u8, value: u32) {
        self.hart.set_x(i, value);
    }

    /// The value of host register `i` that an instruction of the unit gets, of `xlen` bits.
    pub fn operand(&self, i: u8) -> u64 {
        wrapped(self.hart.wide(i), self.config.xlen)
    }

    /// The element type in force, or `None` when `ttype` is illegal in this configuration.
    pub fn element_type(&self) -> Option<ElementType> {
        ElementType::from_ttype(self.csr.read(Csr::Ttype), self.config.element_widths)
    }

    /// The element type and the block shape in force, or `None` when either is illegal.
    pub fn block(&self) -> Option<(ElementType, Shape)> {
        let element = self.element_type()?;
        let shape = Shape::from_tshape(self.csr.read(Csr::Tshape), element.bits, self.tl.reg_bytes())?;
        Some((element, shape))
    }

    /// Loads a program into the memories, keeps their other contents, and resets the host with `pc` at the entry.
    ///
    /// # Errors
    /// If the program does not fit.
    pub fn load(&mut self, program: &Program) -> Result<(), ProgramError> {
        self.hart.load(program, &mut self.l1m, &mut self.l0m)
    }

    /// Executes the next instruction of the program that was loaded. A trap goes to the handler, if there is one.
    ///
    /// # Errors
    /// When there is no next instruction.
    pub fn step_program(&mut self) -> Result<Outcome, Ending> {
        let Some(word) = self.hart.fetch()? else { return Ok(self.hart.fetch_fault()) };
        let done = self.hart.execute(word, &mut self.l1m, &mut self.l0m);
        Ok(done.unwrap_or_else(|| {
            let outcome = match isa::host::decode(word, self.config().into()) {
                // The hart has 32 bits and has refused it.
                Some(_) => Outcome { pc: self.hart.pc, word, trap: Some(Trap::illegal(word)), ..Outcome::default() },
                None => isa::execute(self, word),
            };
            self.hart.retire(&outcome);
            outcome
        }))
    }

    /// Executes `word` as the next one of a stream. The host knows only `lui` and `addi`. `pc` advances by 4, also
    /// after a trap. Every word has an outcome.
    pub fn step(&mut self, word: u32) -> Outcome {
        let outcome = isa::execute(self, word);
        self.hart.pc = self.hart.pc.wrapping_add(4);
        outcome
    }
}

fn csrs(config: &Config) -> Csrs {
    let csrs = Csrs::new(config.reg_bytes).with_element_widths(config.element_widths);
    csrs.with_pitch(config.pitch).with_mask_init(config.mask_init).with_matrix(config.matrix)
}
