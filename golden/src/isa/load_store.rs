// SPDX-License-Identifier: Apache-2.0
//! `tl.load`, `tl.mload`, `tl.store`, `tl.mstore` (docs/isa.md, "Slices", "tl.load", "tl.store").

use super::operands::Direction;
use super::tensor::SliceTransfer;
use super::{needs, write_tl};
use crate::asm::{Cursor, Fault};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};

/// The error for the form of an older draft, `tl.mload t1, x10, x11`, at the second operand.
pub(super) fn reject_older_draft(mnemonic: &str, cursor: &Cursor) -> Result<(), Fault> {
    if !cursor.looks_like(&[None, Some(","), None]) {
        return Ok(());
    }
    let register = cursor.text_before(2);
    // That draft has the shape first and the base last in a load, the other way round in a store.
    let base = cursor.text_at(if mnemonic.ends_with("load") { 2 } else { 0 });
    Err(cursor.fault(format!(
        "`{mnemonic}` with three registers is the form of an older draft; the shape comes from the CSR `tshape`: \
         set tshape, then write `{mnemonic} {register}, 0({base})`"
    )))
}

/// One selected slice: its byte offset in the register and its address `a_i` in memory.
#[derive(Clone, Copy)]
struct Slice {
    offset: usize,
    address: u32,
}

/// The selected slices of an instruction, ascending.
struct Slices {
    direction: Direction,
    list: Vec<Slice>,
    /// Bytes of a slice that are moved.
    sb: u32,
    /// Addresses must be multiples of this number of bytes.
    align: u32,
}

impl Direction {
    /// The CSRs of slices: width, mask, and stride of slice i.
    pub const fn csrs(self) -> (Csr, Csr, fn(u8) -> Csr) {
        match self {
            Self::Load => (Csr::TloadWidth, Csr::TmaskLoad, Csr::TloadStride),
            Self::Store => (Csr::TstoreWidth, Csr::TmaskStore, Csr::TstoreStride),
        }
    }

    /// The CSR of the distance between slots.
    pub const fn pitch(self) -> Csr {
        match self {
            Self::Load => Csr::TloadPitch,
            Self::Store => Csr::TstorePitch,
        }
    }
}

/// The slices that a load or store selects, when it is legal.
fn slices(m: &Machine, SliceTransfer { direction, masked, rs, imm8, .. }: SliceTransfer) -> Option<Slices> {
    let (_, mask, stride) = direction.csrs();
    let (element, shape) = m.block()?;
    let mask = if masked { m.csr.read(mask) } else { u32::MAX };
    let bytes = |width: u64| (width * u64::from(element.bits) / 8) as u32;
    let sb = bytes(needs::width(m, direction));
    // Bytes from one slot to the next, and from one slice of the register to the next.
    let (slot_bytes, slice_bytes) = match m.csr.read(direction.pitch()) {
        0 => (sb, sb),
        pitch => (pitch, bytes(needs::whole_width(m))),
    };
    let slice = |i: u32| {
        let slot = m.csr.read(stride(i as u8)).wrapping_add_signed(imm8.into());
        let address = m.x(rs).wrapping_add(slot.wrapping_mul(slot_bytes));
        Slice { offset: i as usize * slice_bytes as usize, address }
    };
    let d0 = shape.0[0];
    let mut list = Vec::with_capacity(d0 as usize);
    list.extend((0..d0).filter(|i| mask >> i & 1 == 1).map(slice));
    Some(Slices { direction, list, sb, align: (element.bits / 8).max(1) })
}

impl Slices {
    /// The trap of the first slice that is misaligned or, looked at after that, `faulty`.
    fn check(&self, faulty: impl Fn(u32) -> bool) -> Result<(), Trap> {
        for &Slice { address, .. } in &self.list {
            if address % self.align != 0 {
                return Err(Trap { cause: self.direction.misaligned(), tval: address });
            }
            if faulty(address) {
                return Err(Trap { cause: self.direction.fault(), tval: address });
            }
        }
        Ok(())
    }

    fn outside(&self, memory: &Memory, address: u32) -> bool {
        memory.get(address, self.sb).is_none()
    }
}

/// A load or store, which is legal.
pub(super) fn transfer(m: &mut Machine, out: &mut Outcome, transfer: SliceTransfer) -> Result<(), Trap> {
    let slices = slices(m, transfer).ok_or(Trap::illegal(out.word))?;
    match transfer.direction {
        Direction::Load => load(m, out, transfer.tl, &slices),
        Direction::Store => store(m, out, transfer.tl, &slices),
    }
}

/// The selected slices from L1M; all other bytes of tlrd become 0.
fn load(m: &mut Machine, out: &mut Outcome, tlrd: u8, slices: &Slices) -> Result<(), Trap> {
    // A load into tl0 gets here too: it makes its accesses and can trap.
    slices.check(|address| slices.outside(&m.l1m, address) || m.l1m.faulty(address, slices.sb))?;
    let mut result = vec![0; m.tl.reg_bytes()];
    let sb = slices.sb as usize;
    for slice in &slices.list {
        if let Some(bytes) = m.l1m.get(slice.address, slices.sb) {
            result[slice.offset..slice.offset + sb].copy_from_slice(bytes);
        }
    }
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// The selected slices to L0M in ascending order: where they overlap, the higher one wins.
fn store(m: &mut Machine, out: &mut Outcome, tlrs: u8, slices: &Slices) -> Result<(), Trap> {
    slices.check(|address| slices.outside(&m.l0m, address))?;
    let ranges = slices.list.iter().map(|slice| (slice.address, slices.sb)).collect();
    // The port reports an error only when it writes, after all slices have passed the checks above.
    if let Some(slice) = slices.list.iter().find(|slice| m.l0m.faulty(slice.address, slices.sb)) {
        out.mem_unknown = ranges;
        return Err(Trap { cause: Direction::Store.fault(), tval: slice.address });
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
