// SPDX-License-Identifier: Apache-2.0
//! Makes an instruction legal: emits what it needs in CSRs and host registers, and gives it operands that do.
//!
//! A need says what decides about it ([`Need::deciders`]), and values for that are drawn until it holds. So a new need
//! and a new row have no place here; a new CSR, kind of elements or family has.

use golden::decode::{
    CsrInstruction, Decider, Decoded, Direction, Elements, Isa, Lines, Matrix, Need, OperandKind, SliceTransfer,
    Slices, Tensor, TileSource,
};
use golden::{Csr, Machine};

use super::generator::Generator;
use super::operands::with_host_register;
use super::{matrix_ops, memory_ops, move_ops, noise, shape};

/// Values that are drawn for one decider.
const TRIES: u32 = 48;

/// Needs that are made to hold for one instruction, again and again if they get in each other's way.
const ROUNDS: u32 = 24;

/// Emits what `instruction` needs, and gives it with operands with which it completes. What fits already stays as it
/// is. Needs that no draw meets stay unmet.
pub fn establish(g: &mut Generator, instruction: Decoded) -> Decoded {
    match instruction {
        Decoded::Tensor(tensor) => Decoded::Tensor(establish_tensor(g, tensor)),
        Decoded::Matrix(matrix) => Decoded::Matrix(establish_matrix(g, matrix)),
        Decoded::Csr(one) if one.csr.read_only() && one.writes() => {
            Decoded::Csr(CsrInstruction { csr: Csr::TloadWidth, ..one })
        }
        Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => instruction,
    }
}

/// As [`establish`], for an instruction of the TensorLoad family.
pub fn establish_tensor(g: &mut Generator, tensor: Tensor) -> Tensor {
    let tensor = meet_needs(g, tensor);
    match tensor.elements() {
        Elements::Slices(_) => place_slices(g, tensor),
        Elements::Sum(_) | Elements::Chosen(_) | Elements::Exchanged => tensor,
    }
}

/// Emits what `tensor` needs in the state. Only a need of its own may change its operands; where slices are in memory is
/// left open.
pub fn meet_needs(g: &mut Generator, mut tensor: Tensor) -> Tensor {
    for _ in 0..ROUNDS {
        let Some(need) = tensor.unmet(&g.machine).next() else { break };
        let met = need.deciders().find_map(|decider| decide(g, tensor, need, decider));
        tensor = met.unwrap_or_else(|| {
            // Something in front of it makes it impossible: that is drawn anew.
            let before = tensor.needs().iter().take_while(|&&other| other != need);
            let before: Vec<(Need, Decider)> =
                before.flat_map(|&need| need.deciders().map(move |decider| (need, decider))).collect();
            let other = g.draw.choose(&before).and_then(|(need, decider)| decide(g, tensor, need, decider));
            other.unwrap_or(tensor)
        });
    }
    tensor
}

/// Draws a value for one decider of `need` with which it holds, and those in front of it, and emits it. `None` when no
/// such value is found.
fn decide(g: &mut Generator, tensor: Tensor, need: Need, decider: Decider) -> Option<Tensor> {
    match decider {
        Decider::Csr(csr) => {
            let before = g.machine.csr.clone();
            let value = Isa::from(&g.target.golden).has(csr).then(|| {
                draw_until(g, csr_value(tensor, csr), |g, &value| {
                    g.machine.csr.write(csr, value);
                    let holds = holds(&g.machine, tensor, need);
                    g.machine.csr.clone_from(&before);
                    holds
                })
            });
            g.set_csr(csr, value??);
            Some(tensor)
        }
        Decider::HostRegister => {
            let rs = g.last;
            let (with_rs, before) = (with_host_register(tensor, rs), g.machine.operand(rs));
            let value = draw_until(
                g,
                |g| host_value(g, tensor, 0),
                |g, &value| {
                    g.machine.set_x(rs, value);
                    let holds = holds(&g.machine, with_rs, need);
                    g.machine.hart.set_wide(rs, before, g.target.golden.xlen);
                    holds
                },
            )?;
            let rs = g.register_with(value);
            Some(with_host_register(tensor, rs))
        }
        Decider::Operands => draw_until(
            g,
            |g| match noise::any_operands(g, Decoded::Tensor(tensor)) {
                Decoded::Tensor(other) => with_host_register_of(other, tensor),
                Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => tensor,
            },
            |g, &tensor| holds(&g.machine, tensor, need),
        ),
    }
}

/// The first value of some that are drawn for which `fits` holds.
fn draw_until<T>(
    g: &mut Generator,
    mut draw: impl FnMut(&mut Generator) -> T,
    mut fits: impl FnMut(&mut Generator, &T) -> bool,
) -> Option<T> {
    (0..TRIES).find_map(|_| Some(draw(g)).filter(|value| fits(g, value)))
}

/// Whether `need` holds for the instruction, and all that are in front of it in its row.
fn holds(m: &Machine, tensor: Tensor, need: Need) -> bool {
    let place = |need: Need| tensor.needs().iter().position(|&other| other == need);
    tensor.unmet(m).next().is_none_or(|unmet| place(unmet) > place(need))
}

/// Draws values for a CSR that decides about `tensor`.
fn csr_value(tensor: Tensor, csr: Csr) -> impl Fn(&mut Generator) -> u32 {
    move |g| {
        let bits = g.machine.element_type().map_or(8, |element| element.bits);
        match csr {
            Csr::Ttype => {
                let index = g.width().ilog2() - 2;
                if g.draw.chance(70) { 1 << index } else { g.draw.range(1, 3) << (4 + 2 * index) }
            }
            Csr::Tshape => shape::packed(if g.draw.chance(50) { shape::any(g, bits) } else { shape::block(g, bits).1 }),
            Csr::TmaskLoad | Csr::TmaskStore => {
                let size = g.d0();
                memory_ops::mask_value(g, size)
            }
            Csr::TmaskConcat1 | Csr::TmaskConcat2 => {
                let d = tensor.operands().named("d").unwrap_or(0).clamp(0, 2);
                let size = move_ops::sizes_of_block(g)[d as usize];
                let other = if csr == Csr::TmaskConcat1 { Csr::TmaskConcat2 } else { Csr::TmaskConcat1 };
                let room = if g.draw.chance(60) { !g.machine.csr.read(other) } else { u32::MAX };
                memory_ops::mask_value(g, size) & room
            }
            Csr::TloadWidth | Csr::TstoreWidth if g.draw.chance(50) => 0,
            Csr::TloadWidth | Csr::TstoreWidth => memory_ops::width_value(g),
            Csr::TloadPitch | Csr::TstorePitch if g.draw.chance(50) => 0,
            Csr::TloadPitch | Csr::TstorePitch => g.draw.range(1, 255),
            Csr::TmaskInit => g.draw.below(16),
            Csr::TloadStride(_) | Csr::TstoreStride(_) | Csr::Tlenb | Csr::Matrix(_) => g.draw.u32(),
        }
    }
}

/// A value for the host register of `tensor`; a base address is at a border of the memory in `border` percent.
pub fn host_value(g: &mut Generator, tensor: Tensor, border: u32) -> u32 {
    match tensor.elements() {
        Elements::Slices(direction) => {
            let transfer = tensor.transfer();
            let (masked, imm8) = transfer.map_or((false, 0), |transfer| (transfer.masked, transfer.imm8));
            memory_ops::base(g, direction, masked, imm8, border)
        }
        Elements::Exchanged => move_ops::sizes(g),
        Elements::Sum(_) | Elements::Chosen(_) => g.draw.u32() >> g.draw.below(32),
    }
}

/// `tensor` with the host register of `like`.
fn with_host_register_of(tensor: Tensor, like: Tensor) -> Tensor {
    let rs = like.operands().iter().find(|operand| matches!(operand.kind, OperandKind::X(_)));
    rs.map_or(tensor, |rs| with_host_register(tensor, rs.value as u8))
}

/// Gives a legal load or store a base address with all slices in the memory, aligned, and without an error. Strides and
/// an immediate with which there is none are changed.
fn place_slices(g: &mut Generator, mut tensor: Tensor) -> Tensor {
    let Some(SliceTransfer { direction, .. }) = tensor.transfer() else { return tensor };
    for dense in [false, true] {
        if dense {
            let stride = direction.csrs().2;
            (0..g.d0().min(32) as u8).for_each(|slice| g.want_csr(stride(slice), slice.into()));
            tensor = tensor.with_operands(|operand| match operand.kind {
                OperandKind::Immediate => 0,
                OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Tr(_) => operand.value,
                OperandKind::Acc(_) | OperandKind::Dimension => operand.value,
            });
        }
        let base = draw_until(g, |g| host_value(g, tensor, 0), |g, &base| slices_fit(g, tensor, base));
        if let Some(base) = base {
            let rs = g.register_with(base);
            return with_host_register(tensor, rs);
        }
    }
    tensor
}

/// Whether all slices are in the memory, aligned, and outside what answers with an error.
fn slices_fit(g: &Generator, tensor: Tensor, base: u32) -> bool {
    let Some(SliceTransfer { direction, masked, imm8, .. }) = tensor.transfer() else { return false };
    let element = g.machine.element_type().map_or(1, |element| u64::from(element.bits / 8).max(1));
    let slices = Slices::new(&g.machine, direction, masked, base.into(), imm8);
    slices.is_some_and(|slices| {
        let fit = |&address: &u64| address % element == 0 && accessible(g, direction, address, slices.bytes);
        slices.addresses.iter().all(fit)
    })
}

/// Whether so many bytes are in the memory, and outside what answers with an error.
fn accessible(g: &Generator, direction: Direction, address: u64, bytes: u32) -> bool {
    let end = address.saturating_add(bytes.into());
    let meets = |fault: &std::ops::Range<u32>| address < fault.end.into() && end > fault.start.into();
    end <= g.memory(direction).into() && !g.faults[usize::from(direction == Direction::Store)].iter().any(meets)
}

/// As [`establish`], for an instruction of the matrix family.
pub fn establish_matrix(g: &mut Generator, matrix: Matrix) -> Matrix {
    let (direction, transfer) = match matrix {
        Matrix::Load(transfer) => (Direction::Load, transfer),
        Matrix::Store(transfer) => (Direction::Store, transfer),
        Matrix::SetTile { size, source: TileSource::Register(_) } => {
            let rows = g.target.golden.matrix.map_or(1, |config| config.rows());
            let value = g.draw.range(0, rows);
            return Matrix::SetTile { size, source: TileSource::Register(g.register_with(value)) };
        }
        Matrix::SetTile { .. } | Matrix::Release => return matrix,
    };
    for _ in 0..ROUNDS {
        if transfer.rows_fit(&g.machine) && transfer.columns_fit(&g.machine) {
            break;
        }
        matrix_ops::tile_sizes(g, transfer);
    }
    let place = |g: &mut Generator| {
        let store = direction == Direction::Store;
        let stride = matrix_ops::stride(g, transfer, store);
        (stride, matrix_ops::base(g, transfer, store, stride))
    };
    let fits = |g: &mut Generator, &(stride, base): &(u32, u32)| {
        let lines = Lines::new(&g.machine, transfer, base.into(), i64::from(stride as i32) as u64);
        lines.is_some_and(|lines| {
            let clear = |i| accessible(g, direction, lines.address(i), lines.bytes);
            lines.legal(g.memory(direction)) && (0..lines.count).all(clear)
        })
    };
    for _ in 0..ROUNDS {
        let Some((stride, base)) = draw_until(g, place, fits) else { break };
        let (rs2, rs1) = (g.register_with(stride), g.register_with(base));
        // The base may have been put where the stride was.
        if g.machine.x(rs2) == stride {
            return Matrix::transferring(direction, golden::decode::Transfer { rs1, rs2, ..transfer });
        }
    }
    matrix
}
