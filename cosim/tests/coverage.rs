// SPDX-License-Identifier: Apache-2.0
//! The coverage table, the steering towards its bins, and the files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{target, target_of, thin};
use cosim_bench::cases::closing::Limits;
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::facts::xpose;
use cosim_bench::coverage::file::{Coverage, Covered};
use cosim_bench::coverage::hits::Hits;
use cosim_bench::coverage::rules::absent;
use cosim_bench::coverage::values::{Axis, OTHER_NEED};
use cosim_bench::coverage::{table, table_control, table_matrix, table_revision};
use cosim_bench::run::Summary;
use cosim_bench::run::interrupt::Interrupt;
use cosim_bench::run::schedule::{Schedule, Shard};
use cosim_bench::run::until;
use cosim_bench::run::{Cases, Done, InProcess, Job, pool};
use cosim_bench::unit::target::Target;

/// Configurations at the edges of what is allowed, for rules that no built-in one needs.
fn targets() -> Vec<Target> {
    let mut targets = cosim::workshop().targets("all").expect("all");
    targets.push(target_of("name = \"words\"\nlanes = 8\nmem_port_bytes = 4\nelement_widths = [32]\n"));
    targets.push(target_of("name = \"two\"\nmatrix = true\ntlen = 256\n"));
    targets.push(thin());
    targets.push(target_of("name = \"narrow\"\nlanes = 8\nmatrix = true\n"));
    targets.push(target_of("name = \"killing\"\nlanes = 8\nelement_widths = [8]\nqueue_entries = 3\nprecise = true\n"));
    targets.push(target_of("name = \"pair\"\nlanes = 8\nqueue_entries = 2\n"));
    targets.push(target_of("name = \"revised\"\nlanes = 8\npitch = true\ncsr_op = true\ngpr_rs1 = true\n"));
    targets.push(target_of("name = \"wide\"\nlanes = 8\nxlen = 64\nmatrix = true\n"));
    targets.push(target_of("name = \"short\"\nlanes = 16\nreg_bytes = 64\n"));
    targets.push(target_of("name = \"few\"\nlanes = 8\nreg_bytes = 64\nelement_widths = [32]\npitch = true\n"));
    let memories = "reg_bytes = 64\nl1m_bytes = 64\nl0m_bytes = 64\n";
    targets
        .push(target_of(&format!("name = \"long\"\nlanes = 16\n{memories}matrix = true\ntlen = 4096\ntrlen = 1024\n")));
    targets.push(least());
    targets.push(deep());
    targets
}

/// A unit that has 64 requests on a memory port.
fn deep() -> Target {
    target_of("name = \"deep\"\nlanes = 8\nreg_bytes = 64\noutstanding = 64\n")
}

/// The smallest registers, memories and queue.
fn least() -> Target {
    target_of(
        "name = \"least\"\nlanes = 16\nreg_bytes = 64\nl1m_bytes = 64\nl0m_bytes = 128\nqueue_entries = 2\nprecise = true\n",
    )
}

#[test]
fn no_two_bins_have_one_name_and_every_value_is_in_one() {
    let (mut used, mut instructions) = (BTreeSet::new(), BTreeSet::new());
    for target in targets() {
        let bins = Bins::new(&target);
        let names: BTreeSet<String> = (0..bins.len()).map(|id| bins.name(id)).collect();
        assert_eq!(names.len(), bins.len(), "{}", target.name());
        used.extend(bins.possible().flat_map(|id| bins.bin(id).expect("bin").1.0));
        let words = Axis::Encoding.values().filter(|value| absent(&target, *value).is_some());
        instructions.extend(words);
    }
    let all = Axis::ALL.iter().flat_map(|axis| axis.values());
    // Words that no configuration has for illegal are instructions by now.
    // A need of a new instruction has this one until it gets its own.
    let all = all.filter(|value| *value != OTHER_NEED);
    let unused = all.filter(|value| !used.contains(value) && !instructions.contains(value));
    let unused: Vec<String> = unused.map(|value| value.text()).collect();
    // More engines than instructions can be in flight.
    let unused: Vec<&String> = unused.iter().filter(|text| text.matches('+').count() < 3).collect();
    // A condition, and what never occurs.
    assert_eq!(unused, ["illegal", "both"]);
}

#[test]
fn every_exclusion_leaves_out_a_bin_of_some_configuration() {
    let mut reasons = BTreeSet::new();
    for target in targets() {
        let bins = Bins::new(&target);
        reasons.extend(bins.exclusions().map(|exclusion| (exclusion.group, exclusion.bins.clone(), exclusion.reason)));
        for id in (0..bins.len()).filter(|&id| bins.is_excluded(id)) {
            assert!(bins.exclusion(id).is_some_and(|exclusion| exclusion.reason.len() > 10));
        }
    }
    for group in
        table::GROUPS.iter().chain(table_control::GROUPS).chain(table_matrix::GROUPS).chain(table_revision::GROUPS)
    {
        for never in group.never {
            let found = reasons.iter().any(|(name, _, reason)| *name == group.name && *reason == never.reason);
            assert!(found, "{}: {}", group.name, never.reason);
        }
    }
}

/// The crossing of every exchange, found by moving single elements.
#[test]
fn address_bits_of_exchanges_are_counted_as_elements_move() {
    for target in targets() {
        let lane_bits = (8 * target.rtl.lanes / target.rtl.granule_bits()).ilog2();
        for bits in target.golden.element_widths.iter() {
            let element_bits = (bits / target.rtl.granule_bits()).ilog2();
            for exchange in xpose::all(&target, bits) {
                let sizes = exchange.sizes().map(usize::from);
                let [p, q] = exchange.pq.map(usize::from);
                let moved = |place: usize| {
                    let mut index = [0; 4];
                    let mut left = place;
                    for d in (0..4).rev() {
                        (index[d], left) = (left % sizes[d], left / sizes[d]);
                    }
                    let mut to_sizes = sizes;
                    to_sizes.swap(p, q);
                    index.swap(p, q);
                    (0..4).fold(0, |place, d| place * to_sizes[d] + index[d])
                };
                let all = sizes.iter().product::<usize>().ilog2();
                let from_row = (0..all).filter(|&bit| bit + element_bits >= lane_bits);
                let crossing = from_row.filter(|&bit| moved(1 << bit).ilog2() + element_bits < lane_bits).count();
                let value = |index| cosim_bench::coverage::values::Value { axis: Axis::Crossing, index };
                assert!(exchange.is(value(crossing as u8)), "{}: {exchange:?}: {crossing}", target.name());
            }
        }
    }
}

/// Collects what cases of `seed` hit.
fn executor(target: &Target, bins: &Arc<Bins>, seed: u64) -> anyhow::Result<impl FnMut(&Job) -> anyhow::Result<Done>> {
    let cases = InProcess::new(Cases::new(target, seed, 0).covering(bins));
    Ok(move |job: &Job| cases.execute(job))
}

#[test]
fn steering_hits_every_bin_whatever_the_number_of_threads() {
    let [one, two, five] = [1, 2, 5].map(|jobs| every_bin(&target("tiny"), jobs));
    assert!(one == two && two == five);
}

#[test]
#[ignore = "needs two models: make test-all"]
fn steering_hits_every_bin_of_units_with_little() {
    for target in [target("int8"), least()] {
        every_bin(&target, 2);
    }
}

#[test]
#[ignore = "needs a model of its own: make test-all"]
fn steering_fills_ports_of_64_requests() {
    every_bin(&deep(), 2);
}

/// Steers until every bin is hit; gives the hits and the hash of the stimulus.
fn every_bin(target: &Target, jobs: usize) -> (Hits, u64) {
    let bins = Arc::new(Bins::new(target));
    let limits = Limits { jobs, ..Limits::default() };
    let ended = until::run(&bins, 200_000, limits, || executor(target, &bins, 7), None).expect("runs");
    if let Some(failed) = ended.failed {
        panic!("{}", cosim_bench::triage::report::text(target, &failed.failure));
    }
    let missing: Vec<String> = ended.sums.hits.missing(&bins).into_iter().map(|id| bins.name(id)).collect();
    assert_eq!(missing, Vec::<String>::new(), "{}", target.name());
    assert_eq!(ended.sums.hits.refuted(&bins), Vec::<usize>::new(), "{}", target.name());
    (ended.sums.hits, ended.hash)
}

#[test]
fn steering_ends_when_the_instructions_do() {
    let target = target("tiny");
    let bins = Arc::new(Bins::new(&target));
    let limits = Limits { jobs: 2, ..Limits::default() };
    let ended = until::run(&bins, 1, limits, || executor(&target, &bins, 1), None).expect("runs");
    assert!(ended.sums.hits.cases == 32 && ended.sums.hits.missing(&bins).len() > 100);
}

/// Some random cases.
fn random(target: &Target, bins: &Arc<Bins>, seed: u64, cases: u64) -> Summary {
    let schedule = Schedule::new(Shard::WHOLE, cases, None, Interrupt::default());
    pool::run(2, &schedule, Job::random, || executor(target, bins, seed), |_| ()).expect("runs")
}

/// A bin that cannot occur, by its reason, is not hit by random programs either.
#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn random_programs_hit_no_bin_that_cannot_occur() {
    for (name, cases) in [("tiny", 600), ("int8", 60), ("w16", 60), ("w8", 40)] {
        let target = target(name);
        let bins = Arc::new(Bins::new(&target));
        let covered = random(&target, &bins, 23, cases);
        assert!(covered.failed.is_none());
        let refuted: Vec<String> = covered.sums.hits.refuted(&bins).into_iter().map(|id| bins.name(id)).collect();
        assert_eq!(refuted, Vec::<String>::new(), "{name}");
        assert!(covered.sums.hits.missing(&bins).len() * 2 < bins.possible().count());
    }
}

/// Coverage of some random cases of a configuration.
fn some(name: &str, seed: u64) -> Coverage {
    let target = target(name);
    let bins = Arc::new(Bins::new(&target));
    let hits = random(&target, &bins, seed, 3).sums.hits;
    let mut coverage = Coverage::default();
    coverage.add(Covered { target, bins, hits });
    coverage
}

fn sum(parts: impl IntoIterator<Item = Coverage>) -> Coverage {
    let mut sum = Coverage::default();
    parts.into_iter().for_each(|part| sum.merge(part).expect("the same parameters"));
    sum
}

fn hit(coverage: &Coverage) -> BTreeMap<String, BTreeSet<usize>> {
    let of = |c: &Covered| (0..c.bins.len()).filter(|&id| c.hits.count(id) > 0).collect();
    coverage.0.iter().map(|(name, covered)| (name.clone(), of(covered))).collect()
}

#[test]
fn the_order_of_a_merge_does_not_matter_and_twice_the_same_hits_no_more_bins() {
    let [a, b, c] = [|| some("tiny", 1), || some("tiny", 2), || some("int8", 3)];
    let text = |coverage: Coverage| coverage.to_json().expect("text");
    let together = text(sum([a(), b(), c()]));
    assert_eq!(together, text(sum([sum([a(), b()]), c()])));
    assert_eq!(together, text(sum([a(), sum([c(), b()])])));
    assert_eq!(hit(&sum([a(), a()])), hit(&a()));
    assert_eq!(text(sum([a(), Coverage::default()])), text(a()));
    let bins = |coverage: Coverage| hit(&coverage)["tiny"].len();
    assert!(bins(sum([a(), b()])) > bins(a()) && bins(a()) > 300);
}

#[test]
fn a_file_is_read_as_it_was_written_and_anything_else_is_refused() {
    let text = sum([some("tiny", 1), some("int8", 1)]).to_json().expect("text");
    assert_eq!(Coverage::from_json(&cosim::workshop(), &text).expect("read").to_json().expect("text"), text);
    let refused = |text: &str, why: &str| {
        let error =
            Coverage::from_json(&cosim::workshop(), text).err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(error.contains(why), "{error}");
    };
    for length in [0, 1, text.len() / 3, text.len() / 2, text.len() - 3] {
        refused(&text[..length], "not JSON, or cut short");
    }
    refused("{}", "not a coverage file");
    refused("[1]", "not a coverage file");
    refused(&text.replace("\"version\": 1", "\"version\": 2"), "this program reads 1");
    refused(&text.replace("\"config\": \"tiny\"", "\"config\": \"huge\""), "its parameters have the name \"tiny\"");
    let other = text
        .replace("\"config\": \"tiny\"", "\"config\": \"int8\"")
        .replace("name = \\\"tiny\\\"", "name = \\\"int8\\\"");
    refused(&other, "made with coverage table");
    refused(&text.replace("reg_bytes = 64\\n", "reg_bytes = 128\\n"), "made with coverage table");
    refused(&text.replace("type: tl.load, tint8", "type: tl.load, tint9"), "there is no bin \"type: tl.load, tint9\"");
    refused(&text.replace("\"cases\": 3", "\"cases\": -3"), "not a coverage file of this version");
}
