// SPDX-License-Identifier: Apache-2.0
//! What the subcommands of the program do. Each gives whether all was well; an error is bad usage or input.

pub mod cases;
pub mod random;
pub mod verdict;
