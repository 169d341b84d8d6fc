// SPDX-License-Identifier: Apache-2.0
//! What RTL of others may ask of the simulator: nothing that reaches outside of it.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::model::source::{SourceFile, Sources};
use crate::model::toolchain::{Toolchain, run};
use crate::unit::product::product;

/// System tasks, functions and scopes that stay inside: text, properties, time, random numbers, types. All others are
/// refused.
#[rustfmt::skip]
const ALLOWED: &[&str] = &[
    "display", "displayb", "displayh", "displayo", "write", "writeb", "writeh", "writeo", "strobe", "monitor",
    "monitoroff", "monitoron", "sformat", "sformatf", "timeformat", "printtimescale",
    "fatal", "error", "warning", "info", "finish", "stop", "exit",
    "assertoff", "asserton", "assertkill", "assertcontrol", "past", "rose", "fell", "stable", "changed", "sampled",
    "isunknown", "onehot", "onehot0", "countones", "countbits", "past_gclk", "global_clock", "inferred_clock",
    "inferred_disable", "time", "stime", "realtime", "random", "urandom", "urandom_range",
    "bits", "clog2", "signed", "unsigned", "cast", "size", "left", "right", "low", "high", "increment", "dimensions",
    "unpacked_dimensions", "typename", "isunbounded", "unit", "root", "itor", "rtoi", "realtobits", "bitstoreal",
    "ceil", "floor", "pow", "ln", "log10", "exp", "sqrt", "specify", "setup", "hold", "setuphold", "recovery", "removal",
    "recrem", "skew", "width", "period",
];

/// Refuses files that ask for more.
///
/// # Errors
/// For the first thing that reaches outside, with its file and line; and when Verilator cannot read the files.
pub fn refuse(sources: &Sources) -> Result<()> {
    let (verilator, ..) = Toolchain::verilator(&product(), None)?;
    let folder = tempfile::tempdir().context("cannot make a folder for the RTL")?;
    sources.all().try_for_each(|file| file.write_into(folder.path()))?;
    let preprocess = |name: &str| {
        let mut command = Command::new(&verilator);
        command.current_dir(folder.path()).args(["-E", "-Wno-fatal", name]);
        run(command, "Verilator")
    };
    // All in one: a macro of one file may be used in another.
    let includes: String = sources.all().map(|file| format!("`include \"{}\"\n", file.name)).collect();
    SourceFile { name: "all.sv".into(), text: includes }.write_into(folder.path())?;
    // Macros are expanded in this text: a name that one puts together is whole.
    match reaches_outside(&preprocess("all.sv")?) {
        Some((line, found)) => {
            bail!("{line}: {found} is refused (--refuse-system-tasks): it may reach outside of the simulation")
        }
        None => Ok(()),
    }
}

/// The first such thing in a preprocessed text, and where its file has it. Comments and texts count, too: nothing hides
/// there.
fn reaches_outside(text: &str) -> Option<(String, String)> {
    let (mut file, mut number) = (String::new(), 0);
    for line in text.lines() {
        number += 1;
        let mut words = line.split_whitespace();
        if words.next() == Some("`line") {
            number = words.next().and_then(|number| number.parse().ok()).unwrap_or(1) - 1;
            file = words.next().unwrap_or_default().trim_matches('"').to_owned();
            continue;
        }
        let word = |rest: &str| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "_$".contains(*c)).collect();
        let tasks = line.match_indices('$').map(|(at, _)| word(&line[at + 1..]));
        let mut tasks = tasks.filter(|name: &String| name.starts_with(|c: char| !c.is_ascii_digit()));
        let task = tasks.find(|name| !ALLOWED.contains(&name.as_str())).map(|name| format!("${name}"));
        let others = ["\"DPI", "`systemc"].into_iter().find(|other| line.contains(other)).map(str::to_owned);
        if let Some(found) = task.or(others) {
            return Some((format!("{file}, line {number}"), found));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::{SourceFile, Style};

    fn found(text: &str) -> Option<String> {
        let files = vec![SourceFile { name: "a.sv".into(), text: format!("module a;\n{text}\nendmodule\n") }];
        let sources = Sources { files, headers: Vec::new(), probe: None, style: Style::Rtl };
        refuse(&sources).err().map(|error| format!("{error:#}"))
    }

    #[test]
    fn what_reaches_outside_is_refused_however_it_is_written() {
        for (text, name) in [
            ("initial $system(\"id\");", "a.sv, line 2: $system is"),
            ("initial if ($fopen(\"f\") != 0) $finish;", "$fopen is"),
            ("initial $readmemh(\"/etc/passwd\", m);", "$readmemh is"),
            ("import \"DPI-C\" function int f();", "\"DPI is"),
            ("initial $c(\"exit(0);\");", "$c is"),
            ("`define T(x) $``x\ninitial `T(system)(\"id\");", "$system is"),
            ("`define Q `\"DPI``-C`\"\nimport `Q function int f();", "\"DPI is"),
            ("initial $display(\"//\"); initial $system(\"id\");", "$system is"),
            ("initial $dumpfile(\"x\");", "$dumpfile is"),
            ("`systemc_header\nint x;\n`verilog", "`systemc"),
        ] {
            let said = found(text).unwrap_or_else(|| panic!("{text}"));
            assert!(said.contains(name), "{text}: {said}");
        }
        let plain = "int q[$]; initial begin $display(\"costs $5\", $clog2(8), q[$]); assert ($onehot(1)); end";
        assert_eq!(found(plain), None);
    }

    #[test]
    fn the_files_of_the_generator_are_not_refused() {
        let config = rtl_config::Config::named("tiny").expect("tiny");
        let file = |file: rtl_gen::GenFile| SourceFile { name: file.name, text: file.text };
        let files: Vec<_> = rtl_gen::generate(&config).expect("RTL").into_iter().map(file).collect();
        refuse(&Sources::generated(&files, crate::unit::models::NAMES).expect("sources")).expect("stays inside");
    }
}
