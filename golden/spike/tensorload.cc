// SPDX-License-Identifier: Apache-2.0
// An extension of Spike: the unit, and the host of docs/isa.md around it. Spike executes the base instruction set. The
// model (tensorload_unit.h) says which words and CSRs belong to the unit, and executes them.
//
// Where the standard leaves a choice, this follows docs/isa.md, "Host": memories, the list of CSRs, counters
// that cannot be written, tval of `ebreak` and of an illegal instruction, no `wfi`, and a trap without a handler.
#include <riscv/devices.h>
#include <riscv/extension.h>
#include <riscv/mmu.h>
#include <riscv/sim.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tensorload_unit.h"

namespace {

// The hart starts at START, and goes to NO_HANDLER after a trap without a handler. Both are addresses without memory,
// where this extension puts a word of opcode custom-0 that it executes itself.
constexpr reg_t MONITOR = 0x40000000, START = MONITOR, NO_HANDLER = MONITOR + 4;
constexpr uint32_t MONITOR_WORD = 0x0000000b;

// Spike has no interface for an extension to get the simulator, or to disable the boot ROM, which would overlap program
// memory. So this code accesses private members: an explicit template instantiation may name them.
simif_t *simulator(processor_t &proc);
bool &has_boot_rom(sim_t &sim);
template <simif_t *processor_t::*member> struct simulator_of {
  friend simif_t *simulator(processor_t &proc) { return proc.*member; }
};
template <bool sim_t::*member> struct boot_rom_of {
  friend bool &has_boot_rom(sim_t &sim) { return sim.*member; }
};
template struct simulator_of<&processor_t::sim>;
template struct boot_rom_of<&sim_t::dtb_enabled>;
struct entry_point : htif_t {
  static reg_t of(htif_t &sim) { return (sim.*&entry_point::get_entry_point)(); }
};

constexpr const char *OTHER_SPIKE =
    "this library does not fit this Spike: it was compiled with headers of another version, or with the other value of "
    "_GLIBCXX_USE_CXX11_ABI (golden/spike/build.sh takes both from the program)";

[[noreturn]] void give_up(const char *why) {
  fprintf(stderr, "tensorload: %s\n", why);
  exit(2);
}

tensorload_unit *unit;
processor_t *hart;

void registers(uint64_t x[32]) {
  for (int i = 0; i < 32; i++) x[i] = hart->get_state()->XPR[i];
}

[[noreturn]] void finish(uint32_t code) {
  uint64_t x[32];
  registers(x);
  exit(tensorload_finish(unit, code, x));
}

// Program memory, or a window onto L1M or L0M.
class memory_t : public abstract_mem_t {
 public:
  explicit memory_t(tensorload_memory memory) : memory(memory) {}
  reg_t size() override { return memory.size; }
  char *contents(reg_t addr) override { return reinterpret_cast<char *>(memory.bytes) + addr; }
  bool load(reg_t addr, size_t len, uint8_t *bytes) override {
    if (addr + len > memory.size) return false;
    memcpy(bytes, memory.bytes + addr, len);
    return true;
  }
  bool store(reg_t addr, size_t len, const uint8_t *bytes) override {
    if (addr + len > memory.size) return false;
    memcpy(memory.bytes + addr, bytes, len);
    return true;
  }
  void dump(std::ostream &o) override { o.write(contents(0), memory.size); }

 private:
  tensorload_memory memory;
};

// The device for exit and print; it begins at the exit address.
class console_t : public abstract_device_t {
 public:
  reg_t size() override { return tensorload_print_address() - tensorload_exit_address() + 4; }
  bool load(reg_t, size_t, uint8_t *) override { return false; }
  bool store(reg_t addr, size_t len, const uint8_t *bytes) override {
    uint32_t word = 0;
    if (addr == 0 && len == 4) {
      memcpy(&word, bytes, 4);
      finish(word);
    }
    if (addr != size() - 4 || len == 2) return false;
    tensorload_print(unit, *bytes);
    return true;
  }
};

// The words of the monitor; they can only be fetched.
class monitor_t : public abstract_device_t {
 public:
  reg_t size() override { return 8; }
  bool load(reg_t addr, size_t len, uint8_t *bytes) override {
    reg_t pc = hart->get_state()->pc - MONITOR;
    if (addr < pc || addr + len > pc + 4) return false;
    memcpy(bytes, reinterpret_cast<const uint8_t *>(&MONITOR_WORD) + (addr - pc), len);
    return true;
  }
  bool store(reg_t, size_t, const uint8_t *) override { return false; }
};

// The host has no instruction cache. Spike decodes a word again at each fetch if a tracer watches its address.
class no_cache_t : public memtracer_t {
 public:
  bool interested_in_range(uint64_t, uint64_t, access_type type) override { return type == FETCH; }
  void trace(uint64_t, size_t, access_type) override {}
  void clean_invalidate(uint64_t, size_t, bool, bool) override {}
};

// A CSR of the unit.
class unit_csr_t : public csr_t {
 public:
  using csr_t::csr_t;
  void verify_permissions(insn_t insn, bool) const override {
    if (!tensorload_csr_legal(unit, insn.bits())) throw trap_illegal_instruction(insn.bits());
  }
  reg_t read() const noexcept override { return tensorload_csr_read(unit, address); }

 protected:
  bool unlogged_write(const reg_t val) noexcept override {
    tensorload_csr_write(unit, address, val);
    return true;
  }
};

// Number of monitor words that Spike has counted as executed instructions.
reg_t monitored;

// A counter of the host, or its upper half.
class counter_csr_t : public csr_t {
 public:
  using csr_t::csr_t;
  void verify_permissions(insn_t insn, bool write) const override {
    if (write) throw trap_illegal_instruction(insn.bits());
  }
  reg_t read() const noexcept override {
    bool instret = address == CSR_MINSTRET || address == CSR_MINSTRETH;
    bool high = address == CSR_MINSTRETH || address == CSR_MCYCLEH;
    return ((instret ? state->minstret : state->mcycle)->read() - monitored) >> (high ? 32 : 0);
  }

 protected:
  bool unlogged_write(const reg_t) noexcept override { return false; }
};

// mtvec, which is 0 without a handler. If no CSR instruction reads it, Spike reads it to take a trap.
class mtvec_csr_t : public csr_t {
 public:
  using csr_t::csr_t;
  void verify_permissions(insn_t insn, bool write) const override {
    csr_t::verify_permissions(insn, write);
    by_program = true;
  }
  reg_t read() const noexcept override {
    if (by_program || handler != 0) {
      by_program = false;
      return handler;
    }
    kept[0] = state->mepc->read(), kept[1] = state->mcause->read(), kept[2] = state->mtval->read();
    return NO_HANDLER;
  }
  // Restores the CSRs after a trap without a handler, and returns the address of the next instruction.
  reg_t resume() {
    reg_t pc = state->mepc->read(), cause = state->mcause->read(), tval = state->mtval->read();
    fprintf(stderr, "tensorload: pc %#llx: a trap without a handler (cause %llu, tval %#llx)\n",
            (unsigned long long)pc, (unsigned long long)cause, (unsigned long long)tval);
    if (cause == CAUSE_FETCH_ACCESS) give_up("nothing to execute there, and mtvec is 0");
    state->mepc->write(kept[0]), state->mcause->write(kept[1]), state->mtval->write(kept[2]);
    return pc + 4;
  }

 protected:
  bool unlogged_write(const reg_t val) noexcept override {
    handler = val & ~reg_t(3);
    return true;
  }
  reg_t written_value() const noexcept override { return handler; }

 private:
  reg_t handler = 0;
  mutable bool by_program = false;
  mutable reg_t kept[3] = {};
};

std::shared_ptr<mtvec_csr_t> mtvec;

// An instruction of the unit.
reg_t execute(processor_t *, insn_t insn, reg_t pc) {
  uint64_t x[32];
  registers(x);
  auto done = tensorload_execute(unit, insn.bits(), x);
  if (done.trap) throw insn_trap_t(done.cause, false, done.tval);
  state_t *state = hart->get_state();
  state->XPR.write(done.rd, done.value);
  if (done.rd != 0 && hart->get_log_commits_enabled()) state->log_reg_write[done.rd << 4] = {done.value, 0};
  return pc + 4;
}

// `ecall`, `ebreak` and `mret`. The host has only machine mode, so other privileged instructions are illegal, as is
// `fence.i`.
reg_t environment(processor_t *, insn_t insn, reg_t) {
  switch (insn.bits()) {
    case MATCH_ECALL: throw trap_machine_ecall();
    case MATCH_EBREAK: throw trap_breakpoint(false, 0);
    case MATCH_MRET: return hart->get_state()->mepc->read();
    default: throw trap_illegal_instruction(insn.bits());
  }
}

// A word that Spike takes as the beginning of an instruction of 48 or 64 bits. (For one of 16 bits, mtval has only
// these 16 bits; an extension cannot change this.)
reg_t longer(processor_t *, insn_t insn, reg_t) { throw trap_illegal_instruction(uint32_t(insn.bits())); }

reg_t monitor(processor_t *, insn_t insn, reg_t pc) {
  monitored++;
  if (pc == START) return entry_point::of(dynamic_cast<sim_t &>(*simulator(*hart)));
  if (pc == NO_HANDLER) return mtvec->resume();
  throw trap_illegal_instruction(insn.bits());
}

struct text_t : arg_t {
  std::string to_string(insn_t insn) const override {
    char text[80];
    tensorload_disassemble(unit, insn.bits(), text, sizeof text);
    return text;
  }
} text;

class tensorload_t : public extension_t {
 public:
  const char *name() const override { return "tensorload"; }

  std::vector<insn_desc_t> get_instructions(const processor_t &proc) override {
    xlen = proc.get_isa().get_max_xlen();
    if (xlen != 32 && xlen != 64) give_up(OTHER_SPIKE);
    unit = tensorload_new(xlen);
    if (unit == nullptr) exit(2);
    // Spike has reset the hart before it loaded the extension, so reset it again.
    reset(const_cast<processor_t &>(proc));
    std::vector<insn_desc_t> all;
    auto add = [&](insn_bits_t match, insn_bits_t mask, insn_func_t f) {
      all.push_back({match, mask, f, f, f, f, f, f, f, f});
    };
    for (uint32_t opcode = 0; opcode < 128; opcode++) {
      if (insn_length(opcode) > 4) add(opcode, 0x7f, longer);
      if (tensorload_has_opcode(unit, opcode)) add(opcode, 0x7f, execute);
    }
    add(MATCH_ECALL, MASK_CSRRW, environment);
    add(MATCH_FENCE_I, MASK_FENCE_I, environment);
    add(MONITOR_WORD, 0xffffffff, monitor);
    return all;
  }

  std::vector<disasm_insn_t *> get_disasms(const processor_t *) override {
    std::vector<disasm_insn_t *> all;
    for (uint32_t opcode = 0; opcode < 128; opcode++)
      if (tensorload_has_opcode(unit, opcode)) all.push_back(new disasm_insn_t("", opcode, 0x7f, {&text}));
    return all;
  }

  std::vector<csr_t_p> get_csrs(processor_t &proc) const override {
    std::vector<csr_t_p> all;
    for (uint32_t address = 0; address < 0x1000; address++)
      if (tensorload_csr_owner(unit, address) == CSR_OF_UNIT)
        all.push_back(std::make_shared<unit_csr_t>(&proc, address));
    return all;
  }

  void reset(processor_t &proc) override {
    hart = &proc;
    state_t *state = proc.get_state();
    if ((state->pc != DEFAULT_RSTVEC && state->pc != START) || state->prv != PRV_M || proc.get_xlen() != xlen)
      give_up(OTHER_SPIKE);
    auto &sim = dynamic_cast<sim_t &>(*simulator(proc));
    if (sim.get_harts().empty()) give_up("name the extension with --extension=tensorload, and not in --isa");
    if (sim.nprocs() != 1) give_up("Spike has several harts; allowed is one (-p1)");
    tensorload_reset(unit);
    set_csrs(*state);
    set_memories(sim);
    proc.get_mmu()->register_memtracer(new no_cache_t);
    state->pc = START;
  }

 private:
  unsigned xlen = 0;

  // Leaves only the CSRs that the host of docs/isa.md has.
  void set_csrs(state_t &state) {
    for (auto &csr : get_csrs(*hart)) state.add_csr(csr->address, csr);
    mtvec = std::make_shared<mtvec_csr_t>(hart, CSR_MTVEC);
    state.mtvec = state.csrmap[CSR_MTVEC] = mtvec;
    for (auto csr = state.csrmap.begin(); csr != state.csrmap.end();) {
      auto owner = tensorload_csr_owner(unit, csr->first);
      if (owner == CSR_OF_HOST_READ_ONLY)
        csr->second = std::make_shared<counter_csr_t>(hart, csr->first);
      csr = owner == CSR_OF_NOBODY ? state.csrmap.erase(csr) : ++csr;
    }
  }

  // Replaces the memories of Spike by those of the host.
  void set_memories(sim_t &sim) {
    has_boot_rom(sim) = false;
    // The map object is not const, but Spike has no other access to it.
    auto &devices = const_cast<std::map<reg_t, abstract_device_t *> &>(sim.get_bus().get_devices());
    devices = {{tensorload_exit_address(), new console_t}, {MONITOR, new monitor_t}};
    for (uint32_t number = 0; number < 3; number++) {
      auto memory = tensorload_get_memory(unit, number);
      devices[memory.address] = new memory_t(memory);
    }
  }
};

REGISTER_EXTENSION(tensorload, [] { return new tensorload_t; })

}  // namespace
