# SPDX-License-Identifier: Apache-2.0
# Stores of [8, 32, 4], masked and whole (section 5.6 of the newer drafts).

li x5, 0x00082004
csrrw x0, tshape, x5
tl.load tl3, 0(x0)
tl.load tl4, 8(x0)

# Odd slices; mask bits above slice 7 do not count.
li x17, 0x3000              # base address
li x18, 0x0000AAAA
csrrw x0, TL_STORE_MASK_CSR, x18
tl.mstore t3, 0(x17)

# The first four slices
li x20, 0x4000
li x21, 0x0000000F
csrrw x0, TL_STORE_MASK_CSR, x21
tl.mstore t4, 0(x20)

# The whole register
tl.store t4, 8(x20)
