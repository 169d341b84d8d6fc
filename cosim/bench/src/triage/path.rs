// SPDX-License-Identifier: Apache-2.0
//! Which files of the RTL the bytes of an instruction pass, on their way from operands or memory to where they are
//! compared.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::path::{Component, Path};

use golden::decode::{Decoded, Engine, Tensor, decode};

use super::bucket::engine_name;
use super::page::File;
use crate::coverage::operation;
use crate::unit::target::Target;

/// What each module does with the bytes.
const WHAT: [(&str, &str); 41] = [
    ("tl_decoder", "from the word to operation and operands"),
    ("tl_dispatch", "legality, and the command for the engine"),
    ("tl_shape", "what type, shape, width and masks mean"),
    ("tl_rename", "which physical register a TLReg is"),
    ("tl_regfile", "rows of the registers, in two banks"),
    ("tl_slice_walk", "the selected slices and their addresses"),
    ("tl_beats", "from slices to the beats of the port"),
    ("tl_load", "requests on L1M, and the bytes that come back"),
    ("tl_load_rows", "puts the bytes of the beats into rows"),
    ("tl_load_bank", "rows that wait for their bank"),
    ("tl_store_check", "whether the store traps"),
    ("tl_store_bank", "reads the rows of the register"),
    ("tl_store", "writes to L0M"),
    ("tl_store_align", "write data of a beat"),
    ("tl_move", "the engine"),
    ("tl_move_setup", "the next command, and what is worked out from it"),
    ("tl_concat_plan", "where the rows come from"),
    ("tl_move_walk", "the rows of the operands"),
    ("tl_move_fetch", "reads them"),
    ("tl_addi_row", "the saturating adder, one row wide"),
    ("tl_move_mask", "lane masks of the rows"),
    ("tl_lane_mask", "which granules of a row belong to selected slices"),
    ("tl_route", "switch settings that compact the selected granules"),
    ("tl_butterfly", "exchanges granules of a row"),
    ("tl_concat", "the rows of the concatenation"),
    ("tl_move_out", "rows of the result on their way to the register file"),
    ("tl_xpose", "the engine"),
    ("tl_xpose_plan", "from the sizes to the settings of the engine"),
    ("tl_xpose_rows", "the order in which rows are read and written"),
    ("tl_lane_swap", "permutes the bits of the lane index of a row"),
    ("tl_xpose_stage", "one exchange"),
    ("tl_mx_decoder", "from the word to operation and operands"),
    ("tl_mx_size", "the tile sizes, and what an instruction means with them"),
    ("tl_matrix", "the engine"),
    ("tl_mx_lines", "checks the access and walks its memory lines"),
    ("tl_mx_load", "the words of the load into the register"),
    ("tl_mx_regs", "the matrix registers"),
    ("tl_mx_store", "the register into the words of the store"),
    ("tl_csr_decoder", "from the word to CSR, operation and operand"),
    ("tl_csr", "the CSRs, and the instructions on them"),
    ("tl_retire", "the result, in program order"),
];

/// The modules of an instruction behind `tl_`, in the order of the bytes. None for what the unit does not execute.
fn modules(instruction: Decoded) -> &'static str {
    match instruction.engine() {
        None | Some(Engine::Host) => "",
        Some(Engine::Csr) => "csr_decoder dispatch csr shape retire",
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
fn stops(instruction: Decoded) -> Vec<(&'static str, &'static str)> {
    let passes = |module: &&str| match (instruction.engine(), instruction) {
        (Some(Engine::Move), Decoded::Tensor(tensor)) => moves_through(tensor, module),
        _ => true,
    };
    let named = |module: &str| WHAT.into_iter().find(|(name, _)| name.strip_prefix("tl_") == Some(module));
    modules(instruction).split_whitespace().filter(passes).filter_map(named).collect()
}

/// The files that the bytes of `word` pass, and the engine. Links are from `folder`, below the current folder, to the
/// files of `--rtl` or to those in `rtl/`.
pub fn of(target: &Target, word: u32, folder: &Path) -> Option<(&'static str, Vec<File>)> {
    let instruction = decode(word, &target.golden);
    let engine = engine_name(instruction.engine()?);
    let file = |(module, what)| {
        let name = format!("{module}.sv");
        File { link: link(target, &name, folder), name, what }
    };
    let files: Vec<File> = stops(instruction).into_iter().map(file).collect();
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
            assert_eq!(stops(instruction).is_empty(), !ours, "{:?}", instruction.mnemonic());
            assert!(stops(instruction).iter().all(|(name, _)| rtl.join(format!("{name}.sv")).is_file()));
            let named = modules(instruction).split_whitespace();
            assert!(
                named.into_iter().all(|module| WHAT.iter().any(|(name, _)| name.strip_prefix("tl_") == Some(module)))
            );
        }
    }
}
