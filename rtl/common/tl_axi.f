../common/tl_axi_run.sv
../common/tl_axi_read.sv
../common/tl_axi_write.sv
../common/tl_axi_top.sv
