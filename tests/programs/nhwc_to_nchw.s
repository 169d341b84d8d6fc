# SPDX-License-Identifier: Apache-2.0
# Reorganise a 64 x 64 x 4 int8 tensor from NHWC in L1M at 0 to NCHW in L0M at 0.
#
#   L1M: element (h, w, c) at (h * 64 + w) * 4 + c
#   L0M: element (c, h, w) at c * 4096 + h * 64 + w
#
# Each of the 8 blocks is 512 pixels, 2048 bytes, in a pair of registers. Seen as [4, 128, 4, 1] (group of pixels,
# pixel, channel) its dimensions 1 and 2 are exchanged, which gives [4, 4, 128, 1] (group, channel, pixel). Each
# register then holds two groups of 4 channels of 128 pixels: 8 slices of 128 bytes.
#
# Slots are 128 bytes. A load is dense: slice i comes from slot i, and imm8 = 8 * register. In a store, slice
# i = 4 * group + channel goes to slot 32 * channel + group, and imm8 = 4 * block + 2 * half.

csrrwi x0, ttype, 2             # int8
li x5, 0x00088001               # [8, 128, 1]
csrrw x0, tshape, x5
csrrwi x0, tload_width, 0       # 0 is dim1 * dim2 = 128
csrrwi x0, tstore_width, 0
li x6, 0
csrrw x0, tstore_stride0, x6
li x6, 32
csrrw x0, tstore_stride1, x6
li x6, 64
csrrw x0, tstore_stride2, x6
li x6, 96
csrrw x0, tstore_stride3, x6
li x6, 1
csrrw x0, tstore_stride4, x6
li x6, 33
csrrw x0, tstore_stride5, x6
li x6, 65
csrrw x0, tstore_stride6, x6
li x6, 97
csrrw x0, tstore_stride7, x6
li x10, 0x01048004              # D3 = 1, D2 = 4, D1 = 128, D0 = 4

# Block 0
tl.load tl1, 0(x0)
tl.load tl2, 8(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 0(x0)
tl.store tl2, 2(x0)

# Block 1
tl.load tl1, 16(x0)
tl.load tl2, 24(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 4(x0)
tl.store tl2, 6(x0)

# Block 2
tl.load tl1, 32(x0)
tl.load tl2, 40(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 8(x0)
tl.store tl2, 10(x0)

# Block 3
tl.load tl1, 48(x0)
tl.load tl2, 56(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 12(x0)
tl.store tl2, 14(x0)

# Block 4
tl.load tl1, 64(x0)
tl.load tl2, 72(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 16(x0)
tl.store tl2, 18(x0)

# Block 5
tl.load tl1, 80(x0)
tl.load tl2, 88(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 20(x0)
tl.store tl2, 22(x0)

# Block 6
tl.load tl1, 96(x0)
tl.load tl2, 104(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 24(x0)
tl.store tl2, 26(x0)

# Block 7
tl.load tl1, 112(x0)
tl.load tl2, 120(x0)
tl.xpose.12 tl1, tl2, x10
tl.store tl1, 28(x0)
tl.store tl2, 30(x0)
