// SPDX-License-Identifier: Apache-2.0
//! What everything else builds on: text for the terminal, tables, threads, signals, random draws.

pub mod arguments;
pub mod clone;
pub mod draw;
pub mod ending;
pub mod html;
pub mod interrupt;
pub mod junit;
pub mod median;
pub mod output;
pub mod parallel;
pub mod shell;
pub mod signals;
pub mod table;
