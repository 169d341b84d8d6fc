// SPDX-License-Identifier: Apache-2.0
//! The unit behind AXI4: random cases, and cycles of loads and stores, on memories of different latency, beside those
//! of the unit's own ports.

use std::collections::VecDeque;
use std::ops::Range;

use anyhow::{Result, ensure};
use golden::decode::{Decoded, decode};

use crate::base::draw::Draw;
use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;
use crate::lockstep::memory::MAX_BEAT;
use crate::lockstep::ports::whole_register;
use crate::random::core_program;
use crate::random::random_case;
use crate::run::executor::run_case;
use crate::unit::surroundings::{CALM, NEVER_KILLS, NO_RD_OPERAND, NO_SYSTEM, WRITE_WORDS};
use crate::unit::target::Target;
use crate::unit::{Inputs, ModelKind, RESET_CYCLES, Rtl};

/// Clock cycles that the memories add to each answer.
pub const LATENCIES: [u64; 4] = [0, 20, 50, 100];
/// Operations before those that are measured, and those.
const WARM: usize = 8;
const STEADY: usize = 32;
/// An operation takes less.
const LONGEST: u64 = 20_000;

/// Cycles of one of many, back to back.
#[derive(Clone, Debug)]
pub struct Sustained {
    pub op: &'static str,
    /// What the memories add.
    pub latency: u64,
    /// On the ports of the unit.
    pub native: f64,
    /// Behind AXI4, beats as wide as the ports.
    pub axi: f64,
    /// Behind AXI4, beats of 512 bits.
    pub wide: f64,
}

/// Runs random case `number` of `seed` on the model `kind`, in lockstep; `fault` is one that it has, 0 for none. Behind
/// AXI4 an error of a write is one of its whole burst, so there all words of a burst have one or none has. Behind
/// CV-X-IF the case draws what the core does not do, and gets encodings that are enough for it.
///
/// # Errors
/// What went wrong; with assertions also a property that does not hold.
pub fn random(target: &Target, kind: ModelKind, [seed, number]: [u64; 2], fault: u32) -> Result<Counts, Box<Failure>> {
    // The adapter for CV-X-IF has it, whatever the configuration says.
    let mut target = target.clone();
    target.golden.csr_op |= kind.has_xif();
    let mut case = random_case(&target, seed, number);
    let mut options = 0;
    if kind.has_xif() {
        let mut draw = Draw::new(seed, "options of xif_host", number);
        let mut option = |option| if draw.chance(50) { option } else { 0 };
        options = option(NO_SYSTEM) | option(NEVER_KILLS);
        if target.golden.gpr_rs1 {
            options |= option(NO_RD_OPERAND);
        }
        let two = kind == ModelKind::XifTwo || options & NO_RD_OPERAND != 0;
        for word in &mut case.program {
            if matches!(decode(*word, &target.golden), Decoded::Illegal | Decoded::NotOurs) && draw.chance(25) {
                *word = core_program::beside_adapter(&mut draw, &target.golden);
            }
            if options & NO_SYSTEM != 0 {
                *word = core_program::unit_csr(*word, target.golden.engine_id, target.golden.csr_base);
            }
            // The adapter has CSRs that the model does not know: a word that names one becomes one of no instruction.
            if core_program::names_adapter(*word) {
                *word |= 1 << 29 | 7 << 12;
            }
            if two {
                *word = core_program::second_encoding(*word, &target.golden);
            }
        }
    }
    if kind.has_axi() {
        // A beat has one answer, and so has a burst of writes.
        let beat = MAX_BEAT as u32;
        let burst = beat.max(WRITE_WORDS * target.rtl.port_bytes());
        case.setup.l1m_faults.iter_mut().for_each(|range| widen(range, beat));
        case.setup.l0m_faults.iter_mut().for_each(|range| widen(range, burst));
    }
    run_case(&target, &case, kind, fault | options, |_| Ok(()))
}

/// Makes `range` whole blocks of this size.
fn widen(range: &mut Range<u32>, block: u32) {
    *range = range.start / block * block..range.end.next_multiple_of(block);
}

/// Cycles of loads and stores of whole registers, one behind the other in memory.
pub fn measure(target: &Target) -> Result<Vec<Sustained>> {
    let mut rows = Vec::new();
    for op in ["tl.load", "tl.store"] {
        for latency in LATENCIES {
            let cycles = |kind| sustained(target, kind, op, latency);
            let (native, axi) = (cycles(ModelKind::Fast)?, cycles(ModelKind::Axi)?);
            rows.push(Sustained { op, latency, native, axi, wide: cycles(ModelKind::AxiWide)? });
        }
    }
    Ok(rows)
}

fn sustained(target: &Target, kind: ModelKind, op: &str, latency: u64) -> Result<f64> {
    let selection = if kind.has_axi() { CALM } else { 0 };
    let mut rtl = Rtl::new(target, kind, 1, selection)?;
    rtl.reset(RESET_CYCLES)?;
    let bytes = target.rtl.reg_bytes;
    let (ttype, tshape) = whole_register(&target.golden);
    let setup = format!(
        "csrrwi x0, ttype, {ttype}\ncsrrw x0, tshape, x1\ncsrrwi x0, tload_width, 0\ncsrrwi x0, tstore_width, 0\n"
    );
    let body: String = (0..WARM + STEADY).map(|i| format!("{op} tl{}, 0(x1)\n", 1 + i % 31)).collect();
    let words = golden::asm::assemble("bench", &(setup + &body), &target.golden)?;
    let first = words.len() - WARM - STEADY;
    let (mut issued, mut retired) = (0usize, 0);
    let (mut l1m, mut l0m) = (VecDeque::new(), VecDeque::new());
    let mut start = 0;
    for cycle in 0.. {
        ensure!(cycle < LONGEST * words.len() as u64, "{}: {op} does not end", target.name());
        let address =
            issued.saturating_sub(first) as u32 * bytes % target.golden.l1m_bytes.min(target.golden.l0m_bytes);
        let due = |queue: &mut VecDeque<u64>| {
            let due = queue.front().is_some_and(|due| *due <= cycle);
            due && queue.pop_front().is_some()
        };
        let inputs = Inputs {
            issue_valid: issued < words.len(),
            issue_instr: words.get(issued).copied().unwrap_or_default(),
            issue_rs: u64::from(if issued < first { tshape } else { address }),
            result_ready: true,
            l1m_gnt: true,
            l1m_rvalid: due(&mut l1m),
            l0m_gnt: true,
            l0m_rvalid: due(&mut l0m),
            ..Inputs::default()
        };
        rtl.step(&inputs)?;
        let out = &rtl.outputs;
        issued += usize::from(inputs.issue_valid && out.issue_ready);
        l1m.extend(out.l1m_req.then_some(cycle + 1 + latency));
        l0m.extend(out.l0m_req.then_some(cycle + 1 + latency));
        if out.result_valid {
            ensure!(!out.result_trap, "{}: {op} traps: cause {}", target.name(), out.result_cause);
            retired += 1;
            if retired == first + WARM {
                start = cycle;
            }
            if retired == words.len() {
                return Ok((cycle - start) as f64 / STEADY as f64);
            }
        }
    }
    Ok(0.0)
}
