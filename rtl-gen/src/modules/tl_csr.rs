// SPDX-License-Identifier: Apache-2.0
//! `tl_csr`: the CSRs of the unit and the six CSR instructions on them.

use crate::Config;
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
/// Their addresses ascend from here.
const TILE_SIZES: [&str; 3] = ["mtilem", "mtilen", "mtilek"];
const MTILEM: u32 = 0x803;
const XTLENB: u32 = 0xcc1;
const XTRLENB: u32 = 0xcc2;
const XALENB: u32 = 0xcc3;

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
    m.input("instr_i", Ty::bits(32), "SYSTEM instruction; its opcode is not looked at");
    m.input("rs_i", Ty::bits(32), "x[rs1]");
    m.input("exec_i", Ty::bit(), "execute it now; only when legal_o");
    m.output("legal_o", Ty::bit(), "a CSR instruction that may be executed");
    m.output("rdata_o", Ty::bits(32), "old value");
    m.output("load_stride_we_o", Ty::bit(), "it would write a tload_stride");
    m.output("store_stride_we_o", Ty::bit(), "it would write a tstore_stride");
    m.output("shape_we_o", Ty::bit(), "it would write another CSR");
    if config.matrix {
        m.group("Tile sizes, which CSR instructions only read");
        for name in TILE_SIZES {
            m.input(&format!("{name}_i"), Ty::bits(32), "");
        }
    }
    m.group("State");
    for c in &CSRS {
        m.output(&format!("{}_o", c.name), Ty::bits(c.bits), "");
    }
    m.output("mask_init_o", Ty::bits(4), "written since reset: load, store, concat_1, concat_2");
    m.output("load_stride_o", Ty::bits(32).packed(32), "");
    m.output("store_stride_o", Ty::bits(32).packed(32), "");

    m.section("The instruction: 001 write, 010 set, 011 clear; bit 2 selects the immediate.");
    m.signal("addr", Ty::bits(12), "");
    m.signal("op", Ty::bits(2), "");
    m.signal("operand", Ty::bits(32), "");
    m.signal("write", Ty::bit(), "not csrrs or csrrc with x0 or 0");
    m.signal("known", Ty::bit(), "");
    m.signal("read_only", Ty::bit(), "");
    m.signal("wdata", Ty::bits(32), "");
    m.signal("is_load_stride", Ty::bit(), "");
    m.signal("is_store_stride", Ty::bit(), "");
    m.signal("unused_instr", Ty::bit(), "");
    m.text(&format!(
        r#"
        assign addr            = instr_i[31:20];
        assign op              = instr_i[13:12];
        assign operand         = instr_i[14] ? {{27'd0, instr_i[19:15]}} : rs_i;
        assign write           = (op == 2'b01) || (instr_i[19:15] != 5'd0);
        assign is_load_stride  = addr[11:5] == 7'h{:02x};
        assign is_store_stride = addr[11:5] == 7'h{:02x};
        assign legal_o         = known && (op != 2'b00) && !(read_only && write);
        assign unused_instr    = ^instr_i[11:0];

        always_comb begin
          unique case (op)
            2'b10:   wdata = rdata_o | operand;
            2'b11:   wdata = rdata_o & ~operand;
            default: wdata = operand;
          endcase
        end

        assign load_stride_we_o  = write && is_load_stride;
        assign store_stride_we_o = write && is_store_stride;
        assign shape_we_o        = write && !is_load_stride && !is_store_stride;
        "#,
        LOAD_STRIDE >> 5,
        STORE_STRIDE >> 5
    ));

    m.section("Read. Bits that are not there read as 0.");
    let mut reads = String::new();
    for c in &CSRS {
        let value = if c.bits == 32 { format!("{}_o", c.name) } else { format!("32'({}_o)", c.name) };
        reads.push_str(&format!("      12'h{:03x}: rdata_o = {value};\n", c.address));
    }
    for (address, value) in read_only(config) {
        reads.push_str(&format!(
            "      12'h{address:03x}: begin\n        read_only = 1'b1;\n        rdata_o   = {value};\n      end\n"
        ));
    }
    m.text(&format!(
        r#"
always_comb begin
  known     = 1'b1;
  read_only = 1'b0;
  rdata_o   = '0;
  if (is_load_stride) begin
    rdata_o = load_stride_o[addr[4:0]];
  end else if (is_store_stride) begin
    rdata_o = store_stride_o[addr[4:0]];
  end else begin
    unique case (addr)
{reads}      default: known = 1'b0;
    endcase
  end
end
"#,
    ));

    m.section("Write.");
    let mut resets = String::new();
    let mut writes = String::new();
    for c in &CSRS {
        resets.push_str(&format!("    {:<14} <= {}'h{:x};\n", format!("{}_o", c.name), c.bits, c.reset));
        let value = match (c.name, ttype_bits(config)) {
            ("ttype", kept) if kept != 0xfff => format!("wdata[11:0] & 12'h{kept:03x}"),
            _ if c.bits == 32 => "wdata".to_owned(),
            _ => format!("wdata[{}:0]", c.bits - 1),
        };
        match c.init_bit {
            None => writes.push_str(&format!("      12'h{:03x}: {}_o <= {value};\n", c.address, c.name)),
            Some(bit) => writes.push_str(&format!(
                "      12'h{:03x}: begin\n        {}_o <= {value};\n        mask_init_o[{bit}] <= 1'b1;\n      end\n",
                c.address, c.name
            )),
        }
    }
    m.text(&format!(
        r#"
always_ff @(posedge clk_i or negedge rst_ni) begin
  if (!rst_ni) begin
{resets}    mask_init_o    <= '0;
  end else if (exec_i && write) begin
    unique case (addr)
{writes}      default: ;
    endcase
  end
end

// A dense block needs no set-up: stride i resets to i.
always_ff @(posedge clk_i or negedge rst_ni) begin
  if (!rst_ni) begin
    for (int unsigned i = 0; i < 32; i++) begin
      load_stride_o[i]  <= i;
      store_stride_o[i] <= i;
    end
  end else if (exec_i && write) begin
    for (int unsigned i = 0; i < 32; i++) begin
      if (is_load_stride && (addr[4:0] == 5'(i))) load_stride_o[i] <= wdata;
      if (is_store_stride && (addr[4:0] == 5'(i))) store_stride_o[i] <= wdata;
    end
  end
end
"#
    ));
    m
}
