// SPDX-License-Identifier: Apache-2.0
//! No word in any state panics, and none breaks an invariant of the state.

use crate::common::*;
use golden::{Config, Csr, Machine, TileSize};

fn scramble(m: &mut Machine, rng: &mut Rng) {
    for i in 1..32 {
        let value = match rng.below(4) {
            0 => rng.next(),
            1 => rng.below(1 << 13),
            2 => 1 << rng.below(8) | 256 << rng.below(8) | 0x1_0000 << rng.below(8) | 0x100_0000 << rng.below(8),
            _ => 0_u32.wrapping_sub(rng.below(300)),
        };
        m.set_x(i, value);
    }
    for csr in Csr::all() {
        let value = match csr {
            Csr::Ttype if !rng.one_in(8) => rng.pick(&TYPES).0,
            Csr::Tshape if !rng.one_in(8) => shape([1 + rng.below(33), 1 + rng.below(12), 1 + rng.below(12)]),
            Csr::TloadWidth | Csr::TstoreWidth if !rng.one_in(8) => rng.below(40),
            _ if rng.one_in(8) => rng.next(),
            _ => rng.below(32),
        };
        m.csr.write(csr, value);
    }
    for size in [TileSize::M, TileSize::N, TileSize::K] {
        let value = if rng.one_in(8) { rng.next() } else { rng.below(7) };
        m.csr.set_tile_size(size, value);
    }
    m.l0m.faults = if rng.one_in(4) { vec![64..128, u32::MAX - 8..u32::MAX] } else { vec![] };
    m.l1m.faults = m.l0m.faults.clone();
}

/// Half of the words are TensorLoad's with random fields, then CSR instructions and those of the other opcodes.
fn random_word(rng: &mut Rng) -> u32 {
    let word = rng.next();
    match rng.below(9) {
        0..4 => word & !0xC000_007F | 0x5B,
        4 => word & 0x000F_FFFF & !0x7F | rng.pick(&[0x803, 0x810, 0x840, 0x860, 0xCC1, 0xCD0]) << 20 | 0x73,
        5 => word & !0x7F | 0x73,
        8 => word & 0x77FF_8FFF & !0x7F | 0x0400_002B,
        6 => word & !0x7F | rng.pick(&[0x13, 0x37, 0x2B]),
        _ => word,
    }
}

fn run(config: &Config, seed: u64, steps: u32) {
    let mut rng = Rng(seed);
    let mut m = random_machine(config, &mut rng);
    for n in 0..steps {
        if n % 64 == 0 {
            scramble(&mut m, &mut rng);
        }
        let out = m.step(random_word(&mut rng));
        let silent = out.gpr_write.is_none()
            && out.csr_write.is_none()
            && out.tl_writes.is_empty()
            && out.mem_writes.is_empty()
            && out.tile_write.is_none();
        assert!(out.trap.is_none() || silent, "{out:?}");
        assert!(!out.tl_writes.contains(&0) && out.gpr_write.is_none_or(|(rd, _)| rd != 0), "{out:?}");
        assert_eq!(m.hart.pc, out.pc.wrapping_add(4));
    }
    assert_eq!(m.x(0), 0);
    assert!(m.tl.get(0).iter().all(|&byte| byte == 0));
    assert!(m.csr.read(Csr::Ttype) <= 0xFFF && m.csr.read(Csr::Tshape) <= 0xFF_FFFF);
    assert_eq!(m.csr.read(Csr::Tlenb), config.reg_bytes as u32);
}

#[test]
fn random_words_in_random_states() {
    run(&small_memory(), 10, 1_000_000);
    run(&config("tiny"), 11, 1_000_000);
    run(&matrix_config(512, 128), 14, 1_000_000);
    run(&all_options(), 16, 1_000_000);
    run(&Config { engine_id: 3, ..config("tiny") }, 12, 100_000);
}

/// A configuration made by hand may be nonsense; the machine still has an outcome for each word.
#[test]
fn nonsensical_configurations() {
    for (reg_bytes, memory) in [(1, 1), (24, 100), (2048, 5)] {
        run(&Config { reg_bytes, l1m_bytes: memory, l0m_bytes: memory, ..config("w16") }, 13, 50_000);
    }
    for (tlen, trlen) in [(0, 0), (128, 0), (0, 128), (8, 1), (100, 7), (100, 30), (65_536, 8), (32, 1024)] {
        run(&Config { l1m_bytes: 5, l0m_bytes: 300, ..matrix_config(tlen, trlen) }, 15, 20_000);
    }
}
