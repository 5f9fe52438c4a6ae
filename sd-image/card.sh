# What the scripts of the card share. Sourced after tests/appliance/build/common.sh; compress_card needs nothing of it.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the other scripts use the sizes and the option

# The partitions, in MiB. The first two have room for three kernels (upgrades.sh). The sum with the 4 MiB before the first one is
# 4 GiB, because QEMU takes only powers of two.
BOOT_START=4 BOOT_SIZE=512
ROOT_START=516 ROOT_SIZE=2560
DATA_START=3076 DATA_SIZE=1020
CARD_SIZE=4096

# An option of the kernel that the card has beside those of every computer with the package chess-clock.
CARD_OPTION=systemd.unit=chess-clock-first.target

# Prints the name of the card's file.
card_file() {
    local version
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$TREE/Cargo.toml" | head -1)
    printf '%s/target/sd-image/chess-clock-%s-arm64.img\n' "$TREE" "$version"
}

# Writes IMAGE.zst: `compress_card IMAGE [THREADS]`. One version of zstd gives the same bytes with any number of threads, but
# others with --single-thread.
compress_card() { zstd --quiet --force -10 --threads="${2:-0}" "$1" -o "$1.zst"; }

# Runs a command in a root of arm64, with the files of the kernel that packages' scripts read: `in_root ROOT COMMAND…`. With
# INITRD=No the hook of initramfs-tools makes no initrd. The mounts are in a namespace of their own and end with it.
in_root() {
    local root=$1
    shift
    # shellcheck disable=SC2016  # the inner shell expands it
    unshare --mount sh -euc 'root=$1; shift
        mount -t proc proc "$root/proc"
        mount -t tmpfs tmpfs "$root/run"
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin HOME=/root DEBIAN_FRONTEND=noninteractive INITRD='"${INITRD-No}"' "$@"' \
        sh "$root" "$@"
}

# Prints the version of the kernel of a root: `kernel_version ROOT`.
kernel_version() { basename "$1"/usr/lib/modules/*; }
