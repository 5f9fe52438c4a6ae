# Runs boot.cmd.in in a shell: `sh u-boot-commands.sh BOOT.CMD.IN`. The commands of U-Boot are functions here, and the script uses
# only syntax that both shells have. `booti` prints what was saved, what was loaded, and the options of the kernel. In U-Boot
# `${serial#}` is the variable `serial#`; in this shell it is the variable `serial`.
#
# NO_KERNEL=1: the slot has no kernel. SAVE: a command that is run when the script saves the three variables.
setenv() { name=$1; shift; eval "$name=\$*"; }
setexpr() { eval "$1=$(($2 $3 $4))"; }
saveenv() {
    saved="$BOOT_ORDER/$BOOT_A_LEFT/$BOOT_B_LEFT"
    export BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT
    ${SAVE:-true}
}
fdt() { [ "$1" != get ] || bootargs=quiet; }
load() { loaded="$2"; [ -z "${NO_KERNEL:-}" ]; }
booti() { echo "$saved $loaded $bootargs"; exit; }
reset() { echo "$saved reset"; exit; }
kernel_addr_r=1 fdt_addr=2 serial=10000000abcdef01

# A kernel that cannot be loaded cannot be started either.
eval "$(sed -e 's/@@BOOT_MEDIA@@/mmc/; s/@@KERNEL_IMAGETYPE@@/Image/; s/@@KERNEL_BOOTCMD@@/booti/' "$1" |
    sed 's/^booti /[ -n "${NO_KERNEL:-}" ] || booti /')"
