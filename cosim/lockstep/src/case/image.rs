// SPDX-License-Identifier: Apache-2.0
//! Contents of a memory in few bytes: a block that is repeated, and what differs from that.

use std::ops::Range;

/// Contents of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Repeated from address 0 on; nothing stands for zeros.
    pub fill: Vec<u8>,
    /// Address and bytes of each place that differs.
    pub patches: Vec<(u32, Vec<u8>)>,
}

/// Bytes that a patch costs beside its contents, when the shortest image is chosen.
const PATCH_COST: usize = 16;

/// Places that differ with fewer equal bytes between them make one patch.
const GAP: usize = 12;

impl Image {
    /// A short image of `bytes`; `period` is the length of the block that they may repeat.
    pub fn compress(bytes: &[u8], period: usize) -> Image {
        let mut best = Image { fill: Vec::new(), patches: vec![(0, bytes.to_vec())] };
        let blocks = (0..3).filter_map(|i| bytes.get(i * period..(i + 1) * period)).map(<[u8]>::to_vec);
        let others = [Vec::new(), (0..=255).collect(), vec![255]];
        for fill in blocks.chain(others) {
            if let Some(better) = Image::with_fill(bytes, fill, best.cost()) {
                best = better;
            }
        }
        best
    }

    /// Bytes that it takes to describe it.
    pub fn cost(&self) -> usize {
        self.fill.len() + self.patches.iter().map(|(_, bytes)| bytes.len() + PATCH_COST).sum::<usize>()
    }

    /// The image with this fill, if it costs less than `limit`.
    fn with_fill(bytes: &[u8], fill: Vec<u8>, limit: usize) -> Option<Image> {
        let block = whole_blocks(&fill);
        let mut image = Image { fill, patches: Vec::new() };
        let mut cost = image.fill.len();
        let mut open: Option<Range<usize>> = None;
        for (start, chunk) in (0..).step_by(block.len()).zip(bytes.chunks(block.len())) {
            if chunk == &block[..chunk.len()] {
                continue;
            }
            for (at, _) in (start..).zip(chunk.iter().zip(&block)).filter(|(_, (byte, fill))| byte != fill) {
                match &mut open {
                    Some(range) if at < range.end + GAP => {
                        cost += at + 1 - range.end;
                        range.end = at + 1;
                    }
                    _ => {
                        image.close(bytes, open.take());
                        open = Some(at..at + 1);
                        cost += 1 + PATCH_COST;
                    }
                }
                if cost >= limit {
                    return None;
                }
            }
        }
        image.close(bytes, open);
        (cost < limit).then_some(image)
    }

    fn close(&mut self, bytes: &[u8], range: Option<Range<usize>>) {
        let Some(range) = range else { return };
        // A memory has less than 2^32 bytes.
        self.patches.push((range.start as u32, bytes[range].to_vec()));
    }

    /// The contents of a memory of `size` bytes; patches beyond it do not count.
    pub fn bytes(&self, size: u32) -> Vec<u8> {
        let size = size as usize;
        let mut bytes = vec![0; size];
        if !self.fill.is_empty() {
            bytes.chunks_mut(self.fill.len()).for_each(|chunk| chunk.copy_from_slice(&self.fill[..chunk.len()]));
        }
        for (at, patch) in &self.patches {
            let place = (*at as usize).min(size)..(*at as usize).saturating_add(patch.len()).min(size);
            let len = place.len();
            bytes[place].copy_from_slice(&patch[..len]);
        }
        bytes
    }
}

/// The fill, repeated so often that comparing with it is worth a call.
fn whole_blocks(fill: &[u8]) -> Vec<u8> {
    let fill = if fill.is_empty() { &[0] } else { fill };
    fill.repeat(2048_usize.div_ceil(fill.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn survives(bytes: &[u8], period: usize) -> Image {
        let image = Image::compress(bytes, period);
        assert_eq!(image.bytes(bytes.len() as u32), bytes);
        image
    }

    #[test]
    fn an_image_is_short_and_loses_nothing() {
        assert_eq!(survives(&[0; 9000], 4093), Image::default());
        assert_eq!(survives(&[], 4093), Image::default());
        let mut sparse = vec![0; 9000];
        sparse[5000..5010].fill(7);
        sparse[5015] = 1;
        sparse[8999] = 2;
        assert_eq!(survives(&sparse, 4093).patches.iter().map(|p| p.0).collect::<Vec<_>>(), [5000, 8999]);
        let random = |seed: u32| (0..4093u32).map(move |i| ((i ^ seed).wrapping_mul(2_654_435_761) >> 23) as u8);
        let block: Vec<u8> = random(1).collect();
        let mut repeated = block.repeat(5);
        repeated.truncate(16384);
        assert_eq!(survives(&repeated, 4093), Image { fill: block.clone(), patches: vec![] });
        // A change in the first block is a patch, and not a new block.
        repeated[17] ^= 1;
        assert_eq!(survives(&repeated, 4093), Image { fill: block, patches: vec![(17, vec![repeated[17]])] });
        let counting: Vec<u8> = (0..3000u32).map(|i| i as u8).collect();
        assert_eq!(survives(&counting, 4093).fill.len(), 256);
        survives(&random(9).collect::<Vec<_>>(), 4093);
        survives(&random(9).take(70).collect::<Vec<_>>(), 4093);
    }
}
