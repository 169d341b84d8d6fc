// SPDX-License-Identifier: Apache-2.0
//! Which files of the RTL an instruction passes, from the issue port to the result, and its bytes on their way from
//! operands or memory to where they are compared.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::path::{Component, Path};

use golden::decode::{Decoded, Engine, Tensor, decode};

use super::bucket::engine_name;
use super::page::File;
use crate::coverage::operation;
use crate::unit::target::Target;

/// A module a line, and what it does with the bytes.
const WHAT: &str = include_str!("datapath.txt");

/// Modules that every instruction of the unit passes before those of its engine, and behind them. A hang, a wrong order
/// or a stray write may come from any of them.
const EVERY: [&str; 2] = ["queue decode", "retire recover"];

/// The modules of an instruction behind `tl_`, in the order of the bytes. None for what the unit does not execute.
fn modules(instruction: Decoded) -> &'static str {
    match instruction.engine() {
        None | Some(Engine::Host) => "",
        Some(Engine::Csr) => "csr_decoder dispatch csr shape",
        Some(Engine::Load) => "decoder dispatch shape slice_walk beats load load_rows load_bank rename regfile",
        Some(Engine::Store) => {
            "decoder dispatch shape rename regfile slice_walk store_check beats store_bank store store_align"
        }
        Some(Engine::Move) => {
            "decoder dispatch shape rename regfile move move_setup concat_plan move_walk move_fetch addi_row move_mask \
             lane_mask route butterfly concat move_out"
        }
        Some(Engine::Xpose) => "decoder dispatch rename regfile xpose xpose_plan xpose_rows lane_swap xpose_stage",
        Some(Engine::MatrixLoad) => "mx_decoder dispatch mx_size matrix mx_lines mx_load mx_regs",
        Some(Engine::MatrixStore) => "mx_decoder dispatch mx_size matrix mx_lines mx_regs mx_store",
        Some(Engine::MatrixConfig) => "mx_decoder dispatch mx_size",
    }
}

/// Whether an operation of the move engine passes the module.
fn moves_through(tensor: Tensor, module: &str) -> bool {
    match module {
        "addi_row" => operation::adds(tensor),
        "shape" | "move_mask" | "lane_mask" => operation::chooses(tensor),
        "concat_plan" | "route" | "butterfly" | "concat" => operation::has_two_masks(tensor),
        _ => true,
    }
}

/// The modules of an instruction, and what they do.
fn modules_passed(instruction: Decoded) -> Vec<(&'static str, &'static str)> {
    let passes = |module: &&str| match (instruction.engine(), instruction) {
        (Some(Engine::Move), Decoded::Tensor(tensor)) => moves_through(tensor, module),
        _ => true,
    };
    let rows = || WHAT.lines().filter_map(|line| line.split_once(' '));
    let named = |module: &str| rows().find(|(name, _)| name.strip_prefix("tl_") == Some(module));
    let own: Vec<&str> = modules(instruction).split_whitespace().filter(passes).collect();
    let [before, behind] = EVERY.map(str::split_whitespace);
    let every = before.chain(own.iter().copied()).chain(behind);
    if own.is_empty() { Vec::new() } else { every.filter_map(named).collect() }
}

/// The files that `word` and its bytes pass, and the engine. Links are from `folder`, below the current folder, to the
/// files of `--rtl` or to those in `rtl/`.
pub fn files_passed(target: &Target, word: u32, folder: &Path) -> Option<(&'static str, Vec<File>)> {
    let instruction = decode(word, &target.golden);
    let engine = engine_name(instruction.engine()?);
    let file = |(module, what)| {
        let name = format!("{module}.sv");
        File { link: link(target, &name, folder), name, what }
    };
    let files: Vec<File> = modules_passed(instruction).into_iter().map(file).collect();
    (!files.is_empty()).then_some((engine, files))
}

/// From `folder` to the file `name`. Of a folder elsewhere nothing is said: the page would hold paths of this machine.
fn link(target: &Target, name: &str, folder: &Path) -> Option<String> {
    if folder.as_os_str().is_empty() || !folder.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let up = "../".repeat(folder.components().count());
    let places = match &target.given.rtl {
        Some(given) => vec![given.display().to_string()],
        None if !target.given.given() => vec![format!("rtl/{}", target.name()), "rtl/common".into()],
        None => Vec::new(),
    };
    let here = |place: &String| {
        let path = Path::new(place).join(name);
        path.is_relative() && path.is_file()
    };
    places.into_iter().find(here).map(|place| format!("{up}{place}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every module is one of the committed RTL and has its words, and every instruction of the unit has some.
    #[test]
    fn the_files_are_those_of_the_rtl() {
        let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl/common");
        let config = golden::Config::named("w16").expect("w16");
        for instruction in golden::decode::instructions(&config) {
            let ours = !matches!(instruction, Decoded::Host(_));
            assert_eq!(modules_passed(instruction).is_empty(), !ours, "{:?}", instruction.mnemonic());
            assert!(modules_passed(instruction).iter().all(|(name, _)| rtl.join(format!("{name}.sv")).is_file()));
            let mut named = EVERY.into_iter().chain([modules(instruction)]).flat_map(str::split_whitespace);
            assert!(named.all(|module| WHAT.contains(&format!("tl_{module} "))));
        }
    }
}
