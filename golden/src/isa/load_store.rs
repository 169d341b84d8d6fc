// SPDX-License-Identifier: Apache-2.0
//! `tl.load`, `tl.mload`, `tl.store`, `tl.mstore` (docs/isa.md, "Slices", "tl.load", "tl.store").

use std::ops::Range;

use super::operands::Direction;
use super::tensor::{SliceTransfer, Tensor};
use super::{needs, write_tl};
use crate::config::wrapped;
use crate::csr::Csr;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// The slices that a legal load or store selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slices {
    /// Bytes of a slice that are moved.
    pub bytes: u32,
    /// Bytes from one slot of memory to the next.
    pub slot: u32,
    /// Bytes of the register up to the end of the last slice, selected or not.
    pub end: u32,
    /// Bytes from one slice of the register to the next.
    step: usize,
    /// Byte addresses of the selected slices, by ascending slice number.
    pub addresses: Vec<u64>,
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

/// The numbers of the slices that a legal load or store selects, ascending.
fn selected(m: &Machine, direction: Direction, masked: bool) -> impl Iterator<Item = u8> + use<> {
    let [_, d0, ..] = m.csr.read(Csr::Tshape).to_be_bytes();
    let mask = if masked { m.csr.read(direction.csrs().1) } else { u32::MAX };
    (0..d0).filter(move |i| mask >> i & 1 == 1)
}

impl Slices {
    /// The slices of a load or store; `None` when it is illegal.
    pub fn of(m: &Machine, transfer: SliceTransfer) -> Option<Self> {
        let SliceTransfer { direction, masked, rs, imm8, .. } = transfer;
        Self::new(m, direction, masked, m.operand(rs), imm8)
    }

    /// The slices with base address `rs`; `None` when the instruction is illegal.
    pub fn new(m: &Machine, direction: Direction, masked: bool, rs: u64, imm8: i8) -> Option<Self> {
        let transfer = SliceTransfer { direction, masked, tl: 0, rs: 0, imm8 };
        if Tensor::from(transfer).unmet(m).next().is_some() {
            return None;
        }
        Self::of_legal(m, transfer, rs)
    }

    fn of_legal(m: &Machine, transfer: SliceTransfer, base: u64) -> Option<Self> {
        let SliceTransfer { direction, masked, imm8, .. } = transfer;
        let (_, _, stride) = direction.csrs();
        let bits = u64::from(m.element_type()?.bits);
        let in_bytes = |width: u64| (width * bits / 8) as u32;
        let bytes = in_bytes(needs::width(m, direction));
        let (slot, step) = match m.csr.read(direction.pitch()) {
            0 => (bytes, bytes),
            pitch => (pitch, in_bytes(needs::whole_width(m))),
        };
        let address = |i| {
            let offset = m.csr.read(stride(i)).wrapping_add_signed(imm8.into()).wrapping_mul(slot);
            wrapped(base.wrapping_add_signed((offset as i32).into()), m.config().xlen)
        };
        let mut addresses = Vec::with_capacity(32);
        addresses.extend(selected(m, direction, masked).map(address));
        let [_, d0, ..] = m.csr.read(Csr::Tshape).to_be_bytes();
        let end = u32::from(d0.saturating_sub(1)) * step + bytes;
        Some(Self { bytes, slot, end, step: step as usize, addresses })
    }

    /// The bytes of slice `i` in a register.
    fn range(&self, i: u8) -> Range<usize> {
        let start = usize::from(i) * self.step;
        start..start + self.bytes as usize
    }

    /// The trap of the first slice that is misaligned or, looked at after that, `faulty`.
    fn check(&self, m: &Machine, direction: Direction, faulty: impl Fn(u64) -> bool) -> Result<(), Trap> {
        let align = m.element_type().map_or(1, |element| u64::from(element.bits / 8).max(1));
        for &tval in &self.addresses {
            if tval % align != 0 {
                return Err(Trap { cause: direction.misaligned(), tval });
            }
            if faulty(tval) {
                return Err(Trap { cause: direction.fault(), tval });
            }
        }
        Ok(())
    }
}

/// Address and bytes of each slice that a store writes, if it is legal.
pub(super) fn stored(m: &Machine, transfer: SliceTransfer) -> Option<Vec<(u32, Vec<u8>)>> {
    let slices = Slices::of(m, transfer)?;
    let register = m.tl.get(transfer.tl);
    let contents = |i| register[slices.range(i)].to_vec();
    let numbers = selected(m, transfer.direction, transfer.masked);
    Some(slices.addresses.iter().map(|&address| address as u32).zip(numbers.map(contents)).collect())
}

/// A load or store, which is legal.
pub(super) fn transfer(m: &mut Machine, out: &mut Outcome, transfer: SliceTransfer) -> Result<(), Trap> {
    let slices = Slices::of_legal(m, transfer, m.operand(transfer.rs)).ok_or(Trap::illegal(out.word))?;
    match transfer.direction {
        Direction::Load => load(m, out, transfer, &slices),
        Direction::Store => store(m, out, transfer, &slices),
    }
}

/// The selected slices from L1M; all other bytes of tlrd become 0.
fn load(m: &mut Machine, out: &mut Outcome, transfer: SliceTransfer, slices: &Slices) -> Result<(), Trap> {
    let &Slices { bytes, ref addresses, .. } = slices;
    // A load into tl0 gets here too: it makes its accesses and can trap.
    slices.check(m, Direction::Load, |address| m.l1m.get(address, bytes).is_none() || m.l1m.faulty(address, bytes))?;
    let mut result = vec![0; m.tl.reg_bytes()];
    for (i, &address) in selected(m, Direction::Load, transfer.masked).zip(addresses) {
        if let Some(slice) = m.l1m.get(address, bytes) {
            result[slices.range(i)].copy_from_slice(slice);
        }
    }
    write_tl(m, out, transfer.tl, &result);
    Ok(())
}

/// The selected slices to L0M in ascending order: where they overlap, the higher one wins.
fn store(m: &mut Machine, out: &mut Outcome, transfer: SliceTransfer, slices: &Slices) -> Result<(), Trap> {
    let &Slices { bytes, ref addresses, .. } = slices;
    slices.check(m, Direction::Store, |address| m.l0m.get(address, bytes).is_none())?;
    let ranges = addresses.iter().map(|&address| (address as u32, bytes)).collect();
    // The port reports an error only when it writes, after all slices have passed the checks above.
    if let Some(&tval) = addresses.iter().find(|&&address| m.l0m.faulty(address, bytes)) {
        out.mem_unknown = ranges;
        return Err(Trap { cause: Direction::Store.fault(), tval });
    }
    let register = m.tl.get(transfer.tl);
    for (i, &address) in selected(m, Direction::Store, transfer.masked).zip(addresses) {
        if let Some(slice) = m.l0m.get_mut(address, bytes) {
            slice.copy_from_slice(&register[slices.range(i)]);
        }
    }
    out.mem_writes = ranges;
    Ok(())
}
