// SPDX-License-Identifier: Apache-2.0
//! Which loads are in flight: an engine completes only what was dispatched to it, once, and a response of L1M comes to the
//! engine that asked for it.

use super::fifo::Fifo;
use super::{Fact, Unit, at};
use crate::mutate::sequential::aig::Lit;

/// Registers that make sure of it.
const ABOUT: &[&str] = &[
    "tag",
    "tensor_l1m_req",
    "u_l1m_owner",
    "u_load.accept_slot_q",
    "u_load.beat_mem",
    "u_load.beat_slot_q",
    "u_load.done_slot_q",
    "u_load.done_tag_q",
    "u_load.done_valid_q",
    "u_load.empty_q",
    "u_load.finishing_q",
    "u_load.tag_q",
    "u_load.u_beats.final_q",
    "u_load.u_beats.state_q",
    "u_load.u_notes",
    "u_load.u_rows.beat_slot_i",
    "u_load.u_words.head_q",
    "u_load.u_words.tail_q",
    "u_load.used_q",
    "u_load.walk_q",
    "u_matrix.beat",
    "u_matrix.load_done",
    "u_matrix.trap",
    "u_matrix.u_lines",
    "u_matrix.u_load",
];

/// A tag, and when it counts.
type Tagged = (Lit, Vec<Lit>);

/// All of it: the engines, then the port, then the tags; each needs what is before it.
pub fn in_flight(unit: &mut Unit) -> Option<Vec<Fact>> {
    let given = unit.given_tags()?;
    let (tensor, matrix) = (Tensor::new(unit)?, Matrix::new(unit)?);
    let engines = [tensor.wrong(unit)?, matrix.wrong(unit)?].concat();
    let port = port(unit, &tensor, &matrix)?;
    let mut tags = Vec::new();
    for (valid, tag) in tensor.tags().into_iter().chain(matrix.tags(unit)?) {
        let given = unit.named(&given, &tag);
        tags.push(unit.not_implied(valid, given));
    }
    let mut fact = |name: &str, wrong: Vec<Lit>| Fact { name: name.to_owned(), wrong: unit.any(wrong), about: ABOUT };
    Some(vec![
        fact("load engines complete each command once", engines),
        fact("L1M has one owner, who knows of all requests", port),
        fact("tags of loads are those of instructions", tags),
    ])
}

/// `tl_load`.
struct Tensor {
    /// Slots: used, beats to request.
    used: Vec<Lit>,
    walk: Vec<Lit>,
    /// Tags of the slots, and of what is complete.
    slot_tags: Vec<Vec<Lit>>,
    done_tag: Vec<Lit>,
    /// The slots that are accepted, requested, received, completed next.
    accept: Lit,
    beat: Lit,
    word: Lit,
    done: Lit,
    /// A command has all its words; it is complete.
    finishing: Lit,
    done_valid: Lit,
    /// A run of bytes; a request.
    run: Lit,
    request: Lit,
    /// States of `tl_load_beats`: no fault; its beat is on the way; slices behind it are dropped.
    walks: Lit,
    faults: Lit,
    drops: Lit,
    /// Beats whose words are due, and words that could not be used at once.
    notes: Fifo,
    words: Fifo,
}

impl Tensor {
    fn new(unit: &mut Unit) -> Option<Tensor> {
        let state = unit.bits("u_load.u_beats.state_q")?;
        let tags = unit.bits("u_load.tag_q")?;
        Some(Tensor {
            used: unit.bits("u_load.used_q")?,
            walk: unit.bits("u_load.walk_q")?,
            slot_tags: tags.chunks(tags.len() / 2).map(<[Lit]>::to_vec).collect(),
            done_tag: unit.bits("u_load.done_tag_q")?,
            accept: unit.bit("u_load.accept_slot_q")?,
            beat: unit.bit("u_load.beat_slot_q")?,
            word: unit.bit("u_load.u_rows.beat_slot_i")?,
            done: unit.bit("u_load.done_slot_q")?,
            finishing: unit.bit("u_load.finishing_q")?,
            done_valid: unit.bit("u_load.done_valid_q")?,
            run: unit.bit("u_load.beat_mem")?,
            request: unit.bit("tensor_l1m_req")?,
            walks: unit.is(&state, 0),
            faults: unit.is(&state, 1),
            drops: unit.is(&state, 2),
            notes: Fifo::new(unit, "u_load.u_notes")?,
            words: Fifo::new(unit, "u_load.u_words")?,
        })
    }

    /// A bit of the notes, from the highest one on: goes to the memory, fault, last of its command.
    fn note(&self, unit: &Unit, bit: usize) -> Option<Vec<Lit>> {
        self.notes.field(unit, self.notes.width(unit).checked_sub(1 + bit)?)
    }

    /// 1 when something is wrong with the commands, each.
    fn wrong(&self, unit: &mut Unit) -> Option<Vec<Lit>> {
        let [fault, last] = [self.note(unit, 1)?, self.note(unit, 2)?];
        let beat_walks = unit.named(&self.walk, &[self.beat]);
        let requests = unit.aig.and(beat_walks, self.walks);
        let other_walks = unit.named(&self.walk, &[!self.beat]);
        let some_state = unit.any([self.walks, self.faults, self.drops]);
        // Beats are those of a command, the older one of two.
        let mut wrong = vec![
            unit.not_implied(self.run, requests),
            unit.not_implied(!self.walks, beat_walks),
            unit.not_implied(other_walks, beat_walks),
            unit.not_implied(self.walk[0], self.used[0]),
            unit.not_implied(self.walk[1], self.used[1]),
            !some_state,
            self.notes.overflows(unit),
            self.words.overflows(unit),
        ];
        // Slots go round: after an even number of commands in work the next one goes where the next words go.
        let busy = unit.count([self.used[0], self.used[1], self.finishing]);
        wrong.push(odd(unit, [self.accept, self.word], &busy));
        // What finishes is the command that got its last word.
        let done_used = unit.named(&self.used, &[self.done]);
        let done_before = unit.aig.xor(self.done, self.word);
        let pairs = self.slot_tags[0].iter().zip(&self.slot_tags[1]);
        let tag: Vec<Lit> = pairs.map(|(&a, &b)| unit.named(&[a, b], &[self.done])).collect();
        let other_tag = unit.differ(&tag, &self.done_tag);
        let fine = unit.all([done_used, done_before, !other_tag]);
        wrong.push(unit.not_implied(self.finishing, fine));
        // There is one last note for each command that has sent all of them, in order.
        let mut sent = Vec::new();
        for slot in 0..2 {
            let [beats, finishes] = [self.beat, self.done].map(|at| at.inverted_if(slot == 0));
            let fault = unit.aig.and(beats, !self.walks);
            let all = unit.aig.or(!self.walk[slot], fault);
            let finishes = unit.aig.and(self.finishing, finishes);
            sent.push(unit.all([self.used[slot], all, !finishes]));
        }
        let lasts = self.notes.with(unit, &last);
        let commands = unit.count(sent.iter().copied());
        wrong.push(unit.differ(&lasts, &commands));
        let turn = odd(unit, [self.word, self.beat], &lasts);
        wrong.push(unit.aig.xor(turn, !self.walks));
        let [first, second] = [self.word, !self.word].map(|slot| unit.named(&sent, &[slot]));
        wrong.push(unit.not_implied(second, first));
        // A fault is the last note of the command that is at its beats.
        let same_slot = !unit.aig.xor(self.done, self.beat);
        let fine = unit.aig.and(self.finishing, same_slot);
        wrong.push(unit.not_implied(self.drops, fine));
        let faults = self.notes.with(unit, &fault);
        wrong.push(unit.differ(&faults, &[self.faults]));
        let both: Vec<Lit> = last.iter().zip(&fault).map(|(&last, &fault)| unit.aig.and(last, fault)).collect();
        let other = self.notes.newest_without(unit, &both);
        wrong.push(unit.aig.and(other, self.faults));
        let unfinished = self.notes.newest_without(unit, &last);
        wrong.push(unit.not_implied(unfinished, requests));
        Some(wrong)
    }

    /// 1 when something is in work.
    fn busy(&self, unit: &mut Unit) -> Lit {
        let [no_notes, no_words] = [self.notes.empty(unit), self.words.empty(unit)];
        let flags = [self.used[0], self.used[1], self.done_valid, self.finishing, self.request, self.run, !self.walks];
        unit.any(flags.into_iter().chain([!no_notes, !no_words]))
    }

    fn tags(&self) -> Vec<Tagged> {
        let slots = self.used.iter().copied().zip(self.slot_tags.iter().cloned());
        let done = [self.finishing, self.done_valid].map(|valid| (valid, self.done_tag.clone()));
        slots.chain(done).collect()
    }
}

/// `tl_matrix`, as far as it loads.
struct Matrix {
    /// A command that is walked, and whether it loads.
    valid: Lit,
    loads: Lit,
    /// The last word of a load has come.
    over: Lit,
    /// Commands that wait, and which words of it are loads.
    waiting: Fifo,
    waiting_load: Vec<Lit>,
    /// Beats whose words are due, and which words of it are the last ones of their commands.
    notes: Fifo,
    last: Vec<Lit>,
    /// Tags of the command that is walked and of the load that is over.
    tag: Vec<Lit>,
    over_tag: Vec<Lit>,
}

impl Matrix {
    fn new(unit: &mut Unit) -> Option<Matrix> {
        let tag_bits = unit.bits("tag")?.len();
        let waiting = Fifo::new(unit, "u_matrix.u_lines.u_waiting")?;
        // mx_cmd_t from the highest bit on: tag, store.
        let store = waiting.width(unit).checked_sub(tag_bits + 1)?;
        let valid = unit.bit("u_matrix.u_lines.valid_q")?;
        let stores = unit.bit(&format!("u_matrix.u_lines.cmd_q[{store}]"))?;
        let waiting_load = waiting.field(unit, store)?.into_iter().map(|store| !store).collect();
        let notes = Fifo::new(unit, "u_matrix.u_load.u_notes")?;
        let last = notes.field(unit, 0)?;
        Some(Matrix {
            valid,
            loads: unit.aig.and(valid, !stores),
            over: unit.bit("u_matrix.u_load.over_q")?,
            waiting,
            waiting_load,
            notes,
            last,
            tag: unit.slice("u_matrix.u_lines.cmd_q", store + 1, tag_bits)?,
            over_tag: unit.bits("u_matrix.u_load.tag_q")?,
        })
    }

    /// 1 when something is wrong with the commands, each.
    fn wrong(&self, unit: &mut Unit) -> Option<Vec<Lit>> {
        let line = |name: &str| unit.bit(&format!("u_matrix.u_lines.{name}"));
        let [inside, base, stride] = [line("in_memory_q")?, line("base_misaligned_q")?, line("stride_misaligned_q")?];
        let unfinished = self.notes.newest_without(unit, &self.last);
        let requests = unit.all([self.loads, inside, !base, !stride]);
        let full = *self.notes.count.last()?;
        Some(vec![
            unit.not_implied(unfinished, requests),
            unit.aig.and(self.over, full),
            self.waiting.overflows(unit),
            self.notes.overflows(unit),
        ])
    }

    fn tags(&self, unit: &Unit) -> Option<Vec<Tagged>> {
        let bits = self.tag.len();
        let waiting = self.waiting.tags(unit, self.waiting.width(unit).checked_sub(bits)?, bits)?;
        let notes = self.notes.tags(unit, self.notes.width(unit).checked_sub(bits)?, bits)?;
        let own = [(self.valid, self.tag.clone()), (self.over, self.over_tag.clone())];
        Some(own.into_iter().chain(waiting).chain(notes).collect())
    }
}

/// 1 when something is wrong with the port, each: its owner counts the loads in flight, the other engine has none, and as
/// many responses are to come as there are notes.
fn port(unit: &mut Unit, tensor: &Tensor, matrix: &Matrix) -> Option<Vec<Lit>> {
    let matrix_owns = unit.bit("u_l1m_owner.matrix_o")?;
    let count = unit.bits("u_l1m_owner.count_q")?;
    let pending = unit.pending.to_vec();
    let tensor_count = unit.count([tensor.used[0], tensor.used[1], tensor.done_valid]);
    let waiting = matrix.waiting.with(unit, &matrix.waiting_load);
    let lasts = matrix.notes.with(unit, &matrix.last);
    let matrix_count = unit.count([matrix.loads, matrix.over]);
    let matrix_count = unit.plus(&matrix_count, &waiting);
    let matrix_count = unit.plus(&matrix_count, &lasts);
    let memory = tensor.note(unit, 0)?;
    let due = tensor.notes.with(unit, &memory);
    let known = unit.plus(&pending, &[tensor.request]);
    let known = unit.plus(&known, &tensor.words.count);
    let tensor_busy = tensor.busy(unit);
    let no_notes = matrix.notes.empty(unit);
    let no_waiting = unit.is(&waiting, 0);
    let matrix_busy = unit.any([matrix.loads, matrix.over, !no_notes, !no_waiting]);
    let when_tensor = [unit.differ(&count, &tensor_count), unit.differ(&due, &known), matrix_busy];
    let when_matrix = [unit.differ(&count, &matrix_count), unit.differ(&pending, &matrix.notes.count), tensor_busy];
    let wrong = when_tensor.map(|wrong| unit.aig.and(wrong, !matrix_owns)).into_iter();
    Some(wrong.chain(when_matrix.map(|wrong| unit.aig.and(wrong, matrix_owns))).collect())
}

/// Whether the number of these that are 1, and a number, are odd together.
fn odd(unit: &mut Unit, lits: [Lit; 2], number: &[Lit]) -> Lit {
    let both = unit.aig.xor(lits[0], lits[1]);
    unit.aig.xor(both, at(number, 0))
}
