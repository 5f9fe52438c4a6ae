#!/bin/bash
# Makes the root of a card: Debian, the clock's packages, and the settings of a machine that is nothing but a clock.
#
# usage: root.sh DEBIAN DEBS ROOT     DEBIAN: the archive of debian.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

debian=$1 debs=$2 root=$3
settings=$here/files
# What does not depend on the way in which the image is made.
system=$TREE/yocto/meta-chessclock/recipes-clock/chess-clock-system/chess-clock-system

unpack() {
    mkdir -p "$root"
    tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -xf "$debian"
}

install_clock() {
    mkdir "$root/debs"
    cp "$debs"/*.deb "$root/debs"
    # All that they depend on is there already.
    in_root "$root" sh -c 'dpkg --install debs/*.deb'
    rm -r "$root/debs"
    make -s -C "$TREE" install-image DESTDIR="$root"
    # `*` is a password that no input matches. With the usual `!`, sshd would take the account for a locked one.
    in_root "$root" useradd --create-home --gid arbiter --shell /bin/bash --password '*' arbiter
}

configure_login() {
    # Each card gets host keys of its own at its first start (sshd-keygen.service of Debian).
    rm -f "$root"/etc/ssh/ssh_host_*
    install -D -m 644 "$settings/sshd-keygen.conf" "$root/etc/systemd/system/sshd-keygen.service.d/10-chess-clock.conf"
    sed -e 's#^\# The root is read-only.*#\# On the boot partition, which every computer can write.#' \
        -e 's#^AuthorizedKeysFile .*#AuthorizedKeysFile /boot/firmware/authorized-keys/%u#' \
        "$system/sshd.conf" >"$root/etc/ssh/sshd_config.d/10-chess-clock.conf"
    grep -q '^AuthorizedKeysFile /boot/firmware/' "$root/etc/ssh/sshd_config.d/10-chess-clock.conf"
}

configure_system() {
    echo chess-clock >"$root/etc/hostname"
    printf '127.0.0.1 localhost chess-clock\n::1 localhost ip6-localhost\n' >"$root/etc/hosts"
    : >"$root/etc/machine-id"
    ln -sf ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
    install -m 644 "$settings/fstab" -t "$root/etc"
    install -D -m 644 "$settings/wired.network" "$root/etc/systemd/network/20-wired.network"
    in_root "$root" systemctl set-default multi-user.target
    in_root "$root" systemctl enable dbus-broker.service ssh.service chrony.service iwd.service \
        systemd-networkd.service systemd-resolved.service
    # What else a clock does not need is masked by `make install-image`.
    in_root "$root" systemctl mask systemd-networkd-wait-online.service
    # The packages' own scripts have made the indices of libraries, devices and messages. Whatever looks whether they are older
    # than /usr (ConditionNeedsUpdate=) finds that they are not.
    touch -r "$root/usr" "$root/etc/.updated" "$root/var/.updated"
    # A log of the build, and what differs from one build to the next.
    rm -rf "$root"/var/log/{apt,dpkg.log,alternatives.log,bootstrap.log} "$root"/var/cache/ldconfig/aux-cache
}

# The programs of the card itself.
install_card() {
    local own=$root/usr/local/lib/chess-clock
    install -D -m 755 -t "$own" "$settings/init" "$settings/last-start"
    install -m 644 -t "$root/etc/systemd/system" "$settings"/chess-clock-last-start.{service,timer}
    in_root "$root" systemctl enable chess-clock-last-start.timer
    install -D -m 644 "$settings/card.rules" "$root/etc/udev/rules.d/59-chess-clock-card.rules"
    in_root "$root" dpkg-divert --quiet --local --rename --add /usr/sbin/mkinitramfs
    install -m 755 -t "$root/usr/sbin" "$settings/mkinitramfs"
}

# What the firmware can add to the device trees: `dtoverlay=` and the name of the file.
compile_overlays() {
    local source
    mkdir -p "$root/boot/firmware/overlays"
    for source in "$here"/overlays/*.dts; do
        dtc -q -@ -I dts -O dtb -o "$root/boot/firmware/overlays/$(basename "${source%.dts}").dtbo" "$source"
    done
}

# Debian's own hook writes the boot partition; it does so again after each new kernel, from the same settings. Those of a clock,
# which every computer with its packages has, are from the package chess-clock.
fill_boot() {
    local version
    version=$(kernel_version "$root")
    depmod -b "$root" "$version"
    ROOT=$root bash "$settings/mkinitramfs" -o "$root/boot/initrd.img-$version" "$version"
    # The device trees reserve memory for the graphics, so the command line reserves none (CMA).
    printf '%s\n' 'ROOTPART="LABEL=clock-root"' 'CONSOLES="tty1"' 'CMA=0' >"$root/etc/default/raspi-firmware"
    # The package chess-clock has made this file, with the other options of the kernel.
    sed -i "1s/\$/ $CARD_OPTION/" "$root/etc/default/raspi-extra-cmdline"
    echo 'dtoverlay=chess-clock-ds3231' >>"$root/etc/default/raspi-firmware-custom"
    in_root "$root" env DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware
    cp "$settings/read-me.txt" "$root/boot/firmware/"
}

unpack
install_clock
configure_login
configure_system
install_card
compile_overlays
fill_boot
