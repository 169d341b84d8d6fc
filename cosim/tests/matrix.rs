// SPDX-License-Identifier: Apache-2.0
//! Matrix loads and stores of every form and size on the RTL, in lockstep with the model; golden's tests compare the
//! model with plain loops over bytes.

use std::path::PathBuf;

use crate::common::{matrix_targets, target};
use cosim_bench::base::interrupt::Interrupt;
use cosim_bench::cli::program::{Code, Program};
use cosim_bench::lockstep::Setup;
use cosim_bench::triage::report;
use cosim_bench::unit::target::Target;

/// Bytes of memory for each shape: so much more than a tile that nothing can hide behind it.
const AREA: usize = 2048;
/// Where a tile starts in its area.
const OFFSET: usize = 64;
/// Bytes from one memory line to the next.
const STRIDE: usize = 36;

/// A tile: form, element width, size.
#[derive(Clone, Copy, Debug)]
struct Shape {
    form: char,
    bits: usize,
    rows: usize,
    columns: usize,
}

impl Shape {
    /// Instructions that set the tile sizes.
    fn sizes(self) -> String {
        let (rows, columns) = match self.form {
            'a' => ('m', 'k'),
            'b' => ('n', 'k'),
            _ => ('m', 'n'),
        };
        format!("msettile{rows}i {}\nmsettile{columns}i {}\n", self.rows, self.columns)
    }

    /// A load ("ml") or store ("ms") of a register, with base and stride in x5 and x6.
    fn transfer(self, op: &str, transposed: bool, register: usize, base: usize, stride: usize) -> String {
        let Shape { form, bits, .. } = self;
        let (t, kind) = (if transposed { "t" } else { "" }, if form == 'c' { "acc" } else { "tr" });
        format!("li x5, {base}\nli x6, {stride}\n{op}{form}{t}e{bits} {kind}{register}, (x5), x6\n")
    }
}

/// The size of a whole register of `form` with elements of `bits` bits.
fn whole(target: &Target, form: char, bits: usize) -> Shape {
    let matrix = target.golden.matrix.expect("matrix");
    let row_bytes = if form == 'c' { matrix.acc_row_bytes() } else { matrix.tr_row_bytes() } as usize;
    Shape { form, bits, rows: matrix.rows() as usize, columns: row_bytes * 8 / bits }
}

/// Tiles of all numbers of rows and of telling numbers of columns.
fn shapes(target: &Target, form: char, bits: usize) -> Vec<Shape> {
    let all = whole(target, form, bits);
    let columns = [1, 2, 3, all.columns / 2, all.columns - 1, all.columns];
    let columns: std::collections::BTreeSet<usize> = columns.into_iter().filter(|&c| c <= all.columns).collect();
    (1..=all.rows).flat_map(|rows| columns.iter().map(move |&columns| Shape { rows, columns, ..all })).collect()
}

/// Runs a program in lockstep with the model, which compares all that is loaded and stored, without stalls and with
/// some.
fn run(target: &Target, source: &str) {
    let words = golden::asm::assemble("test", source, &target.golden).expect("assembles");
    let code = Code::Program(golden::Program::from_words(&words));
    let setup = Setup { l0m: vec![0xa5; target.golden.l0m_bytes as usize], seed: 1, ..Setup::default() };
    let (path, interrupt) = (PathBuf::from("test"), Interrupt::default());
    let (symbols, limit, latency, profile) = (Default::default(), 20_000, 1, false);
    let mut program = Program { path, code, symbols, limit, setup, latency, profile, interrupt };
    program.fill_l1m(target);
    for seed in [None, Some(7)] {
        seed.into_iter().for_each(|seed| program.stall(seed));
        let outcome = program.run(target, None).expect("fits");
        let outcome = outcome.unwrap_or_else(|failure| panic!("{source}{}", report::text(target, &failure)));
        assert_eq!((outcome.counts.traps, outcome.counts.compared), (0, outcome.counts.retired));
    }
}

/// A tile of each size is loaded into a register that was full, with lines apart and dense, plain and transposed; tile
/// and register are stored.
#[test]
fn tiles_of_every_form_and_size_are_loaded_and_stored() {
    load_and_store_tiles(&[target("w16")]);
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn tiles_of_every_form_and_size_are_loaded_and_stored_everywhere() {
    load_and_store_tiles(&matrix_targets());
}

fn load_and_store_tiles(targets: &[Target]) {
    for target in targets {
        for (form, bits) in ['a', 'b', 'c'].into_iter().flat_map(|form| [8, 16, 32].map(|bits| (form, bits))) {
            let (all, mut source) = (whole(target, form, bits), String::new());
            for (n, shape) in shapes(target, form, bits).into_iter().enumerate() {
                for transposed in [false, true] {
                    let (base, register) = (n * AREA + OFFSET, n % 4);
                    let dense = shape.bits / 8 * if transposed { shape.rows } else { shape.columns };
                    source += &(all.sizes() + &all.transfer("ml", false, register, base + AREA / 2, STRIDE));
                    source += &(shape.sizes() + &shape.transfer("ml", transposed, register, base, STRIDE));
                    source += &shape.transfer("ms", transposed, register, base, STRIDE);
                    source += &shape.transfer("ms", !transposed, register, base, dense);
                    source += &(all.sizes() + &all.transfer("ms", false, register, base + AREA / 2, STRIDE));
                }
            }
            run(target, &source);
        }
    }
}

/// Registers of both kinds and of other numbers keep their contents, and TensorLoad registers too: all are stored after
/// each of them was loaded once. Before that they are stored right after reset, when they are being cleared.
#[test]
fn registers_are_different_ones_and_zero_after_reset() {
    load_and_store_registers(&[target("w16")]);
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn registers_are_different_ones_and_zero_after_reset_everywhere() {
    load_and_store_registers(&matrix_targets());
}

fn load_and_store_registers(targets: &[Target]) {
    for target in targets {
        let [mut clear, mut load, mut store] = ["", "", ""].map(String::from);
        for md in 0..8 {
            let shape = whole(target, if md < 4 { 'b' } else { 'c' }, 32);
            let (sizes, base) = (shape.sizes(), md * AREA + OFFSET);
            clear += &(sizes.clone() + &shape.transfer("ms", false, md % 4, base, STRIDE));
            load += &(sizes.clone() + &shape.transfer("ml", false, md % 4, base, STRIDE));
            store += &(sizes + &shape.transfer("ms", false, md % 4, base, STRIDE));
        }
        // 64 bytes.
        let tensor = format!("li x7, 0x00010140\ncsrrw x0, tshape, x7\nli x8, {}\ntl.load tl5, 0(x8)\n", 8 * AREA);
        run(target, &(clear + &load + &tensor + &store + "tl.store tl5, 0(x8)\n"));
    }
}
