../common/tl_xif_axi_top.sv
