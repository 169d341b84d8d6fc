# SPDX-License-Identifier: Apache-2.0
# Saturating addition (section 5.4 of the oldest draft).

li x5, 0x00082004           # [8, 32, 4]: 1024 bytes, a whole register
csrrw x0, tshape, x5
tl.load tl3, 0(x0)
tl.load tl4, 8(x0)
tl.load tl11, 16(x0)

tl.addi t1, t0, 50          # brighter: tl0 is all zeros, so every element becomes 50
tl.addi t2, t1, -128        # saturates at 0
tl.addi t3, t3, 20          # in place
tl.addi t5, t4, 100         # saturates at 255
tl.addi t6, t4, -50
tl.addi t10, t11, -32
