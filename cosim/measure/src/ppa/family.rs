// SPDX-License-Identifier: Apache-2.0
//! FPGA families: how Yosys maps to their cells, and nextpnr places and routes them.

use std::path::PathBuf;

use anyhow::Result;

use crate::model::toolchain::find;

/// A row of the table: a new family is one, and an entry in [`super::Technology`].
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// Of `--target`, of the netlist, and of nextpnr's program.
    pub name: &'static str,
    /// Device and speed grade.
    pub device: &'static str,
    /// Command of Yosys, with the labels of `synth_lattice`.
    pub synth: &'static str,
    pub options: &'static str,
    /// Columns of a table of units, and the first letters of the cells that they count.
    pub columns: [(&'static str, &'static str); 6],
    /// Cells that are flip-flops, before ABC.
    pub registers: &'static str,
    /// Steps after ABC.
    pub mapped: &'static str,
    /// Models of the cells.
    pub models: &'static str,
    /// A flip-flop of the wrapper, and its pins up to the name of the data input.
    pub flip_flop: [&'static str; 2],
    /// The LUT of the wrapper: exclusive or of A and B.
    pub xor: &'static str,
    /// Last steps of the wrapper.
    pub pads: &'static str,
    /// Files that the steps and nextpnr read: name and text.
    pub files: &'static [(&'static str, &'static str)],
    /// Variable that names nextpnr.
    pub variable: &'static str,
    /// Options of nextpnr: device and pins.
    pub placement: &'static str,
    pub router: &'static str,
    /// Megahertz that are asked for without a goal: more than a unit reaches.
    pub beyond: u32,
}

pub static ECP5: Family = Family {
    name: "ecp5",
    device: "ECP5-85k, speed 6",
    synth: "synth_ecp5",
    // With multiplexers between LUTs there are more LUTs.
    options: "-nowidelut",
    columns: [
        ("LUT4", "LUT4"),
        ("CCU2C", "CCU2C"),
        ("flip-flops", "TRELLIS_FF"),
        ("DP16KD", "DP16KD"),
        ("DPR16X4", "TRELLIS_DPR16X4"),
        ("MULT18", "MULT18X18D"),
    ],
    registers: "t:TRELLIS_FF",
    mapped: "",
    models: "+/ecp5/cells_sim.v +/ecp5/cells_bb.v",
    flip_flop: [
        "TRELLIS_FF #(.GSR(\"DISABLED\"), .CEMUX(\"1\"), .CLKMUX(\"CLK\"), .LSRMUX(\"LSR\"), \
         .SRMODE(\"LSR_OVER_CE\"), .REGSET(\"RESET\"))",
        ".CLK(clk_i), .DI",
    ],
    xor: "LUT4 #(.INIT(16'h6666))",
    pads: "",
    files: &[],
    variable: "NEXTPNR",
    placement: "--85k --speed 6 --package CABGA756 --lpf-allow-unconstrained",
    router: "router2",
    beyond: 100,
};

pub static NEXUS: Family = Family {
    name: "nexus",
    device: "CrossLink-NX LIFCL-40, speed 9",
    synth: "synth_nexus",
    options: "-nowidelut -noiopad",
    columns: [
        ("LUT4", "LUT4"),
        ("CCU2", "CCU2"),
        ("flip-flops", "FD1P3"),
        ("PDPSC16K", "PDPSC16K"),
        ("DPR16X4", "DPR16X4"),
        ("MULT18X18", "MULT18X18"),
    ],
    registers: "t:FD1P3*",
    mapped: "techmap -map carry.v\n",
    models: "+/nexus/cells_sim.v +/nexus/cells_xtra.v",
    flip_flop: ["FD1P3IX #(.GSR(\"DISABLED\"))", ".CK(clk_i), .SP(1'b1), .CD(1'b0), .D"],
    xor: "LUT4 #(.INIT(\"0x6666\"))",
    pads: "iopadmap -bits -outpad OB I:O -inpad IB O:I\nhilomap -singleton -hicell VHI Z -locell VLO Z\n",
    files: &[("carry.v", CARRY), ("pins.pdc", PINS)],
    variable: "NEXTPNR_NEXUS",
    placement: "--device LIFCL-40-9BG400C --pdc pins.pdc",
    // In most units router2 finds no way for the clock from its pin.
    router: "router1",
    beyond: 200,
};

/// ABC gives the first carry of a chain, which has none before it, a constant; nextpnr takes an open port only.
const CARRY: &str = "
module CCU2 (input CIN, A1, B1, C1, D1, A0, B0, C0, D0, output S1, S0, COUT);
  parameter INJECT = \"YES\", INIT0 = \"0x0000\", INIT1 = \"0x1111\", _TECHMAP_CONSTMSK_CIN_ = 0;
  generate
    if (_TECHMAP_CONSTMSK_CIN_)
      CCU2 #(.INJECT(INJECT), .INIT0(INIT0), .INIT1(INIT1)) _TECHMAP_REPLACE_ (.A1(A1), .B1(B1), .C1(C1), .D1(D1),
        .A0(A0), .B0(B0), .C0(C0), .D0(D0), .S1(S1), .S0(S0), .COUT(COUT));
    else wire _TECHMAP_FAIL_ = 1;
  endgenerate
endmodule
";

/// Pins of the wrapper: nextpnr chooses none itself.
const PINS: &str = "ldc_set_location -site {L5} [get_ports clk_i]
ldc_set_location -site {N14} [get_ports serial_i]
ldc_set_location -site {M14} [get_ports serial_o]
";

impl Family {
    /// The nextpnr that the variable names, that `make setup-ppa` has installed, or that is on PATH.
    pub fn nextpnr(&self) -> Result<PathBuf> {
        let [native, wheel] = ["", "yowasp-"].map(|prefix| format!("{prefix}nextpnr-{}", self.name));
        find(self.variable, &[&native, &wheel], "--version", Some(&format!("make setup-ppa TARGET={}", self.name)))
    }
}
