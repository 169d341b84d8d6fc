// SPDX-License-Identifier: Apache-2.0
//! What selects a mutant: a module that gives its number, which the bench sets before the first clock edge; and which mutants a
//! list is of.

use super::source::Kind;
use crate::unit::source::SourceFile;

/// What a list of mutants is of; of all when nothing is said.
#[derive(Clone, Debug, Default)]
pub struct Only {
    /// The module.
    pub module: Option<String>,
    /// The kind, of mutants of the source.
    pub kind: Option<Kind>,
}

/// Bits of the number that selects a mutant.
pub const BITS: u32 = 16;

/// The most mutants of a run.
pub const MOST: u64 = (1 << BITS) - 1;

/// Wire of a module that carries the number.
pub const WIRE: &str = "tl_mutant";

/// The module that gives it.
pub const MODULE: &str = "tl_mutant_select";

/// What drives it, when that is cut out and becomes an input of the flattened unit.
pub const OUTPUT: &str = "u_mutant_select.sel_o";

/// The wire and its driver, as items of a module.
pub fn items() -> String {
    format!("  logic [{}:0] {WIRE};\n  {MODULE} u_mutant_select (.sel_o({WIRE}));\n", BITS - 1)
}

fn port() -> String {
    format!("(output logic [{}:0] sel_o);", BITS - 1)
}

/// The module without contents, for Yosys.
pub fn black_box() -> SourceFile {
    let text = format!("(* blackbox *)\nmodule {MODULE} {}\nendmodule\n", port());
    SourceFile { name: "tl_mutant_box.sv".into(), text }
}

/// The module for Verilator. The number is set once, before the first clock edge: a mutant lives from power-up on.
pub fn number() -> SourceFile {
    let text = format!(
        "// The mutant that is active; 0 is none.\nmodule {MODULE} {}\n  \
         import \"DPI-C\" function int tl_mutant_number();\n  \
         initial sel_o = {BITS}'(tl_mutant_number());\nendmodule\n",
        port()
    );
    SourceFile { name: "tl_mutant_select.sv".into(), text }
}
