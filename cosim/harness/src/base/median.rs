// SPDX-License-Identifier: Apache-2.0
//! The middle of measured values.

/// The median, the upper one of two; 0 of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
