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

/// A module and what it does with the bytes.
type Stop = (&'static str, &'static str);

/// Whether an operation passes a module.
type Needed = fn(Tensor) -> bool;

const DECODE: Stop = ("tl_decoder.sv", "from the word to operation and operands");
const DISPATCH: Stop = ("tl_dispatch.sv", "legality, and the command for the engine");
const SHAPE: Stop = ("tl_shape.sv", "what type, shape, width and masks mean");
const RENAME: Stop = ("tl_rename.sv", "which physical register a TLReg is");
const REGFILE: Stop = ("tl_regfile.sv", "rows of the registers, in two banks");
const SLICES: Stop = ("tl_slice_walk.sv", "the selected slices and their addresses");
const BEATS: Stop = ("tl_beats.sv", "from slices to the beats of the port");

const LOAD: &[Stop] = &[
    DECODE,
    DISPATCH,
    SHAPE,
    SLICES,
    BEATS,
    ("tl_load.sv", "requests on L1M, and the bytes that come back"),
    ("tl_load_rows.sv", "puts the bytes of the beats into rows"),
    ("tl_load_bank.sv", "rows that wait for their bank"),
    RENAME,
    REGFILE,
];
const STORE: &[Stop] = &[
    DECODE,
    DISPATCH,
    SHAPE,
    RENAME,
    REGFILE,
    SLICES,
    ("tl_store_check.sv", "whether the store traps"),
    BEATS,
    ("tl_store_bank.sv", "reads the rows of the register"),
    ("tl_store.sv", "writes to L0M"),
    ("tl_store_align.sv", "write data of a beat"),
];
/// Of the operations of the move engine: what is needed for some of them alone has the condition.
const MOVE: &[(Stop, Needed)] = &[
    (DECODE, all),
    (DISPATCH, all),
    (SHAPE, operation::chooses),
    (RENAME, all),
    (REGFILE, all),
    (("tl_move.sv", "the engine"), all),
    (("tl_move_setup.sv", "the next command, and what is worked out from it"), all),
    (("tl_concat_plan.sv", "where the rows come from"), operation::has_two_masks),
    (("tl_move_walk.sv", "the rows of the operands"), all),
    (("tl_move_fetch.sv", "reads them"), all),
    (("tl_addi_row.sv", "the saturating adder, one row wide"), operation::adds),
    (("tl_move_mask.sv", "lane masks of the rows"), operation::chooses),
    (("tl_lane_mask.sv", "which granules of a row belong to selected slices"), operation::chooses),
    (("tl_route.sv", "switch settings that compact the selected granules"), operation::has_two_masks),
    (("tl_butterfly.sv", "exchanges granules of a row"), operation::has_two_masks),
    (("tl_concat.sv", "the rows of the concatenation"), operation::has_two_masks),
    (("tl_move_out.sv", "rows of the result on their way to the register file"), all),
];

fn all(_: Tensor) -> bool {
    true
}

const XPOSE: &[Stop] = &[
    DECODE,
    DISPATCH,
    RENAME,
    REGFILE,
    ("tl_xpose.sv", "the engine"),
    ("tl_xpose_plan.sv", "from the sizes to the settings of the engine"),
    ("tl_xpose_rows.sv", "the order in which rows are read and written"),
    ("tl_lane_swap.sv", "permutes the bits of the lane index of a row"),
    ("tl_xpose_stage.sv", "one exchange"),
];
const MATRIX_DECODE: Stop = ("tl_mx_decoder.sv", "from the word to operation and operands");
const SIZE: Stop = ("tl_mx_size.sv", "the tile sizes, and what an instruction means with them");
const MATRIX: Stop = ("tl_matrix.sv", "the engine");
const LINES: Stop = ("tl_mx_lines.sv", "checks the access and walks its memory lines");
const REGISTERS: Stop = ("tl_mx_regs.sv", "the matrix registers");
const TILE_LOAD: &[Stop] = &[
    MATRIX_DECODE,
    DISPATCH,
    SIZE,
    MATRIX,
    LINES,
    ("tl_mx_load.sv", "the words of the load into the register"),
    REGISTERS,
];
const TILE_STORE: &[Stop] = &[
    MATRIX_DECODE,
    DISPATCH,
    SIZE,
    MATRIX,
    LINES,
    REGISTERS,
    ("tl_mx_store.sv", "the register into the words of the store"),
];
const TILE_SIZE: &[Stop] = &[MATRIX_DECODE, DISPATCH, SIZE];
const CSR: &[Stop] = &[
    ("tl_csr_decoder.sv", "from the word to CSR, operation and operand"),
    DISPATCH,
    ("tl_csr.sv", "the CSRs, and the instructions on them"),
    SHAPE,
    ("tl_retire.sv", "the result, in program order"),
];

/// The files of an instruction, in the order of the bytes. None for what the unit does not execute.
fn stops(instruction: Decoded) -> Vec<Stop> {
    let one_way = match instruction.engine() {
        None | Some(Engine::Host) => &[],
        Some(Engine::Csr) => CSR,
        Some(Engine::Load) => LOAD,
        Some(Engine::Store) => STORE,
        Some(Engine::Xpose) => XPOSE,
        Some(Engine::MatrixLoad) => TILE_LOAD,
        Some(Engine::MatrixStore) => TILE_STORE,
        Some(Engine::MatrixConfig) => TILE_SIZE,
        Some(Engine::Move) => {
            let Decoded::Tensor(tensor) = instruction else { return Vec::new() };
            return MOVE.iter().filter(|(_, needed)| needed(tensor)).map(|(stop, _)| *stop).collect();
        }
    };
    one_way.to_vec()
}

/// The files that the bytes of `word` pass, and the engine. Links are from `folder`, below the current folder, to the
/// files of `--rtl` or to those in `rtl/`.
pub fn of(target: &Target, word: u32, folder: &Path) -> Option<(&'static str, Vec<File>)> {
    let instruction = decode(word, &target.golden);
    let engine = engine_name(instruction.engine()?);
    let file = |(name, what): Stop| File { name, what, link: link(target, name, folder) };
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

    /// Every file of the lists is one of the committed RTL, and every instruction of the unit has some.
    #[test]
    fn the_files_are_those_of_the_rtl() {
        let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
        let config = golden::Config::named("w16").expect("w16");
        for instruction in golden::decode::instructions(&config) {
            let ours = !matches!(instruction, Decoded::Host(_));
            assert_eq!(stops(instruction).is_empty(), !ours, "{:?}", instruction.mnemonic());
            for (name, _) in stops(instruction) {
                let places = ["common", "w16"].map(|folder| rtl.join(folder).join(name));
                assert!(places.iter().any(|path| path.is_file()), "{name}");
            }
        }
    }
}
