// SPDX-License-Identifier: Apache-2.0
//! From a plan to a program in assembly language.

mod asm;
mod host;
mod kernels;
mod stream;

use crate::plan::{Body, Plan, Step};
use crate::unit::Unit;
use asm::Asm;

/// Where the host sees L1M.
pub(crate) const L1M_WINDOW: i64 = 0x1000_0000;
/// Where it sees L0M.
pub(crate) const L0M_WINDOW: i64 = 0x2000_0000;

/// The program of a plan. It needs its inputs in L1M and leaves its outputs in L0M, at the addresses of the plan, and ends
/// when the unit is done.
pub fn program(plan: &Plan, unit: &Unit) -> String {
    let mut asm = Asm::new();
    for step in &plan.steps {
        asm.comment(step.describe());
        emit(&mut asm, step, plan.scratch, unit);
    }
    asm.op("fence");
    asm.text
}

fn emit(asm: &mut Asm, step: &Step, scratch: u64, unit: &Unit) {
    if step.body == Body::Host {
        return host::emit(asm, &step.job);
    }
    for grid in &step.grids {
        asm.release();
        match &step.body {
            Body::Host => {}
            Body::Slices { load: Some(load), store } => {
                let kernel = kernels::Copy::new(asm, load, store);
                stream::emit(asm, &kernel, grid);
            }
            Body::Slices { load: None, store } => {
                let value = [step.job.value.unwrap_or(0), step.job.element as u64];
                let kernel = kernels::Fill::new(asm, value, scratch, unit.reg_bytes, store);
                stream::emit(asm, &kernel, grid);
            }
            Body::Exchange(exchange) => {
                let kernel = kernels::Pair::new(asm, exchange);
                stream::emit(asm, &kernel, grid);
            }
            Body::Tile(tile) => {
                let kernel = kernels::MatrixTile::new(asm, tile);
                stream::emit(asm, &kernel, grid);
            }
        }
    }
}
