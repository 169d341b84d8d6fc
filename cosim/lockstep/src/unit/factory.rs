// SPDX-License-Identifier: Apache-2.0
//! Units and decoders out of a library. The signatures are those in `glue`, which was compiled with the headers of this
//! program.

use std::ffi::{CStr, c_char};

use anyhow::{Result, ensure};
use cxx::UniquePtr;

use super::bridge::ffi::{Decoder, Model};
use super::glue::{MAKE_DECODER, MAKE_MODEL, UNSEEN};
use crate::model::library::Library;

/// A unit with this planted fault or mutant, 0 for none; `seed` fills all that reset leaves alone.
///
/// # Errors
/// When the library is of no unit, or the RTL fails before its reset.
pub fn model(library: &Library, seed: u64, selection: u32) -> Result<UniquePtr<Model>> {
    // SAFETY: the signature is that of the function.
    let make = unsafe { library.function::<unsafe extern "C" fn(u64, u32) -> *mut Model>(MAKE_MODEL) }?;
    // SAFETY: the factory gives an object that was made with `new`, and its owner is the caller.
    let model = unsafe { UniquePtr::from_raw(make(seed, selection)) };
    ensure!(!model.is_null(), "the RTL failed before its reset");
    Ok(model)
}

/// A decoder.
///
/// # Errors
/// When the library is of none.
pub fn decoder(library: &Library) -> Result<UniquePtr<Decoder>> {
    // SAFETY: as in `model`.
    let make = unsafe { library.function::<unsafe extern "C" fn() -> *mut Decoder>(MAKE_DECODER) }?;
    // SAFETY: as in `model`.
    Ok(unsafe { UniquePtr::from_raw(make()) })
}

/// What the bench should see through the probe and does not find in the RTL: memories, by their names.
pub fn unseen(library: &Library) -> Vec<String> {
    // SAFETY: as in `model`; the text is a literal of the library.
    let text = unsafe {
        let names = library.function::<unsafe extern "C" fn() -> *const c_char>(UNSEEN);
        names.map(|names| CStr::from_ptr(names()).to_string_lossy().into_owned())
    };
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}
