// SPDX-License-Identifier: Apache-2.0
//! The C programs in examples/ on the model.
#![allow(clippy::unwrap_used)]

use golden::{Config, Machine, Program, Trap, run};

/// Compiles an example.
fn example(name: &str, options: &[&str]) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let elf = folder.path().join("example.elf");
    let source = kernels::folder().join("examples").join(name);
    kernels::compile(&[&source], options, &elf).unwrap_or_else(|error| panic!("{error}"));
    Program::from_elf(&std::fs::read(&elf).unwrap()).unwrap()
}

/// Runs a program on contents of L1M; gives the machine, the exit code and the traps.
fn run_on(program: &Program, config: &str, l1m: &[u8]) -> (Machine, u32, Vec<Trap>) {
    let mut m = Machine::new(&Config::named(config).unwrap());
    m.l1m.fill(l1m).unwrap();
    m.load(program).unwrap();
    let mut traps = Vec::new();
    let code = run::execute(&mut m, 10_000_000, |outcome| traps.extend(outcome.trap)).unwrap();
    (m, code, traps)
}

fn random(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn an_image_becomes_planes() {
    for (config, width, height) in [("w16", 64, 64), ("w16", 96, 32), ("tiny", 16, 16), ("mx1024", 32, 64)] {
        let pixels = width * height;
        let mut next = random(7);
        let image: Vec<u8> = (0..4 * pixels).map(|_| next() as u8).collect();
        let size = [format!("-DWIDTH={width}"), format!("-DHEIGHT={height}")];
        let program = example("image.c", &[&size[0], &size[1]]);
        let (m, code, traps) = run_on(&program, config, &image);
        assert_eq!((code, traps), (0, vec![]), "{config} {width}x{height}");
        for (at, byte) in image.iter().enumerate() {
            assert_eq!(m.l0m.bytes[at % 4 * pixels + at / 4], *byte, "{config} {width}x{height}, byte {at}");
        }
    }
    let (m, code, _) = run_on(&example("image.c", &["-DWIDTH=30", "-DHEIGHT=30"]), "w16", &[]);
    assert_eq!((code, m.hart.console), (1, b"the number of pixels is no multiple of half a register\n".to_vec()));
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn a_handler_repairs_a_mask_and_an_address() {
    let mut next = random(8);
    let l1m: Vec<u8> = (0..2048).map(|_| next() as u8).collect();
    let (m, code, traps) = run_on(&example("repair.c", &[]), "w16", &l1m);
    assert_eq!((code, String::from_utf8(m.hart.console).unwrap().as_str()), (0, "repaired\n"));
    let word = 0x1000_005B | 1 << 15;
    let masked_load = |rs: u32| word | rs << 7;
    assert_eq!((traps.len(), traps[0].cause), (2, Trap::ILLEGAL));
    assert!((0..32).any(|rs| traps[0].tval == masked_load(rs).into()), "{:#x}", traps[0].tval);
    assert_eq!(traps[1], Trap { cause: Trap::LOAD_MISALIGNED, tval: 101 });
    assert_eq!(m.l0m.bytes[..64], l1m[101..165]);
}

const ALL_STATE: [&str; 5] = ["-DTL_PITCH", "-DTL_MASK_INIT", "-DTL_MATRIX", "-DTL_CSR_OP", "-DTL_GPR_RS1"];

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn a_state_that_is_restored_is_the_one_that_was_saved() {
    let (_, code, traps) = run_on(&example("../tests/state.c", &ALL_STATE), "w16r", &[]);
    assert_eq!((code, traps), (0, vec![]));
}

/// Each counts on the trap of a mask that it has made uninitialised itself.
#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn two_tasks_share_the_unit() {
    let mut next = random(10);
    let l1m: Vec<u8> = (0..4096).map(|_| next() as u8).collect();
    let (m, code, traps) = run_on(&example("tasks.c", &ALL_STATE), "w16r", &l1m);
    assert_eq!((code, String::from_utf8(m.hart.console).unwrap().as_str()), (0, "both done\n"));
    assert_eq!(traps.iter().filter(|trap| trap.cause == Trap::ILLEGAL).count(), 8);
    let without = ALL_STATE.map(|option| if option == "-DTL_MASK_INIT" { "-DTL_NOTHING" } else { option });
    let (_, code, _) = run_on(&example("tasks.c", &without), "w16r", &l1m);
    assert_ne!(code, 0, "without tmask_init no task gets its traps");
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn the_host_alone_comes_to_the_same_results() {
    let mut next = random(9);
    let image: Vec<u8> = (0..4 * 64 * 64).map(|_| next() as u8).collect();
    let [m, n, k] = [5, 6, 72];
    let header = [0, m, n, k, 64, 64 + m * k, 64 + (m + n) * k];
    let mut matrices: Vec<u8> = header.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    matrices.resize(64, 0);
    matrices.extend((0..(m + n) * k).map(|_| next() as u8));
    for (name, plain, l1m, bytes) in [
        ("image.c", "plain_image.c", &image, image.len()),
        ("matmul.c", "plain_matmul.c", &matrices, (4 * m * n) as usize),
    ] {
        let [(with, _, none), (without, code, traps)] =
            [name, plain].map(|name| run_on(&example(name, &[]), "w16", l1m));
        assert_eq!((code, traps, none), (0, vec![], vec![]), "{plain}");
        assert!(without.l0m.bytes[..bytes].iter().any(|&byte| byte != 0));
        assert_eq!(with.l0m.bytes[..bytes], without.l0m.bytes[..bytes], "{plain}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Int8,
    Fp16,
    Bf16,
    Fp32,
}

impl Format {
    fn bytes(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Fp16 | Self::Bf16 => 2,
            Self::Fp32 => 4,
        }
    }

    /// A random element: finite, and in FP16 subnormal at times.
    fn element(self, random: u32) -> u32 {
        match self {
            Self::Int8 => random & 0xFF,
            Self::Fp16 => random & 0xBFFF,
            Self::Bf16 => random & 0x80FF | 0x3F00 | random >> 8 & 0x80,
            Self::Fp32 => random & 0x807F_FFFF | (120 + (random >> 24 & 15)) << 23,
        }
    }

    fn value(self, bits: u32) -> f32 {
        match self {
            Self::Int8 => f32::from(bits as i8),
            Self::Fp16 => {
                let (exponent, fraction) = (bits >> 10 & 31, bits & 1023);
                let size = match exponent {
                    0 => fraction as f32 / 16_777_216.0,
                    _ => (1024 + fraction) as f32 * 2f32.powi(exponent as i32 - 25),
                };
                if bits & 0x8000 == 0 { size } else { -size }
            }
            Self::Bf16 => f32::from_bits(bits << 16),
            Self::Fp32 => f32::from_bits(bits),
        }
    }
}

/// The sum in the order and with the rounding of the program.
fn expected(format: Format, k: usize, a: impl Fn(usize) -> u32, b: impl Fn(usize) -> u32) -> u32 {
    match format {
        Format::Int8 => (0..k).map(|l| i32::from(a(l) as i8) * i32::from(b(l) as i8)).sum::<i32>() as u32,
        _ => (0..k).fold(0f32, |sum, l| sum + format.value(a(l)) * format.value(b(l))).to_bits(),
    }
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn a_matrix_product_of_every_format_with_a_transposed() {
    let program = example("matmul.c", &[]);
    let formats = [Format::Int8, Format::Fp16, Format::Bf16, Format::Fp32];
    for (number, format) in formats.into_iter().enumerate() {
        for (config, [m, n, k]) in [("w16", [10, 7, 37]), ("mx1024", [9, 17, 20])] {
            let size = format.bytes();
            let (at_a, at_b) = (64, 64 + (m * k * size).next_multiple_of(16));
            let at_c = at_b + (k * n * size).next_multiple_of(16);
            let mut l1m: Vec<u8> =
                [number, m, n, k, at_a, at_b, at_c].iter().flat_map(|&word| (word as u32).to_le_bytes()).collect();
            l1m.resize(at_c, 0);
            let mut next = random(number as u64);
            let mut element = || format.element(next());
            let a: Vec<u32> = (0..m * k).map(|_| element()).collect();
            let b: Vec<u32> = (0..k * n).map(|_| element()).collect();
            for (at, matrix) in [(at_a, &a), (at_b, &b)] {
                for (i, value) in matrix.iter().enumerate() {
                    l1m[at + i * size..at + (i + 1) * size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
            let (machine, code, traps) = run_on(&program, config, &l1m);
            assert_eq!((code, traps), (0, vec![]), "{format:?} {config}");
            for i in 0..m {
                for j in 0..n {
                    let place = 4 * (i * n + j);
                    let found = u32::from_le_bytes(machine.l0m.bytes[place..place + 4].try_into().unwrap());
                    let expected = expected(format, k, |l| a[l * m + i], |l| b[l * n + j]);
                    assert_eq!(found, expected, "{format:?} {config}, element ({i}, {j})");
                }
            }
        }
    }
}
