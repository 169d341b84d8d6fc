// SPDX-License-Identifier: Apache-2.0
//! A model as a shared library that has been loaded.

use std::ffi::CString;
use std::mem::zeroed;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use libloading::os::unix::{Library as Posix, RTLD_LOCAL, RTLD_NOW};

use super::make::MADE;
use crate::base::signals;

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
    /// When it cannot be loaded; the message names the variable `place` if another place for models helps.
    pub fn load(path: &Path, place: &str) -> Result<Library> {
        if let Ok(made) = files::read_text(&path.with_file_name(MADE), files::CONFIGURATION) {
            signals::add_to_last_words(made.trim_end());
        }
        // SAFETY: a library that the bench has made, for itself; loading it runs the constructors of Verilator's run
        // time.
        let library = unsafe { Posix::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let why = || {
            let hint = format!(" from a file system that is mounted `noexec` ({place} names another place)");
            if is_noexec(path) { hint } else { String::new() }
        };
        let library = library.with_context(|| format!("cannot load the model {}{}", path.display(), why()))?;
        Ok(Library { path: path.to_owned(), library: library.into() })
    }

    /// The function `name` of the library.
    ///
    /// # Errors
    /// When there is none.
    ///
    /// # Safety
    /// `F` must be the type of a pointer to this function.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F> {
        // SAFETY: the caller's.
        let found = unsafe { self.library.get::<F>(name.as_bytes()) };
        found.map(|function| *function).with_context(|| format!("{} has no {name}", self.path.display()))
    }
}

/// Whether nothing may be executed of the file system that a file is on.
fn is_noexec(path: &Path) -> bool {
    let Ok(name) = CString::new(path.as_os_str().as_encoded_bytes()) else { return false };
    // SAFETY: a record of plain numbers, and a system call that fills it.
    let (done, about) = unsafe {
        let mut about: libc::statvfs = zeroed();
        (libc::statvfs(name.as_ptr(), &mut about), about)
    };
    done == 0 && about.f_flag & libc::ST_NOEXEC != 0
}
