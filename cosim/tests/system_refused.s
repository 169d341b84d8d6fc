# A word of another EngineID where loads have their first encoding, behind another trap. Ends with exit code 7.
        la   x14, handler
        csrrw x0, mtvec, x14
        li   x20, 1
        csrrw x0, tlenb, x8             # traps in the unit
        .word 0xc000005b                # in the adapter of a unit with gpr_rs1, which lacks x[11:7]
        .word 0xc000305b
        .word 0xe000205b
        ecall
        lui  x9, 0x30000
        li   x18, 7
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
