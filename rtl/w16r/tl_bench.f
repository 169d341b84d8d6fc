../common/tl_bench.vlt
../common/tl_probe.sv
