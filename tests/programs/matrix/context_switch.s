# SPDX-License-Identifier: Apache-2.0
# Context switch: all state of the unit is saved to program memory, spoilt, and restored. The memories of the unit keep
# their contents: each is used for one register at a time, behind which its bytes are put back.
# docs/isa.md, "Saving and restoring", says what cannot be restored.
# needs matrix
        .equ L1M, 0x10000000
        .equ L0M, 0x20000000
        .equ SCRATCH, 1024        # bytes of L1M and of L0M that are used on the way; no register is larger

# A state to be saved.
        li   x5, 0x040408
        csrw tshape, x5
        csrwi ttype, 4
        li   x5, 0xa5
        csrw tmask_load, x5
        csrw tmask_store, x5
        csrwi tmask_concat_1, 3
        csrwi tmask_concat_2, 12
        csrwi tload_width, 8
        csrwi tstore_width, 4
        csrwi tload_stride3, 9
        csrwi tstore_stride31, 1
        tl.load tl1, 0(x0)
        tl.mload tl31, 3(x0)
        tl.addi tl2, tl1, 77
        msettilemi 4
        msettileni 3
        msettileki 5
        li   x6, 24
        mlae8 tr0, (x6), x6
        mlbte16 tr3, (x6), x6
        mlce32 acc2, (x6), x6

# --- switch
        la   a0, area
        call save
# Another program, which uses everything.
        csrwi ttype, 2
        li   x5, 0x200808
        csrw tshape, x5
        li   x5, -1
        csrw tmask_load, x5
        csrw tmask_store, x5
        csrw tmask_concat_1, x5
        csrw tmask_concat_2, x5
        csrw tload_width, x0
        csrw tstore_width, x0
        csrwi tload_stride3, 3
        csrwi tstore_stride31, 31
        csrw tstore_stride0, x5
        tl.addi tl1, tl0, 1
        tl.addi tl2, tl0, 2
        tl.addi tl3, tl0, 3
        tl.addi tl31, tl0, 31
        msettilemi 2
        msettileni 2
        msettileki 2
        mlae8 tr0, (x0), x0
        mlae8 tr1, (x0), x0
        mlae8 tr3, (x0), x0
        mlce32 acc2, (x0), x0

# --- back
        la   a0, area
        call restore
        j    end

# Saves the unit to the words from a0 on. Changes a1 and t0 to t6.
save:
        csrr t1, ttype
        sw   t1, 0(a0)
        csrr t1, tshape
        sw   t1, 4(a0)
        csrr t1, tmask_load
        sw   t1, 8(a0)
        csrr t1, tmask_store
        sw   t1, 12(a0)
        csrr t1, tmask_concat_1
        sw   t1, 16(a0)
        csrr t1, tmask_concat_2
        sw   t1, 20(a0)
        csrr t1, tload_width
        sw   t1, 24(a0)
        csrr t1, tstore_width
        sw   t1, 28(a0)
        csrr t1, tload_stride0
        sw   t1, 32(a0)
        csrr t1, tload_stride1
        sw   t1, 36(a0)
        csrr t1, tload_stride2
        sw   t1, 40(a0)
        csrr t1, tload_stride3
        sw   t1, 44(a0)
        csrr t1, tload_stride4
        sw   t1, 48(a0)
        csrr t1, tload_stride5
        sw   t1, 52(a0)
        csrr t1, tload_stride6
        sw   t1, 56(a0)
        csrr t1, tload_stride7
        sw   t1, 60(a0)
        csrr t1, tload_stride8
        sw   t1, 64(a0)
        csrr t1, tload_stride9
        sw   t1, 68(a0)
        csrr t1, tload_stride10
        sw   t1, 72(a0)
        csrr t1, tload_stride11
        sw   t1, 76(a0)
        csrr t1, tload_stride12
        sw   t1, 80(a0)
        csrr t1, tload_stride13
        sw   t1, 84(a0)
        csrr t1, tload_stride14
        sw   t1, 88(a0)
        csrr t1, tload_stride15
        sw   t1, 92(a0)
        csrr t1, tload_stride16
        sw   t1, 96(a0)
        csrr t1, tload_stride17
        sw   t1, 100(a0)
        csrr t1, tload_stride18
        sw   t1, 104(a0)
        csrr t1, tload_stride19
        sw   t1, 108(a0)
        csrr t1, tload_stride20
        sw   t1, 112(a0)
        csrr t1, tload_stride21
        sw   t1, 116(a0)
        csrr t1, tload_stride22
        sw   t1, 120(a0)
        csrr t1, tload_stride23
        sw   t1, 124(a0)
        csrr t1, tload_stride24
        sw   t1, 128(a0)
        csrr t1, tload_stride25
        sw   t1, 132(a0)
        csrr t1, tload_stride26
        sw   t1, 136(a0)
        csrr t1, tload_stride27
        sw   t1, 140(a0)
        csrr t1, tload_stride28
        sw   t1, 144(a0)
        csrr t1, tload_stride29
        sw   t1, 148(a0)
        csrr t1, tload_stride30
        sw   t1, 152(a0)
        csrr t1, tload_stride31
        sw   t1, 156(a0)
        csrr t1, tstore_stride0
        sw   t1, 160(a0)
        csrr t1, tstore_stride1
        sw   t1, 164(a0)
        csrr t1, tstore_stride2
        sw   t1, 168(a0)
        csrr t1, tstore_stride3
        sw   t1, 172(a0)
        csrr t1, tstore_stride4
        sw   t1, 176(a0)
        csrr t1, tstore_stride5
        sw   t1, 180(a0)
        csrr t1, tstore_stride6
        sw   t1, 184(a0)
        csrr t1, tstore_stride7
        sw   t1, 188(a0)
        csrr t1, tstore_stride8
        sw   t1, 192(a0)
        csrr t1, tstore_stride9
        sw   t1, 196(a0)
        csrr t1, tstore_stride10
        sw   t1, 200(a0)
        csrr t1, tstore_stride11
        sw   t1, 204(a0)
        csrr t1, tstore_stride12
        sw   t1, 208(a0)
        csrr t1, tstore_stride13
        sw   t1, 212(a0)
        csrr t1, tstore_stride14
        sw   t1, 216(a0)
        csrr t1, tstore_stride15
        sw   t1, 220(a0)
        csrr t1, tstore_stride16
        sw   t1, 224(a0)
        csrr t1, tstore_stride17
        sw   t1, 228(a0)
        csrr t1, tstore_stride18
        sw   t1, 232(a0)
        csrr t1, tstore_stride19
        sw   t1, 236(a0)
        csrr t1, tstore_stride20
        sw   t1, 240(a0)
        csrr t1, tstore_stride21
        sw   t1, 244(a0)
        csrr t1, tstore_stride22
        sw   t1, 248(a0)
        csrr t1, tstore_stride23
        sw   t1, 252(a0)
        csrr t1, tstore_stride24
        sw   t1, 256(a0)
        csrr t1, tstore_stride25
        sw   t1, 260(a0)
        csrr t1, tstore_stride26
        sw   t1, 264(a0)
        csrr t1, tstore_stride27
        sw   t1, 268(a0)
        csrr t1, tstore_stride28
        sw   t1, 272(a0)
        csrr t1, tstore_stride29
        sw   t1, 276(a0)
        csrr t1, tstore_stride30
        sw   t1, 280(a0)
        csrr t1, tstore_stride31
        sw   t1, 284(a0)
        csrr t1, mtilem
        sw   t1, 288(a0)
        csrr t1, mtilen
        sw   t1, 292(a0)
        csrr t1, mtilek
        sw   t1, 296(a0)
        addi t3, a0, 300
        li   t2, L0M
        li   t1, SCRATCH
        jal  t0, copy
        jal  t0, dense
        li   t4, L0M
        tl.store tl1, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl2, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl3, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl4, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl5, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl6, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl7, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl8, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl9, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl10, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl11, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl12, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl13, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl14, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl15, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl16, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl17, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl18, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl19, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl20, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl21, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl22, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl23, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl24, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl25, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl26, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl27, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl28, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl29, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl30, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        tl.store tl31, 0(x0)
        csrr t1, tlenb
        jal  t0, save_one
        csrr t5, xtrlenb
        msae8 tr0, (x0), t5
        csrr t1, xtlenb
        jal  t0, save_one
        msae8 tr1, (x0), t5
        csrr t1, xtlenb
        jal  t0, save_one
        msae8 tr2, (x0), t5
        csrr t1, xtlenb
        jal  t0, save_one
        msae8 tr3, (x0), t5
        csrr t1, xtlenb
        jal  t0, save_one
        slli t5, t6, 2
        msce32 acc0, (x0), t5
        csrr t1, xalenb
        jal  t0, save_one
        msce32 acc1, (x0), t5
        csrr t1, xalenb
        jal  t0, save_one
        msce32 acc2, (x0), t5
        csrr t1, xalenb
        jal  t0, save_one
        msce32 acc3, (x0), t5
        csrr t1, xalenb
        jal  t0, save_one
        addi t2, a0, 300
        mv   t3, t4
        li   t1, SCRATCH
        jal  t0, copy
        ret

# Restores the unit from the words from a0 on, where L1M has its place in the meantime. Changes a1 and t0 to t6.
restore:
        addi t3, a0, 300
        li   t2, L1M
        li   t1, SCRATCH
        jal  t0, copy
        jal  t0, dense
        mv   t4, t3
        mv   t2, t4
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl1, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl2, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl3, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl4, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl5, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl6, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl7, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl8, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl9, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl10, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl11, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl12, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl13, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl14, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl15, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl16, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl17, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl18, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl19, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl20, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl21, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl22, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl23, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl24, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl25, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl26, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl27, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl28, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl29, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl30, 0(x0)
        csrr t1, tlenb
        jal  t0, restore_one
        tl.load tl31, 0(x0)
        csrr t5, xtrlenb
        csrr t1, xtlenb
        jal  t0, restore_one
        mlae8 tr0, (x0), t5
        csrr t1, xtlenb
        jal  t0, restore_one
        mlae8 tr1, (x0), t5
        csrr t1, xtlenb
        jal  t0, restore_one
        mlae8 tr2, (x0), t5
        csrr t1, xtlenb
        jal  t0, restore_one
        mlae8 tr3, (x0), t5
        slli t5, t6, 2
        csrr t1, xalenb
        jal  t0, restore_one
        mlce32 acc0, (x0), t5
        csrr t1, xalenb
        jal  t0, restore_one
        mlce32 acc1, (x0), t5
        csrr t1, xalenb
        jal  t0, restore_one
        mlce32 acc2, (x0), t5
        csrr t1, xalenb
        jal  t0, restore_one
        mlce32 acc3, (x0), t5
        addi t2, a0, 300
        li   t3, L1M
        li   t1, SCRATCH
        jal  t0, copy
        lw   t1, 0(a0)
        csrw ttype, t1
        lw   t1, 4(a0)
        csrw tshape, t1
        lw   t1, 8(a0)
        csrw tmask_load, t1
        lw   t1, 12(a0)
        csrw tmask_store, t1
        lw   t1, 16(a0)
        csrw tmask_concat_1, t1
        lw   t1, 20(a0)
        csrw tmask_concat_2, t1
        lw   t1, 24(a0)
        csrw tload_width, t1
        lw   t1, 28(a0)
        csrw tstore_width, t1
        lw   t1, 32(a0)
        csrw tload_stride0, t1
        lw   t1, 36(a0)
        csrw tload_stride1, t1
        lw   t1, 40(a0)
        csrw tload_stride2, t1
        lw   t1, 44(a0)
        csrw tload_stride3, t1
        lw   t1, 48(a0)
        csrw tload_stride4, t1
        lw   t1, 52(a0)
        csrw tload_stride5, t1
        lw   t1, 56(a0)
        csrw tload_stride6, t1
        lw   t1, 60(a0)
        csrw tload_stride7, t1
        lw   t1, 64(a0)
        csrw tload_stride8, t1
        lw   t1, 68(a0)
        csrw tload_stride9, t1
        lw   t1, 72(a0)
        csrw tload_stride10, t1
        lw   t1, 76(a0)
        csrw tload_stride11, t1
        lw   t1, 80(a0)
        csrw tload_stride12, t1
        lw   t1, 84(a0)
        csrw tload_stride13, t1
        lw   t1, 88(a0)
        csrw tload_stride14, t1
        lw   t1, 92(a0)
        csrw tload_stride15, t1
        lw   t1, 96(a0)
        csrw tload_stride16, t1
        lw   t1, 100(a0)
        csrw tload_stride17, t1
        lw   t1, 104(a0)
        csrw tload_stride18, t1
        lw   t1, 108(a0)
        csrw tload_stride19, t1
        lw   t1, 112(a0)
        csrw tload_stride20, t1
        lw   t1, 116(a0)
        csrw tload_stride21, t1
        lw   t1, 120(a0)
        csrw tload_stride22, t1
        lw   t1, 124(a0)
        csrw tload_stride23, t1
        lw   t1, 128(a0)
        csrw tload_stride24, t1
        lw   t1, 132(a0)
        csrw tload_stride25, t1
        lw   t1, 136(a0)
        csrw tload_stride26, t1
        lw   t1, 140(a0)
        csrw tload_stride27, t1
        lw   t1, 144(a0)
        csrw tload_stride28, t1
        lw   t1, 148(a0)
        csrw tload_stride29, t1
        lw   t1, 152(a0)
        csrw tload_stride30, t1
        lw   t1, 156(a0)
        csrw tload_stride31, t1
        lw   t1, 160(a0)
        csrw tstore_stride0, t1
        lw   t1, 164(a0)
        csrw tstore_stride1, t1
        lw   t1, 168(a0)
        csrw tstore_stride2, t1
        lw   t1, 172(a0)
        csrw tstore_stride3, t1
        lw   t1, 176(a0)
        csrw tstore_stride4, t1
        lw   t1, 180(a0)
        csrw tstore_stride5, t1
        lw   t1, 184(a0)
        csrw tstore_stride6, t1
        lw   t1, 188(a0)
        csrw tstore_stride7, t1
        lw   t1, 192(a0)
        csrw tstore_stride8, t1
        lw   t1, 196(a0)
        csrw tstore_stride9, t1
        lw   t1, 200(a0)
        csrw tstore_stride10, t1
        lw   t1, 204(a0)
        csrw tstore_stride11, t1
        lw   t1, 208(a0)
        csrw tstore_stride12, t1
        lw   t1, 212(a0)
        csrw tstore_stride13, t1
        lw   t1, 216(a0)
        csrw tstore_stride14, t1
        lw   t1, 220(a0)
        csrw tstore_stride15, t1
        lw   t1, 224(a0)
        csrw tstore_stride16, t1
        lw   t1, 228(a0)
        csrw tstore_stride17, t1
        lw   t1, 232(a0)
        csrw tstore_stride18, t1
        lw   t1, 236(a0)
        csrw tstore_stride19, t1
        lw   t1, 240(a0)
        csrw tstore_stride20, t1
        lw   t1, 244(a0)
        csrw tstore_stride21, t1
        lw   t1, 248(a0)
        csrw tstore_stride22, t1
        lw   t1, 252(a0)
        csrw tstore_stride23, t1
        lw   t1, 256(a0)
        csrw tstore_stride24, t1
        lw   t1, 260(a0)
        csrw tstore_stride25, t1
        lw   t1, 264(a0)
        csrw tstore_stride26, t1
        lw   t1, 268(a0)
        csrw tstore_stride27, t1
        lw   t1, 272(a0)
        csrw tstore_stride28, t1
        lw   t1, 276(a0)
        csrw tstore_stride29, t1
        lw   t1, 280(a0)
        csrw tstore_stride30, t1
        lw   t1, 284(a0)
        csrw tstore_stride31, t1
        lw   t1, 288(a0)
        msettilem t1
        lw   t1, 292(a0)
        msettilen t1
        lw   t1, 296(a0)
        msettilek t1
        ret

# Makes loads and stores move a whole register, as 8-bit elements, and tiles whole; t6 is the number of rows.
dense:
        csrwi ttype, 2
        csrr t1, tlenb
        slli t1, t1, 3            # [1, tlenb / 32, 32]
        lui  t5, 0x10
        or   t1, t1, t5
        addi t1, t1, 32
        csrw tshape, t1
        csrwi tload_width, 0
        csrwi tstore_width, 0
        csrwi tload_stride0, 0
        csrwi tstore_stride0, 0
        csrr t6, xtlenb
        csrr t5, xtrlenb
        divu t6, t6, t5
        msettilem t6
        msettilen t6
        msettilek t5
        jr   t0

# Copies t1 bytes from L0M, or to L1M; the place in program memory moves on.
save_one:
        mv   t2, t4
        j    copy
restore_one:
        li   t3, L1M

# Copies t1 bytes from t2 to t3, a word at a time; both move on.
copy:   lw   a1, 0(t2)
        sw   a1, 0(t3)
        addi t2, t2, 4
        addi t3, t3, 4
        addi t1, t1, -4
        bgtz t1, copy
        jr   t0

        .balign 4
area:   .space 40000
end:
