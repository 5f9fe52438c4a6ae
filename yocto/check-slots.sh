#!/bin/bash
# Runs U-Boot's script of the slots in a shell, and compares which slot it starts and what it saves.
#
# usage: yocto/check-slots.sh BOOT.CMD.IN
set -euo pipefail

HERE=$(cd "$(dirname "$0")" && pwd)
SCRIPT=$1

# `expect ORDER A B RESULT`: what is left of the starts before, and what the script does.
expect() {
    local found
    found=$(BOOT_ORDER=$1 BOOT_A_LEFT=$2 BOOT_B_LEFT=$3 dash "$HERE/u-boot-commands.sh" "$SCRIPT")
    [ "$found" = "$4" ] || {
        printf 'boot.cmd.in: with BOOT_ORDER=%s BOOT_A_LEFT=%s BOOT_B_LEFT=%s\n  it does: %s\n  and not: %s\n' "$1" "$2" "$3" "$found" "$4" >&2
        exit 1
    }
}

arguments() { printf 'quiet root=/dev/mmcblk0p%s rauc.slot=%s systemd.machine_id=10000000abcdef0110000000abcdef01' "$1" "$2"; }

expect '' '' '' "A B/2/3 0:2 $(arguments 2 A)"
expect 'A B' 3 3 "A B/2/3 0:2 $(arguments 2 A)"
expect 'B A' 3 3 "B A/3/2 0:3 $(arguments 3 B)"
expect 'B A' 3 1 "B A/3/0 0:3 $(arguments 3 B)"
# An update in B that was never marked good is followed by A.
expect 'B A' 3 0 "B A/2/0 0:2 $(arguments 2 A)"
expect 'A B' 0 2 "A B/0/1 0:3 $(arguments 3 B)"
expect 'A B' 0 0 'A B/3/3 reset'
NO_KERNEL=1 expect 'B A' 3 3 'B A/3/2 reset'
