// SPDX-License-Identifier: Apache-2.0
//! A register as the block that it is, for people.

use std::fmt::Write;

use crate::block::{ElementType, Shape};
use crate::config::Config;
use crate::report::Report;
use crate::tlregs::REGISTERS;

/// The number of the register `name`, `tl0` to `tl31`.
///
/// # Errors
/// For another name; the message says what is allowed.
pub fn number(name: &str) -> Result<usize, String> {
    let number = name.strip_prefix("tl").and_then(|number| number.parse().ok());
    let known = number.filter(|&number| number < REGISTERS);
    known.ok_or_else(|| format!("--show {name}: no such register; allowed: tl0 to tl31"))
}

/// Register `name`, `tl0` to `tl31`, at the end of a run, with the type and shape that `ttype` and `tshape` have then:
/// one line for each row, integers as unsigned decimals, all else in hexadecimal. Bytes when type or shape is not
/// legal.
///
/// # Errors
/// For another name; the message says what is allowed.
pub fn register(report: &Report, config: &Config, name: &str) -> Result<String, String> {
    let digits = number(name).map(|number| report.tl.get(number).map_or("", String::as_str))?;
    let byte = |at: usize| digits.get(2 * at..2 * at + 2).and_then(|text| u8::from_str_radix(text, 16).ok());
    let bytes: Vec<u32> = (0..digits.len() / 2).map_while(byte).map(u32::from).collect();
    let element = ElementType::from_ttype(report.csr.ttype, config.element_widths);
    let shape = element.and_then(|one| Shape::from_tshape(report.csr.tshape, one.bits, config.reg_bytes));
    let (Some(ElementType { bits, integer }), Some(Shape([outer, middle, inner]))) = (element, shape) else {
        let rows = bytes.chunks(32).map(|row| row.iter().map(|byte| format!(" {byte:02x}")).collect::<String>() + "\n");
        let why = format!("ttype {:#x} or tshape {:#x} is not legal", report.csr.ttype, report.csr.tshape);
        return Ok(format!("{name}: {} bytes ({why})\n{}", bytes.len(), rows.collect::<String>()));
    };
    let value = |index: u32| {
        let (first, mask) = ((index * bits / 8) as usize, u32::MAX >> (32 - bits));
        let word = (0..4).fold(0, |word, at| word | bytes.get(first + at).unwrap_or(&0) << (8 * at));
        let value = word >> (index * bits % 8) & mask;
        if integer { value.to_string() } else { format!("{value:0digits$x}", digits = bits as usize / 4) }
    };
    let mut text = format!("{name}: [{outer}, {middle}, {inner}] of {}{bits}\n", if integer { "int" } else { "float" });
    let width = (0..outer * middle * inner).map(|index| value(index).len()).max().unwrap_or_default();
    for row in 0..outer * middle {
        // Between the planes.
        if row > 0 && row % middle == 0 {
            text.push('\n');
        }
        for column in 0..inner {
            // Writing to a string cannot fail.
            let _ = write!(text, " {:>width$}", value(row * inner + column));
        }
        text.push('\n');
    }
    Ok(text)
}
