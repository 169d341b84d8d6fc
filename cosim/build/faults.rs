// SPDX-License-Identifier: Apache-2.0
//! Plants the faults of the table into a copy of the RTL, all at once, selectable at run time.

use anyhow::{Context, Result, ensure};
use rtl_gen::GenFile;

use crate::fault_table::FAULTS;

/// Configuration that gets the faults.
pub const CONFIG: &str = "tiny";

/// The files with every fault planted, and the package that selects one in front.
///
/// # Errors
/// When the text of a fault does not occur exactly once, or two faults have one number.
pub fn plant(mut files: Vec<GenFile>) -> Result<Vec<GenFile>> {
    for (i, fault) in FAULTS.iter().enumerate() {
        let id = fault.id;
        ensure!(id != 0 && FAULTS[..i].iter().all(|f| f.id < id), "fault {id}: numbers must ascend from 1");
        let file = files.iter_mut().find(|f| f.name == fault.file);
        let file = file.with_context(|| format!("fault {id}: there is no file {}", fault.file))?;
        let found = [fault.before, fault.original, fault.after].concat();
        let count = file.text.matches(&found).count();
        ensure!(count == 1, "fault {id}: `{found}` occurs {count} times in {}, not once", fault.file);
        let faulty = format!(
            "{}((tl_fault_pkg::sel == 32'd{id}) ? ({}) : ({})){}",
            fault.before, fault.replacement, fault.original, fault.after
        );
        file.text = file.text.replace(&found, &faulty);
    }
    let package = GenFile {
        name: "tl_fault_pkg.sv".into(),
        text: "// The planted fault that is active; 0 is none.\n\
               package tl_fault_pkg;\n  int unsigned sel /*verilator public_flat_rw*/;\nendpackage\n"
            .into(),
    };
    let sources = files.iter().position(|f| f.name.ends_with(".sv")).unwrap_or(0);
    files.insert(sources, package);
    Ok(files)
}
