// SPDX-License-Identifier: Apache-2.0
//! The configuration of a unit: what a designer chooses, checked field by field (docs/configuration.md).

mod named;
mod sample;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use named::LoadError;

/// A configuration that breaks a rule.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ConfigError {
    /// The text is not TOML of the right shape.
    #[error("configuration: {0}")]
    Syntax(String),
    /// A field has a value that is not allowed.
    #[error("configuration field `{field}`: {value} is not allowed; allowed: {allowed}")]
    Value {
        /// Name of the field.
        field: &'static str,
        /// The value as it was given.
        value: String,
        /// What would be accepted.
        allowed: String,
    },
}

/// A unit's configuration. Every combination that [`Config::check`] accepts can be generated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name: lower-case letters, digits and `_`; it names the output folder and the model prefix.
    pub name: String,
    /// What the names of modules, packages and their files begin with, so that units of several configurations fit into
    /// one design: lower-case letters, digits and `_`.
    #[serde(default = "default_prefix", skip_serializing_if = "is_default_prefix")]
    pub prefix: String,
    /// W: bytes that the datapath moves per cycle (8, 16, 32 or 64).
    #[serde(default = "default_lanes")]
    pub lanes: u32,
    /// P: bytes per beat of both memory ports (a power of two, 4 to `lanes`).
    #[serde(default)]
    mem_port_bytes: Option<u32>,
    /// Bytes of a TLReg (a power of two, 64 to 1024, at least 4 rows of `lanes`).
    #[serde(default = "default_reg_bytes")]
    pub reg_bytes: u32,
    /// Element widths in bits that the unit supports, ascending (of 4, 8, 16, 32).
    #[serde(default = "default_element_widths")]
    pub element_widths: Vec<u32>,
    /// Bytes of the load memory (a power of two).
    #[serde(default = "default_memory")]
    pub l1m_bytes: u32,
    /// Bytes of the store memory (a power of two).
    #[serde(default = "default_memory")]
    pub l0m_bytes: u32,
    /// EngineID that the unit answers to (0 to 3).
    #[serde(default)]
    pub engine_id: u32,
    /// Where the CSR numbers begin (0x800 or 0x880).
    #[serde(default = "default_csr_base")]
    pub csr_base: u32,
    /// CSRs for the distance between slots; slices that are moved in part.
    #[serde(default)]
    pub pitch: bool,
    /// CSR instructions under the unit's own opcode.
    #[serde(default)]
    pub csr_op: bool,
    /// Second encodings of loads, stores and `tl.xpose`, with the host register in [19:15].
    #[serde(default)]
    pub gpr_rs1: bool,
    /// A CSR with the "initialised" bits of the masks.
    #[serde(default, skip_serializing_if = "is_off")]
    pub mask_init: bool,
    /// Bits of a register of the host (32 or 64).
    #[serde(default = "default_xlen", skip_serializing_if = "is_default_xlen")]
    pub xlen: u32,
    /// Entries of the issue queue, and of the list of instructions in flight (2 to 16).
    #[serde(default = "default_queue")]
    pub queue_entries: u32,
    /// TLReg values beyond the 31 of `tl1` to `tl31` that the register file holds: results of instructions in flight (a
    /// power of two, 4 to 32).
    #[serde(default = "default_spare")]
    pub spare_registers: u32,
    /// Requests without an answer that TensorLoad instructions have on a memory port (16, 32 or 64).
    #[serde(default = "default_outstanding")]
    pub outstanding: u32,
    /// What is younger than an instruction that traps changes nothing until the host resumes.
    #[serde(default)]
    pub precise: bool,
    /// The unit has the matrix instruction set too.
    #[serde(default)]
    pub matrix: bool,
    /// TLEN: bits of a matrix tile register (a power of two, 128 to 4096).
    #[serde(default = "default_tlen")]
    pub tlen: u32,
    /// TRLEN: bits of a row of it (a power of two, at least 32, for 2 to 16 rows).
    #[serde(default = "default_trlen")]
    pub trlen: u32,
}

/// The prefix of a configuration that names none.
pub const PREFIX: &str = "tl";

/// Name of the file beside generated RTL that has its configuration.
pub const BESIDE_RTL: &str = "tl.toml";

fn default_prefix() -> String {
    PREFIX.into()
}
/// Files from before the option stay as they were.
fn is_off(option: &bool) -> bool {
    !option
}
/// Whoever has no other name for it need not see it.
fn is_default_prefix(prefix: &String) -> bool {
    prefix == PREFIX
}
fn default_lanes() -> u32 {
    16
}
fn default_reg_bytes() -> u32 {
    1024
}
fn default_element_widths() -> Vec<u32> {
    vec![4, 8, 16, 32]
}
fn default_memory() -> u32 {
    262_144
}
fn default_xlen() -> u32 {
    32
}
/// Files from before the field stay as they were.
fn is_default_xlen(xlen: &u32) -> bool {
    *xlen == default_xlen()
}
fn default_csr_base() -> u32 {
    0x800
}
fn default_queue() -> u32 {
    16
}
fn default_spare() -> u32 {
    8
}
fn default_outstanding() -> u32 {
    16
}
fn default_tlen() -> u32 {
    512
}
fn default_trlen() -> u32 {
    128
}

const MEMORY_MAX: u32 = 1 << 28;

impl Config {
    /// Reads and checks a configuration in TOML.
    ///
    /// # Errors
    /// [`ConfigError::Syntax`] for text that is not TOML, a missing name or an unknown field;
    /// [`ConfigError::Value`] for a value that is not allowed.
    pub fn from_toml(text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|e| ConfigError::Syntax(e.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// The configuration as TOML that [`Config::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// P: bytes per beat of the memory ports.
    pub fn port_bytes(&self) -> u32 {
        self.mem_port_bytes.unwrap_or(self.lanes)
    }

    /// Bits of a datapath lane: the narrowest element that the unit moves.
    pub fn granule_bits(&self) -> u32 {
        self.element_widths.first().copied().unwrap_or(8)
    }

    /// Rows of a matrix register.
    pub fn matrix_rows(&self) -> u32 {
        self.tlen / self.trlen
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field, in declaration order, whose value is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        let name_ok = self.name.len() <= 32
            && self.name.starts_with(|c: char| c.is_ascii_lowercase())
            && self.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        require(name_ok, "name", format!("{:?}", self.name), || {
            "a lower-case letter, then up to 31 of a-z, 0-9 and _".into()
        })?;
        let prefix_ok = self.prefix.len() <= 16
            && self.prefix.starts_with(|c: char| c.is_ascii_lowercase())
            && self.prefix.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        require(prefix_ok, "prefix", format!("{:?}", self.prefix), || {
            "a lower-case letter, then up to 15 of a-z, 0-9 and _".into()
        })?;
        require([8, 16, 32, 64].contains(&self.lanes), "lanes", self.lanes, || "8, 16, 32, 64".into())?;
        let port = self.port_bytes();
        require(port.is_power_of_two() && (4..=self.lanes).contains(&port), "mem_port_bytes", port, || {
            format!("a power of two, 4 to lanes ({})", self.lanes)
        })?;
        let reg_min = (4 * self.lanes).max(64);
        require(
            self.reg_bytes.is_power_of_two() && (reg_min..=1024).contains(&self.reg_bytes),
            "reg_bytes",
            self.reg_bytes,
            || format!("a power of two, 64 to 1024, at least 4 x lanes ({})", 4 * self.lanes),
        )?;
        let widths_ok = !self.element_widths.is_empty()
            && self.element_widths.iter().all(|w| [4, 8, 16, 32].contains(w))
            && self.element_widths.is_sorted_by(|a, b| a < b);
        require(widths_ok, "element_widths", format!("{:?}", self.element_widths), || {
            "one or more of 4, 8, 16, 32, ascending, each once".into()
        })?;
        for (field, value) in [("l1m_bytes", self.l1m_bytes), ("l0m_bytes", self.l0m_bytes)] {
            let min = self.reg_bytes;
            require(value.is_power_of_two() && (min..=MEMORY_MAX).contains(&value), field, value, || {
                format!("a power of two, reg_bytes ({min}) to {MEMORY_MAX}")
            })?;
        }
        require(self.engine_id <= 3, "engine_id", self.engine_id, || "0 to 3".into())?;
        let base = self.csr_base;
        require([0x800, 0x880].contains(&base), "csr_base", format!("{base:#x}"), || "0x800 or 0x880".into())?;
        require([32, 64].contains(&self.xlen), "xlen", self.xlen, || "32 or 64".into())?;
        require((2..=16).contains(&self.queue_entries), "queue_entries", self.queue_entries, || "2 to 16".into())?;
        let spare_ok = self.spare_registers.is_power_of_two() && (4..=32).contains(&self.spare_registers);
        require(spare_ok, "spare_registers", self.spare_registers, || "4, 8, 16, 32".into())?;
        let outstanding_ok = [16, 32, 64].contains(&self.outstanding);
        require(outstanding_ok, "outstanding", self.outstanding, || "16, 32, 64".into())?;
        require(self.tlen.is_power_of_two() && (128..=4096).contains(&self.tlen), "tlen", self.tlen, || {
            "a power of two, 128 to 4096".into()
        })?;
        let (row_min, row_max) = ((self.tlen / 16).max(32), self.tlen / 2);
        require(self.trlen.is_power_of_two() && (row_min..=row_max).contains(&self.trlen), "trlen", self.trlen, || {
            format!("a power of two, 32 or more, tlen / 16 to tlen / 2 ({row_min} to {row_max})")
        })
    }
}

fn require(
    ok: bool,
    field: &'static str,
    value: impl ToString,
    allowed: impl FnOnce() -> String,
) -> Result<(), ConfigError> {
    if ok { Ok(()) } else { Err(ConfigError::Value { field, value: value.to_string(), allowed: allowed() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_values_name_field_value_and_what_is_allowed() {
        let cases = [
            ("prefix = \"a-b\"", "`prefix`: \"a-b\" is not allowed; allowed: a lower-case letter, then up to 15 of"),
            ("lanes = 12", "configuration field `lanes`: 12 is not allowed; allowed: 8, 16, 32, 64"),
            (
                "lanes = 8\nmem_port_bytes = 16",
                "`mem_port_bytes`: 16 is not allowed; allowed: a power of two, 4 to lanes (8)",
            ),
            (
                "reg_bytes = 48",
                "`reg_bytes`: 48 is not allowed; allowed: a power of two, 64 to 1024, at least 4 x lanes (64)",
            ),
            ("lanes = 64\nreg_bytes = 64", "64 to 1024, at least 4 x lanes (256)"),
            ("element_widths = []", "`element_widths`: [] is not allowed"),
            ("element_widths = [8, 4]", "ascending, each once"),
            (
                "l1m_bytes = 1000",
                "`l1m_bytes`: 1000 is not allowed; allowed: a power of two, reg_bytes (1024) to 268435456",
            ),
            ("l0m_bytes = 32", "`l0m_bytes`: 32 is not allowed"),
            ("engine_id = 4", "`engine_id`: 4 is not allowed; allowed: 0 to 3"),
            ("csr_base = 0x900", "`csr_base`: 0x900 is not allowed; allowed: 0x800 or 0x880"),
            ("pitch = 1", "expected a boolean"),
            ("xlen = 48", "`xlen`: 48 is not allowed; allowed: 32 or 64"),
            ("queue_entries = 0", "`queue_entries`: 0 is not allowed; allowed: 2 to 16"),
            ("spare_registers = 12", "`spare_registers`: 12 is not allowed; allowed: 4, 8, 16, 32"),
            ("outstanding = 8", "`outstanding`: 8 is not allowed; allowed: 16, 32, 64"),
            ("tlen = 96", "`tlen`: 96 is not allowed; allowed: a power of two, 128 to 4096"),
            (
                "tlen = 1024\ntrlen = 1024",
                "`trlen`: 1024 is not allowed; allowed: a power of two, 32 or more, tlen / 16 to tlen / 2 (64 to 512)",
            ),
            (
                "tlen = 128\ntrlen = 16",
                "`trlen`: 16 is not allowed; allowed: a power of two, 32 or more, tlen / 16 to tlen / 2 (32 to 64)",
            ),
            ("width = 3", "unknown field `width`"),
        ];
        for (text, expected) in cases {
            let error = Config::from_toml(&format!("name = \"x\"\n{text}")).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let error = Config::from_toml("name = \"../x\"").expect_err("name").to_string();
        assert!(error.contains("`name`: \"../x\" is not allowed"), "{error}");
        assert!(Config::from_toml("lanes = 8").expect_err("no name").to_string().contains("missing field `name`"));
    }
}
