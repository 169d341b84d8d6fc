// SPDX-License-Identifier: Apache-2.0
//! Matrix instructions.

use golden::decode::{Form, Lines, Matrix, TileSource, Transfer};
use golden::{Csr, Machine, TileSize, Trap};

use super::{Facts, block, line_class};
use crate::coverage::values::*;
use crate::unit::target::Target;

/// What `csr` is to a load or store, if that looks at it.
pub fn looks_at(transfer: Transfer, csr: Csr) -> Option<Value> {
    let (rows, columns) = transfer.form.shape();
    let is = |size: TileSize, wrote: Value| (csr == Csr::Matrix(size.csr())).then_some(wrote);
    is(rows, WROTE_ROWS).or(is(columns, WROTE_COLUMNS))
}

/// What a matrix instruction is, whatever the state.
pub(super) fn kind(facts: &mut Facts, matrix: Matrix) {
    let (transfer, load) = match matrix {
        Matrix::Load(transfer) => (transfer, true),
        Matrix::Store(transfer) => (transfer, false),
        Matrix::SetTile { size, source } => return facts.set(set_kind(size, source)),
        Matrix::Release => return facts.set(RELEASE),
    };
    let form = match transfer.form {
        Form::A => 0,
        Form::B => 1,
        Form::C => 2,
    };
    let index = form + 3 * u8::from(transfer.transposed) + 6 * u8::from(!load);
    facts.set(Value { axis: Axis::Mx, index });
    facts.set(if load { MX_LOAD } else { MX_STORE });
    facts.set(Value { axis: Axis::MxSize, index: transfer.d_size });
    facts.set(Value { axis: Axis::MxRegister, index: transfer.register & 3 });
}

/// The facts of a matrix instruction that was executed.
pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, matrix: Matrix, trap: Option<Trap>) {
    kind(facts, matrix);
    let (transfer, load) = match matrix {
        Matrix::Load(transfer) => (transfer, true),
        Matrix::Store(transfer) => (transfer, false),
        Matrix::SetTile { size, .. } => return facts.set(size_class(target, model.csr.tile_size(size))),
        Matrix::Release => return,
    };
    let base = model.operand(transfer.rs1);
    let memory = u64::from(if load { target.rtl.l1m_bytes } else { target.rtl.l0m_bytes });
    super::memory::upper(facts, target, base);
    let Some(lines) = Lines::of(model, transfer) else { return illegal(facts, model, transfer) };
    if let Some(trap) = trap {
        return trapped(facts, &lines, trap);
    }
    tile(facts, model, transfer);
    if lines.count == 0 {
        let even = base.is_multiple_of(lines.element.into());
        let wrong = if even { BASE_OUTSIDE } else { BASE_ODD };
        return facts.set(if even && base < memory { BASE_GOOD } else { wrong });
    }
    facts.set(stride_class(&lines));
    facts.set(line_class(8 * lines.bytes, target.rtl.port_bytes()));
    facts.set(block::offset_class(base, target.rtl.port_bytes()));
    let addresses = || (0..lines.count).map(|i| lines.address(i));
    facts.set(if addresses().any(|address| address + u64::from(lines.bytes) == memory) {
        LAST
    } else if addresses().any(|address| address == 0) {
        START
    } else {
        INSIDE
    });
}

fn tile(facts: &mut Facts, model: &Machine, transfer: Transfer) {
    let Some((most_rows, most_columns)) = transfer.limits(model) else { return };
    let (rows, columns) = transfer.form.shape();
    let (rows, columns) = (model.csr.tile_size(rows), model.csr.tile_size(columns));
    let class = |size, most, [one, part, all]: [Value; 3]| match size {
        size if size == most => all,
        1 => one,
        _ => part,
    };
    match (rows, columns) {
        (0, 0) => facts.set(NOTHING),
        (0, _) => facts.set(NO_ROWS),
        (_, 0) => facts.set(NO_COLUMNS),
        _ => {
            facts.set(class(rows, most_rows, [ROWS_1, ROWS_PART, ROWS_ALL]));
            facts.set(class(columns, most_columns, [COLUMNS_1, COLUMNS_PART, COLUMNS_ALL]));
        }
    }
}

fn stride_class(lines: &Lines) -> Value {
    let (bytes, stride) = (i64::from(lines.bytes), i64::from(lines.stride as i32));
    match stride {
        _ if lines.count == 1 && !lines.stride.is_multiple_of(lines.element.into()) => ST_ONE_ODD,
        _ if lines.count == 1 => ST_ONE,
        0 => ST_SAME,
        stride if stride == bytes => ST_DENSE,
        stride if stride > bytes => ST_GAP,
        1.. => ST_OVERLAP,
        stride if -stride == bytes => ST_B_DENSE,
        stride if -stride > bytes => ST_B_GAP,
        _ => ST_B_OVERLAP,
    }
}

fn illegal(facts: &mut Facts, model: &Machine, transfer: Transfer) {
    let Some((most_rows, most_columns)) = transfer.limits(model) else { return };
    let (rows, columns) = transfer.form.shape();
    let (rows, columns) = (model.csr.tile_size(rows), model.csr.tile_size(columns));
    match (rows > most_rows, columns > most_columns) {
        (true, false) => facts.set(TOO_MANY_ROWS),
        (false, true) if columns.checked_mul(transfer.esz()).is_none() => facts.set(COLUMNS_OVERFLOW),
        (false, true) => facts.set(TOO_MANY_COLUMNS),
        _ => {}
    }
}

fn trapped(facts: &mut Facts, lines: &Lines, trap: Trap) {
    if facts.has(MISALIGNED) {
        let odd = |address: u64| !address.is_multiple_of(lines.element.into());
        return facts.set(match (odd(lines.base), lines.count > 1 && odd(lines.stride)) {
            (true, true) => MIS_BOTH,
            (true, false) => MIS_BASE,
            _ => MIS_STRIDE,
        });
    }
    let elements = (0..lines.count).flat_map(|line| (0..lines.bytes / lines.element).map(move |n| (line, n)));
    let at = |(line, n): &(u32, u32)| lines.element_address(*line, *n) == trap.tval;
    match elements.into_iter().find(at) {
        Some((0, 0)) => facts.set(EL_FIRST),
        Some((0, _)) => facts.set(EL_LINE),
        Some((_, 0)) => facts.set(EL_LATER),
        Some(_) => facts.set(EL_IN),
        None => {}
    }
}

fn set_kind(size: TileSize, source: TileSource) -> Value {
    let immediate = matches!(source, TileSource::Immediate(_));
    match (size, immediate) {
        (TileSize::M, false) => SET_M,
        (TileSize::N, false) => SET_N,
        (TileSize::K, false) => SET_K,
        (TileSize::M, true) => SET_MI,
        (TileSize::N, true) => SET_NI,
        (TileSize::K, true) => SET_KI,
    }
}

fn size_class(target: &Target, size: u32) -> Value {
    let rows = target.golden.matrix.map_or(0, |matrix| matrix.rows());
    match size {
        0 => SIZE_NONE,
        size if size <= rows => SIZE_ROWS,
        size if size < 1024 => SIZE_MORE,
        _ => SIZE_HUGE,
    }
}

/// The kind of a word of the opcode that is not an instruction.
pub(super) fn word(facts: &mut Facts, word: u32) {
    let (func4, uop) = (word >> 28, word >> 26 & 3);
    let accumulator = word >> 9 & 1 == 1;
    facts.set(match (word >> 12 & 7, uop) {
        (1.., _) => MW_FUNCT3,
        (_, 2) => MW_UOP2,
        (_, 3) => MW_UOP3,
        (_, 1) => match func4 {
            3 => MW_WHOLE,
            7.. => MW_FUNC4,
            _ if word >> 10 & 3 == 3 => MW_SIZE,
            _ if accumulator => MW_AB_ACC,
            _ => MW_C_TILE,
        },
        _ => match func4 {
            1..=3 if word >> 7 & 31 != 0 => MW_SET_RD,
            1..=3 => MW_SET_RS2,
            _ => MW_SET_FUNC4,
        },
    });
}
