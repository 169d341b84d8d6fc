// SPDX-License-Identifier: Apache-2.0
//! Which cases of a run are taken, and when it stops.

use std::collections::BTreeSet;
use std::time::Instant;

use cosim_harness::base::interrupt::Interrupt;
use cosim_harness::cases::schedule::{Schedule, Shard, Stopped};

fn cases(shard: &str) -> Vec<u64> {
    let shard: Shard = shard.parse().expect(shard);
    let schedule = Schedule::new(shard, 10, None, Interrupt::default());
    std::iter::from_fn(|| schedule.take()).collect()
}

#[test]
fn shards_have_no_case_in_common_and_all_together() {
    assert_eq!(cases("1/1"), (0..10).collect::<Vec<_>>());
    assert_eq!([cases("1/3"), cases("2/3"), cases("3/3")], [vec![0, 3, 6, 9], vec![1, 4, 7], vec![2, 5, 8]]);
    let all: BTreeSet<u64> = ["1/3", "2/3", "3/3"].into_iter().flat_map(cases).collect();
    assert_eq!(all.len(), 10);
}

#[test]
fn a_shard_that_does_not_exist_is_refused() {
    for text in ["0/4", "5/4", "1/0", "1", "a/b", "1/2/3", "-1/2", "1/99999999999999999999"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

#[test]
fn the_failures_with_the_lowest_numbers_decide_where_a_run_ends() {
    let schedule = Schedule::new(Shard::WHOLE, 100, None, Interrupt::default()).with_failures(2);
    for number in [9, 7, 8] {
        schedule.failed(number);
    }
    assert_eq!(std::iter::from_fn(|| schedule.take()).last(), Some(7));
    let first = Schedule::new(Shard::WHOLE, 100, None, Interrupt::default());
    first.failed(3);
    assert_eq!(std::iter::from_fn(|| first.take()).last(), Some(2));
}

#[test]
fn a_run_stops_when_its_time_is_up_or_a_signal_has_come() {
    let over = Schedule::new(Shard::WHOLE, 10, Some(Instant::now()), Interrupt::default());
    assert_eq!((over.take(), over.stopped()), (None, Some(Stopped::Time)));
    let interrupt = Interrupt::default();
    let schedule = Schedule::new(Shard::WHOLE, 10, None, interrupt.clone());
    assert_eq!((schedule.take(), schedule.stopped()), (Some(0), None));
    interrupt.raise(15);
    assert_eq!((schedule.take(), schedule.stopped()), (None, Some(Stopped::Signal(15))));
    let finished = Schedule::new(Shard::WHOLE, 1, None, Interrupt::default());
    assert_eq!((finished.take(), finished.take(), finished.stopped()), (Some(0), None, None));
}
