#!/bin/bash
# Makes the card of a Raspberry Pi 3, 4 or Zero 2 out of Debian packages: target/sd-image/chess-clock-VERSION-arm64.img.zst.
# The base system, the cross build and the cache are those of tests/appliance. Debian, as root.
#
# usage: build.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

build=$APPLIANCE/build debs=$TREE/target/debs/arm64
lock_cache
work=$(mktemp -d "${TMPDIR:-/tmp}/chess-clock-card.XXXXXX")
trap 'rm -rf "$work"' EXIT

packages() {
    sh "$TREE/tests/setup.sh" deb
    sh "$TREE/debian/build.sh" arm64 "$debs"
}

compress() {
    mkdir -p "$TREE/target/sd-image"
    rm -f "$(card_file)" "$(card_file).zst"
    cp --sparse=always "$work/card.img" "$(card_file)"
    compress_card "$(card_file)"
}

step 'packages for sd-image' bash "$build/setup.sh" sd-image
base=$(bash "$build/base.sh" arm64)
debian=$(bash "$here/debian.sh" "$base")
step 'Debian packages arm64' packages
step 'root of the card' bash "$here/root.sh" "$debian" "$debs" "$work/root"
# It takes minutes, so it is left out while nothing has changed of what it looks at.
passed=$CACHE/card-upgrades-$(fingerprint "$here"/{card,root,upgrades}.sh "$here"/files/* "$here"/overlays/* \
    "$TREE/debian/chess-clock-boot" -- "${debian##*/}")
[ -e "$passed" ] || step 'two kernel upgrades of the card' bash "$here/upgrades.sh" "$work/root" "$work"
touch "$passed"
step 'partitions of the card' bash "$here/partitions.sh" "$work/root" "$work"
step 'contents of the card' bash "$here/contents.sh" "$work/card.img"
step 'compressed card' compress
printf 'sd-image: the card is %s.zst\n' "$(card_file)" >&2
