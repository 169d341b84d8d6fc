// SPDX-License-Identifier: Apache-2.0
//! Plants the faults of the table into a copy of the RTL, all at once, selectable at run time.

use super::source::SourceFile;
use crate::unit::fault_table::FAULTS;

/// The files with every fault planted that fits, and the package that selects one; and what does not fit. That is no
/// reason not to build: who edits the RTL wants to run it first. The tests demand that all fit.
pub fn plant(mut files: Vec<SourceFile>) -> (Vec<SourceFile>, Vec<String>) {
    let mut misfits = Vec::new();
    for (i, fault) in FAULTS.iter().enumerate() {
        let id = fault.id;
        let found = [fault.before, fault.original, fault.after].concat();
        let file = files.iter_mut().find(|f| f.name == fault.file);
        let count = file.as_ref().map_or(0, |file| file.text.matches(&found).count());
        let Some(file) = file.filter(|_| count == 1) else {
            misfits.push(format!("fault {id}: `{found}` occurs {count} times in {}, not once", fault.file));
            continue;
        };
        if id == 0 || FAULTS[..i].iter().any(|f| f.id >= id) {
            misfits.push(format!("fault {id}: numbers must ascend from 1"));
            continue;
        }
        let faulty = format!(
            "{}((tl_fault_pkg::sel == 32'd{id}) ? ({}) : ({})){}",
            fault.before, fault.replacement, fault.original, fault.after
        );
        file.text = file.text.replace(&found, &faulty);
    }
    let package = SourceFile {
        name: "tl_fault_pkg.sv".into(),
        text: "// The planted fault that is active; 0 is none.\n\
               package tl_fault_pkg;\n  int unsigned sel /*verilator public_flat_rw*/;\nendpackage\n"
            .into(),
    };
    let sources = files.iter().position(|f| f.name.ends_with(".sv")).unwrap_or(0);
    files.insert(sources, package);
    (files, misfits)
}
