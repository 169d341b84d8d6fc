// SPDX-License-Identifier: Apache-2.0
//! The matrix loads and stores that are measured: every form and element width on whole registers.

use golden::MatrixConfig;

use super::operations::{Class, Operation, operation};
use crate::unit::target::Target;

/// All of them; none without the matrix instruction set.
pub fn operations(target: &Target) -> Vec<Operation> {
    let Some(config) = target.golden.matrix else { return Vec::new() };
    let mut list = Vec::new();
    for store in [false, true] {
        for form in ["a", "b", "c", "at", "bt", "ct"] {
            for bits in [8, 16, 32] {
                list.push(transfer(config, store, form, bits, Place::Aligned));
            }
        }
        // Lines that follow each other without a gap share memory words, and some cross into the next one.
        for form in ["a", "at"] {
            list.push(transfer(config, store, form, 8, Place::Dense));
            list.push(transfer(config, store, form, 16, Place::Misaligned));
        }
        list.push(row(config, store));
    }
    list.push(operation("msettilemi", Class::Matrix, String::new(), |_| "msettilemi 4".to_owned()));
    list
}

/// The shortest access: one row.
fn row(config: MatrixConfig, store: bool) -> Operation {
    let setup = format!("msettilemi 1\nmsettileki {}\nli x6, 1024\nli x7, 64\n", config.tr_row_bytes());
    let op = if store { "msae8" } else { "mlae8" };
    operation(format!("{op}, one row"), Class::Matrix, setup, move |i| format!("{op} tr{}, (x6), x7", i % 4))
}

/// Where the memory lines are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Each at the beginning of a memory word.
    Aligned,
    /// Each behind the one before.
    Dense,
    /// Each one element into a memory word.
    Misaligned,
}

fn transfer(config: MatrixConfig, store: bool, form: &'static str, bits: u32, place: Place) -> Operation {
    let accumulator = form.starts_with('c');
    let rows = config.rows();
    let row_bytes = if accumulator { config.acc_row_bytes() } else { config.tr_row_bytes() };
    let columns = row_bytes * 8 / bits;
    // A is M x K, B is N x K, C is M x N.
    let sizes = match &form[..1] {
        "a" => [("m", rows), ("k", columns)],
        "b" => [("n", rows), ("k", columns)],
        _ => [("m", rows), ("n", columns)],
    };
    let line_bytes = if form.ends_with('t') { rows * bits / 8 } else { row_bytes };
    let (base, stride, what) = match place {
        Place::Aligned => (0x400, line_bytes.next_multiple_of(64), ""),
        Place::Dense => (0x400, line_bytes, ", dense"),
        Place::Misaligned => (0x400 + bits / 8, line_bytes.next_multiple_of(64), ", misaligned"),
    };
    let [rows, columns] = sizes.map(|(size, value)| format!("msettile{size}i {value}\n"));
    let setup = format!("{rows}{columns}li x6, {base}\nli x7, {stride}\n");
    let (op, kind) = (if store { "ms" } else { "ml" }, if accumulator { "acc" } else { "tr" });
    operation(format!("{op}{form}e{bits}{what}"), Class::Matrix, setup, move |i| {
        format!("{op}{form}e{bits} {kind}{}, (x6), x7", i % 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep::bound;
    use golden::Machine;
    use golden::decode::{Lines, decode};

    /// The rows of the table measure what their names say.
    #[test]
    fn every_operation_moves_a_whole_register_without_a_trap() {
        for name in ["w16", "mx1024"] {
            let golden = golden::Config::named(name).expect("named");
            let config = golden.matrix.expect("matrix");
            let target = crate::unit::testing::target(name);
            let operations = operations(&target);
            assert_eq!(operations.len(), 2 * (18 + 4 + 1) + 1);
            for operation in operations {
                let mut machine = Machine::new(&target.golden);
                let assemble = |text: &str| golden::asm::assemble("bench", text, &target.golden).expect("assembles");
                for word in assemble(&operation.setup) {
                    assert_eq!(machine.step(word).trap, None, "{}", operation.name);
                }
                let word = assemble(&(operation.instruction)(3))[0];
                if let Some((_, t)) = decode(word, &target.golden).tile_transfer() {
                    let lines = Lines::of(&machine, t).expect("fits");
                    let bytes = config.rows()
                        * if t.form == golden::decode::Form::C {
                            config.acc_row_bytes()
                        } else {
                            config.tr_row_bytes()
                        };
                    let moved = if operation.name.ends_with("one row") { bytes / config.rows() } else { bytes };
                    assert_eq!(lines.count * lines.bytes, moved, "{}", operation.name);
                    let whole_words =
                        bound::line_beats(&lines, 16) == u64::from(lines.count * lines.bytes.div_ceil(16));
                    assert!(whole_words || operation.name.contains(','), "{}", operation.name);
                }
                assert_eq!(machine.step(word).trap, None, "{}", operation.name);
            }
        }
    }
}
