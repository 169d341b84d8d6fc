// SPDX-License-Identifier: Apache-2.0
//! Stall generators: when a port of the bench is ready, and when it makes the unit wait.

use serde::{Deserialize, Serialize};

/// How much a port makes the unit wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    #[default]
    None,
    /// One cycle in four, each on its own.
    Light,
    /// Most of the time: ready for 1 to 4 cycles, then not for 1 to [`LONGEST`].
    Heavy,
    /// A memory grants a request one cycle after it was made, never in the same cycle; other ports never wait.
    Asked,
    /// Waits once, for as many cycles as the seed of the instruction says ([`COUNTED`] at most), then never again.
    Counted,
    /// Ready for 1 to [`LONGEST_RUN`] cycles, then not for 1 to [`LONGEST_PAUSE`]: what waits for the port fills up,
    /// and runs empty.
    Long,
}

/// The longest wait of a stall generator, in cycles.
pub const LONGEST: u32 = 24;

/// The most cycles of [`Class::Long`] without a wait, and its longest wait: more than the requests of any unit.
const LONGEST_RUN: u32 = 64;
const LONGEST_PAUSE: u32 = 128;

/// The longest wait of [`Class::Counted`], in cycles; of a larger seed the low bits count.
pub const COUNTED: u32 = 63;

impl Class {
    pub const ALL: [Class; 3] = [Class::None, Class::Light, Class::Heavy];

    /// An upper bound for cycles per ready cycle, on the average over many.
    pub fn slowdown(self) -> u32 {
        match self {
            Class::None => 1,
            Class::Light | Class::Asked => 2,
            Class::Heavy => LONGEST,
            Class::Counted => 1 + COUNTED,
            Class::Long => LONGEST_PAUSE,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub issue: Class,
    pub result: Class,
    pub l1m: [Class; 2],
    pub l0m: [Class; 2],
}

impl Plan {
    /// The same class at every port.
    pub const fn all(class: Class) -> Plan {
        Plan { issue: class, result: class, l1m: [class; 2], l0m: [class; 2] }
    }

    pub fn classes(&self) -> [Class; 6] {
        [self.issue, self.result, self.l1m[0], self.l1m[1], self.l0m[0], self.l0m[1]]
    }
}

/// The generator of one port. Its choices follow from the seed of an instruction and from the number of cycles for
/// which the generator has followed that instruction: they do not change when other instructions are deleted.
#[derive(Clone, Debug)]
pub struct Stall {
    class: Class,
    port: u64,
    /// `class`, or none while the instruction followed never waits.
    active: Class,
    state: u64,
    ready: bool,
    left: u32,
}

/// The generators of the issue and the result port, and the seeds of all instructions.
pub struct Stalls {
    issue: Stall,
    pub result: Stall,
    /// Of instructions beyond `seeds`.
    seed: u64,
    /// By the number of the instruction in a stream, by its address in a program.
    seeds: Vec<u32>,
    /// The instruction that the issue port follows.
    offered: Option<u64>,
    /// The instruction that all other ports follow.
    oldest: Option<u64>,
}

impl Stalls {
    /// Of instructions with these `seeds`; those beyond follow from `seed`.
    pub fn new(issue: Stall, result: Stall, seed: u64, seeds: Vec<u32>) -> Stalls {
        Stalls { issue, result, seed, seeds, offered: None, oldest: None }
    }

    /// The seed of instruction `index`, which has `place` in the list of seeds.
    pub fn seed(&self, place: u64, index: u64) -> u32 {
        let given = usize::try_from(place).ok().and_then(|place| self.seeds.get(place));
        given.copied().unwrap_or_else(|| seed_of(self.seed, index))
    }

    /// Whether instruction `index`, which has this `seed`, is offered in this cycle.
    pub fn offers(&mut self, index: u64, seed: u32) -> bool {
        if self.offered.replace(index) != Some(index) {
            self.issue.follow(seed);
        }
        self.issue.ready()
    }

    /// Whether `index` has just become the oldest instruction in flight, which ports follow.
    pub fn is_new_oldest(&mut self, index: u64) -> bool {
        self.oldest.replace(index) != Some(index)
    }

    /// The instruction on the issue port is not the next one any more.
    pub fn withdraw(&mut self) {
        self.offered = None;
    }

    pub fn reset(&mut self) {
        (self.offered, self.oldest) = (None, None);
    }
}

/// Number of the resume input, among those of the ports.
const RESUME: u64 = 7;

/// The seed of an instruction that never waits.
pub const NO_STALL: u32 = 0;

/// The seed of instruction `index` of a program whose seeds all follow from one; never [`NO_STALL`].
pub fn seed_of(seed: u64, index: u64) -> u32 {
    mix(seed ^ mix(index.wrapping_add(1))) as u32 | 1
}

/// Cycles that the host lets pass after the result of an instruction with this seed, when it is a trap, before it
/// resumes a unit with precise traps.
pub fn resume_after(seed: u32) -> u32 {
    let draw = mix(u64::from(seed) << 32 | RESUME) as u32;
    let most = match draw & 3 {
        _ if seed == NO_STALL => 0,
        0 => 0,
        1 => 3,
        2 => LONGEST,
        _ => 4 * LONGEST,
    };
    (draw >> 2) % (most + 1)
}

/// Whether the host sets resume in every cycle in which an instruction with this seed is the oldest, though no trap is
/// pending: the unit must ignore it.
pub fn resumes_always(seed: u32) -> bool {
    seed != NO_STALL && mix(u64::from(seed) << 32 | RESUME) >> 61 == 0
}

impl Stall {
    /// A generator for port number `port`: two ports that follow one instruction make different choices.
    pub fn new(class: Class, port: u64) -> Stall {
        Stall { class, port, active: Class::None, state: 0, ready: false, left: 0 }
    }

    /// From now on the choices are those of an instruction with this seed.
    pub fn follow(&mut self, seed: u32) {
        self.active = if seed == NO_STALL { Class::None } else { self.class };
        if self.active == Class::None {
            return;
        }
        self.state = u64::from(seed) << 32 | self.port;
        // Ready and not ready are equally likely to be first.
        self.ready = self.next() & 1 == 1;
        self.left = if self.class == Class::Counted { seed & COUNTED } else { 0 };
    }

    /// Whether the port is ready in this cycle; to be called once per cycle.
    #[inline]
    pub fn ready(&mut self) -> bool {
        match self.active {
            Class::None | Class::Asked => true,
            Class::Light => self.next() & 3 != 0,
            Class::Heavy => self.in_turns([4, LONGEST]),
            Class::Long => self.in_turns([LONGEST_RUN, LONGEST_PAUSE]),
            Class::Counted => {
                let ready = self.left == 0;
                self.left = self.left.saturating_sub(1);
                ready
            }
        }
    }

    /// Ready for some cycles, then not for some: so many at most.
    fn in_turns(&mut self, [run, wait]: [u32; 2]) -> bool {
        if self.left == 0 {
            self.ready = !self.ready;
            let longest = if self.ready { run } else { wait };
            self.left = 1 + self.next() % longest;
        }
        self.left -= 1;
        self.ready
    }

    /// Whether a memory grants a request in this cycle; `waited`: it was there in the cycle before. To be called once
    /// per cycle.
    #[inline]
    pub fn grants(&mut self, waited: bool) -> bool {
        self.ready() && (waited || self.active != Class::Asked)
    }

    /// SplitMix64, upper half.
    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.state) >> 32) as u32
    }
}

fn mix(state: u64) -> u64 {
    let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_as_long_as_their_class_says() {
        let long = LONGEST_PAUSE..=LONGEST_PAUSE;
        let heavy = LONGEST..=LONGEST;
        for (class, expected) in
            [(Class::None, 0..=0), (Class::Light, 2..=LONGEST), (Class::Heavy, heavy), (Class::Long, long)]
        {
            let mut stall = Stall::new(class, 1);
            stall.follow(1);
            let (mut longest, mut wait) = (0, 0);
            for _ in 0..100_000 {
                wait = if stall.ready() { 0 } else { wait + 1 };
                longest = longest.max(wait);
            }
            assert!(expected.contains(&longest), "{class:?}: {longest}");
        }
    }

    /// The waits of an instruction: the cycles, out of the first 64 for which it is followed, that are not ready.
    fn waits(stall: &mut Stall, seed: u32) -> u64 {
        stall.follow(seed);
        (0..64).fold(0, |waits, cycle| waits | u64::from(!stall.ready()) << cycle)
    }

    #[test]
    fn the_waits_of_an_instruction_do_not_depend_on_the_others() {
        for class in [Class::Light, Class::Heavy] {
            let alone = waits(&mut Stall::new(class, 3), 77);
            let mut after_others = Stall::new(class, 3);
            for seed in [1, 2, NO_STALL, 5] {
                waits(&mut after_others, seed);
            }
            assert_eq!(waits(&mut after_others, 77), alone);
            assert_ne!(waits(&mut after_others, 78), alone);
            assert_ne!(waits(&mut Stall::new(class, 4), 77), alone);
            assert_ne!(alone, 0);
        }
    }

    #[test]
    fn a_counted_wait_is_the_seed() {
        let mut stall = Stall::new(Class::Counted, 1);
        for seed in 0..=COUNTED {
            assert_eq!(waits(&mut stall, seed), (1 << seed) - 1, "{seed}");
        }
    }

    #[test]
    fn an_instruction_without_a_seed_never_waits() {
        let mut stall = Stall::new(Class::Heavy, 1);
        assert_ne!(waits(&mut stall, 9), 0);
        assert_eq!(waits(&mut stall, NO_STALL), 0);
        assert!((0..1000).all(|index| seed_of(5, index) != NO_STALL));
    }

    #[test]
    fn the_host_resumes_at_once_or_after_a_wait() {
        let after: Vec<u32> = (1..1000).map(resume_after).collect();
        for cycles in [0..1, 1..2, 2..10, 10..40, 40..97] {
            assert!(after.iter().filter(|&after| cycles.contains(after)).count() > 50, "{cycles:?}");
        }
        assert_eq!((resume_after(NO_STALL), resumes_always(NO_STALL)), (0, false));
        let always = (1..1000).filter(|&seed| resumes_always(seed)).count();
        assert!((80..180).contains(&always), "{always}");
    }

    #[test]
    fn either_phase_of_a_heavy_stall_may_be_first() {
        let mut stall = Stall::new(Class::Heavy, 1);
        let ready = (1..1000).filter(|&seed| waits(&mut stall, seed) & 1 == 0).count();
        assert!((400..600).contains(&ready), "{ready}");
    }
}
