// SPDX-License-Identifier: Apache-2.0
//! Sets of byte addresses, to compare what two stores wrote.

/// A set of addresses below a fixed size, emptied in the time that filling it took.
#[derive(Clone, Debug)]
pub struct ByteSet {
    words: Vec<u64>,
    touched: Vec<u32>,
}

impl ByteSet {
    pub fn new(size: usize) -> ByteSet {
        ByteSet { words: vec![0; size.div_ceil(64)], touched: Vec::new() }
    }

    /// Adds up to 64 addresses: bit i of `mask` stands for `address + i`.
    pub fn insert(&mut self, address: u32, mask: u64) {
        let (index, shift) = ((address / 64) as usize, address % 64);
        self.insert_word(index, mask << shift);
        if shift != 0 {
            self.insert_word(index + 1, mask >> (64 - shift));
        }
    }

    pub fn insert_range(&mut self, address: u32, len: u32) {
        for done in (0..len).step_by(64) {
            self.insert(address + done, u64::MAX >> (64 - (len - done).min(64)));
        }
    }

    fn insert_word(&mut self, index: usize, mask: u64) {
        if mask != 0
            && let Some(word) = self.words.get_mut(index)
        {
            if *word == 0 {
                self.touched.push(index as u32);
            }
            *word |= mask;
        }
    }

    /// The lowest address that is in one of the sets but not in the other, and whether it is in `self`.
    pub fn first_difference(&self, other: &ByteSet) -> Option<(u32, bool)> {
        let indices = self.touched.iter().chain(&other.touched);
        let different = indices.filter(|&&i| self.words[i as usize] != other.words[i as usize]);
        let index = *different.min()?;
        let (mine, theirs) = (self.words[index as usize], other.words[index as usize]);
        let bit = (mine ^ theirs).trailing_zeros();
        Some((index * 64 + bit, mine >> bit & 1 == 1))
    }

    /// The lowest address of the set that is not in `other`.
    pub fn first_outside(&self, other: &ByteSet) -> Option<u32> {
        let outside = |i: u32| self.words[i as usize] & !other.words[i as usize];
        let index = self.touched.iter().copied().filter(|&i| outside(i) != 0).min()?;
        Some(index * 64 + outside(index).trailing_zeros())
    }

    pub fn clear(&mut self) {
        for index in self.touched.drain(..) {
            self.words[index as usize] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_beats_that_cover_the_same_bytes_are_equal() {
        let (mut a, mut b) = (ByteSet::new(256), ByteSet::new(256));
        a.insert_range(60, 70);
        b.insert(60, 0xf);
        b.insert(64, u64::MAX);
        b.insert(96, 0x3_ffff_ffff);
        assert_eq!(a.first_difference(&b), None);
        b.insert(130, 1);
        assert_eq!(a.first_difference(&b), Some((130, false)));
        assert_eq!(b.first_difference(&a), Some((130, true)));
        assert_eq!(b.first_outside(&a), Some(130));
        assert_eq!(a.first_outside(&b), None);
        b.clear();
        assert_eq!(a.first_difference(&b), Some((60, true)));
    }
}
