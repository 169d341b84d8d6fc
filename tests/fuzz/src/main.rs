// SPDX-License-Identifier: Apache-2.0
//! One target under libFuzzer; the variable FUZZ_TARGET names it. With FUZZ_SEEDS it only writes what all targets start
//! from into that folder. `make fuzz` does both.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;
use std::{env, fs, io, process};

use fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    if let Some(folder) = env::var_os("FUZZ_SEEDS") {
        let written = TARGETS.iter().try_for_each(|target| seeds(target, Path::new(&folder)));
        written.unwrap_or_else(|error| panic!("FUZZ_SEEDS: {error}"));
        process::exit(0);
    }
    let name = env::var("FUZZ_TARGET").unwrap_or_default();
    let names = || TARGETS.map(|target| target.name).join(", ");
    fuzz::target(&name).unwrap_or_else(|| panic!("FUZZ_TARGET is {name:?}; allowed: {}", names()))
});

/// Writes TARGET/N and, with words, TARGET.dict.
fn seeds(target: &Target, folder: &Path) -> io::Result<()> {
    let seeds = folder.join(target.name);
    fs::create_dir_all(&seeds)?;
    for (number, seed) in (target.seeds)().iter().enumerate() {
        fs::write(seeds.join(number.to_string()), seed)?;
    }
    fs::write(folder.join(format!("{}.dict", target.name)), target.words)
}

libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&TARGET); }, |data: &[u8]| (TARGET.run)(data));
