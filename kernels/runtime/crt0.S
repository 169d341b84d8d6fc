// SPDX-License-Identifier: Apache-2.0
// Start of a C program on the host of docs/isa.md: main, and its result as the exit code. Memory is zero at the start.
        .section .text.start, "ax"
        .globl  _start
_start:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, __stack_top
        call    main
        lui     t0, 0x30000
        sw      a0, 0(t0)
1:      j       1b
