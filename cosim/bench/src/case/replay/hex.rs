// SPDX-License-Identifier: Apache-2.0
//! Bytes and words in hexadecimal.

/// The bytes in lower-case hexadecimal, the first one first.
pub fn from_bytes(bytes: &[u8]) -> String {
    // A table, and not formatting: a file is written for every random case.
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value & 15)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]).collect()
}

/// The inverse of [`from_bytes`].
pub fn to_bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Exactly `digits` hexadecimal digits as a number.
pub fn to_number(text: &str, digits: usize) -> Option<u64> {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if fits { u64::from_str_radix(text, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_read_as_it_is_written() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(to_bytes(&from_bytes(&bytes)), Some(bytes));
        assert_eq!(from_bytes(&[0, 0x9a, 0xff]), "009aff");
        assert_eq!([to_bytes("0"), to_bytes("0g"), to_bytes("é")], [None, None, None]);
        assert_eq!(to_number("0000002a", 8), Some(42));
        assert_eq!([to_number("+000002a", 8), to_number("2a", 8), to_number("", 8)], [None, None, None]);
    }
}
