// SPDX-License-Identifier: Apache-2.0
//! The golden model as WebAssembly: a page assembles a program and executes it, step by step.
//!
//! The functions with the prefix `tl_` are the whole boundary, with numbers alone. Text goes through one buffer: the
//! page writes JSON to it, and reads the answer there.
//!
//! 1. [`tl_input`] makes the buffer so long, and gives its address.
//! 2. [`tl_open`] reads a [`Request`] from it; [`tl_step`] executes instructions. Both leave an [`Answer`] in the
//!    buffer, and give its length in bytes.
//! 3. [`tl_answer`] gives the address of the answer.

mod layout;
mod origin;
mod session;
mod state;

use std::cell::RefCell;

pub use session::{Answer, Mistake, Request, Session};
pub use state::{Block, Bytes, CsrState, State, Step};

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Makes room for a request of `length` bytes. Gives its address.
#[unsafe(no_mangle)]
pub extern "C" fn tl_input(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn tl_answer() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

/// Opens the program of the request in the buffer, in the state after reset. Gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn tl_open() -> usize {
    let opened = BUFFER.with_borrow(|buffer| Session::open_json(buffer));
    let (session, answer) = match opened {
        Ok(session) => (Some(session), None),
        Err(mistakes) => (None, Some(Answer::Mistakes(mistakes))),
    };
    SESSION.set(session);
    tell(answer)
}

/// Executes at most `count` instructions, and stops behind one that traps. Gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn tl_step(count: u32) -> usize {
    SESSION.with_borrow_mut(|session| session.iter_mut().for_each(|session| session.step(count)));
    tell(None)
}

/// Leaves an answer in the buffer, by default the state of the session; gives its length.
fn tell(answer: Option<Answer>) -> usize {
    let answer = answer.or_else(|| SESSION.with_borrow(|session| session.as_ref().map(Session::answer)));
    // An answer has no keys but strings, so it always has a JSON.
    let bytes = serde_json::to_vec(&answer).unwrap_or_default();
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = bytes;
        buffer.len()
    })
}
