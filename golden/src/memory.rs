// SPDX-License-Identifier: Apache-2.0
//! The byte memories L1M and L0M (docs/isa.md, "State").

use std::ops::Range;

/// A byte memory, from address 0, with ranges for which the memory port answers with an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The contents; the length is the size of the memory.
    pub bytes: Vec<u8>,
    /// Byte address ranges that answer with an error. The port answers whole words, so whoever sets these aligns
    /// them to the words of the port.
    pub faults: Vec<Range<u32>>,
}

/// Contents that are longer than the memory they are for. Both fields in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given} bytes do not fit in a memory of {size} bytes")]
pub struct TooLarge {
    /// Length of the contents.
    pub given: usize,
    /// Size of the memory.
    pub size: usize,
}

impl Memory {
    /// A memory of `size` bytes, all zero, that never answers with an error.
    pub fn new(size: u32) -> Self {
        Self { bytes: vec![0; size as usize], faults: Vec::new() }
    }

    /// Copies `contents` to address 0 and up and leaves the bytes behind it alone.
    pub fn fill(&mut self, contents: &[u8]) -> Result<(), TooLarge> {
        let error = TooLarge { given: contents.len(), size: self.bytes.len() };
        self.bytes.get_mut(..contents.len()).ok_or(error)?.copy_from_slice(contents);
        Ok(())
    }

    /// The `len` bytes at `address`, or `None` when one of them is outside the memory. Addresses do not wrap around.
    pub fn get(&self, address: impl Into<u64>, len: u32) -> Option<&[u8]> {
        self.bytes.get(range(address.into(), len)?)
    }

    /// As [`Memory::get`], to write them.
    pub fn get_mut(&mut self, address: impl Into<u64>, len: u32) -> Option<&mut [u8]> {
        self.bytes.get_mut(range(address.into(), len)?)
    }

    /// Whether one of the `len` bytes at `address` is in a range that answers with an error.
    pub fn faulty(&self, address: impl Into<u64>, len: u32) -> bool {
        let start = address.into();
        let end = start.saturating_add(u64::from(len));
        self.faults.iter().any(|f| start.max(u64::from(f.start)) < end.min(u64::from(f.end)))
    }
}

/// The range as indices; `None` only where `usize` is narrower than an address.
fn range(address: u64, len: u32) -> Option<Range<usize>> {
    let start = usize::try_from(address).ok()?;
    Some(start..start.checked_add(usize::try_from(len).ok()?)?)
}
