// SPDX-License-Identifier: Apache-2.0
//! The places of a module where a mutant can be, and the mutants there. Only what is evaluated at run time is looked
//! at: no parameters, ranges, conditions of generate blocks or headers of loops, and no functions.

use std::collections::BTreeSet;
use std::ops::Range;

use super::module::{Inputs, Module, connections, driven};
use super::mutant::{Edit, Kind};
use super::operators;
use super::syntax::Node;

/// A place with its mutants: each is some edits at once.
#[derive(Clone, Debug)]
pub struct Site {
    pub kind: Kind,
    pub mutants: Vec<Vec<Edit>>,
}

/// Where an expression is used.
#[derive(Clone, Copy)]
struct Use<'a> {
    /// What it drives without a clock edge; none behind one.
    targets: Option<&'a BTreeSet<&'a str>>,
    /// In the part of a process that reset runs.
    reset: bool,
}

struct Walk<'a, 'm> {
    module: &'m Module<'a>,
    inputs: &'m Inputs<'a>,
    sites: Vec<Site>,
    /// What the statements before this one assign, in each of the blocks that it is in.
    assigned: Vec<Vec<String>>,
}

pub fn sites<'a>(module: &Module<'a>, inputs: &Inputs<'a>) -> Vec<Site> {
    let mut walk = Walk { module, inputs, sites: Vec::new(), assigned: Vec::new() };
    walk.item(module.items);
    walk.sites
}

/// The text without comments, on one line.
fn one_line(text: &str) -> String {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Whether an index has no signal in it: names of parameters begin with a capital.
fn is_constant(index: &Node, text: &str) -> bool {
    let names = index.all("kUnqualifiedId");
    names.iter().all(|name| name.text(text).starts_with(|first: char| first.is_ascii_uppercase()))
}

impl Walk<'_, '_> {
    fn item(&mut self, node: &Node) {
        let text = self.module.text;
        match node.tag.as_str() {
            "kLoopHeader"
            | "kGenerateIfHeader"
            | "kFunctionDeclaration"
            | "kTaskDeclaration"
            | "kParamDeclaration"
            | "kTypeDeclaration" => {}
            "kContinuousAssignmentStatement" => {
                for assignment in node.all("kNetVariableAssignment") {
                    let targets = driven(assignment, text);
                    let value = assignment.part("kExpression");
                    value
                        .into_iter()
                        .for_each(|value| self.expression(value, Use { targets: Some(&targets), reset: false }));
                }
            }
            "kAlwaysStatement" => self.process(node),
            "kDataDeclaration" => {
                // What depends on registers alone makes no loop through an instance.
                let none = BTreeSet::new();
                for (_, place) in connections(node, text, self.inputs).filter(|(is_input, _)| *is_input) {
                    self.expression(place, Use { targets: Some(&none), reset: false });
                }
            }
            _ => node.parts().for_each(|part| self.item(part)),
        }
    }

    fn process(&mut self, node: &Node) {
        let targets = driven(node, self.module.text);
        let Some(timing) = node.part("kProceduralTimingControlStatement") else {
            return node.parts().for_each(|part| self.statement(part, Use { targets: Some(&targets), reset: false }));
        };
        let used = Use { targets: None, reset: false };
        let with_reset = node.all("kEventExpression").len() > 1;
        let choice = node.all("kConditionalStatement").into_iter().next().filter(|_| with_reset);
        let Some(choice) = choice else {
            return timing.parts().for_each(|part| self.statement(part, used));
        };
        // The choice between reset and the rest has to stay what it is.
        if let Some(body) = choice.path(&["kIfClause", "kIfBody"]) {
            self.statement(body, Use { reset: true, ..used });
        }
        choice.part("kElseClause").into_iter().for_each(|rest| self.statement(rest, used));
    }

    fn statement(&mut self, node: &Node, used: Use) {
        match node.tag.as_str() {
            "kEventControl" | "kLoopHeader" | "kDataDeclaration" => {}
            "kIfHeader" => {
                let condition = node.path(&["kParenGroup", "kExpression"]);
                let Some((condition, range)) = condition.and_then(|it| Some((it, it.range()?))) else { return };
                self.expressions(Kind::ConstantIf, &range, ["1'b1", "1'b0"].map(str::to_owned).into());
                self.negation(condition);
                self.expression(condition, used);
            }
            "kCaseStatement" => {
                let selector = node.path(&["kParenGroup", "kExpression"]);
                selector.into_iter().for_each(|selector| self.expression(selector, used));
                let Some(list) = node.part("kCaseItemList") else { return };
                let bodies: Vec<&Node> = list.parts().filter_map(|item| item.parts().next_back()).collect();
                self.swap(&bodies);
                bodies.into_iter().for_each(|body| self.statement(body, used));
            }
            "kBlockItemStatementList" => {
                self.assigned.push(Vec::new());
                for part in node.parts() {
                    self.statement(part, used);
                    if let (Some(place), Some(last)) = (part.part("kLPValue"), self.assigned.last_mut()) {
                        last.push(one_line(place.text(self.module.text)));
                    }
                }
                self.assigned.pop();
            }
            "kNonblockingAssignmentStatement" | "kNetVariableAssignment" | "kAssignModifyStatement" => {
                let kind = if used.reset { Kind::DroppedReset } else { Kind::DroppedAssignment };
                if let Some(range) = node.range().filter(|_| used.targets.is_none() || self.has_value(node)) {
                    let edit = Edit { range, after: String::new(), spelling: None, statement: true };
                    self.sites.push(Site { kind, mutants: vec![vec![edit]] });
                }
                if used.targets.is_none() {
                    node.part("kLPValue").into_iter().for_each(|place| self.indices(place, used));
                }
                node.part("kExpression").into_iter().for_each(|value| self.expression(value, used));
            }
            _ => node.parts().for_each(|part| self.statement(part, used)),
        }
    }

    /// Whether what an assignment assigns has a value before: without one a process without a clock would keep the
    /// old one.
    fn has_value(&self, assignment: &Node) -> bool {
        let place = assignment.part("kLPValue").map(|place| one_line(place.text(self.module.text))).unwrap_or_default();
        let covers = |before: &String| {
            place.strip_prefix(before.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.assigned.iter().flatten().any(covers)
    }

    /// Each arm and the next one change places.
    fn swap(&mut self, bodies: &[&Node]) {
        let text = self.module.text;
        for pair in bodies.windows(2) {
            let (Some(first), Some(second)) = (pair[0].range(), pair[1].range()) else { continue };
            let [one, other] = [&first, &second].map(|range| one_line(&text[range.clone()]));
            if one != other {
                let edit = |range, after| Edit { range, after, spelling: None, statement: true };
                let mutant = vec![edit(first, other), edit(second, one)];
                self.sites.push(Site { kind: Kind::SwappedArms, mutants: vec![mutant] });
            }
        }
    }

    /// Notes that other expressions can take the place of what is in `range`.
    fn expressions(&mut self, kind: Kind, range: &Range<usize>, others: Vec<String>) {
        let edit = |after| vec![Edit { range: range.clone(), after, spelling: None, statement: false }];
        if !others.is_empty() {
            self.sites.push(Site { kind, mutants: others.into_iter().map(edit).collect() });
        }
    }

    /// The text of `range` with `other` in the place of `part`.
    fn with(&self, range: &Range<usize>, part: &Range<usize>, other: &str) -> String {
        let text = self.module.text;
        one_line(&format!("{}{other}{}", &text[range.start..part.start], &text[part.end..range.end]))
    }

    /// A condition that is a signal.
    fn negation(&mut self, node: &Node) {
        let inner = if node.is("kExpression") && node.parts().count() == 1 { node.parts().next() } else { Some(node) };
        let signal = inner.filter(|inner| inner.is("kFunctionCall") && inner.part("kReference").is_some());
        if let Some(range) = signal.and_then(Node::range) {
            let after = format!("!{}", one_line(&self.module.text[range.clone()]));
            self.expressions(Kind::Negation, &range, vec![after]);
        }
    }

    fn expression(&mut self, node: &Node, used: Use) {
        let text = self.module.text;
        let Some(range) = node.range() else { return };
        match node.tag.as_str() {
            "kBinaryExpression" => {
                for operator in node.parts().skip(1).step_by(2) {
                    let (kind, others) = operators::binary(operator.text(text));
                    let place = operator.range().unwrap_or_default();
                    self.expressions(
                        kind,
                        &range,
                        others.iter().map(|other| self.with(&range, &place, other)).collect(),
                    );
                }
                if node.parts().nth(1).is_some_and(|operator| ["&&", "||"].contains(&operator.text(text))) {
                    node.parts().step_by(2).for_each(|operand| self.negation(operand));
                }
                node.parts().step_by(2).for_each(|operand| self.expression(operand, used));
            }
            "kUnaryPrefixExpression" => {
                let Some((operator, operand)) = node.parts().next().zip(node.parts().nth(1)) else { return };
                let place = operator.range().unwrap_or_default();
                match operator.text(text) {
                    "!" => {
                        self.expressions(Kind::Negation, &range, vec![format!("!({})", one_line(&text[range.clone()]))])
                    }
                    "~" => self.expressions(Kind::Negation, &range, vec![one_line(operand.text(text))]),
                    other => {
                        let others = operators::reduction(other).iter().map(|other| self.with(&range, &place, other));
                        self.expressions(Kind::Operator, &range, others.collect());
                    }
                }
                self.expression(operand, used);
            }
            "kConditionExpression" => {
                let parts: Vec<&Node> = node.parts().collect();
                let [condition, _, one, _, other] = parts[..] else { return };
                let [chosen, first, second] = [condition, one, other].map(|part| one_line(part.text(text)));
                if first != second {
                    self.expressions(Kind::SwappedArms, &range, vec![format!("{chosen} ? {second} : {first}")]);
                }
                self.negation(condition);
                [condition, one, other].into_iter().for_each(|part| self.expression(part, used));
            }
            "kNumber" => self.expressions(Kind::Constant, &range, operators::by_one(&text[range.clone()])),
            "kFunctionCall" => match node.part("kReference") {
                Some(reference) => self.reference(reference, used),
                None => {
                    let arguments = node.path(&["kReferenceCallBase", "kParenGroup"]);
                    arguments.into_iter().for_each(|arguments| self.expression(arguments, used));
                }
            },
            // Their first parts are constants: a width, a count.
            "kCast" => node.parts().skip(1).for_each(|part| self.expression(part, used)),
            "kExpression" if node.parts().next().is_some_and(|first| first.is("{")) => {
                node.part("kConcatenationExpression").into_iter().for_each(|part| self.expression(part, used));
            }
            "kExpression"
            | "kParenGroup"
            | "kArgumentList"
            | "kConcatenationExpression"
            | "kOpenRangeList"
            | "kExpressionList" => node.parts().for_each(|part| self.expression(part, used)),
            _ => {}
        }
    }

    /// A signal, or a part of it.
    fn reference(&mut self, node: &Node, used: Use) {
        let text = self.module.text;
        let (Some(range), Some(root)) = (node.range(), node.part("kLocalRoot")) else { return };
        if self.module.is_block(root.text(text)) {
            return;
        }
        if let Some(place) = root.part("kUnqualifiedId").and_then(Node::range) {
            let others = self.module.others(&text[place.clone()], used.targets);
            let others = others.into_iter().map(|other| self.with(&range, &place, other)).collect();
            self.expressions(Kind::WrongSignal, &range, others);
        }
        let flat = root.part("kUnqualifiedId").is_some_and(|id| self.module.is_flat(id.text(text)));
        for part in node.parts().filter(|part| part.is("kDimensionScalar")) {
            let index = part.part("kExpressionList").filter(|index| is_constant(index, text));
            // Of a vector of bits or of a packed array.
            let last = part.range().is_some_and(|part| part.end == range.end);
            index.into_iter().for_each(|index| self.constant_index(index, &range, flat && last, used));
        }
        for part in node.parts().filter(|part| part.is("kDimensionSlice")) {
            let index = part.part("kExpression").filter(|index| is_constant(index, text));
            index.into_iter().for_each(|index| self.constant_index(index, &range, false, used));
        }
        self.indices(node, used);
    }

    /// An index of the reference in `range` that is the same at all times. All of the reference takes the place of
    /// it: then the index stays a constant, and Verilator refuses one that is out of range. Of one with a parameter
    /// it says so only where it is that of a slice, as which a `packed` one is spelt.
    fn constant_index(&mut self, index: &Node, range: &Range<usize>, packed: bool, used: Use) {
        let before = self.sites.len();
        self.expression(index, used);
        let mut found = self.sites.split_off(before);
        let place = index.range().filter(|_| packed);
        for edit in found.iter_mut().flat_map(|site| site.mutants.iter_mut().flatten()) {
            let slice = |place| format!("({})+:1", self.with(place, &edit.range, &edit.after));
            let spelling = place.as_ref().map(|place| self.with(range, place, &slice(place)));
            let after = self.with(range, &edit.range, &edit.after);
            *edit = Edit { range: range.clone(), after, spelling, statement: false };
        }
        self.sites.append(&mut found);
    }

    /// The indices of a place that are evaluated at run time.
    fn indices(&mut self, node: &Node, used: Use) {
        let text = self.module.text;
        for part in node.parts() {
            match part.tag.as_str() {
                "kDimensionScalar" => {
                    let index = part.part("kExpressionList").filter(|index| !is_constant(index, text));
                    index.into_iter().for_each(|index| self.expression(index, used));
                }
                // The second one is a width.
                "kDimensionSlice" => {
                    let index = part.part("kExpression").filter(|index| !is_constant(index, text));
                    index.into_iter().for_each(|index| self.expression(index, used));
                }
                "kReference" | "kConcatenationExpression" | "kOpenRangeList" | "kExpression" => {
                    self.indices(part, used)
                }
                _ => {}
            }
        }
    }
}
