#!/bin/bash
# Builds the appliance and tests it in a virtual machine; see docs/testing.md.
#
# usage: run.sh vm|nightly|quick|packages|read-only|bench|day|day-qemu [TEST…]
#
# vm      QEMU, arm64, the PREEMPT_RT kernel
# nightly the same, the tests that take too long for every change, and more repetitions of some
# day     User-Mode Linux: a day of blitz without a break; instead of tests, how many hours
# day-qemu  the same in QEMU, with latencies
# quick   User-Mode Linux: a game, kills, reboots, and the bus policy
# packages  User-Mode Linux with the Debian packages: installed, upgraded in a game, removed, purged
# read-only  QEMU with the Debian packages for arm64 on a root that is not written: a game, a disk for the record, a pulled plug
# bench   QEMU: the figures of docs/benchmarks.md
set -euo pipefail
. "$(dirname "$0")/build/common.sh"

mode=$1
shift
lock_cache
build=$APPLIANCE/build
work=$(mktemp -d "${TMPDIR:-/tmp}/chess-clock-appliance.XXXXXX")
making_base=''
trap '[ -z "$making_base" ] || kill -- -$making_base 2>/dev/null || true; rm -rf "$work"' EXIT

case $mode in
vm | nightly | read-only | bench | day-qemu) arch=arm64 debian=arm64 ;;
quick | packages | day) arch=um debian=amd64 ;;
*) fail "unknown: $mode; expected vm, nightly, quick, packages, read-only, bench, day or day-qemu" ;;
esac

begun=$SECONDS
bash "$build/plan.sh" "$mode"
step "packages for $mode" bash "$build/setup.sh" "$mode"
# Beside the kernel: the scripts of the packages use one processor only. A session of its own, so that all of its
# processes can be ended.
setsid bash "$build/base.sh" $debian >"$work/base" &
making_base=$!
kernel=$(bash "$build/kernel.sh" $arch)
export APPLIANCE_KERNEL=$kernel
if [ "$mode" = vm ] || [ "$mode" = nightly ] || [ "$mode" = read-only ]; then
    kernel=$(bash "$build/kernel.sh" $arch no-v1)
    export APPLIANCE_KERNEL_NO_V1=$kernel
fi
programs=$(bash "$build/programs.sh" $debian "$mode")
if [ "$mode" = packages ] || [ "$mode" = read-only ]; then
    bash "$build/debs.sh" "$work" $debian
    export APPLIANCE_DEBS=$work/debs APPLIANCE_NEXT_DEBS=$work/next-debs
fi
wait $making_base || fail 'the base system cannot be made; its log is above'
making_base=''
disk=$(bash "$build/image.sh" $debian "$(cat "$work/base")" "$programs" "$work")
export APPLIANCE_DISK=$disk

cd "$APPLIANCE/driver"
export PYTHONDONTWRITEBYTECODE=1
case $mode in
# Two machines at a time, because each keeps one processor of the host busy.
vm)
    groups=('test_latency test_picture test_boot test_screen test_evening test_game test_faults test_lamps test_clock_rate test_system test_cpu_load test_storm test_timing.TimingV1'
        'test_disk test_power_cut test_menu test_storage test_timing.TimingV2')
    for version in V2 V1; do for test in test_b_a_game test_c_a_press_against_a_flag; do
        groups[1]+=" test_four_processors.FourProcessors$version.$test"
    done; done
    ;;
nightly)
    export APPLIANCE_NIGHTLY=yes
    groups=('test_disk test_loopback test_picture test_boot test_screen test_menu test_evening test_game test_faults test_lamps test_clock_rate test_system test_cpu_load test_storm test_timing test_storage'
        'test_power_cut test_four_processors test_interrupt_priority test_restart')
    ;;
quick)
    groups=('test_quick.Quick.test_who_can_do_what_on_dbus_daemon test_reboot test_unusable_record'
        'test_quick.Quick.test_who_can_do_what_on_dbus_broker')
    for test in test_a_game_with_minutes_of_thinking test_killed_at_random_instants_of_a_game test_the_loop_hangs_in_a_game; do
        groups[1]+=" test_quick.Quick.$test"
    done
    ;;
packages)
    groups=(test_packages)
    ;;
read-only)
    export APPLIANCE_ROOT=ro
    groups=('test_game test_boot test_timing.TimingV2 test_timing.TimingV1' 'test_disk test_power_cut test_storage test_faults test_system')
    ;;
bench)
    python3 -u bench.py "$@"
    exit
    ;;
day | day-qemu)
    machine=qemu
    [ "$mode" = day-qemu ] || machine=uml
    python3 -u day.py $machine "$@"
    exit
    ;;
esac
[ $# = 0 ] || groups=("$*")

# Prints every line of a group's report as it comes, with the number of the group.
run_group() {
    # The disk of User-Mode Linux is a folder in which the machine writes.
    if [ "$arch" = um ]; then
        cp -a "$disk" "$disk-$1"
        export APPLIANCE_DISK=$disk-$1
    fi
    # shellcheck disable=SC2086  # a group is a list of names
    python3 -u -m unittest -v ${groups[$1]} 2>&1 | sed -u "s/^/[$(($1 + 1))] /"
}

printf 'appliance: tests, in %s group(s); each line begins with the number of its group …\n' ${#groups[@]} >&2
tests_begun=$SECONDS
for number in "${!groups[@]}"; do
    run_group "$number" &
    running[number]=$!
done
failed=0
for number in "${!groups[@]}"; do
    wait "${running[number]}" || failed=1
done
printf 'appliance: tests: %s s; all steps: %s s\n' $((SECONDS - tests_begun)) $((SECONDS - begun)) >&2
exit $failed
