// SPDX-License-Identifier: Apache-2.0
//! What the cells are: how large, and from which inputs to which outputs they are combinational.

use super::netlist::{Bit, Cell, Direction};

/// Combinational from each of some nets to each of others, with the levels that it costs.
#[derive(Clone, Debug, Default)]
pub struct Arc {
    /// Inputs.
    pub from: Vec<(u32, u32)>,
    /// Outputs.
    pub to: Vec<u32>,
}

/// Addresses of memories for reading, possibly without a clock.
pub const READ_ADDRESSES: [&str; 2] = ["RD_ADDR", "RAD"];

/// Whether a cell is a memory.
pub fn is_memory(cell: &Cell) -> bool {
    matches!(cell.kind.as_str(), "$mem_v2" | "TRELLIS_DPR16X4")
}

/// The combinational parts of a cell.
pub fn arcs(cell: &Cell) -> Vec<Arc> {
    let arcs = match cell.kind.as_str() {
        "$scopeinfo" | "TRELLIS_FF" | "DP16KD" => Vec::new(),
        kind if kind.starts_with("$_DFF") || kind.starts_with("$_SDFF") => Vec::new(),
        "$mem_v2" => reads(cell),
        "TRELLIS_DPR16X4" => vec![arc(cell, &[("RAD", 1)], &["DO"])],
        // An adder of two bits; passing a carry on costs no level.
        "CCU2C" => vec![
            arc(cell, &[("A0", 1), ("B0", 1), ("C0", 1), ("D0", 1), ("CIN", 0)], &["S0"]),
            arc(
                cell,
                &[("A0", 1), ("B0", 1), ("C0", 1), ("D0", 1), ("CIN", 0), ("A1", 1), ("B1", 1), ("C1", 1), ("D1", 1)],
                &["S1", "COUT"],
            ),
        ],
        kind => {
            // Multiplexers of LUTs in the same slice, and inverters, cost none.
            let cost = u32::from(!matches!(kind, "PFUMX" | "L6MUX21" | "$_NOT_"));
            let pins = |way: Direction| cell.port_directions.iter().filter(move |(_, d)| **d == way);
            let inputs: Vec<(&str, u32)> = pins(Direction::Input).map(|(pin, _)| (pin.as_str(), cost)).collect();
            let outputs: Vec<&str> = pins(Direction::Output).map(|(pin, _)| pin.as_str()).collect();
            vec![arc(cell, &inputs, &outputs)]
        }
    };
    arcs.into_iter().filter(|arc| !arc.from.is_empty() && !arc.to.is_empty()).collect()
}

fn arc(cell: &Cell, inputs: &[(&str, u32)], outputs: &[&str]) -> Arc {
    let nets = |pin: &str| cell.connections.get(pin).into_iter().flatten().filter_map(Bit::net).collect::<Vec<_>>();
    let from = inputs.iter().flat_map(|&(pin, cost)| nets(pin).into_iter().map(move |net| (net, cost))).collect();
    Arc { from, to: outputs.iter().flat_map(|pin| nets(pin)).collect() }
}

/// The read ports of a memory that have no clock; they cost a level.
fn reads(cell: &Cell) -> Vec<Arc> {
    let clocked = cell.parameters.get("RD_CLK_ENABLE").and_then(|value| value.as_str()).unwrap_or_default();
    let bits = |pin: &str| cell.connections.get(pin).map_or(&[][..], |bits| bits);
    let (address, data) = (bits("RD_ADDR"), bits("RD_DATA"));
    let ports = clocked.len().max(1);
    let (address_bits, data_bits) = ((address.len() / ports).max(1), (data.len() / ports).max(1));
    let nets = |bits: &[Bit]| bits.iter().filter_map(Bit::net).collect::<Vec<_>>();
    let ports = address.chunks(address_bits).zip(data.chunks(data_bits)).zip(clocked.chars().rev());
    let unclocked = ports.filter(|&(_, clock)| clock == '0').map(|(port, _)| port);
    unclocked.map(|(a, d)| Arc { from: nets(a).into_iter().map(|net| (net, 1)).collect(), to: nets(d) }).collect()
}

/// What is there of each kind of cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// LUT4 cells.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lut4: u64,
    /// CCU2C cells: two bits of an adder.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ccu2c: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 18 Kbit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dp16kd: u64,
    /// Distributed RAMs of 16 words of 4 bits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dpr16x4: u64,
    /// Multipliers of 18 bits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mult18: u64,
    /// Sixths of the area of a NAND gate with two inputs, memories aside.
    #[serde(skip)]
    pub sixths: u64,
    /// Bits of memories that were left as they are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memory_bits: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.lut4 += other.lut4;
        self.ccu2c += other.ccu2c;
        self.ff += other.ff;
        self.dp16kd += other.dp16kd;
        self.dpr16x4 += other.dpr16x4;
        self.mult18 += other.mult18;
        self.sixths += other.sixths;
        self.memory_bits += other.memory_bits;
    }
}

/// What a cell counts for.
///
/// The areas of gates are those of the Nangate 45 nm open cell library in units of its NAND2_X1, rounded to sixths:
/// INV_X1 0.67, AND2_X1 and OR2_X1 1.33, XOR2_X1 and XNOR2_X1 2, MUX2_X1 2.33, DFF_X1 5.67, DFFR_X1 and DFFS_X1 6.67.
pub fn count(cell: &Cell) -> Counts {
    let none = Counts::default();
    match cell.kind.as_str() {
        "LUT4" => Counts { lut4: 1, ..none },
        "CCU2C" => Counts { ccu2c: 1, ..none },
        "TRELLIS_FF" => Counts { ff: 1, ..none },
        "DP16KD" => Counts { dp16kd: 1, ..none },
        "TRELLIS_DPR16X4" => Counts { dpr16x4: 1, ..none },
        "MULT18X18D" => Counts { mult18: 1, ..none },
        "$_NOT_" => Counts { sixths: 4, ..none },
        "$_NAND_" | "$_NOR_" => Counts { sixths: 6, ..none },
        "$_AND_" | "$_OR_" => Counts { sixths: 8, ..none },
        "$_XOR_" | "$_XNOR_" => Counts { sixths: 12, ..none },
        "$_MUX_" => Counts { sixths: 14, ..none },
        "$mem_v2" => Counts { memory_bits: number(cell, "SIZE") * number(cell, "WIDTH"), ..none },
        kind => match kind.strip_prefix("$_S").or_else(|| kind.strip_prefix("$_")) {
            Some(rest) if rest.starts_with("DFF") => Counts { ff: 1, sixths: flip_flop(kind), ..none },
            _ => none,
        },
    }
}

/// A flip-flop as a plain one with what its kind says: a multiplexer for an enable, a gate for a synchronous reset.
fn flip_flop(kind: &str) -> u64 {
    let pins = |cell: &str| cell.trim_matches('_').split('_').nth(1).map_or(0, str::len);
    let enable = if kind.contains("FFE_") || kind.contains("FFCE_") { 14 } else { 0 };
    let reset = match kind {
        kind if kind.starts_with("$_SDFF") => 8,
        kind if pins(kind.trim_start_matches('$')) >= 3 => 6,
        _ => 0,
    };
    34 + enable + reset
}

/// A parameter that is a number.
fn number(cell: &Cell, name: &str) -> u64 {
    let digits = cell.parameters.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    u64::from_str_radix(digits, 2).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flip_flops_have_what_their_kind_says() {
        let of = |kind: &str| count(&Cell { kind: kind.into(), ..Cell::default() });
        assert_eq!(of("$_DFF_P_"), Counts { ff: 1, sixths: 34, ..Counts::default() });
        assert_eq!(of("$_DFF_PN0_").sixths, 40);
        assert_eq!(of("$_DFFE_PP_").sixths, 48);
        assert_eq!(of("$_DFFE_PN0P_").sixths, 54);
        assert_eq!(of("$_SDFFCE_PN0P_").sixths, 56);
        assert_eq!(of("$_XOR_").ff, 0);
    }
}
