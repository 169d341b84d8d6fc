// SPDX-License-Identifier: Apache-2.0
//! Failing cases by their causes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cosim_bench::case::Case;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::shrink::{Budget, in_process, shrink};
use cosim_bench::triage::bucket::Bucket;

fn cosim(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_cosim")).current_dir(folder).args(arguments).output().expect("cosim")
}

/// The first failing case of each fault, made smaller: its bucket.
fn buckets(faults: impl Iterator<Item = u32>) -> BTreeMap<Bucket, Vec<u32>> {
    let target = cosim::workshop().with_faults().expect("tiny with planted faults");
    let mut buckets: BTreeMap<Bucket, Vec<u32>> = BTreeMap::new();
    for fault in faults {
        let plan = Plan { seed: 1, instructions: 30_000, jobs: 2, fault };
        let failed = run(&target, &plan, |_| ()).failed.unwrap_or_else(|| panic!("fault {fault} does not show"));
        let case = Case::new(&target, 1, failed.job.number);
        let mut run = |case: &Case| Ok(in_process(&target, fault, case));
        let small = shrink(&target, &case, failed.failure, Budget::default(), &mut run).expect("runs");
        buckets.entry(Bucket::of(&target, &small.failure, Some(&small.case))).or_default().push(fault);
    }
    buckets
}

/// Not chosen: the first twenty, which are in all parts of the unit, and those of the first twenty instructions.
#[test]
fn twenty_faults_are_as_many_buckets_but_two() {
    for faults in [1..=20, 101..=120] {
        let buckets = buckets(faults);
        let shared: Vec<_> = buckets.iter().filter(|(_, faults)| faults.len() > 1).collect();
        assert!(buckets.len() >= 18, "{shared:#?}");
    }
}

/// The cells of the rows of the table in the summary, without the number of the bucket.
fn rows(summary: &str) -> Vec<Vec<String>> {
    let row = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = summary.lines().skip_while(|line| !line.starts_with("| bucket |")).skip(2);
    rows.take_while(|line| line.starts_with('|')).map(row).collect()
}

#[test]
fn twenty_faults_at_once_have_a_page_and_shards_have_the_same() {
    let faults: Vec<String> = (101..=120).map(|fault| fault.to_string()).collect();
    let run = format!("random --config tiny --fault {} --seed 1 --count 31000 --max-failures 200", faults.join(","));
    let (whole, shards) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let done = cosim(whole.path(), &format!("{run} --summary s.md"));
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    for shard in 1..=3 {
        let done = cosim(shards.path(), &format!("{run} --shard {shard}/3 --results parts"));
        assert_eq!(done.status.code(), Some(1), "{done:?}");
        assert!(shards.path().join(format!("failures/shard-0000{shard}-of-00003.html")).exists());
    }
    assert_eq!(cosim(shards.path(), "collect parts --summary s.md").status.code(), Some(1));
    let read = |name: &str| [&whole, &shards].map(|folder| fs::read_to_string(folder.path().join(name)).expect(name));
    let [page, collected] = read("failures/index.html");
    assert_eq!(page, collected);
    let [summary, collected] = read("s.md");
    assert_eq!(summary, collected);

    // Of which fault a case is, its number says.
    let rows = rows(&summary);
    let failed: usize = rows.iter().map(|row| row[1].parse::<usize>().expect("cases")).sum();
    let first: BTreeSet<u64> = rows
        .iter()
        .map(|row| row[2].rsplit(' ').next().and_then(|case| case.parse::<u64>().ok()).expect("case") % 20)
        .collect();
    assert!(failed > 40 && summary.contains(&format!("**{failed} cases failed**")), "{failed}\n{summary}");
    assert_eq!(page.matches("<section id=\"bucket").count(), rows.len() + 1);
    assert!(first.len() >= 14, "{first:?}");
    // Every link leads to a page.
    let links: BTreeSet<&str> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|l| !l.starts_with('#'))
        .collect();
    assert!(links.len() > 40, "{links:?}");
    for link in links {
        assert!(whole.path().join("failures").join(link).exists(), "{link}");
        assert!(shards.path().join("failures").join(link).exists(), "{link}");
    }
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(text.contains("failing cases by their causes: failures/index.html"), "{text}");
}
