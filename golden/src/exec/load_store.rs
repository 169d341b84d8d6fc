// SPDX-License-Identifier: Apache-2.0
//! `tl.load`, `tl.mload`, `tl.store`, `tl.mstore` (docs/isa.md, "Slices", "tl.load", "tl.store").

use super::{low_bits, write_tl};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};

/// `tl.load tlrd, imm8(rs)`: all D0 slices from L1M.
pub(super) fn load(m: &mut Machine, out: &mut Outcome, tlrd: u8, rs: u8, imm8: i8) -> Result<(), Trap> {
    load_slices(m, out, tlrd, rs, imm8, false)
}

/// `tl.mload tlrd, imm8(rs)`: the slices that `tmask_load` selects; the others become 0.
pub(super) fn mload(m: &mut Machine, out: &mut Outcome, tlrd: u8, rs: u8, imm8: i8) -> Result<(), Trap> {
    load_slices(m, out, tlrd, rs, imm8, true)
}

/// `tl.store tlrs, imm8(rs)`: all D0 slices to L0M.
pub(super) fn store(m: &mut Machine, out: &mut Outcome, tlrs: u8, rs: u8, imm8: i8) -> Result<(), Trap> {
    store_slices(m, out, tlrs, rs, imm8, false)
}

/// `tl.mstore tlrs, imm8(rs)`: the slices that `tmask_store` selects; the others are not touched.
pub(super) fn mstore(m: &mut Machine, out: &mut Outcome, tlrs: u8, rs: u8, imm8: i8) -> Result<(), Trap> {
    store_slices(m, out, tlrs, rs, imm8, true)
}

/// What differs between loads and stores before data moves.
struct Direction {
    width: Csr,
    mask: Csr,
    stride: fn(u8) -> Csr,
    misaligned: u32,
    fault: u32,
}

const LOAD: Direction = Direction {
    width: Csr::TloadWidth,
    mask: Csr::TmaskLoad,
    stride: Csr::TloadStride,
    misaligned: Trap::LOAD_MISALIGNED,
    fault: Trap::LOAD_FAULT,
};

const STORE: Direction = Direction {
    width: Csr::TstoreWidth,
    mask: Csr::TmaskStore,
    stride: Csr::TstoreStride,
    misaligned: Trap::STORE_MISALIGNED,
    fault: Trap::STORE_FAULT,
};

/// One selected slice: its byte offset in the register and its address `a_i` in memory.
#[derive(Clone, Copy)]
struct Slice {
    offset: usize,
    address: u32,
}

/// The selected slices of an instruction, ascending.
struct Slices {
    list: Vec<Slice>,
    /// Bytes in a slice.
    sb: u32,
    /// Addresses must be multiples of this number of bytes.
    align: u32,
}

/// The slices that a load or store selects. `None` is an illegal instruction: the type or shape is illegal, D0 > 32,
/// the mask is used while uninitialised, a slice is not whole bytes, or the slices are larger than a register.
fn slices(m: &Machine, direction: &Direction, rs: u8, imm8: i8, masked: bool) -> Option<Slices> {
    let (element, shape) = m.block()?;
    let [d0, d1, d2] = shape.0;
    if d0 > 32 {
        return None;
    }
    let mask = if masked { m.csr.mask(direction.mask)?.get()? } else { u32::MAX };
    let width = match m.csr.read(direction.width) {
        0 => d1 * d2,
        width => width,
    };
    let slice_bits = u64::from(width) * u64::from(element.bits);
    if slice_bits % 8 != 0 || u64::from(d0) * (slice_bits / 8) > m.tl.reg_bytes() as u64 {
        return None;
    }
    let sb = (slice_bits / 8) as u32;
    let selected = low_bits(mask, d0);
    let list = (0..32u8)
        .filter(|i| selected >> i & 1 == 1)
        .map(|i| {
            let slot = m.csr.read((direction.stride)(i)).wrapping_add_signed(imm8.into());
            Slice { offset: usize::from(i) * sb as usize, address: m.x(rs).wrapping_add(slot.wrapping_mul(sb)) }
        })
        .collect();
    Some(Slices { list, sb, align: (element.bits / 8).max(1) })
}

impl Slices {
    /// The trap of the first slice that is misaligned or, looked at after that, `faulty`.
    fn check(&self, direction: &Direction, faulty: impl Fn(u32) -> bool) -> Result<(), Trap> {
        for &Slice { address, .. } in &self.list {
            if address % self.align != 0 {
                return Err(Trap { cause: direction.misaligned, tval: address });
            }
            if faulty(address) {
                return Err(Trap { cause: direction.fault, tval: address });
            }
        }
        Ok(())
    }

    fn outside(&self, memory: &Memory, address: u32) -> bool {
        memory.get(address, self.sb).is_none()
    }
}

fn load_slices(m: &mut Machine, out: &mut Outcome, tlrd: u8, rs: u8, imm8: i8, masked: bool) -> Result<(), Trap> {
    let slices = slices(m, &LOAD, rs, imm8, masked).ok_or(Trap::illegal(out.word))?;
    // A load into tl0 gets here too: it makes its accesses and can trap.
    slices.check(&LOAD, |address| slices.outside(&m.l1m, address) || m.l1m.faulty(address, slices.sb))?;
    let mut result = vec![0; m.tl.reg_bytes()];
    let sb = slices.sb as usize;
    for slice in &slices.list {
        if let Some(bytes) = m.l1m.get(slice.address, slices.sb) {
            result[slice.offset..slice.offset + sb].copy_from_slice(bytes);
        }
    }
    if let Some(register) = write_tl(m, out, tlrd) {
        register.copy_from_slice(&result);
    }
    Ok(())
}

fn store_slices(m: &mut Machine, out: &mut Outcome, tlrs: u8, rs: u8, imm8: i8, masked: bool) -> Result<(), Trap> {
    let slices = slices(m, &STORE, rs, imm8, masked).ok_or(Trap::illegal(out.word))?;
    slices.check(&STORE, |address| slices.outside(&m.l0m, address))?;
    let ranges = slices.list.iter().map(|slice| (slice.address, slices.sb)).collect();
    // The port reports an error only when it writes, after all slices have passed the checks above.
    if let Some(slice) = slices.list.iter().find(|slice| m.l0m.faulty(slice.address, slices.sb)) {
        out.mem_unknown = ranges;
        return Err(Trap { cause: STORE.fault, tval: slice.address });
    }
    let register = m.tl.get(tlrs);
    let sb = slices.sb as usize;
    for slice in &slices.list {
        if let Some(bytes) = m.l0m.get_mut(slice.address, slices.sb) {
            bytes.copy_from_slice(&register[slice.offset..slice.offset + sb]);
        }
    }
    out.mem_writes = ranges;
    Ok(())
}
