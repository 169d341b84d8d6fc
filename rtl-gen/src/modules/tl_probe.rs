// SPDX-License-Identifier: Apache-2.0
//! `tl_probe`: what the bench sees of the unit, bound into it. Not for synthesis.

use crate::Config;
use crate::sv::{Module, Ty};

/// Signals of `tl_top` that the probe is bound to: (name without `_i`, type).
fn taps(config: &Config) -> Vec<(&'static str, Ty)> {
    let mut taps = vec![
        ("entry", Ty::named("issue_t")),
        ("entry_ready", Ty::bit()),
        ("tag", Ty::named("tag_t")),
        ("result_valid_o", Ty::bit()),
        ("result_ready_i", Ty::bit()),
        ("retired", Ty::named("flight_t")),
        ("retired_cause", Ty::named("cause_e")),
        ("retired_tag", Ty::named("tag_t")),
        ("ttype", Ty::bits(12)),
        ("tshape", Ty::bits(24)),
        ("tmask_load", Ty::bits(32)),
        ("tmask_store", Ty::bits(32)),
        ("tmask_concat_1", Ty::bits(32)),
        ("tmask_concat_2", Ty::bits(32)),
        ("tload_width", Ty::bits(32)),
        ("tstore_width", Ty::bits(32)),
        ("mask_init", Ty::bits(4)),
        ("store_tag", Ty::named("tag_t")),
    ];
    if config.matrix {
        taps.extend([
            ("mtilem", Ty::bits(32)),
            ("mtilen", Ty::bits(32)),
            ("mtilek", Ty::bits(32)),
            ("tile_write", Ty::bit()),
            ("tile_md", Ty::bits(3)),
            ("load_done", Ty::named("ls_done_t")),
        ]);
    }
    taps
}

fn port(name: &str) -> String {
    format!("{}_i", name.trim_end_matches("_o").trim_end_matches("_i"))
}

/// Signals that the bench reads, with their widths (docs/architecture.md, Probe).
const OUTPUTS: [(&str, u32, &str); 27] = [
    ("cfg_lanes", 32, "32'(Lanes)"),
    ("cfg_port_bytes", 32, "32'(PortBytes)"),
    ("cfg_reg_bytes", 32, "32'(RegBytes)"),
    ("cfg_width_mask", 4, "WidthMask"),
    ("cfg_engine_id", 2, "EngineId"),
    ("cfg_l1m_bytes", 32, "L1mBytes"),
    ("cfg_l0m_bytes", 32, "L0mBytes"),
    ("cfg_tlen", 32, "Tlen"),
    ("cfg_trlen", 32, "Trlen"),
    ("exec_valid", 1, "entry_ready_i"),
    ("exec_tag", 8, "8'(tag_i)"),
    ("retire_valid", 1, "result_valid_i && result_ready_i"),
    ("retire_tag", 8, "8'(retired_tag_i)"),
    ("retire_word", 32, "word_q[retired_tag_i]"),
    ("retire_dst_valid", 2, "retired_i.results.valid & {2{!trapped}}"),
    ("csr_ttype", 32, "32'(ttype_i)"),
    ("csr_tshape", 32, "32'(tshape_i)"),
    ("csr_tmask_load", 32, "tmask_load_i"),
    ("csr_tmask_store", 32, "tmask_store_i"),
    ("csr_tmask_concat_1", 32, "tmask_concat_1_i"),
    ("csr_tmask_concat_2", 32, "tmask_concat_2_i"),
    ("csr_tload_width", 32, "tload_width_i"),
    ("csr_tstore_width", 32, "tstore_width_i"),
    ("csr_mask_init", 4, "mask_init_i"),
    ("store_tag", 8, "8'(store_tag_i)"),
    ("retire_dst_arch", 0, "retired_i.results.rd"),
    ("unused_probe", 1, "^{retired_i, entry_i}"),
];

/// What the bench reads beside that where there are matrix instructions. A tile is written at the coming clock edge.
const MATRIX_OUTPUTS: [(&str, u32, &str); 7] = [
    ("csr_mtilem", 32, "mtilem_i"),
    ("csr_mtilen", 32, "mtilen_i"),
    ("csr_mtilek", 32, "mtilek_i"),
    ("tile_valid", 1, "tile_write_i"),
    ("tile_tag", 8, "8'(load_done_i.tag)"),
    ("tile_md", 3, "tile_md_i"),
    ("unused_done", 1, "^load_done_i"),
];

fn outputs(config: &Config) -> Vec<(&'static str, u32, &'static str)> {
    let matrix: &[_] = if config.matrix { &MATRIX_OUTPUTS } else { &[] };
    OUTPUTS.iter().chain(matrix).copied().collect()
}

/// The probe of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_probe",
        "What the bench sees of the unit. Bound into tl_top; not for synthesis. Values are those of the current cycle.",
    );
    m.input("clk_i", Ty::bit(), "");
    for (name, ty) in taps(config) {
        m.input(&port(name), ty, "");
    }
    let mask = config.element_widths.iter().fold(0, |mask, w| mask | 1 << (w.ilog2() - 2));
    m.text(&format!(
        "localparam logic [3:0]  WidthMask = 4'b{mask:04b};  // 32, 16, 8, 4 bits\n\
         localparam logic [1:0]  EngineId  = 2'd{};\n\
         localparam logic [31:0] L1mBytes  = 32'd{};\n\
         localparam logic [31:0] L0mBytes  = 32'd{};\n\
         localparam logic [31:0] Tlen      = 32'd{};  // 0: no matrix instructions\n\
         localparam logic [31:0] Trlen     = 32'd{};\n",
        config.engine_id,
        config.l1m_bytes,
        config.l0m_bytes,
        if config.matrix { config.tlen } else { 0 },
        if config.matrix { config.trlen } else { 0 },
    ));
    m.section("The instruction words in flight, which the unit itself does not keep.");
    m.signal("word_q", Ty::bits(32).packed("QueueEntries"), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          if (entry_ready_i) word_q[tag_i] <= entry_i.instr;
        end
        "#,
    );
    m.section("For the bench.");
    let outputs = outputs(config);
    for &(name, bits, _) in &outputs {
        let ty = match (name, bits) {
            ("retire_dst_arch", _) => Ty::bits(5).packed(2),
            (_, 1) => Ty::bit(),
            (_, bits) => Ty::bits(bits),
        };
        m.signal(name, ty, "");
    }
    m.signal("trapped", Ty::bit(), "");
    m.signal("retire_dst_phys", Ty::bits(8).packed(2), "");
    m.signal("map_zero", Ty::bits(32), "");
    m.signal("map_phys", Ty::bits(8).packed(32), "");
    m.signals(&["csr_tload_stride", "csr_tstore_stride"], Ty::bits(32).packed(32));
    let width = outputs.iter().map(|o| o.0.len()).max().unwrap_or(0);
    let assigns: String = outputs.iter().map(|(n, _, v)| format!("assign {n:<width$} = {v};\n")).collect();
    m.text("assign trapped = retired_cause_i != CauseNone;");
    m.text(&assigns);
    m.text(
        r#"
        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            retire_dst_phys[r] = 8'(retired_i.results.fresh[r]);
          end
          for (int unsigned i = 0; i < 32; i++) begin
            map_zero[i]          = tl_top.u_rename.sweeps || tl_top.u_rename.u_map_rd.mem[i][PhysW];
            map_phys[i]          = 8'(tl_top.u_rename.u_map_rd.mem[i][PhysW-1:0]);
            csr_tload_stride[i]  = tl_top.u_csr.u_load_strides.mem[i];
            csr_tstore_stride[i] = tl_top.u_csr.u_store_strides.mem[i];
          end
        end
        "#,
    );
    m
}

/// The statement that binds the probe into `tl_top`.
pub fn bind(config: &Config) -> String {
    let mut rows = vec!["  .clk_i (clk_i)".to_owned()];
    rows.extend(taps(config).iter().map(|(name, _)| format!("  .{} ({name})", port(name))));
    format!("\nbind tl_top tl_probe u_probe (\n{}\n);\n", rows.join(",\n"))
}

/// Verilator control file: the probe and the register file are readable from C++.
pub fn verilator_control(config: &Config) -> String {
    let mut text = format!(
        "{}\n// What the bench reads from C++; the synthesizable files stay free of it.\n`verilator_config\n",
        crate::sv::header()
    );
    let outputs = outputs(config);
    let names = outputs.iter().map(|o| o.0).filter(|n| !n.starts_with("unused_")).chain([
        "retire_dst_phys",
        "map_zero",
        "map_phys",
        "csr_tload_stride",
        "csr_tstore_stride",
    ]);
    for name in names {
        text.push_str(&format!("public_flat_rd -module \"tl_probe\" -var \"{name}\"\n"));
    }
    text.push_str("public_flat_rd -module \"tl_ram_1r1w\" -var \"mem\"\n");
    if config.matrix {
        text.push_str("public_flat_rd -module \"tl_ram_1r1w_be\" -var \"mem\"\n");
    }
    text
}
