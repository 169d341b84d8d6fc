# SPDX-License-Identifier: Apache-2.0
# Masked loads (section 5.5 of the oldest draft). There the shape is in a host register; here it is in tshape.

# Slices 2, 3, 6 and 7 of [8, 16, 8]: bit i of the mask is slice i.
li x10, 0x00081008
csrrw x0, tshape, x10
li x11, 0x1000              # base address
li x12, 0x000000CC
csrrw x0, TL_LOAD_MASK_CSR, x12
tl.mload t1, 0(x11)

# Slices 0, 1 and 3 of [4, 32, 8]
li x13, 0x00042008
csrrw x0, tshape, x13
li x14, 0x2000
li x15, 0x0000000B
csrrw x0, TL_LOAD_MASK_CSR, x15
tl.mload t2, 0(x14)
