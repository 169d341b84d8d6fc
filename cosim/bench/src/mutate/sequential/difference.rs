// SPDX-License-Identifier: Apache-2.0
//! The unit and the unit with a mutant in one graph, with one output: they differ.
//!
//! A latch is there once, for both, unless it is one of those that are known to differ. What has to be shown is that
//! nothing else ever differs: neither what a shared latch takes, nor what a port or a memory is given. It is enough to
//! look at the cycle in which something differs for the first time, up to which sharing is right.

use std::collections::{BTreeMap, HashMap};

use super::aig::{Aig, Lit};
use super::aiger::Netlist;
use super::places::places;
use crate::mutate::select;

/// Bits of the count of requests without a response.
const PENDING_BITS: usize = 6;

/// What must not differ.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Signal.
    pub name: String,
    /// The latch, by its number in the netlist; none for a port.
    pub latch: Option<usize>,
    /// 1 when it differs.
    pub differs: Lit,
}

/// The graph.
#[derive(Debug)]
pub struct Difference {
    /// Logic.
    pub aig: Aig,
    /// 1 when a claim is wrong for the first time, and the environment kept to the rules of the ports so far.
    pub bad: Lit,
    /// The claims that are not true by structure.
    pub claims: Vec<Claim>,
    /// 1 when something differs at a place of the mutant, and the environment kept to the rules so far; none when that
    /// says nothing of the claims.
    pub awake: Option<Lit>,
    /// Inputs and outputs of the unit, by name.
    pub ports: HashMap<String, Lit>,
    /// Latches that both share, by node, as far as they have names.
    pub names: HashMap<usize, String>,
    /// The register, or array of registers, that a latch is a bit of, by the number of the latch, as far as it has a name.
    pub registers: Vec<Option<String>>,
}

/// The values of all latches right after reset: `None` for those that it leaves alone. Reset is asynchronous and held for a clock
/// edge: what it sets is set before that edge, with which the other latches take what follows from it.
pub fn after_reset(netlist: &Netlist, mutant: u32) -> Vec<Option<bool>> {
    let value = |values: &[Option<bool>], lit: Lit| values[lit.node()].map(|value| value != lit.inverted());
    let mut latches = vec![None; netlist.latches.len()];
    for _ in 0..2 {
        let mut values: Vec<Option<bool>> = vec![None; netlist.variables];
        values[0] = Some(false);
        for (variable, name) in &netlist.inputs {
            values[*variable] = fixed(name, mutant, false);
        }
        for (&(variable, ..), &known) in netlist.latches.iter().zip(&latches) {
            values[variable] = known;
        }
        for &(variable, a, b) in &netlist.ands {
            values[variable] = match (value(&values, a), value(&values, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        latches = netlist.latches.iter().map(|&(_, next, _)| value(&values, next)).collect();
    }
    latches
}

/// The value of an input that is the same in all cycles; `running` is the reset, which is active low.
fn fixed(name: &str, mutant: u32, running: bool) -> Option<bool> {
    match name {
        "clk_i" => Some(false),
        "rst_ni" => Some(running),
        _ => {
            // The source has one in each module that a mutant is in.
            let (instance, bit) = name.rsplit_once(select::OUTPUT)?;
            let bit: u32 = bit.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
            (bit < select::BITS && (instance.is_empty() || instance.ends_with('.'))).then_some(mutant >> bit & 1 == 1)
        }
    }
}

/// Both sides of the graph, while it is made.
struct Sides<'a> {
    netlist: &'a Netlist,
    aig: Aig,
    /// Literals of the netlist's variables: without the mutant, and with it.
    unit: Vec<Lit>,
    mutant: Vec<Lit>,
    outputs: HashMap<&'a str, Lit>,
    claims: Vec<Claim>,
}

impl Difference {
    /// `bad` in parts that are easier to prove: one for the registers of each instance in the unit, and one for the rest.
    pub fn parts(&mut self) -> Vec<Lit> {
        let mut instances: BTreeMap<&str, Vec<Lit>> = BTreeMap::new();
        for claim in &self.claims {
            let instance = claim.name.split_once('.').map_or("", |(instance, _)| instance);
            instances.entry(instance).or_default().push(claim.differs);
        }
        let (aig, bad) = (&mut self.aig, self.bad);
        let part = |claims: Vec<Lit>| {
            let wrong = aig.any(claims);
            aig.and(bad, wrong)
        };
        instances.into_values().map(part).collect()
    }

    /// Notes that this latch may differ, and with it all of its register, or array of registers, that there is a claim about.
    pub fn set_apart(&self, latch: usize, apart: &mut [bool]) {
        apart[latch] = true;
        let Some(register) = &self.registers[latch] else { return };
        let claimed = self.claims.iter().filter_map(|claim| claim.latch);
        claimed.filter(|&other| self.registers[other].as_ref() == Some(register)).for_each(|other| apart[other] = true);
    }

    /// The memories that `mutant` may read when the unit does not, when that is all that it does at first.
    pub fn only_reads(&self) -> Option<Vec<String>> {
        let memory = |claim: &Claim| Some(claim.name.strip_suffix(".re_i")?.to_owned());
        self.claims.iter().map(memory).collect()
    }

    /// The graph for `mutant`, when the latches of `apart` may differ. The mutant may read these memories when the unit does
    /// not, and gets anything from them in each cycle after one in which the unit did not read.
    pub fn new(netlist: &Netlist, mutant: u32, apart: &[bool], memories: &[String]) -> Difference {
        let mut aig = Aig::default();
        let starting = aig.latch(true);
        aig.set_next(starting, Lit::FALSE);
        let [unit_start, mutant_start] = [0, mutant].map(|mutant| after_reset(netlist, mutant));
        let mut unit = vec![Lit::FALSE; netlist.variables];
        for (variable, name) in &netlist.inputs {
            unit[*variable] = fixed(name, 0, true).map_or_else(|| aig.input(), Lit::constant);
        }
        let mut other = unit.clone();
        for (variable, name) in &netlist.inputs {
            if let Some(value) = fixed(name, mutant, true) {
                other[*variable] = Lit::constant(value);
            }
        }
        let reads: Vec<(String, Lit)> = memories.iter().map(|memory| (memory.clone(), aig.latch(false))).collect();
        for (variable, name) in &netlist.inputs {
            let read =
                split(name).0.strip_suffix(".rdata_o").and_then(|of| reads.iter().find(|(memory, _)| memory == of));
            if let Some(&(_, read)) = read {
                let anything = aig.input();
                other[*variable] = aig.mux(read, unit[*variable], anything);
            }
        }
        // A latch and what it gives: `any` in the first cycle when reset leaves it alone.
        let latch = |aig: &mut Aig, start: Option<bool>, any: Lit| match start {
            Some(value) => [aig.latch(value); 2],
            None => {
                let q = aig.latch(false);
                [q, aig.mux(starting, any, q)]
            }
        };
        let mut registers = Vec::with_capacity(netlist.latches.len());
        for (number, &(variable, ..)) in netlist.latches.iter().enumerate() {
            // Both wake up in the same state.
            let any = aig.input();
            let [q, gives] = latch(&mut aig, unit_start[number], any);
            (unit[variable], other[variable]) = (gives, gives);
            let own = apart[number].then(|| latch(&mut aig, mutant_start[number], any));
            if let Some([_, gives]) = own {
                other[variable] = gives;
            }
            registers.push((q, own.map(|[q, _]| q)));
        }
        let outputs = netlist.outputs.iter().map(|(lit, name)| (name.as_str(), *lit)).collect();
        let mut sides = Sides { netlist, aig, unit, mutant: other, outputs, claims: Vec::new() };
        sides.logic();
        sides.latches(&registers);
        sides.outputs(memories);
        for (memory, read) in reads {
            let now = sides.output(&format!("{memory}.re_i")).unwrap_or(Lit::FALSE);
            sides.aig.set_next(read, now);
        }
        let names = sides.names(&registers);
        let fine = sides.responses();
        let allowed = sides.environment(fine);
        // Registers that differ may be what a difference comes from, and so may a memory.
        let shared = !apart.contains(&true) && memories.is_empty();
        let awake = sides.places().filter(|_| shared).map(|places| {
            let differs = places.iter().map(|&place| sides.aig.xor(sides.unit[place], sides.mutant[place])).collect();
            let differs = sides.aig.any(differs);
            sides.aig.and(differs, allowed)
        });
        let ports = sides.ports();
        let register = |(q, _): &(Lit, _)| names.get(&q.node()).map(|name: &String| array(name).to_owned());
        let registers = registers.iter().map(register).collect();
        let Sides { mut aig, claims, .. } = sides;
        let wrong = aig.any(claims.iter().map(|claim| claim.differs).collect());
        let bad = aig.and(wrong, allowed);
        Difference { aig, bad, claims, awake, ports, names, registers }
    }
}

fn at(map: &[Lit], lit: Lit) -> Lit {
    map[lit.node()].inverted_if(lit.inverted())
}

impl Sides<'_> {
    fn logic(&mut self) {
        for &(variable, a, b) in &self.netlist.ands {
            self.unit[variable] = self.aig.and(at(&self.unit, a), at(&self.unit, b));
            self.mutant[variable] = self.aig.and(at(&self.mutant, a), at(&self.mutant, b));
        }
    }

    fn claim(&mut self, name: &str, latch: Option<usize>, differs: Lit) {
        if differs != Lit::FALSE {
            self.claims.push(Claim { name: name.to_owned(), latch, differs });
        }
    }

    fn latches(&mut self, registers: &[(Lit, Option<Lit>)]) {
        for (number, ((_, next, name), &(q, own))) in self.netlist.latches.iter().zip(registers).enumerate() {
            let (unit, mutant) = (at(&self.unit, *next), at(&self.mutant, *next));
            self.aig.set_next(q, unit);
            match own {
                Some(own) => self.aig.set_next(own, mutant),
                None => {
                    let differs = self.aig.xor(unit, mutant);
                    self.claim(name, Some(number), differs);
                }
            }
        }
    }

    /// The value of an output of the unit without the mutant, if there is such an output.
    fn output(&self, name: &str) -> Option<Lit> {
        self.outputs.get(name).map(|&lit| at(&self.unit, lit))
    }

    fn outputs(&mut self, read_freely: &[String]) {
        for (lit, name) in self.netlist.outputs.iter().filter(|(_, name)| is_seen(name)) {
            let (unit, mutant) = (at(&self.unit, *lit), at(&self.mutant, *lit));
            let mut differs = match name.strip_suffix(".re_i") {
                Some(memory) if read_freely.iter().any(|free| free == memory) => self.aig.and(unit, !mutant),
                _ => self.aig.xor(unit, mutant),
            };
            for valid in valid_with(name) {
                if let Some(valid) = self.output(&valid) {
                    differs = self.aig.and(differs, valid);
                }
            }
            if let Some(valid) = self.writes_bytes(name) {
                differs = self.aig.and(differs, valid);
            }
            self.claim(name, None, differs);
        }
    }

    /// Whether a memory with an enable for each byte is written, when this is its address.
    fn writes_bytes(&mut self, name: &str) -> Option<Lit> {
        let bytes = format!("{}.be_i", split(name).0.strip_suffix(".waddr_i")?);
        let enables = self.netlist.outputs.iter().filter(|(_, name)| split(name).0 == bytes);
        let enables: Vec<Lit> = enables.map(|&(lit, _)| at(&self.unit, lit)).collect();
        (!enables.is_empty()).then(|| self.aig.any(enables))
    }

    /// Where the mutant is.
    fn places(&self) -> Option<Vec<usize>> {
        let registers = self.netlist.latches.iter().map(|&(_, next, _)| next);
        let shown = self.netlist.outputs.iter().filter(|(_, name)| is_seen(name)).map(|&(lit, _)| lit);
        places(self.netlist, [&self.unit, &self.mutant], registers.chain(shown))
    }

    /// 1 while all of this was fine so far.
    fn environment(&mut self, fine: Vec<Lit>) -> Lit {
        let broken = self.aig.latch(false);
        let wrong = fine.into_iter().map(|fine| !fine).chain([broken]).collect();
        let allowed = !self.aig.any(wrong);
        self.aig.set_next(broken, !allowed);
        allowed
    }

    /// Responses come for requests only.
    fn responses(&mut self) -> Vec<Lit> {
        let mut fine = Vec::new();
        for port in ["l1m", "l0m"] {
            let (Some(request), Some(grant), Some(response)) = (
                self.output(&format!("{port}_req_o")),
                self.input(&format!("{port}_gnt_i")),
                self.input(&format!("{port}_rvalid_i")),
            ) else {
                continue;
            };
            let taken = self.aig.and(request, grant);
            let pending = self.pending(taken, response);
            let some = self.aig.any(pending);
            fine.push(self.aig.or(!response, some));
        }
        fine
    }

    /// Requests without a response: a count of them, and whether it has overflowed, as its highest bit.
    fn pending(&mut self, taken: Lit, response: Lit) -> Vec<Lit> {
        let aig = &mut self.aig;
        let count: Vec<Lit> = (0..PENDING_BITS).map(|_| aig.latch(false)).collect();
        let lost = aig.latch(false);
        let (mut carry, mut borrow) = (aig.and(taken, !response), aig.and(response, !taken));
        for &bit in &count {
            let changed = aig.or(carry, borrow);
            let next = aig.xor(bit, changed);
            aig.set_next(bit, next);
            carry = aig.and(carry, bit);
            borrow = aig.and(borrow, !bit);
        }
        let gives_up = aig.or(lost, carry);
        aig.set_next(lost, gives_up);
        count.into_iter().chain([lost]).collect()
    }

    fn input(&self, name: &str) -> Option<Lit> {
        self.netlist.inputs.iter().find(|(_, input)| input == name).map(|&(variable, _)| self.unit[variable])
    }

    /// A register has its name from the output that shows it.
    fn names(&self, registers: &[(Lit, Option<Lit>)]) -> HashMap<usize, String> {
        let shown: HashMap<usize, usize> = self
            .netlist
            .latches
            .iter()
            .enumerate()
            .map(|(n, (variable, ..))| (self.unit[*variable].node(), n))
            .collect();
        let mut names: HashMap<usize, String> = HashMap::new();
        for (lit, name) in &self.netlist.outputs {
            if let Some(&number) = shown.get(&at(&self.unit, *lit).node()) {
                names.entry(registers[number].0.node()).or_insert_with(|| name.clone());
            }
        }
        for ((_, _, name), (q, _)) in
            self.netlist.latches.iter().zip(registers).filter(|((_, _, name), _)| !name.is_empty())
        {
            names.entry(q.node()).or_insert_with(|| name.clone());
        }
        names
    }

    fn ports(&self) -> HashMap<String, Lit> {
        let inputs = self.netlist.inputs.iter().map(|(variable, name)| (name.clone(), self.unit[*variable]));
        let outputs = self.netlist.outputs.iter().map(|(lit, name)| (name.clone(), at(&self.unit, *lit)));
        inputs.chain(outputs).collect()
    }
}

/// The name of a port without its bit, and the bit.
fn split(name: &str) -> (&str, Option<usize>) {
    match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((port, bit)) => (port, bit.parse().ok()),
        None => (name, None),
    }
}

/// The name of a register without bit and index.
fn array(name: &str) -> &str {
    let last = name.rfind('.').map_or(0, |dot| dot + 1);
    name[last..].find('[').map_or(name, |index| &name[..last + index])
}

/// What a memory is given.
const MEMORY_PORTS: [&str; 6] = ["we_i", "be_i", "waddr_i", "wdata_i", "re_i", "raddr_i"];

/// Ports of the unit and of its memories; all other outputs of the graph are registers.
fn is_seen(name: &str) -> bool {
    match split(name).0.rsplit_once('.') {
        Some((_, port)) => MEMORY_PORTS.contains(&port),
        None => split(name).0.ends_with("_o"),
    }
}

/// The outputs that say that this one counts: for the ports of the unit by its interface, for those of a memory by what
/// a memory does.
fn valid_with(name: &str) -> Vec<String> {
    let (port, bit) = split(name);
    let byte = bit.unwrap_or(0) / 8;
    let when = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match port {
        "result_cause_o" => when(&["result_valid_o", "result_trap_o"]),
        _ if port.starts_with("result_") && port != "result_valid_o" => when(&["result_valid_o"]),
        "l1m_addr_o" => when(&["l1m_req_o"]),
        "l0m_addr_o" | "l0m_be_o" => when(&["l0m_req_o"]),
        "l0m_wdata_o" => vec!["l0m_req_o".to_owned(), format!("l0m_be_o[{byte}]")],
        _ => match port.rsplit_once('.') {
            // Of the two memories one has an enable, the other one for each byte: the name that is not there is left out.
            Some((memory, "wdata_i")) => vec![format!("{memory}.we_i"), format!("{memory}.be_i[{byte}]")],
            Some((memory, "waddr_i")) => vec![format!("{memory}.we_i")],
            Some((memory, "raddr_i")) => vec![format!("{memory}.re_i")],
            _ => Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_count_when_they_are_valid() {
        assert_eq!(valid_with("l0m_wdata_o[17]"), ["l0m_req_o", "l0m_be_o[2]"]);
        assert_eq!(valid_with("u_a.u_ram.wdata_i[9]"), ["u_a.u_ram.we_i", "u_a.u_ram.be_i[1]"]);
        assert_eq!(valid_with("result_cause_o[3]"), ["result_valid_o", "result_trap_o"]);
        assert_eq!(valid_with("result_tval_o[3]"), ["result_valid_o"]);
        assert!(valid_with("issue_ready_o").is_empty() && valid_with("u_ram.re_i").is_empty());
        assert!(is_seen("l1m_req_o") && is_seen("u_a.gen_bank[1].u_ram.wdata_i[3]"));
        assert!(!is_seen("u_ram.tl_mutant[3]") && !is_seen("u_a.busy_o") && !is_seen("tshape[2]"));
    }

    /// A latch that is set by an input, and an output that shows it when the unit is valid; mutant 1 inverts what the
    /// latch takes.
    fn netlist(shown: bool) -> Netlist {
        // Variables: 1 clk, 2 reset, 3 select bit 0, 4 data, 5 latch; 6, 7, 8: data ^ select; 9: & reset.
        let lit = |code| Lit::from_code(code);
        Netlist {
            variables: 10,
            inputs: vec![
                (1, "clk_i".into()),
                (2, "rst_ni".into()),
                (3, format!("{}[0]", select::OUTPUT)),
                (4, "data_i".into()),
            ],
            latches: vec![(5, lit(18), "q".into())],
            outputs: vec![(lit(10), "result_data_o".into()), (lit(u32::from(shown)), "result_valid_o".into())],
            ands: vec![(6, lit(6), lit(9)), (7, lit(7), lit(8)), (8, lit(13), lit(15)), (9, lit(17), lit(4))],
        }
    }

    #[test]
    fn a_latch_that_takes_another_value_is_claimed_and_then_followed() {
        let netlist = netlist(true);
        assert_eq!(after_reset(&netlist, 0), [Some(false)]);
        let first = Difference::new(&netlist, 1, &[false], &[]);
        let names: Vec<(&str, Option<usize>)> = first.claims.iter().map(|c| (c.name.as_str(), c.latch)).collect();
        assert_eq!(names, [("q", Some(0))]);
        let second = Difference::new(&netlist, 1, &[true], &[]);
        assert_eq!((second.claims.len(), second.claims[0].name.as_str()), (1, "result_data_o"));
    }

    #[test]
    fn what_is_never_valid_is_not_claimed() {
        assert!(Difference::new(&netlist(false), 1, &[true], &[]).claims.is_empty());
        assert!(Difference::new(&netlist(true), 0, &[false], &[]).claims.is_empty());
    }

    /// Mutant 1 reads a memory that the unit does not read; `shown` says whether a port looks at what it gives.
    fn reading_in_vain(shown: bool) -> Vec<String> {
        let lit = Lit::from_code;
        let names = ["clk_i", "rst_ni", &format!("{}[0]", select::OUTPUT), "u_ram.rdata_o[0]"];
        let netlist = Netlist {
            variables: 5,
            inputs: (1..).zip(names.map(str::to_owned)).collect(),
            outputs: vec![
                (lit(6), "u_ram.re_i".into()),
                (if shown { lit(8) } else { Lit::FALSE }, "result_valid_o".into()),
            ],
            ..Netlist::default()
        };
        let memories = Difference::new(&netlist, 1, &[], &[]).only_reads().expect("it reads");
        assert_eq!(memories, ["u_ram"]);
        Difference::new(&netlist, 1, &[], &memories).claims.into_iter().map(|claim| claim.name).collect()
    }

    #[test]
    fn a_read_in_vain_is_harmless_only_when_nobody_looks_at_it() {
        assert!(reading_in_vain(false).is_empty());
        assert_eq!(reading_in_vain(true), ["result_valid_o"]);
    }
}
