// SPDX-License-Identifier: Apache-2.0
//! What a page shows of a session.

use golden::decode::{Isa, Register, elements};
use golden::{Csr, Ending, Machine, MatrixCsr, Outcome, Tile, asm, report};
use serde::Serialize;

use crate::layout::Layout;
use crate::session::Session;

/// Most bytes of a memory, and most traps, that are shown.
const MOST: usize = 1024;

/// Everything that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// Name of the configuration.
    pub config: String,
    /// Instructions that have been executed, those that trapped among them.
    pub retired: u64,
    /// The next instruction; absent at the end.
    pub next: Option<Step>,
    /// The last one.
    pub last: Option<Step>,
    /// The instructions that trapped, the first ones of very many.
    pub traps: Vec<Step>,
    /// Why there is no next instruction.
    pub ending: Option<String>,
    /// The code with which the program ended itself.
    pub exit: Option<u32>,
    /// What the program has printed.
    pub console: String,
    /// Host registers.
    pub x: Vec<u32>,
    /// CSRs of the unit.
    pub csrs: Vec<CsrState>,
    /// Registers that have been written.
    pub blocks: Vec<Block>,
    /// L1M from address 0 on, up to its last byte that is not 0.
    pub l1m: Bytes,
    /// Bytes of L0M that have been written.
    pub l0m: Vec<Bytes>,
}

/// An instruction.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its address.
    pub pc: u32,
    /// The instruction word.
    pub word: u32,
    /// Its text, as the disassembler has it.
    pub text: String,
    /// Its line in the program, from 1.
    pub line: Option<usize>,
    /// Its trap, in words.
    pub trap: Option<String>,
    /// What it has written: names of registers and CSRs.
    pub written: Vec<String>,
}

/// A CSR of the unit.
#[derive(Clone, Debug, Serialize)]
pub struct CsrState {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: u32,
    /// Whether that is its reset value.
    pub reset: bool,
    /// Of a mask: whether it is initialised.
    pub initialised: Option<bool>,
}

/// A register as the block that it was when it was last written.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    /// Its name.
    pub name: String,
    /// Bits in an element.
    pub bits: u32,
    /// Whether elements are integers.
    pub integer: bool,
    /// Sizes of the block, the innermost one last.
    pub sizes: Vec<usize>,
    /// The number of the block's element that is element 0 of the register.
    pub first: usize,
    /// All elements of the register, unsigned.
    pub values: Vec<u32>,
    /// The address in L1M of each element's first byte, or -1.
    pub origins: Vec<i64>,
}

/// Bytes of a memory.
#[derive(Clone, Debug, Serialize)]
pub struct Bytes {
    /// Address of the first one.
    pub address: u32,
    /// The bytes.
    pub values: Vec<u8>,
    /// The address in L1M that each comes from, or -1.
    pub origins: Vec<i64>,
}

impl State {
    pub(crate) fn new(session: &Session) -> Self {
        let machine = &session.machine;
        let next = machine.hart.fetch().ok().map(|word| {
            let (pc, word) = (machine.hart.pc, word.unwrap_or_default());
            session.told(&Outcome { pc, word, ..Outcome::default() })
        });
        Self {
            config: machine.config().name.clone(),
            retired: session.retired,
            next,
            last: session.last.as_ref().map(|done| session.told(done)),
            traps: session.traps.iter().take(MOST).map(|done| session.told(done)).collect(),
            ending: session.ending.as_ref().map(Ending::to_string),
            exit: machine.hart.exit,
            console: report::printed(&machine.hart.console),
            x: machine.xs().to_vec(),
            csrs: csrs(machine),
            blocks: session.layouts.iter().map(|(register, layout)| session.block(*register, layout)).collect(),
            l1m: l1m(machine),
            l0m: session.l0m(),
        }
    }
}

/// The CSRs that the unit has.
fn csrs(machine: &Machine) -> Vec<CsrState> {
    let isa = Isa::from(machine.config());
    let reset = Machine::new(machine.config()).csr;
    let all = Csr::all().chain(MatrixCsr::all().map(Csr::Matrix)).filter(|&csr| isa.has(csr));
    let state = |csr: Csr| CsrState {
        name: csr.name(),
        value: machine.csr.read(csr),
        reset: machine.csr.read(csr) == reset.read(csr),
        initialised: machine.csr.mask(csr).map(|mask| mask.initialised),
    };
    all.map(state).collect()
}

fn l1m(machine: &Machine) -> Bytes {
    let bytes = &machine.l1m.bytes;
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1).min(MOST);
    Bytes { address: 0, values: bytes[..used].to_vec(), origins: (0..).take(used).collect() }
}

fn name(register: Register) -> String {
    match register {
        Register::X(i) => format!("x{i}"),
        Register::Tl(i) => format!("tl{i}"),
        Register::Tile(Tile::Tr(i)) => format!("tr{i}"),
        Register::Tile(Tile::Acc(i)) => format!("acc{i}"),
    }
}

impl Session {
    /// What is told of an instruction.
    fn told(&self, done: &Outcome) -> Step {
        let isa = Isa::from(self.machine.config());
        let at = self.lines.partition_point(|(address, _)| *address <= done.pc);
        let tl = done.tl_writes.iter().map(|&tl| Register::Tl(tl)).chain(done.tile_write.map(Register::Tile));
        let x = done.gpr_write.map(|(x, _)| Register::X(x));
        let csr = done.csr_write.and_then(|(address, _)| isa.csr(address)).map(Csr::name);
        let trap = |trap: golden::Trap| format!("{} (cause {}, tval {:#x})", trap.cause_name(), trap.cause, trap.tval);
        Step {
            pc: done.pc,
            word: done.word,
            text: asm::disassemble(done.word, isa),
            line: at.checked_sub(1).map(|at| self.lines[at].1),
            trap: done.trap.map(trap),
            written: tl.chain(x).map(name).chain(csr).collect(),
        }
    }

    fn block(&self, register: Register, layout: &Layout) -> Block {
        let Layout { bits, integer, sizes, first } = layout.clone();
        let (bytes, origins) = match register {
            Register::Tl(tl) => (self.machine.tl.get(tl), self.origins.of_tl(tl, bits)),
            Register::Tile(tile) => {
                let bytes = self.machine.tiles.as_ref().map_or(&[][..], |tiles| tiles.get(tile));
                (bytes, self.origins.of_tile(tile, bits))
            }
            Register::X(_) => (&[][..], Vec::new()),
        };
        Block { name: name(register), bits, integer, sizes, first, values: elements(bytes, bits), origins }
    }

    /// Bytes of L0M that have been written, where they follow each other in one piece.
    fn l0m(&self) -> Vec<Bytes> {
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        let stored = (0..).zip(&self.stored).filter(|(_, stored)| **stored).map(|(address, _)| address);
        for address in stored.take(MOST) {
            match pieces.last_mut() {
                Some((start, length)) if *start + *length == address => *length += 1,
                _ => pieces.push((address, 1)),
            }
        }
        let bytes = |(address, length): (u32, u32)| Bytes {
            address,
            values: self.machine.l0m.get(address, length).unwrap_or_default().to_vec(),
            origins: self.origins.of_l0m(address, length),
        };
        pieces.into_iter().map(bytes).collect()
    }
}
