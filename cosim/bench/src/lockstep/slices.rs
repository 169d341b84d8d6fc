// SPDX-License-Identifier: Apache-2.0
//! The slices of a load or store, worked out from docs/isa.md for rooflines and stimulus.

use golden::Machine;
use golden::decode::SliceTransfer;

pub use golden::decode::Direction;

/// The slices that a legal load or store selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slices {
    /// Bytes of a slice that are moved.
    pub bytes: u32,
    /// Bytes from one slot to the next.
    pub slot: u32,
    /// Bytes of the register up to the end of the last slice, selected or not.
    pub end: u32,
    /// Byte addresses of the selected slices, by ascending slice number.
    pub addresses: Vec<u32>,
}

impl Slices {
    /// The slices of a load or store in the state of `machine`; `None` when it is illegal.
    pub fn of(machine: &Machine, transfer: SliceTransfer) -> Option<Slices> {
        let SliceTransfer { direction, masked, rs, imm8, .. } = transfer;
        Slices::new(machine, direction, masked, machine.x(rs), imm8)
    }

    /// The slices with base address `rs`, for the CSR state of `machine`; `None` when the instruction is illegal.
    pub fn new(machine: &Machine, direction: Direction, masked: bool, rs: u32, imm8: i8) -> Option<Slices> {
        let (element, shape) = machine.block()?;
        let (width, mask, stride) = direction.csrs();
        let [d0, d1, d2] = shape.0;
        let mask = if masked { machine.csr.mask(mask)?.get()? } else { u32::MAX };
        let width = Some(machine.csr.read(width)).filter(|&w| w != 0).unwrap_or(d1 * d2);
        let bits = |elements: u32| u64::from(elements) * u64::from(element.bits);
        let pitch = machine.csr.read(direction.pitch());
        let (slice, slot) = if pitch == 0 { (width, bits(width) / 8) } else { (d1 * d2, pitch.into()) };
        let end = u64::from(d0.saturating_sub(1)) * bits(slice) / 8 + bits(width) / 8;
        let whole_bytes = bits(width) % 8 == 0 && bits(slice) % 8 == 0;
        if d0 > 32 || !whole_bytes || width > slice || end > machine.tl.reg_bytes() as u64 {
            return None;
        }
        let (bytes, slot) = ((bits(width) / 8) as u32, slot as u32);
        let address =
            |i| machine.csr.read(stride(i)).wrapping_add_signed(imm8.into()).wrapping_mul(slot).wrapping_add(rs);
        let addresses = (0..d0 as u8).filter(|i| mask >> i & 1 == 1).map(address).collect();
        Some(Slices { bytes, slot, end: end as u32, addresses })
    }

    /// Beats of `port` bytes that cover the slices, those that follow each other in memory merged.
    pub fn beats(&self, port: u32) -> u64 {
        let mut beats = 0;
        let mut run: Option<(u64, u64)> = None;
        let length = |(start, end): (u64, u64)| end.div_ceil(port.into()) - start / u64::from(port);
        for &address in &self.addresses {
            let (start, end) = (u64::from(address), u64::from(address) + u64::from(self.bytes));
            run = match run {
                Some((first, last)) if last == start => Some((first, end)),
                done => {
                    beats += done.map_or(0, length);
                    Some((start, end))
                }
            };
        }
        beats + run.map_or(0, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_of_adjacent_slices_are_shared() {
        let beats =
            |bytes, addresses: &[u32]| Slices { bytes, slot: bytes, end: 0, addresses: addresses.to_vec() }.beats(16);
        assert_eq!(beats(16, &[0, 16, 32]), 3);
        assert_eq!(beats(4, &[0, 4, 8, 12]), 1);
        assert_eq!(beats(4, &[0, 8]), 2);
        assert_eq!(beats(16, &[8, 24]), 3);
        assert_eq!(beats(1, &[15, 16]), 2);
        assert_eq!(beats(16, &[]), 0);
    }
}
