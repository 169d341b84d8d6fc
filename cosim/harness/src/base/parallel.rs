// SPDX-License-Identifier: Apache-2.0
//! The same work on many things, by several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use anyhow::{Context, Result, anyhow};

/// `work` on each of `items`, by `jobs` threads; the results in the order of the items. `progress` is told of each.
///
/// # Errors
/// The first error of `work`, by the order of the threads; the others end what they are at.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    progress: impl Fn() + Sync,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let thread = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return Ok(()) };
            let result = work(item).inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
            progress();
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        let start = |_| in_scope(scope, thread).inspect_err(|_| next.store(items.len(), Ordering::Relaxed));
        let threads: Vec<_> = (0..jobs.max(1)).map(start).collect();
        let ends: Vec<Result<()>> = threads
            .into_iter()
            .map(|thread| thread?.join().unwrap_or_else(|_| Err(anyhow!("a thread died"))))
            .collect();
        ends.into_iter().collect::<Result<()>>()
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|&(at, _)| at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

const MOST: usize = 1024;

/// A number of threads, as on a command line.
///
/// # Errors
/// For what is none, or too many; the message says what is allowed.
pub fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|jobs| (1..=MOST).contains(jobs));
    number.ok_or_else(|| format!("allowed: 1 to {MOST}"))
}

/// Starts a thread of a scope.
pub fn in_scope<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).context(NO_THREAD)
}

/// Starts a thread.
pub fn alone<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    Builder::new().spawn(work).context(NO_THREAD)
}

const NO_THREAD: &str = "cannot start a thread; a smaller number for --jobs may help";

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn results_are_in_order_and_an_error_ends_it() {
        let items: Vec<u32> = (0..100).collect();
        let doubled = map(&items, 3, || (), |&n| Ok(2 * n)).expect("no error");
        assert_eq!(doubled, items.iter().map(|n| 2 * n).collect::<Vec<_>>());
        let failed = map(&items, 3, || (), |&n| if n == 7 { bail!("seven") } else { Ok(n) });
        assert_eq!(failed.expect_err("seven").to_string(), "seven");
    }
}
