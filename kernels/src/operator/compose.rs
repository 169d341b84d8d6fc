// SPDX-License-Identifier: Apache-2.0
//! Layouts that networks use, as reshape, transpose, reshape.

use super::{Operator, OperatorError, refuse};
use crate::tensor::Tensor;

/// The shape as sizes with these names.
fn sizes<const N: usize>(x: &Tensor, names: &str) -> Result<[usize; N], OperatorError> {
    let Ok(sizes) = x.shape.clone().try_into() else {
        refuse!("shape {:?}; allowed is {names}", x.shape);
    };
    Ok(sizes)
}

fn divides(what: &str, part: usize, name: &str, size: usize) -> Result<(), OperatorError> {
    if part == 0 || !size.is_multiple_of(part) {
        refuse!("{what} {part} of {name} = {size}; allowed is a divisor");
    }
    Ok(())
}

impl Operator {
    /// Windows of an image [N, H, W, C], each `window` x `window` pixels: [N * windows, window, window, C].
    ///
    /// # Errors
    /// When the windows do not fit.
    pub fn window_partition(x: &Tensor, window: usize) -> Result<Operator, OperatorError> {
        let [n, h, w, c] = sizes(x, "[N, H, W, C]")?;
        divides("window", window, "H", h)?;
        divides("window", window, "W", w)?;
        let view = vec![n, h / window, window, w / window, window, c];
        let shape = vec![n * (h / window) * (w / window), window, window, c];
        Ok(Operator::Rearrange { view, perm: vec![0, 1, 3, 2, 4, 5], shape })
    }

    /// Patches of an image [C, H, W], one behind the other: [patches, C * patch * patch].
    ///
    /// # Errors
    /// When the patches do not fit.
    pub fn patchify(x: &Tensor, patch: usize) -> Result<Operator, OperatorError> {
        let [c, h, w] = sizes(x, "[C, H, W]")?;
        divides("patch", patch, "H", h)?;
        divides("patch", patch, "W", w)?;
        let view = vec![c, h / patch, patch, w / patch, patch];
        let shape = vec![(h / patch) * (w / patch), c * patch * patch];
        Ok(Operator::Rearrange { view, perm: vec![1, 3, 0, 2, 4], shape })
    }

    /// Heads of [tokens, heads * size]: [heads, tokens, size].
    ///
    /// # Errors
    /// When the heads do not fit.
    pub fn split_heads(x: &Tensor, heads: usize) -> Result<Operator, OperatorError> {
        let [tokens, width] = sizes(x, "[tokens, heads * size]")?;
        divides("heads", heads, "the width", width)?;
        let size = width / heads;
        Ok(Operator::Rearrange {
            view: vec![tokens, heads, size],
            perm: vec![1, 0, 2],
            shape: vec![heads, tokens, size],
        })
    }

    /// The inverse of [`Operator::split_heads`].
    ///
    /// # Errors
    /// For another rank than 3.
    pub fn merge_heads(x: &Tensor) -> Result<Operator, OperatorError> {
        let [heads, tokens, size] = sizes(x, "[heads, tokens, size]")?;
        Ok(Operator::Rearrange { view: x.shape.clone(), perm: vec![1, 0, 2], shape: vec![tokens, heads * size] })
    }

    /// Keys [tokens, heads, size] as pages of `page` tokens: [pages, heads, size / pack, page, pack].
    ///
    /// # Errors
    /// When pages or packs do not fit.
    pub fn page_keys(x: &Tensor, page: usize, pack: usize) -> Result<Operator, OperatorError> {
        let [tokens, heads, size] = sizes(x, "[tokens, heads, size]")?;
        divides("page", page, "tokens", tokens)?;
        divides("pack", pack, "the size", size)?;
        let view = vec![tokens / page, page, heads, size / pack, pack];
        let shape = vec![tokens / page, heads, size / pack, page, pack];
        Ok(Operator::Rearrange { view, perm: vec![0, 2, 3, 1, 4], shape })
    }

    /// Each group of eight elements in the order 0, 2, 4, 6, 1, 3, 5, 7, as kernels for weights of 4 bits have them.
    ///
    /// # Errors
    /// When the innermost size is no multiple of 8.
    pub fn interleave_weights(x: &Tensor) -> Result<Operator, OperatorError> {
        divides("groups of", 8, "the innermost dimension", x.shape.last().copied().unwrap_or(1))?;
        let view = vec![x.elements() / 8, 4, 2];
        Ok(Operator::Rearrange { view, perm: vec![0, 2, 1], shape: x.shape.clone() })
    }
}
