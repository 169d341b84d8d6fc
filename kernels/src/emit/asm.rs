// SPDX-License-Identifier: Apache-2.0
//! Text of a program: instructions, labels, CSRs that already have their value, registers of the host.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use super::L1M_WINDOW;
use super::kernel::Op;
use crate::plan::block::Loop;

/// Scratch register: any step may overwrite it.
pub(super) const TEMP: Reg = Reg(5);
/// A second scratch register.
pub(super) const TEMP2: Reg = Reg(6);
/// Addresses of the current input and output piece in program memory. No block uses these registers.
pub(super) const PIECE: [Reg; 2] = [Reg(3), Reg(4)];
const FIRST: u8 = 7;

/// A register of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reg(u8);

impl Display for Reg {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// An instruction for the unit, and the register with the place of its block.
pub(super) type Item = (Op, Option<Reg>);

/// A program under construction.
#[derive(Debug)]
pub(super) struct Asm {
    /// The lines.
    pub text: String,
    csrs: BTreeMap<String, u32>,
    kept: BTreeMap<i64, Reg>,
    labels: usize,
    /// A bit for each register in use.
    used: u32,
}

/// Loops of a program, the innermost first, with registers for their counters and for the steps of the innermost.
#[derive(Debug)]
pub(super) struct Nest {
    loops: Vec<(Loop, Reg)>,
    from: Step,
    to: Step,
}

/// What is added to a pointer.
#[derive(Clone, Copy, Debug)]
enum Step {
    Small(i64),
    Register(Reg),
}

impl Asm {
    pub fn new() -> Self {
        Self { text: String::new(), csrs: BTreeMap::new(), kept: BTreeMap::new(), labels: 0, used: 0 }
    }

    /// An instruction.
    pub fn op(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "        {line}");
    }

    /// A comment.
    pub fn comment(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "# {line}");
    }

    /// A new label.
    pub fn fresh_label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    /// Puts a label here.
    pub fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    /// Loads a constant, modulo 2^32.
    pub fn li(&mut self, reg: Reg, value: i64) {
        self.op(format_args!("li {reg}, {}", value as i32));
    }

    /// Frees all registers.
    pub fn release(&mut self) {
        self.release_but(std::iter::empty());
    }

    /// Frees all registers but those of these instructions.
    pub fn release_but<'a>(&mut self, items: impl Iterator<Item = &'a Item> + Clone) {
        let constants: Vec<i64> = items.clone().filter_map(|(op, _)| op.constant()).collect();
        self.kept.retain(|value, _| constants.contains(value));
        let registers = items.filter_map(|(_, place)| *place).chain(self.kept.values().copied());
        self.used = registers.fold(0, |used, register| used | 1 << register.0);
    }

    /// Registers in use.
    pub fn given(&self) -> impl Iterator<Item = Reg> + use<> {
        let used = self.used;
        (FIRST..32).filter(move |n| used >> n & 1 == 1).map(Reg)
    }

    /// Registers that are free.
    pub fn free(&self) -> usize {
        (FIRST..32).len() - self.given().count()
    }

    /// Forgets the values of the CSRs.
    pub fn forget(&mut self) {
        self.csrs.clear();
    }

    /// Allocates a register. There are 25, more than any step needs.
    pub fn reg(&mut self) -> Reg {
        let free = (FIRST..32).find(|n| self.used >> n & 1 == 0);
        let Some(register) = free else { panic!("a step takes more registers than the host has") };
        self.used |= 1 << register;
        Reg(register)
    }

    /// Allocates a register for a constant.
    pub fn constant(&mut self, value: i64) -> Reg {
        let reg = self.reg();
        self.li(reg, value);
        reg
    }

    /// Writes a CSR, unless it already has the value.
    fn csr(&mut self, name: &str, value: u32) {
        if self.csrs.insert(name.to_string(), value) == Some(value) {
            return;
        }
        if value < 32 {
            self.op(format_args!("csrwi {name}, {value}"));
        } else {
            self.li(TEMP, i64::from(value));
            self.op(format_args!("csrw {name}, {TEMP}"));
        }
    }

    /// Keeps a constant for later instructions of the unit in a register.
    pub fn keep(&mut self, value: i64) {
        if !self.kept.contains_key(&value) {
            let register = self.constant(value);
            self.kept.insert(value, register);
        }
    }

    /// An instruction of the unit, or what belongs to it, for a block at `place`.
    pub fn unit(&mut self, op: &Op, place: Option<Reg>) {
        let place = place.unwrap_or(TEMP2);
        let kept = op.constant().and_then(|value| self.kept.get(&value).copied()).unwrap_or(TEMP);
        match op {
            Op::Csr(name, value) => self.csr(name, *value),
            Op::Word(at, value) => {
                self.li(TEMP2, L1M_WINDOW + *at as i64);
                self.li(TEMP, i64::from(*value));
                self.op(format_args!("sw {TEMP}, 0({TEMP2})"));
            }
            Op::Fetch(register, at) => {
                self.li(TEMP2, *at as i64);
                self.op(format_args!("tl.load tl{register}, 0({TEMP2})"));
            }
            Op::Shape(value) => {
                self.csrs.insert("tshape".into(), *value);
                self.op(format_args!("csrw tshape, {kept}"));
            }
            Op::Slices(mnemonic, register, slots, 0) => {
                self.op(format_args!("{mnemonic} tl{register}, {slots}({place})"));
            }
            Op::Slices(mnemonic, register, slots, _) => {
                self.op(format_args!("add {TEMP}, {place}, {kept}"));
                self.op(format_args!("{mnemonic} tl{register}, {slots}({TEMP})"));
            }
            Op::Combine(mnemonic, first, second) => {
                self.op(format_args!("{mnemonic} tl{first}, tl{first}, tl{second}"))
            }
            Op::Add(register, number) => self.op(format_args!("tl.addi tl{register}, tl{register}, {number}")),
            Op::Xpose([p, q], register, _) => {
                self.op(format_args!("tl.xpose.{p}{q} tl{register}, tl{}, {kept}", register + 1));
            }
            Op::Lines(mnemonic, register, _) => {
                self.op(format_args!("{mnemonic} tr{register}, ({place}), {kept}"));
            }
            Op::TileSize(mnemonic, size) => self.op(format_args!("{mnemonic} {size}")),
        }
    }

    /// `to = from + value`; a register in between where the value is large.
    pub fn add(&mut self, to: Reg, from: Reg, value: i64) {
        if (-2048..2048).contains(&value) {
            if value != 0 || to != from {
                self.op(format_args!("addi {to}, {from}, {value}"));
            }
        } else {
            self.li(TEMP, value);
            self.op(format_args!("add {to}, {from}, {TEMP}"));
        }
    }

    fn step(&mut self, value: i64) -> Step {
        if (-2048..2048).contains(&value) { Step::Small(value) } else { Step::Register(self.constant(value)) }
    }

    fn add_step(&mut self, to: Reg, from: Reg, step: Step) {
        match step {
            Step::Small(value) => self.add(to, from, value),
            Step::Register(reg) => self.op(format_args!("add {to}, {from}, {reg}")),
        }
    }

    /// Counters and steps of loops, the innermost last.
    pub fn nest(&mut self, loops: &[Loop]) -> Nest {
        let inner = loops.last().copied().unwrap_or(Loop { count: 1, from: 0, to: 0 });
        let counters = loops.iter().rev().map(|l| (*l, self.constant(l.count as i64))).collect();
        Nest { loops: counters, from: self.step(inner.from), to: self.step(inner.to) }
    }

    /// The next iteration: pointer `from` moves on, `next_to` becomes what comes after `to`, and the program goes to
    /// `target`. Behind this, all iterations are done.
    pub fn advance(&mut self, nest: &Nest, from: Option<Reg>, [to, next_to]: [Reg; 2], target: &str) {
        let mut inside: Option<Loop> = None;
        for (this, counter) in &nest.loops {
            match inside {
                None => {
                    from.into_iter().for_each(|from| self.add_step(from, from, nest.from));
                    self.add_step(next_to, to, nest.to);
                }
                Some(inside) => {
                    let count = inside.count as i64;
                    from.into_iter().for_each(|from| self.add(from, from, this.from - count * inside.from));
                    self.add(next_to, next_to, this.to - count * inside.to);
                }
            }
            self.op(format_args!("addi {counter}, {counter}, -1"));
            self.op(format_args!("bnez {counter}, {target}"));
            self.li(*counter, this.count as i64);
            inside = Some(*this);
        }
    }
}
