// SPDX-License-Identifier: Apache-2.0
//! The steps that make a case smaller, most important first.

use super::draft::Draft;
use super::failing::{Search, failing};
use super::operands;
use crate::lockstep::stall::{Class, NO_STALL, Plan};
use crate::unit::RESET_CYCLES;

/// All passes, again and again until none finds anything.
pub fn all(search: &mut Search) {
    if search.best.host {
        return of_host(search);
    }
    behind(search);
    split(search);
    loop {
        let steps = search.costs.len();
        quiet(search);
        delete(search);
        hoist(search);
        state(search);
        operands::values(search);
        operands::instructions(search);
        operands::register_numbers(search);
        operands::memories(search);
        if search.over() || search.costs.len() == steps {
            return;
        }
    }
}

/// Those for a program of the host, whose state at an instruction is not that of a stream.
fn of_host(search: &mut Search) {
    loop {
        let steps = search.costs.len();
        quiet(search);
        delete(search);
        operands::memories(search);
        if search.over() || search.costs.len() == steps {
            return;
        }
    }
}

/// Drops what is behind the failing instruction: all of it, or all but a little that gives the failure its time.
fn behind(search: &mut Search) {
    let failing = failing(search);
    for keep in [0, 1, 2, 4, 8, 16, 32] {
        if search.change(|draft| draft.program.truncate(failing + 1 + keep)) {
            return;
        }
    }
}

/// Starts as late as possible, from the state that the model has reached there.
fn split(search: &mut Search) {
    let len = search.best.program.len();
    let mut keep = 1;
    while keep < len {
        let candidate = search.best.split(search.problem.target, len - keep);
        if search.take(candidate) {
            return;
        }
        keep += (keep / 3).max(1);
    }
}

fn delete(search: &mut Search) {
    search.delete(|draft| draft.program.len(), Draft::delete);
}

/// Makes the effects of single instructions part of the state, and of the first ones together.
fn hoist(search: &mut Search) {
    for at in 1..search.best.program.len().min(16) {
        if at < search.best.program.len() {
            let candidate = search.best.split(search.problem.target, at);
            search.take(candidate);
        }
    }
    let mut at = 0;
    while at < search.best.program.len() {
        let candidate = search.best.hoist(search.problem.target, at);
        if !search.take(candidate) {
            at += 1;
        }
    }
}

/// No reset in the middle, a reset of the usual length, no stalls, no errors of the ports.
fn quiet(search: &mut Search) {
    search.change(|draft| draft.reset_after = None);
    while search.change(|draft| draft.reset_after = draft.reset_after.map(|cycles| cycles / 2)) {}
    while search.change(|draft| draft.reset_after = draft.reset_after.map(|cycles| cycles.saturating_sub(1))) {}
    search.change(|draft| draft.reset_cycles = RESET_CYCLES);
    search.change(|draft| draft.stalls = Plan::default());
    let ports: [fn(&mut Plan) -> &mut Class; 6] = [
        |plan| &mut plan.issue,
        |plan| &mut plan.result,
        |plan| &mut plan.l1m[0],
        |plan| &mut plan.l1m[1],
        |plan| &mut plan.l0m[0],
        |plan| &mut plan.l0m[1],
    ];
    for port in ports {
        for class in [Class::None, Class::Light] {
            search.change(|draft| *port(&mut draft.stalls) = class);
        }
    }
    search.change(|draft| draft.program.iter_mut().for_each(|step| step.stall = NO_STALL));
    for i in 0..search.best.program.len() {
        search.change(|draft| draft.program[i].stall = NO_STALL);
    }
    for memory in 0..2 {
        search.change(|draft| draft.errors[memory].clear());
        for i in (0..search.best.errors[memory].len()).rev() {
            search.change(|draft| {
                draft.errors[memory].remove(i);
            });
        }
        for i in 0..search.best.errors[memory].len() {
            operands::shorten_range(search, memory, i);
        }
    }
}

/// Drops parts of the state, in chunks that get smaller.
fn state(search: &mut Search) {
    let mut chunk = search.best.state.items().len();
    while chunk > 0 {
        for items in search.best.state.items().chunks(chunk) {
            search.change(|draft| items.iter().for_each(|&item| draft.state.remove(item)));
        }
        chunk /= 2;
    }
}
