// SPDX-License-Identifier: Apache-2.0
//! Makes a model: Verilator, the C++ compiler, the linker.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::recipe::Recipe;
use super::source::Style;
use super::store::{Key, Store};
use super::toolchain::{Toolchain, run};
use crate::base::parallel;

/// Name of the library in its folder.
pub const LIBRARY: &str = "model.so";

/// Name of the text beside it that says what made it.
pub const MADE: &str = "made.txt";

/// Text of this file: another one makes other models.
const SELF: &str = include_str!("make.rs");

/// Options of the compiler that all objects have.
const FLAGS: [&str; 9] = [
    "-std=c++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-faligned-new",
    "-g0",
    "-w",
    "-DVL_USER_STOP",
    "-DVL_USER_FATAL",
    "-DVL_USER_FINISH",
];

/// A step in the making of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Verilator reads the RTL and writes C++.
    Verilate,
    /// A compiler makes objects of the C++.
    Compile,
    /// The objects become a library.
    Link,
}

impl Phase {
    /// The phases in order.
    pub const ALL: [Phase; 3] = [Phase::Verilate, Phase::Compile, Phase::Link];

    /// The word for it in messages.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Verilate => "verilate",
            Phase::Compile => "compile",
            Phase::Link => "link",
        }
    }
}

/// How long each phase took.
pub type Times = Vec<(Phase, Duration)>;

/// Everything that a model is made from.
pub fn key(tools: &Toolchain, recipe: &Recipe) -> Key {
    let Recipe { prefix, flags, parameters, optimise, glue, .. } = recipe;
    let options = format!("{flags:?} {parameters:?} {optimise} {:?}", recipe.macros());
    let identity = tools.identity();
    let parts = [SELF, &glue.identity, prefix, recipe.top, &options, &identity];
    let headers = glue.headers.iter().flat_map(|(name, text)| [*name, *text]);
    let files = recipe.files.iter().chain(&recipe.headers).flat_map(|file| [file.name.as_str(), file.text.as_str()]);
    Key::digest(parts.into_iter().chain(headers).chain(files))
}

/// Makes the library of `recipe` in the empty folder `folder`, with `jobs` compilers at a time; `begin` is told of each
/// phase. Nothing but the library stays in the folder.
pub fn make(
    tools: &Toolchain,
    store: &Store,
    recipe: &Recipe,
    folder: &Path,
    jobs: usize,
    begin: impl Fn(Phase),
) -> Result<Times> {
    let what = || format!("{} model of configuration {}", recipe.kind, recipe.config);
    let mut times = Vec::new();
    let mut timed = |phase, work: &mut dyn FnMut() -> Result<()>| {
        begin(phase);
        let start = Instant::now();
        work().with_context(what)?;
        times.push((phase, start.elapsed()));
        Ok::<_, anyhow::Error>(())
    };
    let (rtl, cpp) = (folder.join("rtl"), folder.join("cpp"));
    timed(Phase::Verilate, &mut || verilate(tools, recipe, &rtl))?;
    let mut objects = Vec::new();
    timed(Phase::Compile, &mut || {
        objects = runtime(tools, store, recipe, &cpp, jobs)?;
        objects.extend(compile_model(tools, store, recipe, &cpp, jobs)?);
        Ok(())
    })?;
    timed(Phase::Link, &mut || link(tools, recipe, &objects, &cpp, &folder.join(LIBRARY)))?;
    fs::write(folder.join(MADE), format!("{} {}, made by {}\n", recipe.config, recipe.kind, tools.compiler_version))?;
    for scrap in [&rtl, &cpp] {
        fs::remove_dir_all(scrap).with_context(|| format!("cannot remove {}", scrap.display()))?;
    }
    Ok(times)
}

/// Makes the library of the objects. It shares no symbol with the program that loads it: two copies of the C++ library
/// in a process that have some in common call each other's facets, and fall.
fn link(tools: &Toolchain, recipe: &Recipe, objects: &[PathBuf], cpp: &Path, library: &Path) -> Result<()> {
    let exports = cpp.join("exports.map");
    fs::write(&exports, format!("{{ global: {}; local: *; }};\n", recipe.glue.exports))?;
    let mut script = OsString::from("-Wl,--version-script=");
    script.push(&exports);
    let linked = |runtime: &[&str]| {
        let mut link = tools.compile();
        link.args(["-shared", "-Wl,-Bsymbolic", "-pthread"]).arg(&script).args(runtime);
        link.arg("-o").arg(library).args(objects);
        if recipe.traced {
            link.args(tools.trace_libraries());
        }
        if tools.is_clang() {
            link.arg("-latomic");
        }
        run(link, "the linker").map(drop)
    };
    // With a C++ library of its own, whatever that of the program is; where there is none to link, with the shared one.
    linked(&["-static-libstdc++", "-static-libgcc"]).or_else(|_| linked(&[]))
}

/// Writes the sources into `rtl`, and lets Verilator write C++ beside it.
fn verilate(tools: &Toolchain, recipe: &Recipe, rtl: &Path) -> Result<()> {
    fs::create_dir_all(rtl).with_context(|| format!("cannot create the folder {}", rtl.display()))?;
    recipe.files.iter().chain(&recipe.headers).try_for_each(|file| file.write_into(rtl))?;
    let mut verilator = Command::new(&tools.verilator);
    verilator.current_dir(rtl).args(["--cc", "--top-module", recipe.top, "--prefix", &recipe.prefix]);
    verilator.args(["-Mdir", "../cpp"]).args(&recipe.flags).args(&recipe.parameters);
    verilator.args(recipe.files.iter().map(|file| &file.name));
    match run(verilator, "Verilator") {
        Err(error) if recipe.style == Style::Netlist && format!("{error:#}").contains("%Warning-UNOPTFLAT") => Err(error
            .context(
                "a vector of the netlist has bits that follow other bits of it, which Verilator gets wrong: let the synthesis \
             split its nets (`splitnets` of Yosys before `write_verilog`)",
            )),
        done => done.map(drop),
    }
}

/// Compiles what Verilator wrote and the glue; gives the objects. The store keeps them beside the model: the next model
/// of this prefix takes those whose text, headers and options are the same.
fn compile_model(tools: &Toolchain, store: &Store, recipe: &Recipe, cpp: &Path, jobs: usize) -> Result<Vec<PathBuf>> {
    let prefix = &recipe.prefix;
    for (name, text) in recipe.glue.headers {
        let path = cpp.join(name);
        fs::create_dir_all(path.parent().unwrap_or(cpp))?;
        fs::write(path, text)?;
    }
    let root = fs::read_to_string(cpp.join(format!("{prefix}___024root.h"))).unwrap_or_default();
    fs::write(cpp.join("glue.cpp"), (recipe.glue.source)(&root)?)?;
    let units = units(recipe, cpp, &tools.identity())?;
    let objects = |folder: &Path| units.iter().map(|unit| folder.join(&unit.object)).collect::<Vec<_>>();
    let name = format!("{prefix}_objects");
    let folder = store.get(&name, &key(tools, recipe), |folder| {
        store.reuse(&name, units.iter().map(|unit| &*unit.object), folder);
        let mut new: Vec<&Unit> = units.iter().filter(|unit| !folder.join(&unit.object).exists()).collect();
        // The longest first.
        new.sort_by_key(|unit| std::cmp::Reverse(unit.bytes));
        let mut levels: Vec<&str> = new.iter().map(|unit| unit.optimise).collect();
        levels.sort_unstable();
        levels.dedup();
        let headers = parallel::map(&levels, jobs, || (), |level| precompiled(tools, store, recipe, level))?;
        parallel::map(
            &new,
            jobs,
            || (),
            |unit| {
                let source = cpp.join(&unit.object).with_extension("cc");
                fs::write(&source, &unit.source)?;
                let of_level = levels.iter().position(|level| *level == unit.optimise);
                let headers = of_level.and_then(|at| headers[at].as_deref());
                let object = compile(tools, recipe, &source, unit.optimise, cpp, headers)?;
                let kept = folder.join(&unit.object);
                fs::rename(&object, &kept).with_context(|| format!("cannot create {}", kept.display()))
            },
        )
        .map(drop)
    })?;
    Ok(objects(&folder))
}

/// What one compiler gets.
struct Unit {
    /// Includes the files.
    source: String,
    optimise: &'static str,
    /// Name of the object, with the digest of all that it is made from.
    object: String,
    bytes: usize,
}

/// The units of a model, the same ones for any number of compilers. Each large file that runs in every cycle is one;
/// most of the time for a small one goes into its headers.
fn units(recipe: &Recipe, cpp: &Path, identity: &str) -> Result<Vec<Unit>> {
    /// Bytes of a large file.
    const LARGE: usize = 64 << 10;
    let read = |name: &str| fs::read_to_string(cpp.join(name)).with_context(|| format!("cannot read {name}"));
    let lists = read(&format!("{}_classes.mk", recipe.prefix)).context("Verilator wrote no file lists")?;
    let listed = |lists_of: [&str; 2]| -> Vec<String> {
        let names = lists_of.into_iter().flat_map(|list| make_list(&lists, list));
        names.map(|name| format!("{name}.cpp")).collect()
    };
    let mut headers = recipe.glue.headers.iter().flat_map(|(name, text)| [*name, *text]).collect::<String>();
    for path in files::in_folder(cpp)?.iter().filter(|path| path.extension().is_some_and(|end| end == "h")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        headers += &format!("{name}\n{}", read(&name)?);
    }
    let options = format!("{FLAGS:?} {:?}", recipe.macros());
    let unit = |name: &str, optimise: &'static str, files: &[String]| -> Result<Unit> {
        let texts = files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
        let parts = [SELF, identity, &options, optimise, &headers].into_iter();
        let key = Key::digest(parts.chain(texts.iter().map(String::as_str)));
        let source = files.iter().map(|file| format!("#include \"{file}\"\n")).collect();
        let bytes = texts.iter().map(String::len).sum();
        Ok(Unit { source, optimise, object: format!("{name}-{}.o", key.short()), bytes })
    };
    let size = |file: &String| fs::metadata(cpp.join(file)).map_or(0, |data| data.len() as usize);
    let (large, mut small): (Vec<_>, Vec<_>) =
        listed(["VM_CLASSES_FAST", "VM_SUPPORT_FAST"]).into_iter().partition(|file| size(file) > LARGE);
    // Called in every cycle, too.
    small.push("glue.cpp".into());
    let mut units = vec![unit("small", recipe.optimise, &small)?];
    for (at, file) in large.iter().enumerate() {
        units.push(unit(&format!("large{at}"), recipe.optimise, std::slice::from_ref(file))?);
    }
    // Runs once, or for a failing assertion.
    units.push(unit("slow", "-O0", &listed(["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW"]))?);
    Ok(units)
}

/// The part of Verilator that all models share, compiled once for each set of options.
fn runtime(tools: &Toolchain, store: &Store, recipe: &Recipe, cpp: &Path, jobs: usize) -> Result<Vec<PathBuf>> {
    let lists = fs::read_to_string(cpp.join(format!("{}_classes.mk", recipe.prefix)));
    let lists = lists.context("Verilator wrote no file lists")?;
    let names = ["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"].into_iter().flat_map(|list| make_list(&lists, list));
    let names: Vec<String> = names.collect();
    let identity = tools.identity();
    let options = format!("{FLAGS:?} {:?} {names:?}", recipe.macros());
    let key = Key::digest([SELF, &identity, &options]);
    let folder = store.get("runtime", &key, |folder| {
        parallel::map(
            &names,
            jobs,
            || (),
            |name| {
                let source = tools.include.join(name).with_extension("cpp");
                let object = compile(tools, recipe, &source, "-O2", folder, None)?;
                fs::rename(&object, folder.join(name).with_extension("o"))?;
                Ok(())
            },
        )
        .map(drop)
    })?;
    Ok(names.iter().map(|name| folder.join(name).with_extension("o")).collect())
}

/// Compiles one file into the folder `into`, whose headers it may include, behind headers that are compiled already.
fn compile(
    tools: &Toolchain,
    recipe: &Recipe,
    source: &Path,
    optimise: &str,
    into: &Path,
    headers: Option<&Path>,
) -> Result<PathBuf> {
    let object = into.join(source.file_name().unwrap_or(OsStr::new("unit"))).with_extension("o");
    let behind = |headers: Option<&Path>| {
        let mut command = compiler(tools, recipe, optimise);
        if let Some(headers) = headers {
            command.arg("-include-pch").arg(headers);
        }
        command.arg("-c").arg("-I").arg(into).arg(source).arg("-o").arg(&object);
        run(command, "the C++ compiler").map(drop)
    };
    // They are refused when a header of the system has changed since.
    if headers.is_none_or(|headers| behind(Some(headers)).is_err()) {
        behind(None)?;
    }
    Ok(object)
}

/// Verilator's headers, which are most of the time that a small file takes, compiled once for each set of options. Not
/// with GCC, which takes them under other conditions.
fn precompiled(tools: &Toolchain, store: &Store, recipe: &Recipe, optimise: &str) -> Result<Option<PathBuf>> {
    /// Name in the folder.
    const HEADERS: &str = "headers.pch";
    if !tools.is_clang() {
        return Ok(None);
    }
    let header = tools.include.join(if recipe.traced { "verilated_fst_c.h" } else { "verilated.h" });
    let identity = tools.identity();
    let options = format!("{FLAGS:?} {:?} {optimise} {header:?}", recipe.macros());
    let folder = store.get("headers", &Key::digest([SELF, &identity, &options]), |folder| {
        let mut command = compiler(tools, recipe, optimise);
        // Their templates, too: else each unit makes them again.
        command
            .args(["-fpch-instantiate-templates", "-x", "c++-header"])
            .arg(&header)
            .arg("-o")
            .arg(folder.join(HEADERS));
        run(command, "the C++ compiler").map(drop)
    })?;
    Ok(Some(folder.join(HEADERS)))
}

/// The compiler with the options of every file, and the folders of Verilator's headers.
fn compiler(tools: &Toolchain, recipe: &Recipe, optimise: &str) -> Command {
    let mut command = tools.compile();
    command.args(FLAGS).args(recipe.macros()).arg(optimise);
    for folder in [&tools.include, &tools.include.join("vltstd")] {
        command.arg("-I").arg(folder);
    }
    command
}

/// The words of the variable `name` in one of the file lists that Verilator writes for make.
fn make_list(text: &str, name: &str) -> Vec<String> {
    let Some(start) = text.find(&format!("{name} += \\\n")) else { return Vec::new() };
    let lines = text[start..].lines().skip(1);
    lines.map(|l| l.trim().trim_end_matches('\\').trim()).take_while(|l| !l.is_empty()).map(str::to_owned).collect()
}
