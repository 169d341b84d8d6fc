// SPDX-License-Identifier: Apache-2.0
//! The decoders of RTL and model agree on every word of each opcode, in every column.

use crate::common::{target, target_of};
use cosim_bench::decode::{MatrixRow, Sweep, TensorRow, compare};
use cosim_bench::model::source::SourceFile;
use cosim_bench::unit::target::Workshop;
use rtl_gen::Config;

#[test]
fn all_words_of_the_tensorload_opcode_decode_alike() {
    let words = std::sync::atomic::AtomicU64::new(0);
    let sweep: Sweep<TensorRow> = compare(&target("w16"), |n| {
        words.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
    })
    .expect("decoder");
    assert_eq!((sweep.compared, words.into_inner()), (1 << 25, 1 << 25));
    assert_eq!(sweep.different, 0, "{:#x?}", sweep.first);
    // The number of legal words is that of docs/isa.md: a test of golden.
    let [(_, legal), (_, illegal), other] = sweep.counts[..] else { panic!("{:?}", sweep.counts) };
    assert_eq!((legal + illegal, other), (1 << 23, ("not of this unit", 3 << 23)));
}

/// Each option of the revision, and all of them. How many words are legal is a test of golden.
#[test]
fn all_words_decode_alike_with_each_option() {
    for (number, options) in [
        "csr_op = true",
        "gpr_rs1 = true",
        "csr_op = true\npitch = true\ngpr_rs1 = true\nmask_init = true\nmatrix = true\ncsr_base = 0x880",
    ]
    .iter()
    .enumerate()
    {
        let toml = format!("name = \"option{number}\"\nlanes = 8\nreg_bytes = 64\nengine_id = 2\n{options}\n");
        let target = target_of(&toml);
        let sweep: Sweep<TensorRow> = compare(&target, |_| ()).expect("decoder");
        assert_eq!(sweep.different, 0, "{options}: {:#x?}", sweep.first);
    }
}

#[test]
fn all_words_of_the_matrix_opcode_decode_alike() {
    let sweep: Sweep<MatrixRow> = compare(&target("w16"), |_| ()).expect("decoder");
    assert_eq!(sweep.compared, 1 << 25);
    assert_eq!(sweep.different, 0, "{:#x?}", sweep.first);
    let illegal = (1 << 25) - 147_456 - 3_169;
    let counts: Vec<u64> = sweep.counts.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [147_456, 3_169, illegal, 0], "{:?}", sweep.counts);
}

#[test]
fn another_instruction_set_decodes_differently() {
    let mut target = target("w16");
    target.golden.engine_id = 1;
    assert!(compare::<TensorRow>(&target, |_| ()).expect("decoder").different > 1 << 20);
    target.golden.matrix = None;
    assert_eq!(compare::<MatrixRow>(&target, |_| ()).expect("decoder").different, 1 << 25);
}

/// The generator's files with another text in place of `right`.
fn changed(config: &Config, right: &str, wrong: &str) -> anyhow::Result<Vec<SourceFile>> {
    let file = |file: rtl_gen::GenFile| SourceFile { name: file.name, text: file.text.replace(right, wrong) };
    Ok(rtl_gen::generate(config)?.into_iter().map(file).collect())
}

/// How a unit with `csr_op` decodes.
fn decoded(workshop: &Workshop) -> Sweep<TensorRow> {
    let config = Config::from_toml("name = \"ignored\"\nlanes = 8\nreg_bytes = 64\ncsr_op = true\n").expect("legal");
    compare(&workshop.target_of(config).expect("legal"), |_| ()).expect("decoder")
}

/// A word of another unit that is taken for a CSR instruction: neither `ours` nor `illegal` says so.
#[test]
fn a_csr_instruction_of_another_engine_decodes_differently() {
    let sweep = decoded(&Workshop::new(|config| {
        changed(config, "{instr[31:29], instr[6:0]} ==", "{EngineId[1], instr[30:29], instr[6:0]} ==")
    }));
    // As many as are legal with its own EngineID (docs/isa.md, "Legal words").
    assert_eq!(sweep.different, 442_496);
    assert!(sweep.first.iter().all(|difference| difference.word >> 30 == 2), "{:#x?}", sweep.first);
}

/// Legal words of one CSR that are taken for those of another: nothing but the number says so.
#[test]
fn a_csr_that_is_taken_for_another_decodes_differently() {
    let sweep = decoded(&Workshop::new(|config| {
        changed(config, "(instr[22:20] == 3'd3);  // tmask_store", "(instr[22:20] == 3'd2);  // tmask_store")
    }));
    let numbers: Vec<u32> = sweep.first.iter().map(|difference| difference.word >> 20 & 0xff).collect();
    assert!(!numbers.is_empty() && numbers.iter().all(|number| [0x12, 0x13].contains(number)), "{:#x?}", sweep.first);
}
