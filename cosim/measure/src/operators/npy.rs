// SPDX-License-Identifier: Apache-2.0
//! Tensors in files of NumPy.

use std::io::{BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use kernels::tensor::Tensor;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriteOptions, WriterBuilder};

/// A tensor as it is in a file.
#[derive(Clone, Debug)]
pub struct Array {
    pub tensor: Tensor,
    /// The type that NumPy knows.
    pub dtype: DType,
    /// The elements, little-endian.
    pub bytes: Vec<u8>,
}

impl Array {
    /// The type of the elements as NumPy names it; `int4` and `uint4` for packed ones.
    pub fn type_name(&self) -> String {
        let DType::Plain(kind) = &self.dtype else { return self.dtype.descr() };
        let name = match kind.type_char() {
            TypeChar::Bool => return "bool".into(),
            TypeChar::Int => "int",
            TypeChar::Uint => "uint",
            _ => "float",
        };
        format!("{name}{}", self.tensor.bits)
    }

    /// The lowest and the highest number that may be written for an element, signed or as its bits.
    pub fn limits(&self) -> (i128, i128) {
        let ones = (1 << self.tensor.bits) - 1;
        match &self.dtype {
            DType::Plain(kind) if kind.type_char() == TypeChar::Bool => (0, 1),
            DType::Plain(kind) if kind.type_char() == TypeChar::Int => (-(1 << (self.tensor.bits - 1)), ones),
            _ => (0, ones),
        }
    }
}

/// Most bytes of a tensor: as many as a memory may have.
const LARGEST: usize = 1 << 28;

/// Reads a file. With `packed` its bytes are pairs of 4-bit elements along the innermost dimension, the first in the
/// low nibble.
///
/// # Errors
/// When it cannot be read, or has elements or an order that operators do not know.
pub fn read(path: &Path, packed: bool) -> Result<Array> {
    let file = || Ok(BufReader::new(files::open(path)?));
    file().and_then(|reader| parse(reader, packed)).with_context(|| path.display().to_string())
}

/// As [`read`], from anything.
pub fn parse(mut reader: impl Read, packed: bool) -> Result<Array> {
    let start = start(&mut reader)?;
    let mut reader = start.as_slice().chain(reader);
    let header = NpyHeader::from_reader(&mut reader).context("no file of NumPy")?;
    let dtype = header.dtype();
    let DType::Plain(kind) = &dtype else { bail!("elements are {}; allowed are numbers", dtype.descr()) };
    let known = matches!(kind.type_char(), TypeChar::Int | TypeChar::Uint | TypeChar::Float | TypeChar::Bool);
    let size = kind.num_bytes().filter(|size| known && [1, 2, 4, 8].contains(size));
    let Some(size) = size else {
        bail!("elements are {}; allowed are bool, int, uint and float of 8 to 64 bits", dtype.descr());
    };
    let swapped = kind.endianness() == Endianness::Big && size > 1;
    let dtype = if swapped { DType::Plain(kind.to_string().replace('>', "<").parse()?) } else { dtype.clone() };
    let shape: Vec<usize> = header.shape().iter().map(|&size| size as usize).collect();
    let flat = shape.iter().filter(|&&size| size > 1).count() <= 1;
    ensure!(flat || header.order() == Order::C, "the order is Fortran's; numpy.ascontiguousarray makes it C's");
    // As if no dimension were empty, so that strides have an end, too.
    let all = shape.iter().try_fold(size, |bytes, &size| bytes.checked_mul(size.max(1)));
    ensure!(all.is_some_and(|bytes| bytes <= LARGEST), "the shape is {shape:?}; allowed are {LARGEST} bytes in all");
    let mut tensor = Tensor::new(&shape, 8 * size as u32);
    if packed {
        let whole = size == 1 && kind.type_char() != TypeChar::Bool;
        ensure!(whole, "elements are {}; of packed 4-bit elements they are int8 or uint8", dtype.descr());
        let last = tensor.shape.last_mut().context("a scalar has no pairs of 4-bit elements")?;
        (*last, tensor.bits) = (*last * 2, 4);
    }
    let mut bytes = Vec::new();
    // One more shows that there are too many.
    reader.take(tensor.bytes() as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() == tensor.bytes(), "{} bytes of elements; the shape says {}", bytes.len(), tensor.bytes());
    if swapped {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(Array { tensor, dtype, bytes })
}

/// The first bytes of a file.
const MAGIC: &[u8] = b"\x93NUMPY";
/// Most bytes of a header, as in NumPy.
const HEADER: u64 = 10_000;
/// Most opening brackets in a header. An array of numbers has two. The parser goes several times through what is in a
/// brace, so thirty would take years.
const BRACKETS: usize = 8;

/// The header of a file and what is before it, if it is small enough for the parser; a file that ends in it, as it is.
fn start(reader: &mut impl Read) -> Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(12).read_to_end(&mut start)?;
    ensure!(start.starts_with(MAGIC), "no file of NumPy: it does not begin with \\x93NUMPY; numpy.save writes one");
    let (header, length) = match start[..] {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (10, u16::from_le_bytes([a, b]).into()),
        [_, _, _, _, _, _, _, _, a, b, c, d] => (12, u32::from_le_bytes([a, b, c, d])),
        _ => (0, 0),
    };
    let end = header as u64 + u64::from(length);
    ensure!(end <= HEADER, "the header ends at byte {end}; allowed are {HEADER} bytes");
    reader.take(end.saturating_sub(start.len() as u64)).read_to_end(&mut start)?;
    let brackets = start.iter().skip(header).filter(|byte| b"([{".contains(byte)).count();
    ensure!(brackets <= BRACKETS, "the header has {brackets} opening brackets; allowed are {BRACKETS}");
    Ok(start)
}

/// The shape of a tensor in a file.
///
/// # Errors
/// When 4-bit elements are not in pairs along the innermost dimension.
pub fn shape(tensor: &Tensor) -> Result<Vec<u64>> {
    let mut shape: Vec<u64> = tensor.shape.iter().map(|&size| size as u64).collect();
    if tensor.bits == 4 {
        match shape.last_mut() {
            Some(last) if *last % 2 == 0 => *last /= 2,
            _ => bail!("the output is {tensor}; a file of packed elements has pairs along the innermost dimension"),
        }
    }
    Ok(shape)
}

/// Writes a tensor.
///
/// # Errors
/// When it cannot be written; as [`shape`].
pub fn write(path: &Path, tensor: &Tensor, dtype: &DType, bytes: &[u8]) -> Result<()> {
    let shape = shape(tensor)?;
    let save = || -> std::io::Result<()> {
        let mut file = Vec::new();
        let options = WriteOptions::new_header_only().dtype(dtype.clone()).shape(&shape).writer(&mut file);
        options.write_header_only()?.write_all(bytes)?;
        files::write(path, &file)
    };
    save().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(header: &[u8], message: &str) {
        let [low, high] = (header.len() as u16).to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &[low, high][..], header].concat();
        let error = parse(&file[..], false).expect_err("no header");
        assert!(format!("{error:#}").contains(message), "{error:#}");
    }

    #[test]
    fn a_header_on_which_the_parser_would_not_end_is_refused() {
        refused("{".repeat(33).as_bytes(), "the header has 33 opening brackets; allowed are 8");
        refused("[".repeat(9000).as_bytes(), "the header has 9000 opening brackets");
        refused("{'a': [(".repeat(3).as_bytes(), "the header has 9 opening brackets");
        refused(" ".repeat(20_000).as_bytes(), "the header ends at byte 20010; allowed are 10000 bytes");
        let long = [b"\x93NUMPY\x02\x00", &u32::MAX.to_le_bytes()[..]].concat();
        let error = parse(&long[..], false).expect_err("too long");
        assert!(error.to_string().contains("the header ends at byte 4294967307"), "{error:#}");
        // As many as are allowed do not take long, and a file may end anywhere.
        refused("{".repeat(8).as_bytes(), "no file of NumPy");
        for end in 0..12 {
            assert!(parse(&long[..end], false).is_err());
        }
    }
}
