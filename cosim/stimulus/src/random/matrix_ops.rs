// SPDX-License-Identifier: Apache-2.0
//! Matrix loads, stores and tile sizes: tiles that fit, mostly, with strides and base addresses that make memory lines
//! meet, overlap, miss and cross borders.

use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Lines, Matrix, TileSource, Transfer,
};
use golden::{Csr, MatrixCsr, TileSize};

use super::generator::{Generator, flipped};
use super::operands::scarcest_of;

const OPCODE: u32 = 0x2b;

/// Some instructions of the family.
pub fn any(g: &mut Generator) {
    match g.draw.below(100) {
        0..78 => transfers(g),
        78..84 => {
            let size = size(g);
            let value = g.draw.u32() >> if g.draw.chance(50) { 0 } else { g.draw.below(32) };
            set(g, size, value);
            // A large one is of no use but to be read.
            read_all(g);
        }
        84..91 => csr(g),
        91..93 => g.emit(Decoded::Matrix(Matrix::Release)),
        _ => {
            let word = nearly_legal(g);
            g.word(word);
        }
    }
}

pub fn read_all(g: &mut Generator) {
    let csrs: Vec<u16> = MatrixCsr::all().map(MatrixCsr::address).collect();
    csrs.into_iter().filter_map(Csr::from_address).for_each(|csr| _ = g.read(csr));
}

fn size(g: &mut Generator) -> TileSize {
    [TileSize::M, TileSize::N, TileSize::K][g.draw.below(3) as usize]
}

pub fn transfer(g: &mut Generator) -> Transfer {
    let all: Vec<Transfer> = Matrix::all().filter_map(Matrix::transfer).map(|(_, transfer)| transfer).collect();
    let [register, rs1, rs2] = [4, 32, 32].map(|registers| g.draw.below(registers) as u8);
    Transfer { register, rs1, rs2, ..all[g.draw.below(all.len() as u32) as usize] }
}

/// One or more loads and stores with the same tile sizes, base and stride.
fn transfers(g: &mut Generator) {
    let rows = Matrix::all().filter(|row| row.transfer().is_some()).map(Decoded::Matrix).collect();
    let Some((direction, row)) = scarcest_of(g, rows).and_then(Decoded::tile_transfer) else { return };
    let mut transfer = Transfer { form: row.form, transposed: row.transposed, d_size: row.d_size, ..transfer(g) };
    tile_sizes(g, transfer);
    let columns = transfer.limits(&g.machine).map_or(0, |(_, columns)| columns);
    if g.draw.chance(4) {
        set(g, transfer.form.shape().1, columns + 1);
    }
    let mut store = direction == Direction::Store;
    let stride = stride(g, transfer, store);
    let base = base(g, transfer, store, stride);
    transfer.rs2 = g.register_with(stride);
    // The register of the stride may be the one that the base is put into; then the two are the same.
    transfer.rs1 = g.register_with(base);
    if g.draw.chance(2) {
        transfer.rs2 = g.draw.below(32) as u8;
    }
    for _ in 0..g.draw.pick(&[1, 1, 2, 2, 3]) {
        g.emit(Decoded::Matrix(if store { Matrix::Store(transfer) } else { Matrix::Load(transfer) }));
        match g.draw.below(8) {
            // The same register again, by a load or a store; the same bytes in the other order; another register.
            0 => store = !store,
            1 => transfer.transposed = !transfer.transposed,
            2 | 3 => {}
            _ => transfer.register = g.draw.below(4) as u8,
        }
    }
}

/// Tile sizes for `transfer`: kept or new, and legal with few exceptions.
pub fn tile_sizes(g: &mut Generator, transfer: Transfer) {
    let Some((rows, columns)) = transfer.limits(&g.machine) else { return };
    let (row_size, column_size) = transfer.form.shape();
    let keep = g.draw.chance(35);
    for (size, limit) in [(row_size, rows), (column_size, columns)] {
        let now = g.machine.csr.tile_size(size);
        let legal = (1..=limit).contains(&now);
        if !(legal && keep || !legal && g.draw.chance(2)) {
            let value = size_value(g, limit);
            set(g, size, value);
        }
    }
}

/// Tile sizes that do not fit for one reason alone: one of the two is too large by one, or by so much that its bytes
/// are more than 32 bits hold.
pub fn misfit(g: &mut Generator, transfer: Transfer) {
    let Some((rows, columns)) = transfer.limits(&g.machine) else { return };
    let (row_size, column_size) = transfer.form.shape();
    let sizes = [(row_size, rows), (column_size, columns)];
    let wrong = g.draw.below(2) as usize;
    for (index, (size, limit)) in sizes.into_iter().enumerate() {
        let now = g.machine.csr.tile_size(size);
        if index == wrong {
            let much = limit | 1 << g.draw.range(29, 31);
            let value = if g.draw.chance(50) { limit + 1 } else { much };
            set(g, size, value);
        } else if now > limit {
            set(g, size, limit);
        }
    }
}

/// From 1 to `limit`, or now and then 0, one too many, or anything.
fn size_value(g: &mut Generator, limit: u32) -> u32 {
    match g.draw.below(100) {
        0..2 => 0,
        2 | 3 => limit + 1,
        4 => flipped(g, limit, 32),
        5..45 => limit,
        45..50 => 1,
        50..60 => limit.saturating_sub(1).max(1),
        _ => g.draw.range(1, limit),
    }
}

/// Sets a tile size by either instruction.
pub fn set(g: &mut Generator, size: TileSize, value: u32) {
    let source = if value < 1024 && g.draw.chance(70) {
        TileSource::Immediate(value as u16)
    } else {
        TileSource::Register(g.register_with(value))
    };
    g.emit(Decoded::Matrix(Matrix::SetTile { size, source }));
}

/// Bytes of the memory that an access goes to.
fn memory(g: &Generator, store: bool) -> u32 {
    if store { g.target.rtl.l0m_bytes } else { g.target.rtl.l1m_bytes }
}

/// Bytes from one memory line to the next, modulo 2^32.
pub fn stride(g: &mut Generator, transfer: Transfer, store: bool) -> u32 {
    let element = transfer.esz();
    let lines = Lines::new(&g.machine, transfer, 0, 0);
    let (count, bytes) = lines.map_or((1, element), |lines| (lines.count, lines.bytes.max(element)));
    let elements = |g: &mut Generator, most: u32| element * g.draw.range(1, most);
    let stride = match g.draw.below(24) {
        // Dense, dense but for a gap, a memory word apart, a row of some larger matrix, far apart.
        0..5 => bytes,
        5..9 => bytes + elements(g, 4),
        9 => g.target.rtl.port_bytes().max(bytes),
        10..13 => bytes + elements(g, 60),
        13 => elements(g, 2000),
        // All lines in one place, or one over the other.
        14 => 0,
        15..18 => elements(g, (bytes / element).max(2) - 1),
        // Backwards.
        18..20 => 0u32.wrapping_sub(bytes),
        20 => 0u32.wrapping_sub(elements(g, 60)),
        21 => 0u32.wrapping_sub(elements(g, 4)),
        // Half of the address space: every other line comes back to where the first one is.
        22 if g.draw.chance(30) => 0x8000_0000u32.wrapping_add(elements(g, 16)),
        22 => flipped(g, bytes, 32) & !(element - 1),
        _ => bytes,
    };
    // Near lines that do not fit the memory one after the other trap wherever they start.
    let distance = u64::from((stride as i32).unsigned_abs());
    let room = u64::from(memory(g, store));
    let too_long = distance < room && distance * u64::from(count.max(1) - 1) + u64::from(bytes) > room;
    let stride = if too_long && g.draw.chance(75) { bytes } else { stride };
    // With one line the stride is not looked at.
    let odd = if count < 2 { 50 } else { 4 };
    if g.draw.chance(odd) { stride ^ g.draw.range(1, 7) } else { stride }
}

/// A base address: inside the memory with all lines, at its borders, over them, or anywhere.
pub fn base(g: &mut Generator, transfer: Transfer, store: bool, stride: u32) -> u32 {
    let size = i64::from(memory(g, store));
    let arena = g.arena[usize::from(store)].clone();
    let element = i64::from(transfer.esz());
    let lines = Lines::new(&g.machine, transfer, 0, i64::from(stride as i32) as u64);
    let bytes = lines.map_or(element, |lines| i64::from(lines.bytes.max(1)));
    // The lines that do not jump out of every memory, as offsets from the first.
    let offsets = lines.iter().flat_map(|lines| (0..lines.count).map(|i| i64::from(lines.address(i) as i32)));
    let offsets = offsets.filter(|offset| offset.abs() < size);
    let (lowest, highest) = offsets.fold((0, 0), |(low, high), offset| (low.min(offset), high.max(offset)));
    // The base may be from `least` to `most` for all of these lines to be inside.
    let (least, most) = (-lowest, size - highest - bytes);
    let any = i64::from(g.draw.u32());
    let inside = |wish: i64| wish.clamp(least.min(most), most.max(least));
    let faults = &g.faults[usize::from(store)];
    if !faults.is_empty() && g.draw.chance(25) {
        // At the start of a range that answers with an error, some lines or a line before it, or behind it.
        let fault = faults[g.draw.below(faults.len() as u32) as usize].clone();
        let lines = lines.map_or(1, |lines| i64::from(lines.count));
        let before = g.draw.pick(&[0, 0, bytes, lines * bytes, element, any % (lines * bytes).max(1)]);
        return (g.draw.pick(&[i64::from(fault.start) - before, i64::from(fault.end)]).max(0) & -element) as u32;
    }
    let choice = g.draw.below(56);
    let base = match choice {
        // Exactly up to the border, and one element over it.
        0 | 1 => least,
        2 | 3 => most,
        4 | 5 => most + element,
        6 => least - 1 - any % bytes,
        7 if any % 2 == 0 => most + 1 + any % bytes,
        8 if any % 4 == 0 => size + any % bytes - bytes,
        8 if any % 4 == 1 => any,
        8 if any % 4 == 2 => i64::from(flipped(g, arena.start, 32)) & -element,
        9..17 => inside(any % size),
        _ => inside(i64::from(arena.start) + any % i64::from((arena.end - arena.start).max(1)) - lowest),
    };
    // Beside a stride that is misaligned, often one that is, too: the trap tells the base then.
    let odd = if i64::from(stride) % element == 0 { 1 } else { 8 };
    let align = match g.draw.below(20) {
        _ if choice < 6 => element,
        n if n < odd => 1,
        1..9 => i64::from(g.target.rtl.port_bytes()).max(element),
        _ => element,
    };
    (base & !(align - 1)) as u32
}

/// A CSR instruction of any form on a matrix CSR; those that write are illegal.
fn csr(g: &mut Generator) {
    let all: Vec<u16> = MatrixCsr::all().map(MatrixCsr::address).collect();
    let Some(csr) = Csr::from_address(g.draw.pick(&all)) else { return };
    let writes = g.draw.chance(40);
    let operation = [CsrOperation::Set, CsrOperation::Clear, CsrOperation::Write]
        [g.draw.below(if writes { 3 } else { 2 }) as usize];
    let field = if writes { g.draw.below(32) as u8 } else { 0 };
    let source = if g.draw.chance(50) { CsrSource::Register(field) } else { CsrSource::Immediate(field) };
    let rd = g.draw.below(32) as u8;
    g.emit(Decoded::Csr(CsrInstruction::new(operation, csr, rd, source)));
}

/// A word that is legal with the matrix instruction set.
pub fn legal(g: &mut Generator) -> u32 {
    let transfer = transfer(g);
    match g.draw.below(4) {
        0 => Matrix::Load(transfer).encode(),
        1 => Matrix::Store(transfer).encode(),
        2 => Matrix::SetTile { size: size(g), source: TileSource::Register(transfer.rs1) }.encode(),
        _ => Matrix::Release.encode(),
    }
}

/// A word of the opcode with one thing wrong, or with anything wrong.
pub fn nearly_legal(g: &mut Generator) -> u32 {
    let any = g.draw.u32() & !0x7f | OPCODE;
    let transfer = any & !0x0c00_7000 | 1 << 26;
    let setting = any & !0x0e00_7f80;
    let field = |word: u32, low: u32, bits: u32, value: u32| word & !(((1 << bits) - 1) << low) | value << low;
    let pick = any >> 12 & 7;
    match g.draw.below(10) {
        0 => field(transfer, 10, 2, 3),
        1 => field(transfer, 28, 4, [3, 7, 8, 9, 10, 12, 13, 14][pick as usize]),
        // A and B in an accumulation register, C in a tile register.
        2 => field(field(transfer, 28, 4, [0, 1, 4, 5][pick as usize % 4]), 7, 3, 4 + pick % 4),
        3 => field(field(transfer, 28, 4, [2, 6][pick as usize % 2]), 7, 3, pick % 4),
        4 => field(transfer, 12, 3, 1 + pick % 7),
        5 => field(transfer, 26, 2, 2 + pick % 2),
        6 => field(setting, 7, 5, 1 + any % 31) & !(8 << 28),
        // A register's number in the field that has to be 0; mrelease with something in it.
        7 => field(field(setting, 28, 4, 1 + pick % 3), 20, 6, 0x20 | (1 + pick)),
        8 => field(setting, 28, 4, [0, 4, 5, 6, 7, 8, 12, 15][pick as usize]),
        _ => any,
    }
}
