// SPDX-License-Identifier: Apache-2.0
//! The kinds of verilated models.

use serde::{Deserialize, Serialize};

/// What a verilated model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// The unit, for speed.
    Fast,
    /// The unit, with waveforms.
    Traced,
    /// The unit with the planted faults, and waveforms.
    Faults,
    /// The same without waveforms, and with the properties that are proven as assertions.
    Facts,
    /// The unit, counting lines and toggles.
    Covered,
    /// The unit, with the probe for profiles.
    Profiled,
    /// The unit with all mutants of a run.
    Mutants,
    /// The unit in a system: PicoRV32, memories, and the planted faults of the adapter.
    Soc,
    /// The unit in a system: CV32E40X, memories, and the planted faults of what is between core and unit.
    SocE40x,
    /// The unit with memories behind AXI4, with beats as wide as its ports, and the planted faults of the adapter.
    Axi,
    /// The same with beats of 512 bits.
    AxiWide,
    /// The unit behind the extension interface of a core that does all that it may, and the planted faults of the
    /// adapter.
    Xif,
    /// The same with a core that reads two registers; for a unit with `gpr_rs1`.
    XifTwo,
    /// The same with memories behind AXI4; all parameters but X_NUM_RS have other values than by default.
    XifAxi,
    /// The decoder of the TensorLoad instructions alone.
    Decoder,
    /// The decoder of the matrix instructions alone.
    MatrixDecoder,
}

impl ModelKind {
    /// The one for a run with this planted fault, which is 0 for none.
    pub fn for_run(fault: u32, wave: bool) -> ModelKind {
        match (fault, wave) {
            (0, false) => ModelKind::Fast,
            (0, true) => ModelKind::Traced,
            _ => ModelKind::Faults,
        }
    }

    /// Its name in messages and as part of file names, and the top module.
    const fn name_and_top(self) -> (&'static str, &'static str) {
        match self {
            ModelKind::Fast => ("fast", "tl_top"),
            ModelKind::Traced => ("traced", "tl_top"),
            ModelKind::Faults => ("faults", "tl_top"),
            ModelKind::Facts => ("facts", "tl_top"),
            ModelKind::Covered => ("covered", "tl_top"),
            ModelKind::Profiled => ("profiled", "tl_top"),
            ModelKind::Mutants => ("mutants", "tl_top"),
            ModelKind::Soc => ("soc", "tl_soc"),
            ModelKind::SocE40x => ("soce40x", "tl_soc_e40x"),
            ModelKind::Axi => ("axi", "tl_axi_bench"),
            ModelKind::AxiWide => ("axiwide", "tl_axi_bench"),
            ModelKind::Xif => ("xif", "tl_xif_bench"),
            ModelKind::XifTwo => ("xiftwo", "tl_xif_bench"),
            ModelKind::XifAxi => ("xifaxi", "tl_xif_bench"),
            ModelKind::Decoder => ("decoder", "tl_decoder"),
            ModelKind::MatrixDecoder => ("mxdecoder", "tl_mx_decoder"),
        }
    }

    /// Its name in messages and as part of file names.
    pub fn name(self) -> &'static str {
        self.name_and_top().0
    }

    pub fn top(self) -> &'static str {
        self.name_and_top().1
    }

    /// Whether it is a decoder, and not the unit.
    pub fn is_decoder(self) -> bool {
        matches!(self, ModelKind::Decoder | ModelKind::MatrixDecoder)
    }

    pub fn has_axi(self) -> bool {
        matches!(self, ModelKind::Axi | ModelKind::AxiWide | ModelKind::XifAxi)
    }

    /// Whether it is behind CV-X-IF, with a core of the bench.
    pub fn has_xif(self) -> bool {
        matches!(self, ModelKind::Xif | ModelKind::XifTwo | ModelKind::XifAxi)
    }

    /// Whether it has an adapter with planted faults.
    pub fn has_adapter(self) -> bool {
        self.has_axi() || self.has_xif() || self.is_system()
    }

    /// Whether there is a core with the unit, and not the bench.
    pub fn is_system(self) -> bool {
        matches!(self, ModelKind::Soc | ModelKind::SocE40x)
    }

    /// Whether its RTL has [`super::poison`]. A coverage of lines and toggles is of the RTL as it is, as are mutants.
    pub fn has_poison(self) -> bool {
        !self.is_decoder() && !matches!(self, ModelKind::Covered | ModelKind::Mutants)
    }

    pub fn traced(self) -> bool {
        matches!(self, ModelKind::Traced | ModelKind::Faults)
    }
}
