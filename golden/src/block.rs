// SPDX-License-Identifier: Apache-2.0
//! Element types and block shapes: what `ttype` and `tshape` mean (docs/isa.md, "Element type" and "Block").

use std::fmt;

/// A set of element widths, in bits, out of 4, 8, 16 and 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementWidths(u8);

impl ElementWidths {
    /// Every width that the instruction set defines, in bits.
    pub const ALLOWED: [u32; 4] = [4, 8, 16, 32];
    /// All four widths.
    pub const ALL: Self = Self(0b1111);
    /// No width at all; a start for [`ElementWidths::with`].
    pub const NONE: Self = Self(0);

    fn bit(bits: u32) -> u8 {
        Self::ALLOWED.iter().position(|&w| w == bits).map_or(0, |i| 1 << i)
    }

    /// The set with `bits` added. A width that is not 4, 8, 16 or 32 adds nothing.
    #[must_use]
    pub fn with(self, bits: u32) -> Self {
        Self(self.0 | Self::bit(bits))
    }

    /// Whether elements of `bits` bits are in the set.
    pub fn contains(self, bits: u32) -> bool {
        self.0 & Self::bit(bits) != 0
    }

    /// The widths of the set in bits, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        Self::ALLOWED.into_iter().filter(move |&w| self.contains(w))
    }
}

impl fmt::Display for ElementWidths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<String> = self.iter().map(|w| w.to_string()).collect();
        write!(f, "[{}]", widths.join(", "))
    }
}

/// The element type that a legal `ttype` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementType {
    /// Width in bits: 4, 8, 16 or 32.
    pub bits: u32,
    /// True for `tint4`, `tint8`, `tint16` and `tint32`.
    pub integer: bool,
}

/// The fields of `ttype`: (bits of the field, element width, whether it is an integer type).
const TTYPE_FIELDS: [(u32, u32, bool); 8] = [
    (0x001, 4, true),
    (0x002, 8, true),
    (0x004, 16, true),
    (0x008, 32, true),
    (0x030, 4, false),
    (0x0C0, 8, false),
    (0x300, 16, false),
    (0xC00, 32, false),
];

/// The bits of `ttype` that a unit with these element widths keeps: a two-bit field of another width is not there.
pub(crate) fn ttype_bits(widths: ElementWidths) -> u32 {
    let kept = TTYPE_FIELDS.iter().filter(|&&(_, bits, integer)| integer || widths.contains(bits));
    kept.fold(0, |all, &(field, ..)| all | field)
}

impl ElementType {
    /// The type that `ttype` selects: exactly one of the eight fields is non-zero and its width is one of `widths`.
    /// `None` makes every instruction that uses the type illegal.
    pub fn from_ttype(ttype: u32, widths: ElementWidths) -> Option<Self> {
        let mut selected = TTYPE_FIELDS.iter().filter(|&&(field, ..)| ttype & field != 0);
        match (selected.next(), selected.next()) {
            (Some(&(_, bits, integer)), None) if widths.contains(bits) => Some(Self { bits, integer }),
            _ => None,
        }
    }
}

/// A legal block shape `[D0, D1, D2]`, row-major, dimension 2 innermost. No dimension is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape(pub [u32; 3]);

impl Shape {
    /// The shape in `tshape`, or `None` when a dimension is 0 or the block of elements of `bits` bits is larger than
    /// a register of `reg_bytes` bytes.
    pub fn from_tshape(tshape: u32, bits: u32, reg_bytes: usize) -> Option<Self> {
        let d = [tshape >> 16 & 0xFF, tshape >> 8 & 0xFF, tshape & 0xFF];
        let block_bits = d.iter().map(|&n| u64::from(n)).product::<u64>() * u64::from(bits);
        (block_bits != 0 && block_bits <= reg_bytes as u64 * 8).then_some(Self(d))
    }
}
