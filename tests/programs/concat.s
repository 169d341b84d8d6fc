# SPDX-License-Identifier: Apache-2.0
# Concatenation along each dimension (section 5.3 of the oldest draft).

li x5, 0x00082004           # [8, 32, 4]: 1024 bytes, a whole register
csrrw x0, tshape, x5
li x6, 0x1000
tl.load tl11, 0(x6)
tl.load tl12, 8(x6)
tl.load tl14, 16(x6)
tl.load tl15, 24(x6)
tl.load tl17, 32(x6)
tl.load tl18, 40(x6)

# Innermost dimension of [8, 8, 4]: {a, b, c, d} and {e, f, g, h} give {c, d, e, f}.
li x7, 0x00080804
csrrw x0, tshape, x7
li x20, 0x0000000C          # positions 2 and 3
li x21, 0x00000003          # positions 0 and 1
csrrw x0, TL_MASK1_CSR, x20
csrrw x0, TL_MASK2_CSR, x21
tl.concat.2 t10, t11, t12

# Outermost dimension of [16, 8, 8]: odd slices of the first, then even slices of the second.
li x7, 0x00100808
csrrw x0, tshape, x7
li x22, 0x0000AAAA
li x23, 0x00005555
csrrw x0, TL_MASK1_CSR, x22
csrrw x0, TL_MASK2_CSR, x23
tl.concat.0 t13, t14, t15

# Middle dimension of [8, 16, 4]: the first four of the first, the last four of the second, then zeros.
li x7, 0x00081004
csrrw x0, tshape, x7
li x24, 0x0000000F
li x25, 0x0000F000
csrrw x0, TL_MASK1_CSR, x24
csrrw x0, TL_MASK2_CSR, x25
tl.concat.1 t16, t17, t18
