#!/bin/bash
# Makes the image that a machine boots from: the base system, the clock as `make install` installs it, and the tests' own files.
# If APPLIANCE_DEBS names a folder of Debian packages, these are installed in place of `make install`. The image is made anew for
# every run. Prints its name: for arm64 a disk, for amd64 a folder, because User-Mode Linux accesses files of its host without
# waiting, but not a disk.
#
# usage: image.sh arm64|amd64 BASE PROGRAMS FOLDER     FOLDER: where it goes
set -euo pipefail
. "$(dirname "$0")/common.sh"

arch=$1 base=$2 programs=$3 root=$4/root-$1 disk=$4/disk-$1.ext4

unpack() {
    rm -rf "$root"
    mkdir -p "$root"
    tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -xf "$base"
}

install_packages() {
    cp -r "$APPLIANCE_DEBS" "$root/debs"
    # All that they depend on is in the base system.
    chroot "$root" sh -c 'dpkg --install debs/*.deb'
    rm -r "$root/debs"
}

install_clock() {
    make -C "$TREE" install DESTDIR="$root" BINARIES="$programs"
    chroot "$root" systemd-sysusers
    chroot "$root" systemctl enable clockd.service
}

# The folder on which the disk of the record is mounted must exist already, because systemd cannot create it on a read-only root.
install_image() {
    make -C "$TREE" install-image DESTDIR="$root"
    chroot "$root" install -d -o chess-clock -g chess-clock /var/lib/chess-clock
}

install_tests() {
    cp -r --no-preserve=ownership "$APPLIANCE/guest/." "$root/"
    install -m 755 "$programs/edge-player" "$programs/clock-guest" "$root/usr/local/bin/"
    # alice may command the clock, bob may not.
    chroot "$root" useradd -M -s /bin/bash -G arbiter alice
    chroot "$root" useradd -M -s /bin/bash bob
    chroot "$root" systemctl enable gpio-board.service test-agent.service
    # User-Mode Linux has dbus-daemon; the bus policy is tested there on both.
    [ "$arch" = arm64 ] || chroot "$root" systemctl disable dbus-broker.service
    chroot "$root" systemctl set-default multi-user.target
    # What no image that is nothing but a clock needs, and what the tests do not, because each of these makes every boot of an
    # emulated machine longer.
    # shellcheck disable=SC2046  # a list of names
    chroot "$root" systemctl mask $(grep -v '^#' "$TREE/systemd/image/masked") fstrim.timer systemd-journal-flush.service \
        systemd-machine-id-commit.service systemd-modules-load.service systemd-remount-fs.service \
        systemd-timesyncd.service systemd-tmpfiles-clean.timer systemd-user-sessions.service \
        systemd-logind.service remote-fs.target
    echo clock >"$root/etc/hostname"
    : >"$root/etc/fstab"
    # So that systemd does not take this for the first boot.
    echo 6d5fbb2bd0d64b0c9d7a4c6de9d2c0aa >"$root/etc/machine-id"
    touch "$root/etc/.updated" "$root/var/.updated"
}

pack() {
    rm -f "$disk"
    mke2fs -q -t ext4 -L root -m 0 -d "$root" "$disk" 700M
    rm -rf "$root"
}

build() {
    unpack
    if [ -n "${APPLIANCE_DEBS:-}" ]; then install_packages; else install_clock; fi
    # User-Mode Linux starts as a computer that is more than a clock.
    [ "$arch" != arm64 ] || install_image
    install_tests
    [ "$arch" = amd64 ] || pack
}

step "image $arch" build
if [ "$arch" = amd64 ]; then echo "$root"; else echo "$disk"; fi
