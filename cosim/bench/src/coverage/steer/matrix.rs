// SPDX-License-Identifier: Apache-2.0
//! Matrix loads, stores and tile sizes.

use golden::TileSize;
use golden::decode::{Decoded, Form, Matrix, TileSource, Transfer};

use super::goal::Goal;
use super::moves::distinct;
use super::state::one_of;
use crate::coverage::facts::line_class;
use crate::coverage::values::*;
use crate::lockstep::lines::limits;
use crate::random::generator::Generator;

/// Emits everything that a load or store needs, and gives it.
pub fn prepare(g: &mut Generator, goal: &Goal) -> Option<(Matrix, Transfer)> {
    let index = match (goal.get(Axis::Mx), goal.get(Axis::MxDirection)) {
        (Some(mx), _) => mx.index,
        (None, Some(direction)) => 6 * direction.index + g.draw.below(6) as u8,
        (None, None) => g.draw.below(12) as u8,
    };
    let load = index < 6;
    let [rs1, rs2] = distinct(g);
    let mut transfer = Transfer {
        form: [Form::A, Form::B, Form::C][usize::from(index % 3)],
        transposed: index % 6 >= 3,
        d_size: 0,
        register: goal.get(Axis::MxRegister).map_or_else(|| g.draw.below(4) as u8, |register| register.index),
        rs1,
        rs2,
    };
    let [rows, columns] = tile(g, goal, &mut transfer)?;
    let (row_size, column_size) = transfer.form.shape();
    set_size(g, row_size, rows);
    set_size(g, column_size, columns);
    let (lines, elements) = if transfer.transposed { (columns, rows) } else { (rows, columns) };
    let line = Line { load, esz: i64::from(transfer.esz()), lines: lines.into(), elements: elements.into() };
    let stride = stride(g, goal, &line);
    let base = base(g, goal, &line, stride)?;
    g.constant(rs1, base as u32);
    g.constant(rs2, stride as u32);
    Some((if load { Matrix::Load(transfer) } else { Matrix::Store(transfer) }, transfer))
}

/// Memory lines.
#[derive(Clone, Copy)]
struct Line {
    load: bool,
    esz: i64,
    lines: i64,
    elements: i64,
}

/// Element size and tile, as the goal wants them.
fn tile(g: &mut Generator, goal: &Goal, transfer: &mut Transfer) -> Option<[u32; 2]> {
    let wide = goal.wants(MISALIGNED) || goal.wants(ST_ONE_ODD) || goal.wants(BASE_ODD) || goal.wants(COLUMNS_OVERFLOW);
    for _ in 0..400 {
        transfer.d_size = match goal.get(Axis::MxSize) {
            Some(size) => size.index,
            None => g.draw.range(wide.into(), 2) as u8,
        };
        let (most_rows, most_columns) = limits(&g.machine, *transfer)?;
        let size = |g: &mut Generator, class: Option<Value>, most: u32| match class.map(|class| class.index) {
            Some(0) => 1,
            Some(1) => g.draw.range(2, most.max(3) - 1),
            Some(_) => most,
            None => g.draw.range(1, most),
        };
        let mut rows = size(g, goal.get(Axis::MxRows), most_rows);
        let mut columns = size(g, goal.get(Axis::MxColumns), most_columns);
        match goal.get(Axis::MxEmpty) {
            Some(NO_ROWS) => return Some([0, columns]),
            Some(NO_COLUMNS) => return Some([rows, 0]),
            Some(_) => return Some([0, 0]),
            None => {}
        }
        match goal.get(Axis::MxWhy) {
            Some(TOO_MANY_ROWS) => return Some([most_rows + g.draw.range(1, 4), columns]),
            Some(TOO_MANY_COLUMNS) => return Some([rows, most_columns + g.draw.range(1, 8)]),
            Some(_) => {
                let least = u32::MAX / transfer.esz() + 1;
                return Some([rows, least + g.draw.below(most_columns)]);
            }
            None => {}
        }
        let one_line = goal.wants(ST_ONE) || goal.wants(ST_ONE_ODD);
        let (lines, elements) = if transfer.transposed { (&mut columns, &mut rows) } else { (&mut rows, &mut columns) };
        if one_line {
            *lines = 1;
        }
        let several_lines = goal.get(Axis::MxStride).is_some() && !one_line
            || goal.wants(EL_LATER)
            || goal.wants(EL_IN)
            || goal.wants(MIS_STRIDE)
            || goal.wants(MIS_BOTH);
        let several = goal.wants(ST_OVERLAP) || goal.wants(ST_B_OVERLAP) || goal.wants(EL_LINE) || goal.wants(EL_IN);
        let run = line_class(8 * *elements * transfer.esz(), g.target.rtl.port_bytes());
        if goal.allows(run) && !(several_lines && *lines < 2) && !(several && *elements < 2) {
            return Some([rows, columns]);
        }
    }
    None
}

/// A stride of the wanted class.
fn stride(g: &mut Generator, goal: &Goal, &Line { esz, elements, .. }: &Line) -> i64 {
    let bytes = esz * elements;
    let some = esz * i64::from(g.draw.range(1, 40));
    let overlap = esz * i64::from(g.draw.range(1, (elements - 1).max(1) as u32));
    let odd = i64::from(g.draw.range(1, esz.max(2) as u32 - 1));
    if goal.wants(MIS_STRIDE) || goal.wants(MIS_BOTH) {
        return bytes + some + odd;
    }
    if goal.wants(EL_LATER) || goal.wants(EL_IN) {
        return bytes + if g.draw.chance(50) { some } else { 0 };
    }
    let classes = [ST_DENSE, ST_DENSE, ST_GAP, ST_GAP, ST_SAME, ST_B_DENSE, ST_B_GAP];
    match goal.get(Axis::MxStride).unwrap_or_else(|| one_of(g, &classes)) {
        ST_DENSE | ST_ONE => bytes,
        ST_ONE_ODD => some + odd,
        ST_GAP => bytes + some,
        ST_OVERLAP => overlap,
        ST_SAME => 0,
        ST_B_DENSE => -bytes,
        ST_B_GAP => -bytes - some,
        _ => -overlap,
    }
}

/// A base address for lines with this stride.
fn base(g: &mut Generator, goal: &Goal, line: &Line, stride: i64) -> Option<i64> {
    let Line { load, esz, lines, elements } = *line;
    let size = i64::from(if load { g.target.rtl.l1m_bytes } else { g.target.rtl.l0m_bytes });
    let fault = super::fault(size as u32);
    let (fault_start, fault_end) = (i64::from(fault.start), i64::from(fault.end));
    let bytes = esz * elements;
    if goal.get(Axis::MxWhy).is_some() {
        // Illegal, so any will do; there may be very many lines.
        return Some(i64::from(g.draw.below(1024)) * esz);
    }
    let odd = i64::from(g.draw.range(1, esz.max(2) as u32 - 1));
    let inner = esz * i64::from(g.draw.range(1, (elements - 1).max(1) as u32));
    let further = esz * i64::from(g.draw.below(8));
    if goal.wants(BASE_OUTSIDE) {
        return Some(size + further);
    }
    // Elements below this address do not trap, those from it on do.
    let border = if goal.wants(PORT) { fault_start } else { size };
    if goal.wants(OUTSIDE) || goal.wants(PORT) {
        return Some(match goal.get(Axis::MxElement) {
            Some(EL_LINE) => border - inner,
            Some(EL_LATER) => border - stride,
            Some(EL_IN) => border - stride - inner,
            _ => border + further,
        });
    }
    let misaligned = goal.wants(MIS_BASE) || goal.wants(MIS_BOTH) || goal.wants(BASE_ODD);
    let misaligned = misaligned || goal.wants(MISALIGNED) && !goal.wants(MIS_STRIDE);
    let last = stride * (lines - 1).max(0);
    let (least, most) = (-last.min(0), size - bytes - last.max(0));
    let port = i64::from(g.target.rtl.port_bytes());
    for _ in 0..200 {
        let any = least + i64::from(g.draw.below((most - least).max(0) as u32 + 1));
        let offset = match goal.get(Axis::Offset) {
            Some(AT_0) => 0,
            Some(AT_HALF) => port / 2,
            Some(AT_LOW) => i64::from(g.draw.range(1, port as u32 / 2 - 1)),
            Some(AT_HIGH) => i64::from(g.draw.range(port as u32 / 2 + 1, port as u32 - 1)),
            _ => i64::from(g.draw.below(port as u32)),
        };
        let any = (any / port * port + offset) / esz * esz;
        let base = match goal.get(Axis::Place) {
            Some(START) => least,
            Some(LAST) => most,
            _ if misaligned => any + odd,
            _ => any,
        };
        let meets = |line: i64| base + line * stride < fault_end && base + line * stride + bytes > fault_start;
        if (least..=most).contains(&base) && !(0..lines).any(meets) {
            return Some(base);
        }
    }
    None
}

/// Gives a tile size this value, unless it has it.
pub fn set_size(g: &mut Generator, size: TileSize, value: u32) {
    if g.machine.csr.tile_size(size) == value {
        return;
    }
    let source = if value < 1024 && g.draw.chance(70) {
        TileSource::Immediate(value as u16)
    } else {
        TileSource::Register(g.register_with(value))
    };
    g.emit(Decoded::Matrix(Matrix::SetTile { size, source }));
}

/// A load or store.
pub fn transfer(g: &mut Generator, goal: &Goal) -> Option<()> {
    let (instruction, _) = prepare(g, goal)?;
    g.emit(Decoded::Matrix(instruction));
    Some(())
}

/// A load or store soon after one of its tile sizes got another value.
pub fn tile_then(g: &mut Generator, goal: &Goal) -> Option<()> {
    let (instruction, transfer) = prepare(g, goal)?;
    let (rows, columns) = transfer.form.shape();
    let size = if goal.wants(WROTE_ROWS) { rows } else { columns };
    let value = g.machine.csr.tile_size(size);
    for value in [value + 1, value] {
        g.emit(Decoded::Matrix(Matrix::SetTile { size, source: TileSource::Immediate(value as u16) }));
    }
    for _ in 0..goal.get(Axis::Ago)?.index {
        super::front::read(g, golden::Csr::Tlenb, 0);
    }
    g.emit(Decoded::Matrix(instruction));
    Some(())
}

/// An instruction that sets a tile size, or `mrelease`.
pub fn tile_size(g: &mut Generator, goal: &Goal) -> Option<()> {
    let set = goal.get(Axis::MxSet)?;
    if set == RELEASE {
        g.emit(Decoded::Matrix(Matrix::Release));
        return Some(());
    }
    let rows = g.target.golden.matrix?.rows();
    let value = match goal.get(Axis::MxValue)? {
        SIZE_NONE => 0,
        SIZE_ROWS => g.draw.range(1, rows),
        SIZE_MORE => g.draw.range(rows + 1, 1023),
        _ => (1 << g.draw.range(10, 31)) + g.draw.below(1024),
    };
    let size = [TileSize::M, TileSize::N, TileSize::K][usize::from(set.index % 3)];
    let immediate = matches!(set, SET_MI | SET_NI | SET_KI);
    let source =
        if immediate { TileSource::Immediate(value as u16) } else { TileSource::Register(g.register_with(value)) };
    g.emit(Decoded::Matrix(Matrix::SetTile { size, source }));
    Some(())
}

/// A word of the opcode that is not an instruction.
pub fn word(g: &mut Generator, kind: Value) -> u32 {
    let any = g.draw.u32();
    // An 8-bit load or store of A, B or C; or a configuration instruction from a register.
    let func4 = g.draw.pick(&[0, 1, 2, 4, 5, 6]);
    let form = func4 << 28 | 1 << 26 | any & 0x03ff_8180 | u32::from(func4 % 4 == 2) << 9 | 0x2b;
    let set = g.draw.range(1, 3) << 28 | any & 0x000f_8000 | 0x2b;
    let register = 1 << 25;
    match kind {
        MW_FUNCT3 => any & !0x707f | (1 + any % 7) << 12 | 0x2b,
        MW_UOP2 => any & !0x0c00_707f | 2 << 26 | 0x2b,
        MW_UOP3 => any & !0x0c00_707f | 3 << 26 | 0x2b,
        MW_SIZE => form | 3 << 10,
        MW_WHOLE => any & !0xfc00_707f | 3 << 28 | 1 << 26 | 0x2b,
        MW_FUNC4 => any & !0xfc00_707f | g.draw.range(7, 15) << 28 | 1 << 26 | 0x2b,
        MW_AB_ACC => form & !(2 << 28) | 1 << 9,
        MW_C_TILE => form & !(3 << 28) & !(1 << 9) | 2 << 28,
        MW_SET_RD => set | g.draw.range(1, 31) << 7,
        MW_SET_RS2 => set | register | g.draw.range(1, 31) << 20,
        _ => set & !(15 << 28) | g.draw.range(4, 15) << 28,
    }
}

/// A CSR of the matrix instruction set: its address.
pub fn csr_address(g: &mut Generator) -> u32 {
    let addresses: Vec<u32> = golden::MatrixCsr::all().map(|csr| csr.address().into()).collect();
    g.draw.pick(&addresses)
}

/// The tile limits of a kit: rows, and columns of the widest elements in either kind of register.
pub fn kit_sizes(g: &Generator) -> Option<[(TileSize, u32); 3]> {
    let matrix = g.target.golden.matrix?;
    let columns = matrix.tr_row_bytes() / 4;
    Some([(TileSize::M, matrix.rows()), (TileSize::N, matrix.rows()), (TileSize::K, columns.max(1))])
}
