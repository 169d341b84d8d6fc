# SPDX-License-Identifier: Apache-2.0
# run.sh INPUTS: so many inputs for each target of tests/fuzz under libFuzzer, or as many as fit into FUZZ_SECONDS. A panic,
# more than 1 GB of memory, an input that takes 20 s, or a file left in the folder of the run ends it with exit code 1; the
# input is then in target/fuzz. TARGETS names the targets. Needs a C++ compiler; stable Rust will do.
set -eu
inputs=${1:?usage: run.sh INPUTS}
root=$(cd "$(dirname "$0")/../.." && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR="${FUZZ_TARGET_DIR:-$root/target/fuzz/build}"

# Counters in every edge, and what comparisons compare, for libFuzzer. With --target, build scripts are left as they are.
coverage="-Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares; do
  coverage="$coverage -Cllvm-args=-sanitizer-coverage-$option"
done
cd "$root"
RUSTFLAGS="$coverage" "${CARGO:-cargo}" build --locked -q --profile fuzz --target "$host" -p fuzz --features libfuzzer
program=$CARGO_TARGET_DIR/$host/fuzz/libfuzzer

out=${FUZZ_OUT:-$root/target/fuzz}
mkdir -p "$out"
FUZZ_SEEDS=$out/seeds "$program" >"$out/seeds.log" 2>&1
for target in ${TARGETS:-program elf configuration replay coverage shard numpy}; do
  mkdir -p "$out/corpus/$target"
  work=$out/work/$target
  rm -rf "$work" && mkdir -p "$work"
  echo "fuzz $target"
  (cd "$work" && HOME=$work TMPDIR=$work FUZZ_TARGET=$target "$program" -seed=1 "-runs=$inputs" \
    "-max_total_time=${FUZZ_SECONDS:-0}" -rss_limit_mb=1024 -timeout=20 -max_len=65536 -print_final_stats=1 -verbosity=0 \
    "-dict=$out/seeds/$target.dict" "-artifact_prefix=$out/$target-" "$out/corpus/$target" "$out/seeds/$target") \
    >"$out/$target.log" 2>&1 || { tail -n 40 "$out/$target.log"; exit 1; }
  grep -E '^stat::(number_of_executed_units|peak_rss_mb)' "$out/$target.log"
  [ -z "$(ls -A "$work")" ] || { echo "fuzz $target: left $(ls -A "$work")"; exit 1; }
done
