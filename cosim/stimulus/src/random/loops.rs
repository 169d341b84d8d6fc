// SPDX-License-Identifier: Apache-2.0
//! Loops: a few instructions again and again, with nothing between them. All that they need is set up first, so queues
//! fill, buffers overflow if they can, and engines wait for each other in the same way for long. What each instruction
//! is, which registers it has, and how often it comes is drawn once for the loop.

use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Elements, Engine, Matrix, Register, Slices, Tensor,
    Transfer,
};
use golden::{Csr, TileSize};

use super::establish::{self, host_value};
use super::generator::{Generator, flipped};
use super::operands::Values;
use super::{matrix_ops, memory_ops, move_ops, noise, shape};

/// What an instruction of a loop is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// One of a row, with operands that are all 0.
    Row(Tensor),
    WriteCsr,
    ReadCsr,
    Tile(Direction),
    Release,
    Illegal,
}

/// Kinds and their weights.
fn kinds(g: &Generator) -> Vec<(u32, Kind)> {
    let mut kinds: Vec<(u32, Kind)> = Tensor::all().map(|row| (weight(row.engine()), Kind::Row(row))).collect();
    kinds.extend([(10, Kind::WriteCsr), (3, Kind::ReadCsr), (2, Kind::Illegal)]);
    if g.target.golden.matrix.is_some() {
        kinds.extend([(9, Kind::Tile(Direction::Load)), (8, Kind::Tile(Direction::Store)), (3, Kind::Release)]);
    }
    kinds
}

/// The weight of a row with this engine.
fn weight(engine: Engine) -> u32 {
    match engine {
        Engine::Load => 4,
        Engine::Store => 5,
        Engine::Move => 9,
        Engine::Xpose => 10,
        Engine::Host | Engine::Csr | Engine::MatrixLoad | Engine::MatrixStore | Engine::MatrixConfig => 0,
    }
}

/// Which TLReg an operand is, each time.
#[derive(Clone, Copy)]
enum Registers {
    Zero,
    Fixed(u8),
    /// So many in turn, from the first one on.
    Turn(u8, u8),
    /// Zero in so many percent, else one of those.
    Mostly(u32, u8, u8),
    Any,
    /// The result of the instruction before.
    Last,
}

/// An instruction of a loop.
struct Template {
    kind: Kind,
    /// Least and most times that it comes in a row.
    times: [u32; 2],
    result: Registers,
    sources: [Registers; 2],
    /// Dimensions; drawn each time if there are none.
    dimensions: Option<[u8; 2]>,
    imm8: i8,
    /// Host registers that take turns: base addresses, sizes, values of a CSR.
    x: [u8; 2],
    csr: Csr,
    transfer: Option<Transfer>,
}

/// What the instructions share.
struct Loop {
    body: Vec<Template>,
    /// The next host register that is free.
    free: u8,
    /// The dimension of the slices.
    d: u8,
    turn: u8,
    last: u8,
}

/// A loop of a drawn length.
pub fn run(g: &mut Generator) {
    if g.brief {
        return short(g);
    }
    let length = g.draw.pick(&[14, 28, 56, 56, 56, 112]);
    of_length(g, length);
}

/// A short loop, for programs in which others come between.
pub fn short(g: &mut Generator) {
    let length = g.draw.range(4, 16);
    of_length(g, length as usize);
}

fn of_length(g: &mut Generator, length: usize) {
    let mut body = set_up(g);
    if g.draw.chance(if g.brief { 70 } else { 25 }) {
        // Everything older is complete when the loop begins.
        g.wait();
    }
    let before: Vec<(Csr, u32)> = body.body.iter().map(|one| (one.csr, g.machine.csr.read(one.csr))).collect();
    let end = g.words().len() + length;
    while g.words().len() < end {
        body.once(g);
    }
    for (csr, value) in before {
        if g.machine.csr.read(csr) != value && g.draw.chance(85) {
            g.set_csr(csr, value);
        }
    }
}

/// Draws a body, and emits what it needs.
fn set_up(g: &mut Generator) -> Loop {
    let bits = if g.draw.chance(40) { g.target.golden.element_widths.iter().next().unwrap_or(8) } else { g.width() };
    shape::integers(g, bits);
    let (d, sizes) = shape::block(g, bits);
    g.want_csr(Csr::Tshape, shape::packed(sizes));
    let [mask1, mask2] = move_ops::concat_masks(g, sizes[usize::from(d)]);
    g.want_csr(Csr::TmaskConcat1, mask1);
    g.want_csr(Csr::TmaskConcat2, mask2);
    let mut all = Loop { body: Vec::new(), free: g.draw.range(1, 31) as u8, d, turn: 0, last: 0 };
    let weighted = kinds(g);
    let (most, distinct) = (g.draw.pick(&[1, 2, 2, 3, 3, 4, 5, 6]), g.draw.chance(40));
    let mut kinds: Vec<Kind> = Vec::new();
    while kinds.len() < most {
        let kind = g.draw.weighted(&weighted, Kind::Release);
        if !distinct || !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let rows: Vec<Tensor> = kinds.iter().filter_map(|kind| kind.row()).collect();
    for direction in [Direction::Load, Direction::Store] {
        if rows.iter().any(|row| row.transfer().is_some_and(|transfer| transfer.direction == direction)) {
            accesses(g, direction);
        }
    }
    if kinds.iter().any(|kind| matches!(kind, Kind::Tile(_))) {
        tiles(g);
    }
    for row in rows {
        let needy = Values { dimensions: [d, 0], sources: [1, 2], ..Values::default() }.fill(row);
        if needy.unmet(&g.machine).next().is_some() && g.draw.chance(90) {
            establish::meet_needs(g, needy);
        }
    }
    // Results that need no operand come in every cycle: more of them than can be written.
    let nothing_read = g.draw.chance(30);
    for &kind in &kinds {
        let mut template = template(g, &mut all, kind, &kinds);
        let moves_all = kind.row().is_some_and(|row| matches!(row.elements(), Elements::Exchanged));
        if nothing_read && !moves_all {
            template.sources = [Registers::Zero; 2];
        }
        all.body.push(template);
    }
    all
}

/// CSRs with which loads or stores of the block are legal, mostly.
fn accesses(g: &mut Generator, direction: Direction) {
    let (width, mask, _) = direction.csrs();
    let d0 = g.d0();
    if d0 > 32 {
        let tshape = g.machine.csr.read(Csr::Tshape);
        g.set_csr(Csr::Tshape, tshape & 0xffff | 32 << 16);
    }
    g.want_csr(width, 0);
    if g.target.golden.pitch {
        g.want_csr(direction.pitch(), 0);
        if g.draw.chance(25) {
            memory_ops::pitch(g, direction);
        }
    }
    if Slices::new(&g.machine, direction, false, 0, 0).is_none() {
        let value = memory_ops::width_value(g);
        g.set_csr(width, value);
    }
    let value = memory_ops::mask_value(g, d0);
    g.want_csr(mask, value);
    let style = g.draw.below(10);
    if style < 7 {
        let (_, _, stride) = direction.csrs();
        // One behind the other, with gaps, or downwards.
        let step = if style < 4 { 1 } else { 2 };
        for slice in 0..g.d0().min(32) {
            let value = if style == 6 { 31 - slice } else { step * slice };
            g.want_csr(stride(slice as u8), value);
        }
    } else {
        memory_ops::strides(g, direction, true);
    }
}

/// Tile sizes: of one element, or of as many as fit.
fn tiles(g: &mut Generator) {
    let transfer = matrix_ops::transfer(g);
    if g.draw.chance(40) {
        let size = g.draw.pick(&[1, 1, 2, 4]);
        for one in [TileSize::M, TileSize::N, TileSize::K] {
            matrix_ops::set(g, one, size);
        }
    }
    matrix_ops::tile_sizes(g, transfer);
}

impl Kind {
    fn row(self) -> Option<Tensor> {
        match self {
            Kind::Row(row) => Some(row),
            Kind::WriteCsr | Kind::ReadCsr | Kind::Tile(_) | Kind::Release | Kind::Illegal => None,
        }
    }
}

/// An instruction of this kind, with its host registers.
fn template(g: &mut Generator, all: &mut Loop, kind: Kind, kinds: &[Kind]) -> Template {
    let times = g.draw.pick(&[[1, 1], [1, 1], [1, 1], [1, 2], [0, 2], [1, 3], [2, 3], [3, 5], [3, 8]]);
    let imm8 = if g.draw.chance(70) { 0 } else { g.imm8() };
    let [p, q] = [(); 2].map(|()| g.draw.below(4) as u8);
    let pq = g.draw.pick(&[[0, 1], [0, 2], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [p, q]]);
    let d = if g.draw.chance(85) { all.d } else { g.draw.below(3) as u8 };
    let exchanges = kind.row().is_some_and(|row| matches!(row.elements(), Elements::Exchanged));
    let dimensions = if exchanges { Some(pq).filter(|_| g.draw.chance(60)) } else { Some([d, 0]) };
    let mut template = Template {
        kind,
        times,
        result: results(g),
        sources: [(); 2].map(|()| sources(g)),
        dimensions,
        imm8,
        x: [0; 2],
        csr: Csr::Tlenb,
        transfer: None,
    };
    match kind {
        Kind::Row(row) => {
            let row = Values { immediate: imm8.into(), dimensions: [d, 0], ..Values::default() }.fill(row);
            template.x = bases(g, all, |g| host_value(g, row, 12));
        }
        Kind::Tile(direction) => {
            let store = direction == Direction::Store;
            let mut transfer = matrix_ops::transfer(g);
            // The tile sizes are those of another one: mostly one that they fit, too.
            for _ in 0..g.draw.pick(&[0, 8, 8, 8, 8, 8]) {
                if !(transfer.rows_fit(&g.machine) && transfer.columns_fit(&g.machine)) {
                    transfer = matrix_ops::transfer(g);
                }
            }
            let stride = matrix_ops::stride(g, transfer, store);
            transfer.rs2 = all.register(g, stride);
            template.x = bases(g, all, |g| matrix_ops::base(g, transfer, store, stride));
            template.transfer = Some(transfer);
        }
        Kind::WriteCsr => {
            let (csr, values) = alternatives(g, all.d, kinds);
            template.csr = csr;
            template.x = values.map(|value| all.register(g, value));
        }
        Kind::ReadCsr => {
            if g.draw.chance(20) {
                template.times = [36, 50];
            }
            template.x = [all.register(g, 0); 2];
            template.csr =
                g.draw.choose(&[Csr::Tshape, Csr::TstoreStride(0), Csr::TloadStride(1)]).unwrap_or(Csr::Tlenb);
        }
        Kind::Release | Kind::Illegal => {}
    }
    template
}

/// Registers for results: as many as are in flight, few, or none.
fn results(g: &mut Generator) -> Registers {
    let first = g.draw.range(1, 24) as u8;
    match g.draw.below(10) {
        0..5 => Registers::Turn(first, g.draw.pick(&[2, 4, 8])),
        5 => Registers::Fixed(first),
        6 => Registers::Mostly(g.draw.pick(&[40, 70]), first, 8),
        7 => Registers::Zero,
        _ => Registers::Any,
    }
}

/// Registers to be read: none at all, those that others write, or old ones.
fn sources(g: &mut Generator) -> Registers {
    let first = g.draw.range(1, 24) as u8;
    match g.draw.below(12) {
        0..4 => Registers::Zero,
        4 => Registers::Fixed(first),
        5..8 => Registers::Turn(first, g.draw.pick(&[2, 8])),
        8 | 9 => Registers::Last,
        _ => Registers::Any,
    }
}

/// Two host registers with values that are drawn like this, or one.
fn bases(g: &mut Generator, all: &mut Loop, draw: impl Fn(&mut Generator) -> u32) -> [u8; 2] {
    let value = draw(g);
    let first = all.register(g, value);
    if g.draw.chance(55) {
        return [first; 2];
    }
    let value = draw(g);
    [first, all.register(g, value)]
}

/// A CSR that the instructions of a loop depend on, and two values for it, of which it has the first one.
fn alternatives(g: &mut Generator, d: u8, kinds: &[Kind]) -> (Csr, [u32; 2]) {
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let rows: Vec<Tensor> = kinds.iter().filter_map(|kind| kind.row()).collect();
    let d0 = g.d0().clamp(1, 32);
    let stride = g.draw.below(d0) as u8;
    // Of another type no sizes of a transposition are legal.
    let exchanges = rows.iter().any(|row| matches!(row.elements(), Elements::Exchanged));
    let any_type = !exchanges || g.draw.chance(30);
    let there = noise::csrs(g);
    let mut csrs = vec![Csr::Tshape];
    for row in rows {
        csrs.extend(row.csrs().filter(|csr| there.contains(csr) && (any_type || *csr != Csr::Ttype)));
        csrs.extend(row.transfer().map(|transfer| [(transfer.direction.csrs().2)(stride); 2]).into_iter().flatten());
    }
    let csr = g.draw.choose(&csrs).unwrap_or(Csr::Tshape);
    let now = g.machine.csr.read(csr);
    let size = move_ops::sizes_of_block(g)[usize::from(d)];
    let other = match csr {
        Csr::Tshape => shape::packed(shape::block(g, bits).1),
        Csr::Ttype => 1 << (g.width().ilog2() - 2),
        Csr::TmaskConcat1 | Csr::TmaskConcat2 => {
            // The other mask leaves room for this one, or for no slice.
            let other = if csr == Csr::TmaskConcat1 { Csr::TmaskConcat2 } else { Csr::TmaskConcat1 };
            let room = !g.machine.csr.read(other);
            g.draw.pick(&[0, 1, now & 1, u32::MAX]) & room & memory_ops::mask_value(g, size)
        }
        Csr::TmaskLoad | Csr::TmaskStore if g.draw.chance(50) => !now,
        Csr::TmaskLoad | Csr::TmaskStore => memory_ops::mask_value(g, d0),
        Csr::TloadWidth | Csr::TstoreWidth => memory_ops::width_value(g),
        Csr::TloadPitch | Csr::TstorePitch => flipped(g, now, 8),
        // Without the bit of a mask a round would trap.
        Csr::TmaskInit => now,
        Csr::TloadStride(_) | Csr::TstoreStride(_) | Csr::Tlenb | Csr::Matrix(_) => flipped(g, now, 32),
    };
    (csr, [other, now])
}

impl Loop {
    /// A host register of its own that holds `value`, as long as there are some.
    fn register(&mut self, g: &mut Generator, value: u32) -> u8 {
        let last = g.last;
        self.free = self.free % last + 1;
        g.constant(self.free, value);
        self.free
    }

    fn tl(&mut self, g: &mut Generator, registers: Registers) -> u8 {
        self.turn = self.turn.wrapping_add(1);
        match registers {
            Registers::Zero => 0,
            Registers::Fixed(register) => register,
            Registers::Turn(first, count) => first + self.turn % count,
            Registers::Mostly(percent, ..) if g.draw.chance(percent) => 0,
            Registers::Mostly(_, first, count) => first + self.turn % count,
            Registers::Any => g.draw.below(32) as u8,
            Registers::Last => self.last,
        }
    }

    fn once(&mut self, g: &mut Generator) {
        let body = std::mem::take(&mut self.body);
        for template in &body {
            let [least, most] = template.times;
            for _ in 0..g.draw.range(least, most) {
                self.one(g, template);
            }
        }
        self.body = body;
    }

    fn one(&mut self, g: &mut Generator, template: &Template) {
        let &Template { kind, imm8, csr, .. } = template;
        let [tlrs1, tlrs2] = template.sources.map(|source| self.tl(g, source));
        let tlrd = self.tl(g, template.result);
        let rs = template.x[usize::from(g.draw.chance(50))];
        let dimensions = template.dimensions.unwrap_or_else(|| [(); 2].map(|()| g.draw.below(4) as u8));
        let any = g.draw.u32() as i8;
        match kind {
            Kind::Row(row) => {
                let (sources, immediate) = match row.elements() {
                    // The results are the sources.
                    Elements::Exchanged if tlrd == tlrs1 => ([tlrs1, (tlrs1 + 1) & 31], any),
                    Elements::Exchanged => ([tlrd, tlrs1], any),
                    Elements::Slices(_) => ([tlrs1, tlrs2], imm8),
                    Elements::Sum(_) | Elements::Chosen(_) => ([tlrs1, tlrs2], any),
                };
                let values = Values { result: tlrd, sources, dimensions, immediate: immediate.into(), rs };
                let tensor = values.fill(row);
                for register in tensor.operands().writes() {
                    if let Register::Tl(tl) = register {
                        self.last = tl;
                    }
                }
                g.tensor(tensor);
            }
            Kind::WriteCsr => {
                let next = usize::from(g.machine.csr.read(csr) == g.machine.x(template.x[0]));
                let source = CsrSource::Register(template.x[next]);
                g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, csr, 0, source)));
            }
            Kind::ReadCsr => {
                let (operation, source) = (CsrOperation::Set, CsrSource::Immediate(0));
                g.emit(Decoded::Csr(CsrInstruction::new(operation, csr, rs, source)));
            }
            Kind::Tile(direction) => {
                let Some(transfer) = template.transfer else { return };
                let transfer = Transfer { register: tlrd & 3, rs1: rs, ..transfer };
                g.emit(Decoded::Matrix(Matrix::transferring(direction, transfer)));
            }
            Kind::Release => g.emit(Decoded::Matrix(Matrix::Release)),
            Kind::Illegal => g.word(u32::from(g.target.golden.engine_id) << 30 | 0x705b),
        }
    }
}
