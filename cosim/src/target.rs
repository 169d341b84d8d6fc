// SPDX-License-Identifier: Apache-2.0
//! A configuration as both sides see it.

use anyhow::{Context, Result, anyhow, ensure};

/// One named configuration: the RTL's parameters, and the model's, which are read from the same text.
#[derive(Clone, Debug)]
pub struct Target {
    /// Parameters of the RTL.
    pub rtl: rtl_gen::Config,
    /// Parameters of the model.
    pub golden: golden::Config,
}

impl Target {
    /// The configuration `name`, which must be one that this program was built for.
    ///
    /// # Errors
    /// For an unknown name; the message lists the known ones.
    pub fn named(name: &str) -> Result<Target> {
        let rtl = rtl_gen::Config::named(name).ok_or_else(|| {
            let names = rtl_gen::Config::names().join(", ");
            anyhow!("there is no configuration {name:?}; this program was built for: {names}")
        })?;
        Target::new(rtl)
    }

    /// The target of the model with the planted faults: `tiny` with all instruction sets, as the build script makes it.
    ///
    /// # Errors
    /// As [`Target::named`].
    pub fn with_faults() -> Result<Target> {
        let mut rtl = Target::named("tiny")?.rtl;
        rtl.matrix = true;
        Target::new(rtl)
    }

    /// The configuration `name`, or the one with this planted fault; 0 is none.
    ///
    /// # Errors
    /// For an unknown name or fault, and for a fault in another configuration than `tiny`.
    pub fn with_fault(name: &str, fault: u32) -> Result<Target> {
        if fault == 0 {
            return Target::named(name);
        }
        let known = crate::fault_table::FAULTS.iter().any(|f| f.id == fault);
        ensure!(known, "there is no planted fault {fault}; `cosim faults` lists them");
        ensure!(name == "tiny", "planted faults are in configuration tiny only");
        Target::with_faults()
    }

    fn new(rtl: rtl_gen::Config) -> Result<Target> {
        let golden = golden::Config::from_toml_str(&rtl.to_toml())
            .with_context(|| format!("the model refuses configuration {}", rtl.name))?;
        Ok(Target { rtl, golden })
    }

    /// The configurations that `names` lists, separated by commas; `all` is all of them.
    ///
    /// # Errors
    /// For an unknown name.
    pub fn list(names: &str) -> Result<Vec<Target>> {
        let names: Vec<&str> =
            if names == "all" { rtl_gen::Config::names().to_vec() } else { names.split(',').collect() };
        names.into_iter().map(Target::named).collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.rtl.name
    }

    /// The word as assembly.
    pub fn disassemble(&self, word: u32) -> String {
        golden::asm::disassemble(word, &self.golden)
    }
}
