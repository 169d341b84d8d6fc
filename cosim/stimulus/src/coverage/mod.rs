// SPDX-License-Identifier: Apache-2.0
//! Functional coverage: which situations the stimulus has brought about, out of a table of those that matter.

mod axis;
pub mod bins;
pub mod collect;
pub mod facts;
pub mod file;
pub mod group;
pub mod history;
pub mod hits;
mod host;
pub mod html;
pub mod instructions;
mod names;
pub mod operation;
pub mod report;
pub mod rtl;
pub mod rules;
pub mod steer;
pub mod table;
pub mod table_control;
pub mod table_matrix;
pub mod table_revision;
pub mod values;
mod values_matrix;
