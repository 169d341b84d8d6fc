// SPDX-License-Identifier: Apache-2.0
//! Random draws that are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Draws of one case.
pub struct Draw(ChaCha8Rng);

impl Draw {
    /// The stream of a case. All of the key is used, so that no two cases share a stream.
    pub fn new(seed: u64, config: &str, case: u64) -> Draw {
        let mut key = [0; 32];
        let parts = [seed, case, fnv(FNV_START, config.as_bytes()), 0x7465_6e73_6f72_6c64];
        for (bytes, part) in key.chunks_exact_mut(8).zip(parts) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        Draw(ChaCha8Rng::from_seed(key))
    }

    /// Any number of 64 bits.
    pub fn u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Any number of 32 bits.
    pub fn u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A value from 0 to `n` - 1; 0 when `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.u32()) * u64::from(n)) >> 32) as u32
    }

    /// A value from `low` to `high`.
    pub fn range(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items; the default when there are none.
    pub fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        let index = self.below(items.len() as u32) as usize;
        items.get(index).copied().unwrap_or_default()
    }

    /// One of the items, if there are any.
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len() as u32) as usize).copied()
    }

    /// One of the items, by weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(u32, T)], otherwise: T) -> T {
        let mut left = self.below(items.iter().map(|(weight, _)| weight).sum());
        for &(weight, item) in items {
            if left < weight {
                return item;
            }
            left -= weight;
        }
        otherwise
    }

    /// Random bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

/// What [`fnv`] starts from.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over `bytes`, going on from `hash`.
pub fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
