// SPDX-License-Identifier: Apache-2.0
//! Sequential equivalence of a mutant and the unit, from reset on, by a model checker: a proof, or what tells them apart.
//!
//! The unit is taken whole, but for the contents of its memories: what these give is any value, the same on both sides,
//! and what they are given is compared, as the ports of the unit are. Latches that reset leaves alone start with any
//! value. Responses come only for requests. All else is free, so that what is proven holds for every program and every
//! memory that keeps to the interface.
//!
//! The checker (ABC, `pdr`: A. Bradley, "SAT-based model checking without unrolling", VMCAI 2011; N. Eén, A. Mishchenko,
//! R. Brayton, "Efficient implementation of property directed reachability", FMCAD 2011) is asked whether anything ever
//! differs: first at the place of the mutant, where a proof is simple if there is one, then anywhere. When a latch can, it
//! is followed on both sides from then on, and the checker is asked again. First it sees only parts of the unit, with all
//! other latches as free inputs: what is proven there holds for the whole.

mod aig;
mod aiger;
mod batches;
mod difference;
mod graph;
mod places;
mod view;
mod witness;

use std::fs;
use std::io::BufWriter;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use super::maker::Maker;
use super::mutant::Mutant;
use super::prove;
use super::tools::{self, Tools};
use crate::base::parallel;
use aig::Lit;
use aiger::Netlist;
use difference::{Claim, Difference, after_reset};
use view::{Script, View};

/// Most latches that are followed on both sides.
const MOST_APART: usize = 1000;

/// What the checker found out about a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// No port ever shows a difference.
    Equivalent,
    /// A port shows a difference after these instructions.
    Told(Witness),
    /// No answer within the time.
    Open,
}

/// How to tell a mutant from the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The port that differs.
    pub port: String,
    /// Clock cycles after reset.
    pub cycles: usize,
    /// Instructions that were issued until then. Memories may have to hold certain values, too.
    pub instructions: Vec<Issued>,
}

impl Witness {
    /// Whether it shows at a port of the unit. What a memory is given may be what it holds already.
    pub fn is_outside(&self) -> bool {
        !self.port.contains('.')
    }
}

/// An instruction at the issue port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Issued {
    /// The word.
    pub word: u32,
    /// Values of its source registers.
    pub rs: [u32; 2],
}

/// A mutant to ask about.
pub struct Asked<'a> {
    /// The mutant.
    pub mutant: &'a Mutant,
    /// For how long, about.
    pub limit: Duration,
}

/// Asks about mutants, `jobs` at a time, a few of them in one graph; `progress` is told of each.
///
/// # Errors
/// When Yosys makes no graph of one, and when the checker cannot be run.
pub fn ask(
    (tools, maker, folder): (&Tools, &Maker, &Path),
    mutants: &[Asked],
    jobs: usize,
    progress: impl Fn() + Sync,
) -> Result<Vec<(u32, Finding)>> {
    let make = |batch: &[Asked]| Checker::new(tools, maker, folder, batch);
    let ask = |checker: &Checker, batch: &[Asked]| {
        parallel::map(batch, jobs, &progress, |asked| Ok((asked.mutant.id, checker.ask(asked.mutant, asked.limit)?)))
    };
    batches::in_batches(mutants, batches::MOST, make, ask)
}

/// The netlist with mutants as a graph.
struct Checker<'a> {
    tools: &'a Tools,
    folder: &'a Path,
    netlist: Netlist,
}

impl<'a> Checker<'a> {
    /// Makes the graph of the netlist with these mutants.
    fn new(tools: &'a Tools, maker: &Maker, folder: &'a Path, mutants: &[Asked]) -> Result<Checker<'a>> {
        let mutants: Vec<&Mutant> = mutants.iter().map(|asked| asked.mutant).collect();
        let text = graph::graph(tools, maker, folder, &mutants)?;
        Ok(Checker { tools, folder, netlist: Netlist::parse(&text).context("the graph that Yosys wrote")? })
    }

    /// Asks about one mutant: for at most about `limit` in the whole unit, and half of that in each part of it.
    fn ask(&self, mutant: &Mutant, limit: Duration) -> Result<Finding> {
        // In the graph there is one clock, which moves every latch.
        if mutant.is_of_a_clock() {
            return Ok(Finding::Open);
        }
        // Memories are cut out: of their mutants only those can be looked at that give something else when not read.
        let memories = match graph::MEMORIES.contains(&mutant.module.as_str()) {
            false => Vec::new(),
            true if prove::reads_in_vain(self.tools, self.folder, mutant)? => graph::memories(self.folder, mutant)?,
            true => return Ok(Finding::Open),
        };
        for view in view::parts(&mutant.module) {
            if self.sleeps(mutant.id, &memories, &view, limit / 10)?
                || self.follow(mutant.id, &memories, &view, limit / 2)? == Finding::Equivalent
            {
                return Ok(Finding::Equivalent);
            }
        }
        self.follow(mutant.id, &memories, &View::whole(), limit)
    }

    /// Which latches reset leaves with different values in the unit and in the mutant.
    fn apart_after_reset(&self, id: u32) -> Vec<bool> {
        let [unit, changed] = [0, id].map(|number| after_reset(&self.netlist, number));
        unit.iter().zip(&changed).map(|(a, b)| a != b).collect()
    }

    /// Whether it is proven that nothing ever differs at the places of the mutant.
    fn sleeps(&self, id: u32, memories: &[String], view: &View, limit: Duration) -> Result<bool> {
        let apart = self.apart_after_reset(id);
        let difference = Difference::new(&self.netlist, id, &apart, memories);
        let Some(awake) = difference.awake else { return Ok(false) };
        let script = view.proof(limit.as_secs().max(1));
        let answer = self.abc(&format!("differ{id}"), &difference, view, awake, &script)?;
        Ok(matches!(answer, Answer::Never))
    }

    /// Asks about one mutant, which may get anything from these memories when the unit does not read them, in a view of the
    /// unit, until there is an answer, or the time is over.
    fn follow(&self, id: u32, memories: &[String], view: &View, limit: Duration) -> Result<Finding> {
        let deadline = Instant::now() + limit;
        let mut apart = self.apart_after_reset(id);
        // What is read in vain does no harm when nobody looks at it.
        let read = Difference::new(&self.netlist, id, &apart, memories).only_reads().unwrap_or_default();
        let memories = [memories, &read].concat();
        while apart.iter().filter(|&&apart| apart).count() <= MOST_APART {
            let mut difference = Difference::new(&self.netlist, id, &apart, &memories);
            if difference.claims.is_empty() {
                return Ok(Finding::Equivalent);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let wrong = match self.check(id, &mut difference, view, left)? {
                Answer::Never => return Ok(Finding::Equivalent),
                Answer::Unknown => return Ok(Finding::Open),
                Answer::Trace(trace) => trace,
            };
            let (claims, witness) = witness::read(&difference, &wrong);
            let latches: Vec<usize> = claims.iter().filter_map(|claim: &&Claim| claim.latch).collect();
            match (claims.iter().find(|claim| claim.latch.is_none()), latches.is_empty()) {
                // With some latches cut out, a trace may be one that never happens.
                (Some(port), _) if view.is_whole() && memories.is_empty() => {
                    return Ok(Finding::Told(Witness { port: port.name.clone(), ..witness }));
                }
                // A trace that shows nothing would be asked for without end.
                (Some(_), _) | (None, true) => return Ok(Finding::Open),
                // With one bit of a register all of it: each question takes time.
                (None, false) => latches.into_iter().for_each(|latch| difference.set_apart(latch, &mut apart)),
            }
        }
        Ok(Finding::Open)
    }

    /// Asks whether a claim is ever wrong: first for a trace that is short, then for a proof, of the claims about one part
    /// of the unit after the other.
    fn check(&self, id: u32, difference: &mut Difference, view: &View, left: Duration) -> Result<Answer> {
        if left.is_zero() {
            return Ok(Answer::Unknown);
        }
        let end = Instant::now() + left;
        let seconds = |share: u32| (end.saturating_duration_since(Instant::now()) / share).as_secs();
        let (all, name) = (difference.bad, &format!("differ{id}"));
        if let trace @ Answer::Trace(_) = self.abc(name, difference, view, all, &view.bounded(seconds(4)))? {
            return Ok(trace);
        }
        let parts = difference.parts();
        for (number, &part) in parts.iter().enumerate() {
            let share = (parts.len() - number) as u32;
            match self.abc(name, difference, view, part, &view.proof(seconds(share)))? {
                Answer::Never => {}
                other => return Ok(other),
            }
        }
        Ok(Answer::Never)
    }

    /// Runs ABC on `bad`, with this script between what reads the graph and what writes the trace, in files of this name.
    fn abc(&self, name: &str, difference: &Difference, view: &View, bad: Lit, script: &Script) -> Result<Answer> {
        let Some(abc) = self.tools.abc.as_ref().filter(|_| script.seconds > 0) else { return Ok(Answer::Unknown) };
        let [graph, trace, log] = ["aig", "cex", "txt"].map(|suffix| format!("{name}.{suffix}"));
        let path = self.folder.join(&graph);
        let file = fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let cut = |node: usize| difference.names.get(&node).is_some_and(|name| !view.keeps(name));
        let inputs = aiger::write(&difference.aig, bad, cut, BufWriter::new(file))?;
        let _ = fs::remove_file(self.folder.join(&trace));
        let mut command = Command::new(abc);
        command.args(["-c", &format!("read_aiger {graph}; {}; write_cex -a {trace}", script.commands)]);
        command.current_dir(self.folder).stdin(Stdio::null()).stderr(Stdio::null());
        command.stdout(fs::File::create(self.folder.join(&log))?);
        let mut child = command.spawn().context("cannot run ABC")?;
        // It looks at the clock only now and then.
        if tools::ends(&mut child, Duration::from_secs(script.seconds + 30))?.is_none() {
            return Ok(Answer::Unknown);
        }
        let said = fs::read_to_string(self.folder.join(&log)).unwrap_or_default();
        if said.contains("Property proved") {
            return Ok(Answer::Never);
        }
        let text = fs::read_to_string(self.folder.join(&trace)).unwrap_or_default();
        // The start of all latches comes first, then a line for each cycle; a comment ends the last one.
        let text = text.split('#').next().unwrap_or_default();
        let cycles: Option<Vec<_>> =
            text.lines().skip(1).filter(|line| !line.is_empty()).map(|l| cycle(&inputs, l)).collect();
        Ok(cycles.filter(|cycles| !cycles.is_empty()).map_or(Answer::Unknown, Answer::Trace))
    }
}

/// The values of the inputs in a cycle; `None` if the line is something else.
fn cycle(inputs: &[usize], line: &str) -> Option<Vec<(usize, bool)>> {
    let bits: Option<Vec<bool>> = line.trim().bytes().map(bit).collect();
    let bits = bits.filter(|bits| bits.len() == inputs.len())?;
    Some(inputs.iter().copied().zip(bits).collect())
}

fn bit(byte: u8) -> Option<bool> {
    match byte {
        b'0' => Some(false),
        b'1' => Some(true),
        _ => None,
    }
}

/// What the checker says.
enum Answer {
    /// The output is 0 for ever.
    Never,
    /// The output is 1 in the last of these cycles, with these values of the inputs.
    Trace(Vec<Vec<(usize, bool)>>),
    /// It gave up.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutant::Change;
    use crate::mutate::netlist;
    use crate::mutate::select;
    use crate::mutate::source;
    use crate::mutate::tools::model_checker;
    use crate::unit::yosys::Yosys;

    /// A latch that starts with 0, takes `next` of itself and an input, and tells mutant 1 at a port when it is 1.
    fn netlist(next: (u32, u32), inverted: bool) -> Netlist {
        let lit = Lit::from_code;
        // Variables: 1 clk, 2 reset, 3 select, 4 data, 5 latch, 6 its next value, 7 the same after reset, 8 the port.
        Netlist {
            variables: 9,
            inputs: ["clk_i", "rst_ni", &format!("{}[0]", select::OUTPUT), "data_i"]
                .map(str::to_owned)
                .into_iter()
                .zip(1..)
                .map(|(name, variable)| (variable, name))
                .collect(),
            latches: vec![(5, lit(14), "q".into())],
            outputs: vec![(lit(16), "result_valid_o".into())],
            ands: vec![(6, lit(next.0), lit(next.1)), (7, lit(12 + u32::from(inverted)), lit(4)), (8, lit(6), lit(10))],
        }
    }

    fn tools() -> Tools {
        let abc = model_checker().expect("ABC runs, or is not named");
        assert!(abc.is_some(), "ABC is missing: run `make setup-lint`, which installs it");
        let yosys = Yosys::at(std::path::PathBuf::new());
        Tools { yosys, verible: None, makers: crate::unit::models::Makers::default(), abc }
    }

    fn ask(netlist: Netlist) -> Finding {
        ask_about(netlist, &of_port("Y"))
    }

    fn of_port(port: &str) -> Mutant {
        let line = format!("mutate -mode inv -module tl_dispatch -cell a -port {port} -portbit 0");
        netlist::parse(1, &line).expect("mutant")
    }

    fn connected(before: &str, after: &str) -> Mutant {
        let change = source::Change {
            file: "tl_top.sv".into(),
            line: 1,
            column: 1,
            kind: source::Kind::WrongSignal,
            before: before.into(),
            after: after.into(),
            name: String::new(),
            edits: Vec::new(),
        };
        Mutant { id: 1, module: "tl_top".into(), change: Change::Source(change) }
    }

    fn ask_about(netlist: Netlist, mutant: &Mutant) -> Finding {
        let (tools, folder) = (tools(), tempfile::tempdir().expect("folder"));
        let checker = Checker { tools: &tools, folder: folder.path(), netlist };
        checker.ask(mutant, Duration::from_secs(30)).expect("an answer")
    }

    #[test]
    fn a_port_that_only_a_state_shows_which_never_comes_is_equivalent() {
        // q & data: never 1.
        assert_eq!(ask(netlist((10, 8), false)), Finding::Equivalent);
    }

    #[test]
    fn a_graph_with_one_clock_says_nothing_about_a_clock() {
        let clocks = [of_port("CLK"), of_port("clk_i"), connected("clk_i", "killed"), connected("killed", "clk_i")];
        for mutant in clocks {
            assert_eq!(ask_about(netlist((10, 8), false), &mutant), Finding::Open, "{}", mutant.place());
        }
        let other = connected("killed", "taken");
        assert_eq!(ask_about(netlist((10, 8), false), &other), Finding::Equivalent);
    }

    #[test]
    fn a_state_that_comes_tells_the_mutant() {
        // q | data.
        let Finding::Told(witness) = ask(netlist((11, 9), true)) else { panic!("not told") };
        assert_eq!((witness.port.as_str(), witness.cycles), ("result_valid_o", 2));
    }
}
