// SPDX-License-Identifier: Apache-2.0
//! Many cases: what runs one, the threads, and the sums.
//!
//! A `Job` names a case, `Cases` makes it. An executor, a closure, runs it, here or in a process of its own, and
//! collects what it hits when that is asked for; `pool` does so on several threads, and adds up.

pub mod executor;
pub mod job;
pub mod regression;
mod self_test;
mod sums;
pub mod until;
pub mod worker;

pub use crate::base::interrupt;
pub use crate::cases::{pool, schedule};
pub use executor::{Done, InProcess};
pub use job::{Cases, Job, Stimulus};
pub use self_test::SelfTest;
pub use sums::{FailedCase, Passed, Summary};
