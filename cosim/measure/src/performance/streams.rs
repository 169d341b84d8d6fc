// SPDX-License-Identifier: Apache-2.0
//! Cycles of a block of loads, something between, and stores, many behind each other: what the unit is for.

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::operations::dims;
use crate::lockstep::{Lockstep, Timing};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Blocks before the steady part, and in it.
const WARM: usize = 16;
const STEADY: usize = 64;

/// Cycles from a request to its answer.
pub const LATENCIES: [u32; 3] = [1, 8, 32];

/// Registers of a block that is pipelined by hand: five blocks have their own.
const OWN: usize = 5;

/// Cycles of one block of a stream.
#[derive(Clone, Debug, Serialize)]
pub struct Stream {
    pub config: String,
    /// Its instructions.
    pub stream: &'static str,
    /// Cycles of the slowest engine: a row or a memory word in each cycle.
    pub bound: u64,
    /// Cycles for each block, with memories of [`LATENCIES`].
    pub cycles: [f64; 3],
    /// What it is held to, as a multiple of the bound.
    pub target: f64,
}

/// Instructions of block number `i`, each with what it is called.
struct Shape {
    name: &'static str,
    target: f64,
    /// Registers that its busiest engine reads or writes.
    registers: u64,
    block: fn(usize, u32) -> String,
}

/// A block as one would write it has the same registers as the one before; pipelined by hand, loads are two blocks
/// ahead.
const SHAPES: [Shape; 5] = [
    Shape {
        name: "load, store",
        target: 1.1,
        registers: 1,
        block: |_, base| format!("li x8, {base}\ntl.load tl1, 0(x8)\ntl.store tl1, 0(x8)\n"),
    },
    Shape {
        name: "load, addi, store",
        target: 1.1,
        registers: 1,
        block: |_, base| format!("li x8, {base}\ntl.load tl1, 0(x8)\ntl.addi tl1, tl1, 5\ntl.store tl1, 0(x8)\n"),
    },
    Shape {
        name: "load, load, concat, store",
        target: 1.1,
        registers: 2,
        block: |_, base| {
            format!(
                "li x8, {base}\ntl.load tl1, 0(x8)\ntl.load tl2, 1(x8)\ntl.concat.0 tl3, tl1, tl2\ntl.store tl3, 0(x8)\n"
            )
        },
    },
    Shape {
        name: "load, load, xpose, store, store",
        target: 1.1,
        registers: 2,
        block: |_, base| {
            format!(
                "li x8, {base}\ntl.load tl1, 0(x8)\ntl.load tl2, 1(x8)\ntl.xpose.12 tl1, tl2, x7\n\
                 tl.store tl1, 0(x8)\ntl.store tl2, 1(x8)\n"
            )
        },
    },
    Shape {
        name: "the same, pipelined by hand",
        target: 1.05,
        registers: 2,
        block: |i, base| {
            let pair = |i: usize| [1 + 2 * (i % OWN), 2 + 2 * (i % OWN)];
            let ([l1, l2], [x1, x2], [s1, s2]) = (pair(i + 2), pair(i + 1), pair(i));
            format!(
                "li x8, {base}\ntl.load tl{l1}, 0(x8)\ntl.xpose.12 tl{x1}, tl{x2}, x7\ntl.store tl{s1}, 0(x8)\n\
                 tl.load tl{l2}, 1(x8)\ntl.store tl{s2}, 1(x8)\n"
            )
        },
    },
];

/// All streams of `target`; none where the bytes of a register are no square. A block is two registers of a tensor with
/// pixels of twice as many channels as it has pixels, 8 bits each; transposed it has its pixels in the place of its
/// channels.
///
/// # Errors
/// When a stream does not assemble, traps, or RTL and model disagree.
pub fn measure(target: &Target) -> Result<Vec<Stream>> {
    let bytes = target.rtl.reg_bytes;
    let side = bytes.isqrt();
    if side * side != bytes {
        return Ok(Vec::new());
    }
    let mut setup = format!("csrrwi x0, ttype, 2\nli x5, {:#x}\ncsrrw x0, tshape, x5\n", dims(bytes, [side, 1]));
    for i in 0..side {
        setup.push_str(&format!("li x5, {}\ncsrrw x0, tload_stride{i}, x5\ncsrrw x0, tstore_stride{i}, x5\n", 2 * i));
    }
    let half = (1u64 << (side / 2)) - 1;
    setup.push_str(&format!("li x5, {half:#x}\ncsrrw x0, tmask_concat_1, x5\ncsrrw x0, tmask_concat_2, x5\n"));
    setup.push_str(&format!("li x7, {:#x}\n", 2 | side << 8 | side << 16 | 1 << 24));
    SHAPES.iter().map(|shape| one(target, &setup, shape)).collect()
}

fn one(target: &Target, setup: &str, shape: &Shape) -> Result<Stream> {
    let (bytes, lanes) = (target.rtl.reg_bytes, target.rtl.lanes);
    let memory = target.golden.l1m_bytes.min(target.golden.l0m_bytes);
    let blocks = (memory / (2 * bytes)) as usize;
    let text = |i: usize| (shape.block)(i, (i % blocks) as u32 * 2 * bytes);
    let assemble = |text: &str| golden::asm::assemble(shape.name, text, &target.golden);
    let program = assemble(&format!("{setup}{}", (0..WARM + STEADY).map(text).collect::<String>()))?;
    let instructions = text(0).lines().filter(|line| line.starts_with("tl.")).count();
    let mut cycles = [0.0; LATENCIES.len()];
    for (cycles, latency) in cycles.iter_mut().zip(LATENCIES) {
        let mut bench = Lockstep::new(target, ModelKind::Fast, &super::measure::setup(target))?;
        bench.set_latency(latency);
        bench.observers.timings = Some(Vec::new());
        bench.run(&program).map_err(|failure| anyhow!("{}: {}", shape.name, report::text(target, &failure)))?;
        if bench.counts().traps > 0 {
            return Err(anyhow!("{}: {} traps", target.name(), shape.name));
        }
        let timings = bench.observers.timings.take().unwrap_or_default();
        let retired = |timing: Option<&Timing>| timing.map_or(0, |timing| timing.retired);
        let first = timings.len().checked_sub(STEADY * instructions + 1);
        let (first, last) = (retired(first.and_then(|n| timings.get(n))), retired(timings.last()));
        *cycles = (last - first) as f64 / STEADY as f64;
    }
    let bound = shape.registers * u64::from(bytes / lanes);
    let config = target.name().to_owned();
    Ok(Stream { config, stream: shape.name, bound, cycles, target: shape.target })
}
