// SPDX-License-Identifier: Apache-2.0
//! The instructions in flight: fetched, not retired yet.

use std::collections::VecDeque;

use golden::Trap;
use golden::decode::{Decoded, Engine, Register};
use serde::{Deserialize, Serialize};

/// Values of host registers that go to the unit with an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operands {
    /// The register that the instruction names in [11:7] or [19:15]. Where it names none there, x[19:15], which is not
    /// awaited: it may be the value before the result of an older instruction.
    pub rs: u64,
    /// x[24:20], awaited where the instruction names it.
    pub rs2: u64,
}

/// An instruction that was fetched and has not retired.
#[derive(Clone, Copy)]
pub struct Instruction {
    /// Number in the program, from 0 after a reset.
    pub index: u64,
    /// Byte address.
    pub pc: u32,
    pub word: u32,
    /// The engine that executes it; none when it is no instruction.
    pub engine: Option<Engine>,
    /// The host register that it may write.
    pub result_register: u8,
    /// Values of the host registers that it names.
    pub operands: Operands,
    /// Clock cycle in which the host executed it or the unit took it.
    pub issued: u64,
    pub stall_seed: u32,
    /// Part of a program that the host fetches; else of a stream.
    pub in_program: bool,
    /// Whose it is, and how far it is.
    pub state: State,
}

/// Where an instruction is executed, and how far it is.
#[derive(Clone, Copy)]
pub enum State {
    /// The host has executed it: the register that it wrote, or its trap.
    Host(Option<(u8, u32)>, Option<Trap>),
    /// The unit has taken it under this id.
    Issued(u8),
    /// The unit has killed it: it must be issued again.
    Killed,
}

impl Instruction {
    /// Under which the unit has it.
    pub fn id(&self) -> Option<u8> {
        match self.state {
            State::Issued(id) => Some(id),
            State::Host(..) | State::Killed => None,
        }
    }

    /// It is a store of the unit.
    pub fn is_store(&self) -> bool {
        is_store(self.engine)
    }

    /// It may change CSRs of the unit.
    pub fn changes_csrs(&self) -> bool {
        matches!(self.engine, Some(Engine::Csr | Engine::MatrixConfig))
    }

    /// The unit has killed it, and it must be issued again.
    pub fn is_killed(&self) -> bool {
        matches!(self.state, State::Killed)
    }
}

/// Whether what this engine executes is a store.
pub fn is_store(engine: Option<Engine>) -> bool {
    matches!(engine, Some(Engine::Store | Engine::MatrixStore))
}

/// The host register that an instruction of the unit may write.
pub fn result_register(instruction: Decoded) -> u8 {
    let host = |register| if let Register::X(number) = register { Some(number) } else { None };
    instruction.operands().writes().find_map(host).unwrap_or(0)
}

/// What the host may have to wait for: a summary of the instructions that the unit has taken and has not retired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    pub any: bool,
    pub loads: bool,
    pub stores: bool,
    /// The host registers that they will write, one bit each.
    registers: u32,
}

impl Outstanding {
    /// Of the unit's instructions of the program, killed ones included, and of those that the program has left: their
    /// answers are awaited, but they write nothing. Each with its engine and the host register that it may write.
    pub fn new(
        program: impl Iterator<Item = (Option<Engine>, u8)>,
        dropped: impl Iterator<Item = Option<Engine>>,
    ) -> Outstanding {
        let mut all = Outstanding::default();
        for (engine, register) in program {
            all.add(engine);
            all.registers |= 1 << register & !1;
        }
        dropped.for_each(|engine| all.add(engine));
        all
    }

    fn add(&mut self, engine: Option<Engine>) {
        self.any = true;
        self.loads |= matches!(engine, Some(Engine::Load | Engine::MatrixLoad));
        self.stores |= is_store(engine);
    }

    pub fn busy(&self, register: u8) -> bool {
        self.registers >> register & 1 == 1
    }

    /// Whether the unit can take the word: its result register is not waiting for an older result.
    pub fn may_issue(&self, instruction: Decoded) -> bool {
        !self.busy(result_register(instruction))
    }
}

/// All instructions in flight, oldest first.
#[derive(Default)]
pub struct InFlight {
    queue: VecDeque<Instruction>,
    /// The unit still has them, but the program has left them: it has gone to its trap handler.
    dropped: VecDeque<Instruction>,
    /// Instructions that have left the queue since the last reset.
    retired: u64,
}

impl InFlight {
    pub fn oldest(&self) -> Option<&Instruction> {
        self.queue.front()
    }

    /// Those of the program behind the oldest one.
    pub fn younger(&self) -> impl Iterator<Item = &Instruction> + Clone {
        self.queue.iter().skip(1)
    }

    /// Those that the unit has taken and not answered, in the order in which it must answer them.
    pub fn unanswered(&self) -> impl Iterator<Item = &Instruction> {
        self.dropped.iter().chain(self.queue.iter().filter(|entry| entry.id().is_some()))
    }

    /// Those that the next result may have to wait for: what the unit has left to answer, and the oldest of the program
    /// or `all` of it.
    pub fn awaited(&self, all: bool) -> impl Iterator<Item = &Instruction> {
        self.dropped.iter().chain(self.queue.iter().take(if all { usize::MAX } else { 1 }))
    }

    /// Nothing of the program is in flight.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether killed ones wait to be issued again.
    pub fn any_killed(&self) -> bool {
        self.queue.iter().any(Instruction::is_killed)
    }

    /// What the host may have to wait for.
    pub fn outstanding(&self) -> Outstanding {
        let unit = self.queue.iter().filter(|entry| !matches!(entry.state, State::Host(..)));
        let unit = unit.map(|entry| (entry.engine, entry.result_register));
        Outstanding::new(unit, self.dropped.iter().map(|entry| entry.engine))
    }

    /// Number of the instruction that is fetched next.
    pub fn next_index(&self) -> u64 {
        self.retired + self.queue.len() as u64
    }

    /// A new one was fetched.
    pub fn push(&mut self, instruction: Instruction) {
        self.queue.push_back(instruction);
    }

    /// The killed one to issue next: the first behind the youngest one that the unit has.
    pub fn next_killed(&self) -> Option<Instruction> {
        let issued = self.queue.iter().rposition(|entry| entry.id().is_some());
        self.queue.range(issued.map_or(0, |last| last + 1)..).find(|entry| entry.is_killed()).copied()
    }

    /// The unit takes killed instruction `index` again, under `id` in clock cycle `cycle`.
    pub fn issue_again(&mut self, index: u64, id: u8, cycle: u64) -> Option<Instruction> {
        let entry = self.queue.iter_mut().find(|entry| entry.index == index && entry.is_killed())?;
        (entry.state, entry.issued) = (State::Issued(id), cycle);
        Some(*entry)
    }

    /// The unit has answered the oldest one that it has: it was killed.
    pub fn kill(&mut self) {
        if self.dropped.pop_front().is_none() {
            let entry = self.queue.iter_mut().find(|entry| entry.id().is_some());
            entry.into_iter().for_each(|entry| entry.state = State::Killed);
        }
    }

    /// The oldest one retires.
    pub fn retire(&mut self) {
        self.retired += u64::from(self.queue.pop_front().is_some());
    }

    /// The program leaves everything behind the oldest one, which has trapped.
    pub fn drop_younger(&mut self) {
        let younger = self.queue.drain(1..);
        self.dropped.extend(younger.filter(|entry| entry.id().is_some()));
    }
}
