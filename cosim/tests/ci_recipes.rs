// SPDX-License-Identifier: Apache-2.0
//! The recipes for CI systems, with a case that fails in the middle: what follows runs, and the job is red.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{COSIM, break_lane_swap, write_tiny};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A checkout with a program that is built, and RTL of `tiny` with a wrong line in `rtl`.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("target/release")).expect("folder");
    symlink(COSIM, at("target/release/cosim")).expect("link");
    symlink(Path::new(ROOT).join("docs"), at("docs")).expect("link");
    write_tiny(&at("rtl"));
    break_lane_swap(&at("rtl"));
    folder
}

fn shell(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    command.args(["-eo", "pipefail", "-c", line]).current_dir(folder).env_remove("CARGO_TARGET_DIR");
    command.envs(variables.iter().copied()).output().expect("bash")
}

/// The commands of the jobs `random` and `collect` that run this program, in their order.
fn steps(recipe: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/ci").join(recipe)).expect(recipe);
    let lines = text.lines().map(|line| line.trim().trim_start_matches("- ").trim_start_matches("run: "));
    let ours = |line: &&str| {
        line.contains("docs/ci/random.sh") || line.contains("cosim collect") || line.contains("summary.md >>")
    };
    lines.filter(|line| !line.starts_with('#')).filter(ours).map(str::to_owned).collect()
}

#[test]
fn a_failing_case_in_the_middle_costs_no_report() {
    let variables = [("CONFIG", "tiny"), ("RTL", "rtl"), ("BUDGET", "2s"), ("GITHUB_STEP_SUMMARY", "page.md")];
    let github = [("SHARD", "1/1"), ("SEED", "3")];
    let gitlab = [("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "1"), ("CI_PIPELINE_IID", "3")];
    for (recipe, own, count) in [("github-actions.yml", &github[..], 3), ("gitlab-ci.yml", &gitlab, 2)] {
        let folder = checkout();
        let read =
            |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_else(|_| panic!("{recipe}: {name}"));
        let steps = steps(recipe);
        assert_eq!(steps.len(), count, "{recipe}: {steps:?}");
        let codes: Vec<_> = steps
            .iter()
            .map(|step| shell(folder.path(), step, &[&variables[..], own].concat()).status.code())
            .collect();
        assert_eq!(codes[..2], [Some(1); 2], "{recipe}: {steps:?}");
        for name in ["junit-random.xml", "junit-bins.xml", "junit.xml"] {
            assert!(read(name).contains("failures=\"1\""), "{recipe}: {name}");
        }
        for name in ["summary-random.md", "summary-bins.md", "summary.md"] {
            assert!(read(name).starts_with("## cosim random: **1 failed**"), "{recipe}: {name}");
        }
        assert_eq!(read("page.md").matches("## cosim random").count(), count, "{recipe}");
        let mode = |name: &str| fs::metadata(folder.path().join(name)).expect(name).permissions().mode();
        assert_eq!(mode("shards/shard-00001-of-00001.json"), mode("junit.xml"), "readable for others");
    }
}

#[test]
fn a_run_that_cannot_begin_is_red_and_the_next_one_begins() {
    let folder = checkout();
    let done = shell(folder.path(), "sh docs/ci/random.sh", &[("CONFIG", "none")]);
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&done.stderr).matches("no configuration `none`").count(), 2, "{done:?}");
}

/// In the place of Slurm's: runs what it is given at once, as long as what it depends on has not failed.
const SBATCH: &str = r#"#!/bin/sh
tasks=none
for argument; do case $argument in
  --array=1-*) tasks=$(seq "${argument#--array=1-}") ;;
  *.sbatch) script=$argument ;;
  --dependency=afterok:*) [ ! -e codes ] || exit 1 ;;
esac; done
for task in $tasks; do SLURM_ARRAY_TASK_ID=$task sh "$script" >>log 2>&1 || echo "$STAGE $task: $?" >>codes; done
echo 1
"#;

#[test]
fn the_jobs_for_slurm_go_on_after_a_failing_case() {
    let folder = checkout();
    let script = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("written");
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o755)).expect("executable");
    };
    script("sbatch", SBATCH);
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("PATH"));
    let random = "target/release/cosim random --config tiny --rtl rtl --count 256 --no-shrink --out other --seed";
    let fails = |seed: &String| shell(folder.path(), &format!("{random} {seed}"), &[]).status.code() == Some(1);
    // Case 0 of this seed fails: in the job that makes the models.
    let seed = (1..40).map(|seed| seed.to_string()).find(fails).expect("a seed");
    let own = [("CONFIG", "tiny"), ("RTL", "rtl"), ("SHARDS", "2"), ("COUNT", "3000"), ("SEED", &*seed)];
    // Not those of the script's own: others have been made.
    let models = std::env::var("COSIM_MODELS")
        .unwrap_or_else(|_| format!("{}/.cache/cosim", std::env::var("HOME").expect("HOME")));
    let variables = [&own[..], &[("PATH", path.as_str()), ("RESULTS", "results"), ("COSIM_MODELS", &models)]].concat();
    let done = shell(folder.path(), "sh docs/ci/slurm.sbatch", &variables);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    assert_eq!(done.status.code(), Some(0), "{done:?}\n{}", read("log"));
    assert_eq!(read("codes"), "shard 1: 1\nshard 2: 1\ncollect none: 1\n", "{}", read("log"));
    assert!(read("results/summary.md").starts_with("## cosim random: **1 failed**"), "{}", read("results/summary.md"));
    assert!(
        ["coverage.json", "coverage.html", "junit.xml"].iter().all(|name| !read(&format!("results/{name}")).is_empty())
    );
    assert_eq!(fs::read_dir(folder.path().join("results/shards")).expect("shards").count(), 2);
    // More shards than an array may have are found out before anything is queued.
    script("scontrol", "#!/bin/sh\necho 'MaxArraySize            = 2'\n");
    fs::remove_file(folder.path().join("codes")).expect("there");
    let done = shell(folder.path(), "sh docs/ci/slurm.sbatch", &variables);
    assert_eq!((done.status.code(), read("codes").as_str()), (Some(2), ""), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stderr).contains("SHARDS is 2; allowed here: less than 2 (MaxArraySize"));
}
