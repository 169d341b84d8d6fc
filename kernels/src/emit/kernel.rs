// SPDX-License-Identifier: Apache-2.0
//! The instructions that move a block, independent of the output language.

use crate::plan::block::Table;
use crate::plan::{Body, Exchange, Step, Tile};

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
    /// Instructions before the first block.
    pub setup: Vec<Op>,
    /// The register that a fill stores.
    full: usize,
}

/// `ttype` of integers of this width.
fn ttype(bits: u32) -> Op {
    Op::Csr("ttype".into(), bits / 4)
}

/// `tshape` of a block of slices; their width is in a CSR of its own.
fn shape(table: &Table) -> u32 {
    (table.slots.len() as u32) << 16 | 0x101
}

/// Width and strides of loads or stores, for elements of `bits` bits.
fn strides(way: &str, table: &Table, bits: u32) -> impl Iterator<Item = Op> {
    let width = Op::Csr(format!("t{way}_width"), table.width as u32 * 8 / bits);
    let stride = move |(i, &slot): (usize, &i64)| Op::Csr(format!("t{way}_stride{i}"), slot as u32);
    std::iter::once(width).chain(table.slots.iter().enumerate().map(stride))
}

impl<'a> Kernel<'a> {
    /// The kernel of a step that the unit does. A value is filled in from `scratch` in L1M.
    pub fn new(step: &'a Step, scratch: u64, reg_bytes: usize) -> Self {
        let mut setup = Vec::new();
        let mut full = 0;
        match &step.body {
            Body::Host => {}
            Body::Slices { load, store } => {
                setup.push(ttype(8));
                setup.extend(load.iter().flat_map(|load| strides("load", load, 8)));
                setup.extend(strides("store", store, 8));
                let value = step.job.value.unwrap_or(0);
                if value != 0 {
                    full = 1;
                    setup.extend(filled(value, step.job.element, scratch, reg_bytes));
                }
                setup.extend(load.is_none().then(|| Op::Csr("tshape".into(), shape(store))));
            }
            Body::Exchange(Exchange { bits, load, store, .. }) => {
                setup.push(ttype(*bits));
                setup.extend(strides("load", load, *bits).chain(strides("store", store, *bits)));
            }
            Body::Tile(tile) => {
                setup.extend([Op::TileSize("msettilemi", tile.rows), Op::TileSize("msettileki", tile.columns)]);
            }
        }
        let kernel = Self { body: &step.body, setup, full };
        match kernel.tables() {
            Some([load, store]) if shape(load) == shape(store) => {
                let shape = Op::Csr("tshape".into(), shape(load));
                Self { setup: [kernel.setup, vec![shape]].concat(), ..kernel }
            }
            _ => kernel,
        }
    }

    fn tables(&self) -> Option<[&Table; 2]> {
        match self.body {
            Body::Slices { load: Some(load), store } | Body::Exchange(Exchange { load, store, .. }) => {
                Some([load, store])
            }
            _ => None,
        }
    }

    /// Turns from the load of a block to its transposition; 0 without one.
    pub fn work_after(&self) -> usize {
        if matches!(self.body, Body::Exchange(_)) { 2 } else { 0 }
    }

    /// Turns from the load of a block to its store.
    pub fn store_after(&self) -> usize {
        match self.body {
            Body::Slices { load: None, .. } | Body::Host => 0,
            Body::Slices { .. } => 2,
            Body::Exchange(_) => 4,
            Body::Tile(_) => 3,
        }
    }

    /// Number of loads, and of stores, in a block.
    pub fn parts(&self) -> usize {
        if matches!(self.body, Body::Exchange(_)) { 2 } else { 1 }
    }

    /// Whether a block has loads.
    pub fn loads(&self) -> bool {
        !matches!(self.body, Body::Slices { load: None, .. })
    }

    /// The change of `tshape` before loads (0) or stores (1), where they differ.
    fn reshape(&self, which: usize) -> Option<Op> {
        let shapes = self.tables()?.map(shape);
        (shapes[0] != shapes[1]).then(|| Op::Shape(shapes[which]))
    }

    fn access(&self, which: usize, set: usize, part: usize) -> Vec<Op> {
        let mnemonic = ["tl.load", "tl.store"][which];
        let access = match self.body {
            Body::Host => return Vec::new(),
            Body::Slices { load: None, .. } => Op::Slices(mnemonic, self.full, 0, 0),
            Body::Slices { .. } => Op::Slices(mnemonic, set + 1, 0, 0),
            Body::Exchange(Exchange { load, store, half_from, half_to, .. }) => {
                let (half, width) = ([half_from, half_to][which] * part as i64, [load, store][which].width as i64);
                let by_slots = half % width == 0 && (-128..128).contains(&(half / width));
                let (slots, bytes) = if by_slots { (half / width, 0) } else { (0, half) };
                Op::Slices(mnemonic, 2 * set + part + 1, slots, bytes)
            }
            Body::Tile(Tile { element, from, to, load_transposed, store_transposed, .. }) => {
                let (way, transposed, pitch) = [("ml", load_transposed, from), ("ms", store_transposed, to)][which];
                let form = if *transposed { "at" } else { "a" };
                Op::Lines(format!("{way}{form}e{}", 8 * element), set, *pitch)
            }
        };
        self.reshape(which).into_iter().chain([access]).collect()
    }

    /// Loads part `part` of a block.
    pub fn load(&self, set: usize, part: usize) -> Vec<Op> {
        if self.loads() { self.access(0, set, part) } else { Vec::new() }
    }

    /// Stores part `part` of a block.
    pub fn store(&self, set: usize, part: usize) -> Vec<Op> {
        self.access(1, set, part)
    }

    /// Transposes a block.
    pub fn work(&self, set: usize) -> Vec<Op> {
        let Body::Exchange(Exchange { sizes, pair, .. }) = self.body else { return Vec::new() };
        let sizes = sizes.iter().rev().fold(0, |word, &size| word << 8 | size as u32);
        vec![Op::Xpose(*pair, 2 * set + 1, sizes)]
    }

    /// All instructions of a block.
    pub fn all(&self) -> Vec<Op> {
        let accesses = (0..self.parts()).flat_map(|part| [self.load(0, part), self.store(0, part)].concat());
        accesses.chain(self.work(0)).collect()
    }
}

/// Register 1 full of `value`, in elements of `element` bytes. The host writes a slice of it to `scratch` in L1M.
fn filled(value: u64, element: usize, scratch: u64, reg_bytes: usize) -> Vec<Op> {
    let width = (reg_bytes / 32).max(8);
    let bytes: Vec<u8> = value.to_le_bytes()[..element].iter().copied().cycle().take(width).collect();
    let word = |word: &[u8]| word.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    let mut ops: Vec<Op> =
        (scratch..).step_by(4).zip(bytes.chunks(4)).map(|(at, part)| Op::Word(at, word(part))).collect();
    // All slices are the same slot.
    let slices = Table { width, slots: vec![0; reg_bytes / width] };
    ops.extend(strides("load", &slices, 8));
    ops.extend([Op::Csr("tshape".into(), shape(&slices)), Op::Fetch(1, scratch)]);
    ops
}
