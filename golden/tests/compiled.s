# As `clang --target=riscv32 -march=rv32im -S` writes it. SPDX-License-Identifier: Apache-2.0
	.attribute	5, "rv32i2p0_m2p0"
	.file	"t.c"
	.option nopic
	.section	.rodata.str1.1,"aMS",@progbits,1
.L.str:
	.asciz	"hi\n"
	.data
	.globl	count                           # -- Begin function
	.p2align	2
count:	.word	7                               # 0x7
	.size	count, 4
	.bss
buffer: .zero 8
	.local	more
	.comm	more,8,4
	.text
	.globl	_start
	.type	_start,@function
	nop
_start:	.cfi_startproc
	lui	a0, %hi(count)
	lw	a1, %lo(count)(a0)
	la	a2, .L.str
	addi	a3, a0, %lo(more)
	ret
.Lfunc_end0:
	.size	_start, .Lfunc_end0-_start
	.cfi_endproc
	.ident	"clang"
	.section	".note.GNU-stack","",@progbits
	.addrsig
