// SPDX-License-Identifier: Apache-2.0
//! The three kinds of blocks as instructions.

use super::asm::{Asm, Reg, TEMP, TEMP2};
use super::stream::Kernel;
use crate::plan::block::Table;
use crate::plan::{Exchange, Tile};

/// `ttype` of integers of this width.
fn ttype(bits: u32) -> i64 {
    i64::from(bits) / 4
}

/// `tshape` of a block of slices; their width is in a CSR of its own.
fn shape(table: &Table) -> i64 {
    (table.slots.len() as i64) << 16 | 0x101
}

/// The shapes of loads and stores; registers for them where they differ, so that they can be changed quickly.
struct Shapes([Option<(i64, Reg)>; 2]);

impl Shapes {
    fn new(asm: &mut Asm, load: Option<&Table>, store: &Table) -> Self {
        match load {
            Some(load) if shape(load) != shape(store) => {
                Shapes([shape(load), shape(store)].map(|value| Some((value, asm.constant(value)))))
            }
            _ => {
                asm.csr("tshape", shape(store));
                Shapes([None; 2])
            }
        }
    }

    fn set(&self, asm: &mut Asm, which: usize) {
        if let Some((value, reg)) = self.0[which] {
            asm.csr_from("tshape", value, reg);
        }
    }
}

/// A register from slices to slices.
pub(super) struct Copy(Shapes);

impl Copy {
    pub fn new(asm: &mut Asm, load: &Table, store: &Table) -> Self {
        asm.csr("ttype", ttype(8));
        asm.table("load", load, 8);
        asm.table("store", store, 8);
        Self(Shapes::new(asm, Some(load), store))
    }
}

impl Kernel for Copy {
    const WORK: usize = 0;
    const STORE: usize = 2;

    fn load(&self, asm: &mut Asm, set: usize, _part: usize, base: Reg) {
        self.0.set(asm, 0);
        asm.op(format_args!("tl.load tl{}, 0({base})", set + 1));
    }

    fn store(&self, asm: &mut Asm, set: usize, _part: usize, base: Reg) {
        self.0.set(asm, 1);
        asm.op(format_args!("tl.store tl{}, 0({base})", set + 1));
    }
}

/// The same register to many places.
pub(super) struct Fill(u8);

impl Fill {
    /// A register full of `value`, in elements of `element` bytes. The host writes a slice of it to `scratch` in L1M.
    pub fn new(asm: &mut Asm, [value, element]: [u64; 2], scratch: u64, reg_bytes: usize, store: &Table) -> Self {
        asm.csr("ttype", ttype(8));
        asm.table("store", store, 8);
        let register = if value == 0 { 0 } else { 1 };
        if value != 0 {
            let width = (reg_bytes / 32).max(8);
            let bytes: Vec<u8> = value.to_le_bytes()[..element as usize].iter().copied().cycle().take(width).collect();
            asm.li(TEMP2, super::L1M_WINDOW + scratch as i64);
            for (i, word) in bytes.chunks(4).enumerate() {
                let word = word.iter().rev().fold(0, |word, byte| word << 8 | i64::from(*byte));
                asm.li(TEMP, word);
                asm.op(format_args!("sw {TEMP}, {}({TEMP2})", 4 * i));
            }
            // All slices are the same slot.
            let slices = Table { width, slots: vec![0; reg_bytes / width] };
            asm.table("load", &slices, 8);
            asm.csr("tshape", shape(&slices));
            asm.li(TEMP2, scratch as i64);
            asm.op(format_args!("tl.load tl{register}, 0({TEMP2})"));
        }
        asm.csr("tshape", shape(store));
        Self(register)
    }
}

impl Kernel for Fill {
    const WORK: usize = 0;
    const STORE: usize = 0;

    fn load(&self, _asm: &mut Asm, _set: usize, _part: usize, _base: Reg) {}

    fn store(&self, asm: &mut Asm, _set: usize, _part: usize, base: Reg) {
        asm.op(format_args!("tl.store tl{}, 0({base})", self.0));
    }

    fn loads(&self) -> bool {
        false
    }
}

/// A pair of registers, transposed.
pub(super) struct Pair {
    shapes: Shapes,
    sizes: Reg,
    exchange: [usize; 2],
    halves: [Half; 2],
}

/// How the second register of a pair is reached from the place of the first.
enum Half {
    /// Slots that fit into an instruction.
    Slots(i64),
    /// Bytes in a register.
    Bytes(Reg),
}

impl Pair {
    pub fn new(asm: &mut Asm, step: &Exchange) -> Self {
        asm.csr("ttype", ttype(step.bits));
        asm.table("load", &step.load, step.bits);
        asm.table("store", &step.store, step.bits);
        let sizes = step.sizes.iter().rev().fold(0, |word, &size| word << 8 | size as i64);
        let sizes = asm.constant(sizes);
        let mut half = |bytes: i64, table: &Table| {
            let width = table.width as i64;
            match bytes % width == 0 && (-128..128).contains(&(bytes / width)) {
                true => Half::Slots(bytes / width),
                false => Half::Bytes(asm.constant(bytes)),
            }
        };
        let halves = [half(step.half_from, &step.load), half(step.half_to, &step.store)];
        Self { shapes: Shapes::new(asm, Some(&step.load), &step.store), sizes, exchange: step.pair, halves }
    }

    fn access(&self, asm: &mut Asm, mnemonic: &str, half: &Half, set: usize, part: usize, base: Reg) {
        let register = 2 * set + part + 1;
        match (part, half) {
            (0, _) => asm.op(format_args!("{mnemonic} tl{register}, 0({base})")),
            (_, Half::Slots(slots)) => asm.op(format_args!("{mnemonic} tl{register}, {slots}({base})")),
            (_, Half::Bytes(bytes)) => {
                asm.op(format_args!("add {TEMP}, {base}, {bytes}"));
                asm.op(format_args!("{mnemonic} tl{register}, 0({TEMP})"));
            }
        }
    }
}

impl Kernel for Pair {
    const WORK: usize = 2;
    const STORE: usize = 4;

    fn load(&self, asm: &mut Asm, set: usize, part: usize, base: Reg) {
        self.shapes.set(asm, 0);
        self.access(asm, "tl.load", &self.halves[0], set, part, base);
    }

    fn work(&self, asm: &mut Asm, set: usize) {
        let ([p, q], first) = (self.exchange, 2 * set + 1);
        asm.op(format_args!("tl.xpose.{p}{q} tl{first}, tl{}, {}", first + 1, self.sizes));
    }

    fn store(&self, asm: &mut Asm, set: usize, part: usize, base: Reg) {
        self.shapes.set(asm, 1);
        self.access(asm, "tl.store", &self.halves[1], set, part, base);
    }

    fn parts(&self) -> usize {
        2
    }
}

/// A matrix register.
pub(super) struct MatrixTile {
    tile: Tile,
    from: Reg,
    to: Reg,
}

impl MatrixTile {
    pub fn new(asm: &mut Asm, tile: &Tile) -> Self {
        asm.op(format_args!("msettilemi {}", tile.rows));
        asm.op(format_args!("msettileki {}", tile.columns));
        Self { tile: *tile, from: asm.constant(tile.from), to: asm.constant(tile.to) }
    }

    fn form(&self, transposed: bool) -> String {
        format!("a{}e{}", if transposed { "t" } else { "" }, 8 * self.tile.element)
    }
}

impl Kernel for MatrixTile {
    const WORK: usize = 0;
    const STORE: usize = 3;

    fn load(&self, asm: &mut Asm, set: usize, _part: usize, base: Reg) {
        let form = self.form(self.tile.load_transposed);
        asm.op(format_args!("ml{form} tr{set}, ({base}), {}", self.from));
    }

    fn store(&self, asm: &mut Asm, set: usize, _part: usize, base: Reg) {
        let form = self.form(self.tile.store_transposed);
        asm.op(format_args!("ms{form} tr{set}, ({base}), {}", self.to));
    }
}
