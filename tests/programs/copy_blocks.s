# SPDX-License-Identifier: Apache-2.0
# A copy as people write it: something wide, then blocks of 32 slices that follow each other in memory, each from a
# register of its own. Slice 0 of a block goes on where slice 31 of the one before ended.

li x5, 0x00010880           # [1, 8, 128]: one slice of 1024 bytes
li x6, 0x00200120           # [32, 1, 32]: 32 slices of 32 bytes
li x12, 0x00100110          # [16, 1, 16]: 16 slices of 16 bytes
li x7, 0x1008               # L1M
li x8, 0x2008               # L0M, in the middle of a word
li x9, 0x6000

csrrw x0, tshape, x5
tl.load tl1, 0(x9)
csrrw x0, tshape, x6
tl.load tl2, 0(x7)
tl.load tl3, 32(x7)
tl.load tl4, 64(x7)

# All are there before the first store: the host waits for the result.
csrrs x10, tlenb, x0
addi x11, x10, 0
csrrw x0, tshape, x5
tl.store tl1, 0(x9)
csrrw x0, tshape, x6
tl.store tl2, 0(x8)
tl.store tl3, 32(x8)
tl.store tl4, 64(x8)

# All at once: the port reads for one block while the next one comes.
csrrw x0, tshape, x5
tl.load tl5, 0(x9)
csrrw x0, tshape, x6
tl.load tl6, 0(x7)
tl.store tl2, 96(x8)
tl.load tl7, 32(x7)
tl.store tl3, 64(x8)
tl.store tl4, 32(x8)
tl.load tl8, 64(x7)
tl.store tl6, 0(x8)
tl.store tl8, 32(x8)
tl.store tl7, 64(x8)

# Short blocks: all slices of one are checked while those of the one before still wait.
csrrw x0, tshape, x5
tl.store tl1, 0(x9)
csrrw x0, tshape, x12
tl.store tl2, 0(x8)
tl.store tl3, 16(x8)
tl.store tl4, 32(x8)
