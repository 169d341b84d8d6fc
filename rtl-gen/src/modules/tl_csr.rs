// SPDX-License-Identifier: Apache-2.0
//! `tl_csr`: the CSRs of the unit and the six CSR instructions on them.

use crate::Config;
use crate::modules::tl_lutram;
use crate::sv::{Module, Ty};

/// A CSR that is one register: name, address, bits, reset value, hidden "initialised" bit.
struct Csr {
    name: &'static str,
    address: u32,
    bits: u32,
    reset: u32,
    init_bit: Option<u32>,
}

const fn csr(name: &'static str, address: u32, bits: u32, reset: u32, init_bit: Option<u32>) -> Csr {
    Csr { name, address, bits, reset, init_bit }
}

/// docs/isa.md, CSRs.
const CSRS: [Csr; 8] = [
    csr("ttype", 0x810, 12, 0x002, None),
    csr("tshape", 0x811, 24, 0, None),
    csr("tmask_load", 0x812, 32, 0, Some(0)),
    csr("tmask_store", 0x813, 32, 0, Some(1)),
    csr("tmask_concat_1", 0x814, 32, 0, Some(2)),
    csr("tmask_concat_2", 0x815, 32, 0, Some(3)),
    csr("tload_width", 0x816, 32, 0, None),
    csr("tstore_width", 0x817, 32, 0, None),
];
const LOAD_STRIDE: u32 = 0x840;
const STORE_STRIDE: u32 = 0x860;
const TLENB: u32 = 0xcd0;
/// Index of the first tile size among the CSRs that are not strides.
pub const FIRST_TILE_SIZE: usize = CSRS.len() + 1;
/// Their addresses ascend from here.
const TILE_SIZES: [&str; 3] = ["mtilem", "mtilen", "mtilek"];
const MTILEM: u32 = 0x803;
const XTLENB: u32 = 0xcc1;
const XTRLENB: u32 = 0xcc2;
const XALENB: u32 = 0xcc3;

/// CSRs that are not strides.
pub fn count(config: &Config) -> usize {
    CSRS.len() + read_only(config).len()
}

/// The CSRs that cannot be written: address and value.
fn read_only(config: &Config) -> Vec<(u32, String)> {
    let mut all = vec![(TLENB, format!("32'd{}", config.reg_bytes))];
    if config.matrix {
        let rows = config.matrix_rows();
        all.extend((MTILEM..).zip(TILE_SIZES).map(|(address, name)| (address, format!("{name}_i"))));
        let constants = [(XTLENB, config.tlen / 8), (XTRLENB, config.trlen / 8), (XALENB, 4 * rows * rows)];
        all.extend(constants.map(|(address, value)| (address, format!("32'd{value}"))));
    }
    all
}

/// The decoder of the CSR instructions of `config`.
pub fn decoder(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_csr_decoder",
        "What a CSR instruction does: csrrw, csrrs, csrrc and their immediate forms. Purely combinational. CSR numbers \
         that are not here are illegal.",
    );
    m.input("instr_i", Ty::bits(32), "");
    m.input("rs_i", Ty::bits(32), "x[rs1]");
    m.output("csr_o", Ty::named("csr_instr_t"), "");
    m.signals(&["known", "read_only", "write", "load_stride", "store_stride"], Ty::bit());
    let first = CSRS[0].address;
    assert!(first.is_multiple_of(8) && CSRS.iter().zip(first..).all(|(csr, address)| csr.address == address));
    let writable =
        CSRS.iter().enumerate().map(|(k, csr)| (format!("writable && (instr_i[22:20] == 3'd{k})"), csr.name));
    let others =
        read_only(config).into_iter().map(|(address, _)| (format!("instr_i[31:20] == 12'h{address:03x}"), "read-only"));
    let selects: String = writable
        .chain(others)
        .enumerate()
        .map(|(k, (condition, name))| format!("assign select[{k}] = {condition};  // {name}\n"))
        .collect();
    m.signal("writable", Ty::bit(), "one of those that can be written and are no stride: they follow each other");
    m.signal("select", Ty::bits("NumCsrs"), "one-hot");
    m.signal("unused_rd", Ty::bit(), "");
    m.text(&selects);
    m.text(&format!(
        r#"
        assign unused_rd = ^instr_i[11:7];

        assign csr_o.ours         = instr_i[6:0] == 7'b1110011;
        assign csr_o.legal        = known && (instr_i[13:12] != 2'b00) && !(read_only && write);
        assign csr_o.write        = write;
        assign csr_o.sets         = instr_i[13:12] == 2'b10;
        assign csr_o.clears       = instr_i[13:12] == 2'b11;
        assign csr_o.modifies     = instr_i[13];
        assign csr_o.load_stride  = load_stride;
        assign csr_o.store_stride = store_stride;
        assign csr_o.select       = select;
        assign csr_o.index        = instr_i[24:20];
        assign csr_o.operand      = instr_i[14] ? 32'(instr_i[19:15]) : rs_i;

        assign write        = (instr_i[13:12] == 2'b01) || (instr_i[19:15] != 5'd0);
        assign load_stride  = instr_i[31:25] == 7'h{:02x};
        assign store_stride = instr_i[31:25] == 7'h{:02x};

        assign writable     = instr_i[31:23] == 9'h{:03x};
        assign read_only    = select[NumCsrs-1:{}] != '0;
        assign known        = load_stride || store_stride || writable || read_only;
        "#,
        LOAD_STRIDE >> 5,
        STORE_STRIDE >> 5,
        first >> 3,
        CSRS.len(),
    ));
    m
}

/// The bits of ttype that can be 1: the two-bit field of a floating-point type is there when its width is.
fn ttype_bits(config: &Config) -> u32 {
    let field = |&bits: &u32| 3 << (4 + 2 * (bits.ilog2() - 2));
    config.element_widths.iter().map(field).fold(0x00f, |all, field| all | field)
}

/// The CSR file of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_csr",
        "CSR file, and execution of csrrw, csrrs, csrrc and their immediate forms on it. All other CSR numbers are \
         illegal here. The new value is visible in the cycle after `exec_i`.",
    );
    m.clocked();
    m.group("The CSR instruction in the dispatch stage");
    m.input("csr_i", Ty::named("csr_instr_t"), "");
    m.input("exec_i", Ty::bit(), "execute it now; it has been here a cycle before, if it modifies");
    m.output("rdata_o", Ty::bits(32), "old value, in the cycle after it was asked for");
    m.group("Undoing: what was changed in the cycle before, whose old value is rdata_o; and the reverse");
    m.output("changed_o", Ty::named("csr_undo_t"), "no CSR: nothing was changed");
    m.input("undo_i", Ty::bit(), "");
    m.input("undo_csr_i", Ty::named("csr_undo_t"), "");
    m.input("undo_value_i", Ty::bits(32), "");
    if config.matrix {
        m.group("Tile sizes, which CSR instructions only read");
        for name in TILE_SIZES {
            m.input(&format!("{name}_i"), Ty::bits(32), "");
        }
        m.input("sets_size_i", Ty::bits(3), "the instruction in the dispatch stage is to set one of them: k, n, m");
    }
    m.group("State");
    for c in &CSRS {
        m.output(&format!("{}_o", c.name), Ty::bits(c.bits), "");
    }
    m.output("mask_init_o", Ty::bits(4), "written since reset: load, store, concat_1, concat_2");
    m.group("Strides: one of them per cycle; a load stride for the engine while it is busy with them");
    m.input("load_busy_i", Ty::bit(), "");
    m.input("load_idx_i", Ty::bits(5), "");
    m.output("load_stride_o", Ty::bits(32), "");
    m.input("store_idx_i", Ty::bits(5), "");
    m.output("store_stride_o", Ty::bits(32), "");
    m.output("store_bound_o", Ty::bits(32), "not less than any of the store strides");
    m.output("ready_o", Ty::bit(), "the strides have their values after reset");

    m.signal("select", Ty::bits(CSRS.len() as u32), "what is written");
    m.signal("index", Ty::bits(5), "of a stride");
    m.signal("wdata", Ty::bits(32), "");
    m.signal("value", Ty::bits(32), "");
    m.signal("store_stride", Ty::bits(32), "for an instruction, else for the scan");
    m.signal("is_load_stride", Ty::bit(), "");
    m.signal("is_store_stride", Ty::bit(), "");
    m.signal("write", Ty::bit(), "");
    m.signal("unused_instr", Ty::bit(), "");
    m.text(
        r#"
        assign select          = undo_i ? undo_csr_i.select[7:0] : csr_i.select[7:0];
        assign index           = undo_i ? undo_csr_i.index : csr_i.index;
        assign is_load_stride  = undo_i ? undo_csr_i.load_stride : csr_i.load_stride;
        assign is_store_stride = undo_i ? undo_csr_i.store_stride : csr_i.store_stride;
        assign write           = undo_i || (exec_i && csr_i.write);
        assign unused_instr    = ^{csr_i, undo_csr_i};

        always_comb begin
          wdata = csr_i.operand;
          if (csr_i.sets) wdata = rdata_o | csr_i.operand;
          if (csr_i.clears) wdata = rdata_o & ~csr_i.operand;
          if (undo_i) wdata = undo_value_i;
        end
        "#,
    );

    m.section(
        "Read. Those that can be written and are no stride are read from a memory: a copy, which costs less than to choose \
         one of the registers.",
    );
    m.signal("copy", Ty::bits(32), "");
    let reads: String = (CSRS.len()..)
        .zip(read_only(config))
        .map(|(k, (_, value))| {
            let size = (FIRST_TILE_SIZE..FIRST_TILE_SIZE + 3).contains(&k) && config.matrix;
            let sets = if size { format!(" || sets_size_i[{}]", k - FIRST_TILE_SIZE) } else { String::new() };
            format!("  if (csr_i.select[{k}]{sets}) value = {value};\n")
        })
        .collect();
    let size_select = if config.matrix { format!("NumCsrs'(sets_size_i) << {FIRST_TILE_SIZE}") } else { "'0".into() };
    m.text(&format!(
        r#"
always_comb begin
  value = copy;
{reads}  if (is_load_stride) value = load_stride_o;
  if (is_store_stride) value = store_stride;
end

always_ff @(posedge clk_i) begin
  rdata_o            <= value;
  changed_o.index    <= csr_i.index;
  changed_o.was_init <= (csr_i.select[5:2] & mask_init_o) != '0;
  if (exec_i && csr_i.write) begin
    changed_o.load_stride  <= csr_i.load_stride;
    changed_o.store_stride <= csr_i.store_stride;
    changed_o.select       <= csr_i.select;
  end else begin
    changed_o.load_stride  <= 1'b0;
    changed_o.store_stride <= 1'b0;
    changed_o.select       <= {size_select};
  end
end
"#
    ));

    m.section("Write.");
    let mut resets = String::new();
    let mut writes = String::new();
    for (k, c) in CSRS.iter().enumerate() {
        resets.push_str(&format!("    {:<14} <= {}'h{:x};\n", format!("{}_o", c.name), c.bits, c.reset));
        let value = match (c.name, ttype_bits(config)) {
            ("ttype", kept) if kept != 0xfff => format!("wdata[11:0] & 12'h{kept:03x}"),
            _ if c.bits == 32 => "wdata".to_owned(),
            _ => format!("wdata[{}:0]", c.bits - 1),
        };
        writes.push_str(&format!("    if (select[{k}]) {}_o <= {value};\n", c.name));
        if let Some(bit) = c.init_bit {
            writes.push_str(&format!("    if (select[{k}]) mask_init_o[{bit}] <= !undo_i || undo_csr_i.was_init;\n"));
        }
    }
    m.text(&format!(
        r#"
always_ff @(posedge clk_i or negedge rst_ni) begin
  if (!rst_ni) begin
{resets}    mask_init_o    <= '0;
  end else if (write) begin
{writes}  end
end
"#
    ));
    strides(&mut m);
    copy(&mut m, config);
    m
}

/// What the CSRs that are registers read as.
fn copy(m: &mut Module, config: &Config) {
    m.section("The copy. It gets the values of reset while the strides get theirs; bits that are not there stay 0.");
    m.signal("copy_we", Ty::bit(), "");
    m.signal("copy_wdata", Ty::bits(32), "");
    m.signal("copy_reset", Ty::bits(32), "of the CSR that is written");
    let last = CSRS.len() - 1;
    let resets = CSRS.iter().enumerate().filter(|(_, c)| c.reset != 0);
    let resets: String = resets
        .map(|(k, c)| format!("  if (init_q[2:0] == 3'd{k}) copy_reset = 32'h{:x};  // {}\n", c.reset, c.name))
        .collect();
    let kept = CSRS.iter().enumerate().map(|(k, c)| {
        let bits = if c.name == "ttype" { ttype_bits(config) } else { u32::MAX >> (32 - c.bits) };
        (k, bits)
    });
    let kept: String = kept
        .filter(|&(_, bits)| bits != u32::MAX)
        .map(|(k, bits)| format!("  if (select[{k}]) kept = 32'h{bits:08x};\n"))
        .collect();
    m.text(&format!(
        r#"
assign copy_we    = !ready_o || (write && (select[{last}:0] != '0));
assign copy_wdata = ready_o ? stride_wdata : copy_reset;

always_comb begin
  copy_reset = '0;
{resets}end

always_comb begin
  kept = '1;
{kept}end
"#
    ));
    m.instance(
        &tl_lutram::module(),
        "u_copy",
        &[("Width", "32"), ("Depth", &CSRS.len().to_string())],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "copy_we"),
            ("waddr_i", "stride_waddr[2:0]"),
            ("wdata_i", "copy_wdata"),
            ("raddr_i", "csr_i.index[2:0]"),
            ("rdata_o", "copy"),
        ],
    );
}

fn strides(m: &mut Module) {
    m.section(
        "Strides, in memories. A dense block needs no set-up: stride i is i after reset, which takes a cycle for each.",
    );
    m.signal("init_q", Ty::bits(6), "next stride to be set after reset; 32: all are");
    m.signals(&["load_we", "store_we"], Ty::bit());
    m.signals(&["stride_waddr", "load_raddr", "store_raddr"], Ty::bits(5));
    m.signal("stride_wdata", Ty::bits(32), "");
    m.signal("kept", Ty::bits(32), "bits that are there");
    m.signal("scan_q", Ty::bits(5), "");
    m.text(
        r#"
        assign ready_o      = init_q[5];
        assign load_we      = !ready_o || (write && is_load_stride);
        assign store_we     = !ready_o || (write && is_store_stride);
        assign stride_waddr = ready_o ? index : init_q[4:0];
        assign stride_wdata = ready_o ? wdata & kept : 32'(init_q);
        assign load_raddr   = load_busy_i ? load_idx_i : csr_i.index;
        assign store_raddr  = csr_i.store_stride ? csr_i.index : scan_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            init_q <= '0;
          end else if (!ready_o) begin
            init_q <= init_q + 6'd1;
          end
        end
        "#,
    );
    // The engine reads store strides from a copy of its own.
    for (name, label, raddr, rdata) in [
        ("load", "u_load_strides", "load_raddr", "load_stride_o"),
        ("store", "u_store_strides", "store_raddr", "store_stride"),
        ("store", "u_store_copy", "store_idx_i", "store_stride_o"),
    ] {
        m.instance(
            &tl_lutram::module(),
            label,
            &[("Width", "32"), ("Depth", "32")],
            &[
                ("clk_i", "clk_i"),
                ("we_i", &format!("{name}_we")),
                ("waddr_i", "stride_waddr"),
                ("wdata_i", "stride_wdata"),
                ("raddr_i", raddr),
                ("rdata_o", rdata),
            ],
        );
    }
    m.section(
        "The OR of all store strides is not less than any of them. What is written is added a cycle later, \
         before a store can go; while no instruction reads, a scan, over and over, finds what no stride has any more.",
    );
    m.signal("scan_or_q", Ty::bits(32), "of the strides below scan_q");
    m.signal("scan_or", Ty::bits(32), "");
    m.signal("wrote_q", Ty::bit(), "a stride was written in the cycle before");
    m.signal("wrote_data_q", Ty::bits(32), "");
    m.text(
        r#"
        assign scan_or = scan_or_q | store_stride;

        always_ff @(posedge clk_i) begin
          if (store_we) begin
            scan_q        <= '0;
            scan_or_q     <= '0;
          end else if (!csr_i.store_stride) begin
            scan_q    <= scan_q + 5'd1;
            scan_or_q <= scan_or;
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) wrote_q <= 1'b0;
          else wrote_q <= store_we;
        end

        always_ff @(posedge clk_i) begin
          wrote_data_q <= stride_wdata;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            store_bound_o <= '0;
          end else if (wrote_q) begin
            store_bound_o <= store_bound_o | wrote_data_q;
          end else if (ready_o && !csr_i.store_stride && scan_q == 5'd31) begin
            store_bound_o <= scan_or;
          end
        end
        "#,
    );
}
