// SPDX-License-Identifier: Apache-2.0
//! Models of RTL, made on demand: `source` has the RTL, `recipe` says what a model is made of, `make` makes it with the
//! tools of `toolchain`, `store` keeps it in the place of a `product`, `library` loads it; `on_demand` does all of that
//! when a model is first needed.

pub mod doctor;
pub mod fault;
pub mod library;
pub mod make;
pub mod on_demand;
pub mod product;
pub mod recipe;
pub mod source;
pub mod store;
pub mod toolchain;
pub mod yosys;
