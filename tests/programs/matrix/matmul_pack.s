# SPDX-License-Identifier: Apache-2.0
# needs matrix
# First of two programs for an int8 matrix product C = A * B with M = 10, N = 7, K = 19: packs A and B into tiles for
# whoever multiplies. matmul_unpack.s takes the tiles of C back.
#
#   L1M: A, row-major, 10 x 19 bytes from 0; B, row-major, 19 x 7 bytes from 0x1000
#   L0M: tiles of 4 rows of 16 bytes, 64 bytes each: A from 0, tile (m, k) at 64 * (2 * m + k);
#        B by its columns from 0x1000, tile (n, k) at 0x1000 + 64 * (2 * n + k)
#
# Tiles at the edges are smaller: 10 = 4 + 4 + 2, 7 = 4 + 3, 19 = 16 + 3. What is outside a tile stays as it is in L0M.
# B is transposed on its way: mlbte8 takes the columns of a row-major matrix to the rows of a tile register.

li x11, 19                  # bytes in a row of A
li x12, 7                   # bytes in a row of B
li x13, 16                  # bytes in a row of a packed tile

# A, rows 0 to 3
msettilemi 4
msettileki 16
li x5, 0
li x6, 0
mlae8 tr0, (x5), x11
msae8 tr0, (x6), x13
msettileki 3
li x5, 16
li x6, 64
mlae8 tr1, (x5), x11
msae8 tr1, (x6), x13

# A, rows 4 to 7
msettilemi 4
msettileki 16
li x5, 76
li x6, 128
mlae8 tr2, (x5), x11
msae8 tr2, (x6), x13
msettileki 3
li x5, 92
li x6, 192
mlae8 tr3, (x5), x11
msae8 tr3, (x6), x13

# A, rows 8 to 9
msettilemi 2
msettileki 16
li x5, 152
li x6, 256
mlae8 tr0, (x5), x11
msae8 tr0, (x6), x13
msettileki 3
li x5, 168
li x6, 320
mlae8 tr1, (x5), x11
msae8 tr1, (x6), x13

# B, columns 0 to 3
msettileni 4
msettileki 16
li x5, 0x1000
li x6, 0x1000
mlbte8 tr2, (x5), x12
msbe8 tr2, (x6), x13
msettileki 3
li x5, 0x1070
li x6, 0x1040
mlbte8 tr3, (x5), x12
msbe8 tr3, (x6), x13

# B, columns 4 to 6
msettileni 3
msettileki 16
li x5, 0x1004
li x6, 0x1080
mlbte8 tr0, (x5), x12
msbe8 tr0, (x6), x13
msettileki 3
li x5, 0x1074
li x6, 0x10c0
mlbte8 tr1, (x5), x12
msbe8 tr1, (x6), x13

mrelease
