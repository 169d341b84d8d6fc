// SPDX-License-Identifier: Apache-2.0
//! Branches and `jal` of the base instruction set: how far they go.

const BRANCH: u32 = 0x63;
const JAL: u32 = 0x6f;

/// How many bytes away the target is; nothing for other words.
pub fn distance(word: u32) -> Option<i32> {
    let sign = word as i32 >> 31;
    let part = |from: u32, mask: u32, to: u32| ((word >> from & mask) << to) as i32;
    match word & 0x7f {
        BRANCH => Some(sign << 12 | part(7, 1, 11) | part(25, 0x3f, 5) | part(8, 0xf, 1)),
        JAL => Some(sign << 20 | part(12, 0xff, 12) | part(20, 1, 11) | part(21, 0x3ff, 1)),
        _ => None,
    }
}

/// A word with a distance, with another one.
pub fn with_distance(word: u32, distance: i32) -> u32 {
    let part = |from: u32, mask: u32, to: u32| (distance as u32 >> from & mask) << to;
    match word & 0x7f {
        BRANCH => word & 0x01ff_f07f | part(12, 1, 31) | part(5, 0x3f, 25) | part(1, 0xf, 8) | part(11, 1, 7),
        JAL => word & 0xfff | part(20, 1, 31) | part(1, 0x3ff, 21) | part(11, 1, 20) | part(12, 0xff, 12),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_assembler() {
        let config = golden::Config::named("tiny").expect("tiny");
        for jump in ["j", "jal x5,", "beq x1, x2,", "bgeu x31, x30,"] {
            let word = |distance: i32| golden::asm::assemble("test", &format!("{jump} {distance}"), &config);
            let word = |distance: i32| word(distance).expect("assembles")[0];
            for to in [0, 2, 4, 30, 32, 2046, 2048, 4094, -2, -4, -2048, -2050, -4096] {
                assert_eq!(distance(word(to)), Some(to), "{jump} {to}");
                assert_eq!(with_distance(word(-64), to), word(to), "{jump} {to}");
            }
        }
        assert_eq!((distance(0x13), with_distance(0x13, 8)), (None, 0x13));
    }
}
