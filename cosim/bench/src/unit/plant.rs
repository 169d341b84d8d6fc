// SPDX-License-Identifier: Apache-2.0
//! Plants the faults of a table into a copy of the RTL, all at once, selectable at run time.

use super::source::SourceFile;
use crate::unit::faults::Fault;

/// The files with every one of `faults` planted that fits, and the package that selects one; and what does not fit. That is no
/// reason not to build: who edits the RTL wants to run it first. The tests demand that all fit.
pub fn plant(mut files: Vec<SourceFile>, faults: &[Fault]) -> (Vec<SourceFile>, Vec<String>) {
    let mut misfits = Vec::new();
    for (i, fault) in faults.iter().enumerate() {
        let (before, after) = faults.split_at(i);
        let id = fault.id;
        if id == 0 || before.iter().any(|f| f.id >= id) {
            misfits.push(format!("fault {id}: numbers must ascend from 1"));
            continue;
        }
        if before.iter().any(|f| f.place() == fault.place()) {
            // Planted with the first one of this place.
            continue;
        }
        let here: Vec<&Fault> = after.iter().filter(|f| f.place() == fault.place()).collect();
        let found = [fault.before, fault.original, fault.after].concat();
        let file = files.iter_mut().find(|f| f.name == fault.file);
        let count = file.as_ref().map_or(0, |file| file.text.matches(&found).count());
        let Some(file) = file.filter(|_| count == 1) else {
            let misfit = |f: &&Fault| format!("fault {}: `{found}` occurs {count} times in {}, not once", f.id, f.file);
            misfits.extend(here.iter().map(misfit));
            continue;
        };
        let choice = |f: &&Fault| format!("(tl_fault_pkg::sel == 32'd{}) ? ({}) : ", f.id, f.replacement);
        let choices: String = here.iter().map(choice).collect();
        let faulty = format!("{}({choices}({})){}", fault.before, fault.original, fault.after);
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
