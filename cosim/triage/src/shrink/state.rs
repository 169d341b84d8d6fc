// SPDX-License-Identifier: Apache-2.0
//! The state that a program starts from, and the instructions that make it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Form, Host, Matrix, Register, Tensor, TileSource, Transfer,
    decode,
};
use golden::{Csr, Machine, Tile, TileSize};

use crate::unit::target::Target;
use crate::unit::tiles;

/// What differs from the state after reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub x: BTreeMap<u8, u32>,
    /// CSRs by address. A mask that is here is initialised.
    pub csr: BTreeMap<u16, u32>,
    pub tl: BTreeMap<u8, Vec<u8>>,
    /// Matrix registers by number, as `tiles::tile` has them.
    pub tile: BTreeMap<u8, Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    X(u8),
    /// A CSR, by address.
    Csr(u16),
    Tl(u8),
    Tile(u8),
}

/// The host register that the instructions use for values on their way to a CSR, and for addresses.
const SCRATCH: u8 = 31;
/// And for the stride of matrix loads.
const STRIDE: u8 = 30;
/// Images are at multiples of this.
const ALIGNMENT: usize = 64;
const SIZES: [TileSize; 3] = [TileSize::M, TileSize::N, TileSize::K];

fn address(size: TileSize) -> u16 {
    Csr::Matrix(size.csr()).address()
}

impl State {
    /// The state of `machine`, which has run for a while.
    pub fn of_machine(machine: &Machine) -> State {
        let reset = Machine::new(&golden::Config { l1m_bytes: 0, l0m_bytes: 0, ..machine.config().clone() });
        let changed = |csr: &Csr| {
            machine.csr.read(*csr) != reset.csr.read(*csr) || machine.csr.mask(*csr) != reset.csr.mask(*csr)
        };
        let csrs = Csr::all()
            .chain(SIZES.map(|size| Csr::Matrix(size.csr())))
            .filter(changed)
            .map(|csr| (csr.address(), machine.csr.read(csr)));
        let tls = (1..32).map(|tl| (tl, machine.tl.get(tl))).filter(|(_, bytes)| bytes.iter().any(|&byte| byte != 0));
        let any = |bytes: &&[u8]| bytes.iter().any(|&byte| byte != 0);
        let tiles = machine.tiles.iter().flat_map(|all| tiles::all().map(|tile| (tiles::number(tile), all.get(tile))));
        State {
            x: (1..32).map(|i| (i, machine.x(i))).filter(|&(_, value)| value != 0).collect(),
            csr: csrs.collect(),
            tl: tls.map(|(tl, bytes)| (tl, bytes.to_vec())).collect(),
            tile: tiles.filter(|(_, bytes)| any(bytes)).map(|(tile, bytes)| (tile, bytes.to_vec())).collect(),
        }
    }

    /// Puts `machine`, which must be as after reset, into this state.
    pub fn apply(&self, machine: &mut Machine) {
        self.x.iter().for_each(|(&i, &value)| machine.set_x(i, value));
        self.tl.iter().for_each(|(&tl, bytes)| machine.tl.set(tl, bytes));
        for (csr, &value) in self.csr.iter().filter_map(|(&address, value)| Some((Csr::from_address(address)?, value)))
        {
            machine.csr.write(csr, value);
        }
        for (size, value) in SIZES.iter().filter_map(|&size| Some((size, self.csr.get(&address(size))?))) {
            machine.csr.set_tile_size(size, *value);
        }
        for (&number, bytes) in &self.tile {
            if let Some(tiles) = &mut machine.tiles {
                let register = tiles.get_mut(tiles::tile(number));
                let len = register.len().min(bytes.len());
                register[..len].copy_from_slice(&bytes[..len]);
            }
        }
    }

    pub fn items(&self) -> Vec<Item> {
        let tls = self.tl.keys().map(|&tl| Item::Tl(tl));
        let tiles = self.tile.keys().map(|&tile| Item::Tile(tile));
        tls.chain(tiles)
            .chain(self.csr.keys().map(|&csr| Item::Csr(csr)))
            .chain(self.x.keys().map(|&x| Item::X(x)))
            .collect()
    }

    /// Takes a part away: it is then as after reset.
    pub fn remove(&mut self, item: Item) {
        match item {
            Item::X(i) => drop(self.x.remove(&i)),
            Item::Csr(address) => drop(self.csr.remove(&address)),
            Item::Tl(tl) => drop(self.tl.remove(&tl)),
            Item::Tile(tile) => drop(self.tile.remove(&tile)),
        }
    }

    /// Contents of the TLRegs and matrix registers, which have to be somewhere in L1M.
    pub fn images(&self) -> Vec<&[u8]> {
        self.tl.values().chain(self.tile.values()).map(Vec::as_slice).collect()
    }

    /// The instructions that make this state after reset, out of an L1M that has [`State::images`] at the addresses
    /// `images`; `read` has the host registers that
    /// the program may read.
    pub fn words(&self, target: &Target, images: &[u32], read: &BTreeSet<u8>) -> Vec<u32> {
        let mut writer = Writer { target, words: Vec::new() };
        let mut csrs: BTreeMap<u16, u32> = self.csr.clone();
        if !self.tl.is_empty() {
            // One slice that fills a register, of the narrowest elements that are whole bytes.
            let widths = target.golden.element_widths;
            let bits = [8, 16, 32, 4].into_iter().find(|&bits| widths.contains(bits)).unwrap_or(8);
            let elements = target.rtl.reg_bytes * 8 / bits;
            let inner = elements.min(32);
            let shape =
                [(Csr::Ttype, 1 << (bits.ilog2() - 2)), (Csr::Tshape, 1 << 16 | (elements / inner) << 8 | inner)];
            for (csr, value) in shape {
                if value != reset_value(csr) {
                    writer.csr(csr.address(), value);
                    // What the program starts with has to be written again, if it is the value after reset.
                    csrs.entry(csr.address()).or_insert(reset_value(csr));
                }
            }
            for (&tlrd, &address) in self.tl.keys().zip(images) {
                let rs = if address == 0 { 0 } else { SCRATCH };
                writer.li(rs, address);
                writer.push(Decoded::Tensor(Tensor::Load { tlrd, rs, imm8: 0 }));
            }
        }
        let images = images.get(self.tl.len()..).unwrap_or_default();
        for ((&number, bytes), &address) in self.tile.iter().zip(images) {
            writer.tile(&mut csrs, tiles::tile(number), bytes.len() as u32, address);
        }
        csrs.iter().for_each(|(&csr, &value)| writer.csr(csr, value));
        self.x.iter().for_each(|(&rd, &value)| writer.li(rd, value));
        for number in [SCRATCH, STRIDE] {
            if read.contains(&number) && !self.x.contains_key(&number) && writer.writes(number) {
                writer.li(number, 0);
            }
        }
        writer.words
    }
}

/// The value of `ttype` and `tshape` after reset (docs/isa.md).
fn reset_value(csr: Csr) -> u32 {
    if csr == Csr::Ttype { 2 } else { 0 }
}

struct Writer<'a> {
    target: &'a Target,
    words: Vec<u32>,
}

impl Writer<'_> {
    fn push(&mut self, instruction: Decoded) {
        self.words.extend(instruction.encode(&self.target.golden));
    }

    /// Loads a constant; nothing to do for x0.
    fn li(&mut self, rd: u8, value: u32) {
        if rd == 0 {
            return;
        }
        let low = (value << 20) as i32 >> 20;
        let imm20 = value.wrapping_sub(low as u32) >> 12;
        if imm20 != 0 {
            self.push(Decoded::Host(Host::Lui { rd, imm20 }));
        }
        if low != 0 || imm20 == 0 {
            let rs1 = if imm20 == 0 { 0 } else { rd };
            self.push(Decoded::Host(Host::Addi { rd, rs1, imm12: low as i16 }));
        }
    }

    fn csr(&mut self, address: u16, value: u32) {
        let Some(csr) = Csr::from_address(address) else { return };
        if let Some(size) = SIZES.into_iter().find(|size| Csr::Matrix(size.csr()) == csr) {
            let source = if value < 1024 {
                TileSource::Immediate(value as u16)
            } else {
                self.li(SCRATCH, value);
                TileSource::Register(SCRATCH)
            };
            return self.push(Decoded::Matrix(Matrix::SetTile { size, source }));
        }
        let source = if value < 32 {
            CsrSource::Immediate(value as u8)
        } else {
            self.li(SCRATCH, value);
            CsrSource::Register(SCRATCH)
        };
        self.push(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, 0, source)));
    }

    /// Loads all of a matrix register as elements of one byte; the tile sizes that it needs are noted in `csrs`.
    fn tile(&mut self, csrs: &mut BTreeMap<u16, u32>, tile: Tile, bytes: u32, base: u32) {
        let Some(matrix) = self.target.golden.matrix else { return };
        let rows = matrix.rows().max(1);
        let (form, register) = match tile {
            Tile::Tr(i) => (Form::A, i),
            Tile::Acc(i) => (Form::C, i),
        };
        let (row_size, column_size) = form.shape();
        for (size, value) in [(row_size, rows), (column_size, bytes / rows)] {
            self.csr(address(size), value);
            csrs.entry(address(size)).or_insert(0);
        }
        let rs1 = if base == 0 { 0 } else { SCRATCH };
        self.li(rs1, base);
        self.li(STRIDE, bytes / rows);
        let transfer = Transfer { form, transposed: false, d_size: 0, register, rs1, rs2: STRIDE };
        self.push(Decoded::Matrix(Matrix::Load(transfer)));
    }

    /// Whether the words write this host register.
    fn writes(&self, number: u8) -> bool {
        let instructions = self.words.iter().map(|&word| decode(word, &self.target.golden));
        let mut written = instructions.flat_map(|instruction| instruction.operands().writes());
        written.any(|register| register == Register::X(number))
    }
}

/// An address in an L1M of `size` bytes for each of these images, away from the ranges `used`, bottom up; `None` when
/// there is no room.
pub fn places(size: u32, images: &[&[u8]], mut used: Vec<Range<u32>>) -> Option<Vec<u32>> {
    let mut places = Vec::new();
    for image in images {
        let len = u32::try_from(image.len()).ok()?;
        let free = |&start: &u32| {
            start + len <= size && used.iter().all(|range| range.end <= start || start + len <= range.start)
        };
        let place = (0..size).step_by(ALIGNMENT).find(free)?;
        used.push(place..place + len);
        places.push(place);
    }
    Some(places)
}
