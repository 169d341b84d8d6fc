// SPDX-License-Identifier: Apache-2.0
//! Random instructions of the host, legal and not: all of RV32IM and of its CSRs, with values at the edges. Jumps go
//! forward, so a program ends. The handler keeps a record of each trap in program memory.

use cosim_bench::base::draw::Draw;
use golden::hart::{EXIT, HartCsr, L0M_BASE, L1M_BASE, RAM_BYTES};
use golden::{Config, Csr, asm};

/// Instructions between the start and the end.
const LENGTH: usize = 200;

const HANDLER: &str = "
        j start
handler: csrr x29, mcause
        sw x29, 0(x28)
        csrr x29, mtval
        sw x29, 4(x28)
        csrr x29, mepc
        sw x29, 8(x28)
        addi x28, x28, 12
        addi x29, x29, 4
        csrw mepc, x29
        mret
start:  lui x28, 0x20
        la x1, handler
        csrw mtvec, x1
";

/// The words of program `number`.
pub fn program(number: u64, config: &Config) -> Vec<u32> {
    let mut draw = Draw::new(1, "hart", number);
    let mut words = asm::assemble("handler", HANDLER, config).unwrap();
    (1..28).for_each(|rd| constant(&mut words, rd, value(&mut draw)));
    for _ in 0..LENGTH {
        instruction(&mut draw, &mut words);
    }
    words
}

/// A value at an edge, or any.
fn value(draw: &mut Draw) -> u32 {
    let edge = [0, 1, 2, 31, 32, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_8000, 0x55AA_55AA];
    if draw.chance(60) { draw.pick(&edge) } else { draw.u32() }
}

/// `lui` and `addi`.
fn constant(words: &mut Vec<u32>, rd: u32, value: u32) {
    let high = value.wrapping_add(0x800) & 0xFFFF_F000;
    words.extend([high | rd << 7 | 0x37, (value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13]);
}

fn instruction(draw: &mut Draw, words: &mut Vec<u32>) {
    match draw.below(20) {
        0..9 => words.push(arithmetic(draw)),
        9..12 => jump(draw, words),
        12..15 => access(draw, words),
        15..18 => csr(draw, words),
        18 => {
            let environment = [0x0000_0073, 0x0010_0073, 0x1050_0073, 0x1020_0073, 0x1200_0073, 0x7B20_0073];
            let fence = [0x0000_000F, 0x0FF0_000F, 0x8330_000F, 0x0000_100F];
            words.push(if draw.chance(50) { draw.pick(&environment) } else { draw.pick(&fence) });
        }
        _ => {
            let word = draw.u32();
            // What could jump back, store anywhere, or write a register of the handler.
            let other = matches!(word & 0x7F, 0x63 | 0x67 | 0x6F | 0x23 | 0x73) || word >> 7 & 31 > 27;
            words.push(if other { word & !3 } else { word });
        }
    }
}

/// rs1, funct3 and rd of an instruction, and rs2; of registers that are not the handler's.
fn fields(draw: &mut Draw) -> (u32, u32) {
    (draw.below(28) << 15 | draw.below(8) << 12 | draw.below(28) << 7, draw.below(28) << 20)
}

/// An instruction on registers, with each funct7 that some instruction has, and a few that none has.
fn arithmetic(draw: &mut Draw) -> u32 {
    let (fields, rs2) = fields(draw);
    match draw.below(9) {
        0..5 => draw.pick(&[0, 0, 0x20, 1, 1, 2, 0x21]) << 25 | rs2 | fields | 0x33,
        5..8 if fields >> 12 & 3 == 1 => draw.pick(&[0, 0, 0x400, 0x020]) << 20 | rs2 | fields | 0x13,
        5..8 => draw.below(0x1000) << 20 | fields | 0x13,
        _ => draw.below(1 << 20) << 12 | fields & 0xF80 | draw.pick(&[0x37, 0x17]),
    }
}

/// A branch or jump over a few instructions, at times to where none can be.
fn jump(draw: &mut Draw, words: &mut Vec<u32>) {
    let over = draw.below(5);
    let far = 4 * (over + 1) - if draw.chance(20) { 2 } else { 0 };
    let (fields, rs2) = fields(draw);
    let rd = fields & 0xF80;
    match draw.below(4) {
        0 => words.push(far << 20 | rd | 0x6F),
        1 => {
            // Bit 0 of the target is dropped; funct3 is 0, at times not.
            let jalr = draw.pick(&[0x67, 0x67, 0x67, 0x1067]);
            words.extend([27 << 7 | 0x17, (far + 4 + draw.below(2)) << 20 | 27 << 15 | rd | jalr]);
        }
        _ => words.push((far >> 5) << 25 | (far >> 1 & 15) << 8 | rs2 | fields & !0xF80 | 0x63),
    }
    (0..over).for_each(|_| words.push(arithmetic(draw)));
}

/// A load or store near an edge of a memory, of any size.
fn access(draw: &mut Draw, words: &mut Vec<u32>) {
    const DATA: u32 = 0x3_0000;
    const CONSOLE: u32 = EXIT + 4;
    let ends = [L1M_BASE + 1024, L0M_BASE + 1024, RAM_BYTES, CONSOLE + 4, 0x4000_0000];
    let near = if draw.chance(50) { draw.pick(&[DATA, L1M_BASE, L0M_BASE, CONSOLE, 0]) } else { draw.pick(&ends) };
    constant(words, 26, near.wrapping_add(draw.below(8)));
    let offset = draw.below(8).wrapping_sub(4);
    let (fields, rs2) = fields(draw);
    let fields = fields & !(31 << 15) | 26 << 15;
    // The program stays as it is, and ends here seldom.
    let store = near != 0 && draw.chance(if near == CONSOLE { 10 } else { 50 });
    words.push(if store {
        (offset >> 5 & 0x7F) << 25 | rs2 | fields & !0xF80 | (offset & 31) << 7 | 0x23
    } else {
        offset << 20 | fields | 0x03
    });
}

/// A CSR instruction on a CSR of the host, of the unit, or of nobody. The handler stays.
fn csr(draw: &mut Draw, words: &mut Vec<u32>) {
    let host: Vec<u16> = HartCsr::all().filter(|csr| *csr != HartCsr::Mtvec).map(HartCsr::address).collect();
    let unit: Vec<u16> = Csr::all().map(Csr::address).collect();
    let address = match draw.below(10) {
        0..6 => draw.pick(&host),
        6..8 => draw.pick(&unit),
        _ => draw.pick(&[0x300, 0x301, 0x304, 0x344, 0x3A0, 0x3B0, 0x7A0, 0xC00, 0xC01, 0xF14, 0x810, 0x818, 0xB03]),
    };
    let (fields, _) = fields(draw);
    // Without an operation it would be one of those above.
    let fields = if fields >> 12 & 3 == 0 { fields | 1 << 12 } else { fields };
    words.push(u32::from(address) << 20 | fields | 0x73);
}
