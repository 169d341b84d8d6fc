// SPDX-License-Identifier: Apache-2.0
//! Operators on the RTL in lockstep with the model, and the files and messages of `cosim op`.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::common::{Done, cosim, cosim_with, repository_text, target};
use cosim::workshop;
use cosim_bench::lockstep::Setup;
use cosim_bench::lockstep::stall::{Class, Plan as Stalls};
use cosim_bench::operators::execute::Operation;
use cosim_bench::operators::npy;
use cosim_bench::operators::workloads;
use cosim_bench::unit::target::Target;
use kernels::operator::{Layout, Operator, Padding};
use kernels::plan::{Body, Plan};
use kernels::tensor::Tensor;
use serde_json::Value;

/// Some bytes.
fn contents(tensor: &Tensor) -> Vec<u8> {
    (0..tensor.bytes()).map(|i| (i * 37 + i / 251) as u8).collect()
}

fn operation(target: &Target, operator: &Operator, x: &Tensor) -> Operation {
    let mapping = operator.mapping(std::slice::from_ref(x)).unwrap();
    let plan = Plan::new(&mapping, &target.for_plans()).unwrap();
    Operation::new(target, mapping, plan, vec![contents(x)]).unwrap()
}

fn cases() -> Vec<(Operator, Tensor)> {
    let transpose = |perm: &[usize]| Operator::Transpose { perm: Some(perm.to_vec()) };
    let im2col =
        |layout| Operator::Im2col { layout, kernel: [3, 3], strides: [1, 1], dilations: [1, 1], padding: [1, 1] };
    vec![
        (transpose(&[1, 2, 0]), Tensor::new(&[32, 8, 8], 8)),
        (transpose(&[1, 0]), Tensor::new(&[17, 13], 8)),
        (transpose(&[1, 0]), Tensor::new(&[32, 32], 16)),
        (transpose(&[0, 2, 1]), Tensor::new(&[64, 4, 2], 4)),
        (transpose(&[2, 0, 1]), Tensor::new(&[3, 5, 7], 32)),
        (im2col(Layout::Nchw), Tensor::new(&[1, 4, 6, 6], 8)),
        (im2col(Layout::Nhwc), Tensor::new(&[1, 5, 5, 4], 8)),
        (Operator::AddConstant { value: -100 }, Tensor::new(&[3, 700], 8)),
        (Operator::AddConstant { value: 127 }, Tensor::new(&[900], 32)),
        (Operator::DepthToSpace { blocksize: 2, crd: true }, Tensor::new(&[1, 16, 8, 8], 8)),
        (
            Operator::Pad { pads: vec![1, 2, 3, 0], axes: None, padding: Padding::Constant(0x1234) },
            Tensor::new(&[9, 31], 16),
        ),
        (
            Operator::Slice { starts: vec![-1, 1], ends: vec![i64::MIN, 30], axes: None, steps: Some(vec![-1, 3]) },
            Tensor::new(&[11, 33], 8),
        ),
    ]
}

#[test]
fn operators_run_in_lockstep_with_and_without_stalls() {
    for name in ["tiny", "w16"] {
        let target = target(name);
        let stalls = Stalls::all(Class::Light);
        for (operator, x) in cases() {
            let operation = operation(&target, &operator, &x);
            for setup in [Setup::default(), Setup { stalls, seed: 7, ..Setup::default() }] {
                let ran = operation.in_lockstep(&target, &setup, 1_000_000).unwrap();
                let ran = ran.unwrap_or_else(|failure| panic!("{name}: {operator:?}: {:?}", failure.cause));
                assert!(ran.cycles.unwrap() >= ran.instructions);
            }
        }
    }
}

#[test]
fn a_block_of_the_rtl_is_measured_as_the_cost_model_says() {
    let target = target("w16");
    let x = Tensor::new(&[64, 32, 32], 8);
    for (operator, most) in [
        (Operator::Transpose { perm: Some(vec![1, 2, 0]) }, 0.15),
        (Operator::Transpose { perm: Some(vec![1, 0, 2]) }, 0.15),
        (Operator::Transpose { perm: Some(vec![0, 1, 2]) }, 0.15),
    ] {
        let operation = operation(&target, &operator, &x);
        let ran = operation.in_lockstep(&target, &Setup::default(), 1_000_000).unwrap();
        let cycles = ran.map_err(|failure| failure.cause).unwrap().cycles.unwrap() as f64;
        let error = (operation.plan.cycles() as f64 - cycles) / cycles;
        assert!(error.abs() < most, "{operator:?}: {cycles} cycles, error {error:.2}");
    }
}

#[test]
fn tensors_larger_than_the_memories_go_in_pieces_and_copies_are_counted_apart() {
    let target = target("tiny");
    let im2col =
        Operator::Im2col { layout: Layout::Nchw, kernel: [3; 2], strides: [1; 2], dilations: [1; 2], padding: [1; 2] };
    for (operator, x) in [
        (Operator::Transpose { perm: Some(vec![1, 2, 0]) }, Tensor::new(&[96, 16, 16], 8)),
        (im2col, Tensor::new(&[1, 8, 12, 12], 16)),
    ] {
        let operation = operation(&target, &operator, &x);
        assert!(operation.plan.tiled);
        let ran = operation.in_lockstep(&target, &Setup::default(), 10_000_000).unwrap();
        let ran = ran.map_err(|failure| failure.cause).unwrap();
        let bytes = x.bytes() + ran.outputs[0].len();
        // A load and a store for each byte at most, and of words at least.
        assert!((bytes / 2..4 * bytes).contains(&(ran.copies as usize)), "{} for {bytes} bytes", ran.copies);
        let (cycles, predicted) = (ran.cycles.unwrap(), operation.plan.cycles());
        assert!((predicted / 2..2 * predicted).contains(&cycles), "{cycles} and {predicted}");
    }
}

#[test]
fn a_wrong_program_is_told() {
    let target = target("w16");
    let x = Tensor::new(&[64, 32], 8);
    let mapping = Operator::Transpose { perm: None }.mapping(std::slice::from_ref(&x)).unwrap();
    let mut plan = Plan::new(&mapping, &target.for_plans()).unwrap();
    let Body::Exchange(exchange) = &mut plan.steps[0].parts[0].body else { panic!("{:?}", plan.steps[0]) };
    exchange.pair = [0, 0];
    let operation = Operation::new(&target, mapping, plan, vec![contents(&x)]).unwrap();
    let error = operation.on_model(&target, 1_000_000).unwrap_err().to_string();
    assert!(error.starts_with("output 0 is wrong from byte"), "{error}");
}

#[test]
fn every_workload_has_a_plan() {
    let mut config = target("w16").rtl;
    (config.l1m_bytes, config.l0m_bytes) = (1 << 24, 1 << 24);
    let target = workshop().target_of(config).unwrap();
    for workload in workloads::all(false).unwrap() {
        let plan = Plan::new(&workload.mapping, &target.for_plans()).unwrap();
        let mut parts = plan.steps.iter().flat_map(|step| &step.parts);
        // Of this one a corner is not worth a setup.
        let corner = if workload.name == "update of a window of 100x100" { 64.0 } else { 0.0 };
        assert!(parts.all(|part| part.body != Body::Host || part.job.bytes() <= corner), "{}", workload.name);
    }
}

fn save(path: &Path, tensor: &Tensor, dtype: &str, bytes: &[u8]) {
    npy::write(path, tensor, dtype.parse().unwrap(), bytes).unwrap();
}

fn op(folder: &Path, arguments: &str) -> Done {
    cosim(folder, &format!("op {arguments}"))
}

#[test]
fn files_go_in_and_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let x = Tensor::new(&[6, 4], 16);
    save(&at("a.npy"), &x, "<f2", &contents(&x));
    let done = op(folder.path(), "split --axis 1 --split 1,3 --in a.npy --out l.npy --out r.npy --model");
    assert_eq!((done.code, &*done.err), (Some(0), ""));
    let left = npy::read(&at("l.npy"), false).unwrap();
    assert_eq!((left.tensor.shape, left.dtype.to_string()), (vec![6, 1], "<f2".to_string()));
    let done = op(folder.path(), "Concat --axis=-1 --in l.npy --in r.npy --out b.npy --config tiny --json -");
    assert_eq!(done.code, Some(0));
    let json: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&json["bytes_in"], &json["bytes_out"]), (&48.into(), &48.into()));
    assert!(json["cycles"].as_u64().unwrap() > 10 && json["engines"]["host"].as_f64().unwrap() > 0.0);
    assert_eq!(fs::read(at("b.npy")).unwrap(), fs::read(at("a.npy")).unwrap());
}

#[test]
fn bytes_of_a_file_may_be_pairs_of_4_bits() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let x = Tensor::new(&[2, 2], 8);
    save(&at("a.npy"), &x, "|u1", &[0x10, 0x32, 0x54, 0x76]);
    let transpose = "transpose --in a.npy --out y.npy --packed-int4 --model";
    assert_eq!(op(folder.path(), transpose).code, Some(0));
    let y = npy::read(&at("y.npy"), true).unwrap();
    assert_eq!((y.tensor, y.bytes), (Tensor::new(&[4, 2], 4), vec![0x40, 0x51, 0x62, 0x73]));
    let odd = "slice --starts 0,0 --ends 2,3 --in a.npy --out y.npy --packed-int4 --model";
    op(folder.path(), odd).refused("has pairs along the innermost dimension");
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let x = Tensor::new(&[64, 80], 8);
    save(&at("a.npy"), &x, "|i1", &contents(&x));
    save(&at("c.npy"), &Tensor::new(&[1], 128), "<c16", &[0; 16]);
    save(&at("u.npy"), &x, "|u1", &contents(&x));
    save(&at("f.npy"), &Tensor::new(&[2], 32), "<f4", &[0, 0, 0, 0x80, 0, 0, 0x80, 0x3F]);
    save(&at("i.npy"), &Tensor::new(&[2], 32), "<i4", &[7, 0, 0, 0, 8, 0, 0, 0]);
    save(&at("b.npy"), &Tensor::new(&[2, 2], 8), "|b1", &[1, 0, 1, 0]);
    save(&at("row.npy"), &Tensor::new(&[1, 3], 8), "|b1", &[1, 0, 1]);
    save(&at("empty.npy"), &Tensor::new(&[0], 8), "|i1", &[]);
    fs::write(at("text"), "import numpy\n").unwrap();
    fs::create_dir(at("folder")).unwrap();
    for line in include_str!("operators_refused.txt").lines() {
        let (arguments, message) = line.split_once(" => ").unwrap();
        op(folder.path(), &format!("{arguments} --model")).refused(message);
    }
    assert!(!at("y.npy").exists());
    // What is at the limit.
    for arguments in [
        "flatten --in a.npy --axis 2 --out y.npy",
        "pad --pads 1,1 --value -1 --in i.npy --out y.npy",
        "compress --condition i.npy --axis 0 --in a.npy",
    ] {
        let done = op(folder.path(), &format!("{arguments} --model"));
        assert_eq!((done.code, &*done.err), (Some(0), ""), "{arguments:?}");
    }
    let padded = npy::read(&at("y.npy"), false).unwrap();
    assert_eq!(
        (padded.bytes[..8].to_vec(), padded.bytes[12..].to_vec()),
        ([[0xFF; 4], [7, 0, 0, 0]].concat(), vec![0xFF; 4],)
    );
}

#[test]
fn a_program_on_standard_output_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    save(&folder.path().join("a.npy"), &Tensor::new(&[4, 4], 8), "|i1", &[0; 16]);
    let Done { code, out: text, .. } = op(folder.path(), "transpose --in a.npy --model --program -");
    assert_eq!(code, Some(0));
    let config = golden::Config::named("w16").unwrap();
    assert!(golden::asm::assemble("p.s", &text, &config).unwrap().len() > 4, "{text}");
    assert!(!folder.path().join("-").exists());
}

/// Big-endian elements are turned; the output is little-endian.
#[test]
fn big_endian_arrays_are_read() {
    let folder = tempfile::tempdir().unwrap();
    save(&folder.path().join("a.npy"), &Tensor::new(&[2], 32), ">i4", &[0, 0, 0, 1, 0, 0, 2, 0]);
    let array = npy::read(&folder.path().join("a.npy"), false).unwrap();
    assert_eq!((array.dtype.to_string(), array.bytes), ("<i4".into(), vec![1, 0, 0, 0, 0, 2, 0, 0]));
}

/// Sizes whose product is too large for a number, or for a memory.
#[test]
fn a_shape_without_end_is_refused() {
    let parse = |shape: &str| {
        let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
        let header = [b"\x93NUMPY\x01\x00", &(dict.len() as u16).to_le_bytes()[..], dict.as_bytes()].concat();
        npy::parse(&header[..], false).map(|array| array.bytes.len()).map_err(|error| error.to_string())
    };
    assert_eq!(parse("0, 8, "), Ok(0));
    for shape in ["4294967296, 4294967296, ", "0, 4294967296, 4294967296, ", "268435456, ", "9223372036854775808, 0, "]
    {
        let error = parse(shape).unwrap_err();
        assert!(error.contains("allowed are 268435456 bytes in all"), "{error}");
    }
}

/// docs/workloads.md has the rows of the workloads, and docs/images/workloads.svg the bars of its rows.
#[test]
fn the_picture_of_the_workloads_is_that_of_the_table() {
    let (table, picture) = (repository_text("docs/workloads.md"), repository_text("docs/images/workloads.svg"));
    let groups: Vec<(&str, Vec<Vec<&str>>)> = table
        .split("\n## ")
        .skip(1)
        .map(|group| {
            let rows = group.lines().filter(|line| line.starts_with("| ")).skip(1);
            (group.lines().next().unwrap(), rows.map(|row| row.split(" | ").collect()).collect())
        })
        .collect();
    let configs: Vec<&str> = groups.iter().map(|(config, _)| *config).collect();
    assert_eq!(configs, ["w16", "w16r", "w32", "w32r"]);
    let names: Vec<String> = workloads::all(false).unwrap().iter().map(|w| format!("| {}", w.name)).collect();
    let mut shown = picture.lines().filter(|line| line.contains("font-size=\"9\""));
    for (i, name) in names.iter().enumerate() {
        for (config, rows) in &groups {
            assert_eq!((rows.len(), rows[i][0]), (names.len(), name.as_str()), "{config}");
            let [bytes, cycles]: [f64; 2] = [rows[i][2], rows[i][3]].map(|cell| cell.parse().unwrap());
            let rate = bytes / cycles;
            let bar: f64 =
                shown.next().unwrap().rsplit('>').nth(1).unwrap().trim_end_matches("</text").parse().unwrap();
            assert!((rate - bar).abs() < 0.06, "{config}, {name}: {rate} in the table, {bar} in the picture");
        }
    }
    assert_eq!(shown.next(), None);
}

/// Two short rows, measured again.
#[test]
fn rows_of_the_table_of_workloads_are_what_is_measured() {
    measure_rows("w16", "w16");
}

#[test]
#[ignore = "needs three models: make test-all"]
fn rows_of_the_table_of_workloads_are_what_is_measured_on_other_units() {
    ["w16r", "w32"].into_iter().for_each(|name| measure_rows(name, name));
    measure_rows("w32r", "../tests/w32r.toml");
}

/// Those of the section `name`.
fn measure_rows(name: &str, config: &str) {
    let table = repository_text("docs/workloads.md");
    let table = table.split(&format!("\n## {name}\n")).nth(1).and_then(|rest| rest.split("\n## ").next());
    for only in ["ViT-B/16 patchify", "every second byte"] {
        let arguments = ["measure", "workloads", "--config", config, "--only", only, "--markdown", "-"];
        let text = cosim_with(&arguments).out;
        let rows: Vec<&str> = text.lines().filter(|row| row.starts_with(&format!("| {only}"))).collect();
        assert_eq!(rows.len(), 1, "{text}");
        assert!(table.expect("a table").contains(rows[0]), "docs/workloads.md lacks for {name} {}", rows[0]);
    }
}
