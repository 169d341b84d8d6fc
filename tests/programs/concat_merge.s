# SPDX-License-Identifier: Apache-2.0
# Concatenation and merge (section 5.2 of the newer drafts).

li x5, 0x00082004           # [8, 32, 4]: 1024 bytes, a whole register
csrrw x0, tshape, x5
li x6, 0x2000
tl.load tl11, 0(x6)
tl.load tl12, 8(x6)
tl.load tl14, 16(x6)
tl.load tl15, 24(x6)

# Innermost dimension of [8, 8, 4]
li x7, 0x00080804
csrrw x0, tshape, x7
li x20, 0x0000000C          # positions 2 and 3
li x21, 0x00000003          # positions 0 and 1
csrrw x0, TL_MASK1_CSR, x20
csrrw x0, TL_MASK2_CSR, x21
tl.concat.2 tl10, tl11, tl12

# Outermost dimension of [8, 16, 8]: odd slices of the first, even slices of the second
li x7, 0x00081008
csrrw x0, tshape, x7
li x22, 0x000000AA
csrrw x0, TL_MASK1_CSR, x22
tl.merge.0 tl13, tl14, tl15
