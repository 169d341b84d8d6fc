../common/tl_xif_check.sv
../common/tl_xif.sv
../common/tl_xif_top.sv
../common/tl_xif_e40x.sv
../common/tl_window_guard.sv
../common/tl_xif_split.sv
