// SPDX-License-Identifier: Apache-2.0
//! The places of a mutant in the graph: all that ever differs comes through them.

use super::aig::Lit;
use super::aiger::Netlist;

/// Variables through which everything comes that differs in a cycle, when all registers agree: for each place of the
/// mutant the next one behind which nothing else of it goes on. `sides` are the literals of all variables, without the
/// mutant and with it; `seen` is what must not differ. None when something of that differs in every cycle.
///
/// These are immediate post-dominators (T. Lengauer, R. Tarjan, "A fast algorithm for finding dominators in a flowgraph",
/// TOPLAS 1979; without cycles a walk from the end is enough).
pub fn places(netlist: &Netlist, sides: [&[Lit]; 2], seen: impl Iterator<Item = Lit>) -> Option<Vec<usize>> {
    let differs = |variable: usize| sides[0][variable] != sides[1][variable];
    let always = |variable: usize| differs(variable) && sides.iter().all(|side| side[variable].node() == 0);
    let varies = |variable: usize| differs(variable) && !always(variable);
    let end = netlist.variables;
    let mut ways = Ways { next: vec![None; end], length: vec![0; end + 1] };
    for variable in seen.map(Lit::node).filter(|&variable| differs(variable)) {
        if always(variable) {
            return None;
        }
        ways.next[variable] = Some(end);
    }
    for &(variable, a, b) in netlist.ands.iter().rev() {
        let Some(next) = ways.next[variable].filter(|_| varies(variable)) else { continue };
        ways.length[variable] = ways.length[next] + 1;
        for operand in [a.node(), b.node()].into_iter().filter(|&operand| varies(operand)) {
            ways.next[operand] = Some(ways.next[operand].map_or(variable, |other| ways.meet(other, variable)));
        }
    }
    let begins = |&&(variable, a, b): &&(usize, Lit, Lit)| varies(variable) && [a, b].iter().any(|x| always(x.node()));
    let place =
        |&(variable, ..): &(usize, Lit, Lit)| ways.next[variable].map(|next| if next == end { variable } else { next });
    let mut places: Vec<usize> = netlist.ands.iter().filter(begins).filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    Some(places)
}

/// The ways from each variable to what is seen.
struct Ways {
    /// The next variable that all of them have in common; the number behind the last variable is what is seen.
    next: Vec<Option<usize>>,
    /// How many such variables there are up to the end.
    length: Vec<usize>,
}

impl Ways {
    /// Where the ways of two variables meet.
    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let (longer, other) = if self.length[a] >= self.length[b] { (a, b) } else { (b, a) };
            let Some(next) = self.next[longer] else { return longer };
            (a, b) = (next, other);
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::sequential::aig::Aig;

    const SELECT: usize = 1;

    /// The places in a netlist of these ANDs, from variable 4 on, of which 1 selects the mutant, and 2 and 3 are inputs.
    fn places_of(ands: &[(u32, u32)], seen: &[u32]) -> Option<Vec<usize>> {
        let ands =
            (4..).zip(ands).map(|(variable, &(a, b))| (variable, Lit::from_code(a), Lit::from_code(b))).collect();
        let netlist = Netlist { variables: 16, ands, ..Netlist::default() };
        let mut aig = Aig::default();
        let inputs = [aig.input(), aig.input()];
        let mut side = |selected: bool| {
            let mut side = vec![Lit::FALSE; netlist.variables];
            (side[SELECT], side[2], side[3]) = (Lit::constant(selected), inputs[0], inputs[1]);
            for &(variable, a, b) in &netlist.ands {
                let [a, b] = [a, b].map(|lit| side[lit.node()].inverted_if(lit.inverted()));
                side[variable] = aig.and(a, b);
            }
            side
        };
        let (unit, mutant) = (side(false), side(true));
        places(&netlist, [&unit, &mutant], seen.iter().map(|&code| Lit::from_code(code)))
    }

    #[test]
    fn the_place_of_a_multiplexer_is_its_output() {
        // 4: select & x; 5: !select & y; 6: neither; 7 and 8 use it, and both are seen.
        let ands = [(2, 4), (3, 6), (9, 11), (12, 4), (13, 6)];
        assert_eq!(places_of(&ands, &[14, 16]), Some(vec![6]));
    }

    #[test]
    fn a_place_that_nothing_comes_together_behind_is_where_it_begins() {
        // 4: select & x is seen itself, and 5, which uses it, too.
        assert_eq!(places_of(&[(2, 4), (8, 6)], &[8, 10]), Some(vec![4]));
        assert_eq!(places_of(&[(2, 4), (8, 6)], &[10]), Some(vec![5]));
    }

    #[test]
    fn what_nobody_sees_is_no_place() {
        assert_eq!(places_of(&[(2, 4), (4, 6)], &[10]), Some(vec![]));
    }

    #[test]
    fn what_always_differs_has_no_place() {
        assert_eq!(places_of(&[(2, 4)], &[2]), None);
    }
}
