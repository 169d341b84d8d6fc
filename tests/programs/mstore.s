# SPDX-License-Identifier: Apache-2.0
# Masked stores (section 5.6 of the oldest draft). There the shape is in a host register; here it is in tshape.

li x5, 0x00100808           # [16, 8, 8]: 1024 bytes, a whole register
csrrw x0, tshape, x5
tl.load tl3, 0(x0)
tl.load tl4, 16(x0)

# Odd slices of [16, 8, 8]
li x17, 0x3000              # base address
li x18, 0x0000AAAA
csrrw x0, TL_STORE_MASK_CSR, x18
tl.mstore t3, 0(x17)

# The first four slices of [8, 16, 8]
li x19, 0x00081008
csrrw x0, tshape, x19
li x20, 0x4000
li x21, 0x0000000F
csrrw x0, TL_STORE_MASK_CSR, x21
tl.mstore t4, 0(x20)

# Load, process, store: slices 4 to 7 come in, are made brighter, and the first four, all zeros plus 50, go out.
li x11, 0x1000
li x22, 0x000000F0
li x23, 0x0000000F
csrrw x0, TL_LOAD_MASK_CSR, x22
tl.mload t5, 0(x11)
tl.addi t5, t5, 50
csrrw x0, TL_STORE_MASK_CSR, x23
tl.mstore t5, 0(x20)
