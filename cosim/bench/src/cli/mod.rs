// SPDX-License-Identifier: Apache-2.0
//! What the subcommands of the program do. Each gives whether all was well; an error is bad usage or input.

pub mod cases;
pub mod ci;
pub mod commands;
pub mod corpus;
pub mod coverage;
pub mod demo;
pub mod program;
pub mod random;
pub mod replay;
pub mod shrink;
pub mod table;
pub mod verdict;
pub mod worker;
