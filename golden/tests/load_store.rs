// SPDX-License-Identifier: Apache-2.0
//! Loads and stores against loops over single bytes, traps included, for random types, shapes, widths, strides, masks,
//! bases and port errors.

use crate::common::*;
use golden::decode::Tensor;
use golden::{Csr, Machine, Trap};

/// What the instruction has to do: bytes moved as (byte of the register, byte of the memory), or the trap.
fn reference(
    m: &Machine,
    word: u32,
    e: u32,
    store: bool,
    masked: bool,
    base: u32,
    imm8: i8,
) -> Result<Vec<(usize, usize)>, Trap> {
    let pick = |load: Csr, store_csr: Csr| m.csr.read(if store { store_csr } else { load });
    let tshape = m.csr.read(Csr::Tshape);
    let [d0, d1, d2] = [tshape >> 16 & 255, tshape >> 8 & 255, tshape & 255].map(u64::from);
    let width = match pick(Csr::TloadWidth, Csr::TstoreWidth) {
        0 => d1 * d2,
        width => width.into(),
    };
    let (e64, reg_bits) = (u64::from(e), m.tl.reg_bytes() as u64 * 8);
    let sb = width * e64 / 8;
    let pitch = u64::from(pick(Csr::TloadPitch, Csr::TstorePitch));
    // Bits from one slice of the register to the next, and bytes from one slot to the next.
    let (whole, slot) = if pitch == 0 { (width * e64, sb) } else { (d1 * d2 * e64, pitch) };
    let fits =
        d0 * d1 * d2 * e64 <= reg_bits && if pitch == 0 { d0 * width * e64 <= reg_bits } else { width <= d1 * d2 };
    if d0 * d1 * d2 == 0 || d0 > 32 || !fits || width * e64 % 8 != 0 || whole % 8 != 0 {
        return Err(Trap { cause: 2, tval: word });
    }
    let mask = if masked { pick(Csr::TmaskLoad, Csr::TmaskStore) } else { !0 };
    let memory = if store { &m.l0m } else { &m.l1m };
    let mut moves = Vec::new();
    let mut port_error = None;
    for i in (0..d0).filter(|i| mask >> i & 1 == 1) {
        let stride = pick(Csr::TloadStride(i as u8), Csr::TstoreStride(i as u8));
        let exact = i128::from(base) + (i128::from(stride) + i128::from(imm8)) * i128::from(slot);
        let address = exact.rem_euclid(1 << 32) as u64;
        let trap = |cause: u32| Trap { cause: cause + 2 * u32::from(store), tval: address as u32 };
        if e >= 16 && !address.is_multiple_of(e64 / 8) {
            return Err(trap(4));
        }
        for byte in 0..sb {
            if address + byte >= memory.bytes.len() as u64 {
                return Err(trap(5));
            }
            moves.push(((i * whole / 8 + byte) as usize, (address + byte) as usize));
        }
        let hit = |byte| memory.faults.iter().any(|range| range.contains(&((address + byte) as u32)));
        if (0..sb).any(hit) {
            port_error = port_error.or(Some(trap(5)));
            if !store {
                break;
            }
        }
    }
    port_error.map_or(Ok(moves), Err)
}

#[test]
fn loads_and_stores_move_each_byte_or_trap() {
    let mut rng = Rng(4);
    let mut m = random_machine(&all_options(), &mut rng);
    // For each cause, with pitch 0 and with another.
    let mut causes = [[0_u32; 2]; 8];
    for _ in 0..12_000 {
        let (ttype, e) = rng.pick(&TYPES);
        let d0 = if rng.one_in(20) { 33 } else { 1 + rng.below(32) };
        let room = (8192 / e / d0).max(1);
        let d1 = 1 + rng.below(room.min(40));
        let d2 = 1 + rng.below((room / d1).clamp(1, 255)) + u32::from(rng.one_in(30));
        set_block(&mut m, ttype, [d0, d1, d2]);
        for (width, stride) in
            [(Csr::TloadWidth, Csr::TloadStride as fn(u8) -> Csr), (Csr::TstoreWidth, Csr::TstoreStride)]
        {
            let value = if rng.one_in(3) { 0 } else { 1 + rng.below(room + 1) };
            let value = if rng.one_in(2) { value.min(1 + rng.below(d1 * d2 + 1)) } else { value };
            m.csr.write(width, value);
            for i in 0..32 {
                let value = if rng.one_in(60) { rng.next() } else { rng.below(40) };
                m.csr.write(stride(i), value);
            }
        }
        for pitch in [Csr::TloadPitch, Csr::TstorePitch] {
            let value =
                [0, 0, 0, 1, d1 * d2 * e / 8, rng.below(300), 4 * rng.below(60), rng.next()][rng.below(8) as usize];
            m.csr.write(pitch, value);
        }
        let masks = [rng.next(), rng.next()];
        m.csr.write(Csr::TmaskLoad, masks[0]);
        m.csr.write(Csr::TmaskStore, masks[1]);
        let base = if rng.one_in(8) { rng.next() } else { rng.below(4000) & !3 };
        m.set_x(7, base);
        let imm8 = if rng.one_in(4) { rng.next() as i8 } else { 0 };
        m.l1m.faults.clear();
        if rng.one_in(5) {
            let start = rng.below(500) * 16;
            m.l1m.faults.push(start..start + 16);
        }
        m.l0m.faults = m.l1m.faults.clone();

        let (tl, rs, store, masked) = (rng.below(4) as u8, 7, rng.one_in(2), rng.one_in(2));
        let instruction = match (store, masked) {
            (false, false) => Tensor::Load { tlrd: tl, rs, imm8 },
            (false, true) => Tensor::Mload { tlrd: tl, rs, imm8 },
            (true, false) => Tensor::Store { tlrs: tl, rs, imm8 },
            (true, true) => Tensor::Mstore { tlrs: tl, rs, imm8 },
        };
        let instruction = if rng.one_in(2) { instruction.second_form().unwrap() } else { instruction };
        let pitch = m.csr.read(if store { Csr::TstorePitch } else { Csr::TloadPitch });
        let pitched = usize::from(pitch != 0);
        match reference(&m, instruction.encode(0), e, store, masked, base, imm8) {
            Err(trap) => {
                causes[trap.cause as usize][pitched] += 1;
                assert_trap(&mut m, instruction, trap.cause, trap.tval);
            }
            Ok(moves) => {
                causes[0][pitched] += 1;
                let (mut register, mut memory) = (vec![0; 1024], m.l0m.bytes.clone());
                for &(r, a) in &moves {
                    if store {
                        memory[a] = m.tl.get(tl)[r];
                    } else if tl != 0 {
                        register[r] = m.l1m.bytes[a];
                    }
                }
                let out = assert_legal(&mut m, instruction);
                assert!(m.l0m.bytes == memory, "{instruction:?}");
                if store {
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
}
