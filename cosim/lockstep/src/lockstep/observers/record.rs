// SPDX-License-Identifier: Apache-2.0
//! What happens at the ports, cycle by cycle, and what becomes of each instruction. Only the second run of a failing
//! case is recorded, so that the first one costs nothing.

use std::path::PathBuf;

use golden::Trap;

use crate::lockstep::retirement::Retirement;
use crate::unit::{Inputs, Outputs, Rtl, RtlError};

/// A valid-ready handshake in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handshake {
    #[default]
    Idle,
    /// Valid, not ready.
    Waiting,
    Done,
}

impl Handshake {
    fn new(valid: bool, ready: bool) -> Handshake {
        match (valid, ready) {
            (false, _) => Handshake::Idle,
            (true, false) => Handshake::Waiting,
            (true, true) => Handshake::Done,
        }
    }
}

/// A request on a memory port in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub address: u32,
    /// Byte enables; 0 for reads.
    pub enables: u64,
    /// Tag of the store; 0 for reads.
    pub tag: u8,
    /// The port takes it in this cycle.
    pub granted: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    pub request: Option<Request>,
    /// The answer, and whether it is an error.
    pub answer: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Its number, from 0 after the first reset.
    pub number: u64,
    pub issue: Handshake,
    pub dispatch: bool,
    /// An engine completes an instruction.
    pub done: bool,
    /// A row of a TLReg or a matrix register is written.
    pub written: bool,
    pub result: Handshake,
    pub l1m: Port,
    pub l0m: Port,
}

impl Cycle {
    fn new(number: u64, inputs: &Inputs, out: &Outputs) -> Cycle {
        let load = Request { address: out.l1m_addr, enables: 0, tag: 0, granted: inputs.l1m_gnt };
        let store = Request { address: out.l0m_addr, enables: out.l0m_be, tag: out.store_tag, granted: inputs.l0m_gnt };
        Cycle {
            number,
            issue: Handshake::new(inputs.issue_valid, out.issue_ready),
            dispatch: out.exec_valid,
            done: out.done_valid != 0,
            written: out.reg_write || out.tile_valid,
            result: Handshake::new(out.result_valid, inputs.result_ready),
            l1m: Port { request: out.l1m_req.then_some(load), answer: inputs.l1m_rvalid.then_some(inputs.l1m_err) },
            l0m: Port { request: out.l0m_req.then_some(store), answer: inputs.l0m_rvalid.then_some(inputs.l0m_err) },
        }
    }
}

/// What became of an instruction, by clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Number of the instruction in the program.
    pub index: u64,
    pub word: u32,
    pub host: bool,
    /// First cycle on the issue port.
    pub offered: u64,
    /// Cycle of the issue handshake.
    pub issued: u64,
    /// Cycle in which it leaves the queue.
    pub dispatched: Option<u64>,
    /// Tag under which it executes.
    pub tag: Option<u8>,
    /// Cycle in which its engine completes it.
    pub done: Option<u64>,
    /// Cycle in which it retires.
    pub retired: Option<u64>,
    pub trap: Option<Trap>,
    /// It was killed: another life of the same instruction may follow.
    pub killed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The cycles of the window, in order.
    pub cycles: Vec<Cycle>,
    /// The instructions since the last reset, in program order.
    pub lives: Vec<Life>,
    /// Clock cycles in reset, those of the first one included.
    pub in_reset: u64,
    pub wave_error: Option<RtlError>,
}

impl Recording {
    /// Time in the waveform at which clock cycle `cycle` begins: two units for a cycle, those of the resets included.
    pub fn time(&self, cycle: u64) -> u64 {
        2 * (cycle + self.in_reset)
    }

    /// The instruction `index`, if it was issued, and when it was last.
    pub fn life(&self, index: u64) -> Option<&Life> {
        self.lives.iter().rfind(|life| life.index == index)
    }
}

/// Records a run from some cycle on.
pub struct Recorder {
    from: u64,
    wave: Option<PathBuf>,
    offered: Option<u64>,
    reset_cycles: u64,
    recording: Recording,
}

impl Recorder {
    /// Records ports and writes the waveform `wave` from cycle `from` on. A reset takes `reset_cycles` clock cycles.
    pub fn new(from: u64, wave: PathBuf, reset_cycles: u32) -> Recorder {
        let reset_cycles = reset_cycles.into();
        let recording = Recording { in_reset: reset_cycles, ..Recording::default() };
        Recorder { from, wave: Some(wave), offered: None, reset_cycles, recording }
    }

    pub fn finish(self) -> Recording {
        self.recording
    }

    pub fn begin(&mut self, cycle: u64, rtl: &mut Rtl) {
        if cycle >= self.from
            && let Some(path) = self.wave.take()
            && let Err(error) = rtl.open_wave(&path)
        {
            self.recording.wave_error = Some(error);
        }
    }

    pub fn sample(&mut self, cycle: u64, inputs: &Inputs, out: &Outputs) {
        if inputs.issue_valid {
            self.offered.get_or_insert(cycle);
        }
        let waits = |life: &&mut Life| !life.host && life.dispatched.is_none() && life.retired.is_none();
        if out.exec_valid
            && let Some(life) = self.recording.lives.iter_mut().find(waits)
        {
            (life.dispatched, life.tag) = (Some(cycle), Some(out.exec_tag));
        }
        for tag in out.completed() {
            let waits = |life: &&mut Life| life.tag == Some(tag) && life.done.is_none() && life.retired.is_none();
            self.recording.lives.iter_mut().find(waits).into_iter().for_each(|life| life.done = Some(cycle));
        }
        if cycle >= self.from {
            self.recording.cycles.push(Cycle::new(cycle, inputs, out));
        }
    }

    pub fn issue(&mut self, cycle: u64, index: u64, word: u32) {
        let offered = self.offered.take().unwrap_or(cycle);
        self.add(index, word, false, [offered, cycle]);
    }

    fn add(&mut self, index: u64, word: u32, host: bool, [offered, issued]: [u64; 2]) -> usize {
        let (dispatched, tag, done, retired, trap, killed) = (None, None, None, None, None, false);
        let life = Life { index, word, host, offered, issued, dispatched, tag, done, retired, trap, killed };
        self.recording.lives.push(life);
        self.recording.lives.len() - 1
    }

    pub fn retire(&mut self, retirement: &Retirement) {
        let Retirement { index, word, trap, cycle, host, killed, .. } = *retirement;
        // Results come in the order in which the unit took the instructions.
        let waits = |life: &Life| life.index == index && life.host == host && life.retired.is_none();
        let found = self.recording.lives.iter().position(waits);
        let position = found.unwrap_or_else(|| self.add(index, word, host, [cycle; 2]));
        let life = &mut self.recording.lives[position];
        (life.retired, life.trap, life.killed) = (Some(cycle), trap, killed);
    }

    pub fn reset(&mut self) {
        self.recording.lives.clear();
        self.recording.in_reset += self.reset_cycles;
        self.offered = None;
    }
}
