// SPDX-License-Identifier: Apache-2.0
//! Sizes of the transposition in a configuration, and the networks that sort its digits.

use crate::Config;

/// Widths of the transpose engine that follow from the configuration.
pub struct Geometry {
    /// Bits of a granule index within a row.
    pub lane_bits: u32,
    /// Bits of a row index within the tensor of two registers.
    pub row_bits: u32,
    /// Counter bits that may be exchanged with lane bits, from bit 0 on.
    pub exchanges: u32,
    /// Logarithm of the number of operations in the engine whose plan is kept.
    pub slot_bits: u32,
}

impl Geometry {
    /// The geometry of `config`.
    pub fn new(config: &Config) -> Geometry {
        let lane_bits = (8 * config.lanes / config.granule_bits()).ilog2();
        let row_bits = (2 * config.reg_bytes / config.lanes).ilog2();
        // An operation has left the engine when the next one is half through, or two more have begun.
        let slot_bits = if row_bits >= lane_bits + 2 { 1 } else { 2 };
        Geometry { lane_bits, row_bits, exchanges: lane_bits.min(row_bits), slot_bits }
    }

    /// Whether a lane bit takes any counter bit. With few of both its own one is soon enough.
    pub fn assigns(&self) -> bool {
        self.lane_bits > 5 || self.lane_bits != self.exchanges
    }

    /// The lane bits that are compared, in order: a minimal sorting network.
    pub fn network(&self) -> &'static [(u32, u32)] {
        NETWORKS[self.lane_bits as usize]
    }

    /// `network` as two literals, digit `s` of which is a lane bit of layer `s`.
    pub fn network_digits(&self) -> (String, String) {
        let pick = |pick: fn(&(u32, u32)) -> u32| digits(self.network().iter().map(pick));
        (pick(|pair| pair.0), pick(|pair| pair.1))
    }

    /// The greatest delay of the stage of lane bit `bit`: that of its own counter bit, or of any one.
    pub fn stage_depth(&self, bit: u32) -> u32 {
        if bit + self.exchanges >= self.lane_bits {
            return 1 << (self.lane_bits - 1 - bit);
        }
        // A stage of two rows has no other delay.
        match 1 << (self.exchanges - 1) {
            2 => 4,
            depth => depth,
        }
    }

    /// The clock cycle of the sort, from 0, in which each layer of `network` compares: two that wait for each other
    /// share a cycle.
    pub fn sort_cycles(&self) -> Vec<u32> {
        let mut depth = vec![0; self.lane_bits as usize + 1];
        let layers = self.network().iter().map(|&(low, high)| {
            let level = depth[low as usize].max(depth[high as usize]);
            depth[low as usize] = level + 1;
            depth[high as usize] = level + 1;
            level / 2
        });
        layers.collect()
    }
}

/// A literal of four bits for each of `values`, the first one lowest.
pub(super) fn digits(values: impl DoubleEndedIterator<Item = u32>) -> String {
    let digits: String = values.rev().map(|value| format!("{value:X}")).collect();
    format!("{}'h{digits}", 4 * digits.len())
}

/// Minimal sorting networks for 0 to 7 values; a layer of (0, 0) does nothing.
pub(super) const NETWORKS: [&[(u32, u32)]; 8] = [
    &[(0, 0)],
    &[(0, 0)],
    &[(0, 1)],
    &[(0, 2), (0, 1), (1, 2)],
    &[(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)],
    &[(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)],
    &[(0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4)],
    &[
        (0, 6),
        (2, 3),
        (4, 5),
        (0, 2),
        (1, 4),
        (3, 6),
        (0, 1),
        (2, 5),
        (3, 4),
        (1, 2),
        (4, 6),
        (2, 3),
        (4, 5),
        (1, 2),
        (3, 4),
        (5, 6),
    ],
];
