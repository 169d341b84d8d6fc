// SPDX-License-Identifier: Apache-2.0
//! Instructions of several engines behind each other, all of which are in flight when the last one is dispatched.

use golden::decode::{Decoded, Engine, instructions};

use super::Goal;
use crate::coverage::operation;
use crate::random::establish::establish;
use crate::random::generator::Generator;
use crate::random::noise;

/// Appends an instruction of each engine that `goal` wants to be at work, in any order, and then one that is `known` to
/// be able to hit it. What they need is set up first, since all that comes between them is in flight, too.
pub fn in_flight(g: &mut Generator, goal: &Goal, known: &[Decoded]) {
    let all: Vec<Decoded> = instructions(&g.target.golden).filter(|one| one.engine() != Some(Engine::Host)).collect();
    let mut chosen = Vec::new();
    for engines in goal.older().unwrap_or_default() {
        let works =
            |one: &&Decoded| one.engine().and_then(operation::engine_value).is_some_and(|of| engines.contains(&of));
        let of_engine: Vec<Decoded> = all.iter().filter(works).copied().collect();
        let place = g.draw.below(chosen.len() as u32 + 1) as usize;
        g.draw.choose(&of_engine).into_iter().for_each(|one| chosen.insert(place, one));
    }
    chosen.extend(g.draw.choose(known));
    let ready: Vec<Decoded> = chosen.into_iter().map(|one| legal(g, one)).collect();
    g.wait();
    ready.into_iter().for_each(|one| g.emit_as_is(one));
    if known.is_empty() {
        noise::illegal(g);
    }
}

fn legal(g: &mut Generator, one: Decoded) -> Decoded {
    let any = noise::any_operands(g, one);
    establish(g, any)
}
