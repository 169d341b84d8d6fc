// SPDX-License-Identifier: Apache-2.0
//! Random configurations, for tests of everything that takes one.

use crate::{Config, ConfigError};

/// The power of two from `low` to `high` that is drawn.
fn power(draw: &mut impl FnMut(u32) -> u32, low: u32, high: u32) -> u32 {
    low << draw(high.ilog2() - low.ilog2() + 1)
}

impl Config {
    /// A configuration out of all that docs/configuration.md allows; memories have `most_memory` bytes at most, a power
    /// of two of 1024 or more. `draw(n)` gives a number from 0 to `n` - 1.
    ///
    /// # Errors
    /// When `name` is not allowed.
    pub fn sample(name: &str, most_memory: u32, mut draw: impl FnMut(u32) -> u32) -> Result<Config, ConfigError> {
        let draw = &mut draw;
        let lanes = power(draw, 8, 64);
        let mem_port_bytes = power(draw, 4, lanes);
        let reg_bytes = power(draw, 64.max(4 * lanes), 1024);
        let set = 1 + draw(15);
        let widths: Vec<u32> = (0..4).filter(|bit| set >> bit & 1 == 1).map(|bit| 4 << bit).collect();
        let [l1m_bytes, l0m_bytes] = [(); 2].map(|()| power(draw, reg_bytes, most_memory));
        let tlen = power(draw, 128, 4096);
        let trlen = power(draw, 32.max(tlen / 16), tlen / 2);
        let [pitch, csr_op, gpr_rs1, precise, matrix] = [(); 5].map(|()| draw(2) == 1);
        let (csr_base, xlen, mask_init) = (0x800 + 0x80 * draw(2), 32 + 32 * draw(2), draw(2) == 1);
        Config::from_toml(&format!(
            "name = \"{name}\"\nlanes = {lanes}\nmem_port_bytes = {mem_port_bytes}\nreg_bytes = {reg_bytes}\n\
             element_widths = {widths:?}\nl1m_bytes = {l1m_bytes}\nl0m_bytes = {l0m_bytes}\nengine_id = {}\n\
             csr_base = {csr_base}\npitch = {pitch}\ncsr_op = {csr_op}\ngpr_rs1 = {gpr_rs1}\nmask_init = {mask_init}\nxlen = {xlen}\n\
             queue_entries = {}\nspare_registers = {}\noutstanding = {}\n\
             precise = {precise}\nmatrix = {matrix}\ntlen = {tlen}\ntrlen = {trlen}\n",
            draw(4),
            2 + draw(15),
            power(draw, 4, 32),
            power(draw, 16, 64),
        ))
    }
}
