# SPDX-License-Identifier: Apache-2.0
# Exchange two dimensions of a 4-D tensor in a pair of registers (section 5.1 of the drafts).
# The drafts use tl0 as the first register: that half reads as zeros and its result is dropped.

li x5, 0x00082004           # [8, 32, 4]: 1024 bytes, a whole register
csrrw x0, tshape, x5
tl.load tl1, 0(x0)

# [8, 16, 8, 2] to [16, 8, 8, 2]
li x10, 0x02081008          # D3 = 2, D2 = 8, D1 = 16, D0 = 8
tl.xpose.01 tl0, tl1, x10

# [16, 8, 8, 2] to [16, 8, 2, 8]
li x11, 0x02080810          # D3 = 2, D2 = 8, D1 = 8, D0 = 16
tl.xpose.23 tl0, tl1, x11

# The same with two registers that hold data.
tl.load tl2, 1(x0)
tl.load tl3, 2(x0)
tl.xpose.01 tl2, tl3, x10
tl.xpose.23 tl2, tl3, x11
