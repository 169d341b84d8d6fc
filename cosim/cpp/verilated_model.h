// SPDX-License-Identifier: Apache-2.0
// The verilated tl_top of any configuration.
#pragma once

#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>

#include "cosim/src/bridge.rs.h"
#include "verilated.h"
#include "verilated_fst_c.h"

// Names that Verilator gives to what the bench reads: the probe, and a bank of the register file.
#define PROBE(name) (top_->rootp->tl_top__DOT__u_probe__DOT__##name)
#define BANK(i) (top_->rootp->tl_top__DOT__u_regfile__DOT__gen_bank__BRA__##i##__KET____DOT__u_ram__DOT__mem)

namespace cosim {

// Verilator's generator of initial values is seeded for the whole process.
inline std::mutex construction;

// The matrix registers of a unit that has none. The build script writes such a class for each other model.
struct NoTiles {
  static constexpr unsigned rows = 0;
};

// Top: the class that Verilator made. Lanes, PortBytes, RegBytes: the configuration. Tiles: its matrix registers.
// Traced: it can write waveforms. Faults: it has the package that selects a planted fault.
template <class Top, unsigned Lanes, unsigned PortBytes, unsigned RegBytes, class Tiles, bool Traced, bool Faults>
class VerilatedModel : public Model {
 public:
  explicit VerilatedModel(std::uint64_t seed) {
    const std::lock_guard<std::mutex> lock(construction);
    context_->randReset(2);
    context_->randSeed(static_cast<int>(1 + (seed ^ seed >> 32) % 0x7ffffffe));
    if (Traced) context_->traceEverOn(true);
    Verilated::threadContextp(context_.get());
    top_ = std::make_unique<Top>(context_.get());
    set_selection(0);
    idle();
    top_->rst_ni = 0;
    top_->clk_i = 0;
    top_->eval();
  }

  ~VerilatedModel() override {
    close_wave();
    top_->final();
  }

  void reset(std::uint32_t cycles) override {
    idle();
    top_->rst_ni = 0;
    for (std::uint32_t i = 0; i < cycles; ++i) clock();
    top_->rst_ni = 1;
  }

  void step(const Inputs &in, Outputs &out, CsrState &csrs) override {
    top_->issue_valid_i = in.issue_valid;
    top_->issue_instr_i = in.issue_instr;
    top_->issue_rs_i = in.issue_rs;
    if constexpr (Matrix) top_->issue_rs2_i = in.issue_rs2;
    top_->issue_id_i = in.issue_id;
    top_->result_ready_i = in.result_ready;
    top_->l1m_gnt_i = in.l1m_gnt;
    top_->l1m_rvalid_i = in.l1m_rvalid;
    top_->l1m_err_i = in.l1m_err;
    if (in.l1m_rvalid) std::memcpy(&top_->l1m_rdata_i, in.l1m_rdata.data(), PortBytes);
    top_->l0m_gnt_i = in.l0m_gnt;
    top_->l0m_rvalid_i = in.l0m_rvalid;
    top_->l0m_err_i = in.l0m_err;
    top_->clk_i = 0;
    top_->eval();
    dump();
    sample(out);
    top_->clk_i = 1;
    top_->eval();
    dump();
    if (out.exec_valid && in.sample_csrs) read_csrs(csrs);
  }

  CsrState csrs() const override {
    CsrState state;
    read_csrs(state);
    return state;
  }

  Built built() const override {
    return Built{PROBE(cfg_lanes),     PROBE(cfg_port_bytes), PROBE(cfg_reg_bytes), PROBE(cfg_width_mask),
                 PROBE(cfg_engine_id), PROBE(cfg_l1m_bytes),  PROBE(cfg_l0m_bytes),  PROBE(cfg_tlen),
                 PROBE(cfg_trlen)};
  }

  RegisterMap register_map() const override {
    RegisterMap map;
    map.zero = PROBE(map_zero);
    std::memcpy(map.phys.data(), &PROBE(map_phys), map.phys.size());
    return map;
  }

  bool register_equals(std::uint8_t phys, rust::Slice<const std::uint8_t> expected) const override {
    if (expected.size() != RegBytes) return false;
    for (unsigned r = 0; r < RegBytes / Lanes; ++r) {
      if (std::memcmp(row(phys, r), expected.data() + r * Lanes, Lanes) != 0) return false;
    }
    return true;
  }

  void read_register(std::uint8_t phys, rust::Slice<std::uint8_t> bytes) const override {
    for (unsigned r = 0; r < RegBytes / Lanes && (r + 1) * Lanes <= bytes.size(); ++r) {
      std::memcpy(bytes.data() + r * Lanes, row(phys, r), Lanes);
    }
  }

  void read_tile(std::uint8_t md, rust::Slice<std::uint8_t> bytes) const override {
    if constexpr (Matrix) {
      const unsigned row_bytes = md < 4 ? Tiles::tr_row_bytes : Tiles::acc_row_bytes;
      for (unsigned r = 0; r < Tiles::rows && (r + 1) * row_bytes <= bytes.size(); ++r) {
        std::memcpy(bytes.data() + r * row_bytes, Tiles::row(*top_, r, md % 8), row_bytes);
      }
    }
  }

  void open_wave(rust::Str path) override {
    if constexpr (Traced) {
      close_wave();
      wave_ = std::make_unique<VerilatedFstC>();
      top_->trace(wave_.get(), 99);
      wave_->open(std::string(path).c_str());
      if (!wave_->isOpen()) throw std::runtime_error("cannot write the waveform file " + std::string(path));
    } else {
      throw std::logic_error("this model cannot write waveforms");
    }
  }

  void close_wave() override {
    if constexpr (Traced) {
      if (wave_) wave_->close();
      wave_.reset();
    }
  }

  void set_fault(std::uint32_t id) override {
    if (!Faults && id != 0) throw std::logic_error("this model has no planted faults");
    set_selection(id);
  }

  void write_coverage(rust::Str) const override { throw std::logic_error("this model counts no lines"); }

 protected:
  VerilatedContext &context() const { return *context_; }

 private:
  static constexpr bool Matrix = Tiles::rows != 0;

  void set_selection(std::uint32_t id) {
    if constexpr (Faults) top_->__PVT__tl_fault_pkg->sel = id;
  }

  // No requests, and every port of the bench ready.
  void idle() {
    top_->issue_valid_i = 0;
    top_->issue_instr_i = 0;
    top_->issue_rs_i = 0;
    if constexpr (Matrix) top_->issue_rs2_i = 0;
    top_->issue_id_i = 0;
    top_->result_ready_i = 0;
    top_->l1m_gnt_i = 0;
    top_->l1m_rvalid_i = 0;
    top_->l1m_err_i = 0;
    std::memset(&top_->l1m_rdata_i, 0, sizeof top_->l1m_rdata_i);
    top_->l0m_gnt_i = 0;
    top_->l0m_rvalid_i = 0;
    top_->l0m_err_i = 0;
  }

  void clock() {
    top_->clk_i = 0;
    top_->eval();
    dump();
    top_->clk_i = 1;
    top_->eval();
    dump();
  }

  // One time step for each half of a clock cycle.
  void dump() {
    if constexpr (Traced) {
      if (wave_) wave_->dump(context_->time());
      context_->timeInc(1);
    }
  }

  void sample(Outputs &out) const {
    out.issue_ready = top_->issue_ready_o;
    out.result_valid = top_->result_valid_o;
    out.result_id = top_->result_id_o;
    out.result_trap = top_->result_trap_o;
    out.result_cause = top_->result_cause_o;
    out.result_tval = top_->result_tval_o;
    out.result_we = top_->result_we_o;
    out.result_rd = top_->result_rd_o;
    out.result_data = top_->result_data_o;
    out.l1m_req = top_->l1m_req_o;
    out.l1m_addr = top_->l1m_addr_o;
    out.l0m_req = top_->l0m_req_o;
    if (out.l0m_req) {
      out.l0m_addr = top_->l0m_addr_o;
      out.l0m_be = top_->l0m_be_o;
      std::memcpy(out.l0m_wdata.data(), &top_->l0m_wdata_o, PortBytes);
      out.store_tag = PROBE(store_tag);
    }
    if constexpr (Matrix) {
      out.tile_valid = PROBE(tile_valid);
      out.tile_tag = PROBE(tile_tag);
      out.tile_md = PROBE(tile_md);
    }
    out.exec_valid = PROBE(exec_valid);
    out.exec_tag = PROBE(exec_tag);
    out.retire_valid = PROBE(retire_valid);
    if (out.retire_valid) {
      out.retire_tag = PROBE(retire_tag);
      out.retire_word = PROBE(retire_word);
      out.retire_dst_valid = PROBE(retire_dst_valid);
      const std::uint32_t arch = PROBE(retire_dst_arch);
      const std::uint32_t phys = PROBE(retire_dst_phys);
      out.retire_dst_arch = {static_cast<std::uint8_t>(arch & 31), static_cast<std::uint8_t>(arch >> 5 & 31)};
      out.retire_dst_phys = {static_cast<std::uint8_t>(phys & 255), static_cast<std::uint8_t>(phys >> 8 & 255)};
    }
  }

  void read_csrs(CsrState &state) const {
    state.single = {PROBE(csr_ttype),      PROBE(csr_tshape),         PROBE(csr_tmask_load),
                    PROBE(csr_tmask_store), PROBE(csr_tmask_concat_1), PROBE(csr_tmask_concat_2),
                    PROBE(csr_tload_width), PROBE(csr_tstore_width)};
    state.mask_init = PROBE(csr_mask_init);
    std::memcpy(state.load_stride.data(), &PROBE(csr_tload_stride), sizeof state.load_stride);
    std::memcpy(state.store_stride.data(), &PROBE(csr_tstore_stride), sizeof state.store_stride);
    if constexpr (Matrix) {
      state.tile_sizes = {PROBE(csr_mtilem), PROBE(csr_mtilen), PROBE(csr_mtilek)};
    } else {
      state.tile_sizes = {0, 0, 0};
    }
  }

  // Row r of a register is in bank r[0]; Verilator keeps a memory word as little-endian bytes.
  const void *row(unsigned phys, unsigned r) const {
    constexpr unsigned rows = RegBytes / Lanes;
    const unsigned index = phys * (rows / 2) + r / 2;
    return r % 2 == 0 ? static_cast<const void *>(&BANK(0)[index]) : static_cast<const void *>(&BANK(1)[index]);
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Top> top_;
  std::unique_ptr<VerilatedFstC> wave_;
};

}  // namespace cosim

#undef PROBE
#undef BANK
