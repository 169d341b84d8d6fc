// SPDX-License-Identifier: Apache-2.0
//! Operators on arrays: planned, emitted and run on the model.

use anyhow::{Context, Result, ensure};
use golden::{Config, Machine, Program, asm, run};
use kernels::emit;
use kernels::operator::{Layout, Operator, Padding, Parts};
use kernels::plan::Plan;
use kernels::tensor::Tensor;
use kernels::unit::{Tiles, Unit};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{config, value_error};

/// The bytes of an input, and its shape and bits.
type Input<'py> = (PyReadonlyArray1<'py, u8>, Vec<usize>, u32);
/// Outputs with their shapes, the program, and the cycles that the plan predicts.
type Done<Bytes> = (Vec<(Bytes, Vec<usize>)>, String, u64);

/// Memories of a unit, at most.
const MOST: usize = 1 << 28;

#[pyfunction]
pub fn operator<'py>(
    py: Python<'py>,
    name: &str,
    inputs: Vec<Input<'py>>,
    config: &str,
    attributes: &Bound<'py, PyDict>,
) -> PyResult<Done<Bound<'py, PyArray1<u8>>>> {
    let operator = named(name, attributes)?;
    let golden = self::config(config)?;
    let hardware = rtl_config::Config::load(config).map_err(value_error)?;
    let tensors: Vec<Tensor> = inputs.iter().map(|(_, shape, bits)| Tensor::new(shape, *bits)).collect();
    let bytes = inputs.iter().map(|(bytes, ..)| bytes.as_slice()).collect::<Result<Vec<&[u8]>, _>>();
    let bytes = bytes.map_err(|_| PyValueError::new_err("an input is not contiguous"))?;
    let done = py.detach(|| execute(&operator, &tensors, &bytes, golden, &hardware)).map_err(value_error)?;
    let (outputs, program, cycles) = done;
    let outputs = outputs.into_iter().map(|(bytes, shape)| (bytes.into_pyarray(py), shape)).collect();
    Ok((outputs, program, cycles))
}

fn execute(
    operator: &Operator,
    tensors: &[Tensor],
    inputs: &[&[u8]],
    mut golden: Config,
    hardware: &rtl_config::Config,
) -> Result<Done<Vec<u8>>> {
    let mapping = operator.mapping(tensors)?;
    // As large as the arrays, with room for their alignment and the values of `pad`.
    let room = |tensors: &[Tensor], least: u32| {
        let bytes = tensors.iter().map(|tensor| tensor.bytes() + 1024).sum::<usize>() + 4096;
        let size = bytes.next_power_of_two().max(least as usize);
        ensure!(size <= MOST, "the tensors need {bytes} bytes; allowed is {MOST}");
        Ok(size as u32)
    };
    golden.l1m_bytes = room(&mapping.inputs, golden.l1m_bytes)?;
    golden.l0m_bytes = room(&mapping.outputs, golden.l0m_bytes)?;
    let unit = Unit {
        reg_bytes: golden.reg_bytes,
        widths: hardware.element_widths.clone(),
        l1m_bytes: golden.l1m_bytes as usize,
        l0m_bytes: golden.l0m_bytes as usize,
        lanes: hardware.lanes as usize,
        port_bytes: hardware.port_bytes() as usize,
        pitch: golden.pitch,
        tiles: golden.matrix.map(|m| Tiles { rows: m.rows() as usize, row_bytes: m.tr_row_bytes() as usize }),
    };
    let plan = Plan::new(&mapping, &unit)?;
    let program = emit::program(&plan, &unit);
    let mut machine = Machine::new(&golden);
    for (bytes, &at) in inputs.iter().zip(&plan.inputs) {
        let place = machine.l1m.get_mut(at, bytes.len() as u32).context("an input is outside of L1M")?;
        place.copy_from_slice(bytes);
    }
    machine.load(&Program::from_words(&asm::assemble("the program of the operator", &program, &golden)?))?;
    let mut trap = None;
    run::execute(&mut machine, u64::MAX, |done| trap = trap.or(done.trap))?;
    ensure!(trap.is_none(), "the program traps, which is a bug: {trap:?}");
    let output = |(tensor, &at): (&Tensor, &u64)| {
        let bytes = machine.l0m.get(at, tensor.bytes() as u32).context("an output is outside of L0M")?;
        Ok((bytes.to_vec(), tensor.shape.clone()))
    };
    let outputs = mapping.outputs.iter().zip(&plan.outputs).map(output).collect::<Result<_>>()?;
    Ok((outputs, program, plan.cycles()))
}

/// The operator with these attributes.
fn named(name: &str, attributes: &Bound<PyDict>) -> PyResult<Operator> {
    let get =
        |name: &str| attributes.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("`{name}` is missing")));
    macro_rules! attribute {
        ($name:literal) => {
            get($name)?.extract()?
        };
    }
    Ok(match name {
        "transpose" => Operator::Transpose { perm: attribute!("perm") },
        "reshape" => Operator::Reshape { shape: attribute!("shape") },
        "flatten" => Operator::Flatten { axis: attribute!("axis") },
        "squeeze" => Operator::Squeeze { axes: attribute!("axes") },
        "concat" => Operator::Concat { axis: attribute!("axis") },
        "split" => Operator::Split { axis: attribute!("axis"), sizes: Parts::Sizes(attribute!("sizes")) },
        "slice" => Operator::Slice {
            starts: attribute!("starts"),
            ends: attribute!("ends"),
            axes: attribute!("axes"),
            steps: attribute!("steps"),
        },
        "gather" => {
            Operator::Gather { axis: attribute!("axis"), indices: attribute!("indices"), shape: attribute!("shape") }
        }
        "compress" => Operator::Compress { axis: attribute!("axis"), condition: attribute!("condition") },
        "pad" => {
            let mode: String = attribute!("mode");
            let padding = match &*mode {
                "constant" => Padding::Constant(attribute!("value")),
                "edge" => Padding::Edge,
                "reflect" => Padding::Reflect,
                "wrap" => Padding::Wrap,
                _ => {
                    let allowed = "allowed are constant, edge, reflect, wrap";
                    return Err(PyValueError::new_err(format!("mode `{mode}` of pad; {allowed}")));
                }
            };
            Operator::Pad { pads: attribute!("pads"), axes: None, padding }
        }
        "add_constant" => Operator::AddConstant { value: attribute!("value") },
        "im2col" => Operator::Im2col {
            layout: if attribute!("nhwc") { Layout::Nhwc } else { Layout::Nchw },
            kernel: attribute!("kernel"),
            strides: attribute!("strides"),
            dilations: attribute!("dilations"),
            padding: attribute!("padding"),
        },
        "space_to_depth" => Operator::SpaceToDepth { blocksize: attribute!("blocksize"), crd: attribute!("crd") },
        "depth_to_space" => Operator::DepthToSpace { blocksize: attribute!("blocksize"), crd: attribute!("crd") },
        _ => return Err(PyValueError::new_err(format!("no operator `{name}`"))),
    })
}
