// SPDX-License-Identifier: Apache-2.0
//! Copies as people write them: dense loads and stores of blocks that follow each other in memory, with a register for
//! each, or one for all. Where a block ends the next one begins, so that what belongs together in memory is of two
//! instructions.

use golden::Csr;
use golden::decode::{Direction, SliceTransfer};

use super::generator::Generator;

/// What is not as in a plain copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Varied {
    #[default]
    Nothing,
    /// One block goes on a little later, or earlier.
    Place,
    /// One block leaves out some slices.
    Mask,
    /// The base address is of no particular alignment.
    Base,
    /// One slice is elsewhere.
    Stride,
    /// The host waits between two accesses.
    Pause,
}

/// Copies some blocks, or only loads or stores them.
pub fn copy(g: &mut Generator) {
    // Nothing but accesses of many slices behind wide ones: they fill the queue of slices.
    let crowd = g.draw.chance(65);
    let mut bits = g.width();
    if crowd && 4 * g.target.rtl.reg_bytes < 16 * bits {
        bits = g.target.golden.element_widths.iter().next().unwrap_or(8);
    }
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    let element = (bits / 8).max(1);
    let reg_bytes = g.target.rtl.reg_bytes;
    // A small memory has room for two blocks.
    let room = reg_bytes.min(g.target.rtl.l1m_bytes.min(g.target.rtl.l0m_bytes) / 2);
    // A mask has 32 bits: only behind 32 slices slice 0 is the next one.
    let d0 = if crowd { 32 } else { g.draw.pick(&[32, 32, 16, 8, 2]) }.min((room / element).max(1));
    let most = (room / d0 / element).max(1);
    let bytes = element * if g.draw.chance(50) { most } else { g.draw.range(1, most) };
    let block = d0 * bytes;
    let varied = {
        use Varied::{Base, Mask, Nothing, Pause, Place, Stride};
        if crowd {
            g.draw.pick(&[Nothing, Base, Base, Pause])
        } else {
            g.draw.pick(&[Nothing, Nothing, Nothing, Place, Mask, Base, Stride, Pause])
        }
    };
    for csr in [Csr::TloadWidth, Csr::TstoreWidth] {
        g.want_csr(csr, 0);
    }
    let directions: &[Direction] = match (g.draw.below(4), crowd) {
        (0, _) | (1, true) => &[Direction::Load],
        (1, false) => &[Direction::Load, Direction::Store],
        _ => &[Direction::Store],
    };
    let blocks = g.draw.range(3, 6);
    let odd = g.draw.below(d0) as u8;
    let masked = varied == Varied::Mask || g.draw.chance(20);
    for &direction in directions {
        let (_, mask, stride) = direction.csrs();
        for slice in 0..d0 as u8 {
            let elsewhere = varied == Varied::Stride && slice == odd;
            g.want_csr(stride(slice), if elsewhere { 40 } else { slice.into() });
        }
        if masked {
            let value = if varied == Varied::Mask { g.draw.u32() | 1 << 31 | 1 } else { u32::MAX };
            g.want_csr(mask, value);
        }
    }
    let step = if varied == Varied::Base { element } else { (g.target.rtl.port_bytes() / 2).max(element) };
    let bases = [Direction::Load, Direction::Store].map(|of| g.base(of, (blocks + 2) * block + reg_bytes, step));
    let shape = d0 << 16 | 1 << 8 | (bytes * 8 / bits).min(255);
    // Something wide in front: what follows it is there before it is done.
    let wide = if crowd { g.draw.range(2, 4) } else { g.draw.below(2) };
    if wide > 0 {
        let d1 = (reg_bytes * 8 / bits).div_ceil(128);
        g.want_csr(Csr::Tshape, 1 << 16 | d1 << 8 | (reg_bytes * 8 / bits).min(128));
        for _ in 0..wide {
            // Nothing behind a store that is slow retires before it has.
            let store_first = g.draw.chance(30);
            for &direction in if store_first { &[Direction::Store] } else { directions } {
                let rs = g.register_with(bases[usize::from(direction == Direction::Store)] / 4 * 4);
                let tl = g.tl();
                g.tensor(SliceTransfer { direction, masked: false, tl, rs, imm8: 0 }.into());
            }
        }
    }
    let by_slots = d0 * blocks <= 127 && g.draw.chance(40);
    let placed = g.draw.below(blocks);
    g.want_csr(Csr::Tshape, shape);
    let (first, step) = (g.draw.below(32), g.draw.pick(&[0, 1, 1]));
    for n in 0..blocks {
        if varied == Varied::Pause && g.draw.chance(60) {
            g.wait();
        }
        let off = if varied == Varied::Place && n >= placed { element } else { 0 };
        let tl = ((first + step * n) & 31) as u8;
        for &direction in directions {
            let base = bases[usize::from(direction == Direction::Store)];
            // Behind the last one that fits the first one comes again.
            let n = n % ((g.memory(direction) - base) / block).max(1);
            let (at, imm8) = if by_slots { (base + off, (n * d0) as i8) } else { (base + off + n * block, 0) };
            let rs = g.register_with(at);
            g.tensor(SliceTransfer { direction, masked, tl, rs, imm8 }.into());
        }
    }
}
