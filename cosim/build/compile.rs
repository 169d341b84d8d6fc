// SPDX-License-Identifier: Apache-2.0
//! Compiles the models in parallel, and keeps what has not changed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};

use crate::glue;
use crate::model::{Kind, Model};
use crate::store::Store;
use crate::verilator::Tool;

/// The C++ compiler as `cxx_build` would call it.
pub struct Compiler {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// Folders of this build only: what is shared between builds must do without.
    local: Vec<OsString>,
    archiver: PathBuf,
}

impl Compiler {
    /// Takes compiler and flags from `bridge`, whose generated headers are below `out`.
    pub fn new(bridge: &cc::Build, out: &Path) -> Result<Compiler> {
        let tool = bridge.try_get_compiler().context("no C++ compiler")?;
        let (mut arguments, mut local) = (Vec::new(), Vec::new());
        let mut all = tool.args().iter().cloned();
        while let Some(argument) = all.next() {
            if argument == "-I"
                && let Some(folder) = all.next()
            {
                let list = if Path::new(&folder).starts_with(out) { &mut local } else { &mut arguments };
                list.extend([argument, folder]);
            } else {
                arguments.push(argument);
            }
        }
        // One set of macros for all models and the shared run time: mixing them breaks the ABI.
        let flags = "-DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVM_COVERAGE=0 -DVM_SC=0 \
                     -DVL_USER_STOP -DVL_USER_FATAL -DVL_USER_FINISH -faligned-new -g0 -w";
        arguments.extend(flags.split_whitespace().map(Into::into));
        for folder in [out.join("cxxbridge/include"), std::env::current_dir()?.join("cpp")] {
            local.extend(["-I".into(), folder.into()]);
        }
        let archiver = bridge.get_archiver().get_program().into();
        Ok(Compiler { program: tool.path().into(), arguments, local, archiver })
    }

    /// Compiles a source that depends on nothing of this build.
    fn compile(&self, source: &Path, optimise: &str) -> Result<PathBuf> {
        self.compile_with(source, optimise, &[])
    }

    fn compile_with(&self, source: &Path, optimise: &str, more: &[OsString]) -> Result<PathBuf> {
        let object = source.with_extension("o");
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(more).arg(optimise).arg("-c").arg(source).arg("-o").arg(&object);
        run(command)?;
        Ok(object)
    }

    fn archive(&self, library: &Path, objects: &[PathBuf]) -> Result<()> {
        // The archiver adds to a library that is there already.
        let _ = std::fs::remove_file(library);
        let mut command = Command::new(&self.archiver);
        command.arg("crs").arg(library).args(objects);
        run(command)
    }

    /// All that has an influence on the objects beside their sources.
    fn key(&self) -> String {
        format!("{} {:?}\n", self.program.display(), self.arguments)
    }
}

/// Builds a static library for each model, and one for the run time, in `out`/lib.
///
/// # Errors
/// The first failure, with the messages of the tool.
pub fn build_all(tool: &Tool, compiler: &Compiler, models: &[Model], out: &Path) -> Result<()> {
    let headers: String =
        ["model.h", "verilated_model.h", "verilated_coverage.h", "verilated_decoder.h", "../src/bridge.rs"]
            .map(|name| format!("cpp/{name}"))
            .iter()
            .map(read)
            .collect::<Result<_>>()?;
    let common = format!("{}\n{}", tool.version, compiler.key());
    std::fs::create_dir_all(out.join("lib"))?;
    let store = Store::open(out)?;
    let globals = Mutex::new(BTreeSet::new());
    // The slow ones first, so that no worker is left alone with one at the end.
    let mut jobs: Vec<&Model> = models.iter().collect();
    jobs.sort_by_key(|m| (m.kind.is_decoder(), m.kind != Kind::Fast, std::cmp::Reverse(m.config.lanes)));
    in_parallel(&jobs, |model| {
        let names = build(tool, compiler, &store, model, [&common, &headers], out)
            .with_context(|| format!("model {} of configuration {}", model.prefix, model.config.name))?;
        lock(&globals).extend(names);
        Ok(())
    })?;
    let globals: Vec<String> = globals.into_inner().unwrap_or_default().into_iter().collect();
    runtime(tool, compiler, &globals, &common, out).context("run time of Verilator")
}

/// Builds one model unless its library is up to date; gives the run-time files that it needs. `common` is what all
/// objects depend on, `headers` what the glue depends on beside that.
fn build(
    tool: &Tool,
    compiler: &Compiler,
    store: &Store,
    model: &Model,
    [common, headers]: [&str; 2],
    out: &Path,
) -> Result<Vec<String>> {
    let mut key = format!("{common}{:?}\n", model.flags());
    for file in &model.files {
        key.push_str(&format!("{}\n{}", file.name, file.text));
    }
    let slot = store.slot(&model.prefix, &key)?;
    let [fast, slow] = ["all_fast.cpp", "all_slow.cpp"].map(|name| slot.folder.join(name));
    let lists = slot.folder.join(format!("{}_classes.mk", model.prefix));
    if !slot.is_filled() {
        slot.clear()?;
        tool.run(model, &slot.folder)?;
        let classes = read(&lists)?;
        let unity = |path: &Path, lists: [&str; 2]| -> Result<()> {
            let files = lists.iter().flat_map(|list| make_list(&classes, list));
            Ok(std::fs::write(path, files.map(|f| format!("#include \"{f}.cpp\"\n")).collect::<String>())?)
        };
        unity(&fast, ["VM_CLASSES_FAST", "VM_SUPPORT_FAST"])?;
        unity(&slow, ["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW"])?;
        compiler.compile(&fast, model.optimise())?;
        compiler.compile(&slow, "-O0")?;
        slot.fill()?;
        store.prune(&model.prefix);
    }
    let folder = out.join("glue");
    let [glue, glue_stamp] = ["cpp", "txt"].map(|extension| folder.join(format!("{}.{extension}", model.prefix)));
    let library = out.join("lib").join(format!("lib{}.a", model.prefix));
    let source = glue::source(model);
    let glue_key = [headers, &source, &key].concat();
    if !(library.exists() && is(&glue_stamp, &glue_key)) {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(&glue, source)?;
        let includes = [&compiler.local[..], &["-I".into(), slot.folder.clone().into()]].concat();
        compiler.compile_with(&glue, "-O2", &includes)?;
        compiler.archive(&library, &[fast, slow, glue].map(|path| path.with_extension("o")))?;
        std::fs::write(&glue_stamp, glue_key)?;
    }
    let classes = read(&lists)?;
    Ok(["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"].iter().flat_map(|list| make_list(&classes, list)).collect())
}

/// Whether the file has exactly these contents.
fn is(path: &Path, text: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|old| old == text)
}

/// Builds the part of Verilator that all models share.
fn runtime(tool: &Tool, compiler: &Compiler, names: &[String], common: &str, out: &Path) -> Result<()> {
    let folder = out.join("verilated/runtime");
    let library = out.join("lib/libverilated_runtime.a");
    let stamp = folder.join("inputs.txt");
    let key = format!("{common}{names:?}");
    if library.exists() && is(&stamp, &key) {
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    let objects = Mutex::new(Vec::new());
    in_parallel(names, |name| {
        let source = folder.join(format!("{name}_unit.cpp"));
        let file = tool.include().join(format!("{name}.cpp"));
        std::fs::write(&source, format!("#include \"{}\"\n", file.display()))?;
        let object = compiler.compile(&source, "-O2")?;
        lock(&objects).push(object);
        Ok(())
    })?;
    compiler.archive(&library, &objects.into_inner().unwrap_or_default())?;
    Ok(std::fs::write(&stamp, key)?)
}

/// The words of the variable `name` in one of the file lists that Verilator writes for make.
fn make_list(text: &str, name: &str) -> Vec<String> {
    let Some(start) = text.find(&format!("{name} += \\\n")) else { return Vec::new() };
    let lines = text[start..].lines().skip(1);
    lines.map(|l| l.trim().trim_end_matches('\\').trim()).take_while(|l| !l.is_empty()).map(str::to_owned).collect()
}

/// Calls `work` for every job, on as many threads as cargo allows.
fn in_parallel<T: Sync>(jobs: &[T], work: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let threads = std::env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(2usize);
    let queue = Mutex::new(jobs.iter());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                while lock(&failure).is_none() {
                    let Some(job) = lock(&queue).next() else { break };
                    if let Err(error) = work(job) {
                        lock(&failure).get_or_insert(error);
                    }
                }
            });
        }
    });
    failure.into_inner().map_err(|_| anyhow!("a worker died"))?.map_or(Ok(()), Err)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn run(mut command: Command) -> Result<()> {
    let done = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    if !done.status.success() {
        bail!("{command:?} fails:\n{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(())
}

fn read(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file unless it has these contents already, so that its time stamp stays.
pub fn write_if_changed(path: &Path, text: &str) -> Result<()> {
    if is(path, text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
