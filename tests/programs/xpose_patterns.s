# SPDX-License-Identifier: Apache-2.0
# Common transpositions (section 5.2 of the oldest draft).

li x5, 0x00082004           # [8, 32, 4]: 1024 bytes, a whole register
csrrw x0, tshape, x5
tl.load tl2, 0(x0)
tl.load tl3, 8(x0)          # imm8 counts slices of 128 bytes
tl.load tl4, 16(x0)
tl.load tl5, 24(x0)

# A matrix: [32, 64, 1, 1] to [64, 32, 1, 1]
li x11, 0x01014020          # D3 = 1, D2 = 1, D1 = 64, D0 = 32
tl.xpose.01 t2, t3, x11

# A batch: [4, 8, 8, 4] to [4, 8, 4, 8]. The draft does not name a type; 1024 elements fill two registers as int16.
csrrwi x0, ttype, 4         # int16
li x12, 0x04080804          # D3 = 4, D2 = 8, D1 = 8, D0 = 4
tl.xpose.23 t4, t5, x12
