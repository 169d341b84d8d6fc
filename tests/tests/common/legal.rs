// SPDX-License-Identifier: Apache-2.0
//! Random legal configurations.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as Runs, TestRunner};
use rtl_gen::Config;

/// The power of two from `low` to `high` that `pick` selects.
fn power(pick: u32, low: u32, high: u32) -> u32 {
    low << (pick % (high.ilog2() - low.ilog2() + 1))
}

/// Configurations from all that docs/configuration.md allows.
pub fn legal() -> impl Strategy<Value = Config> {
    let widths = prop::sample::subsequence(vec![4, 8, 16, 32], 1..=4);
    let others = ("[a-z][a-z0-9_]{0,31}", widths, 0..=3u32, (2..=16u32, 2..=5u32, 4..=6u32), any::<[bool; 7]>());
    (any::<[u32; 7]>(), others).prop_map(|(pick, (name, widths, engine, (queue, spare, outstanding), flags))| {
        let [matrix, precise, pitch, csr_op, gpr_rs1, second, wide] = flags;
        let csr_base = if second { 0x880 } else { 0x800 };
        let lanes = power(pick[0], 8, 64);
        let port = power(pick[1], 4, lanes);
        let reg_bytes = power(pick[2], 64.max(4 * lanes), 1024);
        let [l1m, l0m] = [3, 4].map(|i| power(pick[i], reg_bytes, 1 << 28));
        let tlen = power(pick[5], 128, 4096);
        let trlen = power(pick[6], 32.max(tlen / 16), tlen / 2);
        let text = format!(
            "name = \"{name}\"\nlanes = {lanes}\nmem_port_bytes = {port}\nreg_bytes = {reg_bytes}\n\
             element_widths = {widths:?}\nl1m_bytes = {l1m}\nl0m_bytes = {l0m}\nengine_id = {engine}\n\
             csr_base = {csr_base}\npitch = {pitch}\ncsr_op = {csr_op}\ngpr_rs1 = {gpr_rs1}\n\
             xlen = {}\nqueue_entries = {queue}\nspare_registers = {}\noutstanding = {}\n\
             precise = {precise}\nmatrix = {matrix}\ntlen = {tlen}\ntrlen = {trlen}\n",
            if wide { 64 } else { 32 },
            1 << spare,
            1 << outstanding
        );
        Config::from_toml(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    })
}

/// The same configurations in every run.
pub fn runner(cases: u32) -> TestRunner {
    let random = TestRunner::deterministic().rng().clone();
    TestRunner::new_with_rng(Runs { cases, failure_persistence: None, ..Runs::default() }, random)
}

/// Some of them, every other one with matrix instructions, which chance alone does not give in a small sample.
pub fn sample(count: u32) -> Vec<Config> {
    let mut runner = runner(count);
    (0..count)
        .map(|number| {
            let mut config = legal().new_tree(&mut runner).unwrap().current();
            config.matrix = number % 2 == 0;
            config
        })
        .collect()
}
