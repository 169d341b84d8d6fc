// SPDX-License-Identifier: Apache-2.0
//! A state in which every operation is legal, and instructions for each engine that need nothing but that state: for
//! sequences in which nothing may come between two instructions.

use golden::Csr;
use golden::TileSize;
use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Engine, Form, Matrix, SliceTransfer, Tensor,
    TileSource, Transfer,
};

use super::goal::Goal;
use super::moves::distinct;
use super::state::{set, ttype, widths};
use crate::coverage::facts::xpose;
use crate::coverage::flow;
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// Host registers that hold what the instructions need.
pub struct Kit {
    /// A base address for loads that complete, one for stores.
    base: [u8; 2],
    /// The sizes for a transposition.
    sizes: u8,
    /// A register with the value of ttype, tshape, and of a mask.
    csrs: [u8; 3],
    /// A base address for a trap.
    trap: u8,
    /// Bytes between memory lines of matrix instructions.
    stride: u8,
    /// Matrix instructions use accumulation registers, and not tile registers.
    accumulators: bool,
    /// A register that nothing else uses.
    pub spare: u8,
}

impl Kit {
    /// Brings about the state; the traps that follow are to be like `trapped`.
    pub fn new(g: &mut Generator, trapped: Option<Value>) -> Option<Kit> {
        let open = Goal::new(&[]);
        let mut widths = widths(g, &open);
        if matches!(trapped, Some(T_LOAD_MIS | T_STORE_MIS)) {
            widths.retain(|&bits| bits > 8);
        }
        let bits = g.draw.pick(&widths);
        if bits == 0 {
            return None;
        }
        let ttype = ttype(g, &open, bits, true);
        set(g, Csr::Ttype, ttype);
        // Full registers, mostly: the engines are to be at work for a while.
        let d0 = g.draw.pick(&[1u32, 2, 4]);
        let most = (8 * g.target.rtl.reg_bytes / bits / d0).min(8 * 31);
        let d1 = if g.draw.chance(70) { most / 8 } else { g.draw.range(1, most / 8) };
        let shape = packed([d0, d1.max(1), 8]);
        set(g, Csr::Tshape, shape);
        for csr in [Csr::TloadWidth, Csr::TstoreWidth] {
            set(g, csr, 0);
        }
        for i in 0..d0 as u8 {
            set(g, Csr::TloadStride(i), i.into());
            set(g, Csr::TstoreStride(i), i.into());
        }
        let mask = g.draw.below(2);
        for csr in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2] {
            set(g, csr, if csr == Csr::TmaskConcat2 { 0 } else { mask });
        }
        for (size, value) in super::matrix::kit_sizes(g).into_iter().flatten() {
            super::matrix::set_size(g, size, value);
        }
        let exchanges: Vec<_> = xpose::all(g.target, bits).collect();
        let exchange = exchanges.get(g.draw.below(exchanges.len() as u32) as usize)?.sizes();
        let [load, store, sizes, csr0, csr1, csr2, trap, stride, spare] = distinct(g);
        // Matrix instructions have elements of up to 4 bytes.
        let element = if g.target.golden.matrix.is_some() { 4 } else { (bits / 8).max(1) };
        // A quarter of the memory is more than a register, and far from the errors of the port.
        let address = |g: &mut Generator, size: u32| g.draw.below(size / 4) / element * element;
        let bases = [address(g, g.target.rtl.l1m_bytes), address(g, g.target.rtl.l0m_bytes)];
        let trap_at = trapped.map(|trapped| trap_address(g, trapped));
        for (register, value) in [(load, bases[0]), (store, bases[1]), (sizes, u32::from_le_bytes(exchange))] {
            g.constant(register, value);
        }
        for (register, value) in [(csr0, ttype), (csr1, shape), (csr2, mask), (trap, trap_at.unwrap_or(0))] {
            g.constant(register, value);
        }
        let lines = g.draw.pick(&[4, 16, 20, 64]);
        g.constant(stride, lines);
        let accumulators = g.draw.chance(30);
        Some(Kit { base: [load, store], sizes, csrs: [csr0, csr1, csr2], trap, stride, accumulators, spare })
    }

    /// Emits an instruction for `engine`, with these registers: result, sources. A transposition is of the first and the
    /// last.
    pub fn emit(&self, g: &mut Generator, engine: Value, [d, s1, s2]: [u8; 3]) {
        let masked = g.draw.chance(30);
        let transfer = |direction, tl, rs| SliceTransfer { direction, masked, tl, rs, imm8: 0 }.into();
        let instruction = match flow::engine(engine) {
            Some(Engine::Host) => return,
            Some(Engine::Csr) => return super::front::read(g, Csr::Tlenb, 0),
            // No engine: illegal.
            None => {
                let word = u32::from(g.target.golden.engine_id) << 30 | g.draw.below(1 << 15) << 15 | 0x705b;
                return g.word(word);
            }
            Some(Engine::Load) => transfer(Direction::Load, d, self.base[0]),
            Some(Engine::Store) => transfer(Direction::Store, s1, self.base[1]),
            Some(Engine::MatrixLoad) => return self.matrix(g, Direction::Load, d, self.base[0]),
            Some(Engine::MatrixStore) => return self.matrix(g, Direction::Store, s1, self.base[1]),
            Some(Engine::MatrixConfig) if masked => return g.emit(Decoded::Matrix(Matrix::Release)),
            Some(Engine::MatrixConfig) => {
                let value = g.machine.csr.tile_size(TileSize::M) as u16;
                let source = TileSource::Immediate(value);
                return g.emit(Decoded::Matrix(Matrix::SetTile { size: TileSize::M, source }));
            }
            Some(Engine::Xpose) => {
                Tensor::Xpose { p: 1, q: g.draw.below(4) as u8, tlrs1: d, tlrs2: s2, rs: self.sizes }
            }
            Some(Engine::Move) => match g.draw.below(3) {
                0 => Tensor::Addi { tlrd: d, tlrs: s1, imm8: g.draw.u32() as i8 },
                1 => Tensor::Concat { d: 0, tlrd: d, tlrs1: s1, tlrs2: s2 },
                _ => Tensor::Merge { d: 0, tlrd: d, tlrs1: s1, tlrs2: s2 },
            },
        };
        g.tensor(instruction);
    }

    /// Emits a matrix load or store of `register`.
    fn matrix(&self, g: &mut Generator, direction: Direction, register: u8, rs1: u8) {
        let form = if self.accumulators { Form::C } else { [Form::A, Form::B][g.draw.below(2) as usize] };
        // A misaligned address is one for elements of more than a byte.
        let d_size = g.draw.range(1, 2) as u8;
        let transposed = g.draw.chance(50);
        let transfer = Transfer { form, transposed, d_size, register: register & 3, rs1, rs2: self.stride };
        g.emit(Decoded::Matrix(Matrix::transferring(direction, transfer)));
    }

    /// Emits an instruction that takes this trap.
    pub fn trap(&self, g: &mut Generator, trapped: Value) {
        let [tl, other, another] = distinct(g);
        match trapped {
            T_ILLEGAL => self.emit(g, G_ILLEGAL, [tl, other, another]),
            T_LOAD_MIS | T_LOAD_OUT | T_LOAD_ERR => g.tensor(Tensor::Load { tlrd: tl, rs: self.trap, imm8: 0 }),
            T_MX_LOAD_MIS | T_MX_LOAD_OUT | T_MX_LOAD_ERR => self.matrix(g, Direction::Load, tl, self.trap),
            T_MX_STORE_MIS | T_MX_STORE_OUT | T_MX_STORE_ERR => self.matrix(g, Direction::Store, tl, self.trap),
            _ => g.tensor(Tensor::Store { tlrs: tl, rs: self.trap, imm8: 0 }),
        }
    }

    /// Emits a write of a CSR of this class that leaves its value as it is.
    pub fn write_csr(&self, g: &mut Generator, class: Value) {
        let (csr, source) = self.csr(g, class);
        g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, 0, source)));
    }

    /// Emits a write of a CSR of this class with another value, and one that brings the first value back.
    pub fn change_csr(&self, g: &mut Generator, class: Value) {
        let (csr, source) = self.csr(g, class);
        let other = CsrSource::Immediate(g.draw.range(1, 31) as u8);
        for (operation, source) in [(CsrOperation::Set, other), (CsrOperation::Write, source)] {
            g.emit(Decoded::Csr(CsrInstruction::new(operation, csr, 0, source)));
        }
    }

    /// A CSR of this class, and where its value is.
    fn csr(&self, g: &mut Generator, class: Value) -> (Csr, CsrSource) {
        let index = g.draw.below(2) as u8;
        let register = CsrSource::Register;
        let zero = CsrSource::Immediate(0);
        match class {
            K_TYPE => (Csr::Ttype, register(self.csrs[0])),
            K_SHAPE => (Csr::Tshape, register(self.csrs[1])),
            K_MASK if index == 0 => (Csr::TmaskConcat1, register(self.csrs[2])),
            K_MASK => (Csr::TmaskConcat2, zero),
            K_WIDTH if index == 0 => (Csr::TloadWidth, zero),
            K_WIDTH => (Csr::TstoreWidth, zero),
            K_LOAD_STRIDE => (Csr::TloadStride(0), zero),
            _ => (Csr::TstoreStride(0), zero),
        }
    }
}

/// A base address at which the first slice takes this trap.
fn trap_address(g: &mut Generator, trapped: Value) -> u32 {
    let loads = [T_LOAD_MIS, T_LOAD_OUT, T_LOAD_ERR, T_MX_LOAD_MIS, T_MX_LOAD_OUT, T_MX_LOAD_ERR];
    let size = if loads.contains(&trapped) { g.target.rtl.l1m_bytes } else { g.target.rtl.l0m_bytes };
    match trapped {
        T_LOAD_MIS | T_STORE_MIS | T_MX_LOAD_MIS | T_MX_STORE_MIS => 2 * g.draw.below(size / 8) + 1,
        T_LOAD_OUT | T_STORE_OUT | T_MX_LOAD_OUT | T_MX_STORE_OUT => size + 4 * g.draw.below(1000),
        _ => super::fault(size).start,
    }
}
