// SPDX-License-Identifier: Apache-2.0
//! What is installed and built is what was pinned: wheels by their hashes, crates by the lock file.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use e2e::root;

/// Whether a line of a script calls pip, in either way, and does not only say so.
fn is_install(line: &str) -> bool {
    ["pip install", "pip\" install"].iter().any(|call| line.contains(call)) && !line.trim_start().starts_with("say ")
}

#[test]
fn every_wheel_has_a_version_and_hashes_and_pip_looks_at_them() {
    let mut count = 0;
    for entry in fs::read_dir(root().join(".ci/python")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap().replace("\\\n", "");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            count += 1;
            assert!(line.contains("==") && line.contains("--hash=sha256:"), "{}: {line}", path.display());
        }
    }
    assert!(count > 20, "{count} wheels");
    let setup = fs::read_to_string(root().join(".ci/setup.sh")).unwrap();
    let installs: Vec<&str> = setup.lines().filter(|line| is_install(line)).collect();
    assert!(
        !installs.is_empty() && installs.iter().all(|line| line.contains("--no-deps --require-hashes")),
        "{installs:?}"
    );
    let tools = setup
        .lines()
        .filter(|line| !line.starts_with('#') && !line.contains("die "))
        .filter_map(|line| line.split_once("wheels ")?.1.split([' ', ';']).next());
    for tool in tools.filter(|tool| tool.chars().all(|c| c.is_ascii_alphanumeric())) {
        assert!(root().join(format!(".ci/python/{tool}.txt")).exists(), "{tool}");
    }
}

#[test]
fn recipes_build_with_the_lock_file() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    assert!(makefile.contains("\nPROFILE    := --release --locked\n"));
    let builds = |text: &str| {
        let wanted = ["run ", "build ", "test "].map(|what| [format!("$(CARGO) {what}"), format!("cargo {what}")]);
        let is = |line: &&str| wanted.as_flattened().iter().any(|what| line.contains(what.as_str()));
        text.lines().filter(is).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut recipes = builds(&makefile);
    assert!(recipes.iter().all(|line| line.contains("$(PROFILE)")), "{recipes:?}");
    for entry in fs::read_dir(root().join("docs/ci")).unwrap() {
        let lines = builds(&fs::read_to_string(entry.unwrap().path()).unwrap());
        assert!(lines.iter().all(|line| line.contains("--locked")), "{lines:?}");
        recipes.extend(lines);
    }
    assert!(recipes.len() > 10, "{recipes:?}");
}

/// `cargo deny check` looks at them; what needs no network is looked at here, too.
#[test]
fn crates_come_from_one_registry_with_a_checksum() {
    let locks = ["Cargo.lock", "golden/python/Cargo.lock"];
    let lock = locks.map(|lock| fs::read_to_string(root().join(lock)).unwrap()).concat();
    let foreign = lock.split("[[package]]").filter(|package| package.contains("source = "));
    for package in foreign {
        let source = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        assert!(package.contains(source) && package.contains("checksum = "), "{package}");
    }
    assert!(fs::read_to_string(root().join(".ci/deny.toml")).unwrap().contains("unknown-registry = \"deny\""));
}

/// As `cargo deny check licenses` does: of a choice one will do.
#[test]
fn every_crate_has_a_licence_that_is_allowed() {
    let deny = fs::read_to_string(root().join(".ci/deny.toml")).unwrap();
    let list = deny.split("\nallow = [\n").nth(1).and_then(|rest| rest.split("\n]").next()).unwrap();
    let allowed: Vec<&str> =
        list.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",")).collect();
    assert!(allowed.contains(&"Apache-2.0") && !allowed.iter().any(|name| name.contains("GPL")), "{allowed:?}");
    let metadata = ["metadata", "--format-version", "1", "--locked", "--all-features"];
    let packages = |folder: &str| {
        let output = Command::new(env!("CARGO")).current_dir(root().join(folder)).args(metadata).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut graph: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        graph["packages"].as_array_mut().map(std::mem::take).unwrap()
    };
    let packages = [packages("."), packages("golden/python")].concat();
    let refused = |package: &&serde_json::Value| {
        let licence = spdx::Expression::parse_mode(package["license"].as_str().unwrap_or(""), spdx::ParseMode::LAX);
        !licence.is_ok_and(|licence| licence.evaluate(|one| allowed.contains(&one.to_string().as_str())))
    };
    let refused: Vec<_> =
        packages.iter().filter(refused).map(|package| (&package["name"], &package["license"])).collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(packages.len() > 100, "{} crates", packages.len());
}

/// It removes them with what is in them, and an empty name is the folder in which it was started.
#[test]
fn dvsim_has_folders_of_its_own_to_remove() {
    let text = fs::read_to_string(root().join("docs/ci/dvsim.hjson")).unwrap();
    for field in ["cov_db_dir: ", "cov_db_test_dir: "] {
        let values: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix(field)).collect();
        let own = |value: &&str| value.starts_with("\"{scratch_path}/") || value.starts_with("\"{run_dir}/");
        assert!(values.len() == 1 && values.iter().all(own), "{field}{values:?}");
    }
}
