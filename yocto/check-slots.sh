#!/bin/bash
# Runs U-Boot's script of the slots in a shell, with U-Boot's commands replaced, and compares which slot it starts and what
# it saves. The script uses only what both shells have. In U-Boot `${serial#}` is the variable `serial#`; in this shell it is
# the variable `serial`.
#
# usage: yocto/check-slots.sh BOOT.CMD.IN
set -euo pipefail

SCRIPT=$(mktemp)
trap 'rm -f "$SCRIPT"' EXIT
cat >"$SCRIPT" <<'END'
setenv() { name=$1; shift; eval "$name=\$*"; }
setexpr() { eval "$1=$(($2 $3 $4))"; }
saveenv() { saved="$BOOT_ORDER/$BOOT_A_LEFT/$BOOT_B_LEFT"; }
fdt() { [ "$1" != get ] || bootargs=quiet; }
load() { loaded="$2"; [ -z "${NO_KERNEL:-}" ]; }
booti() { echo "$saved $loaded $bootargs"; exit; }
reset() { echo "$saved reset"; exit; }
kernel_addr_r=1 fdt_addr=2 serial=10000000abcdef01
END
# A kernel that cannot be loaded cannot be started either.
sed -e 's/@@BOOT_MEDIA@@/mmc/; s/@@KERNEL_IMAGETYPE@@/Image/; s/@@KERNEL_BOOTCMD@@/booti/' "$1" |
    sed 's/^booti /[ -n "${NO_KERNEL:-}" ] || booti /' >>"$SCRIPT"

# `expect ORDER A B RESULT`: what is left of the starts before, and what the script does.
expect() {
    local found
    found=$(BOOT_ORDER=$1 BOOT_A_LEFT=$2 BOOT_B_LEFT=$3 dash "$SCRIPT")
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
