// SPDX-License-Identifier: Apache-2.0
//! C programs: the compiler, the runtime, the intrinsics.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler: Debian's package gcc-riscv64-unknown-elf.
pub const COMPILER: &str = "riscv64-unknown-elf-gcc";

/// Why there is no ELF file.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler cannot be started.
    #[error("cannot run {COMPILER} (package gcc-riscv64-unknown-elf; `make setup-test-all` installs it): {0}")]
    Missing(#[source] std::io::Error),
    /// The compiler reports errors.
    #[error("{COMPILER} fails\n{0}")]
    Failed(String),
}

/// The folder of this crate, where its C files are.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles C files to an ELF file for the host, with the runtime and the intrinsics. `options` go to the compiler as
/// they are: `-DWIDTH=32`.
///
/// # Errors
/// If the compiler is missing or reports errors.
pub fn compile(sources: &[&Path], options: &[&str], elf: &Path) -> Result<(), CompileError> {
    let runtime = folder().join("runtime");
    let mut command = Command::new(COMPILER);
    command.args([
        "-march=rv32im",
        "-mabi=ilp32",
        "-nostdlib",
        "-ffreestanding",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wl,--no-warn-rwx-segments",
    ]);
    command.args(options).arg("-I").arg(folder().join("include")).arg("-T").arg(runtime.join("link.ld"));
    command.arg(runtime.join("crt0.S")).arg(runtime.join("memory.c")).args(sources).arg("-lgcc").arg("-o").arg(elf);
    let output = command.output().map_err(CompileError::Missing)?;
    if output.status.success() && elf.exists() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    let silent = || format!("it makes no {}, without a message: {}", elf.display(), output.status);
    Err(CompileError::Failed(if said.is_empty() { silent() } else { said }))
}
