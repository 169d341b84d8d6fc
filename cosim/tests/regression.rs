// SPDX-License-Identifier: Apache-2.0
//! RTL and model in lockstep: programs and short random regressions on every configuration.

use std::path::Path;

use cosim_bench::case::Origin;
use cosim_bench::cli::program::{list, run_with_files, runs_on};
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::triage::report;
use cosim_bench::unit::target::Target;

fn targets() -> Vec<Target> {
    cosim::workshop().targets("all").expect("all")
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn random_programs_do_not_tell_rtl_and_model_apart() {
    for target in targets() {
        let plan = Plan { seed: 11, instructions: 4096, jobs: 2, fault: 0 };
        let summary = run(&target, &plan, |_| ());
        if let Some(failed) = summary.failed {
            let origin = Origin { seed: plan.seed, case: failed.job.number, fault: 0 };
            panic!("{}\n{}", report::text(&target, &failed.failure), origin.command(&target));
        }
        assert!(
            summary.sums.counts.retired >= 4096 && summary.sums.counts.compared == summary.sums.counts.retired,
            "{:?}",
            summary.sums.counts
        );
        assert!(summary.sums.counts.traps > 100, "{:?}", summary.sums.counts);
    }
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn every_program_runs_on_every_configuration() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let mut runs = 0;
    for target in targets() {
        for path in list(&folder).expect("programs") {
            if !runs_on(&target, &path).expect("readable") {
                assert!(
                    target.golden.matrix.is_none() && path.parent().is_some_and(|folder| folder.ends_with("matrix"))
                );
                continue;
            }
            runs += 1;
            let outcome = run_with_files(&target, &path, "", None).expect("readable");
            let outcome = outcome.unwrap_or_else(|text| panic!("{}\n{text}", path.display()));
            assert_eq!(outcome.counts.compared, outcome.report.retired.len() as u64);
        }
    }
    // 12 programs on 8 configurations, and 3 on those with matrix instructions.
    assert!(runs >= 12 * 8 + 3 * 3, "{runs}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let target = cosim::workshop().target("tiny").expect("tiny");
    let results = [1, 2, 5].map(|jobs| {
        let summary = run(&target, &Plan { seed: 5, instructions: 3000, jobs, fault: 0 }, |_| ());
        (summary.hash, summary.sums.counts)
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    let other = run(&target, &Plan { seed: 6, instructions: 3000, jobs: 2, fault: 0 }, |_| ());
    assert_ne!(results[0].0, other.hash);
}

#[test]
fn a_model_of_another_configuration_is_refused() {
    let mut target = cosim::workshop().target("tiny").expect("tiny");
    target.golden.l0m_bytes *= 2;
    let refused =
        cosim_bench::lockstep::Lockstep::new(&target, cosim_bench::unit::ModelKind::Fast, &Default::default());
    let text = refused.err().expect("refused").to_string();
    assert!(text.contains("the RTL is not of configuration tiny: it has l0m_bytes = 4096, not 8192"), "{text}");
    let mut target = cosim::workshop().target("w16").expect("w16");
    target.golden.matrix = None;
    let refused =
        cosim_bench::lockstep::Lockstep::new(&target, cosim_bench::unit::ModelKind::Fast, &Default::default());
    let text = refused.err().expect("refused").to_string();
    assert!(text.contains("the RTL is not of configuration w16: it has matrix (1: on) = 1, not 0; tlen = 512, not 0; trlen = 128, not 0"), "{text}");
}
