// SPDX-License-Identifier: Apache-2.0
//! A bench for units that somebody else has written: the multiplier and the divider of PicoRV32, which its core reaches
//! by its co-processor interface (PCPI). `make setup-soc` fetches `picorv32.v`.
//!
//! `cargo run --release -p cosim-harness --example picorv32_pcpi -- --config all random --until-covered`

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use cosim_harness::base::draw::Draw;
use cosim_harness::bench::{self, Cover, Dut, Failure, Reset, Rtl, Unit};
use cosim_harness::model::fault::{self, Fault};
use serde::{Deserialize, Serialize};

/// The instructions by funct3.
const NAMES: [&str; 8] = ["mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"];
/// The word of `mul x0, x0, x0`; funct3 is added.
const WORD: u64 = 0x0200_0033;
/// Most cycles of an instruction.
const LIMIT: u64 = 80;
/// Cycles for which a unit has to leave an instruction alone that is not its own.
const SILENT: u64 = 4;

struct Pcpi {
    name: &'static str,
    top: &'static str,
    /// Values of funct3 of its instructions.
    own: std::ops::Range<usize>,
}

/// An instruction with its operands.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
struct Step {
    funct3: usize,
    /// Bits of the word that differ from an instruction of RV32M; 0 for none.
    flipped: u32,
    rs1: u32,
    rs2: u32,
}

impl Step {
    fn word(&self) -> u64 {
        (WORD | (self.funct3 as u64) << 12) ^ u64::from(self.flipped)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.get(self.funct3).filter(|_| self.flipped == 0).unwrap_or(&"foreign word");
        write!(f, "{name} ({:#010x}) of {:#x}, {:#x}", self.word(), self.rs1, self.rs2)
    }
}

/// RV32M: The RISC-V Instruction Set Manual, volume I, chapter "M".
fn model(funct3: usize, a: u32, b: u32) -> u32 {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let high = |product: i64| (product >> 32) as u32;
    match funct3 {
        0 => a.wrapping_mul(b),
        1 => high(i64::from(signed_a) * i64::from(signed_b)),
        2 => high(i64::from(signed_a) * i64::from(b)),
        3 => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        4 if b == 0 => u32::MAX,
        4 => signed_a.wrapping_div(signed_b).cast_unsigned(),
        5 => a.checked_div(b).unwrap_or(u32::MAX),
        6 if b == 0 => a,
        6 => signed_a.wrapping_rem(signed_b).cast_unsigned(),
        _ => a.checked_rem(b).unwrap_or(a),
    }
}

impl Unit for Pcpi {
    type Step = Step;

    fn name(&self) -> &str {
        self.name
    }

    fn rtl(&self) -> Rtl {
        Rtl {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools"),
            files: vec!["picorv32.v"],
            top: self.top,
            parameters: Vec::new(),
            flags: vec!["-Wno-lint", "-Wno-CASEINCOMPLETE", "-Wno-LATCH", "-Wno-UNOPTFLAT"],
            clock: "clk",
            reset: Reset::ActiveLow("resetn"),
        }
    }

    fn random(&self, draw: &mut Draw) -> Vec<Step> {
        let operand = |draw: &mut Draw| match draw.below(4) {
            0 => draw.pick(&[0, 1, u32::MAX, 1 << 31, i32::MAX as u32]),
            1 => draw.u32() >> draw.below(32),
            2 => !(draw.u32() >> draw.below(32)),
            _ => draw.u32(),
        };
        let step = |draw: &mut Draw| {
            let rs1 = operand(draw);
            let rs2 = if draw.chance(10) { rs1 } else { operand(draw) };
            let flipped = if draw.chance(10) { 1 << draw.pick(&[0, 2, 4, 5, 6, 25, 26, 31]) } else { 0 };
            Step { funct3: draw.below(8) as usize, flipped, rs1, rs2 }
        };
        (0..draw.range(1, 16)).map(|_| step(draw)).collect()
    }

    fn run(&self, dut: &mut Dut, steps: &[Step], cover: &mut Cover) -> Result<(), Failure> {
        for (index, step) in steps.iter().enumerate() {
            dut.begin(index);
            let &Step { funct3, flipped, rs1, rs2 } = step;
            for (port, value) in
                [("pcpi_insn", step.word()), ("pcpi_rs1", rs1.into()), ("pcpi_rs2", rs2.into()), ("pcpi_valid", 1)]
            {
                dut.set(port, value)?;
            }
            if flipped == 0 && self.own.contains(&funct3) {
                dut.wait_for("pcpi_ready", LIMIT)?;
                let (found, wanted) = (dut.get("pcpi_rd")?, model(funct3, rs1, rs2));
                if found != u64::from(wanted) || dut.get("pcpi_wr")? != 1 {
                    let text = format!("{step}: RTL {found:#x}, model {wanted:#x}");
                    return Err(Failure::new(format!("wrong result of {}", NAMES[funct3]), text));
                }
                cover.hit(NAMES[funct3]);
                cover.hit_if(funct3 >= 4 && rs2 == 0, "division by zero");
                cover.hit_if(funct3 % 2 == 0 && funct3 >= 4 && rs1 == 1 << 31 && rs2 == u32::MAX, "overflow");
                cover.hit_if(rs1 == rs2, "equal operands");
            } else {
                for _ in 0..SILENT {
                    dut.tick()?;
                    if dut.get("pcpi_wait")? + dut.get("pcpi_ready")? != 0 {
                        return Err(Failure::new("answer to a foreign instruction", step.to_string()));
                    }
                }
                cover.hit("foreign instruction");
            }
            // As the core does; it takes two cycles to the next instruction at least.
            dut.set("pcpi_valid", 0)?;
            for _ in 0..2 {
                dut.tick()?;
                if dut.get("pcpi_wr")? + dut.get("pcpi_ready")? != 0 {
                    return Err(Failure::new("result without an instruction", step.to_string()));
                }
            }
        }
        Ok(())
    }

    fn bins(&self) -> Vec<&'static str> {
        let division = ["division by zero", "overflow"].into_iter().filter(|_| self.own.contains(&4));
        NAMES[self.own.clone()]
            .iter()
            .copied()
            .chain(division)
            .chain(["equal operands", "foreign instruction"])
            .collect()
    }

    fn aim(&self, bin: &str, _draw: &mut Draw) -> Option<Vec<Step>> {
        (bin == "overflow").then(|| vec![Step { funct3: 4, flipped: 0, rs1: 1 << 31, rs2: u32::MAX }])
    }

    fn size(&self, step: &Step) -> u64 {
        bench::size_of(step.rs1.into()) + bench::size_of(step.rs2.into())
    }

    fn simpler(&self, step: &Step) -> Vec<Step> {
        let numbers = |value: u32| bench::simpler_numbers(value.into()).into_iter().map(|value| value as u32);
        let first = numbers(step.rs1).map(|rs1| Step { rs1, ..step.clone() });
        first.chain(numbers(step.rs2).map(|rs2| Step { rs2, ..step.clone() })).collect()
    }

    fn faults(&self) -> Vec<Fault> {
        let all = fault::read(include_str!("faults.json")).expect("a table of faults");
        // The first two are in the multiplier.
        all.into_iter().filter(|fault| (fault.id <= 2) == (self.own.start == 0)).collect()
    }
}

fn main() -> ExitCode {
    bench::run(&[
        Pcpi { name: "mul", top: "picorv32_pcpi_mul", own: 0..4 },
        Pcpi { name: "div", top: "picorv32_pcpi_div", own: 4..8 },
    ])
}
