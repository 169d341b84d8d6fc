// SPDX-License-Identifier: Apache-2.0
//! SIGINT, SIGTERM and SIGHUP: the first one ends a run in order, the second one at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether a signal has come, and which.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Watches for the signals.
    pub fn watch() -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let second = Arc::new(std::sync::atomic::AtomicBool::new(false));
            // In this order: the first signal finds `second` unset, and sets it.
            flag::register_conditional_default(signal, second.clone())
                .and_then(|_| flag::register(signal, second))
                .and_then(|_| flag::register_usize(signal, interrupt.0.clone(), signal as usize))
                .context("cannot watch for signals")?;
        }
        Ok(interrupt)
    }

    /// The signal that has come, if one has.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Relaxed) as i32).filter(|&signal| signal != 0)
    }

    /// As if `signal` had come.
    pub fn raise(&self, signal: i32) {
        self.0.store(signal as usize, Ordering::Relaxed);
    }
}
