// SPDX-License-Identifier: Apache-2.0
//! An int8 matrix product: the unit packs the tiles of A and B and unpacks those of C, this test multiplies.
//! What comes out is compared with a plain loop over the three indices.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use e2e::{run, stdout};
use serde_json::Value;

/// C = A * B, where A is M x K and B is K x N. No size is a multiple of a tile's.
const M: usize = 10;
const N: usize = 7;
const K: usize = 19;
/// Rows of a packed tile, bytes in a row, bytes in a tile.
const ROWS: usize = 4;
const ROW: usize = 16;
const TILE: usize = ROWS * ROW;

/// Where B is in L1M, and its tiles in L0M.
const B: usize = 0x1000;

fn int8(bytes: usize, seed: u32) -> Vec<u8> {
    (0..bytes as u32).map(|i| (i.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 21) as u8).collect()
}

/// Runs `name` on L1M `l1m`, by the model and on the RTL, which must agree in everything; gives L0M.
fn both(config: &str, name: &str, l1m: &[u8], folder: &Path) -> Vec<u8> {
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (program, image, dump) = (format!("tests/programs/matrix/{name}.s"), file("l1m"), file("l0m"));
    std::fs::write(&image, l1m).unwrap();
    let runs = ["golden", "cosim"].map(|by| {
        let args = ["run", &program, "--config", config, "--l1m", &image, "--dump-l0m", &dump, "--json", "-"];
        let report: Value = serde_json::from_str(&stdout(by, &args)).unwrap();
        (report, std::fs::read(&dump).unwrap())
    });
    let [(model, expected), (rtl, l0m)] = runs;
    let retired = model["retired"].as_array().unwrap();
    assert!(retired.len() > 20 && retired.iter().all(|one| one["trap"].is_null()), "{name} on {config}");
    assert!(model["tr"].is_array() && model["acc"].is_array() && model["csr"]["mtilem"].is_number());
    assert_eq!(model, rtl, "{name} on {config}");
    assert!(l0m == expected, "{name} on {config}");
    l0m
}

/// The tile of C: the sums of products of a row of A's tiles with a row of B's, over whole rows of the tiles. What is
/// outside the matrices is 0 and adds nothing.
fn multiply(l0m: &[u8], m: usize, n: usize) -> Vec<u8> {
    let row = |start: usize, row: usize| &l0m[start + row * ROW..start + (row + 1) * ROW];
    let mut sums = Vec::new();
    for i in 0..ROWS {
        for j in 0..ROWS {
            let tiles = (0..K.div_ceil(ROW)).map(|k| (row(TILE * (2 * m + k), i), row(B + TILE * (2 * n + k), j)));
            let sum: i32 =
                tiles.flat_map(|(a, b)| a.iter().zip(b)).map(|(&a, &b)| i32::from(a as i8) * i32::from(b as i8)).sum();
            sums.extend(sum.to_le_bytes());
        }
    }
    sums
}

#[test]
fn matmul_through_tiles_is_what_a_plain_loop_gives() {
    multiply_on(&["w16"]);
}

#[test]
#[ignore = "needs two models: make test-all"]
fn matmul_through_tiles_is_what_a_plain_loop_gives_on_other_units() {
    multiply_on(&["w32", "mx1024"]);
}

fn multiply_on(configs: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (int8(M * K, 3), int8(K * N, 5000));
    // What is beside the matrices must not get into the result.
    let mut l1m = vec![0x55; 0x2000];
    l1m[..a.len()].copy_from_slice(&a);
    l1m[B..B + b.len()].copy_from_slice(&b);
    let mut expected = Vec::new();
    for m in 0..M {
        for n in 0..N {
            let sum: i32 = (0..K).map(|k| i32::from(a[m * K + k] as i8) * i32::from(b[k * N + n] as i8)).sum();
            expected.extend(sum.to_le_bytes());
        }
    }
    for config in configs {
        let packed = both(config, "matmul_pack", &l1m, folder.path());
        let tiles = (0..M.div_ceil(ROWS)).flat_map(|m| (0..N.div_ceil(ROWS)).map(move |n| (m, n)));
        let sums: Vec<u8> = tiles.flat_map(|(m, n)| multiply(&packed, m, n)).collect();
        let c = both(config, "matmul_unpack", &sums, folder.path());
        assert_eq!(c[..expected.len()], expected, "{config}");
        assert!(c[expected.len()..].iter().all(|&byte| byte == 0), "{config}");
    }
}

#[test]
fn without_the_instruction_set_the_program_is_refused_with_the_reason() {
    let output = run("cosim", &["run", "tests/programs/matrix/matmul_pack.s", "--config", "w8"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("matmul_pack.s:18:1: unknown instruction `msettilemi`; the configuration has no matrix"),
        "{text}"
    );
}
