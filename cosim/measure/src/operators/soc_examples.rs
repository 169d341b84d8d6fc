// SPDX-License-Identifier: Apache-2.0
//! What is measured on a real core: the C examples and operators, with the unit and without it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use golden::Program;
use kernels::operator::{Layout, Operator};
use kernels::plan::Plan;
use kernels::tensor::Tensor;

use super::execute::Operation;
use crate::base::draw::Draw;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// A program, what it starts from, and how much of L0M is its result.
pub struct Example {
    pub name: &'static str,
    pub size: String,
    /// With the unit.
    pub with: Program,
    /// By the core alone, if that can be done.
    pub without: Option<Program>,
    /// Contents of L1M from address 0.
    pub l1m: Vec<u8>,
    /// Bytes of L0M from address 0 that both leave the same.
    pub result: usize,
}

/// Bytes that look random and are the same every time.
fn bytes(name: &str, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    Draw::new(0, name, 0).fill(&mut bytes);
    bytes
}

fn compiled(sources: &[&str], options: &[&str]) -> Result<Program> {
    let folder = tempfile::tempdir().context("cannot make a folder for a program")?;
    let elf = folder.path().join("example.elf");
    let paths: Vec<PathBuf> = sources.iter().map(|name| kernels::folder().join("examples").join(name)).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    kernels::compile(&paths, options, &elf).with_context(|| sources.join(", "))?;
    let file = std::fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
    Ok(Program::from_elf(&file)?)
}

/// Options of the compiler. With `gpr_rs1` the second encodings are those that every adapter takes.
fn options(target: &Target) -> &'static [&'static str] {
    if target.rtl.gpr_rs1 { &["-DTL_GPR_RS1"] } else { &[] }
}

/// The C program for two units, and what it needs in L1M.
///
/// # Errors
/// As of the compiler.
pub fn two_units(first: &Target) -> Result<(Program, Vec<u8>)> {
    Ok((compiled(&["two_units.c", "two_units_second.c"], options(first))?, bytes("two units", 4096)))
}

/// The C examples; the matrix product needs the matrix instruction set, the handler a system in which a fault of the
/// unit is a trap of the core.
pub fn c_examples(target: &Target, kind: ModelKind) -> Result<Vec<Example>> {
    let compiled = |source: &str| compiled(&[source], options(target));
    let mut examples = vec![Example {
        name: "image to planes (image.c)",
        size: "64 x 64 pixels of 4 bytes".into(),
        with: compiled("image.c")?,
        without: Some(compiled("plain_image.c")?),
        l1m: bytes("image", 4 * 64 * 64),
        result: 4 * 64 * 64,
    }];
    if kind == ModelKind::Soc {
        examples.push(Example {
            name: "handler of two traps (repair.c)",
            size: "64 bytes".into(),
            with: compiled("repair.c")?,
            without: None,
            l1m: bytes("repair", 2048),
            result: 64,
        });
    }
    if target.rtl.matrix {
        let [m, n, k] = [16, 16, 64];
        let at = [64, 64 + m * k, 64 + m * k + k * n];
        let header = [0, m, n, k, at[0], at[1], at[2]];
        let mut l1m: Vec<u8> = header.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        l1m.resize(64, 0);
        l1m.extend(bytes("matrices", (m * k + k * n) as usize));
        examples.push(Example {
            name: "matrix product (matmul.c)",
            size: format!("{m} x {k} by {k} x {n}, int8"),
            with: compiled("matmul.c")?,
            without: Some(compiled("plain_matmul.c")?),
            l1m,
            result: (4 * m * n) as usize,
        });
    }
    Ok(examples)
}

/// Three operators as programs in assembly language.
pub fn operators(target: &Target) -> Result<Vec<Example>> {
    let im2col =
        Operator::Im2col { layout: Layout::Nchw, kernel: [3; 2], strides: [1; 2], dilations: [1; 2], padding: [1; 2] };
    let heads = Tensor::new(&[49, 384], 16);
    let split = Operator::split_heads(&heads, 12)?;
    let cases = [
        (
            "NCHW to NHWC",
            "256 x 14 x 14, 8 bits",
            Operator::Transpose { perm: Some(vec![1, 2, 0]) },
            Tensor::new(&[256, 14, 14], 8),
        ),
        ("im2col 3 x 3, padding 1", "32 x 14 x 14, 8 bits", im2col, Tensor::new(&[1, 32, 14, 14], 8)),
        ("split of 12 heads", "49 x 384, 16 bits", split, heads),
    ];
    let example = |(name, size, operator, tensor): (&'static str, &str, Operator, Tensor)| {
        let input = vec![bytes(name, tensor.bytes())];
        let mapping = operator.mapping(&[tensor])?;
        let operation = |plan| Operation::new(target, mapping.clone(), plan, input.clone());
        let with = operation(Plan::new(&mapping, &target.for_plans())?)?;
        let without = operation(Plan::by_host(&mapping, &target.for_plans())?)?;
        let result = mapping.outputs.iter().map(Tensor::bytes).sum();
        Ok(Example {
            name,
            size: size.into(),
            with: with.program().clone(),
            without: Some(without.program().clone()),
            l1m: with.l1m(),
            result,
        })
    };
    cases.into_iter().map(example).collect()
}
