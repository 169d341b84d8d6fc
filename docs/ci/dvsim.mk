# SPDX-License-Identifier: Apache-2.0
# What dvsim calls for docs/ci/dvsim.hjson, with its fields as variables. All shards have the seed SEED: those of dvsim differ
# from job to job.
SEED ?= 1
COSIM ?= $(or $(CARGO_TARGET_DIR),$(proj_root)/target)/release/cosim
scratch = $(abspath $(run_dir)/../..)

.PHONY: build run
build:
	$(build_cmd)
	# A case that fails is found again by its shard.
	cd $(build_dir) && { $(COSIM) random --count 256 $(build_opts) || [ $$? = 1 ]; }

run:
	cd $(run_dir) && $(COSIM) $(run_cmd) --seed $(SEED) $(run_opts) --max-failures 1000 \
	  --out $(scratch)/failures --results $(scratch)/shards --coverage coverage.json
