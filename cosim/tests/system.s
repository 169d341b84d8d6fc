# What the adapter between a core and the unit can get wrong. Ends with exit code 7.
        li   x5, 0x010410               # [1, 4, 16] of 8 bits: all of a register
        csrrw x6, tshape, x5
        csrrs x7, tshape, x0
        csrrwi x0, tmask_load, 1
        li   x8, 64
        li   x31, 128
        tl.load tl1, 0(x8)              # x[11:7]
        tl.mload tl3, 1(x0)
        tl.addi tl2, tl1, 3
        tl.store tl2, 0(x31)
        li   x1, 0x01040408             # x[11:7] of a transposition
        tl.xpose.01 tl1, tl2, x1
        tl.store tl1, 3(x0)
        lui  x9, 0x20000                # what the unit has stored, and a product of it
        lw   x10, 128(x9)
        mul  x11, x10, x8
        divu x12, x10, x8
        sw   x11, 0(x9)
        msettilemi 2
        msettileki 4
        li   x13, 8
        mlae8 tr0, (x8), x13            # x[19:15] and x[24:20]
        msae8 tr0, (x31), x13
        .word 0xffffffff                # traps, and nobody cares
        tl.load tl1, 1(x13)
        la   x14, handler
        csrrw x15, mtvec, x14
        csrrs x15, mtvec, x0
        li   x20, 1
        .word 0                         # of the core
        tl.concat.0 tl1, tl2, tl3       # of the unit: masks were not written
        li   x8, 0x7fffffc0
        tl.load tl4, 0(x8)              # outside of L1M
        tl.store tl4, 0(x8)
        csrrw x0, tlenb, x8
        ecall
        ebreak
        csrrwi x0, mscratch, 5
        csrrsi x16, mscratch, 2
        csrrci x17, mscratch, 0
        csrrs x18, mscratch, x0
        csrrw x0, mtvec, x0
        lui  x9, 0x30000
        addi x21, x20, 0
        sw   x18, 0(x9)
        .align 2
handler:
        csrrs x22, mcause, x0
        csrrs x23, mtval, x0
        csrrs x24, mepc, x0
        add  x20, x20, x22
        addi x24, x24, 4
        csrrw x0, mepc, x24
        mret
