// SPDX-License-Identifier: Apache-2.0
//! Elements of registers, as docs/isa.md has them ("Element type", "Block").

/// Element n of a register, where elements have `e` bits, 4, 8, 16 or 32: its bits n*e to n*e + e - 1, where bit b of a
/// register is bit b mod 8 of byte b / 8.
pub(super) fn element(register: &[u8], n: usize, e: u32) -> u32 {
    match e {
        4 => u32::from(register[n / 2] >> (4 * (n % 2)) & 15),
        8 => u32::from(register[n]),
        16 => u32::from(register[2 * n]) | u32::from(register[2 * n + 1]) << 8,
        _ => register[4 * n..4 * n + 4].iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)),
    }
}

/// Puts the low `e` bits of `value` into element n.
pub(super) fn set_element(register: &mut [u8], n: usize, e: u32, value: u32) {
    let bytes = value.to_le_bytes();
    match e {
        4 => {
            let shift = 4 * (n % 2);
            register[n / 2] = register[n / 2] & !(15 << shift) | (bytes[0] & 15) << shift;
        }
        8 => register[n] = bytes[0],
        16 => register[2 * n..2 * n + 2].copy_from_slice(&bytes[..2]),
        _ => register[4 * n..4 * n + 4].copy_from_slice(&bytes),
    }
}

/// The number of the element at `index` in a row-major tensor.
pub(super) fn row_major<const N: usize>(sizes: [usize; N], index: [usize; N]) -> usize {
    sizes.into_iter().zip(index).fold(0, |n, (size, i)| n * size + i)
}

/// The indices of all elements of a tensor, row-major.
pub(super) fn indices<const N: usize>(sizes: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    let mut next = [0; N];
    (0..sizes.into_iter().product::<usize>()).map(move |_| {
        let index = next;
        for (i, size) in next.iter_mut().zip(sizes).rev() {
            *i += 1;
            if *i < size {
                break;
            }
            *i = 0;
        }
        index
    })
}
