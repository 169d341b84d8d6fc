// SPDX-License-Identifier: Apache-2.0
//! Operators on whole tensors: what `kernels` plans, on RTL and model.

pub mod chart;
pub mod execute;
pub mod networks;
pub mod npy;
pub mod soc_examples;
pub mod workloads;
