// SPDX-License-Identifier: Apache-2.0
//! Many mutants, a few in a graph at a time: Yosys as WebAssembly has 4 GiB, which a large unit with many mutants exceeds.

use anyhow::Result;

/// As many are in one graph, at most. Each graph costs the time of reading the unit.
pub const MOST: usize = 12;

/// Makes something of at most `most` of `items` at a time, and asks it about them. When it cannot be made of several, it is
/// made of half as many from then on.
///
/// # Errors
/// When it cannot be made of one, and those of `ask`.
pub fn in_batches<T, M, A>(
    items: &[T],
    most: usize,
    make: impl Fn(&[T]) -> Result<M>,
    ask: impl Fn(&M, &[T]) -> Result<Vec<A>>,
) -> Result<Vec<A>> {
    let (mut left, mut most, mut answers) = (items, most.max(1), Vec::with_capacity(items.len()));
    while !left.is_empty() {
        let (batch, rest) = left.split_at(most.min(left.len()));
        match make(batch) {
            Ok(made) => {
                answers.extend(ask(&made, batch)?);
                left = rest;
            }
            Err(_) if batch.len() > 1 => most = batch.len() / 2,
            Err(error) => return Err(error),
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use anyhow::ensure;

    use super::*;

    #[test]
    fn all_are_asked_about_once_in_batches_that_can_be_made() {
        let made = RefCell::new(Vec::new());
        let make = |batch: &[u32]| {
            ensure!(batch.len() <= 3, "too many");
            made.borrow_mut().push(batch.len());
            Ok(batch.to_vec())
        };
        let answers = in_batches(&[1, 2, 3, 4, 5, 6, 7], 5, make, |made, batch| {
            assert_eq!(made, batch);
            Ok(batch.to_vec())
        });
        assert_eq!(answers.expect("batches"), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(*made.borrow(), [2, 2, 2, 1]);
    }

    #[test]
    fn what_cannot_be_made_of_one_is_an_error() {
        let make = |batch: &[u32]| {
            ensure!(!batch.contains(&2), "not of this one");
            Ok(())
        };
        assert!(in_batches(&[1, 2], 2, make, |(), batch| Ok(batch.to_vec())).is_err());
    }
}
