# SPDX-License-Identifier: Apache-2.0
# One instruction for each known word of docs/isa.md, with its word. The state is set up so that all are legal,
# and the registers that they use hold data.

li x5, 0x00040404           # [4, 4, 4]
csrrw x0, tshape, x5
tl.load tl2, 1(x0)
tl.load tl3, 2(x0)
tl.load tl4, 3(x0)
tl.load tl11, 4(x0)
tl.load tl12, 5(x0)
tl.load tl14, 6(x0)
tl.load tl15, 7(x0)
csrrwi x0, tmask_load, 5
csrrwi x0, tmask_store, 10
csrrwi x0, tmask_concat_1, 3
csrrwi x0, tmask_concat_2, 12
li x5, 0x1000
mv x11, x5
mv x17, x5
li x20, 0x2000

tl.load tl1, 0(x10)             # 0000855b
tl.mload tl1, 0(x11)            # 100085db
tl.mload tl31, -1(x5)           # 1fff82db
tl.store tl4, 0(x20)            # 20022a5b
tl.mstore tl3, 0(x17)           # 3001a8db
tl.addi tl1, tl2, 10            # 00a120db
tl.addi tl3, tl3, -5            # 0fb1a1db
tl.concat.0 tl13, tl14, tl15    # 00f716db
tl.concat.2 tl10, tl11, tl12    # 04c5955b
tl.merge.0 tl13, tl14, tl15     # 08f716db
tl.merge.2 tl1, tl2, tl3        # 0c3110db
li x10, 0x02081008              # the sizes [8, 16, 8, 2]
tl.xpose.01 tl1, tl2, x10       # 0820b55b
tl.xpose.13 tl1, tl2, x10       # 1a20b55b
mv x11, x10
tl.xpose.23 tl0, tl1, x11       # 1c1035db
