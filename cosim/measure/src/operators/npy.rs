// SPDX-License-Identifier: Apache-2.0
//! Tensors in files of NumPy (NEP 1: a file format for arrays).

use std::fmt::{self, Display, Formatter};
use std::io::{BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use kernels::tensor::Tensor;

/// The type of elements, as NumPy writes it: `<f4`, `|b1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtype {
    /// `<`: little-endian; `>`: big-endian; `|`: of one byte.
    order: char,
    /// `b`: bool; `i`, `u`: signed and unsigned; `f`: float; and others that operators do not know.
    kind: char,
    /// Bytes of an element.
    size: usize,
}

/// What elements may be.
const ALLOWED: &str = "allowed are bool, int, uint and float of 8 to 64 bits";

impl FromStr for Dtype {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Dtype> {
        let mut rest = text.chars();
        let parts = (rest.next(), rest.next(), rest.as_str().parse());
        let (Some(order @ ('<' | '>' | '|')), Some(kind), Ok(size)) = parts else {
            bail!("elements are '{}'; {ALLOWED}", files::printable(text));
        };
        Ok(Dtype { order, kind, size })
    }
}

impl Display for Dtype {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}{}{}", self.order, self.kind, self.size)
    }
}

/// A tensor as it is in a file.
#[derive(Clone, Debug)]
pub struct Array {
    pub tensor: Tensor,
    /// The type that NumPy knows.
    pub dtype: Dtype,
    /// The elements, little-endian.
    pub bytes: Vec<u8>,
}

impl Array {
    /// The type of the elements as NumPy names it; `int4` and `uint4` for packed ones.
    pub fn type_name(&self) -> String {
        let name = match self.dtype.kind {
            'b' => return "bool".into(),
            'i' => "int",
            'u' => "uint",
            _ => "float",
        };
        format!("{name}{}", self.tensor.bits)
    }

    /// The lowest and the highest number that may be written for an element, signed or as its bits.
    pub fn limits(&self) -> (i128, i128) {
        let ones = (1 << self.tensor.bits) - 1;
        match self.dtype.kind {
            'b' => (0, 1),
            'i' => (-(1 << (self.tensor.bits - 1)), ones),
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
    let text = header(&mut reader)?;
    let Header { mut dtype, fortran, shape } = Header::parse(&text)?;
    let Dtype { order, kind, size } = dtype;
    let known = "iufb".contains(kind) && [1, 2, 4, 8].contains(&size) && (kind != 'b' || size == 1);
    ensure!(known, "elements are '{dtype}'; {ALLOWED}");
    ensure!(order != '|' || size == 1, "elements are '{dtype}'; of more than a byte they begin with < or >");
    let swapped = order == '>' && size > 1;
    if swapped {
        dtype.order = '<';
    }
    let flat = shape.iter().filter(|&&size| size > 1).count() <= 1;
    ensure!(flat || !fortran, "the order is Fortran's; numpy.ascontiguousarray makes it C's");
    // As if no dimension were empty, so that strides have an end, too.
    let all = shape.iter().try_fold(size, |bytes, &size| bytes.checked_mul(size.max(1)));
    ensure!(all.is_some_and(|bytes| bytes <= LARGEST), "the shape is {shape:?}; allowed are {LARGEST} bytes in all");
    let mut tensor = Tensor::new(&shape, 8 * size as u32);
    if packed {
        let whole = size == 1 && kind != 'b';
        ensure!(whole, "elements are '{dtype}'; of packed 4-bit elements they are int8 or uint8");
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
/// Bytes of which the elements begin at a multiple.
const ALIGN: usize = 64;

/// The text of a header, behind which the elements begin.
fn header(reader: &mut impl Read) -> Result<String> {
    let mut start = Vec::new();
    reader.take(10).read_to_end(&mut start)?;
    ensure!(start.starts_with(MAGIC), "no file of NumPy: it does not begin with \\x93NUMPY; numpy.save writes one");
    let &[_, _, _, _, _, _, version, _, a, b] = start.as_slice() else { bail!("no file of NumPy: it ends too soon") };
    let length = match version {
        1 => u64::from(u16::from_le_bytes([a, b])),
        2 | 3 => {
            let mut high = [0; 2];
            reader.read_exact(&mut high).context("no file of NumPy")?;
            u64::from(u32::from_le_bytes([a, b, high[0], high[1]]))
        }
        _ => bail!("no file of NumPy: its version is {version}; allowed are 1 to 3"),
    };
    ensure!(length <= HEADER, "the header has {length} bytes; allowed are {HEADER}");
    let mut text = Vec::new();
    reader.take(length).read_to_end(&mut text)?;
    ensure!(text.len() as u64 == length, "no file of NumPy: it ends in its header");
    String::from_utf8(text).context("no file of NumPy")
}

/// What a header says.
struct Header {
    dtype: Dtype,
    fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    /// Reads a dictionary of Python: `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
    fn parse(text: &str) -> Result<Header> {
        let mut rest = Literal(text);
        let (mut dtype, mut fortran, mut shape) = (None, None, None);
        rest.expect("{")?;
        while !rest.takes("}") {
            let key = rest.string()?;
            rest.expect(":")?;
            let again = match key {
                "descr" if rest.takes("[") => bail!("elements are structures; {ALLOWED}"),
                "descr" => dtype.replace(rest.string()?.parse()?).is_some(),
                "fortran_order" => fortran.replace(rest.boolean()?).is_some(),
                "shape" => shape.replace(rest.tuple()?).is_some(),
                _ => bail!("the header has {key:?}; allowed are descr, fortran_order and shape"),
            };
            ensure!(!again, "the header has {key:?} twice");
            if !rest.takes(",") {
                rest.expect("}")?;
                break;
            }
        }
        ensure!(rest.0.trim().is_empty(), "the header goes on behind its dictionary");
        let missing = |key| move || format!("the header has no {key}");
        Ok(Header {
            dtype: dtype.with_context(missing("descr"))?,
            fortran: fortran.with_context(missing("fortran_order"))?,
            shape: shape.with_context(missing("shape"))?,
        })
    }
}

/// What is left of a text with literals of Python.
struct Literal<'a>(&'a str);

impl<'a> Literal<'a> {
    /// Whether this is next; then it is taken.
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        let shown = |text: &str| text.trim_start().chars().take(20).collect::<String>();
        ensure!(self.takes(token), "the header has {:?} where {token} is expected", shown(self.0));
        Ok(())
    }

    fn string(&mut self) -> Result<&'a str> {
        let quote = if self.takes("\"") {
            '"'
        } else {
            self.expect("'")?;
            '\''
        };
        let (text, rest) = self.0.split_once(quote).context("the header ends in a string")?;
        self.0 = rest;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool> {
        if self.takes("True") { Ok(true) } else { self.expect("False").map(|()| false) }
    }

    /// `()`, `(2,)`, `(2, 3)`, `(2, 3,)`.
    fn tuple(&mut self) -> Result<Vec<usize>> {
        let mut numbers = Vec::new();
        self.expect("(")?;
        while !self.takes(")") {
            let text = self.0.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (digits, rest) = text.split_at(end);
            let number = digits.parse();
            numbers
                .push(number.with_context(|| format!("the shape has {digits:?}; allowed are {LARGEST} bytes in all"))?);
            self.0 = rest;
            // One number without a comma is no tuple.
            if !self.takes(",") {
                ensure!(numbers.len() > 1, "the shape is a number; allowed is a tuple");
                self.expect(")")?;
                break;
            }
        }
        Ok(numbers)
    }
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
pub fn write(path: &Path, tensor: &Tensor, dtype: Dtype, bytes: &[u8]) -> Result<()> {
    let sizes: String = shape(tensor)?.iter().map(|size| format!("{size}, ")).collect();
    // As NumPy writes a tuple: the comma behind the only one stays.
    let sizes = if tensor.shape.len() == 1 { sizes.trim_end() } else { sizes.trim_end_matches(", ") };
    let text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let length = (MAGIC.len() + 4 + text.len() + 1).next_multiple_of(ALIGN) - MAGIC.len() - 4;
    let size =
        u16::try_from(length).with_context(|| format!("cannot write {}: the shape is too long", path.display()))?;
    let header = format!("{text:<width$}\n", width = length - 1);
    let file = [MAGIC, &[1, 0], &size.to_le_bytes(), header.as_bytes(), bytes].concat();
    files::write(path, &file).with_context(|| format!("cannot write {}", path.display()))
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
    fn what_is_no_header_is_refused() {
        refused("{".repeat(33).as_bytes(), "the header has \"{{{{{{{{{{{{{{{{{{{{\" where ' is expected");
        refused("[".repeat(9000).as_bytes(), "where { is expected");
        refused("{'a': [(".repeat(3).as_bytes(), "the header has \"a\"; allowed are descr, fortran_order and shape");
        refused(" ".repeat(20_000).as_bytes(), "the header has 20000 bytes; allowed are 10000");
        let long = [b"\x93NUMPY\x02\x00", &u32::MAX.to_le_bytes()[..]].concat();
        let error = parse(&long[..], false).expect_err("too long");
        assert!(error.to_string().contains("the header has 4294967295 bytes"), "{error:#}");
        // A file may end anywhere.
        for end in 0..12 {
            assert!(parse(&long[..end], false).is_err());
        }
        for (header, message) in [
            ("{}", "the header has no descr"),
            ("{'descr': '<f4', 'fortran_order': False}", "the header has no shape"),
            ("{'descr': '<f4', 'descr': '<f4'}", "the header has \"descr\" twice"),
            ("{'descr': [('x', '<f4')]}", "elements are structures; allowed are bool, int"),
            ("{'descr': '|O'}", "elements are '|O'; allowed are bool, int, uint and float of 8 to 64 bits"),
            ("{'descr': '<f4", "the header ends in a string"),
            ("{'shape': (2)}", "the shape is a number"),
            ("{'shape': (-2,)}", "the shape has \"\""),
            ("{'shape': (99999999999999999999,)}", "the shape has \"99999999999999999999\""),
            ("{'fortran_order': 0}", "where False is expected"),
            ("{'shape': (2, 3), 'descr': '|f4', 'fortran_order': False}", "of more than a byte they begin with < or >"),
            ("{'shape': (), 'descr': '<b2', 'fortran_order': False}", "allowed are bool, int, uint and float"),
            ("{'shape': (), 'descr': '<i3', 'fortran_order': False}", "allowed are bool, int, uint and float"),
            ("{'shape': (), 'descr': '<i4', 'fortran_order': False} 1", "goes on behind its dictionary"),
        ] {
            refused(header.as_bytes(), message);
        }
    }

    #[test]
    fn headers_are_read_as_python_does() {
        for (text, shape, fortran) in [
            ("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }   \n", vec![2, 3], false),
            ("{\"shape\":(7,),\"fortran_order\":True,\"descr\":\"<i2\"}", vec![7], true),
            (" { 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , 'descr' : '<i2' } ", vec![2, 3], false),
            ("{'descr': '<i2', 'fortran_order': False, 'shape': ()}", vec![], false),
        ] {
            let header = Header::parse(text).expect(text);
            assert_eq!((header.shape, header.fortran, header.dtype.to_string()), (shape, fortran, "<i2".into()));
        }
    }
}
