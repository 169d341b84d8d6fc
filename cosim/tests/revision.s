# SPDX-License-Identifier: Apache-2.0
# Slices that are moved in part, at any pitch.
    li x5, 0x030104                 # [3, 1, 4] of 8 bits
    csrrw x0, tshape, x5
    csrrwi x0, tload_pitch, 7
    tl.load tl1, 1(x0)              # whole slices
    csrrwi x0, tload_width, 3
    csrrwi x0, tmask_load, 5
    tl.mload tl2, 1(x0)             # three elements of slices 0 and 2
    csrrwi x0, tstore_pitch, 2
    tl.store tl1, 8(x0)             # slices overlap: the higher one wins
    csrrwi x0, tstore_width, 1
    tl.csrrwi x0, tstore_pitch, 1
    csrrwi x0, tstore_stride1, 30
    tl.store tl1, 64(x0)            # strides are bytes
    li x6, -14
    csrrwi x0, tload_stride0, 3
    csrrwi x0, tload_stride1, 4
    csrrwi x0, tload_stride2, 2
    tl.load tl3, 0(x6)              # addresses wrap around: 7, 14 and 0
    csrrwi x0, ttype, 4
    csrrwi x0, tload_pitch, 3
    tl.load tl4, 0(x0)              # misaligned: slice 0 at 9
    csrrwi x0, tstore_pitch, 3
    csrrwi x0, tstore_stride1, 1
    tl.store tl1, 0(x0)             # misaligned: slice 1 at 3
    csrrwi x0, tmask_store, 5
    tl.mstore tl1, 0(x0)            # the others are not
    li x7, 2046
    csrrwi x0, tload_stride0, 0
    csrrwi x0, tload_stride1, 1
    csrrw x0, tload_pitch, x7
    tl.load tl5, 0(x0)              # slice 2 at 4092 has six bytes
    csrrwi x0, tload_width, 2
    tl.load tl5, 0(x0)              # four are inside
    csrrwi x0, tload_width, 5
    tl.load tl6, 0(x0)              # illegal: a slice has four elements
    csrrwi x0, tload_pitch, 0
    tl.load tl6, 0(x0)              # legal without a pitch
    li x5, 0x020103
    csrrw x0, tshape, x5
    csrrwi x0, ttype, 1
    csrrwi x0, tload_width, 2
    csrrwi x0, tload_pitch, 1
    tl.load tl7, 0(x0)              # illegal: slices of three 4-bit elements
    li x5, 0x020104
    csrrw x0, tshape, x5
    csrrwi x0, tload_width, 1
    tl.load tl7, 0(x0)              # illegal: one of them is moved
    csrrwi x0, ttype, 2
    li x5, 0x030104
    csrrw x0, tshape, x5
    csrrwi x0, tload_width, 3
    csrrwi x0, tload_pitch, 3
    tl.load tl7, 0(x0)              # neighbours in memory, not in the register
    li x5, 0x12345
    csrrw x0, tload_pitch, x5
    csrrs x8, tload_pitch, x0       # 16 bits are kept
