#!/bin/bash
# Makes the image that a machine boots from: the base system, the clock as `make install` installs it, and
# the tests' own files. If APPLIANCE_DEBS names a folder of Debian packages, these are installed instead. It is made anew for every run. Prints its name: for arm64 a disk, for amd64 a
# folder, because User-Mode Linux accesses files of its host without waiting, but not a disk.
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

install_tests() {
    cp -r --no-preserve=ownership "$APPLIANCE/guest/." "$root/"
    install -m 755 "$programs/edge-player" "$programs/clock-guest" "$root/usr/local/bin/"
    # alice may command the clock, bob may not.
    chroot "$root" useradd -M -s /bin/bash -G arbiter alice
    chroot "$root" useradd -M -s /bin/bash bob
    chroot "$root" systemctl enable gpio-board.service test-agent.service
    # Its package enables it in place of dbus-daemon.
    chroot "$root" systemctl disable dbus-broker.service
    chroot "$root" systemctl set-default multi-user.target
    # These are not needed, and each of them makes every boot of an emulated machine longer.
    chroot "$root" systemctl mask \
        apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
        e2scrub_reap.service fstrim.timer getty@.service serial-getty@.service getty-static.service \
        ldconfig.service systemd-binfmt.service systemd-firstboot.service \
        systemd-hwdb-update.service systemd-journal-catalog-update.service \
        systemd-journal-flush.service systemd-machine-id-commit.service \
        systemd-modules-load.service modprobe@.service systemd-network-generator.service \
        systemd-pstore.service systemd-random-seed.service systemd-remount-fs.service \
        systemd-sysusers.service systemd-timesyncd.service systemd-tmpfiles-clean.timer \
        systemd-update-done.service systemd-update-utmp.service systemd-user-sessions.service \
        systemd-logind.service dev-hugepages.mount remote-fs.target
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
    install_tests
    [ "$arch" = amd64 ] || pack
}

step "image $arch" build
if [ "$arch" = amd64 ]; then echo "$root"; else echo "$disk"; fi
