#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh: docs/ci/slurm.sbatch on a real Slurm (slurm-wlm) of one node with two slots, which is started here and ended here.
# Of 16 shards one is killed with SIGKILL in the middle; then the node is drained, and then it is lost with two others. What
# is collected must be, byte for byte, what one run of the same seed and count leaves.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
export COSIM="${COSIM:-${CARGO_TARGET_DIR:-$root/target}/release/cosim}"
export CONFIG="${CONFIG:-tiny,int8}" SEED="${SEED:-11}" COUNT="${COUNT:-800000}" SHARDS=16
export PATH="$PATH:/usr/sbin"
die() { printf 'slurm: %s\n' "$1" >&2; exit "${2:-1}"; }
for tool in "$COSIM" slurmctld slurmd sbatch; do
  command -v "$tool" >/dev/null || die "$tool is missing: cargo build --release -p cosim, package slurm-wlm" 2
done
work=$(mktemp -d) node=$(hostname -s) port=${PORT:-16817}
export RESULTS="$work/results" SLURM_CONF="$work/slurm.conf" COSIM_MODELS="${COSIM_MODELS:-$HOME/.cache/cosim}"
mkdir "$work/state" "$work/spool"
# A task that is queued again waits until its credential has expired.
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
cd "$work"
slurmctld -D >/dev/null 2>&1 &
controller=$!
slurmd -D >/dev/null 2>&1 &
daemon=$!
end() {
  for job in $(squeue -h -o %A 2>/dev/null | sort -u); do scancel "$job" || true; done
  sleep 2
  kill "$controller" "$daemon" 2>/dev/null || true
  wait
  if [ -n "${KEEP:-}" ]; then echo "slurm: left in $work"; else rm -rf "$work"; fi
}
trap end EXIT
trap 'exit 130' INT TERM

# within SECONDS WHAT COMMAND...: waits until the command succeeds.
within() {
  left=$(($1 * 5)) what=$2
  shift 2
  while ! "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || die "$what: not in time; $(squeue -r 2>&1 | head -n 20)"
    sleep 0.2
  done
}
idle() { sinfo -h -o %t | grep -qx idle; }
# pid N: the program that runs shard N.
pid() { pgrep -f "^$COSIM random .*--shard $1/$SHARDS .*--results $RESULTS/shards" | head -n 1 | grep .; }
tasks() { squeue -h -r -t R -o %i | sed -n "s/^${shards}_//p"; }
two_run() { [ "$(tasks | wc -l)" = 2 ]; }
none_runs() { [ -z "$(squeue -h -t R,CG -o %i)" ]; }
all_done() { [ -z "$(squeue -h -o %i)" ]; }
restarts() { scontrol show job "${shards}_$1" | sed -n 's/.* Restarts=\([0-9]*\).*/\1/p' | head -n 1; }

within 60 "the node" idle
submitted=$(sh "$root/docs/ci/slurm.sbatch")
echo "slurm: $submitted"
shards=$(printf '%s\n' "$submitted" | sed -n 's/.*shards \([0-9]*\).*/\1/p')
[ -n "$shards" ] || die "no array job"
within 600 "shard 3" pid 3
sleep 1
kill -KILL "$(pid 3)"
echo "slurm: shard 3 is killed"
within 600 "shard 7" pid 7
scontrol update nodename="$node" state=drain reason=test
within 600 "the end of those that run" none_runs
echo "slurm: the node is drained, with $(find "$RESULTS/shards" -name 'shard-*.json' | wc -l) shards done"
scontrol update nodename="$node" state=resume
within 600 "two shards that run" two_run
sleep 1
lost=$(tasks | tr '\n' ' ')
scontrol update nodename="$node" state=down reason=test
echo "slurm: the node is lost with shards $lost"
sleep 2
# It may be back by itself, as soon as its daemon is heard of.
scontrol update nodename="$node" state=resume 2>/dev/null || true
within 1800 "the end" all_done
for shard in 3 $lost; do
  [ "$(restarts "$shard")" = 1 ] || die "shard $shard was queued again $(restarts "$shard") times"
done

[ -z "$(grep -l CRASH ./slurm-*.log)" ] && [ ! -e "$RESULTS/failures" ] || die "a signal was taken for a crash"
[ "$(find "$RESULTS/shards" -name 'shard-*.json' | wc -l)" = "$SHARDS" ] || die "not $SHARDS shards"
"$COSIM" random --config "$CONFIG" --seed "$SEED" --count "$COUNT" --summary whole.md --coverage whole.json >whole.txt
cmp whole.md "$RESULTS/summary.md"
cmp whole.json "$RESULTS/coverage.json"
sed -n '/^ configuration/,/^$/p' whole.txt
echo "slurm: summary and coverage of $SHARDS shards are those of one run; queued again: 3 $lost"
