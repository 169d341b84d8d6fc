// SPDX-License-Identifier: Apache-2.0
//! Where the elements of a result come from: asked of the model, which executes the instruction on operands that hold
//! their own positions instead of data. So nothing of the instruction set is said again here.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::decode::{Decoded, Direction, Elements, Register, SliceTransfer, Tensor, decode, elements};
use golden::{Machine, Outcome, Tile};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is a zero that the instruction fills in, or one of `tl0`.
    Zero,
    /// An element of a TLReg or matrix register.
    Register { register: Register, element: usize },
    /// An element of a TLReg to which a number is added.
    Sum { tl: u8, element: usize, value: u32, add: i32 },
    /// Bytes of L1M from this address on.
    Memory(u32),
    /// The instruction leaves it alone.
    Kept,
}

/// Puts digit `digit`, of `bits` bits, of the number that `position` gives for an element into each element.
fn mark(bytes: &mut [u8], bits: u32, digit: u32, position: impl Fn(usize) -> u64) {
    for element in 0..bytes.len() * 8 / bits as usize {
        write(bytes, bits, element, position(element) >> (digit * bits) & ((1 << bits) - 1));
    }
}

fn write(bytes: &mut [u8], bits: u32, element: usize, value: u64) {
    if bits == 4 {
        let shift = element % 2 * 4;
        let byte = &mut bytes[element / 2];
        *byte = *byte & !(15 << shift) | (value as u8) << shift;
    } else {
        let size = bits as usize / 8;
        bytes[element * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

/// Bits of the largest position, and how many digits of `bits` bits it takes.
fn digits(positions: usize, bits: u32) -> u32 {
    (usize::BITS - positions.leading_zeros()).div_ceil(bits)
}

/// For each element of `bits` bits that `word` writes to `tl` in the state `before`, where it comes from. `None` when
/// the instruction does not write `tl`.
pub fn of_register(before: &Machine, word: u32, tl: u8, bits: u32) -> Option<Vec<Source>> {
    let Decoded::Tensor(tensor) = decode(word, before.config()) else { return None };
    let operands = tensor.operands();
    if !operands.writes().any(|register| register == Register::Tl(tl)) {
        return None;
    }
    let named = |name| operands.named(name).map(|value| value as u8);
    match tensor.elements() {
        Elements::Slices(_) => {
            let result = |machine: &Machine, outcome: &Outcome| {
                outcome.tl_writes.contains(&tl).then(|| machine.tl.get(tl).to_vec())
            };
            loaded(before, word, bits, Source::Zero, result)
        }
        Elements::Chosen(_) | Elements::Exchanged => moved(before, word, tl, bits, [named("tlrs1")?, named("tlrs2")?]),
        Elements::Sum(_) => {
            let Register::Tl(tlrs) = operands.reads().next()? else { return None };
            let add = tensor.added()?;
            let sum = |(element, value)| Source::Sum { tl: tlrs, element, value, add };
            Some(elements(before.tl.get(tlrs), bits).into_iter().enumerate().map(sum).collect())
        }
    }
}

fn moved(before: &Machine, word: u32, tl: u8, bits: u32, sources: [u8; 2]) -> Option<Vec<Source>> {
    let count = before.tl.reg_bytes() * 8 / bits as usize;
    let mut found = vec![0u64; count];
    for digit in 0..digits(2 * count, bits) {
        let mut machine = before.clone();
        for (half, &source) in sources.iter().enumerate() {
            let mut bytes = vec![0; before.tl.reg_bytes()];
            mark(&mut bytes, bits, digit, |element| (half * count + element + 1) as u64);
            machine.tl.set(source, &bytes);
        }
        let outcome = machine.step(word);
        if !outcome.tl_writes.contains(&tl) {
            return None;
        }
        for (number, element) in found.iter_mut().zip(elements(machine.tl.get(tl), bits)) {
            *number |= u64::from(element) << (digit * bits);
        }
    }
    let source = |number: u64| match (number as usize).checked_sub(1) {
        None => Source::Zero,
        Some(n) => Source::Register { register: Register::Tl(sources[n / count % 2]), element: n % count },
    };
    Some(found.into_iter().map(source).collect())
}

/// For each element of `bits` bits of `tile`, where the matrix load `word` takes it from. `None` when it does not write
/// `tile`.
pub fn of_tile(before: &Machine, word: u32, tile: Tile, bits: u32) -> Option<Vec<Source>> {
    let mut blank = before.clone();
    blank.tiles.as_mut()?.get_mut(tile).fill(0);
    let result = |machine: &Machine, outcome: &Outcome| {
        (outcome.tile_write == Some(tile)).then(|| machine.tiles.as_ref().map(|tiles| tiles.get(tile).to_vec()))?
    };
    loaded(&blank, word, bits, Source::Kept, result)
}

/// Loads move bytes: the address of an element is that of its first byte. `result` gives what was loaded, and `other`
/// is what all else is.
fn loaded(
    before: &Machine,
    word: u32,
    bits: u32,
    other: Source,
    result: impl Fn(&Machine, &Outcome) -> Option<Vec<u8>>,
) -> Option<Vec<Source>> {
    let mut found = Vec::new();
    for digit in 0..digits(before.l1m.bytes.len(), 8) {
        let mut machine = before.clone();
        mark(&mut machine.l1m.bytes, 8, digit, |address| address as u64 + 1);
        let outcome = machine.step(word);
        let bytes = result(&machine, &outcome)?;
        found.resize(bytes.len(), 0u64);
        for (number, byte) in found.iter_mut().zip(bytes) {
            *number |= u64::from(byte) << (8 * digit);
        }
    }
    let source = |element: usize| match found[element * bits as usize / 8].checked_sub(1) {
        None => other,
        Some(address) => Source::Memory(address as u32),
    };
    Some((0..found.len() * 8 / bits as usize).map(source).collect())
}

/// The register that `word` stores, if it is a store.
pub fn stored(word: u32, machine: &Machine) -> Option<Register> {
    let instruction = decode(word, machine.config());
    if let Some(SliceTransfer { direction: Direction::Store, tl, .. }) = instruction.slice_transfer() {
        Some(Register::Tl(tl))
    } else if let Some((Direction::Store, transfer)) = instruction.tile_transfer() {
        Some(Register::Tile(transfer.tile()))
    } else {
        None
    }
}

/// The bytes of a register that is stored; `None` for `tl0`.
fn contents(register: Register, machine: &mut Machine) -> Option<&mut [u8]> {
    match register {
        Register::X(_) => None,
        Register::Tl(tl) => machine.tl.get_mut(tl),
        Register::Tile(tile) => machine.tiles.as_mut().map(|tiles| tiles.get_mut(tile)),
    }
}

/// `word`, but for a store of `tl0`, whose bytes cannot be marked: the same store of `tl1`.
fn markable(word: u32, machine: &Machine) -> Option<u32> {
    match decode(word, machine.config()).slice_transfer() {
        Some(store @ SliceTransfer { direction: Direction::Store, tl: 0, .. }) => {
            let other = Tensor::from(SliceTransfer { tl: 1, ..store });
            Decoded::Tensor(other).encode(machine.config())
        }
        Some(_) | None => Some(word),
    }
}

/// For each byte of the register that the store `word` writes, its address in L0M. `None` for what is not stored, or is
/// written over later in the same store; the whole is `None` when `word` stores nothing.
pub fn of_store(before: &Machine, word: u32) -> Option<Vec<Option<u32>>> {
    let word = markable(word, before)?;
    let register = stored(word, before)?;
    let mut blank = before.clone();
    blank.l0m.faults.clear();
    let size = contents(register, &mut blank)?.len();
    let mut addresses = vec![None; size];
    let mut numbers = vec![0u64; before.l0m.bytes.len()];
    let mut writes = Vec::new();
    for digit in 0..digits(size, 8) {
        let mut machine = blank.clone();
        mark(contents(register, &mut machine)?, 8, digit, |byte| byte as u64 + 1);
        writes = machine.step(word).mem_writes;
        for &(start, len) in &writes {
            let range = start as usize..(start + len) as usize;
            let place = 8 * digit;
            for (number, &byte) in numbers[range.clone()].iter_mut().zip(&machine.l0m.bytes[range]) {
                *number = *number & !(255 << place) | u64::from(byte) << place;
            }
        }
    }
    for (start, len) in writes {
        for address in start..start + len {
            if let Some(byte) = numbers[address as usize].checked_sub(1) {
                *addresses.get_mut(byte as usize)? = Some(address);
            }
        }
    }
    addresses.iter().any(Option::is_some).then_some(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::Csr;

    fn machine() -> Machine {
        let mut machine = Machine::new(&golden::Config::named("tiny").expect("tiny"));
        machine.csr.write(Csr::Tshape, 0x04_02_02);
        machine.csr.write(Csr::TmaskConcat1, 0b0010);
        machine.csr.write(Csr::TmaskConcat2, 0b1000);
        machine.set_x(10, 128);
        machine
    }

    fn word(machine: &Machine, text: &str) -> u32 {
        golden::asm::assemble("test", text, machine.config()).expect("assembles")[0]
    }

    #[test]
    fn a_concat_takes_the_selected_slices_at_every_width() {
        for (ttype, bits) in [(1, 4), (2, 8), (4, 16), (8, 32)] {
            let mut machine = machine();
            machine.csr.write(Csr::Ttype, ttype);
            let word = word(&machine, "tl.concat.0 tl3, tl4, tl5");
            let sources = of_register(&machine, word, 3, bits).expect("moves");
            let register = |tl, element| Source::Register { register: Register::Tl(tl), element };
            assert_eq!(sources[0..4], [4, 5, 6, 7].map(|element| register(4, element)), "{bits}");
            assert_eq!(sources[4..8], [12, 13, 14, 15].map(|element| register(5, element)), "{bits}");
            assert_eq!(sources[8..16], [Source::Zero; 8], "{bits}");
            assert_eq!(of_register(&machine, word, 4, bits), None);
        }
    }

    #[test]
    fn a_sum_tells_its_parts() {
        let mut machine = machine();
        machine.csr.write(Csr::Ttype, 2);
        machine.tl.set(5, &(0..64).collect::<Vec<u8>>());
        let word = word(&machine, "tl.addi tl3, tl5, -9");
        let sources = of_register(&machine, word, 3, 8).expect("adds");
        assert_eq!(sources[7], Source::Sum { tl: 5, element: 7, value: 7, add: -9 });
        assert_eq!((sources.len(), of_register(&machine, word, 5, 8)), (64, None));
    }

    #[test]
    fn loads_and_stores_tell_their_addresses() {
        let mut machine = machine();
        machine.csr.write(Csr::TloadStride(1), 9);
        machine.csr.write(Csr::TstoreStride(1), 0); // written over nothing: slice 0 is, by slice 1
        let load = of_register(&machine, word(&machine, "tl.load tl3, 1(x10)"), 3, 16).expect("loads");
        assert_eq!(load[0..3], [132, 134, 168].map(Source::Memory));
        assert_eq!(load[8], Source::Zero);
        for tl in [0, 7] {
            let store = of_store(&machine, word(&machine, &format!("tl.store tl{tl}, 0(x10)"))).expect("stores");
            assert_eq!(store[0..6], [None, None, None, None, Some(128), Some(129)]);
            assert_eq!(store[8], Some(136));
        }
        assert_eq!(of_store(&machine, word(&machine, "nop")), None);
    }

    #[test]
    fn matrix_loads_and_stores_tell_theirs() {
        let mut machine = Machine::new(&golden::Config::named("w16").expect("w16"));
        machine.csr.set_tile_size(golden::TileSize::M, 2);
        machine.csr.set_tile_size(golden::TileSize::K, 3);
        machine.set_x(10, 256);
        machine.set_x(11, 40);
        let load = word(&machine, "mlae16 tr1, (x10), x11");
        let sources = of_tile(&machine, load, Tile::Tr(1), 16).expect("loads");
        assert_eq!(sources[0..4], [Source::Memory(256), Source::Memory(258), Source::Memory(260), Source::Kept]);
        assert_eq!(sources[8..10], [Source::Memory(296), Source::Memory(298)]);
        assert_eq!(of_tile(&machine, load, Tile::Tr(2), 16), None);
        let store = of_store(&machine, word(&machine, "msae16 tr1, (x10), x11")).expect("stores");
        assert_eq!((store[0], store[5], store[6], store[16]), (Some(256), Some(261), None, Some(296)));
    }
}
