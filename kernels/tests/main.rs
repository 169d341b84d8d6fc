// SPDX-License-Identifier: Apache-2.0
//! Tests of the operators and of the C header. One program, so that it is linked once and all tests share the cores.

mod common;
mod examples;
mod intrinsics;
mod operators;
mod reference;
