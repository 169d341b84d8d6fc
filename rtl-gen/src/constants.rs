// SPDX-License-Identifier: Apache-2.0
//! The constants of a configuration, which `tl_pkg.sv` includes. The text in `rtl-gen/sv` is that of `w16`; its values
//! are replaced.

use anyhow::{Result, ensure};

use crate::Config;
use crate::geometry::Geometry;

/// The file.
pub const FILE: &str = "tl_config.svh";

/// The constants that a configuration determines, and their values.
fn constants(config: &Config) -> Vec<(&'static str, String)> {
    let widths = config.element_widths.iter().fold(0u32, |mask, width| mask | 1 << (width.ilog2() - 2));
    let geometry = Geometry::new(config);
    let number = |name, value: u32| (name, value.to_string());
    let mut constants = vec![
        number("Lanes", config.lanes),
        number("PortBytes", config.port_bytes()),
        number("RegBytes", config.reg_bytes),
        number("L1mBytes", config.l1m_bytes),
        number("L0mBytes", config.l0m_bytes),
        ("WidthMask", format!("4'b{widths:04b}")),
        ("EngineId", format!("2'd{}", config.engine_id)),
        ("CsrBase", format!("12'h{:x}", config.csr_base)),
        number("Pitch", config.pitch.into()),
        number("CsrOp", config.csr_op.into()),
        number("GprRs1", config.gpr_rs1.into()),
        number("MaskInit", config.mask_init.into()),
        number("Xlen", config.xlen),
        number("QueueEntries", config.queue_entries),
        number("NumSpare", config.spare_registers),
        number("Outstanding", config.outstanding),
        number("Precise", config.precise.into()),
        number("Matrix", config.matrix.into()),
        number("MxRows", config.matrix_rows()),
        number("MxTrBytes", config.trlen / 8),
    ];
    constants.extend(geometry.constants());
    constants
}

/// The line that sets the constant `name`: what is in front of the value, and what is behind it.
fn assignment<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let (head, tail) = line.split_once(" = ")?;
    let is_it = head.trim_start().starts_with("parameter ") && head.split_whitespace().last() == Some(name);
    let at = is_it.then(|| tail.find(';')).flatten()?;
    Some((&line[..line.len() - tail.len()], &tail[at..]))
}

/// Checks that `text` sets every constant that a configuration determines.
pub fn check(text: &str) -> Result<()> {
    for (name, _) in constants(&Config::from_toml("name = \"any\"")?) {
        let count = text.lines().filter(|line| assignment(line, name).is_some()).count();
        ensure!(
            count == 1,
            "{FILE}: {} `parameter ... {name} = ...;`",
            if count == 0 { "no" } else { "more than one" }
        );
    }
    Ok(())
}

/// `text` with the values of `config`. Comments behind them stay in their column where there is room.
pub fn with_values(text: &str, config: &Config) -> String {
    let constants = constants(config);
    let line = |line: &str| {
        let found = constants.iter().find_map(|(name, value)| Some((assignment(line, name)?, value)));
        let Some(((head, tail), value)) = found else { return format!("{line}\n") };
        let Some((_, comment)) = tail.split_once("  //") else { return format!("{head}{value}{tail}\n") };
        let column = line.len() - comment.len() - 4;
        let code = format!("{head}{value};");
        format!("{code:<column$}  //{comment}\n")
    };
    text.lines().map(line).collect()
}
