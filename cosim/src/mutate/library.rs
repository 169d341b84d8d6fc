// SPDX-License-Identifier: Apache-2.0
//! The netlist with its mutants as a shared library that gives the same C++ model as those that are built in.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail, ensure};
use cxx::UniquePtr;

use super::netlist;
use super::tools::{Tools, run};
use crate::bridge::ffi::Model;
use crate::target::Target;

#[path = "../../build/unit.rs"]
mod unit;

/// Prefix of the C++ classes.
const PREFIX: &str = "Vmutants";

/// Name of the factory in the library.
const FACTORY: &str = "tl_mutants_make";

/// Headers of the bench that the library is compiled with: the very ones that this program was.
const HEADERS: [(&str, &str); 4] = [
    ("cosim/cpp/model.h", include_str!("../../cpp/model.h")),
    ("verilated_model.h", include_str!("../../cpp/verilated_model.h")),
    ("cosim/src/bridge.rs.h", include_str!(concat!(env!("OUT_DIR"), "/cxxbridge/include/cosim/src/bridge.rs.h"))),
    ("rust/cxx.h", include_str!(concat!(env!("OUT_DIR"), "/cxxbridge/include/rust/cxx.h"))),
];

/// In the place of Verilator's own: there are no waveforms here, and its run time takes long to compile.
const NO_WAVES: (&str, &str) = (
    "verilated_fst_c.h",
    "#pragma once\n#include <cstdint>\nstruct VerilatedFstC {\n  void open(const char *) {}\n  \
     bool isOpen() const { return false; }\n  void close() {}\n  void dump(std::uint64_t) {}\n};\n",
);

/// What Verilator calls when the RTL fails, as in cpp/model.cpp.
const STOPS: &str = "
void vl_stop(const char *file, int line, const char *scope) VL_MT_UNSAFE {
  throw std::runtime_error(std::string(\"the RTL stopped in \") + scope + \", \" + file + \":\" + std::to_string(line));
}
void vl_finish(const char *file, int line, const char *scope) VL_MT_UNSAFE { vl_stop(file, line, scope); }
void vl_fatal(const char *file, int line, const char *scope, const char *message) VL_MT_UNSAFE {
  throw std::runtime_error(std::string(\"the RTL failed in \") + scope + \", \" + file + \":\" + std::to_string(line) +
                           \": \" + message);
}
";

/// Verilates and compiles the netlist in `folder`, with `jobs` compilers at a time.
///
/// # Errors
/// With the messages of the tool that fails.
pub fn build(tools: &Tools, target: &Target, folder: &Path, jobs: usize) -> Result<PathBuf> {
    let generated = folder.join("cpp");
    let _ = fs::remove_dir_all(&generated);
    verilate(tools, folder)?;
    for (name, text) in HEADERS.iter().chain([&NO_WAVES]) {
        let path = generated.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&generated))?;
        fs::write(path, text)?;
    }
    fs::write(generated.join("glue.cpp"), glue(target, &generated)?)?;
    let mut sources: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&generated)? {
        sources.push(entry?.path());
    }
    sources.retain(|path| path.extension() == Some(OsStr::new("cpp")));
    let lists = fs::read_to_string(generated.join(format!("{PREFIX}_classes.mk")))?;
    sources.extend(runtime(&lists).iter().map(|name| tools.include.join(name).with_extension("cpp")));
    sources.sort();
    let objects = compile(tools, &generated, &sources, jobs)?;
    let library = folder.join("libmutants.so");
    let mut link = Command::new(&tools.compiler);
    link.args(["-shared", "-o"]).arg(&library).args(objects).arg("-pthread");
    run(link, "the linker")?;
    Ok(library)
}

fn verilate(tools: &Tools, folder: &Path) -> Result<()> {
    let mut verilator = Command::new(&tools.verilator);
    verilator.current_dir(folder).args(["--cc", "--top-module", "tl_top", "--prefix", PREFIX, "-Mdir", "cpp"]);
    verilator.args(["--assert", "--x-assign", "unique", "--x-initial", "unique", "-O3"]);
    // Small files and functions: the compiler's time grows faster than their size.
    verilator.args(["--output-split", "10000", "--output-split-cfuncs", "500"]);
    // A netlist is not written for the eye; but a net that the probe names must be there.
    verilator.args(["-Wno-lint", "-Wno-UNOPTFLAT", "-Wwarn-IMPLICIT", "-Wwarn-UNDRIVEN"]);
    verilator.args(["tl_bench.vlt", "tl_pkg.sv", "tl_mutant_select.sv", netlist::MUTANTS, "tl_probe.sv"]);
    run(verilator, "Verilator").map(|_| ())
}

/// The factory, and other names for what the bench reads: a generate block is part of an instance's name in a netlist.
fn glue(target: &Target, generated: &Path) -> Result<String> {
    let root = format!("{PREFIX}___024root.h");
    let text = fs::read_to_string(generated.join(&root))?;
    let words: BTreeSet<&str> = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let mut names = String::new();
    for word in words.iter().filter(|word| word.ends_with("__DOT__mem")) {
        let mut usual = (*word).to_owned();
        for (code, name) in [("__05b", "__BRA__"), ("__05d", "__KET__"), ("__02e", "__DOT__")] {
            usual = usual.replace(code, name).replace(&code.to_uppercase(), name);
        }
        if usual != *word {
            names.push_str(&format!("#define {usual} {word}\n"));
        }
    }
    let (definition, class) = unit::class(PREFIX, &target.rtl, [false, false]);
    Ok(format!(
        "#include \"{PREFIX}.h\"\n#include \"{root}\"\n{names}#include \"verilated_model.h\"\n{STOPS}\n\
         static thread_local std::uint32_t number;\n\
         extern \"C\" int tl_mutant_number() {{ return static_cast<int>(number); }}\n\
         namespace cosim {{\n{definition}\
         extern \"C\" __attribute__((visibility(\"default\")))\n\
         Model *{FACTORY}(std::uint64_t seed, std::uint32_t mutant) try {{\n  number = mutant;\n  \
         return new {class}(seed);\n}} catch (const std::exception &) {{\n  return nullptr;\n}}\n\
         }}  // namespace cosim\n"
    ))
}

/// The files of Verilator's run time that the file lists name.
fn runtime(lists: &str) -> Vec<String> {
    let Some(start) = lists.find("VM_GLOBAL_FAST += \\\n") else { return Vec::new() };
    let lines = lists[start..].lines().skip(1).map(|line| line.trim().trim_end_matches('\\').trim());
    lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn compile(tools: &Tools, generated: &Path, sources: &[PathBuf], jobs: usize) -> Result<Vec<PathBuf>> {
    let queue = Mutex::new(sources.iter());
    let done = Mutex::new(Ok(Vec::new()));
    let next = || queue.lock().ok()?.next();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(source) = next() {
                    let object = compile_one(tools, generated, source);
                    let Ok(mut done) = done.lock() else { break };
                    match (&mut *done, object) {
                        (Ok(objects), Ok(object)) => objects.push(object),
                        (Ok(_), Err(error)) => *done = Err(error),
                        (Err(_), _) => break,
                    }
                }
            });
        }
    });
    let mut objects = done.into_inner().map_err(|_| anyhow!("a compiling thread died"))??;
    objects.sort();
    Ok(objects)
}

fn compile_one(tools: &Tools, generated: &Path, source: &Path) -> Result<PathBuf> {
    let Some(name) = source.file_stem().and_then(OsStr::to_str) else { bail!("a file without a name") };
    let object = generated.join(format!("{name}.o"));
    let mut command = Command::new(&tools.compiler);
    command.args("-std=c++17 -fPIC -fvisibility=hidden -faligned-new -w -c".split(' '));
    command.args("-DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -DVL_USER_STOP -DVL_USER_FATAL -DVL_USER_FINISH".split(' '));
    // The slow ones run once.
    command.arg(if name.contains("Slow") || name.ends_with("Syms") { "-O0" } else { "-O1" });
    for folder in [generated, &tools.include, &tools.include.join("vltstd")] {
        command.arg("-I").arg(folder);
    }
    command.arg(source).arg("-o").arg(&object);
    run(command, "the C++ compiler")?;
    Ok(object)
}

/// A library that has been loaded.
pub struct Library {
    // Also keeps the code of the models in memory.
    library: libloading::Library,
}

impl Library {
    /// Loads what [`build`] made. It must outlive its models: the worker process keeps it to its end.
    ///
    /// # Errors
    /// When it cannot be loaded.
    pub fn load(path: &Path) -> Result<Library> {
        // SAFETY: a library that this program has just built; loading it runs the constructors of Verilator's run time.
        let library = unsafe { libloading::Library::new(path) };
        Ok(Library { library: library.with_context(|| format!("cannot load {}", path.display()))? })
    }

    /// A model with this mutant active, 0 for none; `seed` fills all that reset leaves alone.
    ///
    /// # Errors
    /// When the library has no factory, or the RTL fails before its reset.
    pub fn model(&self, seed: u64, mutant: u32) -> Result<UniquePtr<Model>> {
        // SAFETY: the signature is the one in `glue`, which was compiled with the headers of this program.
        let make = unsafe { self.library.get::<unsafe extern "C" fn(u64, u32) -> *mut Model>(FACTORY.as_bytes()) };
        let make = make.context("the library has no factory")?;
        // SAFETY: the factory gives an object that was made with `new`, and its owner is the caller.
        let model = unsafe { UniquePtr::from_raw(make(seed, mutant)) };
        ensure!(!model.is_null(), "the RTL failed before its reset");
        Ok(model)
    }
}
