// SPDX-License-Identifier: Apache-2.0
//! The code around the cases of an exported program. It runs wherever it is loaded: only the windows of the memories and
//! the end are at fixed addresses.
//!
//! A case may use every host register, so `mscratch` has the place where they are saved. Behind a case, a sum is made of
//! causes of traps, host registers, CSRs, L0M, and the TLRegs that the case has written, and compared with the model's.

use golden::decode::decode;
use golden::hart::{EXIT, L0M_BASE, L1M_BASE};
use golden::{Config, Csr, Machine, MatrixCsr};

use super::body::Body;
use crate::lockstep::ports::whole_register;

/// How a program tells its result: 0, or the number of the first check that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A word is stored at this address.
    Exit(u32),
    /// Twice the result and 1 is stored at this address, as Spike and riscv-tests have it.
    Tohost(u32),
    /// The function at this address is called with the result in a0.
    Call(u32),
}

/// Where a program finds what is outside of it.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Address of its first byte, a multiple of 128: it has the handler of traps.
    pub base: u32,
    /// Where the host sees L1M, which the unit has from its address 0 on.
    pub l1m: u32,
    /// The same for L0M.
    pub l0m: u32,
    pub end: End,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { base: 0, l1m: L1M_BASE, l0m: L0M_BASE, end: End::Exit(EXIT) }
    }
}

/// Saves the registers that it uses, adds the cause to the sum of causes, and goes on behind the instruction. On a host
/// with 64 bits it leaves x29 to x31 sign-extended from 32 bits, because the model's `mscratch` and memory accesses have
/// 32.
const HANDLER: &str = "
        csrrw x31, mscratch, x31
        sw    x30, 0(x31)
        sw    x29, 4(x31)
        lw    x30, 8(x31)
        slli  x29, x30, 5
        add   x30, x30, x29
        csrr  x29, mcause
        add   x30, x30, x29
        sw    x30, 8(x31)
        csrr  x29, mepc
        addi  x29, x29, 4
        csrw  mepc, x29
        csrr  x29, mscratch
        sw    x29, 12(x31)
        lw    x29, 12(x31)
        csrw  mscratch, x29
        lw    x29, 4(x31)
        lw    x30, 0(x31)
        csrrw x31, mscratch, x31
        mret
";

/// Adds the words from x2 up to x3 to the sum in x4; and fills them with what looks random, from x4 on, with 0x7fff in
/// x6.
/// Only bits 31:0 of x4 count, so hosts with 32 and 64 bits do the same.
const LOOPS: &str = "
fold:   lw    x5, 0(x2)
        slli  x6, x4, 5
        add   x4, x4, x6
        add   x4, x4, x5
        addi  x2, x2, 4
        bltu  x2, x3, fold
        jr    x7
fill:   slli  x5, x4, 13
        xor   x4, x4, x5
        srli  x5, x4, 17
        and   x5, x5, x6
        xor   x4, x4, x5
        slli  x5, x4, 5
        xor   x4, x4, x5
        sw    x4, 0(x2)
        addi  x2, x2, 4
        bltu  x2, x3, fill
        jr    x7
";

/// Bytes in front of the handler; those of the handler, and of the registers that are saved.
const SLOT: usize = 128;
/// Offset of x1 behind the place where registers are saved.
const SAVED: usize = 12;

/// Two instructions, whatever the value is.
fn constant(rd: u8, value: u32) -> String {
    let low = (value << 20) as i32 >> 20;
    format!("lui x{rd}, {}\naddi x{rd}, x{rd}, {low}\n", value.wrapping_sub(low as u32) >> 12)
}

/// An address, a multiple of 4, which `lui` of a host with 64 bits would sign-extend.
fn address(rd: u8, value: u32) -> String {
    constant(rd, value >> 2) + &format!("slli x{rd}, x{rd}, 2\n")
}

/// The CSRs of the unit that can be read.
fn csrs(config: &Config) -> Vec<Csr> {
    let all = Csr::all().chain(MatrixCsr::all().map(Csr::Matrix));
    let legal = |csr: &Csr| {
        let word = u32::from(csr.address()) << 20 | 0x2073;
        decode(word, config).engine().is_some() && Machine::new(config).step(word).trap.is_none()
    };
    all.filter(legal).collect()
}

/// Gives the CSRs the values that they have after reset, but for masks, which would be initialised then.
pub fn reset_csrs(config: &Config) -> String {
    let masks = [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2];
    let fresh = Machine::new(config);
    let write = |csr: Csr| constant(5, fresh.csr.read(csr)) + &format!("csrw {}, x5\n", csr.name());
    csrs(config).into_iter().filter(|csr| !csr.read_only() && !masks.contains(csr)).map(write).collect()
}

/// The program in assembly language, with 0 in place of each sum. `window` bytes of L1M and L0M are used.
pub fn text(config: &Config, layout: &Layout, window: u32, bodies: &[Body]) -> String {
    let csrs = csrs(config);
    let words = |from: u32, bytes: u32| address(2, from) + &address(3, from.wrapping_add(bytes));
    let data = SAVED + 4 * (31 + csrs.len());
    let mut text = format!("j start\n.space {}\nhandler:{HANDLER}", SLOT - 4);
    text += &format!(".space {}\ndata: .space {data}\n{LOOPS}", SLOT - 4 * (HANDLER.trim().lines().count()));
    // What a case begins with.
    text += &format!("restart:\n{}", reset_csrs(config));
    (2..32).for_each(|i| text += &format!("li x{i}, 0\n"));
    // The sum of all but TLRegs, in x4.
    text += "jr x1\ncheck:\n";
    (2..31).for_each(|i| text += &format!("sw x{i}, {}(x31)\n", SAVED + 4 * (i - 1)));
    text += &format!("csrr x5, mscratch\nsw x5, {}(x31)\ncsrw mscratch, x31\n", SAVED + 120);
    for (i, csr) in csrs.iter().enumerate() {
        text += &format!("csrr x5, {}\nsw x5, {}(x31)\n", csr.name(), SAVED + 124 + 4 * i);
    }
    let (ttype, tshape) = whole_register(config);
    text += &format!("{}csrw ttype, x5\n{}csrw tshape, x5\n", constant(5, ttype), constant(5, tshape));
    for csr in csrs.iter().filter(|csr| matches!(csr, Csr::TstoreWidth | Csr::TstorePitch | Csr::TstoreStride(0))) {
        text += &format!("csrwi {}, 0\n", csr.name());
    }
    text += &format!("addi x2, x31, 8\naddi x3, x31, {data}\nli x4, 0\njal x7, fold\nfence\n");
    text += &format!("{}mv x7, x1\nj fold\n", words(layout.l0m, window));
    // The TLReg that was stored last.
    text += &format!("register: fence\n{}mv x7, x1\nj fold\n", words(layout.l0m, config.reg_bytes as u32));
    text += "start: la x31, data\ncsrw mscratch, x31\nla x30, handler\ncsrw mtvec, x30\n";
    text += &constant(4, 0x9e37_79b9);
    for base in [layout.l1m, layout.l0m] {
        text += &format!("{}{}jal x7, fill\n", words(base, window), constant(6, 0x7fff));
    }
    for (i, Body { words, written, .. }) in bodies.iter().enumerate() {
        text += "jal x1, restart\nli x1, 0\n";
        words.iter().for_each(|word| text += &format!(".word {word:#010x}\n"));
        text += &format!("csrrw x31, mscratch, x31\nsw x1, {SAVED}(x31)\njal x1, check\n");
        written.iter().for_each(|tl| text += &format!("tl.store tl{tl}, 0(x0)\njal x1, register\n"));
        // `lui` and `addi` sign-extend, and so does `lw`.
        text += "sw x4, 0(x31)\nlw x4, 0(x31)\n";
        text +=
            &format!("lui x5, 0\naddi x5, x5, 0\nbeq x4, x5, pass{i}\n{}j end\npass{i}:\n", constant(10, i as u32 + 1));
    }
    text + "li x10, 0\nend:\n" + &ending(layout.end)
}

/// Tells the result in x10, and stays.
fn ending(end: End) -> String {
    match end {
        End::Exit(at) => address(5, at) + "sw x10, 0(x5)\nstay: j stay",
        End::Tohost(at) => "slli x10, x10, 1\nori x10, x10, 1\n".to_owned() + &ending(End::Exit(at)),
        End::Call(at) => address(5, at) + "jalr x1, 0(x5)\nstay: j stay",
    }
}
