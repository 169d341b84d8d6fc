# SPDX-License-Identifier: Apache-2.0
# needs matrix
# Second of two programs for an int8 matrix product (see matmul_pack.s): puts the tiles of C into a row-major matrix.
#
#   L1M: tiles of 4 rows of four 32-bit sums, 64 bytes each, tile (m, n) at 64 * (2 * m + n)
#   L0M: C, row-major, 10 x 7 sums of 32 bits from 0
#
# Of the tiles at the edges only the part inside C is moved.

li x11, 16                  # bytes in a row of a packed tile
li x12, 28                  # bytes in a row of C

# Rows 0 to 3
msettilemi 4
msettileni 4
li x5, 0
li x6, 0
mlce32 acc0, (x5), x11
msce32 acc0, (x6), x12
msettileni 3
li x5, 64
li x6, 16
mlce32 acc1, (x5), x11
msce32 acc1, (x6), x12

# Rows 4 to 7
msettilemi 4
msettileni 4
li x5, 128
li x6, 112
mlce32 acc2, (x5), x11
msce32 acc2, (x6), x12
msettileni 3
li x5, 192
li x6, 128
mlce32 acc3, (x5), x11
msce32 acc3, (x6), x12

# Rows 8 to 9
msettilemi 2
msettileni 4
li x5, 256
li x6, 224
mlce32 acc0, (x5), x11
msce32 acc0, (x6), x12
msettileni 3
li x5, 320
li x6, 240
mlce32 acc1, (x5), x11
msce32 acc1, (x6), x12

mrelease
