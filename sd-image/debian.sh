#!/bin/bash
# Adds the kernel, the firmware and the services of the card to the base system, unless the cache has it. Prints the name of
# the tar archive.
#
# usage: debian.sh BASE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

base=$1
# Peers of benchmarks and tools of tests. gpiod stays: docs/hardware-check.md looks at the lines with it.
unwanted=(strace python3-libgpiod rt-tests libglib2.0-bin)
wanted=(
    linux-image-rt-arm64 raspi-firmware initramfs-tools e2fsprogs dosfstools fdisk
    chrony openssh-server systemd-resolved iproute2 less nano
    iwd wireless-regdb firmware-brcm80211 # the boards' Wi-Fi
    busybox-static cpio xz-utils zstd # mkinitramfs
)

sources() {
    local uri
    uri=$(mirror)
    for suite in "$uri $SUITE" "$uri $SUITE-updates" "$uri-security $SUITE-security"; do
        printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s main non-free-firmware\n' "$suite"
    done
}

# Under qemu-user, depmod and the usual initrd take more than half of all time; root.sh makes both without it. With
# INITRD=No (in_root) the hook of initramfs-tools makes none.
without_depmod() {
    in_root "$root" dpkg-divert --quiet --local --rename --add /usr/sbin/depmod
    ln -s ../bin/true "$root/usr/sbin/depmod"
    "$@"
    rm "$root/usr/sbin/depmod"
    in_root "$root" dpkg-divert --quiet --rename --remove /usr/sbin/depmod
}

install_packages() {
    rm -rf "$root"
    mkdir -p "$root"
    tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -xf "$base"
    sources >"$root/etc/apt/sources.list"
    cp --remove-destination -L /etc/resolv.conf "$root/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    # A card that is passed on has the licences and the documents of what is on it. The base system has only the licences.
    install -m 644 "$here/files/dpkg.cfg" "$root/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
    in_root "$root" apt-get update
    in_root "$root" apt-get purge -y --auto-remove "${unwanted[@]}"
    without_depmod in_root "$root" apt-get install -y --no-install-recommends "${wanted[@]}"
    in_root "$root" apt-get clean
    rm -rf "$root"/var/lib/apt/lists/* "$root/usr/sbin/policy-rc.d"
    tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -cf "$tar.new" .
    mv "$tar.new" "$tar"
    rm -rf "$root"
}

tar=$CACHE/card-arm64-$(fingerprint "${BASH_SOURCE[0]}" "$here/card.sh" "$here/files/dpkg.cfg" -- "${base##*/}").tar
if ! [ -e "$tar" ]; then
    root=$(mktemp -d "${TMPDIR:-/tmp}/chess-clock-card-root.XXXXXX")
    trap 'rm -rf "$root"' EXIT
    step 'Debian of the card' install_packages
fi
echo "$tar"
