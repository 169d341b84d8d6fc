// SPDX-License-Identifier: Apache-2.0
//! What came before an instruction, and what was in flight with it.

use std::collections::VecDeque;

use golden::decode::{Decoded, Matrix, Tensor, decode};
use golden::{Csr, Machine, Outcome};

use super::facts::{self, Facts};
use super::values::*;
use crate::lockstep::slices::Direction;
use crate::unit::target::Target;

/// Instructions that are remembered, as many as can be in flight.
const REMEMBERED: usize = 16;

/// Instructions in which a CSR write is looked for: as many as the axis `Ago` has values.
const AGO: usize = 4;

/// An instruction of the unit that was issued and has not retired.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// The one before it had not retired when it was issued.
    close: bool,
    /// Number of instructions before it that had been dispatched and had not retired when it was dispatched.
    older: Option<usize>,
}

/// An instruction of the unit that retired.
#[derive(Clone, Copy, Debug)]
struct Past {
    engine: Value,
    registers: [u64; 2],
    trapped: Option<Value>,
    csr: Option<Csr>,
}

/// The instructions around the one that retires.
#[derive(Debug, Default)]
pub struct Flow {
    pending: VecDeque<Pending>,
    past: VecDeque<Past>,
}

impl Flow {
    /// An instruction was issued.
    pub fn issued(&mut self) {
        self.pending.push_back(Pending { close: !self.pending.is_empty(), older: None });
    }

    /// The oldest instruction that had not been dispatched was.
    pub fn dispatched(&mut self) {
        let next = self.pending.iter_mut().enumerate().find(|(_, pending)| pending.older.is_none());
        if let Some((older, pending)) = next {
            pending.older = Some(older);
        }
    }

    /// The unit was reset.
    pub fn reset(&mut self) {
        *self = Flow::default();
    }

    /// An instruction retires that the model has executed: adds what is known of its neighbours to its facts.
    pub fn retired(&mut self, facts: &mut Facts, target: &Target, model: &Machine, word: u32, outcome: &Outcome) {
        let decoded = decode(word, &target.golden);
        let pending = self.pending.pop_front().unwrap_or_default();
        let illegal = facts.has(ILLEGAL);
        let engine = if illegal { Some(G_ILLEGAL) } else { engine(decoded) };
        let Some(engine) = engine else { return self.past.clear() };
        let registers = if illegal { [0, 0] } else { facts::registers(decoded) };
        facts.set(engine);
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
        }
        let looks_at: Box<dyn Fn(Csr) -> Option<Value>> = match decoded {
            Decoded::Tensor(tensor) => {
                let selected = facts::selected(model, tensor);
                Box::new(move |csr| facts::looks_at(tensor, csr, selected))
            }
            Decoded::Matrix(Matrix::Load(transfer) | Matrix::Store(transfer)) => {
                Box::new(move |csr| facts::matrix::looks_at(transfer, csr))
            }
            _ => Box::new(|_| None),
        };
        let recent = self.past.iter().take(AGO).enumerate();
        if let Some((ago, wrote)) = recent.filter_map(|(ago, past)| Some((ago, looks_at(past.csr?)?))).next() {
            facts.set(wrote);
            facts.set(Value { axis: Axis::Ago, index: ago as u8 });
        }
        self.past.truncate(REMEMBERED - 1);
        let csr = outcome.csr_write.and_then(|(address, _)| Csr::from_address(address));
        self.past.push_front(Past { engine, registers, trapped: trapped(facts, decoded), csr });
    }
}

/// The engine that a legal instruction is for; none for what the host executes.
fn engine(decoded: Decoded) -> Option<Value> {
    Some(match decoded {
        Decoded::Tensor(tensor) => match tensor {
            Tensor::Load { .. } | Tensor::Mload { .. } => G_LOAD,
            Tensor::Store { .. } | Tensor::Mstore { .. } => G_STORE,
            Tensor::Addi { .. } | Tensor::Concat { .. } | Tensor::Merge { .. } => G_MOVE,
            Tensor::Xpose { .. } => G_XPOSE,
        },
        Decoded::Csr(_) => G_CSR,
        Decoded::Illegal | Decoded::NotOurs => G_ILLEGAL,
        Decoded::Matrix(Matrix::Load(_)) => G_MX_LOAD,
        Decoded::Matrix(Matrix::Store(_)) => G_MX_STORE,
        Decoded::Matrix(_) => G_MX_SET,
        Decoded::Host(_) => return None,
    })
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
    let [misaligned, outside, port] = match decoded {
        Decoded::Tensor(tensor) => match facts::access(tensor)?.0 {
            Direction::Load => [T_LOAD_MIS, T_LOAD_OUT, T_LOAD_ERR],
            Direction::Store => [T_STORE_MIS, T_STORE_OUT, T_STORE_ERR],
        },
        Decoded::Matrix(Matrix::Load(_)) => [T_MX_LOAD_MIS, T_MX_LOAD_OUT, T_MX_LOAD_ERR],
        Decoded::Matrix(Matrix::Store(_)) => [T_MX_STORE_MIS, T_MX_STORE_OUT, T_MX_STORE_ERR],
        _ => return None,
    };
    let traps = [(MISALIGNED, misaligned), (OUTSIDE, outside), (PORT, port)];
    traps.into_iter().find(|(cause, _)| facts.has(*cause)).map(|(_, trapped)| trapped)
}
