#!/bin/bash
# Makes the first initrd of a card without running a program of the card: busybox, and the modules of the card's reader and
# file system. A new kernel package replaces it with the usual one of initramfs-tools.
#
# usage: initrd.sh ROOT FILE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

root=$1 file=$2
version=$(kernel_version "$root")
modules=$root/usr/lib/modules/$version
# The readers of Raspberry Pi 3 and Zero 2 (bcm2835) and 4 (sdhci-iproc). That of the 4 gets its voltages from two regulators
# (fixed, gpio-regulator). crc32c is the checksum of ext4, which asks for it by name, so that no dependency lists it.
wanted=(fixed gpio-regulator bcm2835 sdhci-iproc crc32c_generic ext4)

# Prints the files of the wanted modules, each after those that it needs. modules.dep lists the last one to be loaded first.
in_order() {
    local name line
    for name in "${wanted[@]}"; do
        line=$(grep -E "^[^:]*/$name\.ko[^:]*:" "$modules/modules.dep") || {
            # Built into the kernel.
            grep -q "/$name\.ko$" "$modules/modules.builtin" && continue
            fail "the kernel $version has no module $name"
        }
        tr ' ' '\n' <<<"${line/:/}" | grep . | tac
    done | awk '!seen[$0]++'
}

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{bin,dev,proc,sys,root,modules}
cp "$root/usr/bin/busybox" "$tree/bin/busybox"
ln -s busybox "$tree/bin/sh"
install -m 755 "$here/files/init" "$tree/init"
for module in $(in_order); do
    name=$(basename "${module%.xz}")
    xz -dc "$modules/$module" >"$tree/modules/$name"
    echo "$name" >>"$tree/modules/order"
done
cat "$tree/modules/order"
(cd "$tree" && find . | LC_ALL=C sort | cpio --quiet --reproducible --owner=0:0 -o -H newc | zstd -q -19) >"$file"
