// SPDX-License-Identifier: Apache-2.0
//! Failing cases by their causes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{cosim, tiny};
use cosim_bench::case::Case;
use cosim_bench::random::random_case;
use cosim_bench::report::Bucket;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::shrink::{Budget, in_process, shrink};
use cosim_bench::triage::bucket::bucket;

/// Of the programs that show the faults: the first ones, which nobody chose.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The first failing case of each fault, made smaller: its bucket.
fn buckets(seed: u64, faults: impl Iterator<Item = u32>) -> BTreeMap<Bucket, Vec<u32>> {
    let target = tiny();
    let mut buckets: BTreeMap<Bucket, Vec<u32>> = BTreeMap::new();
    for fault in faults {
        let plan = Plan { seed, instructions: 120_000, jobs: 2, fault };
        let failed = run(&target, &plan, |_| ()).failed.unwrap_or_else(|| panic!("fault {fault} does not show"));
        let case = random_case(&target, seed, failed.job.number);
        let mut run = |case: &Case| Ok(in_process(&target, fault, case));
        let small = shrink(&target, &case, failed.failure, Budget::default(), &mut run).expect("runs");
        buckets.entry(bucket(&target, &small.failure, Some(&small.case))).or_default().push(fault);
    }
    buckets
}

/// Not chosen: the first twenty, which are in all parts of the unit, and those of the first twenty instructions.
#[test]
#[ignore = "half a minute: make test-all"]
fn twenty_faults_are_as_many_buckets_but_two() {
    for seed in SEEDS {
        for faults in [1..=20, 101..=120] {
            let buckets = buckets(seed, faults);
            let shared: Vec<_> = buckets.iter().filter(|(_, faults)| faults.len() > 1).collect();
            assert!(buckets.len() >= 18, "seed {seed}: {shared:#?}");
        }
    }
}

/// Whether the cases of each bucket of a page differ in a trap, and their planted faults, which the names of their
/// folders tell.
fn faults(page: &str) -> Vec<(bool, BTreeSet<u32>)> {
    let fault = |link: &str| -> Option<u32> { link.split("-fault").nth(1)?.split('/').next()?.parse().ok() };
    let heading = |section: &str| section.split("</h2>").next().unwrap_or_default().to_owned();
    page.split("<section id=\"bucket")
        .skip(2)
        .map(|section| (heading(section).contains("trap at "), links(section).into_iter().filter_map(fault).collect()))
        .collect()
}

fn links(page: &str) -> BTreeSet<&str> {
    let links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| !link.starts_with('#')).collect()
}

/// With all failing cases of more than two hundred: no bucket has two faults, and a fault with two buckets has a trap
/// for a sign, and wrong contents for the other.
#[test]
#[ignore = "half a minute: make test-all"]
fn twenty_faults_at_once_have_a_bucket_for_each_sign_and_shards_give_the_same() {
    let list: Vec<String> = (101..=120).map(|fault| fault.to_string()).collect();
    let run = format!("random --config tiny --fault {} --seed 5 --count 160000 --max-failures 500", list.join(","));
    let (whole, shards) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let done = cosim(whole.path(), &format!("{run} --summary s.md"));
    assert_eq!(done.code, Some(1), "{done:?}");
    for shard in 1..=3 {
        let done = cosim(shards.path(), &format!("{run} --shard {shard}/3 --results parts"));
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(shards.path().join(format!("failures/shard-0000{shard}-of-00003.html")).exists());
    }
    assert_eq!(cosim(shards.path(), "collect parts --summary s.md").code, Some(1));
    let read = |name: &str| [&whole, &shards].map(|folder| fs::read_to_string(folder.path().join(name)).expect(name));
    let [page, collected] = read("failures/index.html");
    assert_eq!(page, collected);
    let [summary, collected] = read("s.md");
    assert_eq!(summary, collected);

    let buckets = faults(&page);
    let text = &done.out;
    let all: BTreeSet<u32> = buckets.iter().flat_map(|(_, faults)| faults.clone()).collect();
    assert_eq!(all, (101..=120).collect(), "{text}");
    assert!(buckets.iter().all(|(_, faults)| faults.len() == 1), "{buckets:?}\n{text}");
    for fault in all {
        let mut traps: Vec<bool> =
            buckets.iter().filter(|(_, faults)| faults.contains(&fault)).map(|(trap, _)| *trap).collect();
        traps.sort_unstable();
        assert!(traps.len() == 1 || traps == [false, true], "fault {fault}: {buckets:?}\n{text}");
    }
    assert!(text.contains("failing cases by their causes: failures/index.html"), "{text}");
    let row = format!("| {} |", buckets.len());
    assert!(
        summary.contains("\n| bucket | cases | first seen |") && summary.contains(&format!("\n{row} ")),
        "{summary}"
    );

    // Every link leads to a page.
    assert!(links(&page).len() > 60, "{page}");
    for link in links(&page) {
        assert!(whole.path().join("failures").join(link).exists(), "{link}");
        assert!(shards.path().join("failures").join(link).exists(), "{link}");
    }
}
