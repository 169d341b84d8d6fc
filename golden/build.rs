// SPDX-License-Identifier: Apache-2.0
//! A file that is added to configs/ makes a new program; cargo itself sees only changes of files that it knows.

fn main() {
    println!("cargo::rerun-if-changed=configs");
}
