// SPDX-License-Identifier: Apache-2.0
//! The state that the instructions of a scope find: CSRs with which every row of the tables is legal, and host
//! registers with operands for them.

use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Host, Matrix, Tensor, TileSource};
use golden::{Csr, TileSize};

use super::relation;
use crate::lockstep::ports::whole_register;
use crate::random::generator::Generator;
use crate::random::{move_ops, shape};

/// Host register with a base address in L1M, with room around it.
pub const LOAD_BASE: u8 = 1;
/// The same in L0M.
pub const STORE_BASE: u8 = 2;
/// Sizes of a tensor that fills two registers.
pub const SIZES: u8 = 3;
/// Bytes from one memory line of a tile to the next.
pub const STRIDE: u8 = 4;
/// A tile size with which every matrix access is legal.
pub const TILE: u8 = 5;
/// What is no address, no size and no tile size.
pub const ODD: u8 = 6;
/// What a CSR instruction writes, and everything else that a host register is read for.
pub const VALUE: u8 = 7;
/// A result that nothing reads.
pub const RESULT: u8 = 8;

/// Draws of the sizes of a tensor before a scope does with what it has.
const TRIES: usize = 64;

/// TLRegs that a state puts data into: those that the instructions of a scope read.
const LOADED: [u8; 4] = [relation::FIRST, relation::FIRST + 1, relation::APART, relation::APART + 1];

/// CSRs of a state.
pub struct State(Vec<(Csr, u32)>);

impl State {
    /// Emits what makes a state in which every row of the tables is legal, and puts data into registers.
    pub fn establish(g: &mut Generator) -> State {
        let (ttype, tshape) = whole_register(&g.target.golden);
        g.want_csr(Csr::Ttype, ttype);
        g.want_csr(Csr::Tshape, tshape);
        operands(g);
        LOADED.iter().for_each(|&tlrd| g.emit(Decoded::Tensor(Tensor::Load { tlrd, rs: LOAD_BASE, imm8: 0 })));
        let bits = g.width();
        shape::integers(g, bits);
        let tshape = shape::packed(block(g, bits));
        g.want_csr(Csr::Tshape, tshape);
        let [load, store, concat] = [(); 3].map(|()| g.draw.u32());
        // The masks of a concat together select as many slices as there are.
        for (csr, mask) in [
            (Csr::TmaskLoad, load),
            (Csr::TmaskStore, store),
            (Csr::TmaskConcat1, concat),
            (Csr::TmaskConcat2, !concat),
        ] {
            g.want_csr(csr, mask);
        }
        operands(g);
        set_tiles(g);
        State::now(g)
    }

    /// The state as it is.
    pub fn now(g: &Generator) -> State {
        let csrs = Csr::all().filter(|csr| !csr.read_only());
        State(csrs.map(|csr| (csr, g.machine.csr.read(csr))).collect())
    }

    /// Gives the CSRs the values that they had, as far as they are others now.
    pub fn restore(&self, g: &mut Generator) {
        self.0.iter().for_each(|&(csr, value)| {
            if g.machine.csr.read(csr) != value {
                write(g, csr, value);
            }
        });
        if [TileSize::M, TileSize::N, TileSize::K].iter().any(|&size| g.machine.csr.tile_size(size) != tile(g)) {
            set_tiles(g);
        }
    }
}

/// Host registers for every kind of operand; the unit sees none of these instructions.
pub fn operands(g: &mut Generator) {
    let (reg_bytes, step) = (g.target.rtl.reg_bytes, g.target.rtl.port_bytes());
    for (register, direction) in [(LOAD_BASE, Direction::Load), (STORE_BASE, Direction::Store)] {
        // A quarter of the memory is below, and behind, what is accessed.
        let quarter = g.memory(direction) / 4;
        let base = quarter + g.draw.below(quarter.min(4 * reg_bytes)) / step * step;
        g.constant(register, base);
    }
    let sizes: Vec<u32> = (0..TRIES).map(|_| move_ops::sizes(g)).collect();
    let legal = sizes.iter().copied().find(|&sizes| fills_two(g, sizes));
    g.constant(SIZES, legal.unwrap_or(sizes[0]));
    let odd = g.draw.pick(&[u32::MAX, 0xffff_ff03, 0x8000_0001]);
    g.constant(ODD, odd);
    let value = g.draw.u32();
    g.constant(VALUE, value);
    if g.target.golden.matrix.is_some() {
        let limits = Matrix::all().filter_map(|one| one.transfer()?.1.limits(&g.machine));
        let least = limits.map(|(rows, columns)| rows.min(columns)).min().unwrap_or(1);
        let (size, stride) = (g.draw.range(1, least), g.draw.pick(&[4, 8, step, 2 * step]));
        g.constant(TILE, size);
        g.constant(STRIDE, stride);
    }
}

/// Emits the least with which a row that depends on `csrs` is legal: type, shape and masks. Other CSRs are as after
/// reset, so a block is dense, and it often ends behind the memory.
pub fn early(g: &mut Generator, csrs: &[Csr]) {
    let bits = g.width();
    let sizes = block(g, bits);
    if csrs.contains(&Csr::Ttype) {
        shape::integers(g, bits);
    }
    if csrs.contains(&Csr::Tshape) {
        g.want_csr(Csr::Tshape, shape::packed(sizes));
    }
    for &csr in csrs {
        if g.machine.csr.mask(csr).is_some() {
            // Disjoint ones for a concat.
            let slices = if csr == Csr::TmaskConcat2 { !g.machine.csr.read(Csr::TmaskConcat1) } else { g.draw.u32() };
            g.want_csr(csr, slices);
        }
    }
    operands(g);
    set_tiles(g);
    let bytes = sizes.iter().product::<u32>() * bits / 8;
    for (register, direction) in [(LOAD_BASE, Direction::Load), (STORE_BASE, Direction::Store)] {
        let behind = g.draw.pick(&[0, 4, bytes / 2 / 4 * 4, bytes]);
        if g.draw.chance(50) {
            g.constant(register, g.memory(direction) - bytes / 4 * 4 + behind);
        }
    }
}

/// Whether a tensor of these sizes is legal for a transposition.
fn fills_two(g: &Generator, sizes: u32) -> bool {
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let elements: u64 = sizes.to_le_bytes().map(u64::from).iter().product();
    sizes & 1 == 0 && elements * u64::from(bits) == 16 * u64::from(g.target.rtl.reg_bytes)
}

/// Sizes of a block that has slices along every dimension, of whole bytes, and fits a register.
fn block(g: &mut Generator, bits: u32) -> [u32; 3] {
    let capacity = g.target.rtl.reg_bytes * 8 / bits;
    let d2 = g.draw.pick(&[2, 4, 6, 8]).min(capacity);
    let d1 = g.draw.range(1, 4.min(capacity / d2));
    let d0 = g.draw.range(1, 32.min(capacity / d2 / d1));
    [d0, d1, d2]
}

/// The value of [`TILE`].
fn tile(g: &Generator) -> u32 {
    if g.target.golden.matrix.is_some() { g.machine.x(TILE) } else { 0 }
}

fn set_tiles(g: &mut Generator) {
    if g.target.golden.matrix.is_some() {
        for size in [TileSize::M, TileSize::N, TileSize::K] {
            g.emit(Decoded::Matrix(Matrix::SetTile { size, source: TileSource::Register(TILE) }));
        }
    }
}

/// Writes a CSR in a way that changes no host register of a scope.
pub fn write(g: &mut Generator, csr: Csr, value: u32) {
    let source = if value < 32 {
        CsrSource::Immediate(value as u8)
    } else {
        g.constant(RESULT, value);
        CsrSource::Register(RESULT)
    };
    g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, 0, source)));
}

/// The host waits until everything older has retired.
pub fn wait(g: &mut Generator) {
    let read = CsrInstruction::new(CsrOperation::Set, Csr::Tlenb, RESULT, CsrSource::Register(0));
    g.emit(Decoded::Csr(read));
    g.emit(Decoded::Host(Host::Addi { rd: RESULT, rs1: RESULT, imm12: 1 }));
}
