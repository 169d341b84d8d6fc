// SPDX-License-Identifier: Apache-2.0
//! Text of a failure: what retired, where the sides differ, both values, what came before.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::Trap;
use golden::decode::{Access, Decoded, Elements, Engine, Operand, OperandKind, decode, exchanged, xpose_sizes};

use super::block::{index_of, tuple};
use super::bytes::{dump, extent};
use super::tile_report;
use crate::lockstep::failure::{Cause, Crash, Failure, Mismatch};
use crate::lockstep::in_flight::Operands;
use crate::lockstep::ports;
use crate::unit::target::Target;
use crate::unit::tiles;

/// Bytes of a register shown around the first difference.
const SHOWN: usize = 16;

pub fn text(target: &Target, failure: &Failure) -> String {
    let mut lines = vec![format!("{}: {}", target.name(), headline(&failure.cause))];
    let mut line = |label: &str, text: String| lines.push(format!("  {label:<9}{text}"));
    match failure.at {
        Some((pc, word, index)) => {
            let source = target.disassemble(word);
            line("at", format!("instruction {index}, pc {pc:#x}, word {word:#010x}: {source}{}", in_flight(failure)));
            let named = named_registers(decode(word, &target.golden), failure.operands);
            if !named.is_empty() {
                line("host", named.join(", "));
            }
        }
        None if matches!(failure.cause, Cause::Crash(_)) => {
            line("at", crash_without_instruction(failure).into());
            if failure.history.is_empty() {
                lines.extend(printed_lines(failure));
                return lines.join("\n") + "\n";
            }
        }
        None => line("at", "the end, when every instruction had retired".into()),
    }
    for (label, text) in details(target, failure) {
        line(label, text);
    }
    line("state", state(failure));
    if let Some(sizes) = failure.tile_sizes {
        line("tiles", tile_report::state(sizes));
    }
    line("cycle", failure.cycle.to_string());
    if target.models.port_only() {
        line("seen", ports::UNSEEN.into());
    }
    lines.extend(printed_lines(failure));
    if !failure.history.is_empty() {
        lines.push("  before   the last retirements, as the RTL reported them".into());
    }
    for r in &failure.history {
        let by = if r.host { "host" } else { "unit" };
        let source = target.disassemble(r.word);
        let trap = r.trap.map_or(String::new(), |t| format!("  -> {}", trap(Some(t))));
        let trap = if r.killed { "  -> killed".into() } else { trap };
        lines.push(format!("    {:>6}  cycle {:>8}  pc {:#07x}  {by}  {source}{trap}", r.index, r.cycle, r.pc));
    }
    lines.join("\n") + "\n"
}

/// The host registers that an instruction of the unit reads, with their values.
fn named_registers(instruction: Decoded, Operands { rs, rs2 }: Operands) -> Vec<String> {
    if instruction.engine() == Some(Engine::Host) {
        return Vec::new();
    }
    let is_read = |operand: &Operand| matches!(operand.kind, OperandKind::X(Access::Read)) && operand.value != 0;
    let value = |operand: Operand| if operand.low == 20 { rs2 } else { rs };
    let text = |operand: Operand| format!("x{} = {:#010x}", operand.value, value(operand));
    instruction.operands().iter().filter(is_read).map(text).collect()
}

/// The last lines of what the process of the case printed.
pub fn printed(failure: &Failure) -> Vec<String> {
    const SHOWN: usize = 20;
    let lines: Vec<String> = failure.printed.lines().map(files::printable).collect();
    lines[lines.len().saturating_sub(SHOWN)..].to_vec()
}

fn printed_lines(failure: &Failure) -> Vec<String> {
    let lines = printed(failure);
    let label = (!lines.is_empty()).then(|| "  printed  by the RTL, the last lines".to_owned());
    label.into_iter().chain(lines.iter().map(|text| format!("    {text}"))).collect()
}

/// What the instruction of a crash is: the process did not say which one it executed.
pub fn in_flight(failure: &Failure) -> &'static str {
    if matches!(failure.cause, Cause::Crash(_)) { " (the oldest in flight)" } else { "" }
}

/// Where a crash happened, when no instruction was in flight.
pub fn crash_without_instruction(failure: &Failure) -> &'static str {
    if failure.history.is_empty() {
        "unknown: the process that ran the case is gone"
    } else {
        "no instruction in flight: after the last retirement below"
    }
}

/// One line that says what kind of failure it is.
pub fn headline(cause: &Cause) -> String {
    match cause {
        Cause::Hang { cycles, bound } => {
            format!("HANG: nothing retired for {cycles} cycles, with all stalls it can be {bound}")
        }
        Cause::Port(error) => format!("PORT RULE BROKEN: {error}"),
        Cause::Protocol(rule) => format!("PORT RULE BROKEN: {rule}"),
        Cause::Rtl(error) => format!("RTL FAILED: {error}"),
        Cause::Crash(Crash { how, message }) => {
            let said = if message.is_empty() { String::new() } else { format!(": {message}") };
            format!("CRASH: {how}{said}")
        }
        Cause::Mismatch(mismatch) => format!("MISMATCH: {}", kind(mismatch)),
    }
}

fn kind(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Order { .. } => "order of retirement".into(),
        Mismatch::Word { .. } => "instruction word".into(),
        Mismatch::NotExecuted => "retired without having been executed".into(),
        Mismatch::Killed { .. } => "killed or not".into(),
        Mismatch::Trap { .. } => "trap".into(),
        Mismatch::Gpr { .. } => "host register written".into(),
        Mismatch::Csr { name, .. } => format!("CSR {name}"),
        Mismatch::Meaning { field, .. } => format!("{field} of meaning_o"),
        Mismatch::Destinations { .. } => "TLRegs written".into(),
        Mismatch::Register { tl, .. } => format!("contents of tl{tl}"),
        Mismatch::TileWrite { .. } => "matrix register written".into(),
        Mismatch::StrayTile { .. } => "write to a matrix register by no instruction in flight".into(),
        Mismatch::Tile { tile, .. } => format!("contents of {}", tiles::name(*tile)),
        Mismatch::StoreSet { .. } => "bytes of L0M written".into(),
        Mismatch::StoreValue { .. } => "value stored to L0M".into(),
        Mismatch::StrayWrite { .. } => "write to L0M by no instruction in flight".into(),
        Mismatch::X { number, .. } => format!("x{number} at the end"),
        Mismatch::L0m { .. } => "L0M at the end".into(),
        Mismatch::Host { what, .. } => format!("{what} of the host"),
        Mismatch::Uncompared { .. } => "fewer instructions compared than retired".into(),
    }
}

/// Labels and values.
pub type Lines = Vec<(&'static str, String)>;

/// What the two sides have, as labels and values.
pub fn details(target: &Target, failure: &Failure) -> Lines {
    let Cause::Mismatch(mismatch) = &failure.cause else { return Vec::new() };
    let sides = |rtl: String, model: String| vec![("RTL", rtl), ("model", model)];
    let hex = |value: &u32| format!("{value:#010x}");
    match mismatch {
        Mismatch::Order { rtl, expected } => {
            sides(format!("id {rtl}"), expected.map_or("nothing in flight".into(), |id| format!("id {id}")))
        }
        Mismatch::Word { rtl, expected } => sides(hex(rtl), hex(expected)),
        Mismatch::NotExecuted => Vec::new(),
        Mismatch::Killed { rtl, expected } => {
            let killed = |yes| if yes { "killed" } else { "executed" }.to_owned();
            sides(killed(*rtl), killed(*expected))
        }
        Mismatch::Trap { rtl, model } => sides(trap(*rtl), trap(*model)),
        Mismatch::Gpr { rtl, model } => {
            let write = |w: &Option<(u8, u32)>| w.map_or("none".into(), |(rd, value)| format!("x{rd} = {value:#010x}"));
            sides(write(rtl), write(model))
        }
        Mismatch::Csr { rtl, model, .. }
        | Mismatch::Meaning { rtl, model, .. }
        | Mismatch::X { rtl, model, .. }
        | Mismatch::Host { rtl, model, .. } => sides(hex(rtl), hex(model)),
        Mismatch::Destinations { rtl, model } => {
            let list = |tls: &[u8]| {
                let names: Vec<_> = tls.iter().map(|tl| format!("tl{tl}")).collect();
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            };
            sides(list(rtl), list(model))
        }
        Mismatch::Register { tl, phys, rtl, model } => register(target, failure, *tl, *phys, [rtl, model]),
        Mismatch::TileWrite { rtl, model } => {
            let name = |tile: &Option<golden::Tile>| tile.map_or("none".into(), tiles::name);
            sides(name(rtl), name(model))
        }
        Mismatch::StrayTile { tile, tag } => vec![("where", format!("{}, tag {tag}", tiles::name(*tile)))],
        Mismatch::Tile { tile, rtl, model } => tile_report::contents(target, failure, *tile, [rtl, model]),
        Mismatch::StoreSet { address, by_rtl } => {
            let written = |yes| if yes { "written" } else { "not written" }.to_owned();
            let mut lines = vec![("where", format!("L0M address {address:#x}"))];
            lines.extend(sides(written(*by_rtl), written(!*by_rtl)));
            lines
        }
        Mismatch::StoreValue { address, rtl, model } | Mismatch::L0m { address, rtl, model } => {
            let mut lines = vec![("where", format!("L0M address {address:#x}"))];
            lines.extend(sides(format!("{rtl:02x}"), format!("{model:02x}")));
            lines
        }
        Mismatch::StrayWrite { address, tag } => vec![("where", format!("L0M address {address:#x}, tag {tag}"))],
        Mismatch::Uncompared { retired, compared } => {
            vec![("counts", format!("{retired} retired, {compared} compared"))]
        }
    }
}

fn register(target: &Target, failure: &Failure, tl: u8, phys: Option<u8>, sides: [&[u8]; 2]) -> Lines {
    let [rtl, model] = sides;
    let different: Vec<usize> = (0..rtl.len().min(model.len())).filter(|&i| rtl[i] != model[i]).collect();
    let Some((&first, &last)) = different.first().zip(different.last()) else { return Vec::new() };
    let physical = phys.map_or("marked as zero".into(), |p| format!("physical register {p}"));
    let start = first / SHOWN * SHOWN;
    let bytes = |side: &[u8]| format!("from byte {start}: {}", dump(&side[start..side.len().min(start + SHOWN)]));
    vec![
        (
            "where",
            format!(
                "tl{tl} ({physical}), byte {first}{}",
                place(target, failure, tl, first, rtl[first] ^ model[first])
            ),
        ),
        ("extent", extent(different.len(), [first, last].map(|byte| format!("byte {byte}")), rtl.len())),
        ("RTL", bytes(rtl)),
        ("model", bytes(model)),
    ]
}

/// Element and index of a byte of a register: in the block of tshape, or in the tensor of a transposition.
fn place(target: &Target, failure: &Failure, tl: u8, byte: usize, difference: u8) -> String {
    let Some(bits) = failure.element_bits else { return String::new() };
    let nibble = usize::from(bits == 4 && difference & 15 == 0);
    let element = byte * 8 / bits as usize + nibble;
    let index = |element: usize, sizes: &[usize]| Some(tuple(&index_of(element, sizes)?));
    let word = failure.at.map_or(0, |(_, word, _)| word);
    if let Some(Exchange { sizes, second, .. }) =
        exchange(decode(word, &target.golden), |_| failure.operands.rs as u32, tl)
    {
        let half = if second { target.golden.reg_bytes * 8 / bits as usize } else { 0 };
        return index(element + half, &sizes).map_or(String::new(), |index| {
            format!(", element {element} of {bits} bits, index {index} of the result, a tensor {sizes:?}")
        });
    }
    if !has_block(decode(word, &target.golden)) {
        return format!(", element {element} of {bits} bits");
    }
    let shape = failure.shape.1.to_be_bytes().map(usize::from);
    match index(element, &shape[1..]) {
        Some(index) => format!(", element {element} of {bits} bits, index {index} of the block {:?}", &shape[1..]),
        None => format!(", element {element} of {bits} bits, beyond the block {:?}", &shape[1..]),
    }
}

/// Whether `tshape` says how the registers of an instruction are arranged.
pub fn has_block(instruction: Decoded) -> bool {
    let Decoded::Tensor(tensor) = instruction else { return false };
    match tensor.elements() {
        Elements::Slices(_) | Elements::Chosen(_) => true,
        Elements::Sum(_) | Elements::Exchanged => false,
    }
}

/// The result of an instruction that has a shape of its own, and not that of `tshape`.
pub struct Exchange {
    pub dimensions: [u8; 2],
    /// The shape of the result.
    pub sizes: [usize; 4],
    /// The register has the second half of it.
    pub second: bool,
}

/// What `tl` has of the result of an exchange; `None` for other instructions. `x` gives the value of a host register.
pub fn exchange(instruction: Decoded, x: impl Fn(u8) -> u32, tl: u8) -> Option<Exchange> {
    let Decoded::Tensor(tensor) = instruction else { return None };
    let Elements::Exchanged = tensor.elements() else { return None };
    let named = |name| tensor.operands().named(name).map(|value| value as u8);
    let [p, q, rs] = [named("p")?, named("q")?, named("rs")?];
    let sizes = exchanged(xpose_sizes(x(rs)), [p, q]);
    Some(Exchange { dimensions: [p, q], sizes, second: Some(tl) == named("tlrs2") })
}

pub fn trap(trap: Option<Trap>) -> String {
    trap.map_or("no trap".into(), |t| format!("cause {} ({}), tval {:#010x}", t.cause, t.cause_name(), t.tval))
}

fn state(failure: &Failure) -> String {
    let (ttype, tshape) = failure.shape;
    let elements = failure.element_bits.map_or("illegal".into(), |bits| format!("{bits}-bit elements"));
    let d = tshape.to_be_bytes();
    format!("ttype {ttype:#05x} ({elements}), tshape [{}, {}, {}]", d[1], d[2], d[3])
}
