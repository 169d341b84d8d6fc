// SPDX-License-Identifier: Apache-2.0
//! Programs for the host (docs/isa.md, "Host"): streams of the unit that traps interrupt, a handler that skips, repairs
//! and traps again, loops, loads and stores to the windows.
//!
//! They end by construction: loops count down, each trap takes one from a counter in program memory, and words that
//! could jump or write program memory are left out of the streams.

use std::fmt::Write;

use golden::Csr;
use golden::decode::{Decoded, Direction, Register, decode};
use golden::hart::{HartCsr, L0M_BASE, L1M_BASE};

use super::generator::Generator;
use super::{flip, loops, matrix_ops, noise, row, shape};

/// The last host register that streams write. Above it: two of the handler, one of the program, the count of a loop.
pub(super) const LAST: u8 = 27;

/// Words of a program, about: a loop, or a trap, makes more instructions of them.
const LENGTH: usize = 110;

/// Most instructions that a program executes; a case with more does not end.
pub const MOST_INSTRUCTIONS: u64 = 1 << 16;

/// The first case that may be a program for the host: those before it are for a quick look.
const FIRST: u64 = 64;

/// Whether the case of this number is a program for the host.
pub fn share(number: u64) -> bool {
    number >= FIRST && matches!(number % 8, 4 | 7)
}

/// What the next few instructions are about.
#[derive(Clone, Copy)]
enum Block {
    Stream,
    Loop,
    Window,
    HostCsr,
    Row,
    Handler,
}

const BLOCKS: [(u32, Block); 6] = [
    (30, Block::Stream),
    (18, Block::Loop),
    (18, Block::Window),
    (10, Block::HostCsr),
    (20, Block::Row),
    (8, Block::Handler),
];

/// Instructions of the host that trap; `wfi` is one of nobody.
const TRAPS: [&str; 10] = [
    "ecall",
    "ebreak",
    ".word 0",
    ".word 0x10500073",
    "lw x30, 2(x0)",
    "lw x30, -4(x0)",
    "sw x30, 2(x0)",
    "j 6",
    "jalr x30, 2(x0)",
    "csrrwi x30, mcycle, 1",
];

/// The text of a program, and what it is made with.
pub(super) struct Writer<'a> {
    pub g: Generator<'a>,
    pub text: String,
    /// Words of the generator that are in the text, or were left out.
    taken: usize,
    labels: u32,
    /// What stands for a word of the generator; nothing when it is left out.
    filter: fn(&golden::Config, u32) -> Option<u32>,
    /// Accesses of the host to the windows are in its loops.
    windows: bool,
}

/// The words of a program, written with `g`.
pub fn program(mut g: Generator) -> Vec<u32> {
    g.last = LAST;
    let golden = &g.target.golden;
    let mut w = Writer::new(g, None);
    w.handler();
    shape::change(&mut w.g);
    (0..3).for_each(|_| row::load(&mut w.g));
    w.stream();
    (0..3).for_each(|_| w.own_trap());
    while w.text.lines().count() < LENGTH {
        match w.g.draw.weighted(&BLOCKS, Block::Stream) {
            Block::Stream => w.theme(true),
            Block::Loop => w.counted(),
            Block::Window => w.window(),
            Block::HostCsr => w.host_csr(),
            Block::Row => w.row(),
            Block::Handler => {
                w.line("csrwi mtvec, 0");
                w.own_trap();
                w.row();
                w.theme(false);
                w.line("csrwi mtvec, 16");
            }
        }
    }
    w.line("csrr x30, minstret\nend:");
    // Only its own text is assembled, and a test does that for many.
    golden::asm::assemble("program", &w.text, golden).unwrap_or_default()
}

impl<'a> Writer<'a> {
    /// For the host of the bench, or for a core, of which `filter` knows the instructions.
    pub fn new(g: Generator<'a>, filter: Option<fn(&golden::Config, u32) -> Option<u32>>) -> Writer<'a> {
        let windows = filter.is_none();
        let filter = filter.unwrap_or(|golden, word| stays(golden, word).then_some(word));
        Writer { g, text: String::new(), taken: 0, labels: 0, filter, windows }
    }

    /// The number of a label that is not taken.
    pub fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    pub fn any_line(&mut self, lines: &[&'static str]) {
        let line = self.pick(lines);
        self.line(line);
    }

    pub fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn pick(&mut self, lines: &[&'static str]) -> &'static str {
        self.g.draw.pick(lines)
    }

    /// The start, the words that the handler keeps (traps left, the trap that it is at, the last one), and the handler.
    fn handler(&mut self) {
        let fuel = self.g.draw.range(20, 90);
        self.line(&format!("j start\n.word {fuel}, 0, 0"));
        // What comes while others are killed: nothing of it can trap.
        for _ in 0..self.g.draw.below(4) {
            let mask = self.g.draw.range(1, 31);
            let size = self.g.draw.below(5);
            match self.g.draw.below(5) {
                0 => self.line("csrr x28, ttype"),
                1 => self.line("lui x28, 5"),
                2 if self.g.target.golden.matrix.is_some() => self.line(&format!("msettilemi {size}")),
                _ => self.line(&format!("csrrwi x28, tmask_store, {mask}")),
            }
        }
        if self.g.draw.chance(40) {
            // A short one is back before the unit has recovered. It skips each trap, so it needs no counter.
            self.line("csrr x29, mepc\naddi x29, x29, 4\ncsrw mepc, x29\nmret\nstart: csrwi mtvec, 16");
            return;
        }
        self.line("lw x28, 4(x0)\naddi x28, x28, -1\nsw x28, 4(x0)\nbgtz x28, more\nj end");
        self.line("more: lw x28, 8(x0)\nbeqz x28, first\ncsrr x28, mepc\naddi x28, x28, 4\ncsrw mepc, x28\nmret");
        self.line("first: csrr x29, mepc\nsw x29, 8(x0)\ncsrr x28, mcause\naddi x28, x28, -2\nbnez x28, other");
        self.answer("illegal");
        self.line("j back\nother:");
        self.answer("access");
        self.line("back:");
        let inside = ["", "", ".word 0", "ecall", "lw x28, 2(x0)", "tl.load tl1, 0(x26)", "tl.addi tl2, tl2, 1"];
        let inside = self.pick(&inside);
        self.line(inside);
        self.line("csrw mepc, x29\nsw x0, 8(x0)\nmret\nstart: csrwi mtvec, 16");
    }

    /// What the handler does about a trap: it goes on behind the instruction, puts a nop in its place, or makes legal
    /// what it may need and tries it once more.
    fn answer(&mut self, name: &str) {
        match self.g.draw.below(3) {
            0 => self.line("addi x29, x29, 4"),
            1 => self.line("li x28, 0x13\nsw x28, 0(x29)"),
            _ => {
                let bits = self.g.width();
                let (ttype, shape) = (1 << (bits.ilog2() - 2), 0x0001_0004 | self.g.draw.range(1, 4) << 8);
                let shape = format!("li x28, {ttype}\ncsrw ttype, x28\nli x28, {shape}\ncsrw tshape, x28");
                self.line(&format!("lw x28, 12(x0)\nsw x29, 12(x0)\nbne x28, x29, {name}\naddi x29, x29, 4"));
                self.line(&format!("{name}: {shape}\ncsrwi tload_width, 0\ncsrwi tstore_width, 0"));
                for csr in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2] {
                    self.line(&format!("csrwi {}, 1", csr.name()));
                }
                let base = self.g.base(Direction::Load, 256, 64);
                self.line(&format!("li x27, {base}"));
            }
        }
    }

    /// Puts what the generator has written into the text, but for words that jump, store, or write what is not theirs.
    pub fn stream(&mut self) {
        let words = self.g.words()[self.taken..].to_vec();
        self.taken += words.len();
        let (filter, golden) = (self.filter, &self.g.target.golden);
        for word in words.into_iter().filter_map(|word| filter(golden, word)) {
            self.line(&format!(".word {word:#010x}"));
        }
    }

    /// A stream of the unit; with a `long` one instructions that trap, and many behind them.
    pub fn theme(&mut self, long: bool) {
        let g = &mut self.g;
        match g.draw.below(if long { 16 } else { 11 }) {
            0..5 => row::tensor(g),
            5..8 => row::row(g),
            8 if g.target.golden.matrix.is_some() => matrix_ops::any(g),
            8 | 9 => noise::host(g),
            10 => noise::illegal(g),
            11 | 12 => flip::run(g),
            13 => noise::random_word(g),
            _ => loops::short(g),
        }
        self.stream();
    }

    pub fn counted(&mut self) {
        let (count, label) = (self.g.draw.range(2, 5), self.label());
        self.line(&format!("li x31, {count}\nloop{label}:"));
        for _ in 0..self.g.draw.range(1, 2) {
            self.theme(false);
        }
        if self.windows && self.g.draw.chance(40) {
            self.window();
        }
        self.line(&format!("addi x31, x31, -1\nbeqz x31, out{label}\nj loop{label}\nout{label}:"));
    }

    /// A load or store of the host, beside one of the unit at the same place.
    fn window(&mut self) {
        let load = self.g.draw.chance(60);
        let direction = if self.g.draw.chance(60) { Direction::Store } else { Direction::Load };
        let (access, window) = match direction {
            Direction::Load => ("tl.load tl3, 0(x27)", L1M_BASE),
            Direction::Store => ("tl.store tl3, 0(x27)", L0M_BASE),
        };
        let base = if self.g.draw.chance(92) { self.g.base(direction, 64, 4) } else { self.g.memory(direction) };
        let offset = if self.g.draw.chance(85) { 4 * self.g.draw.below(4) } else { self.g.draw.below(8) };
        let host = if load {
            self.pick(&["lw x30,", "lw x30,", "lhu x30,", "lb x30,"])
        } else {
            self.pick(&["sw x31,", "sw x30,", "sh x30,", "sb x30,"])
        };
        self.line(&format!("li x27, {base}\nli x30, {}", window + base));
        let host = format!("{host} {offset}(x30)");
        let behind = load || self.g.draw.chance(50);
        let [first, second] = if behind { [access, &host] } else { [&host, access] };
        self.line(&format!("{first}\n{second}"));
    }

    fn host_csr(&mut self) {
        for _ in 0..self.g.draw.range(1, 3) {
            let line = self.pick(&[
                "csrr x30, minstret",
                "csrr x30, mcycle",
                "csrr x30, mepc",
                "csrr x30, mtval",
                "csrrw x30, mscratch, x31",
                "csrrs x30, mcause, x0",
                "csrr x30, minstreth",
                "fence",
                "mul x30, x5, x6",
                "divu x30, x7, x6",
                "auipc x30, 1",
            ]);
            self.line(line);
        }
    }

    /// An instruction of the host that traps.
    fn own_trap(&mut self) {
        self.any_line(&TRAPS);
    }

    /// Traps one behind the other, with little between them.
    fn row(&mut self) {
        let bad = self.g.memory(Direction::Load) + 4 * self.g.draw.below(16);
        self.line(&format!("li x26, {bad}\nli x27, {bad}"));
        // Nothing but traps, more than the unit takes before it has recovered from the first.
        if self.g.draw.chance(40) {
            let line = self.pick(&[".word 0", ".word 0", "tl.load tl1, 0(x27)", "tl.store tl1, 0(x27)"]);
            (0..self.g.draw.range(8, 14)).for_each(|_| self.line(line));
        }
        for _ in 0..self.g.draw.range(1, 8) {
            let line = match self.g.draw.below(10) {
                0..3 => ".word 0",
                3 | 4 => self.pick(&TRAPS),
                5 => "tl.load tl1, 0(x27)",
                6 => "tl.store tl1, 0(x27)",
                7 => "tl.addi tl2, tl1, 3",
                8 => "csrr x25, tshape",
                _ => "addi x30, x25, 1",
            };
            self.line(line);
        }
    }
}

/// Whether an instruction writes no register above [`LAST`].
pub(super) fn leaves_high_registers(instruction: Decoded) -> bool {
    instruction.operands().writes().all(|register| !matches!(register, Register::X(rd) if rd > LAST))
}

/// Whether a word of a stream may be in a program: it goes on with the next one, leaves program memory and the CSRs of
/// the host alone, and writes no register above [`LAST`].
fn stays(golden: &golden::Config, word: u32) -> bool {
    let decoded = decode(word, golden);
    let rd = word >> 7 & 31;
    match word & 0x7f {
        _ if decoded.engine().is_some() => leaves_high_registers(decoded),
        // No instruction: nothing is written.
        0x2b | 0x5b => true,
        // Stores, branches, jumps.
        0x23 | 0x63 | 0x67 | 0x6f => false,
        // Calls and the return have no CSR.
        0x73 if word >> 12 & 7 == 0 => false,
        0x73 => HartCsr::from_address((word >> 20) as u16).is_none() && rd <= LAST.into(),
        _ => rd <= LAST.into(),
    }
}
