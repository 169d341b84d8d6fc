// SPDX-License-Identifier: Apache-2.0
//! Operators as programs on the model, against their definitions.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use crate::common::{Rng, config, random_case, run, run_program, unit};
use crate::reference::Array;
use golden::{Config, Program};
use kernels::emit;
use kernels::mapping::{Dim, Mapping, Move};
use kernels::operator::{Layout, Operator, Padding, Parts};
use kernels::plan::Plan;
use kernels::tensor::Tensor;

/// Runs an operator on the model and compares it with its definition.
fn check(operator: &Operator, inputs: &[Tensor], config: &Config, rng: &mut Rng) -> Plan {
    let mapping = operator.mapping(inputs).unwrap_or_else(|error| panic!("{operator:?} {inputs:?}: {error}"));
    let plan = Plan::new(&mapping, &unit(config)).unwrap_or_else(|error| panic!("{operator:?} {inputs:?}: {error}"));
    let bytes: Vec<Vec<u8>> = inputs.iter().map(|x| rng.bytes(x)).collect();
    let arrays: Vec<Array> = inputs.iter().zip(&bytes).map(|(x, bytes)| Array::read(x, bytes)).collect();
    let expected = crate::reference::outputs(operator, inputs[0].bits, &arrays);
    let results = run(&plan, &mapping, config, &bytes);
    let results: Vec<Array> =
        mapping.outputs.iter().zip(&results).map(|(tensor, bytes)| Array::read(tensor, bytes)).collect();
    let steps: Vec<String> = plan.steps.iter().map(kernels::plan::Step::describe).collect();
    assert!(results == expected, "{operator:?} on {inputs:?}, {}:\n{}", config.name, steps.join("\n"));
    assert_eq!(mapping.apply(&bytes).len(), expected.len());
    for (tensor, (got, want)) in mapping.outputs.iter().zip(mapping.apply(&bytes).iter().zip(&expected)) {
        assert_eq!(&Array::read(tensor, got), want, "moves of {operator:?} on {inputs:?}");
    }
    plan
}

/// Every second case from `first` on: two threads share the cases.
fn random_operators(seed: u64, first: usize) {
    let cases = std::env::var("OPERATOR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let mut rng = Rng(seed);
    let mut tiled = 0;
    for case in (first..cases).step_by(2) {
        let mut config = config(["w16", "tiny", "w8", "int8", "mx1024"][case % 5]);
        config.pitch = case / 5 % 2 == 1;
        let small = rng.one_in(4);
        let (operator, inputs) = random_case(&mut rng, small);
        if rng.one_in(8) {
            // Smaller than a register.
            (config.l1m_bytes, config.l0m_bytes) = (rng.pick(&[128, 1024, 4096]), rng.pick(&[128, 1024, 4096]));
        }
        tiled += usize::from(check(&operator, &inputs, &config, &mut rng).tiled);
    }
    assert!(tiled * 20 > cases, "only {tiled} of {} cases are larger than the memories", cases / 2);
}

#[test]
fn random_operators_do_what_they_say() {
    random_operators(2026, 0);
}

#[test]
fn more_random_operators_do_what_they_say() {
    random_operators(2027, 1);
}

/// The program of a plan in C, compiled.
fn compiled(plan: &Plan, config: &Config) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let (source, elf) = (folder.path().join("plan.c"), folder.path().join("plan.elf"));
    let text = emit::c::program(plan, &unit(config));
    std::fs::write(&source, &text).unwrap();
    kernels::compile(&[&source], &[], &elf).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Program::from_elf(&std::fs::read(&elf).unwrap()).unwrap()
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn plans_in_c_do_what_those_in_assembly_language_do() {
    let cases = std::env::var("OPERATOR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut rng = Rng(1972);
    let mut kinds = BTreeSet::new();
    for case in 0..cases {
        let mut config = config(["w16", "tiny", "w8", "mx1024"][case % 4]);
        config.pitch = case / 4 % 2 == 1;
        if case % 5 == 0 {
            (config.l1m_bytes, config.l0m_bytes) = (1024, 4096);
        }
        let small = rng.one_in(4);
        let (operator, inputs) = random_case(&mut rng, small);
        let mapping = operator.mapping(&inputs).unwrap();
        let plan = Plan::new(&mapping, &unit(&config)).unwrap();
        let bytes: Vec<Vec<u8>> = inputs.iter().map(|x| rng.bytes(x)).collect();
        let expected = run(&plan, &mapping, &config, &bytes);
        let found = run_program(&compiled(&plan, &config), &plan, &mapping, &config, &bytes);
        assert!(found == expected, "{operator:?} on {inputs:?}, {}", config.name);
        let words = plan.steps.iter().map(|step| step.describe().replace(|c: char| !c.is_ascii_alphabetic(), " "));
        kinds.extend(words.flat_map(|text| text.split_whitespace().map(String::from).collect::<Vec<_>>()));
    }
    for kind in ["load", "fill", "xpose", "matrix", "host", "pieces", "transposed", "addi"] {
        assert!(kinds.contains(kind), "no {kind} in any plan");
    }
}

/// Rows of odd sizes once were cut for one side, then for the other, along the whole loop: thousands of calls deep.
#[test]
fn a_plan_needs_little_stack() {
    let plan = || {
        let inputs = [4, 7, 9].map(|rows| Tensor::new(&[rows, 196, 13], 16));
        let mapping = Operator::Concat { axis: 0 }.mapping(&inputs).unwrap();
        Plan::new(&mapping, &unit(&config("w16"))).unwrap();
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(plan).unwrap().join().unwrap();
}

#[test]
fn what_the_host_has_no_room_for_is_refused() {
    let mapping = Operator::Flatten { axis: 1 }.mapping(&[Tensor::new(&[24 << 20], 8)]).unwrap();
    let error = Plan::new(&mapping, &unit(&config("w16"))).unwrap_err().to_string();
    let expected = "inputs and outputs have 50331648 bytes, too many for L1M or L0M; the program memory of the host has room for 49283072";
    assert_eq!(error, expected);
}

/// Every legal width, wider than the tensor and negative, of sizes from 0 on.
#[test]
fn every_mode_of_pad_has_the_right_elements() {
    let modes = [Padding::Constant(5), Padding::Reflect, Padding::Edge, Padding::Wrap];
    let mut cases = 0;
    for (size, padding) in (0..5).flat_map(|size| modes.map(|padding| (size, padding))) {
        for (before, behind) in (-2..9).flat_map(|before| (-2..9).map(move |behind| (before, behind))) {
            let x = Tensor::new(&[2, size as usize, 3], 8);
            let operator = Operator::Pad { pads: vec![1, before, 0, 0, behind, 2], axes: None, padding };
            let left = size + before.min(0) + behind.min(0);
            let mapping = operator.mapping(std::slice::from_ref(&x));
            let constant = matches!(padding, Padding::Constant(_));
            // A constant needs a size, the others also something to copy, unless nothing is added.
            let nothing_to_copy = left < 0 || left == 0 && before.max(behind) > 0;
            if size + before + behind < 0 || !constant && nothing_to_copy {
                assert!(mapping.is_err(), "{padding:?} {size} {before} {behind}");
                continue;
            }
            let (mapping, bytes) = (mapping.unwrap(), Rng(7).bytes(&x));
            let expected = crate::reference::outputs(&operator, 8, &[Array::read(&x, &bytes)]);
            let found = Array::read(&mapping.outputs[0], &mapping.apply(&[bytes])[0]);
            assert_eq!(found, expected[0], "{padding:?} {size} {before} {behind}");
            cases += 1;
        }
    }
    assert!(cases > 1500, "{cases}");
    // Periods are loops: the number of moves is no matter of the width.
    let wide = Operator::Pad { pads: vec![70_001, 90_002], axes: None, padding: Padding::Reflect };
    assert!(wide.mapping(&[Tensor::new(&[3], 8)]).unwrap().moves.len() <= 4);
}

/// Of 14 rows one is zero in the corners of the kernel.
#[test]
fn the_corners_of_a_kernel_move_the_rows_that_stay() {
    let mut config = config("w16r");
    config.l0m_bytes = 1 << 19;
    let operator =
        Operator::Im2col { layout: Layout::Nchw, kernel: [3; 2], strides: [1; 2], dilations: [1; 2], padding: [1; 2] };
    let plan = check(&operator, &[Tensor::new(&[1, 256, 14, 14], 8)], &config, &mut Rng(61));
    let steps: Vec<String> = plan.steps.iter().map(kernels::plan::Step::describe).collect();
    let corners = steps.iter().filter(|step| step.starts_with("load 5 x 182 bytes, tl.merge"));
    assert_eq!(corners.count(), 4, "{steps:#?}");
}

/// A tile alone is moved in a matrix register, which needs no setup; many share that of slices.
#[test]
fn tiles_that_differ_in_their_places_alone_share_a_setup() {
    let steps = |tiles: isize| -> Vec<String> {
        let dim = |from, to| Dim { size: 16, from, to };
        let tile = |n: isize| Move::copy(0, 16 * n, 0, 256 * n, vec![dim(1024, 16), dim(1, 1)]);
        let mapping = Mapping {
            inputs: vec![Tensor::new(&[16, 1024], 8)],
            outputs: vec![Tensor::new(&[tiles as usize, 256], 8)],
            moves: (0..tiles).map(tile).collect(),
            gapped: Vec::new(),
        };
        let plan = Plan::new(&mapping, &unit(&config("w16"))).unwrap();
        plan.steps.iter().map(kernels::plan::Step::describe).collect()
    };
    let all = |steps: Vec<String>, block: &str| steps.iter().all(|step| step.starts_with(block));
    assert!(all(steps(1), "matrix load plain"), "{:?}", steps(1));
    assert!(all(steps(64), "load 16 x 16 bytes"), "{:?}", steps(64));
}

/// Sizes that no number holds, once a panic or an output of another size.
#[test]
fn sizes_beyond_all_bounds_are_refused() {
    let image = Tensor::new(&[1, 4, 4, 4], 8);
    let im2col = |padding: usize, dilation: usize| Operator::Im2col {
        layout: Layout::Nchw,
        kernel: [3; 2],
        strides: [1; 2],
        dilations: [dilation; 2],
        padding: [padding; 2],
    };
    let reshape = |shape: &[i64]| Operator::Reshape { shape: shape.to_vec() };
    let nothing = Tensor::new(&[0, 3], 8);
    for (operator, x, message) in [
        (Operator::DepthToSpace { blocksize: 1 << 32, crd: false }, &image, "blocksize 4294967296 of 4 channels"),
        (im2col(usize::MAX, 1), &image, "allowed are 2147483648 pixels"),
        (im2col(1 << 20, 1), &image, "allowed are 2147483648 elements in all"),
        (im2col(0, 1 << 63), &image, "a patch of 18446744073709551615 in 4 pixels"),
        (reshape(&[1 << 32, 1 << 32]), &nothing, "of 0 elements; allowed is a shape with as many"),
        (reshape(&[0, -1]), &nothing, "any size in place of -1 gives 0 elements"),
        (Operator::Split { axis: 0, sizes: Parts::Number(1 << 40) }, &image, "allowed are 1 to 65535"),
        (
            Operator::Split { axis: 0, sizes: Parts::Sizes(vec![usize::MAX, 2]) },
            &image,
            "allowed are parts with that sum",
        ),
        (Operator::AddConstant { value: 128 }, &image, "value 128; allowed is -128 to 127"),
        (
            Operator::AddConstant { value: 1 },
            &Tensor::new(&[4], 64),
            "elements of 64 bits; allowed are 4, 8, 16 and 32",
        ),
        (Operator::Concat { axis: 0 }, &Tensor::new(&[], 8), "rank 0, which has no axes"),
        (
            Operator::Pad { pads: vec![i64::MAX, i64::MAX], axes: Some(vec![0]), padding: Padding::Wrap },
            &image,
            "allowed are 2147483648 elements in all",
        ),
    ] {
        let error = operator.mapping(std::slice::from_ref(x)).unwrap_err().to_string();
        assert!(error.contains(message), "{operator:?}: {error}");
    }
}
