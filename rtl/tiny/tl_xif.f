tl_xif_check.sv
../common/tl_xif.sv
tl_xif_top.sv
