// SPDX-License-Identifier: Apache-2.0
//! Everything around the tensor instructions: CSR and host instructions, reserved encodings, random words.

use golden::Csr;
use golden::decode::{
    Access, CsrInstruction, CsrOperation, CsrSource, Decoded, Elements, Engine, Host, Isa, Operand, OperandKind,
    Tensor, decode, instructions,
};

use super::generator::Generator;
use super::operands::{scarcest_of, with_host_register};
use super::{matrix_ops, move_ops};

const CUSTOM_1: u32 = 0x2b;
const CUSTOM_2: u32 = 0x5b;
const SYSTEM: u32 = 0x73;

/// CSR instructions, wide values or one of any form.
pub fn csr(g: &mut Generator) {
    if g.draw.chance(45) { wide(g) } else { any_csr(g) }
}

/// The CSRs of the unit, without those of the matrix instruction set.
pub fn csrs(g: &Generator) -> Vec<Csr> {
    Csr::all().filter(|&csr| Isa::from(&g.target.golden).has(csr)).collect()
}

/// Any 32 bits in some CSRs, mostly strides, of which there are 64; read back, for nothing else looks at every bit of
/// them. Then the old value again, mostly.
fn wide(g: &mut Generator) {
    let all = csrs(g);
    for _ in 0..g.draw.range(1, 3) {
        let csr = all[g.draw.below(all.len() as u32) as usize];
        if g.machine.csr.mask(csr).is_some_and(|mask| !mask.initialised) {
            // Only the first write of a mask ends this state.
            continue;
        }
        let before = g.machine.csr.read(csr);
        let value = g.draw.u32();
        g.set_csr(csr, value);
        g.read(csr);
        if g.draw.chance(95) {
            g.set_csr(csr, before);
        }
    }
}

/// A CSR instruction of any form; reads mostly, so that the state stays useful.
fn any_csr(g: &mut Generator) {
    let rows = CsrInstruction::all(&g.target.golden).map(Decoded::Csr).collect();
    if let Some(Decoded::Csr(row)) = scarcest_of(g, rows) {
        csr_row(g, row, 80);
    }
}

/// The CSR instruction of this row on any CSR of the unit, or in so many percent one that leaves the CSR as it is. Its
/// value comes back afterwards, mostly.
pub fn csr_row(g: &mut Generator, row: CsrInstruction, reads: u32) {
    let Some(csr) = g.draw.choose(&csrs(g)) else { return };
    let before = g.machine.csr.read(csr);
    let field = match (row.operation, row.source) {
        (CsrOperation::Write, CsrSource::Register(_)) if g.draw.chance(reads) => g.register_with(before),
        (CsrOperation::Set | CsrOperation::Clear, _) if g.draw.chance(reads) => 0,
        _ => g.draw.below(32) as u8,
    };
    let rd = g.draw.below(32) as u8;
    let one = Decoded::Csr(CsrInstruction { csr, ..row });
    let written = g.machine.csr.mask(csr).is_none_or(|mask| mask.initialised);
    g.emit_as_is(one.with_operands(|operand| match operand.kind {
        OperandKind::X(Access::Write) => rd.into(),
        OperandKind::X(Access::Read | Access::ReadWrite) | OperandKind::Immediate => field.into(),
        OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_) | OperandKind::Dimension => operand.value,
    }));
    if written && g.draw.chance(85) {
        g.want_csr(csr, before);
    }
}

/// Any instruction of the unit with any operands, in the state as it is; what it reads of host registers may fit.
pub fn any_instruction(g: &mut Generator) {
    let all: Vec<Decoded> = instructions(&g.target.golden).filter(|one| one.engine() != Some(Engine::Host)).collect();
    let one = match g.draw.below(3) {
        // The families have very different numbers of instructions.
        0 => g.draw.choose(&all),
        _ => {
            let tensor: Vec<Tensor> = Tensor::all().collect();
            g.draw.choose(&tensor).map(Decoded::Tensor)
        }
    };
    one.into_iter().for_each(|one| with_any_operands(g, one));
}

/// This instruction with any operands.
pub fn with_any_operands(g: &mut Generator, one: Decoded) {
    let sizes = move_ops::sizes(g);
    let exchanges = matches!(one, Decoded::Tensor(tensor) if matches!(tensor.elements(), Elements::Exchanged));
    let fits = exchanges.then(|| g.register_with(sizes));
    let one = any_operands(g, one);
    g.emit(match (one, fits) {
        (Decoded::Tensor(tensor), Some(rs)) => Decoded::Tensor(with_host_register(tensor, rs)),
        _ => one,
    });
}

/// The same with any operands; TLRegs are often those that the program prefers.
pub fn any_operands(g: &mut Generator, one: Decoded) -> Decoded {
    one.with_operands(|operand| any_operand(g, operand))
}

/// Any value for an operand. Of one that is too large the bits of its field count.
pub fn any_operand(g: &mut Generator, operand: Operand) -> i32 {
    match operand.kind {
        OperandKind::X(_) => g.draw.below(32) as i32,
        OperandKind::Tl(_) => g.tl().into(),
        OperandKind::Tr(_) | OperandKind::Acc(_) => g.draw.below(4) as i32,
        OperandKind::Immediate if operand.signed && g.draw.chance(50) => g.imm8().into(),
        OperandKind::Immediate => g.draw.u32() as i32,
        OperandKind::Dimension => g.draw.below(if operand.name == "d" { 3 } else { 4 }) as i32,
    }
}

/// Host instructions, often on registers that a result has just written.
pub fn host(g: &mut Generator) {
    for _ in 0..g.draw.range(1, 4) {
        let (rd, rs1) = (g.draw.below(32) as u8, g.draw.below(32) as u8);
        let value = g.draw.u32();
        let addi = Host::Addi { rd, rs1, imm12: (value as i32 >> 20) as i16 };
        let instruction = if g.draw.chance(70) { addi } else { Host::Lui { rd, imm20: value >> 12 } };
        g.emit(Decoded::Host(instruction));
    }
}

/// A word that is nearly an instruction.
pub fn illegal(g: &mut Generator) {
    let any = g.draw.u32();
    // Registers and immediates at random.
    let unit_csr = any & 0x00f_8f80 | u32::from(g.target.golden.engine_id) << 30 | (5 + any % 3) << 12 | CUSTOM_2;
    let word = match g.draw.below(11) {
        0..7 => beside_a_row(g),
        // Without the matrix instruction set no word of its opcode is legal.
        7 if g.target.golden.matrix.is_none() => matrix_ops::legal(g),
        7 | 8 => matrix_ops::nearly_legal(g),
        9 if g.target.golden.csr_op && any >> 31 == 1 => unit_csr | 0xd0 << 20,
        9 => 0xcd0 << 20 | any & 0xf8f80 | (1 + any % 3) << 12 | 1 << 15 | SYSTEM,
        _ => any & !0x7f | SYSTEM,
    };
    g.word(word);
}

/// A word of a row of the TensorLoad family with some of the bits changed that tell rows apart: one that is none.
fn beside_a_row(g: &mut Generator) -> u32 {
    const TELLS_APART: u32 = 0xfe00_7000;
    for _ in 0..32 {
        let Some(row) = g.draw.choose(&Tensor::all().collect::<Vec<_>>()) else { break };
        let legal = any_operands(g, Decoded::Tensor(row)).encode(&g.target.golden).unwrap_or(0);
        let word = legal ^ g.draw.u32() & g.draw.u32() & TELLS_APART;
        if decode(word, &g.target.golden).engine().is_none() {
            return word;
        }
    }
    g.draw.u32() & !0x7f | CUSTOM_2
}

/// Any word, or any word of our opcode.
pub fn random_word(g: &mut Generator) {
    let any = g.draw.u32();
    let word = match g.draw.below(4) {
        0 => any,
        1 => any & !0x7f | CUSTOM_1,
        2 => any & !0x7f | CUSTOM_2,
        _ => any & 0x3fff_ff80 | u32::from(g.target.golden.engine_id) << 30 | CUSTOM_2,
    };
    g.word(word);
}
