// SPDX-License-Identifier: Apache-2.0
//! Repositories of others that depend on this one by git, and have units of their own configuration: with Bender and with
//! FuseSoC themselves.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use e2e::root;
use rtl_gen::Config;

use crate::packages::{apb_is_right, fusesoc, rtl_gen, run};

const ADAPTERS: [&str; 4] = ["pcpi", "axi", "xif", "xif_axi"];

/// `tiny` with a prefix of its own.
const DMA: &str = "name = \"dma\"\nprefix = \"dma\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\n";

fn git(folder: &Path, words: &str) {
    run(Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=n", "-c", "user.email=e"])
        .args(words.split(' ')));
}

/// A repository with what package managers take of this one, and a folder beside it.
fn repositories() -> (tempfile::TempDir, String, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let [origin, second] = ["origin", "second"].map(|name| folder.path().join(name));
    [&origin, &second].iter().for_each(|path| fs::create_dir(path).unwrap());
    run(Command::new("cp").arg("-R").args(["rtl", "Bender.yml"].map(|name| root().join(name))).arg(&origin));
    ["init -q -b main", "add .", "commit -q -m unit"].iter().for_each(|words| git(&origin, words));
    let url = format!("file://{}", origin.display());
    (folder, url, second)
}

/// The example of APB with a unit of this prefix, as a file in `folder`.
fn apb(folder: &Path, prefix: &str) -> String {
    let text = fs::read_to_string(root().join("docs/packages/apb/tl_apb.sv")).unwrap();
    let path = folder.join("tl_apb.sv");
    fs::write(&path, text.replace("tl_top", &format!("{prefix}_top")).replace("tl_pkg", &format!("{prefix}_pkg")))
        .unwrap();
    path.display().to_string()
}

/// Options for files with two units, of which one is below the top.
const TWO_UNITS: [&str; 2] = ["-Wno-MULTITOP", "-Wno-UNUSEDPARAM"];

fn lint(files: &[String], top: &str) {
    let verilator = std::env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
    run(Command::new(verilator).args(["--lint-only", "-Wall", "--top-module", top]).args(TWO_UNITS).args(files));
}

fn bender(folder: &Path, words: &str) -> Command {
    let mut bender = Command::new(root().join(".tools/bin/bender"));
    bender.current_dir(folder).args(words.split(' '));
    bender
}

/// What Bender says of the files for these targets, each of which is there.
fn resolved(folder: &Path, targets: &str) -> Vec<String> {
    let text = run(&mut bender(folder, &format!("--suppress all script flist-plus {targets}")));
    let files: Vec<String> = text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let paths = files.iter().filter(|line| !line.starts_with("+define+"));
    for path in paths.map(|line| line.trim_start_matches("+incdir+")) {
        assert!(Path::new(path).exists(), "{targets}: {path}");
    }
    assert!(files.iter().any(|line| line.ends_with("_top.sv")), "{targets}: {text}");
    files
}

#[test]
#[ignore = "needs Bender: make test-all"]
fn bender_resolves_lints_and_runs_a_named_unit_and_one_of_its_own() {
    let (_folder, url, second) = repositories();
    rtl_gen::write(&Config::from_toml(DMA).unwrap(), &second.join("dma")).unwrap();
    let manifest = format!(
        "package:\n  name: second\ndependencies:\n  tensorload: {{git: \"{url}\", rev: main}}\n  \
         tensorload_dma: {{path: dma}}\nsources: []\n"
    );
    fs::write(second.join("Bender.yml"), &manifest).unwrap();
    run(&mut bender(&second, "update"));
    for config in Config::names() {
        for adapter in ADAPTERS {
            resolved(&second, &format!("-t {config} -t {adapter}"));
        }
    }
    for adapter in ADAPTERS {
        let files = resolved(&second, &format!("-t tiny -t {adapter}"));
        ["tl", "dma"].iter().for_each(|prefix| lint(&files, &format!("{prefix}_{adapter}_top")));
    }
    for prefix in ["tl", "dma"] {
        let build = tempfile::tempdir().unwrap();
        let mut files = resolved(&second, "-t tiny");
        files.push(apb(build.path(), prefix));
        files.extend(TWO_UNITS.map(str::to_owned));
        apb_is_right(build.path(), &files);
    }
    // Units with the same modules: two that have a name, and one of its own without a prefix beside these.
    let two = bender(&second, "script flist-plus -t tiny -t w8").output().unwrap();
    let text = String::from_utf8_lossy(&two.stderr);
    assert!(!two.status.success() && text.contains("two_units_in_one_design_need_prefixes"), "{text}");
    // One without a prefix of its own is another package of the same name.
    let own = DMA.replace("prefix = \"dma\"\n", "");
    rtl_gen::write(&Config::from_toml(&own).unwrap(), &second.join("own")).unwrap();
    fs::create_dir(second.join("third")).unwrap();
    let third = "package:\n  name: third\ndependencies:\n  tensorload: {path: ../own}\nsources: []\n";
    fs::write(second.join("third/Bender.yml"), third).unwrap();
    fs::write(second.join("Bender.yml"), manifest.replace("sources", "  third: {path: third}\nsources")).unwrap();
    let same = bender(&second, "update").output().unwrap();
    let text = String::from_utf8_lossy(&same.stderr);
    assert!(!same.status.success() && text.contains("tensorload"), "{text}");
}

#[test]
#[ignore = "needs FuseSoC: make test-all"]
fn fusesoc_resolves_lints_and_runs_a_named_unit_and_one_of_its_own() {
    let (_folder, url, second) = repositories();
    fs::write(second.join("dma.toml"), DMA).unwrap();
    fs::copy(root().join("docs/packages/apb/main.cc"), second.join("main.cc")).unwrap();
    apb(&second, "tl");
    let options = format!("verilator_options: [-Wall, {}]", TWO_UNITS.join(", "));
    let core = |name: &str, depend: &str, top: &str| {
        let text = format!(
            "CAPI=2:\nname: second:soc:{name}:0.1.0\nfilesets:\n  rtl:\n    files: [tl_apb.sv]\n    \
             file_type: systemVerilogSource\n    depend: [{depend}]\n  \
             main:\n    files: [main.cc: {{file_type: cppSource}}]\n\
             generate:\n  dma:\n    generator: rtl_gen\n    \
             parameters: {{config: dma.toml, adapters: [xif, axi]}}\n\
             targets:\n  lint:\n    filesets: [rtl]\n    generate: [dma]\n    toplevel: {top}\n    \
             flow: lint\n    flow_options: {{tool: verilator, {options}}}\n  \
             sim:\n    filesets: [rtl, main]\n    generate: [dma]\n    toplevel: tl_apb\n    \
             flow: sim\n    flow_options: {{tool: verilator, mode: cc, {options}}}\n"
        );
        fs::write(second.join(format!("{name}.core")), text).unwrap();
    };
    let path = rtl_gen(&second);
    let command = |words: &str| {
        let mut fusesoc = fusesoc(&second, &[]);
        fusesoc.env("PATH", &path).env("MAKEFLAGS", "OPT_FAST=-O0 OPT_GLOBAL=-O0 OPT_SLOW=-O0").args(words.split(' '));
        fusesoc
    };
    run(&mut command(&format!("library add --sync-type git tensorload {url}")));
    run(&mut command("library add --sync-type local second ."));
    for top in ["dma_axi_top", "dma_xif_top", "tl_apb"] {
        core(top, "tensorload:unit:tiny, tensorload:unit:generator", top);
        run(&mut command(&format!("run --target lint second:soc:{top}")));
    }
    let text = run(&mut command("run --target sim second:soc:tl_apb"));
    assert!(text.lines().any(|line| line == "right"), "{text}");
    core("two", "tensorload:unit:tiny, tensorload:unit:w8, tensorload:unit:generator", "tl_apb");
    let two = command("run --target lint second:soc:two").output().unwrap();
    let text = [two.stdout, two.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(!two.status.success() && text.contains("Conflicting requirements"), "{text}");
}
