# SPDX-License-Identifier: Apache-2.0
# Loads of [8, 32, 4], masked and whole (section 5.4 of the newer drafts).

li x10, 0x00082004
csrrw x0, tshape, x10

# Slices 2, 3, 6 and 7: bit i of the mask is slice i.
li x11, 0x1000              # base address
li x12, 0x000000CC
csrrw x0, TL_LOAD_MASK_CSR, x12
tl.mload tl1, 0(x11)

# All slices. The drafts write this one with three registers, a form that no longer exists.
li x14, 0x2000
tl.load t2, 0(x14)

# Slices of 64 elements from every fourth slot: slice i is at 4 * i * 64.
li x15, 64
csrrw x0, TL_LOAD_WIDTH_CSR, x15
csrrwi x0, TL_LOAD_STRIDE_CSR, 0
csrrwi x0, TL_LOAD_STRIDE_CSR1, 4
csrrwi x0, TL_LOAD_STRIDE_CSR{2}, 8
csrrwi x0, tload_stride3, 12
csrrwi x0, tload_stride4, 16
csrrwi x0, tload_stride5, 20
csrrwi x0, tload_stride6, 24
csrrwi x0, tload_stride7, 28
tl.load tl3, 0(x14)
tl.load tl4, 1(x14)
