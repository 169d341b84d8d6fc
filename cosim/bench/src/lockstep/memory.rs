// SPDX-License-Identifier: Apache-2.0
//! The memories behind the two ports of the unit, and the rules of the ports.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::lockstep::stall::Stall;
use crate::unit::{Inputs, Outputs};

/// Requests that a port holds before it stops granting, beside those that its latency keeps.
const OUTSTANDING: usize = 32;

/// The longest latency of a memory.
pub const LONGEST_LATENCY: u32 = 1000;

/// Bytes of a beat at most.
pub const MAX_BEAT: usize = 64;

/// Byte ranges that answer with an error are made of whole blocks of this size, so that every
/// beat of every configuration is either inside or outside.
pub const FAULT_BLOCK: u32 = 64;

/// The unit breaks a rule of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum PortError {
    /// A request without a place in memory.
    #[error(
        "{port}: request for address {address:#x}, which is not a multiple of {beat} inside the memory of {size} bytes"
    )]
    Address {
        /// The port.
        port: Cow<'static, str>,
        /// Byte address.
        address: u32,
        /// Bytes of a beat.
        beat: usize,
        /// Size of the memory in bytes.
        size: usize,
    },
    /// A request that does not hold until it is granted.
    #[error("{port}: the request for address {address:#x} was withdrawn or changed before it was granted")]
    Unstable {
        /// The port.
        port: Cow<'static, str>,
        /// Byte address that was requested.
        address: u32,
    },
}

/// A beat written to L0M.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// Byte address, a multiple of the beat size.
    pub address: u32,
    /// Byte enables.
    pub enables: u64,
    /// The bytes.
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

/// Answers that a memory owes, in order.
struct Queue<T> {
    answers: VecDeque<(u64, T)>,
    latency: u64,
    /// Cycles so far.
    now: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { answers: VecDeque::with_capacity(OUTSTANDING), latency: 1, now: 0 }
    }
}

impl<T> Queue<T> {
    fn has_room(&self) -> bool {
        self.answers.len() < OUTSTANDING + self.latency as usize - 1
    }

    /// A cycle begins: the answer that is given in it, if any is due and `ready`.
    fn next(&mut self, ready: bool) -> Option<T> {
        self.now += 1;
        let due = self.answers.front().is_some_and(|(due, _)| *due <= self.now);
        (ready && due).then(|| self.answers.pop_front()).flatten().map(|(_, answer)| answer)
    }

    /// A request is taken in this cycle.
    fn push(&mut self, answer: T) {
        self.answers.push_back((self.now + self.latency, answer));
    }

    fn clear(&mut self) {
        self.answers.clear();
    }
}

/// The L1M port: requests and responses, in order.
pub struct LoadPort {
    /// Contents.
    pub bytes: Vec<u8>,
    /// Byte ranges that answer with an error.
    pub faults: Vec<Range<u32>>,
    beat: usize,
    grant: Stall,
    response: Stall,
    queue: Queue<u32>,
    waiting: Option<u32>,
}

impl LoadPort {
    /// A port of `beat` bytes in front of `bytes`; stalls for grants and responses.
    pub fn new(bytes: Vec<u8>, faults: Vec<Range<u32>>, beat: usize, [grant, response]: [Stall; 2]) -> LoadPort {
        LoadPort { bytes, faults, beat, grant, response, queue: Queue::default(), waiting: None }
    }

    /// Answers come so many clock cycles after their requests, or later.
    pub fn set_latency(&mut self, cycles: u32) {
        self.queue.latency = cycles.into();
    }

    /// Grants and responses stall as the instruction with this seed says.
    pub fn follow(&mut self, seed: u32) {
        self.grant.follow(seed);
        self.response.follow(seed);
    }

    /// Drives the inputs of a cycle.
    #[inline]
    pub fn drive(&mut self, inputs: &mut Inputs) {
        inputs.l1m_gnt = self.grant.grants(self.waiting.is_some()) && self.queue.has_room();
        let answer = self.queue.next(self.response.ready());
        inputs.l1m_rvalid = answer.is_some();
        inputs.l1m_err = false;
        if let Some(address) = answer {
            let start = address as usize;
            inputs.l1m_rdata[..self.beat].copy_from_slice(&self.bytes[start..start + self.beat]);
            inputs.l1m_err = hits(&self.faults, address);
        }
    }

    /// Looks at the outputs of the cycle.
    ///
    /// # Errors
    /// When the unit breaks a rule of the port.
    #[inline]
    pub fn sample(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), PortError> {
        let request = outputs.l1m_req.then_some(outputs.l1m_addr);
        check("L1M", &self.waiting, &request, |a| *a, self.beat, self.bytes.len())?;
        self.waiting = request.filter(|_| !inputs.l1m_gnt);
        if inputs.l1m_gnt {
            request.into_iter().for_each(|address| self.queue.push(address));
        }
        Ok(())
    }

    /// Forgets all requests: the unit was reset.
    pub fn reset(&mut self) {
        self.queue.clear();
        self.waiting = None;
    }
}

/// The L0M port: writes, acknowledged in order.
pub struct StorePort {
    /// Contents, as the granted beats left them.
    pub bytes: Vec<u8>,
    /// Byte ranges that answer with an error.
    pub faults: Vec<Range<u32>>,
    beat: usize,
    grant: Stall,
    response: Stall,
    queue: Queue<bool>,
    waiting: Option<(u32, u64, [u8; MAX_BEAT], u8)>,
}

impl StorePort {
    /// A port of `beat` bytes in front of `bytes`; stalls for grants and responses.
    pub fn new(bytes: Vec<u8>, faults: Vec<Range<u32>>, beat: usize, [grant, response]: [Stall; 2]) -> StorePort {
        StorePort { bytes, faults, beat, grant, response, queue: Queue::default(), waiting: None }
    }

    /// Answers come so many clock cycles after their requests, or later.
    pub fn set_latency(&mut self, cycles: u32) {
        self.queue.latency = cycles.into();
    }

    /// Grants and responses stall as the instruction with this seed says.
    pub fn follow(&mut self, seed: u32) {
        self.grant.follow(seed);
        self.response.follow(seed);
    }

    /// Drives the inputs of a cycle.
    #[inline]
    pub fn drive(&mut self, inputs: &mut Inputs) {
        inputs.l0m_gnt = self.grant.grants(self.waiting.is_some()) && self.queue.has_room();
        let answer = self.queue.next(self.response.ready());
        inputs.l0m_rvalid = answer.is_some();
        inputs.l0m_err = answer.unwrap_or(false);
    }

    /// Looks at the outputs of the cycle; gives the beat that was granted in it.
    ///
    /// # Errors
    /// When the unit breaks a rule of the port.
    #[inline]
    pub fn sample(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<Option<Beat>, PortError> {
        if !outputs.l0m_req && self.waiting.is_none() {
            return Ok(None);
        }
        let request =
            outputs.l0m_req.then_some((outputs.l0m_addr, outputs.l0m_be, outputs.l0m_wdata, outputs.store_tag));
        check("L0M", &self.waiting, &request, |r| r.0, self.beat, self.bytes.len())?;
        self.waiting = request.filter(|_| !inputs.l0m_gnt);
        let Some((address, enables, data, _)) = request.filter(|_| inputs.l0m_gnt) else { return Ok(None) };
        let beat = Beat { address, enables, data, error: hits(&self.faults, address) };
        if !beat.error {
            beat.apply(&mut self.bytes, self.beat);
        }
        self.queue.push(beat.error);
        Ok(Some(beat))
    }

    /// Forgets all requests: the unit was reset.
    pub fn reset(&mut self) {
        self.queue.clear();
        self.waiting = None;
    }
}

fn hits(faults: &[Range<u32>], address: u32) -> bool {
    faults.iter().any(|fault| fault.contains(&address))
}

/// The rules for a request: it holds until it is granted, and has a place in memory.
fn check<R: PartialEq>(
    port: &'static str,
    waiting: &Option<R>,
    request: &Option<R>,
    address: impl Fn(&R) -> u32,
    beat: usize,
    size: usize,
) -> Result<(), PortError> {
    if let Some(before) = waiting
        && request.as_ref() != Some(before)
    {
        return Err(PortError::Unstable { port: port.into(), address: address(before) });
    }
    let Some(request) = request else { return Ok(()) };
    let address = address(request);
    if !(address as usize).is_multiple_of(beat) || address as usize + beat > size {
        return Err(PortError::Address { port: port.into(), address, beat, size });
    }
    Ok(())
}
