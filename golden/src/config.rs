// SPDX-License-Identifier: Apache-2.0
//! Configurations: the parameters of the instruction set, by name or from a TOML file (docs/configuration.md). The
//! named ones are the files in configs/.

use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, ensure};
use include_dir::{Dir, include_dir};
use toml::{Table, Value};

use crate::block::ElementWidths;
use crate::csr::CSR_BASE;
use crate::tiles::MatrixConfig;

/// The parameters that a program can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Name: a lower-case letter, then lower-case letters, digits and underscores, 32 characters at most.
    pub name: String,
    /// Bytes in a `tl` register: a power of two, 64..=1024.
    pub reg_bytes: usize,
    /// Element widths that `ttype` may select; at least one.
    pub element_widths: ElementWidths,
    /// Bytes in L1M: a power of two, `reg_bytes`..=2^28.
    pub l1m_bytes: u32,
    /// Bytes in L0M: a power of two, `reg_bytes`..=2^28.
    pub l0m_bytes: u32,
    /// EngineID of the TensorLoad instructions, 0..=3.
    pub engine_id: u8,
    /// Address of the first CSR: [`CSR_BASE`], or 0x880 for a second unit beside one core.
    pub csr_base: u16,
    /// Pitch: slots any number of bytes apart, and slices that are moved in part.
    pub pitch: bool,
    /// CSR instructions under the unit's own opcode.
    pub csr_op: bool,
    /// Second encodings, with the host register in [19:15].
    pub gpr_rs1: bool,
    /// The CSR `tmask_init`, which has the "initialised" bits of the masks.
    pub mask_init: bool,
    /// Bits of a register of the host: 32 or 64.
    pub xlen: u32,
    /// The matrix instruction set, or `None` for a unit without it.
    pub matrix: Option<MatrixConfig>,
}

/// An address, or the value of a register, modulo 2^xlen.
pub fn wrapped(address: u64, xlen: u32) -> u64 {
    address & u64::MAX >> (64 - xlen)
}

/// What is wrong with a configuration. Each message names the field, its value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML; the message has the line and column.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// A field that no configuration has.
    #[error("unknown field `{0}`; allowed are {allowed}", allowed = FIELDS.join(", "))]
    UnknownField(String),
    /// A field without a default is missing.
    #[error("field `{field}` is missing; allowed is {allowed}")]
    Missing {
        /// The field.
        field: &'static str,
        /// What it may be.
        allowed: String,
    },
    /// A field has a value that it may not have.
    #[error("field `{field}` is {value}; allowed is {allowed}")]
    Value {
        /// The field.
        field: String,
        /// Its value as in the file.
        value: String,
        /// What it may be.
        allowed: String,
    },
}

const FIELDS: [&str; 22] = [
    "name",
    "prefix",
    "lanes",
    "mem_port_bytes",
    "reg_bytes",
    "element_widths",
    "l1m_bytes",
    "l0m_bytes",
    "engine_id",
    "csr_base",
    "pitch",
    "csr_op",
    "gpr_rs1",
    "mask_init",
    "xlen",
    "queue_entries",
    "spare_registers",
    "outstanding",
    "precise",
    "matrix",
    "tlen",
    "trlen",
];
const NAME_ALLOWED: &str = "a lower-case letter, then lower-case letters, digits and `_`, 32 characters at most";
const MAX_MEMORY: i64 = 1 << 28;

/// The files are a part of the program, so that it needs none when it is installed.
static FOLDER: Dir = include_dir!("$CARGO_MANIFEST_DIR/configs");

/// The default, then those that are named after their width, and short names first, so that w8 is before w32.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let stem = |file: &'static include_dir::File| file.path().to_str()?.strip_suffix(".toml");
    let mut names: Vec<&str> = FOLDER.files().filter_map(stem).collect();
    names.sort_unstable_by_key(|name| (*name != "w16", !name.starts_with('w'), name.len(), *name));
    names
});

impl Config {
    /// The names that [`Config::named`] knows, the default first.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// The named configuration. Those that differ only in parameters of the hardware are the same here but for the
    /// name.
    pub fn named(name: &str) -> Option<Self> {
        let text = FOLDER.get_file(format!("{name}.toml"))?.contents_utf8()?;
        Self::from_toml_str(text).ok().filter(|config| config.name == name)
    }

    /// The configuration of that name, or in that file when the name ends in `.toml`.
    ///
    /// # Errors
    /// If there is none, or the file cannot be read, is not valid, or has the name of another configuration.
    pub fn load(name: &str) -> anyhow::Result<Self> {
        if let Some(config) = Self::named(name) {
            return Ok(config);
        }
        ensure!(
            name.ends_with(".toml"),
            "no configuration `{name}`; allowed are {} and the name of a file that ends in .toml",
            Self::names().join(", ")
        );
        let text =
            files::read_text(Path::new(name), files::CONFIGURATION).with_context(|| format!("cannot read {name}"))?;
        let config = Self::from_toml_str(&text).with_context(|| name.to_string())?;
        let other = Self::named(&config.name).filter(|named| *named != config);
        ensure!(other.is_none(), "{name}: the name `{}` is that of a configuration with other fields", config.name);
        Ok(config)
    }

    /// Reads a configuration file. Every field but `name` has a default. Fields that only the hardware has are checked
    /// too, so that one file serves both or none.
    pub fn from_toml_str(text: &str) -> Result<Self, ConfigError> {
        let table: Table = text.parse().map_err(|e: toml::de::Error| ConfigError::Syntax(e.to_string()))?;
        if let Some(field) = table.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(ConfigError::UnknownField(field.clone()));
        }
        let lanes = power_of_two(&table, "lanes", 16, 8, 64)?;
        power_of_two(&table, "mem_port_bytes", lanes, 4, lanes)?;
        integer(&table, "queue_entries", 16, "an integer, 2 to 16", |v| (2..=16).contains(&v))?;
        power_of_two(&table, "spare_registers", 8, 4, 32)?;
        power_of_two(&table, "outstanding", 16, 16, 64)?;
        boolean(&table, "precise")?;
        if let Some(value) = table.get("prefix").filter(|value| !value.as_str().is_some_and(|text| is_name(text, 16))) {
            return Err(bad_value("prefix", value, &NAME_ALLOWED.replace("32", "16")));
        }
        let reg_bytes = power_of_two(&table, "reg_bytes", 1024, 64.max(4 * lanes), 1024)?;
        Ok(Self {
            name: name(&table)?,
            reg_bytes: reg_bytes as usize,
            element_widths: element_widths(&table)?,
            l1m_bytes: power_of_two(&table, "l1m_bytes", 262_144, reg_bytes, MAX_MEMORY)? as u32,
            l0m_bytes: power_of_two(&table, "l0m_bytes", 262_144, reg_bytes, MAX_MEMORY)? as u32,
            engine_id: integer(&table, "engine_id", 0, "an integer, 0 to 3", |v| (0..=3).contains(&v))? as u8,
            csr_base: csr_base(&table)?,
            pitch: boolean(&table, "pitch")?,
            csr_op: boolean(&table, "csr_op")?,
            gpr_rs1: boolean(&table, "gpr_rs1")?,
            mask_init: boolean(&table, "mask_init")?,
            xlen: integer(&table, "xlen", 32, "32 or 64", |v| [32, 64].contains(&v))? as u32,
            matrix: matrix(&table)?,
        })
    }
}

fn bad_value(field: &str, value: &Value, allowed: &str) -> ConfigError {
    ConfigError::Value { field: field.to_string(), value: value.to_string(), allowed: allowed.to_string() }
}

fn integer(
    table: &Table,
    field: &str,
    default: i64,
    allowed: &str,
    is_allowed: impl Fn(i64) -> bool,
) -> Result<i64, ConfigError> {
    match table.get(field) {
        // What is allowed may depend on another field, so a default needs the check too.
        None if is_allowed(default) => Ok(default),
        None => Err(bad_value(field, &Value::Integer(default), allowed)),
        Some(Value::Integer(v)) if is_allowed(*v) => Ok(*v),
        Some(value) => Err(bad_value(field, value, allowed)),
    }
}

/// A field that is false when it is left out.
fn boolean(table: &Table, field: &str) -> Result<bool, ConfigError> {
    match table.get(field) {
        None => Ok(false),
        Some(Value::Boolean(value)) => Ok(*value),
        Some(value) => Err(bad_value(field, value, "true or false")),
    }
}

fn power_of_two(table: &Table, field: &str, default: i64, low: i64, high: i64) -> Result<i64, ConfigError> {
    let allowed = format!("a power of two, {low} to {high}");
    integer(table, field, default, &allowed, |v| (low..=high).contains(&v) && v.count_ones() == 1)
}

fn is_name(text: &str, longest: usize) -> bool {
    text.len() <= longest
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn name(table: &Table) -> Result<String, ConfigError> {
    let value = table
        .get("name")
        .ok_or(ConfigError::Missing { field: "name", allowed: format!("a string: {NAME_ALLOWED}") })?;
    match value {
        Value::String(name) if is_name(name, 32) => Ok(name.clone()),
        _ => Err(bad_value("name", value, &format!("a string: {NAME_ALLOWED}"))),
    }
}

fn element_widths(table: &Table) -> Result<ElementWidths, ConfigError> {
    let Some(value) = table.get("element_widths") else { return Ok(ElementWidths::ALL) };
    let error = || bad_value("element_widths", value, "a list of one or more of 4, 8, 16 and 32, ascending, each once");
    let (mut widths, mut last) = (ElementWidths::NONE, 0);
    for item in value.as_array().ok_or_else(error)? {
        let width = item.as_integer().and_then(|w| u32::try_from(w).ok()).filter(|&w| w > last).ok_or_else(error)?;
        // A width that is not allowed leaves the set as it was.
        widths = Some(widths.with(width)).filter(|&more| more != widths).ok_or_else(error)?;
        last = width;
    }
    if widths == ElementWidths::NONE { Err(error()) } else { Ok(widths) }
}

fn csr_base(table: &Table) -> Result<u16, ConfigError> {
    let base = integer(table, "csr_base", CSR_BASE.into(), "0x800 or 0x880", |v| [0x800, 0x880].contains(&v))?;
    Ok(base as u16)
}

/// `tlen` and `trlen` are checked without `matrix` too, so that switching it on cannot fail.
fn matrix(table: &Table) -> Result<Option<MatrixConfig>, ConfigError> {
    let MatrixConfig { tlen, trlen } = MatrixConfig::default();
    let tlen = power_of_two(table, "tlen", tlen.into(), 128, 4096)?;
    // 2 to 16 rows, and at least one 32-bit element in each.
    let trlen = power_of_two(table, "trlen", trlen.into(), (tlen / 16).max(32), tlen / 2)?;
    let config = MatrixConfig { tlen: tlen as u32, trlen: trlen as u32 };
    Ok(boolean(table, "matrix")?.then_some(config))
}
