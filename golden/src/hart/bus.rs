// SPDX-License-Identifier: Apache-2.0
//! What the host's loads and stores reach (docs/isa.md, "Memories of the host").

use rrs_lib::MemAccessSize;

use super::pages::Pages;
use crate::memory::Memory;

/// Bytes of program memory, which begins at address 0.
pub const RAM_BYTES: u32 = 64 << 20;
/// Where the window onto L1M begins.
pub const L1M_BASE: u32 = 0x1000_0000;
/// Where the window onto L0M begins.
pub const L0M_BASE: u32 = 0x2000_0000;
/// A word that is stored here ends the program with that code.
pub const EXIT: u32 = 0x3000_0000;
/// A byte that is stored here is printed.
pub const PRINT: u32 = 0x3000_0004;

/// A memory of the host, and an address in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are the memories.
pub enum Place {
    Ram(u32),
    L1m(u32),
    L0m(u32),
    Exit,
    Print,
}

impl Place {
    /// What is at an address of the host. Whether the memory is so large is another question.
    pub fn of(address: u32) -> Option<Self> {
        match address {
            EXIT => Some(Self::Exit),
            PRINT => Some(Self::Print),
            0..L1M_BASE => Some(Self::Ram(address)),
            L1M_BASE..L0M_BASE => Some(Self::L1m(address - L1M_BASE)),
            L0M_BASE..EXIT => Some(Self::L0m(address - L0M_BASE)),
            _ => None,
        }
    }
}

/// What a store did other than in program memory and L1M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Wrote these bytes of L0M: address and length.
    L0m(u32, u32),
    Print(u8),
    Exit(u32),
}

/// The memories, while a load or store is executed.
#[derive(Default)]
pub(super) struct Bus {
    pub ram: Pages,
    pub l1m: Memory,
    pub l0m: Memory,
    pub effect: Option<Effect>,
}

impl Bus {
    /// The bytes at `place`, unless one of them is outside or answers with an error.
    fn bytes(&mut self, place: Place, len: u32) -> Option<&mut [u8]> {
        let (memory, address) = match place {
            Place::Ram(address) => return self.ram.get_mut(address, len),
            Place::L1m(address) => (&mut self.l1m, address),
            Place::L0m(address) => (&mut self.l0m, address),
            Place::Exit | Place::Print => return None,
        };
        if memory.faulty(address, len) { None } else { memory.get_mut(address, len) }
    }
}

fn length(size: MemAccessSize) -> u32 {
    match size {
        MemAccessSize::Byte => 1,
        MemAccessSize::HalfWord => 2,
        MemAccessSize::Word => 4,
    }
}

impl rrs_lib::Memory for Bus {
    fn read_mem(&mut self, address: u32, size: MemAccessSize) -> Option<u32> {
        let bytes = self.bytes(Place::of(address)?, length(size))?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    }

    fn write_mem(&mut self, address: u32, size: MemAccessSize, data: u32) -> bool {
        let (place, len) = (Place::of(address), length(size));
        self.effect = match (place, len) {
            (Some(Place::Exit), 4) => Some(Effect::Exit(data)),
            (Some(Place::Print), 1 | 4) => Some(Effect::Print(data as u8)),
            (Some(Place::L0m(address)), len) => Some(Effect::L0m(address, len)),
            _ => None,
        };
        if matches!(self.effect, Some(Effect::Exit(_) | Effect::Print(_))) {
            return true;
        }
        let Some(bytes) = place.and_then(|place| self.bytes(place, len)) else { return false };
        bytes.copy_from_slice(&data.to_le_bytes()[..len as usize]);
        true
    }
}
