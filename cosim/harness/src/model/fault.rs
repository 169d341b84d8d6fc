// SPDX-License-Identifier: Apache-2.0
//! Planted faults: the rows of a table, planted into a copy of the RTL all at once, and selected at run time.

use serde::Deserialize;

use super::source::SourceFile;

/// The package with the number of the fault that is active.
pub const PACKAGE: &str = "planted_fault_pkg";

/// One planted fault: an expression of a module, and a wrong one in its place.
///
/// `before`, `original` and `after`, put together, must occur exactly once in `file`. Several faults may have this
/// place in common.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Number by which the fault is selected; 0 is no fault.
    pub id: u32,
    /// The source file that it is in.
    pub file: String,
    /// What a designer would have done wrong.
    pub description: String,
    /// Text in front of the expression.
    pub before: String,
    /// The expression as generated.
    pub original: String,
    /// Text behind the expression.
    pub after: String,
    /// The wrong expression.
    pub replacement: String,
    /// The operation that it changes, if that is the only one.
    pub of: Option<String>,
}

impl Fault {
    /// Its place as generated, and with the fault.
    pub fn texts(&self) -> [String; 2] {
        [&self.original, &self.replacement].map(|expression| [&*self.before, expression, &*self.after].concat())
    }

    fn place(&self) -> [&str; 4] {
        [&self.file, &self.before, &self.original, &self.after]
    }
}

/// Reads a table: a JSON list of rows with the fields of [`Fault`].
pub fn read(table: &str) -> serde_json::Result<Vec<Fault>> {
    serde_json::from_str(table)
}

/// The files with every one of `faults` planted that fits, and the package that selects one; and what does not fit.
/// That is no reason not to build: who edits the RTL wants to run it first. The tests demand that all fit.
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
        if let Some(empty) = here.iter().find(|f| f.original.trim().is_empty() || f.replacement.trim().is_empty()) {
            misfits.push(format!(
                "fault {}: `original` and `replacement` must be expressions, and one is empty",
                empty.id
            ));
            continue;
        }
        let [found, _] = fault.texts();
        let file = files.iter_mut().find(|f| f.name == fault.file);
        let count = file.as_ref().map_or(0, |file| file.text.matches(&found).count());
        let Some(file) = file.filter(|_| count == 1) else {
            let misfit = |f: &&Fault| format!("fault {}: `{found}` occurs {count} times in {}, not once", f.id, f.file);
            misfits.extend(here.iter().map(misfit));
            continue;
        };
        let choice = |f: &&Fault| format!("({PACKAGE}::sel == 32'd{}) ? ({}) : ", f.id, f.replacement);
        let choices: String = here.iter().map(choice).collect();
        let faulty = format!("{}({choices}({})){}", fault.before, fault.original, fault.after);
        file.text = file.text.replace(&found, &faulty);
    }
    let package = SourceFile {
        name: format!("{PACKAGE}.sv"),
        text: format!(
            "// The planted fault that is active; 0 is none.\n\
             package {PACKAGE};\n  int unsigned sel /*verilator public_flat_rw*/;\nendpackage\n"
        ),
    };
    let sources = files.iter().position(|f| f.name.ends_with(".sv")).unwrap_or(0);
    files.insert(sources, package);
    (files, misfits)
}
