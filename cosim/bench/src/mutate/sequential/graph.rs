// SPDX-License-Identifier: Apache-2.0
//! The unit with mutants as an and-inverter graph, made by Yosys.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::mutate::maker::Maker;
use crate::mutate::mutant::Mutant;
use crate::mutate::select;
use crate::mutate::tools::Tools;

/// The modules that are memories.
pub const MEMORIES: [&str; 2] = ["tl_ram_1r1w", "tl_ram_1r1w_be"];

/// The flattened unit with these mutants, in the ASCII form of AIGER. Memories and what chooses a mutant are cut out;
/// registers are outputs, too, which gives them their names.
///
/// # Errors
/// When Yosys fails.
pub fn graph(tools: &Tools, maker: &Maker, folder: &Path, mutants: &[&Mutant]) -> Result<String> {
    let read = maker.read(folder, mutants)?;
    let mut lists = String::new();
    for mutant in mutants.iter().filter(|mutant| MEMORIES.contains(&mutant.module.as_str())) {
        // A backslash would be taken for an escape.
        let of = |variant: String| format!("tl_top/t:{}", variant.replace('\\', "?"));
        let variants: Vec<String> = mutant.variants(folder)?.into_iter().map(of).collect();
        lists.push_str(&format!("tee -q -o {} select -list {}\n", memory_list(mutant), variants.join(" ")));
    }
    let script = format!(
        "{read}blackbox tl_ram_1r1w* $paramod*tl_ram_1r1w*\n\
         hierarchy -top tl_top\nflatten\n{lists}opt_clean -purge\nmemory -nordff -nomap\nmemory_map\nopt_clean\n\
         expose -evert tl_top/t:*tl_ram* tl_top/t:{}\nopt_clean -purge\nopt_expr\nopt_merge\nopt_clean\n\
         expose -dff tl_top\nopt_clean\nasync2sync\ntechmap\ndfflegalize -cell $_DFF_P_ 01\nopt_expr\nopt_clean\naigmap\nopt_clean\n\
         setundef -undriven -zero\nwrite_aiger -ascii -symbols graph.aag\n",
        select::MODULE
    );
    tools.yosys.run(folder, &script)?;
    fs::read_to_string(folder.join("graph.aag")).context("Yosys wrote no graph")
}

/// The memories of the flattened unit that a mutant is in, after [`graph`] for it, by their names.
///
/// # Errors
/// When Yosys did not list them.
pub fn memories(folder: &Path, mutant: &Mutant) -> Result<Vec<String>> {
    let text = fs::read_to_string(folder.join(memory_list(mutant))).context("Yosys listed no memories")?;
    Ok(text.lines().filter_map(|line| line.trim().strip_prefix("tl_top/")).map(str::to_owned).collect())
}

fn memory_list(mutant: &Mutant) -> String {
    format!("memories{}.txt", mutant.id)
}
