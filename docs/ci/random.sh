#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# random.sh: what a CI job runs: shard SHARD of a random run for the time BUDGET, then a case for every coverage bin. The
# second runs whatever the first has found, the reports of both are left, and the exit code is that of the first that failed.
# A team's own RTL: CONFIG and RTL, a folder with tl.f; without a probe there are no bins (BINS=no).
set -u
SEED="${SEED:-1}" SHARD="${SHARD:-1/1}" BUDGET="${BUDGET:-1m}" CONFIG="${CONFIG:-all}" RTL="${RTL:-}" BINS="${BINS:-yes}"
cosim="${COSIM:-${CARGO_TARGET_DIR:-target}/release/cosim}"
code=0

# run NAME OPTION...: a run with the reports junit-NAME.xml and summary-NAME.md.
run() {
  name=$1
  shift
  "$cosim" random --config "$CONFIG" ${RTL:+--rtl "$RTL"} "$@" --out failures \
    --junit "junit-$name.xml" --summary "summary-$name.md"
  result=$?
  [ "$code" != 0 ] || code=$result
  # Beside the job, where there is such a page; a run that could not begin has no summary.
  [ ! -f "summary-$name.md" ] || cat "summary-$name.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
}

run random --seed "$SEED" --shard "$SHARD" --for "$BUDGET" --results shards
# Each shard has a seed of its own.
[ "$BINS" = no ] || run bins --until-covered --seed "$((SEED * ${SHARD#*/} + ${SHARD%/*}))"
exit "$code"
