// SPDX-License-Identifier: Apache-2.0
// A core with CV-X-IF and memories behind AXI4 around tl_xif_axi_top of configuration tiny: loads a register, adds to it,
// stores it, offers a word that is not the unit's, and loads what is an error.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>

#include "Vtl_xif_axi_top.h"
#include "verilated.h"

namespace {

constexpr unsigned BEAT = 8;         // AxiBytes
constexpr unsigned BROKEN = 0x800;  // reads from here on are errors

struct Burst {
  unsigned address, beats;
};
struct Beat {
  std::uint64_t data;
  unsigned strobes;
  bool last;
};

VerilatedContext context;
Vtl_xif_axi_top top(&context);
std::uint8_t l1m[4096], l0m[4096];
std::deque<Burst> reads, writes;
std::deque<Beat> beats;
unsigned number, wrong, responses;  // of cycles, of errors, of writes without a response

// A clock cycle: outputs are sampled before the edge, inputs change after it. Each channel waits in some cycles.
void cycle() {
  top.clk_i = 0;
  top.eval();
  if (top.axi_arvalid_o && top.axi_arready_i) reads.push_back({top.axi_araddr_o, top.axi_arlen_o + 1u});
  if (top.axi_awvalid_o && top.axi_awready_i) writes.push_back({top.axi_awaddr_o, top.axi_awlen_o + 1u});
  if (top.axi_wvalid_o && top.axi_wready_i) beats.push_back({top.axi_wdata_o, top.axi_wstrb_o, bool(top.axi_wlast_o)});
  const bool read = top.axi_rvalid_i && top.axi_rready_o, written = top.axi_bvalid_i && top.axi_bready_o;
  if (read) {
    reads.front().address += BEAT;
    if (--reads.front().beats == 0) reads.pop_front();
  }
  responses -= written;
  while (!writes.empty() && !beats.empty()) {
    Burst &burst = writes.front();
    const Beat beat = beats.front();
    beats.pop_front();
    for (unsigned i = 0; i < BEAT; ++i) {
      if (beat.strobes >> i & 1) l0m[(burst.address + i) % sizeof l0m] = std::uint8_t(beat.data >> 8 * i);
    }
    burst.address += BEAT;
    wrong += beat.last != (--burst.beats == 0);
    if (burst.beats == 0) writes.pop_front(), ++responses;
  }
  top.clk_i = 1;
  top.eval();
  ++number;
  if (read) top.axi_rvalid_i = 0;
  if (written) top.axi_bvalid_i = 0;
  top.axi_arready_i = number % 3 != 0;
  top.axi_awready_i = number % 5 == 0;
  top.axi_wready_i = number % 2 == 0;
  if (!top.axi_rvalid_i && !reads.empty() && number % 4 != 0) {
    const unsigned address = reads.front().address;
    top.axi_rvalid_i = 1;
    top.axi_rresp_i = address >= BROKEN ? 2 : 0;
    std::memcpy(&top.axi_rdata_i, l1m + address % sizeof l1m, BEAT);
  }
  if (responses && number % 3 == 0) top.axi_bvalid_i = 1;
}

// Offers an instruction with `operand` in all of its registers and commits it; true if the unit accepts it. Then waits
// for its result, which goes to `result` when it writes a register.
bool run(std::uint32_t word, std::uint32_t operand, std::uint32_t &result) {
  static unsigned id = 0;
  id = (id + 5) % 16;
  top.x_issue_valid_i = top.x_commit_valid_i = 1;
  top.x_issue_instr_i = word;
  top.x_issue_id_i = top.x_commit_id_i = id;
  top.x_rs1_i = top.x_rs2_i = top.x_rs3_i = operand;
  top.x_rs_valid_i = 7;
  bool ready = false, accepted = false;
  for (unsigned waited = 0; !ready && waited < 1000; ++waited) {
    top.clk_i = 0;
    top.eval();
    ready = top.x_issue_ready_o;
    accepted = ready && top.x_issue_accept_o;
    cycle();
  }
  top.x_issue_valid_i = top.x_commit_valid_i = 0;
  wrong += !ready;
  bool done = !accepted;
  for (unsigned waited = 0; !done && waited < 5000; ++waited) {
    top.clk_i = 0;
    top.eval();
    done = top.x_result_valid_o;
    if (done && top.x_result_we_o) result = top.x_result_data_o;
    wrong += done && top.x_result_id_o != id;
    cycle();
  }
  wrong += !done;
  return accepted;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < sizeof l1m; ++i) l1m[i] = std::uint8_t(7 * i);
  top.x_result_ready_i = 1;
  top.rst_ni = 0;
  for (unsigned i = 0; i < 4; ++i) cycle();
  top.rst_ni = 1;
  std::uint32_t result = 0;
  wrong += !run(0x81109073, 0x080402, result);  // csrrw x0, tshape, x1
  wrong += !run(0x000080db, 128, result);       // tl.load tl1, 0(x1)
  wrong += !run(0x0050a15b, 0, result);         // tl.addi tl2, tl1, 5
  wrong += !run(0x200120db, 256, result);       // tl.store tl2, 0(x1)
  wrong += !run(0x811022f3, 0, result);         // csrrs x5, tshape, x0
  wrong += result != 0x080402 || top.fault_o;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned sum = l1m[128 + i] + 5u;
    wrong += l0m[256 + i] != (sum > 255 ? 255 : sum);
  }
  wrong += run(0xffffffdb, 0, result);      // not the unit's
  run(0x000080db, BROKEN, result);          // a load that gets SLVERR
  for (unsigned i = 0; i < 100; ++i) cycle();
  wrong += !top.fault_o || top.x_busy_o;
  std::printf("%s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
