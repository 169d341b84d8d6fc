// SPDX-License-Identifier: Apache-2.0
//! A profile on the terminal.

use super::summary::Summary;
use crate::base::table::table;
use crate::lockstep::profile::reason::Reason;

/// Instructions shown at most.
const INSTRUCTIONS: usize = 20;

/// The sentence and three tables.
pub fn text(summary: &Summary) -> String {
    let share = |cycles: u64| format!("{} %", summary.share(cycles));
    let mut reasons = table(&["where the cycles went", "cycles", "share", "of these, memory does not answer"], 1);
    for reason in Reason::ALL {
        if let Some(work) = summary.reasons.get(&reason) {
            let numbers = [work.cycles.to_string(), share(work.cycles), work.memory.to_string()];
            reasons.add_row([reason.name().to_owned()].into_iter().chain(numbers));
        }
    }
    reasons.add_row(["all".into(), summary.cycles.to_string(), share(summary.cycles)]);
    let mut engines = table(&["engine", "at work", "share", "of these, memory does not answer"], 1);
    for (lane, work) in &summary.engines {
        engines.add_row([lane.name().into(), work.cycles.to_string(), share(work.cycles), work.memory.to_string()]);
    }
    let header = ["address", "instruction", "mostly", "times", "cycles", "share", "engine at work"];
    let mut instructions = table(&header, 3);
    let mut order: Vec<_> = summary.instructions.iter().filter(|line| line.cycles > 0).collect();
    order.sort_by_key(|line| (u64::MAX - line.cycles, line.pc));
    for line in order.iter().take(INSTRUCTIONS) {
        let most = line.reasons.iter().rev().max_by_key(|(_, work)| work.cycles);
        instructions.add_row([
            line.place.clone(),
            line.text.clone(),
            most.map_or(String::new(), |(reason, _)| reason.name().to_owned()),
            line.times.to_string(),
            line.cycles.to_string(),
            share(line.cycles),
            line.engine.map_or(String::new(), |(_, work)| work.cycles.to_string()),
        ]);
    }
    let more = order.len().saturating_sub(INSTRUCTIONS);
    let more = if more == 0 { String::new() } else { format!("... and {more} more; --profile-json has them all\n") };
    let engines = if summary.engines.is_empty() { String::new() } else { format!("{engines}\n\n") };
    format!("\n{}\n\n{reasons}\n\n{engines}{instructions}\n{more}", summary.verdict)
}
