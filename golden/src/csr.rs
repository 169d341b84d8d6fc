// SPDX-License-Identifier: Apache-2.0
//! The unit's control and status registers (docs/isa.md, "Control and status registers").

use crate::block::{ElementWidths, ttype_bits};
use crate::matrix_csr::{MatrixCsr, MatrixCsrs, TileSize};
use crate::tiles::MatrixConfig;
use crate::tlregs::REGISTERS;

/// One of the unit's CSRs. Only the low five bits of a stride index are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Each variant is the CSR of that name.
pub enum Csr {
    Ttype,
    Tshape,
    TmaskLoad,
    TmaskStore,
    TmaskConcat1,
    TmaskConcat2,
    TloadWidth,
    TstoreWidth,
    TloadPitch,
    TstorePitch,
    TmaskInit,
    TloadStride(u8),
    TstoreStride(u8),
    Tlenb,
    /// A CSR of the matrix instruction set.
    Matrix(MatrixCsr),
}

/// The default of the parameter `csr_base`. All addresses here are those that the CSRs have with it.
pub const CSR_BASE: u16 = 0x800;

/// The CSRs outside the stride arrays: address, name, aliases in the assembler.
const SINGLE: [(Csr, u16, &str, &[&str]); 12] = [
    (Csr::Ttype, 0x810, "ttype", &[]),
    (Csr::Tshape, 0x811, "tshape", &[]),
    (Csr::TmaskLoad, 0x812, "tmask_load", &["TL_LOAD_MASK_CSR", "tmask_ls"]),
    (Csr::TmaskStore, 0x813, "tmask_store", &["TL_STORE_MASK_CSR"]),
    (Csr::TmaskConcat1, 0x814, "tmask_concat_1", &["TL_MASK1_CSR", "TL_CONACT_MASK1_CSR"]),
    (Csr::TmaskConcat2, 0x815, "tmask_concat_2", &["TL_MASK2_CSR", "TL_CONACT_MASK2_CSR"]),
    (Csr::TloadWidth, 0x816, "tload_width", &["TL_LOAD_WIDTH_CSR", "tmask_load_width"]),
    (Csr::TstoreWidth, 0x817, "tstore_width", &["TL_STORE_WIDTH_CSR"]),
    (Csr::TloadPitch, 0x81A, "tload_pitch", &[]),
    (Csr::TstorePitch, 0x81B, "tstore_pitch", &[]),
    (Csr::TmaskInit, 0x81C, "tmask_init", &[]),
    (Csr::Tlenb, 0xCD0, "tlenb", &[]),
];

/// CSRs that an adapter may have in front of the unit: address and name. The model has none of them.
pub const ADAPTER_CSRS: [(u16, &str); 2] = [(0x818, "tcause"), (0x819, "ttval")];

const TLOAD_STRIDE: u16 = 0x840;
const TSTORE_STRIDE: u16 = 0x860;

impl Csr {
    /// The CSR at `address`, if it is one of a unit with both instruction sets and all options.
    pub fn from_address(address: u16) -> Option<Self> {
        let index = (address & 31) as u8;
        match address & !31 {
            TLOAD_STRIDE => Some(Self::TloadStride(index)),
            TSTORE_STRIDE => Some(Self::TstoreStride(index)),
            _ => {
                let single = SINGLE.iter().find(|row| row.1 == address).map(|row| row.0);
                single.or_else(|| MatrixCsr::from_address(address).map(Self::Matrix))
            }
        }
    }

    /// The 12-bit CSR address.
    pub fn address(self) -> u16 {
        match self {
            Self::TloadStride(i) => TLOAD_STRIDE + u16::from(i & 31),
            Self::TstoreStride(i) => TSTORE_STRIDE + u16::from(i & 31),
            Self::Matrix(csr) => csr.address(),
            _ => SINGLE.iter().find(|row| row.0 == self).map_or(0, |row| row.1),
        }
    }

    /// The name in the specification, which is the one that the disassembler prints.
    pub fn name(self) -> String {
        match self {
            Self::TloadStride(i) => format!("tload_stride{}", i & 31),
            Self::TstoreStride(i) => format!("tstore_stride{}", i & 31),
            Self::Matrix(csr) => csr.name().to_string(),
            _ => SINGLE.iter().find(|row| row.0 == self).map_or("", |row| row.2).to_string(),
        }
    }

    /// The CSR of that name or alias. A stride register is written `tload_stride5`, `TL_LOAD_STRIDE_CSR5` or
    /// `TL_LOAD_STRIDE_CSR{5}`; `TL_LOAD_STRIDE_CSR` alone is register 0. The same holds for stores, and for the name
    /// `tmask_load_stride` of the drafts' table.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(row) = SINGLE.iter().find(|row| row.2 == name || row.3.contains(&name)) {
            return Some(row.0);
        }
        match (
            strip_stride(name, "tload_stride", "TL_LOAD_STRIDE_CSR")
                .or_else(|| strip_stride(name, "tload_stride", "tmask_load_stride")),
            strip_stride(name, "tstore_stride", "TL_STORE_STRIDE_CSR"),
        ) {
            (Some(i), _) => Some(Self::TloadStride(i)),
            (_, Some(i)) => Some(Self::TstoreStride(i)),
            _ => MatrixCsr::from_name(name).map(Self::Matrix),
        }
    }

    /// Every CSR of the TensorLoad instruction set with all options, by ascending address; [`MatrixCsr::all`] has those
    /// of the other.
    pub fn all() -> impl Iterator<Item = Self> {
        (0x800..=0xCFF).filter_map(Self::from_address).filter(|csr| !matches!(csr, Self::Matrix(_)))
    }

    /// Whether a write to it is an illegal instruction.
    pub fn read_only(self) -> bool {
        matches!(self, Self::Tlenb | Self::Matrix(_))
    }
}

fn strip_stride(name: &str, plain: &str, alias: &str) -> Option<u8> {
    if let Some(index) = name.strip_prefix(plain) {
        return stride_index(index);
    }
    let index = name.strip_prefix(alias)?;
    match index.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(inner) => stride_index(inner),
        None if index.is_empty() => Some(0),
        None => stride_index(index),
    }
}

/// A decimal 0..31 without leading zeros or signs, so that each register has one spelling.
fn stride_index(text: &str) -> Option<u8> {
    (0..32).find(|i: &u8| i.to_string() == text)
}

/// A mask register and its "initialised" bit, which reset clears and every write sets. It is hidden in a unit without
/// `mask_init`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// The value that a CSR instruction reads.
    pub value: u32,
    /// Whether the register has been written since reset, or what `tmask_init` has made of it.
    pub initialised: bool,
}

impl Mask {
    /// The mask, or `None` while it is uninitialised.
    pub fn get(self) -> Option<u32> {
        self.initialised.then_some(self.value)
    }
}

/// The values of all CSRs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csrs {
    ttype: u32,
    /// The bits that `ttype` keeps.
    ttype_bits: u32,
    tshape: u32,
    masks: [Mask; 4],
    tload_width: u32,
    tstore_width: u32,
    /// `tload_pitch` and `tstore_pitch`, if the unit has them.
    pitch: Option<[u32; 2]>,
    /// Whether the unit has `tmask_init`.
    mask_init: bool,
    tload_stride: [u32; REGISTERS],
    tstore_stride: [u32; REGISTERS],
    tlenb: u32,
    matrix: Option<MatrixCsrs>,
}

impl Csrs {
    /// Reset values with every element width and without the matrix instruction set; `tlenb` reads `reg_bytes`.
    pub fn new(reg_bytes: usize) -> Self {
        let identity = std::array::from_fn(|i| i as u32);
        Self {
            ttype: 0x002,
            ttype_bits: ttype_bits(ElementWidths::ALL),
            tshape: 0,
            masks: [Mask::default(); 4],
            tload_width: 0,
            tstore_width: 0,
            pitch: None,
            mask_init: false,
            tload_stride: identity,
            tstore_stride: identity,
            tlenb: u32::try_from(reg_bytes).unwrap_or(u32::MAX),
            matrix: None,
        }
    }

    /// Restricts the element widths. Floating-point fields of `ttype` for other widths always read 0.
    #[must_use]
    pub fn with_element_widths(self, widths: ElementWidths) -> Self {
        Self { ttype_bits: ttype_bits(widths), ..self }
    }

    /// Adds the CSRs of pitch, if the unit has them, at their reset values.
    #[must_use]
    pub fn with_pitch(self, pitch: bool) -> Self {
        Self { pitch: pitch.then_some([0; 2]), ..self }
    }

    /// Adds `tmask_init`, if the unit has it.
    #[must_use]
    pub fn with_mask_init(self, mask_init: bool) -> Self {
        Self { mask_init, ..self }
    }

    /// Adds the CSRs of the matrix instruction set, if there is one, at their reset values.
    #[must_use]
    pub fn with_matrix(self, matrix: Option<MatrixConfig>) -> Self {
        Self { matrix: matrix.map(MatrixCsrs::new), ..self }
    }

    /// Whether the unit has the CSRs of the matrix instruction set.
    pub fn has_matrix(&self) -> bool {
        self.matrix.is_some()
    }

    /// The value of `csr`; 0 for a CSR that the unit lacks.
    pub fn read(&self, csr: Csr) -> u32 {
        match csr {
            Csr::Ttype => self.ttype,
            Csr::Tshape => self.tshape,
            Csr::TmaskLoad => self.masks[0].value,
            Csr::TmaskStore => self.masks[1].value,
            Csr::TmaskConcat1 => self.masks[2].value,
            Csr::TmaskConcat2 => self.masks[3].value,
            Csr::TloadWidth => self.tload_width,
            Csr::TstoreWidth => self.tstore_width,
            Csr::TloadPitch => self.pitch.map_or(0, |[load, _]| load),
            Csr::TstorePitch => self.pitch.map_or(0, |[_, store]| store),
            Csr::TmaskInit if self.mask_init => self.initialised(),
            Csr::TmaskInit => 0,
            Csr::TloadStride(i) => self.tload_stride[usize::from(i & 31)],
            Csr::TstoreStride(i) => self.tstore_stride[usize::from(i & 31)],
            Csr::Tlenb => self.tlenb,
            Csr::Matrix(csr) => self.matrix.as_ref().map_or(0, |matrix| matrix.read(csr)),
        }
    }

    /// A tile size, in elements.
    pub fn tile_size(&self, size: TileSize) -> u32 {
        self.read(Csr::Matrix(size.csr()))
    }

    /// Writes a tile size, as `msettile*` do and CSR instructions cannot. Does nothing without the matrix instruction
    /// set.
    pub fn set_tile_size(&mut self, size: TileSize, value: u32) {
        if let Some(matrix) = &mut self.matrix {
            matrix.set(size, value);
        }
    }

    /// Writes `csr` as a CSR instruction does and returns the value that it keeps, without the reserved bits;
    /// a mask becomes initialised, and `tmask_init` says which ones are. `None`, and no change, for a read-only CSR and
    /// one that the unit lacks.
    pub fn write(&mut self, csr: Csr, value: u32) -> Option<u32> {
        let (register, kept) = match csr {
            Csr::Ttype => (&mut self.ttype, value & self.ttype_bits),
            Csr::Tshape => (&mut self.tshape, value & 0xFF_FFFF),
            Csr::TmaskLoad | Csr::TmaskStore | Csr::TmaskConcat1 | Csr::TmaskConcat2 => {
                let mask = self.mask_mut(csr)?;
                mask.initialised = true;
                (&mut mask.value, value)
            }
            Csr::TloadWidth => (&mut self.tload_width, value),
            Csr::TstoreWidth => (&mut self.tstore_width, value),
            Csr::TloadPitch => (&mut self.pitch.as_mut()?[0], value & 0xFFFF),
            Csr::TstorePitch => (&mut self.pitch.as_mut()?[1], value & 0xFFFF),
            Csr::TmaskInit => return self.mask_init.then(|| self.set_initialised(value)),
            Csr::TloadStride(i) => (&mut self.tload_stride[usize::from(i & 31)], value),
            Csr::TstoreStride(i) => (&mut self.tstore_stride[usize::from(i & 31)], value),
            Csr::Tlenb | Csr::Matrix(_) => return None,
        };
        *register = kept;
        Some(kept)
    }

    /// The "initialised" bits: bit i is that of mask i, in ascending order of their addresses.
    pub fn initialised(&self) -> u32 {
        self.masks.iter().rev().fold(0, |bits, mask| bits << 1 | u32::from(mask.initialised))
    }

    /// Sets the "initialised" bits and returns what is kept of `bits`.
    fn set_initialised(&mut self, bits: u32) -> u32 {
        (0..).zip(&mut self.masks).for_each(|(i, mask)| mask.initialised = bits >> i & 1 == 1);
        bits & 0xF
    }

    /// The mask register `csr` with its "initialised" bit; `None` for a CSR that is not a mask.
    pub fn mask(&self, csr: Csr) -> Option<Mask> {
        mask_index(csr).map(|i| self.masks[i])
    }

    /// Mutable access to a mask, to set any state, also an uninitialised value.
    pub fn mask_mut(&mut self, csr: Csr) -> Option<&mut Mask> {
        mask_index(csr).map(|i| &mut self.masks[i])
    }
}

fn mask_index(csr: Csr) -> Option<usize> {
    [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2].iter().position(|&mask| mask == csr)
}
