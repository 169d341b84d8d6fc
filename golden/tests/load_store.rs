// SPDX-License-Identifier: Apache-2.0
//! Loads and stores against loops over single bytes, traps included, for random types, shapes, widths, strides, masks,
//! bases and port errors.
#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::decode::{Direction, SliceTransfer, Tensor};
use golden::{Config, Csr, Machine, Trap};

/// Bytes of each memory.
const MEMORY: u32 = 8192;

/// What the instruction has to do: bytes moved as (byte of the register, byte of the memory), or the trap, the clauses
/// that make it illegal, and the slices that a store may have written.
type Expected = Result<Vec<(usize, usize)>, (Trap, Vec<&'static str>, Vec<(u32, u32)>)>;

fn reference(m: &Machine, word: u32, transfer: SliceTransfer) -> Expected {
    let store = transfer.direction == Direction::Store;
    let pick = |load: Csr, store_csr: Csr| if store { store_csr } else { load };
    let [_, d0, d1, d2] = m.csr.read(Csr::Tshape).to_be_bytes().map(u64::from);
    let width = match m.csr.read(pick(Csr::TloadWidth, Csr::TstoreWidth)) {
        0 => d1 * d2,
        width => width.into(),
    };
    let mask = m.csr.mask(pick(Csr::TmaskLoad, Csr::TmaskStore)).unwrap_or_default();
    let illegal = |clauses| Err((Trap::illegal(word), clauses, Vec::new()));
    let Some(e) = element_bits(m.csr.read(Csr::Ttype)).map(u64::from) else { return illegal(vec!["type"]) };
    let reg_bits = m.tl.reg_bytes() as u64 * 8;
    let pitch = u64::from(m.csr.read(pick(Csr::TloadPitch, Csr::TstorePitch)));
    // Bits from one slice of the register to the next, and bytes from one slot to the next.
    let (whole, slot) = if pitch == 0 { (width * e, width * e / 8) } else { (d1 * d2 * e, pitch) };
    let broken = broken(&[
        ("a size is 0", d0 * d1 * d2 == 0),
        ("the block fits", d0 * d1 * d2 * e > reg_bits),
        ("at most 32 slices", d0 > 32),
        ("whole bytes", width * e % 8 != 0),
        ("the slices fit", pitch == 0 && width * e % 8 == 0 && d0 * width * e > reg_bits),
        ("whole slices are whole bytes", pitch != 0 && whole % 8 != 0),
        ("slices are parts of whole ones", pitch != 0 && width > d1 * d2),
        ("the mask is initialised", transfer.masked && !mask.initialised),
    ]);
    if !broken.is_empty() {
        return illegal(broken);
    }
    let sb = width * e / 8;
    let memory = if store { &m.l0m } else { &m.l1m };
    let (mut moves, mut slices, mut port_error) = (Vec::new(), Vec::new(), None);
    for i in (0..d0).filter(|i| !transfer.masked || mask.value >> i & 1 == 1) {
        let stride = m.csr.read(pick(Csr::TloadStride(i as u8), Csr::TstoreStride(i as u8)));
        // 32 bits with a sign, whatever the host has.
        let offset = ((i128::from(stride) + i128::from(transfer.imm8)) * i128::from(slot)).rem_euclid(1 << 32);
        let exact = i128::from(m.operand(transfer.rs)) + if offset < 1 << 31 { offset } else { offset - (1 << 32) };
        let address = exact.rem_euclid(1 << m.config().xlen) as u64;
        let trap = |cause: u32| Trap { cause: cause + 2 * u32::from(store), tval: address };
        if e >= 16 && !address.is_multiple_of(e / 8) {
            return Err((trap(4), Vec::new(), Vec::new()));
        }
        if address.saturating_add(sb) > memory.bytes.len() as u64 {
            return Err((trap(5), Vec::new(), Vec::new()));
        }
        moves.extend((0..sb).map(|byte| ((i * whole / 8 + byte) as usize, (address + byte) as usize)));
        slices.push((address as u32, sb as u32));
        let hit = |byte| memory.faults.iter().any(|range| range.contains(&((address + byte) as u32)));
        if (0..sb).any(hit) {
            port_error = port_error.or(Some(trap(5)));
            if !store {
                break;
            }
        }
    }
    port_error.map_or(Ok(moves), |trap| Err((trap, Vec::new(), if store { slices } else { Vec::new() })))
}

/// Other CSRs, x7 and port errors; now and then a clause does not hold, or an address is at an end of the memory.
fn scramble(m: &mut Machine, rng: &mut Rng) {
    let ttype = random_type(rng);
    let e = element_bits(ttype).unwrap_or(8);
    let d0 = if rng.one_in(20) { 33 } else { 1 + rng.below(32) };
    let room = (8192 / e / d0).max(1);
    let d1 = 1 + rng.below(room.min(40));
    let mut dims = [d0, d1, 1 + rng.below((room / d1).clamp(1, 255)) + u32::from(rng.one_in(30))];
    if rng.one_in(30) {
        dims[rng.below(3) as usize] = 0;
    }
    set_block(m, ttype, dims);
    let directions = [(Csr::TloadWidth, Csr::TmaskLoad), (Csr::TstoreWidth, Csr::TmaskStore)];
    for ((width, mask), stride) in directions.into_iter().zip([Csr::TloadStride as fn(u8) -> Csr, Csr::TstoreStride]) {
        let value = if rng.one_in(3) { 0 } else { 1 + rng.below(room + 1) };
        let value = if rng.one_in(2) { value.min(1 + rng.below(d1 * dims[2] + 1)) } else { value };
        m.csr.write(width, value);
        for i in 0..32 {
            let value = if rng.one_in(60) { rng.next() } else { rng.below(40) };
            m.csr.write(stride(i), value);
        }
        random_mask(m, mask, rng.next(), rng);
    }
    for pitch in [Csr::TloadPitch, Csr::TstorePitch] {
        let whole = d1 * dims[2] * e / 8;
        let (any, aligned, wild) = (rng.below(300), 4 * rng.below(60), rng.next());
        m.csr.write(pitch, rng.pick(&[0, 0, 0, 1, whole, any, aligned, wild]));
    }
    let slice = (m.csr.read(Csr::TloadWidth) * e / 8).max(1);
    let base = match rng.below(10) {
        0 => rng.next(),
        1 => MEMORY.wrapping_sub(slice * rng.below(45)),
        2 => 0_u32.wrapping_sub(slice * rng.below(45)),
        _ => rng.below(4000) & !3,
    };
    m.set_x(7, base);
    random_upper(m, 7, rng);
    m.l1m.faults.clear();
    if rng.one_in(5) {
        let start = rng.below(500) * 16;
        m.l1m.faults.push(start..start + 16);
    }
    m.l0m.faults = m.l1m.faults.clone();
}

#[test]
fn loads_and_stores_move_each_byte_or_trap() {
    move_each_byte_or_trap(&all_options());
}

#[test]
fn loads_and_stores_of_a_host_with_64_bits_move_each_byte_or_trap() {
    move_each_byte_or_trap(&wide_host());
}

fn move_each_byte_or_trap(config: &Config) {
    let mut rng = Rng(4);
    let mut m = random_machine(config, &mut rng);
    // For each cause, with pitch 0 and with another.
    let (mut causes, mut alone) = ([[0_u32; 2]; 8], Alone::default());
    for _ in 0..15_000 {
        scramble(&mut m, &mut rng);
        let direction = rng.pick(&[Direction::Load, Direction::Store]);
        let (tl, imm8) = (rng.below(4) as u8, if rng.one_in(4) { rng.next() as i8 } else { 0 });
        let transfer = SliceTransfer { direction, masked: rng.one_in(2), tl, rs: 7, imm8 };
        let instruction = Tensor::from(transfer);
        let instruction = if rng.one_in(2) { instruction.second_form().unwrap() } else { instruction };
        let pitch = if direction == Direction::Load { Csr::TloadPitch } else { Csr::TstorePitch };
        let pitched = usize::from(m.csr.read(pitch) != 0);
        let word = instruction.encode(0);
        match reference(&m, word, transfer) {
            Err((trap, clauses, unknown)) => {
                causes[trap.cause as usize][pitched] += 1;
                alone.add(&clauses);
                assert_trap_leaves(&mut m, word, trap, &unknown);
            }
            Ok(moves) => {
                causes[0][pitched] += 1;
                let (mut register, mut memory) = (vec![0; 1024], m.l0m.bytes.clone());
                for &(r, a) in &moves {
                    match direction {
                        Direction::Store => memory[a] = m.tl.get(tl)[r],
                        Direction::Load => register[r] = if tl == 0 { 0 } else { m.l1m.bytes[a] },
                    }
                }
                let out = assert_legal(&mut m, instruction);
                assert!(m.l0m.bytes == memory, "{instruction:?}");
                if direction == Direction::Store {
                    let bytes = |&(address, len): &(u32, u32)| address as usize..(address + len) as usize;
                    let written: Vec<usize> = out.mem_writes.iter().flat_map(bytes).collect();
                    assert_eq!(written, moves.iter().map(|&(_, a)| a).collect::<Vec<usize>>());
                } else {
                    assert_eq!(m.tl.get(tl), register, "{instruction:?}");
                    assert_eq!(out.tl_writes, if tl == 0 { vec![] } else { vec![tl] });
                }
            }
        }
    }
    for cause in [0, 2, 4, 5, 6, 7] {
        assert!(causes[cause].iter().all(|&count| count > 50), "{causes:?} cases for each cause are too few");
    }
    alone.assert(9, 15);
}
