// SPDX-License-Identifier: Apache-2.0
//! Compiles the bridge to C++. Models are made when the program runs (`src/unit`), so this needs no Verilator.

fn main() {
    println!("cargo::rerun-if-changed=src/unit/bridge.rs");
    println!("cargo::rerun-if-changed=cpp/model.h");
    cxx_build::CFG.include_prefix = "cosim";
    cxx_build::bridge("src/unit/bridge.rs").std("c++17").compile("cosim_bridge");
}
