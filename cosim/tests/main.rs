// SPDX-License-Identifier: Apache-2.0
//! Tests of the bench and its program. One program, so that it is linked once and all tests share the cores.

mod axi;
mod bisect;
mod buckets;
mod ci;
mod cli;
mod collect;
mod coverage;
mod coverage_cli;
mod crashes;
mod cycles;
mod decode;
mod endings;
mod facts;
mod faults;
mod host;
mod hostile_files;
mod in_flight;
mod instructions;
mod matrix;
mod matrix_stimulus;
mod models;
mod mutate;
mod onnx;
mod operators;
mod ppa;
mod profile;
mod ram_macro;
mod regression;
mod replay;
mod shrink;
mod signals;
mod stimulus;
mod system;
mod triage;
mod xif;
