# SPDX-License-Identifier: Apache-2.0
# A register full of a constant, as padding (section 5.3 of the newer drafts).

tl.addi tl1, tl0, 50        # int8 after reset: 1024 times 50

# The same for the other integer types; 4-bit elements saturate at 15.
csrrwi x0, ttype, 1         # int4
tl.addi tl2, tl0, 50
csrrwi x0, ttype, 4         # int16
tl.addi tl3, tl0, 50
csrrwi x0, ttype, 8         # int32
tl.addi tl4, tl0, 50
