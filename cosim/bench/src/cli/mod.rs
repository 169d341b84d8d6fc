// SPDX-License-Identifier: Apache-2.0
//! What the subcommands of the program do. Each gives whether all was well; an error is bad usage or input.

pub mod axi;
pub mod bisect;
pub mod ci;
pub mod collect;
pub mod corpus;
pub mod coverage;
pub mod decode;
pub mod demo;
pub mod ending;
pub mod faults;
pub mod op;
pub mod options;
pub mod profile;
pub mod program;
pub mod programs;
pub mod random;
pub mod regress;
pub mod replay;
pub mod run;
pub mod session;
pub mod shrink;
pub mod soc;
pub mod table;
pub mod worker;
pub mod workloads;
