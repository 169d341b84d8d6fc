// SPDX-License-Identifier: Apache-2.0
//! One file for each emitted module, of the same name.

use crate::Config;
use crate::sv::Module;

mod attach;
pub mod tl_addi_row;
pub mod tl_axi_read;
pub mod tl_axi_run;
pub mod tl_axi_top;
pub mod tl_axi_write;
pub mod tl_bank_arb;
pub mod tl_beats;
pub mod tl_butterfly;
pub mod tl_concat;
pub mod tl_concat_plan;
pub mod tl_csr;
pub mod tl_decode;
pub mod tl_decoder;
pub mod tl_dispatch;
pub mod tl_fifo;
pub mod tl_lane_mask;
pub mod tl_lane_swap;
pub mod tl_load;
pub mod tl_load_bank;
pub mod tl_load_rows;
pub mod tl_lutram;
pub mod tl_matrix;
pub mod tl_move;
pub mod tl_move_fetch;
pub mod tl_move_mask;
pub mod tl_move_out;
pub mod tl_move_setup;
pub mod tl_move_walk;
pub mod tl_mx_decoder;
pub mod tl_mx_lines;
pub mod tl_mx_load;
pub mod tl_mx_regs;
pub mod tl_mx_size;
pub mod tl_mx_store;
pub mod tl_pcpi;
pub mod tl_pcpi_top;
pub mod tl_pkg;
pub mod tl_port_owner;
pub mod tl_probe;
pub mod tl_queue;
pub mod tl_ram_1r1w;
pub mod tl_ram_1r1w_be;
pub mod tl_recover;
pub mod tl_regfile;
pub mod tl_rename;
pub mod tl_retire;
pub mod tl_route;
pub mod tl_shape;
pub mod tl_slice_walk;
pub mod tl_store;
pub mod tl_store_align;
pub mod tl_store_bank;
pub mod tl_store_check;
pub mod tl_top;
pub mod tl_trap_csr;
pub mod tl_xif;
pub mod tl_xif_check;
pub mod tl_xif_top;
pub mod tl_xpose;
pub mod tl_xpose_plan;
pub mod tl_xpose_rows;
pub mod tl_xpose_stage;

/// The synthesizable modules of `config`, each before those that instantiate it.
pub fn synthesizable(config: &Config) -> Vec<Module> {
    let mut modules = vec![
        tl_ram_1r1w::module(),
        tl_lutram::module(),
        tl_bank_arb::module(),
        tl_regfile::module(),
        tl_decoder::module(config),
        tl_csr::decoder(config),
        tl_csr::module(config),
        tl_shape::module(config),
        tl_queue::module(),
        tl_rename::module(),
        tl_retire::module(),
        tl_slice_walk::module(),
        tl_fifo::module(),
        tl_beats::module(),
        tl_load_bank::module(),
        tl_load_rows::module(),
        tl_load::module(config),
        tl_store_check::module(config),
        tl_store_bank::module(),
        tl_store_align::module(),
        tl_store::module(config),
    ];
    if config.precise {
        modules.push(tl_recover::module());
    }
    modules.extend(tl_move::modules(config));
    modules.extend(tl_xpose::modules(config));
    if config.matrix {
        modules.extend([
            tl_mx_decoder::module(),
            tl_mx_size::module(),
            tl_mx_lines::module(config),
            tl_mx_load::module(),
            tl_mx_store::module(),
            tl_ram_1r1w_be::module(),
            tl_mx_regs::module(),
            tl_matrix::module(config),
            tl_port_owner::module(),
        ]);
    }
    modules.extend([tl_decode::module(config), tl_dispatch::module(config)]);
    let top = tl_top::module(config, &modules);
    modules.push(top);
    modules
}

/// What attaches the unit to something.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// Its name for package managers; its files are in the list `tl_<name>.f`, and `tl_<name>_top` is the unit with it.
    pub name: &'static str,
    modules: fn(&Config) -> Vec<Module>,
    top: fn(&Config, &Module) -> Module,
}

/// All adapters.
pub const ADAPTERS: [Adapter; 3] = [
    Adapter {
        name: "pcpi",
        modules: |_| vec![tl_trap_csr::module(), tl_pcpi::module()],
        top: |_, unit| tl_pcpi_top::module(unit),
    },
    Adapter {
        name: "axi",
        modules: |_| vec![tl_axi_run::module(), tl_axi_read::module(), tl_axi_write::module()],
        top: |_, unit| tl_axi_top::module(unit),
    },
    Adapter {
        name: "xif",
        modules: |config| vec![tl_xif_check::module(config), tl_xif::module(config)],
        top: tl_xif_top::module,
    },
];

impl Adapter {
    /// Its modules and the one of it and the unit of `config`, the last of `unit`, each before those that instantiate it.
    pub fn of(self, config: &Config, unit: &[Module]) -> Vec<Module> {
        let top = unit.last().map(|unit| (self.top)(config, unit));
        (self.modules)(config).into_iter().chain(top).collect()
    }

    /// Name of the list of its files, to be read after those of the unit.
    pub fn list(self) -> String {
        format!("tl_{}.f", self.name)
    }
}
