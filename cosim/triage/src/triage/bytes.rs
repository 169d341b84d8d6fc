// SPDX-License-Identifier: Apache-2.0
//! Bytes of two sides as text.

/// Bytes in hexadecimal: `00 1f`.
pub fn dump(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// How many bytes differ and between which; all of them need no range.
pub fn extent(different: usize, [first, last]: [String; 2], bytes: usize) -> String {
    match different {
        1 => "one byte differs".into(),
        all if all == bytes => format!("all {bytes} bytes differ"),
        some => format!("{some} of {bytes} bytes differ, from {first} to {last}"),
    }
}
