#!/bin/bash
# Makes the card from its root, without mounts and loop devices: FOLDER/card.img.
#
# usage: partitions.sh ROOT FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

root=$1 folder=$2 card=$2/card.img

# Puts the file of a partition on the card: `place FILE START`.
place() {
    dd if="$1" of="$card" bs=1M seek="$2" conv=notrunc,sparse status=none
    rm "$1"
}

truncate -s "${CARD_SIZE}M" "$card"
sfdisk --quiet "$card" <<END
label: dos
label-id: 0x63686573
start=${BOOT_START}MiB, size=${BOOT_SIZE}MiB, type=c, bootable
start=${ROOT_START}MiB, size=${ROOT_SIZE}MiB, type=83
start=${DATA_START}MiB, size=${DATA_SIZE}MiB, type=83
END

boot=$folder/boot.fat
mkfs.vfat -F 32 -n CLOCKBOOT -C "$boot" $((BOOT_SIZE * 1024)) >/dev/null
mcopy -s -i "$boot" "$root"/boot/firmware/* ::/
place "$boot" "$BOOT_START"

rm -rf "$root"/boot/firmware/*
mke2fs -q -t ext4 -L clock-root -m 0 -d "$root" "$folder/root.ext4" "${ROOT_SIZE}M"
place "$folder/root.ext4" "$ROOT_START"

# The root of this file system is the folder of the record.
owner=$(awk -F: '$1 == "chess-clock" { print $3 ":" $4 }' "$root/etc/passwd")
mke2fs -q -t ext4 -L clock-data -m 0 -E root_owner="$owner" "$folder/data.ext4" "${DATA_SIZE}M"
place "$folder/data.ext4" "$DATA_START"
