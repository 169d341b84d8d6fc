// SPDX-License-Identifier: Apache-2.0
//! A bench for a unit of 70 lines (`gcd.sv`): what one writes oneself, explained in docs/harness.md.
//!
//! `cargo run --release -p cosim-harness --example gcd -- random --until-covered`

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use cosim_harness::base::draw::Draw;
use cosim_harness::bench::{self, Cover, Dut, Failure, Reset, Rtl, Unit};
use cosim_harness::model::fault::{self, Fault};
use serde::{Deserialize, Serialize};

/// Bits of an operand.
const WIDTH: u32 = 16;
const MASK: u64 = (1 << WIDTH) - 1;
/// Most cycles from operands to result.
const LIMIT: u64 = 2 * WIDTH as u64 + 1;

struct Gcd;

/// A pair of operands, for how many cycles nothing is offered before it, and for how many its result is not taken.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
struct Step {
    a: u64,
    b: u64,
    gap: u64,
    stall: u64,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gcd({}, {}), offered after {} cycles, taken after {}", self.a, self.b, self.gap, self.stall)
    }
}

/// The model, by Euclid.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Unit for Gcd {
    type Step = Step;

    fn name(&self) -> &str {
        "gcd16"
    }

    fn rtl(&self) -> Rtl {
        Rtl {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gcd"),
            files: vec!["gcd.sv"],
            top: "gcd",
            parameters: vec![format!("Width={WIDTH}")],
            flags: Vec::new(),
            clock: "clk_i",
            reset: Reset::ActiveLow("rst_ni"),
        }
    }

    fn random(&self, draw: &mut Draw) -> Vec<Step> {
        let operand = |draw: &mut Draw| u64::from(draw.u32() >> draw.range(32 - WIDTH, 31));
        let step = |draw: &mut Draw| {
            let factor = u64::from(draw.range(1, 8));
            let [a, b] = [operand(draw), operand(draw)].map(|x| x * factor % (1 << WIDTH));
            let [gap, stall] = [(); 2].map(|()| u64::from(draw.below(4)));
            Step { a, b, gap, stall }
        };
        (0..draw.range(1, 32)).map(|_| step(draw)).collect()
    }

    fn run(&self, dut: &mut Dut, steps: &[Step], cover: &mut Cover) -> Result<(), Failure> {
        for (index, &Step { a, b, gap, stall }) in steps.iter().enumerate() {
            dut.begin(index);
            // Operands that are not valid are none.
            dut.set("a_i", !a & MASK)?;
            dut.set("b_i", !b & MASK)?;
            for _ in 0..gap {
                dut.tick()?;
            }
            dut.set("a_i", a)?;
            dut.set("b_i", b)?;
            dut.set("operands_valid_i", 1)?;
            dut.settle()?;
            dut.wait_for("operands_ready_o", LIMIT)?;
            if dut.get("result_valid_o")? != 0 {
                return Err(Failure::new("a result without operands", "result_valid_o with operands_ready_o"));
            }
            dut.tick()?;
            // Nothing that comes while the unit works counts.
            dut.set("a_i", !a & MASK)?;
            dut.set("b_i", !b & MASK)?;
            dut.set("operands_valid_i", stall % 2)?;
            let cycles = dut.wait_for("result_valid_o", LIMIT)?;
            dut.set("operands_valid_i", 0)?;
            for waited in 0..=stall {
                if dut.get("operands_ready_o")? != 0 {
                    return Err(Failure::new("operands are taken too early", "operands_ready_o with a result"));
                }
                let (found, wanted) = (dut.get("result_o")?, gcd(a, b));
                if dut.get("result_valid_o")? == 0 {
                    return Err(Failure::new(
                        "a result is lost",
                        format!("result_valid_o falls after {waited} cycles"),
                    ));
                }
                if found != wanted {
                    return Err(Failure::new("wrong result", format!("gcd({a}, {b}): RTL {found}, model {wanted}")));
                }
                dut.set("result_ready_i", u64::from(waited == stall))?;
                dut.tick()?;
            }
            dut.set("result_ready_i", 0)?;
            cover.hit_if(a == 0 && b == 0, "both zero");
            cover.hit_if((a == 0) != (b == 0), "one zero");
            cover.hit_if(a == b && a > 0, "equal");
            cover.hit_if(a > 0 && b > 0 && (a | b) % 4 == 0, "common factors of two");
            cover.hit_if(cycles > u64::from(WIDTH) + 4, "more cycles than bits");
            cover.hit_if(stall > 0, "result waits");
        }
        Ok(())
    }

    fn bins(&self) -> Vec<&'static str> {
        vec!["both zero", "one zero", "equal", "common factors of two", "more cycles than bits", "result waits"]
    }

    fn aim(&self, bin: &str, draw: &mut Draw) -> Option<Vec<Step>> {
        let [x, y] = [(); 2].map(|()| u64::from(draw.below(1 << WIDTH)));
        let (a, b) = match bin {
            "both zero" => (0, 0),
            "one zero" => (x | 1, 0),
            "equal" => (x | 1, x | 1),
            "more cycles than bits" => (x | 1, y | 1),
            _ => return None,
        };
        Some(vec![Step { a, b, gap: 0, stall: 0 }])
    }

    fn size(&self, step: &Step) -> u64 {
        [step.a, step.b, step.gap, step.stall].map(bench::size_of).iter().sum()
    }

    fn simpler(&self, step: &Step) -> Vec<Step> {
        let numbers = |value| bench::simpler_numbers(value).into_iter();
        let gaps = numbers(step.gap).map(|gap| Step { gap, ..step.clone() });
        let stalls = numbers(step.stall).map(|stall| Step { stall, ..step.clone() });
        let first = numbers(step.a).map(|a| Step { a, ..step.clone() });
        gaps.chain(stalls).chain(first).chain(numbers(step.b).map(|b| Step { b, ..step.clone() })).collect()
    }

    fn faults(&self) -> Vec<Fault> {
        fault::read(include_str!("faults.json")).expect("a table of faults")
    }
}

fn main() -> ExitCode {
    bench::run(&[Gcd])
}
