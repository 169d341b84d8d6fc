tl_bench.vlt
tl_probe.sv
