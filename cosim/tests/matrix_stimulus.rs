// SPDX-License-Identifier: Apache-2.0
//! The matrix part of the random stimulus: every form, every kind of stride, every trap, and mostly legal.

use std::collections::BTreeMap;

use crate::common::{matrix_targets, target, tiny};
use cosim_bench::case::Case;
use cosim_bench::lockstep::bound;
use cosim_bench::unit::target::Target;
use golden::decode::{CsrInstruction, Decoded, Lines, Matrix, TileSource, Transfer, decode};
use golden::{Csr, Machine, Outcome, Trap};

const CASES: u64 = 1600;

/// How often each class occurs.
#[derive(Default)]
struct Classes(BTreeMap<String, u32>);

impl Classes {
    fn count(&mut self, name: impl Into<String>, occurs: bool) {
        *self.0.entry(name.into()).or_default() += u32::from(occurs);
    }

    fn get(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// The classes of a load or store, from the state before it and what it did.
    fn transfer(&mut self, target: &Target, before: &Machine, transfer: Transfer, store: bool, outcome: &Outcome) {
        let name = target.disassemble(outcome.word);
        let name = name.split(' ').next().unwrap_or_default();
        self.count(format!("{name} {}", if outcome.trap.is_some() { "trapped" } else { "done" }), true);
        let (base, stride) = (before.x(transfer.rs1), before.x(transfer.rs2));
        let side = if store { "store" } else { "load" };
        let memory = if store { &before.l0m } else { &before.l1m };
        let Some(lines) = Lines::new(before, transfer, base.into(), stride.into()) else {
            assert_eq!(outcome.trap, Some(Trap::illegal(outcome.word)));
            return self.count(format!("{side}: tile does not fit"), true);
        };
        let legal = lines.legal(memory.bytes.len() as u32);
        let port_error = legal && outcome.trap.is_some();
        self.count(format!("{side}: port error"), port_error);
        assert_eq!(legal && !port_error, outcome.trap.is_none(), "{name} {lines:?}");
        if let Some(trap) = outcome.trap {
            return self.trap(side, lines, memory.bytes.len() as u32, trap, port_error);
        }
        let (rows, columns) = transfer.limits(before).expect("matrix");
        let (most_lines, most_bytes) =
            if transfer.transposed { (columns, rows * lines.element) } else { (rows, columns * lines.element) };
        self.count(format!("{side}: empty tile"), lines.count == 0);
        if lines.count == 0 {
            return;
        }
        self.count(format!("{side}: whole register"), lines.count == most_lines && lines.bytes == most_bytes);
        self.count(format!("{side}: part of the register"), lines.count < most_lines && lines.bytes < most_bytes);
        self.count(
            format!("{side}: lines that cross memory words"),
            bound::line_beats(&lines, target.rtl.port_bytes()) > lines.count.into(),
        );
        let last = (0..lines.count).map(|i| lines.address(i) + u64::from(lines.bytes)).max();
        self.count(format!("{side}: up to the last byte of memory"), last == Some(memory.bytes.len() as u64));
        self.count(format!("{side}: from address 0"), (0..lines.count).any(|i| lines.address(i) == 0));
        if lines.count < 2 {
            let odd = stride % lines.element != 0;
            return self.count(format!("{side}: one line, misaligned stride"), odd);
        }
        let negative = stride as i32;
        self.count(format!("{side}: dense"), stride == lines.bytes);
        self.count(format!("{side}: gaps"), negative > lines.bytes as i32 && negative < 256);
        self.count(format!("{side}: far apart"), negative >= 256);
        self.count(format!("{side}: stride 0"), stride == 0);
        self.count(format!("{side}: negative stride"), negative < 0);
        self.count(format!("{side}: overlap"), stride != 0 && negative.unsigned_abs() < lines.bytes);
        self.count("transposed store: overlap", store && transfer.transposed && negative.unsigned_abs() < lines.bytes);
    }

    fn trap(&mut self, side: &str, lines: Lines, size: u32, trap: Trap, port_error: bool) {
        self.count(format!("{side}: misaligned base"), matches!(trap.cause, 4 | 6) && trap.tval == lines.base);
        self.count(format!("{side}: misaligned stride"), matches!(trap.cause, 4 | 6) && trap.tval == lines.address(1));
        if port_error || matches!(trap.cause, 4 | 6) {
            return;
        }
        let outside = |i, n| lines.element_address(i, n) + u64::from(lines.element) > u64::from(size);
        let elements = lines.bytes / lines.element;
        let all = (0..lines.count).flat_map(|i| (0..elements).map(move |n| (i, n)));
        let first = all.clone().position(|(i, n)| outside(i, n));
        let count = (lines.count * elements) as usize;
        let back = all.last().is_some_and(|(i, n)| !outside(i, n));
        self.count(format!("{side}: first element outside"), first == Some(0));
        self.count(format!("{side}: last element outside"), first == Some(count - 1));
        self.count(format!("{side}: one in the middle outside"), first.is_some_and(|n| n > 0 && n < count - 1));
        self.count("outside in the middle, last element inside", first.is_some_and(|n| n > 0) && back);
    }

    fn matrix(&mut self, target: &Target, instruction: Matrix, before: &Machine, outcome: &Outcome) {
        match instruction {
            Matrix::Load(transfer) => self.transfer(target, before, transfer, false, outcome),
            Matrix::Store(transfer) => self.transfer(target, before, transfer, true, outcome),
            Matrix::Release => self.count("mrelease", true),
            Matrix::SetTile { size, source } => {
                let (how, value) = match source {
                    TileSource::Immediate(value) => ("immediate", value.into()),
                    TileSource::Register(rs1) => ("register", before.x(rs1)),
                };
                self.count(format!("msettile {size:?} from {how}"), true);
                self.count("msettile 0", value == 0);
                self.count("msettile above the immediate's range", value > 1023);
            }
        }
    }

    fn other(&mut self, instruction: Decoded, outcome: &Outcome) {
        match instruction {
            Decoded::Csr(CsrInstruction { csr: Csr::Matrix(csr), .. }) => {
                assert_eq!(outcome.trap, None);
                self.count(format!("read of {}", csr.name()), true);
            }
            Decoded::Illegal if outcome.word & 0x7f == 0x2b => self.count("illegal word of the opcode", true),
            Decoded::Illegal if matches!(outcome.word >> 20, 0x803..=0x805 | 0xcc1..=0xcc3) => {
                self.count("write to a matrix CSR", outcome.word & 0x7f == 0x73);
            }
            _ => {}
        }
    }
}

fn classes(target: &Target) -> Classes {
    let mut classes = Classes::default();
    for number in 0..CASES {
        let case = Case::new(target, 5, number);
        // The words of a program for the host come in another order.
        if case.host {
            continue;
        }
        let mut machine = case.setup.machine(&target.golden);
        for word in case.program {
            let instruction = decode(word, &target.golden);
            // A copy of the large memories takes time.
            let before = matches!(instruction, Decoded::Matrix(_)).then(|| machine.clone());
            let outcome = machine.step(word);
            match (instruction, before) {
                (Decoded::Matrix(matrix), Some(before)) => classes.matrix(target, matrix, &before, &outcome),
                (other, _) => classes.other(other, &outcome),
            }
        }
    }
    classes
}

#[test]
#[ignore = "half a minute: make test-all"]
fn most_loads_and_stores_complete_and_every_class_occurs() {
    let targets: Vec<Target> = matrix_targets().into_iter().chain([tiny()]).collect();
    assert_eq!(targets.iter().map(Target::name).collect::<Vec<_>>(), ["w16", "w32", "w16r", "mx1024", "tiny"]);
    for target in targets {
        let classes = classes(&target);
        for (class, count) in &classes.0 {
            println!("{:<8}{class:<45}{count:>7}", target.name());
            assert!(*count >= 5, "{}: {class}: {count}", target.name());
        }
        let mnemonics =
            "ml ms".split(' ').flat_map(|op| ["a", "b", "c", "at", "bt", "ct"].map(|form| format!("{op}{form}")));
        let mnemonics = mnemonics.flat_map(|name| [8, 16, 32].map(|bits| format!("{name}e{bits}")));
        let mut total = [0, 0];
        for name in mnemonics {
            let [done, trapped] = ["done", "trapped"].map(|what| classes.get(&format!("{name} {what}")));
            // A loop repeats what it has, so one mnemonic varies; all together vary little.
            assert!(done > 50 && trapped > 0 && trapped < done, "{}: {name} {done} {trapped}", target.name());
            total[0] += done;
            total[1] += trapped;
        }
        println!("{}: {total:?} loads and stores done and trapped", target.name());
        assert!(total[1] * 7 < total[0] * 3, "{}: {total:?}", target.name());
        let needed = ["overlap", "negative stride", "port error", "misaligned base", "misaligned stride", "empty tile"];
        for side in ["load", "store"] {
            assert!(needed.iter().all(|class| classes.get(&format!("{side}: {class}")) >= 5), "{}", target.name());
        }
    }
}

#[test]
fn without_the_instruction_set_its_words_are_noise() {
    let target = target("w8");
    let (mut words, mut legal_elsewhere) = (0, 0);
    for number in 0..CASES {
        let program = Case::new(&target, 5, number).program;
        for &word in program.iter().filter(|&&word| word & 0x7f == 0x2b) {
            words += 1;
            assert_eq!(decode(word, &target.golden), Decoded::NotOurs);
            let isa = golden::decode::Isa { matrix: true, ..golden::decode::Isa::DRAFT };
            legal_elsewhere += u32::from(matches!(decode(word, isa), Decoded::Matrix(_)));
        }
    }
    assert!(words > 300 && legal_elsewhere > 20, "{words} words, of which {legal_elsewhere}");
}
