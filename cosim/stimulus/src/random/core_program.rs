// SPDX-License-Identifier: Apache-2.0
//! Programs for a real core with the unit: what core and model do alike. Every trap goes on behind its instruction,
//! also with a handler; no instruction that only one of both has; accesses that are aligned and inside.
//!
//! They end by construction: loops count down, and branches go forward.

use golden::decode::{Decoded, Direction, Isa, decode, instructions};
use golden::hart::{HartCsr, L0M_BASE, L1M_BASE};

use super::generator::Generator;
use super::host_program::{LAST, Writer, leaves_high_registers};
use super::{noise, row, shape};
use crate::base::draw::Draw;
use crate::lockstep::system::{MRET, is_refused};

/// Lines of a program, about.
const LENGTH: usize = 160;

/// What the next few instructions are about.
#[derive(Clone, Copy)]
enum Block {
    Stream,
    Loop,
    Window,
    WrongPath,
    Result,
    Host,
    Trap,
    Print,
}

const BLOCKS: [(u32, Block); 8] = [
    (30, Block::Stream),
    (12, Block::Loop),
    (20, Block::Window),
    (16, Block::WrongPath),
    (14, Block::Result),
    (10, Block::Host),
    (8, Block::Trap),
    (4, Block::Print),
];

/// Instructions that take long, and loads and stores of program memory.
const HOST: [&str; 8] = [
    "divu x30, x7, x6",
    "rem x30, x5, x8",
    "mulh x30, x5, x6",
    "mul x30, x5, x6",
    "lw x30, 8(x0)",
    "sw x31, 8(x0)",
    "fence",
    "csrrw x30, mscratch, x31",
];

/// Accesses of the trap CSRs that `tl_pcpi` gives a core which has none.
const TRAP_CSRS: [&str; 9] = [
    "csrrs x30, mtvec, x0",
    "csrrw x30, mepc, x5",
    "csrrs x30, mepc, x0",
    "csrrw x30, mcause, x5",
    "csrrsi x30, mcause, 9",
    "csrrs x30, mcause, x0",
    "csrrw x30, mtval, x5",
    "csrrc x30, mtval, x5",
    "csrrs x30, mtval, x0",
];

/// Reads cause and value of each trap, and changes no register. The low bits of `mtvec` are none.
const HANDLER: &str = "csrrw x29, mscratch, x29\ncsrrs x29, mcause, x0\ncsrrs x29, mtval, x0\ncsrrs x29, mepc, x0\n\
    addi x29, x29, 4\ncsrrw x0, mepc, x29\ncsrrw x29, mscratch, x29\nmret\nstart: csrrwi x0, mtvec, 19";

/// How a core takes traps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traps {
    /// It has trap CSRs of its own; every trap goes on behind its instruction.
    Core,
    /// It has those of `tl_pcpi`, and no handler.
    Adapter,
    /// It has those of `tl_pcpi`, and a handler.
    Handler,
}

/// The words of a program, written with `g`; also for a second unit, if there is one.
pub fn program(mut g: Generator, traps: Traps, second: Option<&golden::Config>) -> Vec<u32> {
    g.last = LAST;
    let golden = &g.target.golden;
    let mut w = Writer::new(g, Some(for_core));
    w.line("j start\n.word 0, 0, 0");
    w.line(if traps == Traps::Handler { HANDLER } else { "start:" });
    shape::change(&mut w.g);
    (0..3).for_each(|_| row::load(&mut w.g));
    w.stream();
    while w.text.lines().count() < LENGTH {
        match w.g.draw.weighted(&BLOCKS, Block::Stream) {
            Block::Stream => w.theme(true),
            Block::Loop => w.counted(),
            Block::Window => window(&mut w),
            Block::WrongPath => wrong_path(&mut w),
            Block::Result => result(&mut w),
            Block::Host => host(&mut w, traps),
            Block::Trap if traps != Traps::Core && w.g.draw.chance(50) => {
                for _ in 0..w.g.draw.range(4, 12) {
                    let word = beside(&mut w.g);
                    w.line(&format!(".word {word:#010x}"));
                }
            }
            Block::Trap => {
                // A load of another EngineID.
                let other = format!(".word {:#x}", (3 - u32::from(golden.engine_id)) << 30 | 0x5b);
                let line = w.g.draw.pick(&["ecall", "ebreak", ".word 0", ".word 0xffffffff", &*other]);
                w.line(line);
            }
            Block::Print => w.line("lui x29, 0x30000\ntl.store tl3, 0(x27)\nsb x5, 4(x29)"),
        }
    }
    w.line("addi x30, x30, 1\nend:");
    let text = second.map(|second| for_both(w.g.draw, &w.text, [golden, second]));
    golden::asm::assemble("program", text.as_ref().unwrap_or(&w.text), golden).unwrap_or_default()
}

/// The words of `text` are for the first of two units, the second or both, one behind the other.
fn for_both(draw: &mut Draw, text: &str, [first, second]: [&golden::Config; 2]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let word = line.strip_prefix(".word 0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some((word, other)) = word.and_then(|word| Some((word, of_other(word, first, second)?))) else {
            lines.push(line.to_owned());
            continue;
        };
        let both = [word, other].map(|word| format!(".word {word:#010x}"));
        lines.extend_from_slice(draw.choose(&[&both[..1], &both, &both[1..]]).unwrap_or(&both));
    }
    lines.join("\n") + "\n"
}

/// The same instruction for the second unit; matrix instructions are of one unit.
fn of_other(word: u32, first: &golden::Config, second: &golden::Config) -> Option<u32> {
    let engine = u32::from(first.engine_id ^ second.engine_id) << 30;
    let base = u32::from(first.csr_base ^ second.csr_base) << 20;
    match decode(word, first) {
        Decoded::Csr(_) if word & 0x7f == 0x73 => Some(word ^ if word >> 30 == 3 { base / 4 } else { base }),
        Decoded::Tensor(_) | Decoded::Csr(_) => Some(for_adapter(word ^ engine, second)),
        Decoded::Matrix(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => None,
    }
}

/// A word that nobody executes: one bit beside one that somebody does, or a first encoding that the adapter refuses.
fn beside(g: &mut Generator) -> u32 {
    let golden = &g.target.golden;
    let mut host = g.machine.clone();
    loop {
        let word = executed(g.draw, golden);
        let word = if g.draw.chance(90) { word ^ 1 << g.draw.range(7, 31) } else { word };
        let not_of_unit = matches!(decode(word, golden), Decoded::Illegal | Decoded::NotOurs);
        if (not_of_unit || is_refused(word, golden)) && host.hart.execute(word, &mut host.l1m, &mut host.l0m).is_none()
        {
            return word;
        }
    }
}

/// `mret`, a multiplication or division, any funct3 on a trap CSR, or an instruction of the unit.
fn executed(draw: &mut Draw, golden: &golden::Config) -> u32 {
    let registers = draw.u32() & 0x000f_8f80;
    match draw.below(10) {
        0 => MRET,
        1 | 2 => 0x0200_0033 | registers | draw.u32() & 0x01f0_7000,
        3..8 => {
            let csrs: Vec<u16> = HartCsr::all().filter(|csr| !csr.read_only()).map(HartCsr::address).collect();
            u32::from(draw.pick(&csrs)) << 20 | registers | draw.below(8) << 12 | 0x73
        }
        _ => {
            let rows: Vec<Decoded> = instructions(golden).collect();
            draw.choose(&rows).and_then(|row| row.encode(golden)).unwrap_or_default() | registers
        }
    }
}

fn host(w: &mut Writer, traps: Traps) {
    for _ in 0..w.g.draw.range(1, 2) {
        w.any_line(&HOST);
    }
    match traps {
        Traps::Core => {}
        Traps::Adapter if w.g.draw.chance(20) => w.line("csrrwi x30, mtvec, 3"),
        Traps::Adapter | Traps::Handler => w.any_line(&TRAP_CSRS),
    }
    if w.g.draw.chance(60) {
        w.any_line(&["tl.addi tl2, tl1, 3", "tl.load tl3, 0(x27)", "tl.store tl3, 0(x27)", "tl.load tl3, 0(x31)"]);
    }
    noise::host(&mut w.g);
    w.stream();
}

/// Reads and writes of CSRs of the unit, those of the opcode SYSTEM first.
const UNIT_CSRS: [&str; 5] = [
    "csrrs x29, tstore_width, x0",
    "csrrwi x29, tload_width, 0",
    "tl.csrrs x29, tshape, x0",
    "tl.csrrs x29, ttype, x0",
    "tl.csrrwi x29, tload_width, 0",
];
const SYSTEM_CSRS: usize = 2;

/// A result of the unit behind something that occupies the core, and an instruction that needs it.
fn result(w: &mut Writer) {
    w.any_line(&HOST);
    let of_unit = if w.g.target.golden.csr_op { &UNIT_CSRS[..] } else { &UNIT_CSRS[..SYSTEM_CSRS] };
    w.any_line(of_unit);
    w.any_line(&["add x30, x29, x29", "addi x30, x29, 1", "sw x29, 12(x0)", "add x29, x30, x30", "beq x29, x0, 4"]);
}

/// Instructions of the unit behind a branch that is taken, and one of its own behind them.
fn wrong_path(w: &mut Writer) {
    let label = w.label();
    let words: Vec<String> = w.text.lines().filter(|line| line.starts_with(".word")).map(str::to_owned).collect();
    let branch = w.g.draw.pick(&["beq x0, x0,", "bne x0, x30,", "bgeu x31, x0,", "jal x0,"]);
    if w.g.draw.chance(50) {
        w.any_line(&HOST);
    }
    w.line(&format!("{branch} over{label}"));
    for _ in 0..w.g.draw.range(1, 3) {
        let word = words[w.g.draw.below(words.len() as u32) as usize].clone();
        w.line(&word);
    }
    w.line(&format!("over{label}:"));
    w.theme(false);
}

/// A load or store of the core beside one of the unit at the same place.
fn window(w: &mut Writer) {
    let direction = if w.g.draw.chance(60) { Direction::Store } else { Direction::Load };
    let (access, window) = match direction {
        Direction::Load => ("tl.load tl3, 0(x27)", L1M_BASE),
        Direction::Store => ("tl.store tl3, 0(x27)", L0M_BASE),
    };
    let base = w.g.base(direction, 64, 4);
    w.line(&format!("li x27, {base}\nli x28, {}", window + base));
    let host = w.g.draw.pick(&["lw x30,", "lhu x30,", "lb x30,", "sw x31,", "sh x30,", "sb x30,"]);
    let host = format!("{host} {}(x28)", 4 * w.g.draw.below(4));
    let [first, second] = if w.g.draw.chance(70) { [access, &*host] } else { [&*host, access] };
    w.line(&format!("{first}\n{second}"));
}

/// Whether the word is a CSR instruction under the unit's opcode on `tcause` or `ttval`.
pub fn names_adapter(word: u32) -> bool {
    word & 0x2fe0_407f == 0x0180_405b && word & 0x3000 != 0
}

/// A word on `tcause` or `ttval` with another funct3, or a CSR instruction but for a bit of opcode, operation or CSR.
pub fn beside_adapter(draw: &mut Draw, golden: &golden::Config) -> u32 {
    let funct3 = draw.below(8);
    let [rd, rs1] = [7, 15].map(|place| draw.below(32) << place);
    let csr = u32::from(golden.csr_base) + 0x18 + draw.below(2);
    let word = csr << 20 | rs1 | funct3 << 12 | rd | 0x73;
    let word = if draw.chance(50) { unit_csr(word, golden.engine_id, golden.csr_base) } else { word };
    // Another register would be no other CSR.
    let bit = draw.pick(&[0, 5, 12, 13, 14, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]);
    if funct3 & 3 == 0 { word } else { word ^ 1 << bit }
}

/// What stands for a word of a stream, if it may be in a program.
fn for_core(golden: &golden::Config, word: u32) -> Option<u32> {
    known_to_core(golden, word).filter(|_| leaves_high_registers(decode(word, golden)))
}

/// What stands for a word of a stream on a core, if all cores with the unit do the same with it.
pub fn known_to_core(golden: &golden::Config, word: u32) -> Option<u32> {
    let (decoded, funct3, csr) = (decode(word, golden), word >> 12 & 7, word >> 20);
    let known = match (decoded, word & 0x7f) {
        (Decoded::Tensor(_) | Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_), _) => true,
        // CSRs of the adapter are none of the model's.
        (Decoded::Illegal | Decoded::NotOurs, 0x2b | 0x5b) => !names_adapter(word),
        (Decoded::Illegal | Decoded::NotOurs, 0x73) => {
            funct3 & 3 != 0 && matches!(csr, 0x800..=0x8bf | 0xcc0..=0xcff) && csr & !0x81 != 0x818
        }
        (Decoded::Illegal | Decoded::NotOurs, _) => false,
    };
    known.then(|| for_adapter(word, golden))
}

/// In the encoding that an adapter takes.
fn for_adapter(word: u32, golden: &golden::Config) -> u32 {
    if golden.gpr_rs1 { second_encoding(word, golden) } else { word }
}

/// The second encoding of an instruction in the first one; other words as they are.
pub fn second_encoding(word: u32, isa: impl Into<Isa>) -> u32 {
    let isa = isa.into();
    match decode(word, isa) {
        Decoded::Tensor(tensor) => tensor.second_form().map_or(word, |second| second.encode(isa.engine_id)),
        Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => word,
    }
}

/// A CSR instruction of the opcode SYSTEM on a CSR of the unit, under the unit's own opcode; other words as they are.
pub fn unit_csr(word: u32, engine_id: u8, csr_base: u16) -> u32 {
    let (funct3, csr) = (word >> 12 & 7, word >> 20);
    let (low, high) = (u32::from(csr_base), u32::from(csr_base - 0x800) / 4);
    let number = match csr {
        _ if word & 0x7f != 0x73 || funct3 & 3 == 0 => return word,
        csr if (low..low + 0x80).contains(&csr) => csr - low,
        csr if (0xcc0 + high..0xce0 + high).contains(&csr) => (csr - high) & 0xff,
        _ => return word,
    };
    // The form with an immediate has a bit of its own.
    let funct3 = (funct3 & 3) + 4;
    u32::from(engine_id) << 30 | (word >> 14 & 1) << 28 | number << 20 | word & 0xf_8f80 | funct3 << 12 | 0x5b
}
