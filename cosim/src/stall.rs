// SPDX-License-Identifier: Apache-2.0
//! Stall generators: when a port of the bench is ready, and when it makes the unit wait.

/// How much a port makes the unit wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    /// Never.
    #[default]
    None,
    /// One cycle in four, each on its own.
    Light,
    /// Most of the time: ready for 1 to 4 cycles, then not for 1 to [`LONGEST`].
    Heavy,
}

/// The longest wait of a stall generator, in cycles.
pub const LONGEST: u32 = 24;

impl Class {
    /// All classes.
    pub const ALL: [Class; 3] = [Class::None, Class::Light, Class::Heavy];

    /// An upper bound for cycles per ready cycle, on the average over many.
    pub fn slowdown(self) -> u32 {
        match self {
            Class::None => 1,
            Class::Light => 2,
            Class::Heavy => LONGEST,
        }
    }
}

/// The classes of all ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Instructions are offered.
    pub issue: Class,
    /// Results are taken.
    pub result: Class,
    /// L1M grants, L1M responses.
    pub l1m: [Class; 2],
    /// L0M grants, L0M responses.
    pub l0m: [Class; 2],
}

impl Plan {
    /// The classes in a fixed order.
    pub fn classes(&self) -> [Class; 6] {
        [self.issue, self.result, self.l1m[0], self.l1m[1], self.l0m[0], self.l0m[1]]
    }
}

/// The generator of one port.
#[derive(Clone, Debug)]
pub struct Stall {
    class: Class,
    state: u64,
    ready: bool,
    left: u32,
}

impl Stall {
    /// A generator whose choices follow from `seed`.
    pub fn new(class: Class, seed: u64) -> Stall {
        Stall { class, state: seed, ready: false, left: 0 }
    }

    /// Whether the port is ready in this cycle; to be called once per cycle.
    #[inline]
    pub fn ready(&mut self) -> bool {
        match self.class {
            Class::None => true,
            Class::Light => self.next() & 3 != 0,
            Class::Heavy => {
                if self.left == 0 {
                    self.ready = !self.ready;
                    let longest = if self.ready { 4 } else { LONGEST };
                    self.left = 1 + self.next() % longest;
                }
                self.left -= 1;
                self.ready
            }
        }
    }

    /// SplitMix64, upper half.
    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_as_long_as_their_class_says() {
        for (class, expected) in [(Class::None, 0..=0), (Class::Light, 2..=LONGEST), (Class::Heavy, LONGEST..=LONGEST)]
        {
            let mut stall = Stall::new(class, 1);
            let (mut longest, mut wait) = (0, 0);
            for _ in 0..10_000 {
                wait = if stall.ready() { 0 } else { wait + 1 };
                longest = longest.max(wait);
            }
            assert!(expected.contains(&longest), "{class:?}: {longest}");
        }
    }
}
