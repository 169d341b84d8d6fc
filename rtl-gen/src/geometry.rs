// SPDX-License-Identifier: Apache-2.0
//! Tables of the transposition: the networks that sort the bits of a lane index.

use crate::Config;

/// Bits of indices that the tables depend on.
pub struct Geometry {
    /// Bits of a granule index within a row.
    lane_bits: u32,
}

impl Geometry {
    /// The geometry of `config`.
    pub fn new(config: &Config) -> Geometry {
        Geometry { lane_bits: (8 * config.lanes / config.granule_bits()).ilog2() }
    }

    /// The lane bits that are compared, in order: a minimal sorting network.
    fn network(&self) -> &'static [(u32, u32)] {
        NETWORKS[self.lane_bits as usize]
    }

    /// The network as constants of the package: the number of its layers and, as a digit of each, its two bits and the
    /// clock cycle in which it is sorted.
    pub fn constants(&self) -> [(&'static str, String); 4] {
        let network = self.network().iter();
        [
            ("XposeLaneSwaps", self.network().len().to_string()),
            ("XposeLowBit", digits(network.clone().map(|pair| pair.0))),
            ("XposeHighBit", digits(network.map(|pair| pair.1))),
            ("XposeSortCycle", digits(self.sort_cycles().into_iter())),
        ]
    }

    /// The clock cycle of the sort, from 0, in which each layer of the network compares: two that wait for each other
    /// share a cycle.
    fn sort_cycles(&self) -> Vec<u32> {
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
fn digits(values: impl DoubleEndedIterator<Item = u32>) -> String {
    let digits: String = values.rev().map(|value| format!("{value:X}")).collect();
    format!("{}'h{digits}", 4 * digits.len())
}

/// Minimal sorting networks for 0 to 7 values; a layer of (0, 0) does nothing.
const NETWORKS: [&[(u32, u32)]; 8] = [
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_networks_sort_every_sequence_of_zeros_and_ones() {
        for (bits, network) in NETWORKS.iter().enumerate() {
            for word in 0..1u32 << bits {
                let mut word = word;
                for &(low, high) in *network {
                    if word >> low & 1 > word >> high & 1 {
                        word ^= 1 << low | 1 << high;
                    }
                }
                let ones = word.count_ones();
                assert_eq!(word, ((1 << ones) - 1) << (bits as u32 - ones), "{bits} values");
            }
        }
    }

    #[test]
    fn a_plan_is_complete_when_the_first_row_needs_its_swaps() {
        for lane_bits in 1..=7 {
            let cycles = Geometry { lane_bits }.sort_cycles();
            // tl_xpose_plan takes the cycle of the last layer for the last cycle.
            assert_eq!(cycles.iter().max(), cycles.last(), "{lane_bits} lane bits");
            let sorts = cycles.into_iter().max().expect("a network has a layer") + 1;
            for row_bits in 3..=8 {
                // Cycles after the one in which the first counter bit is planned: the last exchanged bit, its target,
                // its label, the sort, the memory that the swaps go to. The row: start, request, grant, data, two
                // halves of the exchanges, and at least a step in each of them.
                let exchanges = u32::min(lane_bits, row_bits);
                assert!((exchanges - 1) + 2 + 1 + sorts < 6 + lane_bits, "{lane_bits} lane bits, {row_bits} row bits");
            }
        }
    }
}
