// SPDX-License-Identifier: Apache-2.0
//! The memories behind the two ports of the unit, and the rules of the ports.

use std::borrow::Cow;
use std::collections::VecDeque;

use golden::Memory;
use serde::{Deserialize, Serialize};

use super::stall::Stall;
use crate::unit::{Inputs, Outputs};

/// Requests that a port of latency 1 accepts before it stops granting, as many as a unit can have without an answer; a
/// longer latency adds one for each cycle.
const OUTSTANDING: usize = 64;

pub const LONGEST_LATENCY: u32 = 1000;

/// Bytes of a beat at most.
pub const MAX_BEAT: usize = 64;

/// The unit breaks a rule of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum PortError {
    // A request that is misaligned or outside the memory.
    #[error(
        "{port}: request for address {address:#x}, which is not a multiple of {beat} inside the memory of {size} bytes"
    )]
    Address { port: Cow<'static, str>, address: u32, beat: usize, size: usize },
    // A request that was not held until it was granted.
    #[error("{port}: the request for address {address:#x} was withdrawn or changed before it was granted")]
    Unstable { port: Cow<'static, str>, address: u32 },
}

/// A beat written to L0M.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// Byte address, a multiple of the beat size.
    pub address: u32,
    pub enables: u64,
    pub data: [u8; MAX_BEAT],
    /// The port answers with an error, and memory stays as it is.
    pub error: bool,
}

impl Beat {
    /// Address and value of each byte that is written.
    pub fn bytes(&self) -> impl Iterator<Item = (u32, u8)> {
        let enabled = (0..MAX_BEAT as u32).filter(|i| self.enables >> i & 1 == 1);
        enabled.map(|i| (self.address + i, self.data[i as usize]))
    }

    /// Writes the beat into a memory of at least its address plus `size` bytes.
    pub fn apply(&self, memory: &mut [u8], size: usize) {
        let start = self.address as usize;
        let Some(bytes) = memory.get_mut(start..start + size) else { return };
        if self.enables.count_ones() as usize == size {
            bytes.copy_from_slice(&self.data[..size]);
        } else {
            let pairs = bytes.iter_mut().zip(&self.data);
            pairs.enumerate().filter(|(i, _)| self.enables >> i & 1 == 1).for_each(|(_, (byte, new))| *byte = *new);
        }
    }
}

/// A memory port with requests of type `R`. It owes answers of type `A`, which it gives in order.
pub struct Port<R, A> {
    /// Contents, as the granted beats left them, and the byte ranges that answer with an error.
    pub memory: Memory,
    beat: usize,
    grant: Stall,
    response: Stall,
    /// Each with the cycle from which on it may be given.
    answers: VecDeque<(u64, A)>,
    latency: u64,
    /// Most requests without an answer at a time.
    most: usize,
    now: u64,
    /// The request of the last cycle, if it was not granted.
    waiting: Option<R>,
}

/// The L1M port. Requests and answers are addresses.
pub type LoadPort = Port<u32, u32>;

/// The L0M port: requests are writes, an answer says whether it is an error.
pub type StorePort = Port<Write, bool>;

/// A request on the L0M port. Its tag must hold too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Write {
    address: u32,
    enables: u64,
    data: [u8; MAX_BEAT],
    tag: u8,
}

impl<R: Copy + PartialEq, A> Port<R, A> {
    /// A port of `beat` bytes in front of `memory`; stalls for grants and responses.
    pub fn new(memory: Memory, beat: usize, [grant, response]: [Stall; 2]) -> Self {
        let answers = VecDeque::with_capacity(OUTSTANDING);
        Port { memory, beat, grant, response, answers, latency: 1, most: 0, now: 0, waiting: None }
    }

    /// Answers come so many clock cycles after their requests, or later.
    pub fn set_latency(&mut self, cycles: u32) {
        self.latency = cycles.into();
    }

    /// Grants and responses stall as the instruction with this seed says.
    pub fn follow(&mut self, seed: u32) {
        self.grant.follow(seed);
        self.response.follow(seed);
    }

    /// Forgets all requests: the unit was reset.
    pub fn reset(&mut self) {
        self.answers.clear();
        self.waiting = None;
    }

    /// Most requests that were without an answer at a time.
    pub fn most_unanswered(&self) -> usize {
        self.most
    }

    /// A cycle begins: whether a request is granted in it, and the answer that is given.
    fn begin(&mut self) -> (bool, Option<A>) {
        let room = self.answers.len() < OUTSTANDING + self.latency as usize - 1;
        let grant = self.grant.grants(self.waiting.is_some()) && room;
        self.now += 1;
        let due = self.answers.front().is_some_and(|(due, _)| *due <= self.now);
        let answer = if self.response.ready() && due { self.answers.pop_front() } else { None };
        (grant, answer.map(|(_, answer)| answer))
    }

    /// Checks the request of the cycle; gives it if it was granted.
    fn accept(
        &mut self,
        port: &'static str,
        request: Option<R>,
        granted: bool,
        address: fn(&R) -> u32,
    ) -> Result<Option<R>, PortError> {
        if let Some(before) = self.waiting
            && request != Some(before)
        {
            return Err(PortError::Unstable { port: port.into(), address: address(&before) });
        }
        if let Some(address) = request.as_ref().map(address) {
            let (beat, size) = (self.beat, self.memory.bytes.len());
            if !(address as usize).is_multiple_of(beat) || address as usize + beat > size {
                return Err(PortError::Address { port: port.into(), address, beat, size });
            }
        }
        self.waiting = request.filter(|_| !granted);
        Ok(request.filter(|_| granted))
    }

    /// The answer to a request that was granted in this cycle.
    fn owe(&mut self, answer: A) {
        self.answers.push_back((self.now + self.latency, answer));
        self.most = self.most.max(self.answers.len());
    }
}

impl LoadPort {
    #[inline]
    pub fn drive(&mut self, inputs: &mut Inputs) {
        let (grant, answer) = self.begin();
        inputs.l1m_gnt = grant;
        inputs.l1m_rvalid = answer.is_some();
        inputs.l1m_err = false;
        if let Some(address) = answer {
            let start = address as usize;
            inputs.l1m_rdata[..self.beat].copy_from_slice(&self.memory.bytes[start..start + self.beat]);
            inputs.l1m_err = self.memory.faulty(address, 1);
        }
    }

    /// Takes the outputs of the cycle.
    ///
    /// # Errors
    /// When the unit breaks a rule of the port.
    #[inline]
    pub fn sample(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), PortError> {
        let request = outputs.l1m_req.then_some(outputs.l1m_addr);
        let granted = self.accept("L1M", request, inputs.l1m_gnt, |address| *address)?;
        granted.into_iter().for_each(|address| self.owe(address));
        Ok(())
    }
}

impl StorePort {
    #[inline]
    pub fn drive(&mut self, inputs: &mut Inputs) {
        let (grant, answer) = self.begin();
        inputs.l0m_gnt = grant;
        inputs.l0m_rvalid = answer.is_some();
        inputs.l0m_err = answer.unwrap_or(false);
    }

    /// Takes the outputs of the cycle; gives the beat that was granted in it.
    ///
    /// # Errors
    /// When the unit breaks a rule of the port.
    #[inline]
    pub fn sample(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<Option<Beat>, PortError> {
        if !outputs.l0m_req && self.waiting.is_none() {
            return Ok(None);
        }
        let Outputs { l0m_addr: address, l0m_be: enables, l0m_wdata: data, store_tag: tag, .. } = *outputs;
        let request = outputs.l0m_req.then_some(Write { address, enables, data, tag });
        let granted = self.accept("L0M", request, inputs.l0m_gnt, |write| write.address)?;
        let Some(Write { address, enables, data, .. }) = granted else { return Ok(None) };
        let beat = Beat { address, enables, data, error: self.memory.faulty(address, 1) };
        if !beat.error {
            beat.apply(&mut self.memory.bytes, self.beat);
        }
        self.owe(beat.error);
        Ok(Some(beat))
    }
}
