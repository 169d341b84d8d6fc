# SPDX-License-Identifier: Apache-2.0
# A handler, and instructions of both sides behind the one that traps. The handler goes on behind it.
        li   x5, handler
        csrw mtvec, x5
        li   x6, 0x010404
        csrw tshape, x6
        li   x10, 4096            # behind the end of L1M and of L0M
        li   x12, 12
loop:   tl.load tl1, 0(x11)
        tl.load tl2, 0(x10)       # traps
        csrrwi x7, tload_stride3, 9
        addi x8, x8, 1
        tl.addi tl1, tl1, 5
        tl.store tl1, 0(x11)
        tl.store tl1, 0(x10)      # traps
        csrrwi x0, tload_stride3, 3
        add  x9, x9, x7
        addi x11, x11, 16
        addi x12, x12, -1
        bnez x12, loop
        csrr x14, minstret
        j    end
handler: addi x13, x13, 1
        csrr x30, mepc
        addi x30, x30, 4
        csrw mepc, x30
        tl.addi tl3, tl1, 1
        mret
end:
