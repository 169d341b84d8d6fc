// SPDX-License-Identifier: Apache-2.0
//! Cases in a process of their own: whatever happens there, a crash or a loop without end, is a failure of the case and
//! not the end of the run.

mod child;
mod isolated;
mod parent;
mod request;

pub use child::{WorkerOptions, serve};
pub use isolated::Isolation;
pub use parent::Worker;
pub use request::Request;
