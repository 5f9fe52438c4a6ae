#!/bin/bash
# Builds the appliance and tests it in a virtual machine; see docs/testing.md.
#
# usage: run.sh vm|quick|bench [TEST…]
#
# vm      QEMU, arm64, the PREEMPT_RT kernel: everything
# quick   User-Mode Linux: a game and the bus policy, in seconds
# bench   QEMU: the figures of docs/benchmarks.md
set -euo pipefail
. "$(dirname "$0")/build/common.sh"

mode=$1
shift
# Only one run at a time, because runs share what they build.
exec 9>"$CACHE/lock"
flock 9
build=$APPLIANCE/build
work=$(mktemp -d "${TMPDIR:-/tmp}/chess-clock-appliance.XXXXXX")
trap 'rm -rf "$work"' EXIT

case $mode in
vm | bench) arch=arm64 debian=arm64 ;;
quick) arch=um debian=amd64 ;;
*) fail "unknown: $mode; expected vm, quick or bench" ;;
esac

step "packages for $mode" bash "$build/setup.sh" "$mode"
kernel=$(bash "$build/kernel.sh" $arch)
export APPLIANCE_KERNEL=$kernel
if [ "$mode" = vm ]; then
    kernel=$(bash "$build/kernel.sh" $arch no-v1)
    export APPLIANCE_KERNEL_NO_V1=$kernel
fi
base=$(bash "$build/base.sh" $debian)
programs=$(bash "$build/programs.sh" $debian)
disk=$(bash "$build/image.sh" $debian "$base" "$programs" "$work")
export APPLIANCE_DISK=$disk

cd "$APPLIANCE/driver"
export PYTHONDONTWRITEBYTECODE=1
case $mode in
# Two machines at a time, because each keeps one processor of the host busy.
vm)
    races=test_timing.Timing.test_a_press_against_a_flag
    contacts=test_timing.Timing.test_b_bouncing_contacts
    groups=("test_game test_faults test_clock_rate test_system test_cpu_load $contacts" "$races")
    ;;
quick) groups=('test_quick') ;;
bench)
    python3 bench.py "$@"
    exit
    ;;
esac
[ $# = 0 ] || groups=("$*")

# shellcheck disable=SC2086  # a group is a list of names
for number in "${!groups[@]}"; do
    python3 -m unittest -v ${groups[number]} >"$work/report-$number" 2>&1 &
    running[number]=$!
done
failed=0
for number in "${!groups[@]}"; do
    wait "${running[number]}" || failed=1
    cat "$work/report-$number"
done
exit $failed
