// SPDX-License-Identifier: Apache-2.0
// Slots of a list of tl_pkg::QueueEntries entries, which is a ring of any length.
package tl_ring_pkg;

  // The slot `count` behind `slot`; at most the length of the ring.
  function automatic tl_pkg::tag_t ahead(tl_pkg::tag_t slot, int unsigned count);
    ahead = tl_pkg::tag_t'(32'(slot) + count - (32'(slot) + count >= tl_pkg::QueueEntries ? tl_pkg::QueueEntries : 0));
  endfunction

  // The slot in front of `slot`.
  function automatic tl_pkg::tag_t prior(tl_pkg::tag_t slot);
    prior = slot == '0 ? tl_pkg::tag_t'(tl_pkg::QueueEntries - 1) : slot - 1'b1;
  endfunction

  // Slots from `from` to `slot`.
  function automatic int unsigned distance(tl_pkg::tag_t from, tl_pkg::tag_t slot);
    distance = 32'(slot) - 32'(from) + (slot < from ? tl_pkg::QueueEntries : 0);
  endfunction

endpackage
