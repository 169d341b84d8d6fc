// SPDX-License-Identifier: Apache-2.0
//! Laws of the matrix loads and stores on the RTL. What is expected comes from plain loops over bytes and not from the
//! model, which runs along as always.

use std::path::PathBuf;

use cosim_bench::base::interrupt::Interrupt;
use cosim_bench::cli::program::{Code, Program};
use cosim_bench::lockstep::Setup;
use cosim_bench::unit::target::Target;

/// What is in L0M, and in every register, before a test writes there.
const GUARD: u8 = 0xa5;
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
    fn bytes(self) -> usize {
        self.bits / 8
    }

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

    /// (element in the register, byte in memory from the base) of all bytes of the tile.
    fn addresses(self, transposed: bool, stride: usize) -> Vec<(usize, usize, usize)> {
        let mut list = Vec::new();
        for i in 0..self.rows {
            for j in 0..self.columns {
                let (line, place) = if transposed { (j, i) } else { (i, j) };
                list.push((i, j, line * stride + place * self.bytes()));
            }
        }
        list
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

fn targets() -> Vec<Target> {
    let all = cosim::workshop().targets("all").expect("all");
    let with: Vec<Target> = all.into_iter().filter(|target| target.golden.matrix.is_some()).collect();
    assert!(with.len() >= 3, "{} configurations with matrix instructions", with.len());
    with
}

fn image(size: usize) -> Vec<u8> {
    (0..size as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8).collect()
}

/// L0M after the program, which must not trap. It runs without stalls and with some, to the same end.
fn run(target: &Target, source: &str, l1m: &[u8]) -> Vec<u8> {
    let words = golden::asm::assemble("test", source, &target.golden).expect("assembles");
    let l0m = vec![GUARD; target.golden.l0m_bytes as usize];
    let setup = Setup { l1m: l1m.to_vec(), l0m, seed: 1, ..Setup::default() };
    let code = Code::Program(golden::Program::from_words(&words));
    let (path, interrupt) = (PathBuf::from("test"), Interrupt::default());
    let mut program = Program {
        path,
        code,
        symbols: Default::default(),
        limit: 10_000,
        setup,
        latency: 1,
        profile: false,
        interrupt,
    };
    let mut run = || {
        let outcome = program
            .run(target, None)
            .expect("fits")
            .map_err(|failure| cosim_bench::triage::report::text(target, &failure));
        let outcome = outcome.unwrap_or_else(|text| panic!("{text}"));
        assert_eq!(outcome.counts.traps, 0);
        program.stall(7);
        outcome.l0m
    };
    let plain = run();
    assert!(plain == run(), "stalls change the result");
    plain
}

/// Calls `test` for every configuration, form and width.
fn for_all(test: impl Fn(&Target, char, usize)) {
    for target in targets() {
        for form in ['a', 'b', 'c'] {
            for bits in [8, 16, 32] {
                test(&target, form, bits);
            }
        }
    }
}

#[track_caller]
fn check(found: &[u8], expected: &[u8], what: &str) {
    let first = (0..expected.len()).find(|&i| found[i] != expected[i]);
    if let Some(i) = first {
        let (area, at) = (i / AREA, i % AREA);
        panic!("{what}: shape {area}, byte {at}: {:02x}, not {:02x}", found[i], expected[i]);
    }
}

/// A load and a store of one form copy the tile, and no byte around or between its lines.
#[test]
fn load_then_store_of_one_form_is_the_identity() {
    for_all(|target, form, bits| {
        for transposed in [false, true] {
            let l1m = image(target.golden.l1m_bytes as usize);
            let mut expected = vec![GUARD; target.golden.l0m_bytes as usize];
            let mut source = String::new();
            for (n, shape) in shapes(target, form, bits).into_iter().enumerate() {
                let base = n * AREA + OFFSET;
                source += &shape.sizes();
                source += &shape.transfer("ml", transposed, n % 4, base, STRIDE);
                source += &shape.transfer("ms", transposed, n % 4, base, STRIDE);
                for (_, _, at) in shape.addresses(transposed, STRIDE) {
                    let bytes = base + at..base + at + shape.bytes();
                    expected[bytes.clone()].copy_from_slice(&l1m[bytes]);
                }
            }
            check(&run(target, &source, &l1m), &expected, &format!("{} {form} {bits} {transposed}", target.name()));
        }
    });
}

/// A dense tile that is loaded transposed and stored plain, or the other way round, is a transposed matrix in memory.
#[test]
fn load_transposed_then_store_plain_is_a_transpose() {
    for_all(|target, form, bits| {
        for load_transposed in [true, false] {
            let l1m = image(target.golden.l1m_bytes as usize);
            let mut expected = vec![GUARD; target.golden.l0m_bytes as usize];
            let mut source = String::new();
            for (n, shape) in shapes(target, form, bits).into_iter().enumerate() {
                let (base, size) = (n * AREA + OFFSET, shape.bytes());
                // The matrix in L1M has `height` rows of `width` elements; the one in L0M the other way round.
                let (height, width) =
                    if load_transposed { (shape.columns, shape.rows) } else { (shape.rows, shape.columns) };
                source += &shape.sizes();
                source += &shape.transfer("ml", load_transposed, n % 4, base, width * size);
                source += &shape.transfer("ms", !load_transposed, n % 4, base, height * size);
                for i in 0..height {
                    for j in 0..width {
                        let (from, to) = (base + (i * width + j) * size, base + (j * height + i) * size);
                        expected[to..to + size].copy_from_slice(&l1m[from..from + size]);
                    }
                }
            }
            let what = format!("{} {form} {bits} {load_transposed}", target.name());
            check(&run(target, &source, &l1m), &expected, &what);
        }
    });
}

/// A load of a tile leaves all elements of its register that are outside the tile, whatever the form.
#[test]
fn a_load_leaves_the_rest_of_its_register() {
    for_all(|target, form, bits| {
        for transposed in [false, true] {
            let mut l1m = image(target.golden.l1m_bytes as usize);
            // The last area holds nothing but guards, to fill the register with.
            let guards = l1m.len() - AREA;
            l1m[guards..].fill(0x3c);
            let mut expected = vec![GUARD; target.golden.l0m_bytes as usize];
            let mut source = String::new();
            let all = whole(target, form, bits);
            for (n, shape) in shapes(target, form, bits).into_iter().enumerate() {
                let base = n * AREA + OFFSET;
                source += &all.sizes();
                source += &all.transfer("ml", false, n % 4, guards, STRIDE);
                source += &shape.sizes();
                source += &shape.transfer("ml", transposed, n % 4, base, STRIDE);
                source += &all.sizes();
                source += &all.transfer("ms", false, n % 4, base, STRIDE);
                for (_, _, at) in all.addresses(false, STRIDE) {
                    expected[base + at..base + at + all.bytes()].fill(0x3c);
                }
                for (i, j, from) in shape.addresses(transposed, STRIDE) {
                    let to = base + i * STRIDE + j * shape.bytes();
                    let from = base + from;
                    expected[to..to + shape.bytes()].copy_from_slice(&l1m[from..from + shape.bytes()]);
                }
            }
            check(&run(target, &source, &l1m), &expected, &format!("{} {form} {bits} {transposed}", target.name()));
        }
    });
}

/// Registers of both kinds and of other numbers keep their contents, and TensorLoad registers too: all are stored after
/// each of them was loaded once.
#[test]
fn registers_are_different_ones() {
    for target in targets() {
        let l1m = image(target.golden.l1m_bytes as usize);
        let mut expected = vec![GUARD; target.golden.l0m_bytes as usize];
        let (mut load, mut store) = (String::new(), String::new());
        for md in 0..8 {
            let shape = whole(&target, if md < 4 { 'b' } else { 'c' }, 32);
            let base = md * AREA + OFFSET;
            load += &(shape.sizes() + &shape.transfer("ml", false, md % 4, base, STRIDE));
            store += &(shape.sizes() + &shape.transfer("ms", false, md % 4, base, STRIDE));
            for (_, _, at) in shape.addresses(false, STRIDE) {
                expected[base + at..base + at + 4].copy_from_slice(&l1m[base + at..base + at + 4]);
            }
        }
        let tensor = 8 * AREA;
        let block = "li x7, 0x00010140\ncsrrw x0, tshape, x7\n"; // 64 bytes
        load += &format!("{block}li x8, {tensor}\ntl.load tl5, 0(x8)\n");
        store += "tl.store tl5, 0(x8)\n";
        expected[tensor..tensor + 64].copy_from_slice(&l1m[tensor..tensor + 64]);
        check(&run(&target, &(load + &store), &l1m), &expected, target.name());
    }
}

/// Stores that are issued right after reset find zeros, although clearing the registers takes longer than that.
#[test]
fn registers_are_zero_after_reset() {
    for target in targets() {
        let mut source = String::new();
        let mut expected = vec![GUARD; target.golden.l0m_bytes as usize];
        for md in 0..8 {
            let shape = whole(&target, if md < 4 { 'a' } else { 'c' }, 8);
            source += &(shape.sizes() + &shape.transfer("ms", false, md % 4, md * AREA, STRIDE));
            for (_, _, at) in shape.addresses(false, STRIDE) {
                expected[md * AREA + at] = 0;
            }
        }
        check(&run(&target, &source, &[]), &expected, target.name());
    }
}
