// SPDX-License-Identifier: Apache-2.0
//! What a scope is made of: every row of the tables of instructions, CSR instructions on every CSR, and words that are
//! no instruction.

use std::collections::BTreeSet;

use golden::Csr;
use golden::decode::{
    Access, CsrEncoding, CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Elements, Engine, Isa, Operand,
    OperandKind, Operands, decode, instructions,
};

use super::state::{LOAD_BASE, ODD, RESULT, SIZES, STORE_BASE, STRIDE, TILE, VALUE};
use crate::random::generator::Generator;
use crate::unit::target::Target;

/// One instruction; which registers it has is up to the scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Atom {
    /// A row of the tables.
    Row(Decoded),
    /// A row whose host registers hold no address and no size: it traps.
    Odd(Decoded),
    /// A CSR instruction, with all its operands.
    Csr(CsrInstruction),
    /// No instruction.
    Word(u32),
}

impl Atom {
    /// The text of a report.
    pub fn name(self) -> String {
        let row = |row: Decoded| row.mnemonic().unwrap_or("word").to_owned();
        match self {
            Atom::Row(one) => row(one),
            Atom::Odd(one) => format!("{} with odd operands", row(one)),
            Atom::Csr(csr) => format!("{} {}", row(Decoded::Csr(csr)), csr.csr.name()),
            Atom::Word(word) => format!("{word:#010x}"),
        }
    }

    /// Its row of the tables.
    pub fn row(self) -> Option<Decoded> {
        match self {
            Atom::Row(one) | Atom::Odd(one) => Some(one),
            Atom::Csr(_) | Atom::Word(_) => None,
        }
    }
}

/// Rows of the unit: all but those of the host, and those of CSR instructions.
pub fn rows(target: &Target) -> impl Iterator<Item = Decoded> + use<'_> {
    instructions(&target.golden).filter(|one| !matches!(one.engine(), Some(Engine::Host | Engine::Csr)))
}

/// Whether it reads a host register.
pub fn reads_host(one: Decoded) -> bool {
    one.operands().iter().any(|operand| operand.kind == OperandKind::X(Access::Read))
}

/// CSRs of the unit that decide what a row does, strides of two slices among them.
pub fn decisive(target: &Target, one: Decoded) -> Vec<Csr> {
    let Decoded::Tensor(tensor) = one else { return Vec::new() };
    let strides = one.slice_transfer().map(|transfer| transfer.direction.csrs().2);
    let strides = strides.into_iter().flat_map(|stride| [0, 1].map(stride));
    let isa = Isa::from(&target.golden);
    tensor.csrs().chain(strides).filter(|&csr| isa.has(csr)).collect()
}

/// Atoms of which a scope tries one at a time, in turn.
pub type Group = Vec<Atom>;

/// Every row as it is, and with odd operands if it reads a host register. Rows of matrix instructions with the same
/// engine and operands, which differ in the shape of a tile alone, are a group.
pub fn of_rows(target: &Target) -> Vec<Group> {
    let mut groups: Vec<Vec<Decoded>> = Vec::new();
    let kinds = |one: Decoded| one.operands().iter().map(|operand| operand.kind).collect::<Vec<_>>();
    for row in rows(target) {
        let alike = |other: Decoded| (other.engine(), kinds(other)) == (row.engine(), kinds(row));
        let matrix = matches!(row, Decoded::Matrix(_));
        match groups.iter_mut().find(|group| matrix && alike(group[0])) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let odd =
        groups.iter().filter(|group| reads_host(group[0])).map(|group| group.iter().copied().map(Atom::Odd).collect());
    groups.iter().map(|group| group.iter().copied().map(Atom::Row).collect()).chain(odd).collect()
}

/// Words that are no instruction, by opcode.
pub fn of_words(target: &Target) -> Vec<Group> {
    let words = words(target);
    let opcodes: BTreeSet<u32> = words.iter().map(|word| word & 0x7f).collect();
    let of = |opcode| words.iter().copied().filter(|word| word & 0x7f == opcode).map(Atom::Word).collect();
    opcodes.into_iter().map(of).collect()
}

/// For each funct3 of the unit's opcode and of SYSTEM the first word that is no instruction of the unit, and one of
/// another EngineID.
fn words(target: &Target) -> Vec<u32> {
    const OPCODES: [u32; 3] = [0x5b, 0x2b, 0x73];
    let engine = u32::from(target.golden.engine_id) << 30;
    let candidates = OPCODES.iter().flat_map(|opcode| (0..8).map(move |funct3| engine | funct3 << 12 | opcode));
    // Bits that no field of a register has: [31:25].
    let illegal = candidates.filter_map(|word| {
        let mut words = (0..1 << 5).map(|high| word ^ high << 25);
        words.find(|&word| matches!(decode(word, &target.golden), Decoded::Illegal | Decoded::NotOurs))
    });
    illegal.chain([engine ^ 1 << 30 | OPCODES[0]]).collect()
}

/// The CSRs of the unit.
fn csrs(target: &Target) -> Vec<Csr> {
    let isa = Isa::from(&target.golden);
    (0x800..0x1000).filter_map(Csr::from_address).filter(|&csr| isa.has(csr)).collect()
}

/// Every CSR with every operation, of a register and of an immediate: groups of both encodings, with an operand that
/// changes the CSR and with one that does not.
pub fn of_csrs(target: &Target) -> Vec<Group> {
    let rows: Vec<CsrInstruction> = CsrInstruction::all(&target.golden).collect();
    let sources = |source| match source {
        CsrSource::Register(_) => [CsrSource::Register(VALUE), CsrSource::Register(0)],
        CsrSource::Immediate(_) => [CsrSource::Immediate(21), CsrSource::Immediate(0)],
    };
    let group = |csr, of: CsrInstruction| {
        let alike = rows.iter().filter(move |row| (row.operation, row.source) == (of.operation, of.source));
        let all =
            alike.flat_map(|row| sources(row.source).map(|source| CsrInstruction { csr, source, rd: RESULT, ..*row }));
        all.map(Atom::Csr).collect::<Group>()
    };
    let standard: Vec<_> = rows.iter().copied().filter(|row| row.encoding == CsrEncoding::Standard).collect();
    csrs(target).into_iter().flat_map(|csr| standard.iter().map(|&row| group(csr, row)).collect::<Vec<_>>()).collect()
}

/// A write, a change of some bits and a read of each CSR; of strides those of slices 0 and 31.
pub fn of_few_csrs(target: &Target) -> Vec<Group> {
    let few = csrs(target).into_iter().filter(|csr| match csr {
        Csr::TloadStride(slice) | Csr::TstoreStride(slice) => [0, 31].contains(slice),
        _ => true,
    });
    let of = |csr| {
        [
            CsrInstruction::new(CsrOperation::Write, csr, 0, CsrSource::Register(VALUE)),
            CsrInstruction::new(CsrOperation::Clear, csr, RESULT, CsrSource::Immediate(1)),
            CsrInstruction::new(CsrOperation::Set, csr, RESULT, CsrSource::Register(0)),
        ]
    };
    few.flat_map(of).map(|csr| vec![Atom::Csr(csr)]).collect()
}

/// Atoms by kind: writes of CSRs, those of each engine, of matrix instructions in one, and what traps.
pub fn by_kind(groups: &[Group]) -> Vec<Group> {
    let mut kinds: Vec<(Option<Engine>, Group)> = Vec::new();
    for &atom in groups.iter().flatten() {
        let kind = match atom {
            Atom::Csr(csr) if csr.csr.read_only() => None,
            Atom::Csr(csr) if !csr.writes() => continue,
            Atom::Csr(_) => Some(Engine::Csr),
            Atom::Row(Decoded::Matrix(_)) => Some(Engine::MatrixLoad),
            Atom::Row(one) => one.engine(),
            Atom::Odd(_) | Atom::Word(_) => None,
        };
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, atoms)) => atoms.push(atom),
            None => kinds.push((kind, vec![atom])),
        }
    }
    kinds.into_iter().map(|(_, atoms)| atoms).collect()
}

/// The host register that `operand` of a row reads.
fn host_register(one: Decoded, operand: Operand) -> u8 {
    let base = |direction| match direction {
        Direction::Load => LOAD_BASE,
        Direction::Store => STORE_BASE,
    };
    match one {
        Decoded::Matrix(_) => match one.tile_transfer() {
            Some((direction, _)) if operand.name == "rs1" => base(direction),
            Some(_) => STRIDE,
            None => TILE,
        },
        Decoded::Tensor(tensor) => match tensor.elements() {
            Elements::Slices(direction) => base(direction),
            Elements::Exchanged => SIZES,
            Elements::Sum(_) | Elements::Chosen(_) => VALUE,
        },
        Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => VALUE,
    }
}

/// This row with operands that fit the state, or `odd` ones; `register` gives TLRegs and matrix registers.
fn fitted(g: &mut Generator, one: Decoded, odd: bool, mut register: impl FnMut(Operand) -> u8) -> Decoded {
    let draw = &mut g.draw;
    let accesses = one.slice_transfer().is_some();
    one.with_operands(|operand| match operand.kind {
        OperandKind::X(Access::Write) => RESULT.into(),
        OperandKind::X(_) if odd => ODD.into(),
        OperandKind::X(_) => host_register(one, operand).into(),
        OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_) => register(operand).into(),
        OperandKind::Immediate if accesses => draw.range(0, 2) as i32 - 1,
        OperandKind::Immediate => i32::from(draw.u32() as i8),
        OperandKind::Dimension => draw.below(3) as i32,
    })
}

impl Atom {
    /// Its operands, all of which are 0.
    pub fn operands(self) -> Operands {
        match self {
            Atom::Row(one) | Atom::Odd(one) => one.operands(),
            Atom::Csr(csr) => Decoded::Csr(csr).operands(),
            Atom::Word(_) => Operands::default(),
        }
    }

    /// The instruction word; `register` gives TLRegs and matrix registers.
    pub fn word(self, g: &mut Generator, register: impl FnMut(Operand) -> u8) -> u32 {
        let decoded = match self {
            Atom::Row(one) => fitted(g, one, false, register),
            Atom::Odd(one) => fitted(g, one, true, register),
            Atom::Csr(csr) => Decoded::Csr(csr),
            Atom::Word(word) => return word,
        };
        decoded.encode(&g.target.golden).unwrap_or_default()
    }
}
