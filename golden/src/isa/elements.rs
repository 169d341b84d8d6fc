// SPDX-License-Identifier: Apache-2.0
//! Elements of registers, literally as docs/isa.md has them ("Element type", "Block"). Slow, and obvious.

/// Element n of a register, where elements have `e` bits: its bits n*e to n*e + e - 1, where bit b of a register is bit
/// b mod 8 of byte b / 8.
pub(super) fn element(register: &[u8], n: usize, e: u32) -> u32 {
    let bit = |b: usize| u32::from(register[b / 8] >> (b % 8) & 1);
    (0..e).fold(0, |value, i| value | bit(n * e as usize + i as usize) << i)
}

/// Puts the low `e` bits of `value` into element n.
pub(super) fn set_element(register: &mut [u8], n: usize, e: u32, value: u32) {
    for i in 0..e {
        let b = n * e as usize + i as usize;
        let bit = (value >> i & 1) as u8;
        register[b / 8] = register[b / 8] & !(1 << (b % 8)) | bit << (b % 8);
    }
}

/// The number of the element at `index` in a row-major tensor.
pub(super) fn row_major<const N: usize>(sizes: [usize; N], index: [usize; N]) -> usize {
    sizes.into_iter().zip(index).fold(0, |n, (size, i)| n * size + i)
}

/// The indices of all elements of a tensor.
pub(super) fn indices<const N: usize>(sizes: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    (0..sizes.into_iter().product()).map(move |mut n: usize| {
        let mut index = [0; N];
        for (i, size) in index.iter_mut().zip(sizes).rev() {
            (*i, n) = (n % size, n / size);
        }
        index
    })
}
