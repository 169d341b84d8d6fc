// SPDX-License-Identifier: Apache-2.0
//! Poison: in half of the cases, values that nothing may look at are wrong. The bench changes its copy of the RTL; what
//! the generator writes stays as it is.

use crate::model::source::SourceFile;

/// The package with the variable that turns poison on.
pub const PACKAGE: &str = "cosim_poison_pkg";

/// A statement of a module, and the same with poison.
struct Poison {
    file: &'static str,
    original: &'static str,
    poisoned: &'static str,
}

/// All stay on their lines: messages name lines of the RTL as it is.
const POISONS: [Poison; 6] = [
    // A read of the word that is written in the same cycle gives the inverse of the old one.
    Poison {
        file: "tl_ram_1r1w.sv",
        original: "if (re_i) rdata_o <= mem[raddr_i];",
        poisoned: "if (re_i) begin if (cosim_poison_pkg::on && we_i && waddr_i == raddr_i) rdata_o <= ~mem[raddr_i]; \
            else rdata_o <= mem[raddr_i]; end",
    },
    Poison {
        file: "tl_ram_1r1w_be.sv",
        original: "if (re_i) rdata_o <= mem[raddr_i];",
        poisoned: "if (re_i) begin if (cosim_poison_pkg::on && be_i != '0 && waddr_i == raddr_i) \
            rdata_o <= ~mem[raddr_i]; else rdata_o <= mem[raddr_i]; end",
    },
    // A word of a FIFO is the inverse once it was taken, so that an empty one shows no word that was. A choice at the
    // output costs a tenth of the speed.
    Poison {
        file: "tl_fifo.sv",
        original: "    if (push) words[tail_q]",
        poisoned: "    if (cosim_poison_pkg::on && pop) words[head_q] <= ~words[head_q]; if (push) words[tail_q]",
    },
    // A row of a register is there two cycles after its grant, and the inverse from then on.
    Poison {
        file: "tl_regfile.sv",
        original: "logic [RowBits-1:0] lower_row;",
        poisoned: "logic [RowBits-1:0] lower_row; logic stale_q; always_ff @(posedge clk_i) stale_q <= re_q[b] == '0;",
    },
    Poison {
        file: "tl_regfile.sv",
        original: "assign rdata_o[b] = upper_q ? upper_row : lower_row;",
        poisoned: "assign rdata_o[b] = cosim_poison_pkg::on && stale_q ? ~lower_row : upper_q ? upper_row : lower_row;",
    },
    Poison {
        file: "tl_regfile.sv",
        original: "assign rdata_o[b]   = lower_row;",
        poisoned: "assign rdata_o[b]   = cosim_poison_pkg::on && stale_q ? ~lower_row : lower_row;",
    },
];

/// The files with their poison, and the package. A file that has not all texts of its poison, which somebody's RTL may
/// not have, stays as it is; these texts come second. None is missing in the RTL of the generator.
pub fn plant(mut files: Vec<SourceFile>) -> (Vec<SourceFile>, Vec<String>) {
    let mut misfits = Vec::new();
    for poisons in POISONS.chunk_by(|one, next| one.file == next.file) {
        let name = poisons[0].file;
        let text = files.iter_mut().find(|file| file.name == name).map(|file| &mut file.text);
        let count = |poison: &&Poison| text.as_ref().map_or(0, |text| text.matches(poison.original).count());
        let missing = poisons.iter().filter(|poison| count(poison) != 1);
        let missing: Vec<String> =
            missing.map(|poison| format!("`{}` is not once in {name}", poison.original)).collect();
        if let (Some(text), true) = (text, missing.is_empty()) {
            poisons.iter().for_each(|poison| *text = text.replace(poison.original, poison.poisoned));
        }
        misfits.extend(missing);
    }
    let text = format!("package {PACKAGE};\n  bit on /*verilator public_flat_rw*/;\nendpackage\n");
    let sources = files.iter().position(|file| file.name.ends_with(".sv")).unwrap_or(0);
    files.insert(sources, SourceFile { name: format!("{PACKAGE}.sv"), text });
    (files, misfits)
}
