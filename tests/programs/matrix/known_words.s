# SPDX-License-Identifier: Apache-2.0
# needs matrix
# The matrix instructions whose words docs/isa.md gives, each with its word. All tile sizes are 0, so the loads and
# stores move nothing.

mlae8 tr0, (x10), x11       # 04b5002b
mlbe8 tr1, (x12), x13       # 14d600ab
mlbte16 tr2, (x14), x15     # 54f7052b
mlce32 acc0, (x10), x11     # 24b50a2b
msce32 acc3, (x28), x31     # 27fe0bab
mscte8 acc1, (x5), x6       # 666282ab
msate32 tr3, (x1), x2       # 462089ab
msettileki 0                # 1000002b
msettilemi 4                # 2002002b
msettileni 1023             # 31ff802b
msettilem x5                # 2202802b
msettilek x31               # 120f802b
mrelease                    # 0000002b
