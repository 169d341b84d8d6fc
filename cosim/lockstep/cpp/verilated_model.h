// SPDX-License-Identifier: Apache-2.0
// The verilated tl_top of any configuration.
#pragma once

#include <cstdio>
#include <cstring>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "cosim/src/unit/bridge.rs.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

// A port of the unit, and a signal of its probe, as Verilator names them. The glue of a system has names of its own.
#ifndef TL_PORT
#define TL_PORT(name) (top_->name)
#define TL_PROBE(name) (top_->rootp->tl_top__DOT__u_probe__DOT__##name)
#endif
#define PROBE(name) TL_PROBE(name)
// A signal of the probe for profiles.
#define TL_PROFILE(name) (top_->rootp->tl_top__DOT__u_profile__DOT__##name)
// The store of the word on L0M; the bench of an adapter has one of its own.
#ifndef TL_STORE_TAG
#define TL_STORE_TAG PROBE(store_tag)
#endif
// The result is of an instruction that the adapter has refused.
#ifndef TL_REFUSED
#define TL_REFUSED false
#endif

namespace cosim {

// Verilator's generator of initial values is seeded for the whole process.
inline std::mutex construction;

// What registers without a reset begin with: at random mostly; for a quarter of the seeds 0 alone, or 1 alone, which wide ones
// never are at random. Where toggles are counted always 0: a register that begins at random would seem to toggle in reset.
enum class Beginning { zeros, ones, random };  // as randReset of Verilator has them

inline Beginning beginning(std::uint64_t seed) {
  if (VM_COVERAGE != 0) return Beginning::zeros;
  switch (seed >> 61) {
    case 6: return Beginning::zeros;
    case 7: return Beginning::ones;
    default: return Beginning::random;
  }
}

// Clock cycles before reset falls first. Verilator begins some registers with 0, whatever it is told: outputs of an instance that
// are part of a vector. They get what follows from the others.
inline std::uint64_t clocks_before_reset(std::uint64_t seed) { return beginning(seed) == Beginning::random ? seed >> 59 & 3 : 0; }

// Whether what nothing may look at is wrong: in half of the cases.
inline bool poisoned(std::uint64_t seed) { return VM_COVERAGE == 0 && (seed & 1) != 0; }

// Whether the unit has the port issue_rs2_i, which the matrix instruction set uses. RTL of earlier commits has it only then.
template <class Top, class = void>
struct HasRs2 : std::false_type {};
template <class Top>
struct HasRs2<Top, std::void_t<decltype(std::declval<Top &>().issue_rs2_i)>> : std::true_type {};

// Whether what the CSRs mean is on a port: of tl_top, and not of what is around it.
template <class Top, class = void>
struct HasMeaning : std::false_type {};
template <class Top>
struct HasMeaning<Top, std::void_t<decltype(std::declval<Top &>().meaning_o)>> : std::true_type {};

// A verilated tl_top.
//
// Unit, which src/unit/glue.rs writes for each model, has
//   Top                                  the class that Verilator made
//   driven                               the ports of the unit are those of Top, and this drives them
//   lanes, port_bytes, reg_bytes         the configuration, in bytes
//   tile_rows, tr_row_bytes, acc_row_bytes   its matrix registers; 0 rows without them
//   probe, traced, profiled, facts       what the model was made with
//   bank(top, i, index), tile(top, r, md)    where a word of the register file, and a row of a matrix register, is
//   select(top, number)                  activates a planted fault or a mutant; 0 is none
//   poison(top, on)                      makes what nothing may look at wrong (poison.rs)
template <class Unit, class Base = Model>
class VerilatedModel : public Base {
 public:
  using Top = typename Unit::Top;

  VerilatedModel(std::uint64_t seed, std::uint32_t selection) : poisoned_(poisoned(seed)) {
    const std::lock_guard<std::mutex> lock(construction);
    // What the RTL prints is out before an error, and before a case that ends the process.
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    // Or each model starts a thread for each other core, which has nothing to do.
    context_->threads(1);
    context_->randReset(static_cast<int>(beginning(seed)));
    context_->randSeed(static_cast<int>(1 + (seed ^ seed >> 32) % 0x7ffffffe));
    if (Unit::traced) context_->traceEverOn(true);
    Verilated::threadContextp(context_.get());
    top_ = std::make_unique<Top>(context_.get());
    Unit::select(*top_, selection);
    Unit::poison(*top_, poisoned_);
    idle();
    // A flip-flop with an asynchronous reset has its value before the first clock edge: Verilator needs to see the reset fall.
    // Before it nothing is promised, least of all by a core of somebody else.
    context_->assertOn(false);
    top_->rst_ni = 1;
    top_->clk_i = 0;
    top_->eval();
    // Around a unit may be what must not see anything before reset.
    if constexpr (HasMeaning<Top>::value) run_before_reset(clocks_before_reset(seed));
    top_->rst_ni = 0;
    top_->eval();
    context_->assertOn(true);
  }

  ~VerilatedModel() override {
    close_wave();
    top_->final();
  }

  const char *try_reset(std::uint32_t cycles) noexcept override {
    return caught([&] {
      idle();
      // While reset is held nothing is promised, nor about the first cycle as compared with the one before.
      if constexpr (Unit::facts) context_->assertOn(false);
      after_reset_ = true;
      top_->rst_ni = 0;
      // Nothing that comes in while reset is held counts: neither an answer to a request of before, nor an instruction.
      if (cycles % 2 != 0) noise();
      for (std::uint32_t i = 0; i < cycles; ++i) clock();
      idle();
      top_->rst_ni = 1;
    });
  }

  const char *try_step(const Inputs &in, Outputs &out, CsrState &csrs) noexcept override {
    return caught([&] {
      drive(in);
      top_->clk_i = 0;
      top_->eval();
      dump();
      sample(out);
      top_->clk_i = 1;
      top_->eval();
      dump();
      if (Unit::facts && after_reset_) {
        context_->assertOn(true);
        after_reset_ = false;
      }
      if (out.exec_valid && in.sample_csrs) read_csrs(csrs);
    });
  }

  CsrState csrs() const override {
    CsrState state;
    read_csrs(state);
    return state;
  }

  Built built() const override {
    Built built{};
    built.port_bytes = port_bytes;
    built.matrix_ports = HasRs2<Top>::value;
    if constexpr (Unit::probe) {
      built.probe = true;
      built.lanes = PROBE(cfg_lanes);
      built.reg_bytes = PROBE(cfg_reg_bytes);
      built.width_mask = PROBE(cfg_width_mask);
      built.engine_id = PROBE(cfg_engine_id);
      built.csr_base = PROBE(cfg_csr_base);
      built.options = PROBE(cfg_options);
      built.l1m_bytes = PROBE(cfg_l1m_bytes);
      built.l0m_bytes = PROBE(cfg_l0m_bytes);
      built.tlen = PROBE(cfg_tlen);
      built.trlen = PROBE(cfg_trlen);
      built.matrix_ports = built.tlen != 0;
    }
    return built;
  }

  RegisterMap register_map() const override {
    RegisterMap map{};
    if constexpr (Unit::probe) {
      map.zero = PROBE(map_zero);
      std::memcpy(map.phys.data(), &PROBE(map_phys), map.phys.size());
    }
    return map;
  }

  bool register_equals(std::uint8_t phys, const std::uint8_t *expected, std::size_t size) const override {
    if (size != Unit::reg_bytes) return false;
    for (unsigned r = 0; r < Unit::reg_bytes / Unit::lanes; ++r) {
      const void *row = register_row(phys, r);
      if (!row || std::memcmp(row, expected + r * Unit::lanes, Unit::lanes) != 0) return false;
    }
    return true;
  }

  void read_register(std::uint8_t phys, std::uint8_t *bytes, std::size_t size) const override {
    for (unsigned r = 0; r < Unit::reg_bytes / Unit::lanes && (r + 1) * Unit::lanes <= size; ++r) {
      const void *row = register_row(phys, r);
      if (row) std::memcpy(bytes + r * Unit::lanes, row, Unit::lanes);
    }
  }

  void read_tile(std::uint8_t md, std::uint8_t *bytes, std::size_t size) const override {
    const unsigned row_bytes = md < 4 ? Unit::tr_row_bytes : Unit::acc_row_bytes;
    for (unsigned r = 0; r < Unit::tile_rows && (r + 1) * row_bytes <= size; ++r) {
      const void *row = Unit::tile(*top_, r, md % 8);
      if (row) std::memcpy(bytes + r * row_bytes, row, row_bytes);
    }
  }

  const char *try_open_wave(const char *path) noexcept override {
    return caught([&] {
#if VM_TRACE
      if constexpr (Unit::traced) {
        close_wave();
        wave_ = std::make_unique<VerilatedFstC>();
        top_->trace(wave_.get(), 99);
        // Without room its writer ends the process, and says why in terms of its own. Who handles the signal says it for
        // users (LastWords in signals.rs).
        std::cerr.setstate(std::ios::failbit);
        wave_->open(path);
        if (!wave_->isOpen()) throw std::runtime_error("cannot write the waveform file " + std::string(path));
        return;
      }
#endif
      throw std::logic_error("this model cannot write waveforms: " + std::string(path));
    });
  }

  void close_wave() override {
#if VM_TRACE
    if (wave_) wave_->close();
    wave_.reset();
    std::cerr.clear();
#endif
  }

  const char *try_write_coverage(const char *path) const noexcept override {
    return caught([&] {
#if VM_COVERAGE
      context_->coveragep()->write(path);
#else
      throw std::logic_error("this model counts no lines: " + std::string(path));
#endif
    });
  }

 protected:
  // Does something; gives the text of an exception, or null.
  template <class Work>
  const char *caught(Work work) const noexcept {
    try {
      work();
      return nullptr;
    } catch (const std::exception &error) {
      error_ = error.what();
      return error_.c_str();
    }
  }

  static constexpr unsigned port_bytes = Unit::port_bytes;

  // The inputs of a cycle.
  void drive(const Inputs &in) {
    if constexpr (Unit::driven) {
      top_->issue_valid_i = in.issue_valid;
      top_->issue_instr_i = in.issue_instr;
      top_->issue_rs_i = in.issue_rs;
      if constexpr (HasRs2<Top>::value) top_->issue_rs2_i = in.issue_rs2;
      top_->issue_id_i = in.issue_id;
      top_->result_ready_i = in.result_ready;
      top_->resume_i = in.resume;
      top_->l1m_gnt_i = in.l1m_gnt;
      top_->l1m_rvalid_i = in.l1m_rvalid;
      top_->l1m_err_i = in.l1m_err;
      if (in.l1m_rvalid) std::memcpy(&top_->l1m_rdata_i, in.l1m_rdata.data(), port_bytes);
      top_->l0m_gnt_i = in.l0m_gnt;
      top_->l0m_rvalid_i = in.l0m_rvalid;
      top_->l0m_err_i = in.l0m_err;
      if (poisoned_) drive_poison(in);
    }
  }

  // Whatever is not valid is wrong.
  void drive_poison(const Inputs &in) {
    if (!in.issue_valid) {
      top_->issue_instr_i = ~in.issue_instr;
      top_->issue_rs_i = ~in.issue_rs;
      if constexpr (HasRs2<Top>::value) top_->issue_rs2_i = ~in.issue_rs2;
    }
    if (!in.l1m_rvalid) {
      top_->l1m_err_i = true;
      std::memset(&top_->l1m_rdata_i, 0xa5, port_bytes);
    }
    if (!in.l0m_rvalid) top_->l0m_err_i = true;
  }

  // No requests, and every port of the bench ready.
  void idle() {
    if constexpr (Unit::driven) {
      std::memset(&top_->l1m_rdata_i, 0, sizeof top_->l1m_rdata_i);
      drive(Inputs{});
    }
  }

  // Everything at once.
  void noise() {
    Inputs in{};
    in.issue_valid = in.result_ready = in.resume = true;
    in.issue_instr = in.issue_rs = in.issue_rs2 = 0xffffffff;
    in.l1m_gnt = in.l1m_rvalid = in.l1m_err = true;
    in.l1m_rdata.fill(0xff);
    in.l0m_gnt = in.l0m_rvalid = in.l0m_err = true;
    drive(in);
  }

  void run_before_reset(std::uint64_t clocks) {
    context_->assertOn(false);
    noise();
    for (; clocks != 0; --clocks) {
      top_->clk_i = 1;
      top_->eval();
      top_->clk_i = 0;
      top_->eval();
    }
    idle();
    context_->assertOn(true);
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
#if VM_TRACE
    if (wave_) wave_->dump(context_->time());
    context_->timeInc(1);
#endif
  }

  void sample(Outputs &out) const {
    out.issue_ready = TL_PORT(issue_ready_o);
    out.result_valid = TL_PORT(result_valid_o);
    out.result_id = TL_PORT(result_id_o);
    out.result_trap = TL_PORT(result_trap_o);
    out.result_cause = TL_PORT(result_cause_o);
    out.result_tval = TL_PORT(result_tval_o);
    out.result_we = TL_PORT(result_we_o);
    out.result_rd = TL_PORT(result_rd_o);
    out.result_data = TL_PORT(result_data_o);
    out.result_killed = TL_PORT(result_killed_o);
    out.refused = TL_REFUSED;
    out.busy = TL_PORT(busy_o);
    if constexpr (HasMeaning<Top>::value) {
      out.means = true;
      out.meaning = top_->meaning_o;
    }
    out.l1m_req = TL_PORT(l1m_req_o);
    out.l1m_addr = TL_PORT(l1m_addr_o);
    out.l0m_req = TL_PORT(l0m_req_o);
    if (out.l0m_req) {
      out.l0m_addr = TL_PORT(l0m_addr_o);
      out.l0m_be = TL_PORT(l0m_be_o);
      std::memcpy(out.l0m_wdata.data(), &TL_PORT(l0m_wdata_o), port_bytes);
      if constexpr (Unit::probe) out.store_tag = TL_STORE_TAG;
    }
    if constexpr (Unit::probe) sample_probe(out);
    if constexpr (Unit::profiled) sample_profile(out);
  }

  void sample_profile(Outputs &out) const {
    out.stage = TL_PROFILE(stage);
  }

  void sample_probe(Outputs &out) const {
    if constexpr (Unit::tile_rows != 0) {
      out.tile_valid = PROBE(tile_valid);
      out.tile_tag = PROBE(tile_tag);
      out.tile_md = PROBE(tile_md);
    }
    out.exec_valid = PROBE(exec_valid);
    out.exec_tag = PROBE(exec_tag);
    out.reg_write = PROBE(reg_write);
    out.done_valid = PROBE(done_valid);
    const std::uint32_t tags = PROBE(done_tag);
    for (unsigned i = 0; i < out.done_tag.size(); ++i) out.done_tag[i] = static_cast<std::uint8_t>(tags >> 8 * i);
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
    if constexpr (Unit::probe) read_probed_csrs(state);
  }

  void read_probed_csrs(CsrState &state) const {
    state.single = {PROBE(csr_ttype),      PROBE(csr_tshape),         PROBE(csr_tmask_load),
                    PROBE(csr_tmask_store), PROBE(csr_tmask_concat_1), PROBE(csr_tmask_concat_2),
                    PROBE(csr_tload_width), PROBE(csr_tstore_width),   PROBE(csr_tload_pitch),
                    PROBE(csr_tstore_pitch)};
    state.mask_init = PROBE(csr_mask_init);
    std::memcpy(state.load_stride.data(), &PROBE(csr_tload_stride), sizeof state.load_stride);
    std::memcpy(state.store_stride.data(), &PROBE(csr_tstore_stride), sizeof state.store_stride);
    if constexpr (Unit::tile_rows != 0) {
      state.tile_sizes = {PROBE(csr_mtilem), PROBE(csr_mtilen), PROBE(csr_mtilek)};
    } else {
      state.tile_sizes = {0, 0, 0};
    }
  }

  // Row r of a register is in bank r[0]; Verilator keeps a memory word as little-endian bytes.
  const void *register_row(unsigned phys, unsigned r) const {
    constexpr unsigned rows = Unit::reg_bytes / Unit::lanes;
    return Unit::bank(*top_, r % 2, phys * (rows / 2) + r / 2);
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Top> top_;

 private:
  [[maybe_unused]] bool after_reset_ = false;
  [[maybe_unused]] const bool poisoned_;
  mutable std::string error_;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave_;
#endif
};

}  // namespace cosim

#undef TL_STORE_TAG
#undef TL_REFUSED
#undef TL_PROFILE
#undef PROBE
#undef TL_PROBE
#undef TL_PORT
