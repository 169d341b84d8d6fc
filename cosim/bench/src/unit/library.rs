// SPDX-License-Identifier: Apache-2.0
//! A model as a shared library that has been loaded.

use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cxx::UniquePtr;
use libloading::os::unix::{Library as Posix, RTLD_LOCAL, RTLD_NOW};

use super::bridge::ffi::{Decoder, Model};
use super::glue::{MAKE_DECODER, MAKE_MODEL, UNSEEN};

/// A library; it must outlive its models.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    // Also keeps the code of the models in memory.
    library: libloading::Library,
}

impl Library {
    /// Loads what [`super::make::make`] made, with all that it needs: a symbol that is missing is an error now.
    ///
    /// # Errors
    /// When it cannot be loaded.
    pub fn load(path: &Path) -> Result<Library> {
        // SAFETY: a library that the bench has made, for itself; loading it runs the constructors of Verilator's run time.
        let library = unsafe { Posix::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let library = library.with_context(|| format!("cannot load the model {}", path.display()))?;
        Ok(Library { path: path.to_owned(), library: library.into() })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A unit with this planted fault or mutant, 0 for none; `seed` fills all that reset leaves alone.
    ///
    /// # Errors
    /// When this is no unit, or the RTL fails before its reset.
    pub fn model(&self, seed: u64, selection: u32) -> Result<UniquePtr<Model>> {
        // SAFETY: the signature is the one in `glue`, which was compiled with the headers of this program.
        let make = unsafe { self.library.get::<unsafe extern "C" fn(u64, u32) -> *mut Model>(MAKE_MODEL.as_bytes()) };
        let make = make.with_context(|| format!("{} is no model of the unit", self.path.display()))?;
        // SAFETY: the factory gives an object that was made with `new`, and its owner is the caller.
        let model = unsafe { UniquePtr::from_raw(make(seed, selection)) };
        ensure!(!model.is_null(), "the RTL failed before its reset");
        Ok(model)
    }

    /// A decoder.
    ///
    /// # Errors
    /// When this is none.
    pub fn decoder(&self) -> Result<UniquePtr<Decoder>> {
        // SAFETY: as in `model`.
        let make = unsafe { self.library.get::<unsafe extern "C" fn() -> *mut Decoder>(MAKE_DECODER.as_bytes()) };
        let make = make.with_context(|| format!("{} is no decoder", self.path.display()))?;
        // SAFETY: as in `model`.
        Ok(unsafe { UniquePtr::from_raw(make()) })
    }

    /// What the bench should see through the probe and does not find in the RTL: memories, by their names.
    pub fn unseen(&self) -> Vec<String> {
        // SAFETY: as in `model`; the text is a literal of the library.
        let text = unsafe {
            let names = self.library.get::<unsafe extern "C" fn() -> *const c_char>(UNSEEN.as_bytes());
            names.map(|names| CStr::from_ptr(names()).to_string_lossy().into_owned())
        };
        text.unwrap_or_default().lines().map(str::to_owned).collect()
    }
}
