// SPDX-License-Identifier: Apache-2.0
//! Inputs that follow from a number: a seed file with some changes.

use crate::Target;

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Input `number` of a target with these seeds; the first ones are the seeds.
pub fn input(target: &Target, seeds: &[Vec<u8>], number: usize) -> Vec<u8> {
    if let Some(seed) = seeds.get(number) {
        return seed.clone();
    }
    let mut draw = Draw(number as u64);
    let mut bytes = seeds.get(draw.below(seeds.len())).cloned().unwrap_or_default();
    for _ in 0..1 + draw.below(4) {
        change(&mut draw, &mut bytes, target, seeds);
    }
    bytes
}

fn change(draw: &mut Draw, bytes: &mut Vec<u8>, target: &Target, seeds: &[Vec<u8>]) {
    let at = draw.below(bytes.len() + 1);
    let end = (at + 1 + draw.below(16)).min(bytes.len());
    match draw.below(8) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << draw.below(8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = draw.next() as u8;
            }
        }
        2 => drop(bytes.drain(at.min(end)..end)),
        3 => bytes.truncate(at),
        4 => {
            let part = bytes[at.min(end)..end].repeat(1 + draw.below(64));
            drop(bytes.splice(at..at, part));
        }
        5 => {
            let words: Vec<&str> = words(target.words).collect();
            let word = words.get(draw.below(words.len())).map(|word| unescaped(word)).unwrap_or_default();
            drop(bytes.splice(at.min(end)..end, word));
        }
        6 => {
            let number = [0, 1, 255, 65_536, u64::MAX >> 32, u64::MAX, draw.next()][draw.below(7)].to_string();
            drop(bytes.splice(at.min(end)..end, number.into_bytes()));
        }
        _ => {
            let other = seeds.get(draw.below(seeds.len())).cloned().unwrap_or_default();
            let from = draw.below(other.len() + 1);
            let to = (from + draw.below(200)).min(other.len());
            drop(bytes.splice(at..at, other[from..to].iter().copied()));
        }
    }
}

/// The words of a dictionary of libFuzzer, which are in quotes.
fn words(dictionary: &str) -> impl Iterator<Item = &str> {
    dictionary.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'))
}

/// `\xNN` of a word is a byte.
fn unescaped(word: &str) -> Vec<u8> {
    let part = |(number, part): (usize, &str)| match part.split_at_checked(2) {
        Some((byte, rest)) if number > 0 => [&[u8::from_str_radix(byte, 16).unwrap_or(b'?')], rest.as_bytes()].concat(),
        _ => part.as_bytes().to_vec(),
    };
    word.split("\\x").enumerate().flat_map(part).collect()
}
