// SPDX-License-Identifier: Apache-2.0
//! Rules for bins that the parameters of a configuration rule out.

use golden::Csr;
use golden::decode::{Decoded, Isa, Need, Operand, OperandKind, Tensor, decode};

use super::facts::{self, xpose};
use super::group::Cell;
use super::names::csrs;
use super::operation;
use super::values::*;
use crate::unit::target::Target;

/// Bits of the elements of a bin with an element width.
pub fn bits(cell: &Cell) -> Option<u32> {
    let index = match (cell.get(Axis::Width), cell.get(Axis::Type)) {
        (Some(width), _) => width.index,
        (None, Some(ttype)) => ttype.index & 3,
        (None, None) => return None,
    };
    Some(4 << index)
}

fn widths(target: &Target) -> impl Iterator<Item = u32> {
    target.golden.element_widths.iter()
}

pub fn no_bytes(target: &Target, _: &Cell) -> bool {
    !target.golden.element_widths.contains(8)
}

/// The values of `Unanswered`, each with its port (1: L0M) and its requests.
pub const UNANSWERED: [(Value, usize, u32); 6] =
    [(L1M_16, 0, 16), (L1M_32, 0, 32), (L1M_64, 0, 64), (L0M_16, 1, 16), (L0M_32, 1, 32), (L0M_64, 1, 64)];

const NO_PITCH: &str = "the configuration does not have pitch";
const NO_MASK_INIT: &str = "the configuration does not have the CSR of initialised bits";
const NO_CSR_OP: &str = "the configuration does not have CSR instructions of the unit";

/// Why a value cannot occur at all in a configuration.
pub fn absent(target: &Target, value: Value) -> Option<&'static str> {
    let lacks = |index: u8| !target.golden.element_widths.contains(4 << index);
    match value.axis {
        Axis::Width if lacks(value.index) => Some("the configuration does not have this element width"),
        Axis::Type if lacks(value.index & 3) => Some("the configuration does not have this element width"),
        Axis::CsrName if csr(value).is_some_and(|csr| !Isa::from(&target.golden).has(csr)) => {
            Some("the configuration does not have this CSR")
        }
        Axis::Pitch | Axis::Pitched if !target.golden.pitch => Some(NO_PITCH),
        _ if [WROTE_PITCH, K_PITCH].contains(&value) && !target.golden.pitch => Some(NO_PITCH),
        _ if [WROTE_INIT, K_INIT].contains(&value) && !target.golden.mask_init => Some(NO_MASK_INIT),
        _ if UNANSWERED.iter().any(|&(one, _, requests)| one == value && target.rtl.outstanding < requests) => {
            Some("a port has fewer requests in flight (outstanding)")
        }
        Axis::Upper if target.golden.xlen == 32 => Some("registers of the host have 32 bits"),
        Axis::Form if !target.golden.gpr_rs1 => Some("the configuration does not have second encodings"),
        Axis::CsrForm if !target.golden.csr_op => Some(NO_CSR_OP),
        _ if [W_UNIT_CSR, W_UNIT_WRITE].contains(&value) && !target.golden.csr_op => Some(NO_CSR_OP),
        Axis::Encoding if is_instruction(target, value) => Some("the configuration has instructions there"),
        Axis::Killer | Axis::Killed | Axis::KilledNumber | Axis::Between if !target.rtl.precise => {
            Some("the configuration does not have precise traps")
        }
        Axis::Host if [HOST_INTERRUPTED, HOST_WAITING].contains(&value) && !target.rtl.precise => {
            Some("the configuration does not have precise traps: with a handler the host waits for each instruction")
        }
        _ if target.golden.matrix.is_none() && of_matrix(value) => {
            Some("the configuration does not have the matrix instruction set")
        }
        _ => None,
    }
}

/// Whether the words of the unit that the value is about are instructions, each of them.
fn is_instruction(target: &Target, value: Value) -> bool {
    let mut all = facts::front::opcode_words(target);
    let illegal = |word: u32| decode(word, &target.golden) == Decoded::Illegal;
    (W_LOAD29.index..=W_F7.index).contains(&value.index)
        && !all.any(|word| illegal(word) && facts::front::of_opcode(target, word) == value)
}

/// Whether a value is about the matrix instruction set.
fn of_matrix(value: Value) -> bool {
    let axes = [Axis::Mx, Axis::MxDirection, Axis::MxSet, Axis::MxWord];
    let first = |of_axis: Value| value.axis == of_axis.axis && value.index >= of_axis.index;
    let older = value.axis == Axis::Older && value.index >> 4 != 0;
    let wrote = value == WROTE_ROWS || value == WROTE_COLUMNS || value == W_TILE_CSR;
    axes.contains(&value.axis)
        || first(G_MX_LOAD)
        || first(B_MX_LOAD)
        || first(I_MX_LOAD)
        || first(T_MX_LOAD_MIS)
        || first(KILLER_MX_LOAD_MIS)
        || older
        || wrote
}

/// The CSR that a value of the axis `CsrName` stands for.
pub fn csr(value: Value) -> Option<Csr> {
    csrs().nth(value.index.into())
}

fn operation(cell: &Cell) -> Option<Tensor> {
    operation::tensor(cell.get(Axis::Op)?)
}

pub(super) fn integers_only(_: &Target, cell: &Cell) -> bool {
    operation(cell).is_some_and(|tensor| tensor.needs().contains(&Need::Integer))
}

/// The operation has no such registers, or they have to differ.
pub(super) fn no_such_register(_: &Target, cell: &Cell) -> bool {
    let (Some(tensor), Some(zero)) = (operation(cell), cell.get(Axis::Zero)) else { return false };
    let [results, sources] = operation::registers(tensor).map(|registers| registers.len());
    match zero {
        ZERO_D => results == 0,
        ZERO_S1 => sources == 0,
        ZERO_S2 => sources < 2,
        ZEROS => results + sources < 2 || tensor.needs().contains(&Need::TwoRegisters),
        _ => false,
    }
}

pub(super) fn not_a_reason(_: &Target, cell: &Cell) -> bool {
    operation(cell).zip(cell.get(Axis::Why)).is_some_and(|(tensor, why)| !facts::can_be_illegal(tensor, why))
}

/// The CSR is none that the operation reads.
pub(super) fn not_read(_: &Target, cell: &Cell) -> bool {
    let (Some(tensor), Some(wrote)) = (operation(cell), cell.get(Axis::Wrote)) else { return false };
    !csrs().any(|csr| facts::looks_at(tensor, csr, u32::MAX) == Some(wrote))
}

/// What the operation adds to each element for the immediate of a bin that is next to 0, if it has such immediates.
fn added(cell: &Cell) -> Option<i32> {
    let operation = operation(cell)?;
    let immediate = operation.operands().immediate()?;
    let range = immediate.range();
    let nearest = match cell.get(Axis::Imm)? {
        IMM_MIN if immediate.signed => *range.start(),
        IMM_MIN => return None,
        IMM_MINUS => -2,
        IMM_M1 => -1,
        IMM_0 => 0,
        IMM_1 => 1,
        IMM_PLUS => 2,
        _ => *range.end(),
    };
    let with = |operand: Operand| if operand.kind == OperandKind::Immediate { nearest } else { 0 };
    range.contains(&nearest).then(|| operation.with_operands(with).added())?
}

pub(super) fn goes_both_ways(_: &Target, cell: &Cell) -> bool {
    cell.has(C_BOTH) || added(cell).is_none()
}

pub(super) fn adds_no_less(_: &Target, cell: &Cell) -> bool {
    added(cell).is_none_or(|added| added >= 0)
}

pub(super) fn adds_no_more(_: &Target, cell: &Cell) -> bool {
    added(cell).is_none_or(|added| added <= 0)
}

pub(super) fn adds_16(_: &Target, cell: &Cell) -> bool {
    added(cell).is_some_and(|added| added.abs() >= 16)
}

pub(super) fn no_room_for_32(target: &Target, cell: &Cell) -> bool {
    bits(cell).is_some_and(|bits| 32 * bits > 8 * target.rtl.reg_bytes)
}

pub(super) fn port_is_element(target: &Target, cell: &Cell) -> bool {
    bits(cell).is_some_and(|bits| bits == 8 * target.rtl.port_bytes())
}

pub(super) fn half_word_is_element(target: &Target, cell: &Cell) -> bool {
    bits(cell).is_some_and(|bits| 2 * bits == 8 * target.rtl.port_bytes())
}

pub(super) fn port_is_narrowest(target: &Target, _: &Cell) -> bool {
    widths(target).all(|bits| bits == 8 * target.rtl.port_bytes())
}

pub(super) fn two_rows_exceed_255(target: &Target, cell: &Cell) -> bool {
    bits(cell).is_some_and(|bits| 255 * bits < 2 * 8 * target.rtl.lanes)
}

pub(super) fn only_narrow(target: &Target, _: &Cell) -> bool {
    widths(target).all(|bits| bits <= 8)
}

pub(super) fn all_widths(target: &Target, _: &Cell) -> bool {
    widths(target).count() == 4
}

pub(super) fn no_nibbles(target: &Target, _: &Cell) -> bool {
    !target.golden.element_widths.contains(4)
}

pub(super) fn no_pitch(target: &Target, _: &Cell) -> bool {
    !target.golden.pitch
}

pub(super) fn has_matrix(target: &Target, _: &Cell) -> bool {
    target.golden.matrix.is_some()
}

pub(super) fn read_only_csr(_: &Target, cell: &Cell) -> bool {
    cell.get(Axis::CsrName).and_then(csr).is_some_and(Csr::read_only)
}

pub(super) fn more_than_in_flight(target: &Target, cell: &Cell) -> bool {
    let older = cell.get(Axis::Older).map_or(0, |value| value.index.count_ones());
    older >= target.rtl.queue_entries
}

pub(super) fn precise(target: &Target, _: &Cell) -> bool {
    target.rtl.precise
}

/// Queue and list of those in flight have together no more than the trap and seven others, and one between them.
pub(super) fn few_in_flight(target: &Target, _: &Cell) -> bool {
    2 * target.rtl.queue_entries < 8
}

/// The list of those in flight has no entry for an instruction behind three others.
pub(super) fn few_entries(target: &Target, _: &Cell) -> bool {
    target.rtl.queue_entries < 4
}

/// Too few entries for three instructions in flight.
pub(super) fn two_entries(target: &Target, _: &Cell) -> bool {
    target.rtl.queue_entries < 3
}

/// Most slices of a load or store: a slice is a byte or more, and a mask has 32 bits.
fn most_slices(target: &Target) -> u32 {
    widths(target).next().map_or(0, |bits| target.rtl.reg_bytes / (bits / 8).max(1)).min(32)
}

/// No load or store has a slice 31.
pub(super) fn no_last_slice(target: &Target, cell: &Cell) -> bool {
    operation(cell).is_some_and(|tensor| !operation::masks_slices(tensor)) && most_slices(target) < 32
}

/// As many as can be in flight in front have 32 slices or fewer.
pub(super) fn few_slices(target: &Target, _: &Cell) -> bool {
    (target.rtl.queue_entries - 1) * most_slices(target) <= 32
}

/// Bytes of the memory of a load or store.
fn memory_bytes(target: &Target, cell: &Cell) -> Option<u32> {
    let load = match (operation(cell), cell.get(Axis::Mx)) {
        (Some(tensor), _) => operation::loads(tensor),
        (None, Some(mx)) => mx < MSA,
        (None, None) => return None,
    };
    Some(if load { target.rtl.l1m_bytes } else { target.rtl.l0m_bytes })
}

/// Slices of such a size fit in no register, or not in such an order in the memory.
pub(super) fn no_room_in_order(target: &Target, cell: &Cell) -> bool {
    let (Some(memory), Some(order)) = (memory_bytes(target, cell), cell.get(Axis::Order)) else { return false };
    let (register, port) = (target.rtl.reg_bytes, target.rtl.port_bytes());
    let fits = |bytes: u32, element: u32| {
        // Slices start whole slices apart; with a pitch, whole elements.
        let gap = if target.golden.pitch { element } else { bytes };
        let overlap = if gap < bytes { bytes + gap } else { 2 * bytes + gap };
        // How many slices it takes, and bytes from the first to the last one's end.
        let ways: &[[u32; 2]] = match order {
            O_SINGLE => &[[1, bytes]],
            O_SAME => &[[2, bytes]],
            O_ADJACENT | O_BACKWARD => &[[2, 2 * bytes]],
            O_GAPS => &[[2, 2 * bytes + gap]],
            _ => &[[3, 2 * bytes], [2, overlap]],
        };
        ways.iter().any(|[count, room]| count * bytes <= register && *room <= memory)
    };
    let sizes = |element: u32| (1..=register / element).map(move |count| (count * element, element));
    let mut all = widths(target).flat_map(|bits| sizes((bits / 8).max(1)));
    !all.any(|(bytes, element)| cell.has(facts::line_class(8 * bytes, port)) && fits(bytes, element))
}

/// A memory line of a whole row does not fit in the memory.
pub(super) fn row_exceeds_memory(target: &Target, cell: &Cell) -> bool {
    let plain = cell.get(Axis::Mx).is_some_and(|mx| mx.index % 6 < 3);
    let row = tile(target, cell).map(|(_, bytes)| bytes);
    plain && row > memory_bytes(target, cell)
}

/// Two slices of more than a row do not fit two times.
pub(super) fn no_room_again(target: &Target, _: &Cell) -> bool {
    target.rtl.reg_bytes / target.rtl.lanes < 8
}

/// No sizes and dimensions of tl.xpose have the values of the bin.
pub(super) fn no_such_exchange(target: &Target, cell: &Cell) -> bool {
    let wanted = |exchange: &xpose::Exchange| cell.0.iter().all(|&v| v.axis == Axis::Width || exchange.is(v));
    bits(cell).is_some_and(|bits| !xpose::all(target, bits).any(|exchange| wanted(&exchange)))
}

/// Most rows, and most elements of this size in a row, of the register of a matrix operation.
pub fn tile(target: &Target, cell: &Cell) -> Option<(u32, u32)> {
    let matrix = target.golden.matrix?;
    let accumulator = cell.get(Axis::Mx).is_some_and(|mx| mx.index % 3 == 2);
    let bytes = if accumulator { matrix.acc_row_bytes() } else { matrix.tr_row_bytes() };
    Some((matrix.rows(), bytes >> cell.get(Axis::MxSize).map_or(0, |size| size.index)))
}

/// No memory line of the operation has such a size.
pub(super) fn no_such_line(target: &Target, cell: &Cell) -> bool {
    let Some((rows, columns)) = tile(target, cell) else { return false };
    let transposed = cell.get(Axis::Mx).is_some_and(|mx| mx.index % 6 >= 3);
    let element = 8 << cell.get(Axis::MxSize).map_or(0, |size| size.index);
    let most = if transposed { rows } else { columns };
    let memory = memory_bytes(target, cell).unwrap_or(u32::MAX);
    let most = most.min(memory / (element / 8));
    !(1..=most).any(|elements| cell.has(facts::line_class(elements * element, target.rtl.port_bytes())))
}

pub(super) fn two_rows(target: &Target, _: &Cell) -> bool {
    target.golden.matrix.is_some_and(|matrix| matrix.rows() < 3)
}

pub(super) fn port_is_matrix_element(target: &Target, cell: &Cell) -> bool {
    cell.get(Axis::MxSize).is_some_and(|size| 1 << size.index >= target.rtl.port_bytes())
}

pub(super) fn half_word_is_matrix_element(target: &Target, cell: &Cell) -> bool {
    cell.get(Axis::MxSize).is_some_and(|size| 2 << size.index >= target.rtl.port_bytes())
}
