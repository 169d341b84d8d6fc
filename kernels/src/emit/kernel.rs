// SPDX-License-Identifier: Apache-2.0
//! The instructions that move a block, independent of the output language.

use crate::plan::block::Sum;
use crate::plan::table::{Table, factors};
use crate::plan::{Body, Combine, Edit, Exchange, Part, Tile};
use crate::unit::Unit;

/// An instruction or a step of the host. Offsets of accesses are relative to the address of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Write a CSR of the unit.
    Csr(String, u32),
    /// The host writes a word to this address of L1M.
    Word(u64, u32),
    /// Load a register from this address.
    Fetch(u8, u64),
    /// Write `tshape`; emitted for each block.
    Shape(u32),
    /// `tl.load` or `tl.store` of a register, at an offset in slots and bytes.
    Slices(&'static str, usize, i64, i64),
    /// `tl.merge` or `tl.concat`, as named, of the register and this one to the first.
    Combine(String, usize, usize),
    /// `tl.addi` of the register and this number to the same register.
    Add(usize, i8),
    /// `tl.xpose` of two dimensions of the register pair that starts here, with these sizes.
    Xpose([usize; 2], usize, u32),
    /// A matrix load or store of a register, with the stride of memory lines in bytes.
    Lines(String, usize, i64),
    /// `msettilemi` or `msettileki`.
    TileSize(&'static str, usize),
}

impl Op {
    /// The constant that an assembly program keeps in a register.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Op::Shape(value) | Op::Xpose(_, _, value) => Some(i64::from(*value)),
            Op::Slices(_, _, _, bytes) if *bytes != 0 => Some(*bytes),
            Op::Lines(_, _, pitch) => Some(*pitch),
            _ => None,
        }
    }
}

/// How the blocks of a step are moved. To overlap the engines, a turn of the loop has the load of block k, the
/// transposition of an older block and the store of a still older one. Each block in flight has its own registers
/// (its set).
#[derive(Debug)]
pub(super) struct Kernel<'a> {
    body: &'a Body,
    /// Instructions before the first load, before the first work, and before the first store.
    pub setup: [Vec<Op>; 3],
    /// CSRs that loads, work and stores have in common.
    pub context: Vec<Op>,
    /// The register in front of the first one that it uses.
    base: usize,
    /// `tshape` of loads and of stores.
    shapes: [u32; 2],
    /// The register that a fill stores.
    full: usize,
}

/// `tshape` of a block of slices. Without a pitch their size is in a CSR of its own alone.
fn shape(table: &Table, bits: u32, pitched: bool) -> u32 {
    let [middle, inner] = if pitched { factors(table.room * 8 / bits as usize) } else { None }.unwrap_or([1, 1]);
    (table.slots.len() << 16 | middle << 8 | inner) as u32
}

/// The CSRs of loads or stores, for elements of `bits` bits.
fn accesses(way: &str, table: &Table, bits: u32, unit: &Unit) -> Vec<Op> {
    let mut ops = vec![Op::Csr(format!("t{way}_width"), table.width as u32 * 8 / bits)];
    let stride = |(i, &slot): (usize, &i64)| Op::Csr(format!("t{way}_stride{i}"), slot as u32);
    ops.extend(table.slots.iter().enumerate().map(stride));
    ops.extend(table.mask().map(|mask| Op::Csr(format!("tmask_{way}"), mask)));
    if unit.pitch {
        ops.push(Op::Csr(format!("t{way}_pitch"), if table.pitched() { table.pitch as u32 } else { 0 }));
    }
    ops
}

impl<'a> Kernel<'a> {
    /// The kernel of a part that the unit does, in up to ten registers behind `base`. A value is filled in from
    /// `scratch` in L1M.
    pub fn new(part: &'a Part, scratch: u64, unit: &Unit, base: usize) -> Self {
        let body = &part.body;
        let bits = match body {
            Body::Exchange(Exchange { bits, .. })
            | Body::Slices { edit: Some(Edit::Combine(Combine { bits, .. }) | Edit::Add(Sum { bits, .. })), .. } => {
                *bits
            }
            _ => 8,
        };
        let mut kernel =
            Self { body, setup: [const { Vec::new() }; 3], context: Vec::new(), base, shapes: [0; 2], full: 0 };
        let [load, store] = kernel.tables();
        let [mut setup, mut masking, mut storing] = [const { Vec::new() }; 3];
        kernel.context.extend(store.map(|_| Op::Csr("ttype".into(), bits / 4)));
        setup.extend(kernel.context.clone());
        setup.extend(load.into_iter().flat_map(|load| accesses("load", load, bits, unit)));
        storing.extend(store.into_iter().flat_map(|store| accesses("store", store, bits, unit)));
        // Bytes of two elements of 4 bits.
        let both = if part.job.unit == 4 { 0x11 } else { 1 };
        let value = part.job.value.unwrap_or(0) * both;
        if value != 0 {
            kernel.full = 1;
            setup.extend(filled(value, part.job.element, scratch, unit));
        }
        if let Some([load, store]) = load.or(store).zip(store).map(|(load, store)| [load, store]) {
            let pitched = load.pitched() || store.pitched();
            let one = load.same_shape(store);
            let own = |table: &Table| shape(table, bits, table.pitched() || one && pitched);
            kernel.shapes = [own(load), own(store)];
        }
        match body {
            Body::Slices { edit: Some(Edit::Combine(Combine { shape: [a, b, c], masks, .. })), .. } => {
                kernel.shapes = [(a << 16 | b << 8 | c) as u32; 2];
                masking.push(Op::Csr("tmask_concat_1".into(), masks[0]));
                masking.push(Op::Csr("tmask_concat_2".into(), masks[1]));
            }
            Body::Tile(tile) => {
                setup.extend([Op::TileSize("msettilemi", tile.rows), Op::TileSize("msettileki", tile.columns)]);
            }
            _ => {}
        }
        if store.is_some() && kernel.shapes[0] == kernel.shapes[1] {
            let shape = Op::Csr("tshape".into(), kernel.shapes[0]);
            setup.push(shape.clone());
            kernel.context.push(shape);
        }
        Self { setup: [setup, masking, storing], ..kernel }
    }

    /// The slices of loads and of stores.
    fn tables(&self) -> [Option<&'a Table>; 2] {
        match self.body {
            Body::Slices { load, store, .. } => [load.as_ref(), Some(store)],
            Body::Exchange(Exchange { load, store, .. }) => [Some(load), Some(store)],
            Body::Tile(_) | Body::Host => [None, None],
        }
    }

    /// Turns from the load of a block to the work on it; 0 without any.
    pub fn work_after(&self) -> usize {
        if matches!(self.body, Body::Exchange(_) | Body::Slices { edit: Some(_), .. }) { 2 } else { 0 }
    }

    /// Turns from the load of a block to its store.
    pub fn store_after(&self) -> usize {
        match self.body {
            Body::Slices { load: None, .. } | Body::Host => 0,
            Body::Slices { edit: None, .. } => 2,
            Body::Exchange(_) | Body::Slices { .. } => 4,
            Body::Tile(_) => 3,
        }
    }

    /// Registers of a block, each with a load and a store at most.
    pub fn parts(&self) -> usize {
        let second = |table: Option<&Table>| table.is_some_and(|table| table.masks[1] != 0);
        match self.body {
            Body::Exchange(_) => 2,
            _ => 1 + usize::from(self.tables().into_iter().any(second)),
        }
    }

    /// Whether a block has loads.
    pub fn loads(&self) -> bool {
        !matches!(self.body, Body::Slices { load: None, .. })
    }

    /// The first register of a set. Matrix registers are others.
    fn register(&self, set: usize) -> usize {
        self.base + self.parts() * set + 1
    }

    fn access(&self, which: usize, set: usize, part: usize) -> Vec<Op> {
        if let Body::Tile(Tile { element, from, to, load_transposed, store_transposed, .. }) = self.body {
            let (way, transposed, pitch) = [("ml", load_transposed, from), ("ms", store_transposed, to)][which];
            let form = if *transposed { "at" } else { "a" };
            return vec![Op::Lines(format!("{way}{form}e{}", 8 * element), set, *pitch)];
        }
        let Some(table) = self.tables()[which].filter(|table| table.masks[part] != 0) else { return Vec::new() };
        let masked = table.masks[part] != table.all();
        let mnemonic = [["tl.load", "tl.mload"], ["tl.store", "tl.mstore"]][which][usize::from(masked)];
        let register = if self.loads() { self.register(set) + part } else { self.full };
        let (half, pitch) = (table.half * part as i64, table.pitch as i64);
        let by_slots = half % pitch == 0 && (-128..128).contains(&(half / pitch));
        let (slots, bytes) = if by_slots { (half / pitch, 0) } else { (0, half) };
        let reshape = (self.shapes[0] != self.shapes[1]).then(|| Op::Shape(self.shapes[which]));
        reshape.into_iter().chain([Op::Slices(mnemonic, register, slots, bytes)]).collect()
    }

    /// Loads part `part` of a block.
    pub fn load(&self, set: usize, part: usize) -> Vec<Op> {
        if self.loads() { self.access(0, set, part) } else { Vec::new() }
    }

    /// Stores part `part` of a block.
    pub fn store(&self, set: usize, part: usize) -> Vec<Op> {
        self.access(1, set, part)
    }

    /// The work on a block between loads and stores.
    pub fn work(&self, set: usize) -> Vec<Op> {
        let first = self.register(set);
        match self.body {
            Body::Exchange(Exchange { sizes, pair, .. }) => {
                let sizes = sizes.iter().rev().fold(0, |word, &size| word << 8 | size as u32);
                vec![Op::Xpose(*pair, first, sizes)]
            }
            Body::Slices { edit: Some(Edit::Combine(combine)), .. } => {
                let second = if self.parts() == 2 { first + 1 } else { 0 };
                vec![Op::Combine(format!("tl.{}", combine.mnemonic()), first, second)]
            }
            Body::Slices { edit: Some(Edit::Add(sum)), .. } => vec![Op::Add(first, sum.add)],
            _ => Vec::new(),
        }
    }

    /// All instructions of a block.
    pub fn all(&self) -> Vec<Op> {
        let accesses = (0..self.parts()).flat_map(|part| [self.load(0, part), self.store(0, part)].concat());
        accesses.chain(self.work(0)).collect()
    }
}

/// Register 1 full of `value`, in elements of `element` bytes. The host writes a slice of it to `scratch` in L1M.
fn filled(value: u64, element: usize, scratch: u64, unit: &Unit) -> Vec<Op> {
    let width = (unit.reg_bytes / 32).max(8);
    let bytes: Vec<u8> = value.to_le_bytes()[..element].iter().copied().cycle().take(width).collect();
    let word = |word: &[u8]| word.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    let mut ops: Vec<Op> =
        (scratch..).step_by(4).zip(bytes.chunks(4)).map(|(at, part)| Op::Word(at, word(part))).collect();
    // All slices are the same slot.
    let slots = vec![0; unit.reg_bytes / width];
    let masks = [u32::MAX >> (32 - slots.len()), 0];
    let slices = Table { width, room: width, pitch: width, slots, masks, half: 0 };
    ops.extend(accesses("load", &slices, 8, unit));
    ops.extend([Op::Csr("tshape".into(), shape(&slices, 8, false)), Op::Fetch(1, scratch)]);
    ops
}
