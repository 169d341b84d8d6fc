// SPDX-License-Identifier: Apache-2.0
//! Instructions that are in flight together, or follow a trap.

use golden::Csr;
use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded, Host, Register, Tensor};

use super::goal::Goal;
use super::kit::Kit;
use super::moves::distinct;
use super::state::one_of;
use crate::coverage::facts;
use crate::coverage::values::*;
use crate::random::generator::Generator;

/// An instruction behind another one, with a long one in front of both, so that neither can retire early.
pub fn pair(g: &mut Generator, goal: &Goal) -> Option<()> {
    let kit = Kit::new(g, None)?;
    let before = Value { axis: Axis::Engine, ..goal.get(Axis::Before)? };
    let engine = goal.get(Axis::Engine)?;
    let [a, b, c, d, e, f, x, y, z] = distinct(g);
    let (first, mut second) = ([a, b, c], [d, e, f]);
    // Of a transposition the first and the last register are sources and results.
    match goal.get(Axis::Hazard) {
        Some(H_RAW) if engine == G_XPOSE => second[0] = first[0],
        Some(H_RAW) => second[1] = first[0],
        Some(H_WAW) => second[0] = first[0],
        Some(H_WAR) => second[0] = first[1],
        _ => {}
    }
    let mut first = first;
    let of_matrix = |engine| engine == G_MX_LOAD || engine == G_MX_STORE;
    if of_matrix(before) && of_matrix(engine) {
        // Four registers: the same, or another one.
        let register = g.draw.below(4) as u8;
        let same = goal.get(Axis::Hazard).is_some_and(|hazard| hazard != H_NONE);
        (first, second) = ([register; 3], [if same { register } else { register + 1 }; 3]);
    }
    if g.draw.chance(70) {
        let long = one_of(g, &[G_XPOSE, G_MOVE, G_LOAD]);
        kit.emit(g, long, [x, y, z]);
    }
    kit.emit(g, before, first);
    match goal.get(Axis::CsrClass) {
        Some(class) => kit.write_csr(g, class),
        None => kit.emit(g, engine, second),
    }
    Some(())
}

/// An instruction behind several others that have been dispatched.
pub fn behind(g: &mut Generator, goal: &Goal) -> Option<()> {
    let kit = Kit::new(g, None)?;
    let engine = goal.get(Axis::Engine)?;
    let older = goal.get(Axis::Older)?.index;
    let chosen = OLDER.iter().enumerate().filter(|(i, _)| older >> i & 1 == 1).map(|(_, (_, engines))| *engines);
    let mut engines: Vec<Value> = chosen.map(|engines| one_of(g, engines)).collect();
    // The host waits for a result: everything older has retired then.
    super::front::read(g, Csr::Tlenb, kit.spare);
    g.emit(Decoded::Host(Host::Addi { rd: kit.spare, rs1: kit.spare, imm12: 1 }));
    if g.draw.chance(50) {
        engines.reverse();
    }
    if !engines.is_empty() {
        let turn = g.draw.below(engines.len() as u32) as usize;
        engines.rotate_left(turn);
    }
    let registers: [u8; 12] = distinct(g);
    for (i, &older) in engines.iter().chain([&engine]).enumerate() {
        let at = 3 * (i % 4);
        // A result that is dropped needs no fresh register, of which there are few.
        let result = if g.draw.chance(50) { registers[at] } else { 0 };
        kit.emit(g, older, [result, registers[at + 1], registers[at + 2]]);
    }
    Some(())
}

/// An instruction after one that traps.
pub fn after_trap(g: &mut Generator, goal: &Goal) -> Option<()> {
    let trapped = goal.get(Axis::Trapped)?;
    let kit = Kit::new(g, Some(trapped))?;
    kit.trap(g, trapped);
    let registers = distinct(g);
    kit.emit(g, goal.get(Axis::Engine)?, registers);
    Some(())
}

/// Instructions behind one that traps, to be killed: several of the kind wanted, and others between them.
pub fn killed(g: &mut Generator, goal: &Goal) -> Option<()> {
    let engines = [G_CSR, G_ILLEGAL, G_LOAD, G_STORE, G_MOVE, G_XPOSE];
    let of_matrix = [G_MX_LOAD, G_MX_STORE, G_MX_SET];
    let has_matrix = g.target.golden.matrix.is_some();
    let wide = g.target.golden.element_widths.iter().any(|bits| bits > 8);
    let traps: Vec<Value> = Axis::Trapped.values().filter(|trap| has_matrix || *trap < T_MX_LOAD_MIS).collect();
    let traps: Vec<Value> =
        traps.into_iter().filter(|trap| wide || ![T_LOAD_MIS, T_STORE_MIS].contains(trap)).collect();
    let trapped = match goal.get(Axis::Killer) {
        Some(killer) => Value { axis: Axis::Trapped, ..killer },
        // Only what the port answers late lets younger stores begin.
        None if goal.wants(KILLED_BEGUN) && has_matrix => one_of(g, &[T_STORE_ERR, T_MX_STORE_ERR]),
        None if goal.wants(KILLED_BEGUN) => T_STORE_ERR,
        None => one_of(g, &traps),
    };
    let kit = Kit::new(g, Some(trapped))?;
    // What is older gives the others time to be issued.
    let slow: [u8; 3] = distinct(g);
    kit.emit(g, G_XPOSE, slow);
    if goal.wants(KILLED_RESUME) && (goal.wants(KILLED_1) || goal.wants(KILLED_2)) {
        // The host waits for the result of the trap, and so issues nothing before it: how many are killed before it resumes
        // is how long it takes for that.
        let (csr, rd, source) = (Csr::Tlenb, kit.spare, CsrSource::Immediate(0));
        g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, rd, source)));
        g.emit(Decoded::Host(Host::Addi { rd, rs1: rd, imm12: 1 }));
    } else {
        kit.trap(g, trapped);
    }
    let registers: [u8; 6] = distinct(g);
    let all = if has_matrix { [&engines[..], &of_matrix].concat() } else { engines.to_vec() };
    for i in 0..12 {
        let engine = match goal.get(Axis::Engine) {
            Some(engine) if i == 0 || g.draw.chance(50) => engine,
            _ => one_of(g, &all),
        };
        let class = goal.get(Axis::CsrClass).filter(|_| g.draw.chance(60));
        if let Some(class) = class.or_else(|| (engine == G_CSR).then(|| one_of(g, &CLASSES))) {
            kit.change_csr(g, class);
        } else {
            let at = g.draw.below(4) as usize;
            kit.emit(g, engine, [registers[at], registers[at + 1], registers[at + 2]]);
        }
    }
    Some(())
}

/// Every class of CSRs.
const CLASSES: [Value; 6] = [K_TYPE, K_SHAPE, K_MASK, K_WIDTH, K_LOAD_STRIDE, K_STORE_STRIDE];

/// An operation soon after a CSR that it looks at got another value.
pub fn csr_then(g: &mut Generator, goal: &Goal) -> Option<()> {
    let tensor = super::prepare(g, goal)?;
    let selected = facts::selected(&g.machine, tensor);
    let wanted = goal.get(Axis::Wrote)?;
    let looked_at: Vec<Csr> =
        Csr::all().filter(|&csr| facts::looks_at(tensor, csr, selected) == Some(wanted)).collect();
    let csr = *looked_at.get(g.draw.below(looked_at.len() as u32) as usize)?;
    let [first, second, other] = registers_but(g, tensor);
    let value = g.machine.csr.read(csr);
    let different = match csr {
        Csr::Ttype => other_type(g, value),
        Csr::Tshape => value ^ 1 << (8 * g.draw.below(3)),
        Csr::TmaskLoad | Csr::TmaskStore | Csr::TmaskConcat1 | Csr::TmaskConcat2 => value ^ 1 << g.draw.below(8),
        Csr::TloadWidth | Csr::TstoreWidth | Csr::TloadPitch | Csr::TstorePitch => value ^ 1 << g.draw.below(8),
        Csr::TloadStride(_) | Csr::TstoreStride(_) => value ^ 1 << g.draw.below(8),
        // No operation of TensorLoad looks at these.
        Csr::Tlenb | Csr::Matrix(_) => return None,
    };
    g.constant(first, different);
    g.constant(second, value);
    for source in [first, second] {
        let source = CsrSource::Register(source);
        g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, 0, source)));
    }
    for _ in 0..goal.get(Axis::Ago)?.index {
        super::front::read(g, Csr::Tlenb, other);
    }
    g.tensor(tensor);
    Some(())
}

/// Another legal type, or an illegal one.
fn other_type(g: &mut Generator, value: u32) -> u32 {
    let types: Vec<u32> = g.target.golden.element_widths.iter().map(|bits| 1 << (bits.ilog2() - 2)).collect();
    let other = g.draw.pick(&types);
    if other == value { 0 } else { other }
}

/// Three host registers that the instruction does not use.
fn registers_but(g: &mut Generator, tensor: Tensor) -> [u8; 3] {
    let used: Vec<Register> = Decoded::Tensor(tensor).operands().reads().collect();
    let [a, b, c, d]: [u8; 4] = distinct(g);
    let free: Vec<u8> = [a, b, c, d].into_iter().filter(|&register| !used.contains(&Register::X(register))).collect();
    [free[0], free[1], free[2]]
}
