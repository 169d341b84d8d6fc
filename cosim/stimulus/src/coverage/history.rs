// SPDX-License-Identifier: Apache-2.0
//! What came before an instruction, and what was in flight with it.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::collections::VecDeque;

use golden::decode::{CsrInstruction, Decoded, Engine, Slices, decode};
use golden::{Csr, Machine, Outcome};

use super::facts::{self, Facts};
use super::names::OLDER;
use super::operation;
use super::values::*;
use crate::lockstep::stall::COUNTED;
use crate::unit::target::Target;

/// Instructions that are remembered, as many as can be in flight.
const REMEMBERED: usize = 16;

/// Instructions in which a CSR write is looked for: as many as the axis `Ago` has values.
const AGO: usize = 4;

/// The values of `SinceReset`, each with its first and its last cycle; a case can wait as long.
pub const SINCE_RESET: [(Value, [u32; 2]); 5] =
    [(SINCE_0, [0, 0]), (SINCE_1, [1, 31]), (SINCE_32, [32, 32]), (SINCE_33, [33, 33]), (SINCE_34, [34, COUNTED])];

/// An instruction of the unit that was issued and has not retired.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// The one before it had not retired when it was issued.
    close: bool,
    /// Number of instructions before it that had been dispatched and had not retired when it was dispatched.
    older: Option<usize>,
    /// It was dispatched before an older one had trapped.
    early: bool,
    /// It was issued when the host had seen a trap; when it resumed.
    late: Option<Value>,
    since_reset: Option<Value>,
    /// Its engine.
    engine: Option<Engine>,
}

/// An instruction of the unit that retired.
#[derive(Clone, Copy, Debug)]
struct Past {
    engine: Value,
    registers: [u64; 2],
    trapped: Option<Value>,
    csr: Option<Csr>,
    /// Of a load or store that completed and selected slices.
    slices: Option<Ran>,
}

/// The slices of a load or store.
#[derive(Clone, Copy, Debug)]
struct Ran {
    tl: u8,
    count: u32,
    /// Number and address of the first one.
    first: (u32, u64),
    /// Number of the last one, and the address behind it.
    last: (u32, u64),
}

/// The instructions around the one that retires.
#[derive(Clone, Debug, Default)]
pub struct History {
    pending: VecDeque<Pending>,
    past: VecDeque<Past>,
    /// Reads of strides of stores since the last write of one.
    strides_read: u32,
    /// The length of the reset, until the first instruction after it retires.
    after_reset: Option<Value>,
    /// What was at work when that reset came, until the first instruction that is for no CSR retires.
    interrupted: Option<Value>,
    reset_cycles: u32,
    /// The trap that the unit kills for, and how many it has killed.
    killer: Option<(Option<Value>, usize)>,
    /// One of those was a store that had been dispatched before.
    killed_store: bool,
}

impl History {
    /// After a reset of so many clock cycles.
    pub fn new(reset_cycles: u32) -> History {
        let after_reset = match reset_cycles {
            1 => RESET_1,
            2 => RESET_2,
            3 => RESET_3,
            _ => RESET_MORE,
        };
        History { after_reset: Some(after_reset), reset_cycles, ..History::default() }
    }

    /// An instruction was issued so many cycles after reset, in one in which the host set resume or not.
    pub fn issued(&mut self, decoded: Decoded, since_reset: u64, resume: bool) {
        let late = self.killer.map(|_| if resume { KILLED_RESUME } else { KILLED_LATE });
        let within = |&(_, [least, most]): &(Value, [u32; 2])| (least.into()..=most.into()).contains(&since_reset);
        let since_reset = SINCE_RESET.into_iter().find(within).map(|(value, _)| value);
        let (close, engine) = (!self.pending.is_empty(), decoded.engine());
        self.pending.push_back(Pending { close, late, since_reset, engine, ..Pending::default() });
    }

    /// The oldest instruction that had not been dispatched was.
    pub fn dispatched(&mut self) {
        let next = self.pending.iter_mut().enumerate().find(|(_, pending)| pending.older.is_none());
        if let Some((older, pending)) = next {
            pending.older = Some(older);
            pending.early = self.killer.is_none();
        }
    }

    /// The next instruction to retire was dispatched behind so many others that are in flight.
    pub fn assume(&mut self, older: usize) {
        self.pending.push_back(Pending { close: older > 0, older: Some(older), early: true, ..Pending::default() });
    }

    /// The oldest instruction was killed, and had begun to write or not: what is known of that.
    pub fn killed(&mut self, decoded: Decoded, begun: bool) -> Facts {
        let mut facts = Facts::default();
        let pending = self.pending.pop_front().unwrap_or_default();
        let Some((trapped, number)) = &mut self.killer else { return facts };
        *number += 1;
        let engine = decoded.engine().and_then(operation::engine_value).unwrap_or(G_ILLEGAL);
        facts.set(engine);
        if pending.early && self.killed_store {
            facts.set(BEHIND_STORE);
        }
        self.killed_store |= pending.early && engine == G_STORE;
        if let Decoded::Csr(instruction) = decoded
            && instruction.writes()
        {
            facts::csr_class(instruction.csr).into_iter().for_each(|class| facts.set(class));
        }
        facts.set(if begun { KILLED_BEGUN } else { pending.late.unwrap_or(KILLED_FLIGHT) });
        facts.set(match number {
            1 => KILLED_1,
            2 => KILLED_2,
            3..=7 => KILLED_3,
            _ => KILLED_8,
        });
        trapped.iter().for_each(|trapped| facts.set(Value { axis: Axis::Killer, ..*trapped }));
        facts
    }

    /// The unit executes instructions again.
    pub fn recovered(&mut self) {
        self.killer = None;
    }

    /// A reset: it interrupts the oldest instruction, if that was dispatched.
    pub fn reset(&mut self) {
        let oldest = self.pending.front().filter(|oldest| oldest.older.is_some());
        let interrupted = oldest.and_then(|oldest| interrupted(oldest.engine?));
        *self = History { interrupted, ..History::new(self.reset_cycles) };
    }

    /// An instruction retires that the model has executed: adds what is known of its neighbours to its facts.
    pub fn retired(&mut self, facts: &mut Facts, target: &Target, model: &Machine, word: u32, outcome: &Outcome) {
        let decoded = decode(word, &target.golden);
        let pending = self.pending.pop_front().unwrap_or_default();
        let illegal = facts.has(ILLEGAL);
        let engine =
            if illegal { Some(G_ILLEGAL) } else { decoded.engine().map_or(Some(G_ILLEGAL), operation::engine_value) };
        let Some(engine) = engine else { return self.past.clear() };
        let registers = if illegal { [0, 0] } else { facts::registers(decoded) };
        facts.set(engine);
        pending.since_reset.into_iter().for_each(|since_reset| facts.set(since_reset));
        self.interrupted.into_iter().for_each(|interrupted| facts.set(interrupted));
        self.interrupted = self.interrupted.filter(|_| engine == G_CSR);
        self.after_reset.take().into_iter().for_each(|after_reset| facts.set(after_reset));
        let slices = slices(facts, model, decoded);
        if let Some(slices) = slices {
            self.goes_on(facts, engine, slices, pending.older);
        }
        if let Some(before) = self.past.front() {
            if let Some(trapped) = before.trapped {
                facts.set(trapped);
            }
            if pending.close {
                facts.set(Value { axis: Axis::Before, ..before.engine });
                facts.set(hazard(before.registers, registers));
            }
        }
        if let Some(older) = pending.older {
            let engines = self.past.iter().take(older).map(|past| past.engine);
            let bits = engines.filter_map(|engine| OLDER.iter().position(|(_, older)| older.contains(&engine)));
            facts.set(Value { axis: Axis::Older, index: bits.fold(0, |set, bit| set | 1 << bit) });
            press(self.past.iter().take(older)).into_iter().for_each(|press| facts.set(press));
        }
        let looks_at: Box<dyn Fn(Csr) -> Option<Value>> = match decoded {
            Decoded::Tensor(tensor) => {
                let selected = facts::selected(model, tensor);
                Box::new(move |csr| facts::looks_at(tensor, csr, selected))
            }
            Decoded::Matrix(matrix) => Box::new(move |csr| facts::matrix::looks_at(matrix.transfer()?.1, csr)),
            Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => Box::new(|_| None),
        };
        let recent = self.past.iter().take(AGO).enumerate();
        if let Some((ago, wrote)) = recent.filter_map(|(ago, past)| Some((ago, looks_at(past.csr?)?))).next() {
            facts.set(wrote);
            facts.set(Value { axis: Axis::Ago, index: ago as u8 });
        }
        if outcome.trap.is_some() && target.rtl.precise {
            (self.killer, self.killed_store) = (Some((trapped(facts, decoded), 0)), false);
        }
        if self.strides_read >= 32 {
            facts.set(READS_32);
        }
        if let Decoded::Csr(CsrInstruction { csr: Csr::TstoreStride(_), .. }) = decoded {
            self.strides_read = if outcome.csr_write.is_some() { 0 } else { self.strides_read.saturating_add(1) };
        }
        self.past.truncate(REMEMBERED - 1);
        let csr = outcome.csr_write.and_then(|(address, _)| Csr::from_address(address));
        self.past.push_front(Past { engine, registers, trapped: trapped(facts, decoded), csr, slices });
    }

    /// Whether a load or store goes on where the one before it in its engine ended, and how much is in flight before
    /// it.
    fn goes_on(&self, facts: &mut Facts, engine: Value, slices: Ran, older: Option<usize>) {
        let of_engine = |past: &&Past| past.engine == engine;
        let Some(before) = self.past.iter().find(of_engine).and_then(|past| past.slices) else { return };
        let (number, end) = before.last;
        if slices.first == ((number + 1) % 32, end) {
            facts.set(if slices.tl == before.tl { GOES_ON_SAME } else { GOES_ON_OTHER });
        }
        if let Some(older) = older {
            let in_flight = self.past.iter().take(older).filter(of_engine).filter_map(|past| past.slices);
            facts.set(match in_flight.map(|slices| slices.count).sum() {
                0u32 => CROWD_NONE,
                1..=32 => CROWD_SOME,
                _ => CROWD_MORE,
            });
        }
    }
}

/// Of what many in flight have need at once.
fn press<'a>(past: impl Iterator<Item = &'a Past>) -> Option<Value> {
    let [mut xposes, mut writers, mut readers, mut stores] = [0; 4];
    for past in past {
        let [reads, writes] = past.registers.map(|set| set != 0);
        xposes += u32::from(past.engine == G_XPOSE);
        stores += u32::from(past.engine == G_STORE && reads);
        readers += u32::from(past.engine == G_MOVE && reads);
        writers += u32::from(past.engine == G_MOVE && writes && !reads);
    }
    match () {
        () if xposes > 0 && writers > 1 => Some(PRESS_WRITES),
        () if xposes > 0 && stores > 0 && readers > 0 => Some(PRESS_READS),
        () => None,
    }
}

/// The slices of a load or store that completed; none for everything else.
fn slices(facts: &Facts, model: &Machine, decoded: Decoded) -> Option<Ran> {
    let transfer = decoded.slice_transfer().filter(|_| facts.has(DONE))?;
    let Slices { bytes, addresses, .. } = Slices::of(model, transfer)?;
    let Decoded::Tensor(tensor) = decoded else { return None };
    let selected = facts::selected(model, tensor);
    let (first, last) = (*addresses.first()?, *addresses.last()?);
    Some(Ran {
        tl: transfer.tl,
        count: addresses.len() as u32,
        first: (selected.trailing_zeros(), first),
        last: (31 - selected.leading_zeros(), last.wrapping_add(bytes.into())),
    })
}

/// The value of an engine that works for more than a cycle, when a reset interrupts it.
fn interrupted(engine: Engine) -> Option<Value> {
    match engine {
        Engine::Load => Some(I_LOAD),
        Engine::Store => Some(I_STORE),
        Engine::Move => Some(I_MOVE),
        Engine::Xpose => Some(I_XPOSE),
        Engine::MatrixLoad => Some(I_MX_LOAD),
        Engine::MatrixStore => Some(I_MX_STORE),
        Engine::Host | Engine::Csr | Engine::MatrixConfig => None,
    }
}

/// The engine that the reset of this value interrupts.
pub fn interrupted_engine(of: Value) -> Option<Engine> {
    Engine::ALL.into_iter().find(|&engine| interrupted(engine) == Some(of))
}

/// The engine with this value; none for illegal instructions.
pub fn engine(of: Value) -> Option<Engine> {
    Engine::ALL.into_iter().find(|&engine| operation::engine_value(engine) == Some(of))
}

fn hazard([read_before, written_before]: [u64; 2], [read, written]: [u64; 2]) -> Value {
    if read & written_before != 0 {
        H_RAW
    } else if written & written_before != 0 {
        H_WAW
    } else if written & read_before != 0 {
        H_WAR
    } else {
        H_NONE
    }
}

/// The trap that an instruction took, for the one after it.
fn trapped(facts: &Facts, decoded: Decoded) -> Option<Value> {
    if facts.has(ILLEGAL) {
        return Some(T_ILLEGAL);
    }
    let [misaligned, outside, port] = match decoded.engine()? {
        Engine::Load => [T_LOAD_MIS, T_LOAD_OUT, T_LOAD_ERR],
        Engine::Store => [T_STORE_MIS, T_STORE_OUT, T_STORE_ERR],
        Engine::MatrixLoad => [T_MX_LOAD_MIS, T_MX_LOAD_OUT, T_MX_LOAD_ERR],
        Engine::MatrixStore => [T_MX_STORE_MIS, T_MX_STORE_OUT, T_MX_STORE_ERR],
        Engine::Host | Engine::Csr | Engine::Move | Engine::Xpose | Engine::MatrixConfig => return None,
    };
    let traps = [(MISALIGNED, misaligned), (OUTSIDE, outside), (PORT, port)];
    traps.into_iter().find(|(cause, _)| facts.has(*cause)).map(|(_, trapped)| trapped)
}
