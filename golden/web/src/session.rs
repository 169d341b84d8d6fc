// SPDX-License-Identifier: Apache-2.0
//! A program that is executed step by step, with the origins of all elements.

use golden::decode::{Decoded, Register, decode};
use golden::{Config, Ending, Machine, Outcome, asm};
use serde::{Deserialize, Serialize};

use crate::layout::{self, Layout};
use crate::origin::Origins;
use crate::state::State;

/// Most bytes of each memory: there are some ten copies of them.
const MOST_MEMORY: u32 = 1 << 20;

/// What a page asks for: a program in the state after reset.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Request {
    /// In assembly language.
    pub program: String,
    /// A configuration: its name, or TOML.
    pub config: String,
    /// Contents of L1M from address 0 on.
    #[serde(default)]
    pub l1m: Vec<u8>,
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// Line of the program, from 1; absent when it is not the program.
    pub line: Option<usize>,
    /// Column, from 1.
    pub column: Option<usize>,
    /// What is wrong and what is allowed.
    pub message: String,
}

impl Mistake {
    fn new(message: impl ToString) -> Vec<Self> {
        vec![Self { line: None, column: None, message: message.to_string() }]
    }
}

/// The answer to a page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The request is wrong.
    Mistakes(Vec<Mistake>),
    /// What there is to show.
    State(Box<State>),
}

/// A program and its machine.
pub struct Session {
    pub(crate) machine: Machine,
    pub(crate) origins: Origins,
    pub(crate) layouts: Vec<(Register, Layout)>,
    /// Address and number of each line of the program.
    pub(crate) lines: Vec<(u32, usize)>,
    pub(crate) retired: u64,
    pub(crate) last: Option<Outcome>,
    pub(crate) traps: Vec<Outcome>,
    pub(crate) ending: Option<Ending>,
    /// Addresses in L0M that have been written.
    pub(crate) stored: Vec<bool>,
}

impl Session {
    /// The program, assembled and loaded.
    ///
    /// # Errors
    /// All that is wrong with the program, or the first that is with anything else.
    pub fn open(request: &Request) -> Result<Self, Vec<Mistake>> {
        let named = Config::named(request.config.trim());
        let config = named.map_or_else(|| Config::from_toml_str(&request.config), Ok).map_err(Mistake::new)?;
        for (field, bytes) in [("l1m_bytes", config.l1m_bytes), ("l0m_bytes", config.l0m_bytes)] {
            if bytes > MOST_MEMORY {
                return Err(Mistake::new(format!("{field} = {bytes}; allowed in a browser are {MOST_MEMORY} at most")));
            }
        }
        let (program, lines) = asm::program_and_lines("program", &request.program, &config).map_err(|errors| {
            let mistake = |error: asm::AsmError| Mistake {
                line: Some(error.line),
                column: Some(error.column),
                message: error.message,
            };
            errors.0.into_iter().map(mistake).collect::<Vec<_>>()
        })?;
        let mut machine = Machine::new(&config);
        machine.l1m.fill(&request.l1m).map_err(|error| Mistake::new(format!("L1M: {error}")))?;
        machine.load(&program).map_err(Mistake::new)?;
        Ok(Self {
            origins: Origins::new(&config),
            layouts: Vec::new(),
            lines,
            retired: 0,
            last: None,
            traps: Vec::new(),
            ending: machine.hart.fetch().err(),
            stored: vec![false; config.l0m_bytes as usize],
            machine,
        })
    }

    /// [`Session::open`] with a [`Request`] as JSON.
    ///
    /// # Errors
    /// As there, and when it is none.
    pub fn open_json(request: &[u8]) -> Result<Self, Vec<Mistake>> {
        Self::open(&serde_json::from_slice(request).map_err(Mistake::new)?)
    }

    /// Executes at most `count` instructions, and stops behind one that traps.
    pub fn step(&mut self, count: u32) {
        for _ in 0..count {
            // Without a word the fetch itself is a fault.
            let word = self.machine.hart.fetch().ok().flatten();
            word.into_iter().for_each(|word| self.origins.execute(&self.machine, word));
            let done = match self.machine.step_program() {
                Ok(done) => done,
                Err(ending) => return self.ending = Some(ending),
            };
            let trapped = done.trap.is_some();
            self.note(done);
            self.ending = self.machine.hart.fetch().err();
            if trapped || self.ending.is_some() {
                return;
            }
        }
    }

    /// Keeps what the page shows of an instruction.
    fn note(&mut self, done: Outcome) {
        self.retired += 1;
        layout::note(&mut self.layouts, &self.machine, &done);
        if !matches!(decode(done.word, self.machine.config()), Decoded::Tensor(_) | Decoded::Matrix(_)) {
            self.origins.overwritten(&done);
        }
        for &(address, bytes) in &done.mem_writes {
            let range = address as usize..(address as usize).saturating_add(bytes as usize);
            self.stored.get_mut(range).into_iter().for_each(|stored| stored.fill(true));
        }
        if done.trap.is_some() {
            self.traps.push(done.clone());
        }
        self.last = Some(done);
    }

    /// What there is to show.
    pub fn answer(&self) -> Answer {
        Answer::State(Box::new(State::new(self)))
    }
}
