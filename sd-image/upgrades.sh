#!/bin/bash
# Checks that the card survives kernel upgrades: installs two more kernels of the same size in a copy of its root, on a boot partition of
# the card's size, and looks at what Debian's hooks have left. The copy is an overlay, so the root stays as it is.
#
# usage: upgrades.sh ROOT FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

lower=$1 work=$2/upgrades root=$2/upgrades/root
# What must stay free on both partitions, in MiB.
FREE=64
# What ext4 itself takes of the root: its journal and its tables of inodes.
EXT4=128

# In a mount namespace of its own, which ends with this script.
if [ "${3:-}" != inside ]; then
    exec unshare --mount bash "$0" "$1" "$2" inside
fi

wrong() { fail "kernel upgrades of the card: $*"; }

mount_copy() {
    rm -rf "$work"
    mkdir -p "$work/upper" "$work/work" "$root"
    mount -t overlay overlay -o "lowerdir=$lower,upperdir=$work/upper,workdir=$work/work" "$root"
    cp -r "$root/boot/firmware" "$work/firmware"
    mount -t tmpfs -o "size=${BOOT_SIZE}M" tmpfs "$root/boot/firmware"
    cp -r "$work/firmware/." "$root/boot/firmware"
    # depmod takes minutes under qemu-user. The packages below bring its files along.
    ln -sf ../bin/true "$root/usr/sbin/depmod"
}

# Makes a package of the installed kernel with another version: `make_kernel OLD NEW`.
make_kernel() {
    local tree=$work/$2 info=$root/var/lib/dpkg/info/linux-image-$1 file
    mkdir -p "$tree/DEBIAN"
    while read -r file; do
        [ -d "$root$file" ] && [ ! -L "$root$file" ] && continue
        mkdir -p "$tree$(dirname "${file//"$1"/$2}")"
        # What dpkg has left out (dpkg.cfg), such as the device trees of the Raspberry Pi 5, is in the package all the same.
        cp -a "$root$file" "$tree${file//"$1"/$2}" 2>/dev/null || echo 'left out' >"$tree${file//"$1"/$2}"
    done < <(cat "$info.list" && cd "$root" && find "usr/lib/modules/$1" -maxdepth 1 -name 'modules.*' -printf '/%p\n')
    for file in preinst postinst prerm postrm; do
        [ ! -e "$info.$file" ] || sed "s/$1/$2/g" "$info.$file" >"$tree/DEBIAN/$file"
    done
    chmod 755 "$tree"/DEBIAN/p*
    printf '%s\n' "Package: linux-image-$2" 'Version: 1' 'Architecture: arm64' 'Maintainer: nobody <nobody@example.org>' \
        'Description: a kernel of the check' >"$tree/DEBIAN/control"
    mkdir -p "$root/var/cache/apt/archives"
    dpkg-deb --build --root-owner-group -Znone "$tree" "$root/var/cache/apt/archives/linux-image-$2.deb" >/dev/null
    rm -r "$tree"
}

# The files of an initrd.
files_of() { zstd -dc "$1" | cpio --quiet -t | LC_ALL=C sort; }

check_boot_partition() {
    local new=$1 first=$2 firmware=$root/boot/firmware line free has
    grep -qx "kernel=vmlinuz-$new" "$firmware/config.txt" || wrong "config.txt does not start $new"
    grep -qx "initramfs initrd.img-$new" "$firmware/config.txt" || wrong "config.txt has another initrd than that of $new"
    for line in root=LABEL=clock-root fsck.repair=yes net.ifnames=0 "$CARD_OPTION"; do
        grep -qwF -- "$line" "$firmware/cmdline.txt" || wrong "no '$line' in cmdline.txt"
    done
    [ -e "$firmware/overlays/chess-clock-ds3231.dtbo" ] || wrong 'the overlays are gone'
    ! compgen -G "$firmware/bcm2712*" >/dev/null || wrong 'a device tree of the Raspberry Pi 5 is back'
    has=$(files_of "$firmware/initrd.img-$new")
    grep -qx modules/ext4.ko <<<"$has" || wrong "the initrd of $new cannot mount the root"
    [ "$has" = "$(files_of "$firmware/initrd.img-$first")" ] ||
        wrong "the initrd of $new has other files than the first one"
    free=$(df --output=avail -m "$firmware" | tail -1)
    printf 'boot partition: %s MiB are free; the initrd has %s bytes\n' $((free)) "$(stat -c %s "$firmware/initrd.img-$new")"
    [ "$free" -ge $FREE ] || wrong "only $free MiB are free on the boot partition"
}

check_root() {
    local used free
    used=$(du -sxm "$root" | cut -f 1)
    free=$((ROOT_SIZE - EXT4 - used))
    printf 'root: %s MiB are free\n' $free
    [ $free -ge $FREE ] || wrong "only $free MiB are free on the root"
}

# A new version of the firmware's package with another text of its settings.
check_settings() {
    local tree=$work/settings file=/etc/default/raspi-firmware
    mkdir -p "$tree/DEBIAN" "$tree/etc/default"
    echo '# new' >"$tree$file"
    echo $file >"$tree/DEBIAN/conffiles"
    printf '%s\n' 'Package: raspi-firmware' 'Version: 9' 'Architecture: all' 'Maintainer: nobody <nobody@example.org>' \
        'Description: settings of the check' >"$tree/DEBIAN/control"
    dpkg-deb --build --root-owner-group "$tree" "$root/settings.deb" >/dev/null
    INITRD=Yes in_root "$root" dpkg --install /settings.deb </dev/null
    grep -q '^ROOTPART="LABEL=clock-root"' "$root$file" || wrong "an upgrade of raspi-firmware has replaced $file"
}

mount_copy
first=$(kernel_version "$root")
for new in 9.1.0-rt-arm64 9.2.0-rt-arm64; do
    make_kernel "$first" "$new"
    INITRD=Yes in_root "$root" dpkg --install "/var/cache/apt/archives/linux-image-$new.deb" </dev/null
    check_boot_partition "$new" "$first"
done
check_root
check_settings
umount "$root/boot/firmware" "$root"
rm -rf "$work"
