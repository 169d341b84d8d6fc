../common/tl_trap_csr.sv
../common/tl_pcpi.sv
../common/tl_pcpi_top.sv
../common/tl_pcpi_split.sv
