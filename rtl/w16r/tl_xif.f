../common/tl_xif_check.sv
../common/tl_xif.sv
../common/tl_xif_top.sv
