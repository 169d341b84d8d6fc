// SPDX-License-Identifier: Apache-2.0
//! What package managers and a release take.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use e2e::root;

/// Output of a command that has to succeed.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; run `make setup-test-all`"));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

/// FuseSoC in `folder`, with the cores below `roots`.
pub fn fusesoc(folder: &Path, roots: &[PathBuf]) -> Command {
    let mut fusesoc = Command::new(root().join(".tools/fusesoc/bin/fusesoc"));
    fusesoc.current_dir(folder);
    for cores in roots {
        fusesoc.arg("--cores-root").arg(cores);
    }
    fusesoc
}

/// A path with the program that the script of the generator starts.
pub fn rtl_gen(folder: &Path) -> String {
    let source = format!(
        "#!/bin/sh\nexec cargo run --release -q -p rtl-gen --manifest-path {}/Cargo.toml -- \"$@\"\n",
        root().display()
    );
    let path = folder.join("rtl-gen");
    std::fs::write(&path, source).unwrap();
    run(Command::new("chmod").arg("+x").arg(&path));
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
#[ignore = "needs FuseSoC: make test-all"]
fn fusesoc_lints_and_runs_a_design_with_a_core_of_rtl_and_one_of_the_generator() {
    let folder = tempfile::tempdir().unwrap();
    let path = rtl_gen(folder.path());
    // What is compiled runs for a few cycles.
    let options = "OPT_FAST=-O0 OPT_GLOBAL=-O0 OPT_SLOW=-O0";
    for target in ["lint", "sim"] {
        let mut fusesoc = fusesoc(folder.path(), &[root().join("rtl"), root().join("docs/packages")]);
        fusesoc.env("PATH", &path).env("MAKEFLAGS", options);
        let text = run(fusesoc.args(["run", "--target", target, "example:soc:example"]));
        assert!(text.contains("Generating example:soc:example-dma:0.1.0"), "{text}");
        assert!(!text.contains("%Warning"), "{text}");
    }
}

/// A core of another repository depends on a configuration and on an adapter: the targets of a core that it depends on
/// are out of its reach.
#[test]
#[ignore = "needs FuseSoC: make test-all"]
fn a_core_of_another_repository_depends_on_the_unit_and_an_adapter() {
    for adapter in ["pcpi", "axi", "xif", "xif_axi"] {
        let folder = tempfile::tempdir().unwrap();
        let core = format!(
            "CAPI=2:\nname: other:soc:other:0.1.0\nfilesets:\n  rtl:\n    \
             depend: [tensorload:unit:tiny, tensorload:unit:{adapter}]\n\
             targets:\n  lint:\n    filesets: [rtl]\n    toplevel: tl_{adapter}_top\n    flow: lint\n    \
             flow_options: {{tool: verilator, verilator_options: [-Wall]}}\n"
        );
        std::fs::write(folder.path().join("other.core"), core).unwrap();
        let mut fusesoc = fusesoc(folder.path(), &[root().join("rtl"), folder.path().to_owned()]);
        let text = run(fusesoc.args(["run", "--target", "lint", "other:soc:other"]));
        assert!(text.contains(&format!("Preparing tensorload:unit:{adapter}")), "{text}");
        assert!(!text.contains("%Warning"), "{text}");
    }
}

#[test]
fn a_release_has_the_same_bytes_every_time_and_its_checksums_are_right() {
    let copy = tempfile::tempdir().unwrap();
    let dist = |name: &str| {
        let target = copy.path().join(name);
        std::fs::create_dir(&target).unwrap();
        for entry in [
            "rtl",
            "docs",
            "configs",
            "kernels",
            "README.md",
            "CHANGELOG.md",
            "LICENSE",
            "Makefile",
            "Cargo.toml",
            ".ci",
        ] {
            run(Command::new("cp").arg("-R").arg(root().join(entry)).arg(&target));
        }
        // Times of files are none of its contents.
        run(Command::new("touch").args(["-d", "2001-02-03"]).arg(target.join("rtl/Bender.yml")));
        run(Command::new("make").arg("dist").current_dir(&target));
        let release = concat!("target/dist/tensorload-", env!("CARGO_PKG_VERSION"));
        run(Command::new("sha256sum").args(["-c", "--quiet", "SHA256SUMS"]).current_dir(target.join(release)));
        for file in
            ["rtl/w16/tl.f", "rtl/Bender.yml", "include/tensorload.h", "docs/riscv-opcodes/rv_tl", "docs/isa.md"]
        {
            assert!(target.join(release).join(file).exists(), "{file}");
        }
        std::fs::read(target.join(format!("{release}.tar.gz"))).unwrap()
    };
    let first = dist("first");
    assert!(first.len() > 10_000);
    assert_eq!(first, dist("second"));
}

/// `make crates` also builds each of them from what is in it.
#[test]
fn cargo_packages_every_crate_with_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let own = ["e2e", "fuzz", "tensorload-site", "tensorload-spike", "tensorload-udb", "tensorload-web"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["package", "--workspace"]).args(own.map(|name| format!("--exclude={name}")));
    cargo.args(["--no-verify", "--allow-dirty", "--offline", "--locked", "--target-dir"]).arg(folder.path());
    let text = run(&mut cargo);
    assert_eq!(text.matches("Packaged ").count(), 12, "{text}");
    let files = |name: &str| {
        let file = folder.path().join(format!("package/{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        run(Command::new("tar").arg("tzf").arg(file))
    };
    // Links to folders elsewhere are folders in the package.
    for (name, wanted) in [
        ("tensorload-golden", "/configs/w16.toml"),
        ("rtl-config", "/configs/w16.toml"),
        ("rtl-gen", "/sv/tl_top.sv"),
        ("tensorload-kernels", "/include/tensorload.h"),
        ("cosim-lockstep", "/sv/formal/tl_top_facts.sv"),
        ("cosim-lockstep", "/sv/soc/tl_soc.sv"),
    ] {
        assert!(files(name).contains(wanted), "{name} lacks {wanted}");
    }
}

/// Builds the example of a unit behind APB in `folder`, of what `files` says to Verilator, and runs its program: it loads,
/// adds, stores and traps.
pub fn apb_is_right(folder: &Path, files: &[String]) {
    is_right(folder, "tl_apb", files, "docs/packages/apb/main.cc");
}

/// Builds the module `top`, of what `files` says to Verilator, with the C++ program `main`, which says "right".
fn is_right(folder: &Path, top: &str, files: &[String], main: &str) {
    let verilator = std::env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
    let mut verilate = Command::new(&verilator);
    verilate.current_dir(folder).args(["--cc", "-Wall", "--top-module", top, "-Mdir", "."]).args(files);
    run(&mut verilate);
    let library = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]));
    let include = Path::new(library.trim()).join("include");
    let mut compile = Command::new("sh");
    compile.current_dir(folder).args(["-c", "c++ -std=c++17 -w -pthread -o program *.cpp \"$@\"", "sh", "-I."]);
    compile.arg("-I").arg(&include).arg("-I").arg(include.join("vltstd"));
    let runtime = ["verilated.cpp", "verilated_threads.cpp"].map(|name| include.join(name));
    run(compile.arg(root().join(main)).args(runtime));
    assert_eq!(run(&mut Command::new(folder.join("program"))), "right\n");
}

/// Between CV-X-IF and AXI4.
#[test]
#[ignore = "a sixth of a minute: make test-all"]
fn a_unit_with_both_interfaces_loads_adds_stores_and_traps() {
    let (folder, rtl) = (tempfile::tempdir().unwrap(), root().join("rtl"));
    let lists = ["tiny/tl.f", "common/tl_xif.f", "common/tl_axi.f", "common/tl_xif_axi.f"];
    let lists = lists.iter().flat_map(|list| ["-F".into(), rtl.join(list).display().to_string()]);
    is_right(folder.path(), "tl_xif_axi_top", &lists.collect::<Vec<_>>(), "tests/axi/xif_axi.cc");
}

/// The example is made from the guide alone.
#[test]
#[ignore = "a sixth of a minute: make test-all"]
fn a_unit_behind_apb_loads_adds_stores_and_traps() {
    let (folder, rtl) = (tempfile::tempdir().unwrap(), root().join("rtl/tiny"));
    let paths = ["-F".into(), rtl.join("tl.f"), root().join("docs/packages/apb/tl_apb.sv")];
    apb_is_right(folder.path(), &paths.map(|path| path.display().to_string()));
}
