// SPDX-License-Identifier: Apache-2.0
//! The operands that an instruction says it has are in its word, and are what it reads and writes.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::*;
use golden::asm::assemble;
use golden::decode::{
    Access, Decoded, Direction, Engine, Isa, Matrix, OperandKind, Register, Tensor, decode, instructions,
};
use golden::{Config, Csr, Machine, Tile, TileSize};

const ALL: Isa = Isa::ALL;

/// The field of an operand begins at its lowest bit, and no other operand shares it.
#[test]
fn each_operand_is_where_it_says() {
    for instruction in instructions(ALL) {
        let word = instruction.encode(0).unwrap();
        for changed in instruction.operands().iter() {
            let other = instruction.with_operands(|operand| i32::from(operand == changed));
            assert_eq!(other.encode(0).unwrap() ^ word, 1 << changed.low, "{:?} {changed:?}", instruction.mnemonic());
            let values: Vec<i32> = other.operands().iter().map(|operand| operand.value).collect();
            assert_eq!(values.iter().sum::<i32>(), 1, "{:?}", instruction.mnemonic());
        }
        let negative = instruction.with_operands(|operand| match operand.kind {
            OperandKind::Immediate => -1,
            OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_) => 3,
            OperandKind::Dimension => 1,
        });
        let word = negative.encode(0).unwrap();
        assert_eq!(decode(word, ALL).encode(0), Some(word), "{:?}", instruction.mnemonic());
        let again = decode(word, ALL).with_operands(|operand| operand.value);
        assert_eq!(again, decode(word, ALL));
    }
}

#[test]
fn operands_are_what_is_read_and_then_what_is_only_written() {
    for instruction in instructions(ALL) {
        let accesses: Vec<Access> = instruction.operands().iter().filter_map(|operand| operand.access()).collect();
        assert!(accesses.is_sorted_by_key(|&access| access == Access::Write), "{:?}", instruction.mnemonic());
    }
    let registers = |text: &str| {
        let operands = decode(assemble("p", text, ALL).unwrap()[0], ALL).operands();
        (operands.reads().collect::<Vec<_>>(), operands.writes().collect::<Vec<_>>())
    };
    use Register::{Tile as T, Tl, X};
    for (text, reads, writes) in [
        ("tl.mload tl1, -5(x2)", vec![X(2)], vec![Tl(1)]),
        ("tl.store tl1, 5(x2)", vec![Tl(1), X(2)], vec![]),
        ("tl.addi tl1, tl2, 3", vec![Tl(2)], vec![Tl(1)]),
        ("tl.merge.1 tl1, tl2, tl3", vec![Tl(2), Tl(3)], vec![Tl(1)]),
        ("tl.xpose.12 tl1, tl2, x3", vec![Tl(1), Tl(2), X(3)], vec![Tl(1), Tl(2)]),
        ("mlae8 tr1, (x2), x3", vec![X(2), X(3)], vec![T(Tile::Tr(1))]),
        ("mscte32 acc1, (x2), x3", vec![T(Tile::Acc(1)), X(2), X(3)], vec![]),
        ("msettilem x5", vec![X(5)], vec![]),
        ("msettilemi 5", vec![], vec![]),
        ("mrelease", vec![], vec![]),
        ("csrrs x1, tlenb, x0", vec![X(0)], vec![X(1)]),
        ("csrrwi x1, ttype, 2", vec![], vec![X(1)]),
        ("lui x1, 2", vec![], vec![X(1)]),
        ("addi x1, x2, -3", vec![X(2)], vec![X(1)]),
    ] {
        assert_eq!(registers(text), (reads, writes), "{text}");
    }
}

/// A load or store taken apart and put together is the same.
#[test]
fn transfers_are_the_loads_and_stores() {
    for instruction in instructions(ALL) {
        let engine = instruction.engine().unwrap();
        let direction = match instruction {
            Decoded::Tensor(tensor) => tensor.transfer().map(|transfer| {
                let first = Tensor::from(transfer);
                assert_eq!(if tensor.is_second_form() { first.second_form() } else { Some(first) }, Some(tensor));
                transfer.direction
            }),
            Decoded::Matrix(matrix) => matrix.transfer().map(|(direction, transfer)| {
                assert_eq!(Matrix::transferring(direction, transfer), matrix);
                direction
            }),
            Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => None,
        };
        let expected = match engine {
            Engine::Load | Engine::MatrixLoad => Some(Direction::Load),
            Engine::Store | Engine::MatrixStore => Some(Direction::Store),
            Engine::Host | Engine::Csr | Engine::Move | Engine::Xpose | Engine::MatrixConfig => None,
        };
        assert_eq!(direction, expected, "{:?}", instruction.mnemonic());
    }
}

/// Other values in all registers but these.
fn disturb(m: &mut Machine, keep: &[Register], rng: &mut Rng) {
    for i in (0..32).filter(|&i| !keep.contains(&Register::X(i))) {
        m.set_x(i, rng.next());
    }
    for tl in (0..32).filter(|&tl| !keep.contains(&Register::Tl(tl))) {
        rng.fill(m.tl.get_mut(tl).unwrap_or(&mut []));
    }
    for tile in tiles_of_all().filter(|&tile| !keep.contains(&Register::Tile(tile))) {
        rng.fill(m.tiles.as_mut().unwrap().get_mut(tile));
    }
}

/// An instruction writes the registers that it says and no other, and what it does depends on no register but those
/// that it says it reads.
#[test]
fn operands_are_what_an_instruction_reads_and_writes() {
    let mut rng = Rng(40);
    let config = Config { reg_bytes: 64, l1m_bytes: 4096, l0m_bytes: 4096, ..all_options() };
    let mut completed = BTreeSet::new();
    for instruction in (0..60).flat_map(|_| instructions(ALL)) {
        let mut m = random_machine(&config, &mut rng);
        set_block(&mut m, rng.pick(&[1, 2, 4, 8]), [4, 2, 2]);
        for csr in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2] {
            m.csr.write(csr, 1 << rng.below(4));
        }
        for size in [TileSize::M, TileSize::N, TileSize::K] {
            m.csr.set_tile_size(size, 1 + rng.below(4));
        }
        for x in 1..32 {
            m.set_x(x, 4 * rng.below(200));
        }
        let e = m.element_type().unwrap().bits;
        let numbers: [i32; 4] = std::array::from_fn(|_| rng.below(8) as i32);
        let mut place = 0;
        let instruction = instruction.with_operands(|operand| {
            place += 1;
            match operand.kind {
                OperandKind::Dimension => numbers[place % 4] % 3,
                OperandKind::Tr(_) | OperandKind::Acc(_) => numbers[place % 4] % 4,
                OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Immediate => numbers[place % 4],
            }
        });
        if instruction.engine() == Some(Engine::Xpose) {
            m.set_x(instruction.operands().named("rs").unwrap() as u8, 2 | 2 << 8 | 4 << 16 | (64 / e) << 24);
        }
        let word = instruction.encode(0).unwrap();
        let operands = instruction.operands();

        // A matrix load leaves a part of its register as it was.
        let partial: Vec<Register> =
            operands.writes().filter(|register| matches!(register, Register::Tile(_))).collect();
        let keep: Vec<Register> = operands.reads().chain(partial).collect();
        let before = m.clone();
        let mut other = m.clone();
        disturb(&mut other, &keep, &mut rng);
        let out = m.step(word);
        assert_eq!(other.step(word), out, "{instruction:?} depends on more than {keep:?}");
        assert!(other.csr == m.csr && other.l0m == m.l0m, "{instruction:?} depends on more than {keep:?}");
        if out.trap.is_some() {
            continue;
        }
        completed.insert(instruction.mnemonic().unwrap());
        let writes: Vec<Register> = operands.writes().collect();
        for i in 1..32 {
            assert!(m.x(i) == before.x(i) || writes.contains(&Register::X(i)), "{instruction:?} writes x{i}");
            assert!(!writes.contains(&Register::X(i)) || m.x(i) == other.x(i), "{instruction:?} x{i}");
            assert!(
                m.tl.get(i) == before.tl.get(i) || writes.contains(&Register::Tl(i)),
                "{instruction:?} writes tl{i}"
            );
            assert!(!writes.contains(&Register::Tl(i)) || m.tl.get(i) == other.tl.get(i), "{instruction:?} tl{i}");
            assert_eq!(out.tl_writes.contains(&i), writes.contains(&Register::Tl(i)), "{instruction:?} tl{i}");
        }
        let (tiles, tiles_before) = (m.tiles.as_ref().unwrap(), before.tiles.as_ref().unwrap());
        for tile in tiles_of_all() {
            let written = writes.contains(&Register::Tile(tile));
            assert!(tiles.get(tile) == tiles_before.get(tile) || written, "{instruction:?} writes {tile:?}");
            assert_eq!(out.tile_write == Some(tile), written, "{instruction:?} {tile:?}");
        }
    }
    let mnemonics = instructions(ALL).filter_map(Decoded::mnemonic);
    let never: Vec<&str> = mnemonics.filter(|mnemonic| !completed.contains(mnemonic)).collect();
    assert!(never.is_empty(), "no case completes: {never:?}");
}
