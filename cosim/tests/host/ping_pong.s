# SPDX-License-Identifier: Apache-2.0
# Host and unit hand the same places of L1M and L0M to each other, as fast as they may.
        li   x5, 0x10000000
        li   x6, 0x20000000
        li   x7, 0x010404
        csrw tshape, x7
        li   x8, 40
loop:   tl.load  tl1, 0(x0)
        sw   x8, 0(x5)            # behind the load, before the next
        tl.addi  tl2, tl1, 1
        tl.store tl2, 0(x0)
        lw   x9, 0(x6)            # behind the store
        sb   x9, 4(x5)
        sh   x8, 2(x6)
        tl.load  tl3, 0(x0)
        tl.merge.0 tl4, tl3, tl2
        csrr x10, tmask_concat_1
        tl.store tl3, 1(x0)
        add  x11, x11, x9
        addi x8, x8, -1
        bnez x8, loop
        csrwi tmask_concat_1, 1
        lw   x12, 16(x6)
        fence
        csrr x13, mcycle
        csrr x14, minstret
