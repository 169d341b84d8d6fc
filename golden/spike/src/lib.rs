// SPDX-License-Identifier: Apache-2.0
//! Implements the C ABI of `tensorload_unit.h`, which describes each function, with the golden model. Spike is the
//! host; the model has the unit, its memories, and all knowledge of the instruction set.
//!
//! Environment variables replace options of `golden run`: `TENSORLOAD_CONFIG`, `TENSORLOAD_L1M`, `TENSORLOAD_L0M`,
//! `TENSORLOAD_DUMP_L0M`, `TENSORLOAD_JSON`; and `TENSORLOAD_DUMP_RAM` for program memory up to its last byte that is
//! not 0.

#![allow(missing_docs)] // The header has them.

use std::env::var_os;
use std::io::Write;
use std::path::Path;
use std::slice;

use anyhow::{Context, Result, bail, ensure};
use golden::decode::{Decoded, Isa, decode};
use golden::hart::{EXIT, HartCsr, L0M_BASE, L1M_BASE, PRINT, RAM_BYTES};
use golden::report::Report;
use golden::{Config, Csr, Machine, Memory, asm};

/// The unit of one hart.
pub struct Unit {
    machine: Machine,
    isa: Isa,
    ram: Memory,
    console: Vec<u8>,
}

/// `tensorload_outcome`
#[repr(C)]
#[derive(Default)]
pub struct Outcome {
    pub trap: bool,
    pub cause: u32,
    pub tval: u64,
    pub rd: u8,
    pub value: u64,
}

/// `tensorload_memory`
#[repr(C)]
pub struct HostMemory {
    pub address: u32,
    pub bytes: *mut u8,
    pub size: usize,
}

/// `tensorload_csr`
#[repr(C)]
pub enum Owner {
    Nobody,
    Unit,
    Host,
    HostReadOnly,
}

fn new(xlen: u32) -> Result<Unit> {
    let name = var_os("TENSORLOAD_CONFIG").map(|name| name.to_string_lossy().into_owned());
    let mut config = Config::load(name.as_deref().unwrap_or("w16"))?;
    if name.is_none() {
        config.xlen = xlen;
    }
    let given = config.xlen;
    ensure!(
        given == xlen,
        "configuration `{}` has `xlen` {given}, and this hart {xlen} bits: name one with `xlen = {xlen}` in \
         TENSORLOAD_CONFIG",
        config.name
    );
    let mut machine = Machine::new(&config);
    for (memory, variable) in [(&mut machine.l1m, "TENSORLOAD_L1M"), (&mut machine.l0m, "TENSORLOAD_L0M")] {
        if let Some(file) = var_os(variable) {
            let given = || format!("{variable}={}", file.display());
            let bytes = files::read(Path::new(&file), memory.bytes.len() as u64).with_context(given)?;
            memory.fill(&bytes).with_context(given)?;
        }
    }
    Ok(Unit { isa: Isa::from(&config), machine, ram: Memory::new(RAM_BYTES), console: Vec::new() })
}

fn finish(unit: &mut Unit, code: u32) -> Result<()> {
    let hart = &mut unit.machine.hart;
    (hart.exit, hart.console) = (Some(code), std::mem::take(&mut unit.console));
    let report = serde_json::to_string(&Report::new(&unit.machine, Vec::new()))? + "\n";
    let used = unit.ram.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    for (variable, bytes) in [
        ("TENSORLOAD_JSON", report.as_bytes()),
        ("TENSORLOAD_DUMP_L0M", &unit.machine.l0m.bytes),
        ("TENSORLOAD_DUMP_RAM", &unit.ram.bytes[..used]),
    ] {
        if let Some(file) = var_os(variable) {
            files::write(Path::new(&file), bytes).with_context(|| format!("{variable}={}", file.display()))?;
        }
    }
    if code != 0 {
        bail!("exit code {code}");
    }
    Ok(())
}

impl Unit {
    /// # Safety
    /// `x` points to 32 values.
    unsafe fn set_x(&mut self, x: *const u64) {
        // SAFETY: the caller's.
        let x = unsafe { slice::from_raw_parts(x, 32) };
        let xlen = self.machine.config().xlen;
        (0..).zip(x).for_each(|(i, &value)| self.machine.hart.set_wide(i, value, xlen));
    }

    fn csr(&self, address: u32) -> Option<Csr> {
        self.isa.csr(u16::try_from(address).ok()?)
    }
}

fn say(error: &anyhow::Error) {
    eprintln!("tensorload: {}", files::printable(&format!("{error:#}")));
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_new(xlen: u32) -> Option<Box<Unit>> {
    new(xlen).map(Box::new).inspect_err(say).ok()
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_reset(unit: &mut Unit) {
    unit.machine.reset();
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_get_memory(unit: &mut Unit, number: u32) -> HostMemory {
    let (address, memory) = match number {
        0 => (0, &mut unit.ram),
        1 => (L1M_BASE, &mut unit.machine.l1m),
        _ => (L0M_BASE, &mut unit.machine.l0m),
    };
    HostMemory { address, bytes: memory.bytes.as_mut_ptr(), size: memory.bytes.len() }
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_exit_address() -> u32 {
    EXIT
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_print_address() -> u32 {
    PRINT
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_has_opcode(unit: &Unit, opcode: u32) -> bool {
    let of_unit = |word| matches!(decode(word, unit.isa), Decoded::Tensor(_) | Decoded::Matrix(_) | Decoded::Illegal);
    // A word with another EngineID in [31:30] is not the unit's.
    (0..4).any(|engine| of_unit(engine << 30 | opcode))
}

/// # Safety
/// `x` points to 32 values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorload_execute(unit: &mut Unit, word: u32, x: *const u64) -> Outcome {
    // SAFETY: the caller's.
    unsafe { unit.set_x(x) };
    let done = unit.machine.step(word);
    match done.trap {
        Some(trap) => Outcome { trap: true, cause: trap.cause, tval: trap.tval, ..Outcome::default() },
        None => {
            let rd = done.gpr_write.map_or(0, |(rd, _)| rd);
            Outcome { rd, value: unit.machine.hart.wide(rd), ..Outcome::default() }
        }
    }
}

/// # Safety
/// `text` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorload_disassemble(unit: &Unit, word: u32, text: *mut u8, size: usize) {
    // SAFETY: the caller's.
    let mut text = unsafe { slice::from_raw_parts_mut(text, size) };
    // What does not fit is left out.
    let _ = text.write_all(format!("{:.*}\0", size.saturating_sub(1), asm::disassemble(word, unit.isa)).as_bytes());
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_csr_owner(unit: &Unit, address: u32) -> Owner {
    match u16::try_from(address).ok().and_then(HartCsr::from_address) {
        Some(csr) if csr.read_only() => Owner::HostReadOnly,
        Some(_) => Owner::Host,
        None if unit.csr(address).is_some() => Owner::Unit,
        None => Owner::Nobody,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_csr_legal(unit: &Unit, word: u32) -> bool {
    matches!(decode(word, unit.isa), Decoded::Csr(_))
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_csr_read(unit: &Unit, address: u32) -> u32 {
    unit.csr(address).map_or(0, |csr| unit.machine.csr.read(csr))
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_csr_write(unit: &mut Unit, address: u32, value: u32) {
    if let Some(csr) = unit.csr(address) {
        unit.machine.csr.write(csr, value);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn tensorload_print(unit: &mut Unit, byte: u8) {
    unit.console.push(byte);
    // As `golden run`, which goes on when its reader has seen enough.
    let _ = std::io::stdout().write_all(&[byte]);
}

/// # Safety
/// `x` points to 32 values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorload_finish(unit: &mut Unit, code: u32, x: *const u64) -> i32 {
    // SAFETY: the caller's.
    unsafe { unit.set_x(x) };
    let _ = std::io::stdout().flush();
    match finish(unit, code).inspect_err(say) {
        Ok(()) => 0,
        Err(_) if code != 0 => 3,
        Err(_) => 2,
    }
}
