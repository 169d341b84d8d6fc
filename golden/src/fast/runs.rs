// SPDX-License-Identifier: Apache-2.0
//! Moving runs of elements. Data is moved in runs of whole bytes; when a run is an odd number of 4-bit elements, the
//! data is first spread out to one byte for each element.

/// Register contents as an instruction that moves elements sees them.
pub(super) struct Runs {
    /// The sources, in units of `run`.
    pub source: Vec<u8>,
    /// Bytes in one run.
    pub run: usize,
    spread: bool,
}

impl Runs {
    /// `source` seen as runs of `elements` elements of `bits` bits.
    pub(super) fn new(source: Vec<u8>, elements: usize, bits: u32) -> Self {
        let run_bits = elements * bits as usize;
        if run_bits.is_multiple_of(8) {
            Self { source, run: run_bits / 8, spread: false }
        } else {
            let nibbles = source.iter().flat_map(|byte| [byte & 15, byte >> 4]).collect();
            Self { source: nibbles, run: elements, spread: true }
        }
    }

    /// A result of `bytes` bytes of a register, all zero, in the same form as the source.
    pub(super) fn zeros(&self, bytes: usize) -> Vec<u8> {
        vec![0; if self.spread { 2 * bytes } else { bytes }]
    }

    /// A result back in the form that it has in a register.
    pub(super) fn pack(&self, result: Vec<u8>) -> Vec<u8> {
        if self.spread { result.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4).collect() } else { result }
    }
}

/// Copies one run. The short ones are spelled out because a call of `memcpy` costs more than they do.
#[inline(always)]
pub(super) fn copy_run(to: &mut [u8], from: &[u8]) {
    match (to, from) {
        ([to], [from]) => *to = *from,
        ([t0, t1], [f0, f1]) => (*t0, *t1) = (*f0, *f1),
        ([t0, t1, t2, t3], [f0, f1, f2, f3]) => (*t0, *t1, *t2, *t3) = (*f0, *f1, *f2, *f3),
        (to, from) => to.copy_from_slice(from),
    }
}
