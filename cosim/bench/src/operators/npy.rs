// SPDX-License-Identifier: Apache-2.0
//! Tensors in files of NumPy.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use kernels::tensor::Tensor;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriteOptions, WriterBuilder};

/// A tensor as it is in a file.
#[derive(Clone, Debug)]
pub struct Array {
    /// Shape and element width.
    pub tensor: Tensor,
    /// The type that NumPy knows.
    pub dtype: DType,
    /// The elements, little-endian.
    pub bytes: Vec<u8>,
}

/// Most bytes of a tensor: as many as a memory may have.
const LARGEST: usize = 1 << 28;

/// Reads a file. With `packed` its bytes are pairs of 4-bit elements along the innermost dimension, the first in the low
/// nibble.
///
/// # Errors
/// When it cannot be read, or has elements or an order that operators do not know.
pub fn read(path: &Path, packed: bool) -> Result<Array> {
    let file = || Ok(BufReader::new(File::open(path)?));
    file().and_then(|reader| parse(reader, packed)).with_context(|| path.display().to_string())
}

/// As [`read`], from anything.
///
/// # Errors
/// As there.
pub fn parse(mut reader: impl Read, packed: bool) -> Result<Array> {
    let header = NpyHeader::from_reader(&mut reader).context("no file of NumPy")?;
    let dtype = header.dtype();
    let DType::Plain(kind) = &dtype else { bail!("elements are {}; allowed are numbers", dtype.descr()) };
    let known = matches!(kind.type_char(), TypeChar::Int | TypeChar::Uint | TypeChar::Float | TypeChar::Bool);
    let size = kind.num_bytes().filter(|size| known && [1, 2, 4, 8].contains(size));
    let Some(size) = size else {
        bail!("elements are {}; allowed are bool, int, uint and float of 8 to 64 bits", dtype.descr());
    };
    ensure!(kind.endianness() != Endianness::Big || size == 1, "elements are big-endian; allowed is little-endian");
    let shape: Vec<usize> = header.shape().iter().map(|&size| size as usize).collect();
    let flat = shape.iter().filter(|&&size| size > 1).count() <= 1;
    ensure!(flat || header.order() == Order::C, "the order is Fortran's; numpy.ascontiguousarray makes it C's");
    // As if no dimension were empty, so that strides have an end, too.
    let all = shape.iter().try_fold(size, |bytes, &size| bytes.checked_mul(size.max(1)));
    ensure!(all.is_some_and(|bytes| bytes <= LARGEST), "the shape is {shape:?}; allowed are {LARGEST} bytes in all");
    let mut tensor = Tensor::new(&shape, 8 * size as u32);
    if packed {
        ensure!(size == 1, "elements are {}; of packed 4-bit elements they are int8 or uint8", dtype.descr());
        let last = tensor.shape.last_mut().context("a scalar has no pairs of 4-bit elements")?;
        (*last, tensor.bits) = (*last * 2, 4);
    }
    let mut bytes = Vec::new();
    // One more shows that there are too many.
    reader.take(tensor.bytes() as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() == tensor.bytes(), "{} bytes of elements; the shape says {}", bytes.len(), tensor.bytes());
    Ok(Array { tensor, dtype, bytes })
}

/// Writes a tensor.
///
/// # Errors
/// When it cannot be written; when 4-bit elements are not in pairs along the innermost dimension.
pub fn write(path: &Path, tensor: &Tensor, dtype: &DType, bytes: &[u8]) -> Result<()> {
    let mut shape: Vec<u64> = tensor.shape.iter().map(|&size| size as u64).collect();
    if tensor.bits == 4 {
        match shape.last_mut() {
            Some(last) if *last % 2 == 0 => *last /= 2,
            _ => bail!("the output is {tensor}; a file of packed elements has pairs along the innermost dimension"),
        }
    }
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let options = WriteOptions::new_header_only().dtype(dtype.clone()).shape(&shape).writer(BufWriter::new(file));
    let save = || -> std::io::Result<()> {
        let mut writer = options.write_header_only()?;
        writer.write_all(bytes)?;
        writer.flush()
    };
    save().with_context(|| format!("cannot write {}", path.display()))
}
