#!/bin/bash
# Boots copies of the card in QEMU's models of the Raspberry Pi 3 and 4, and looks at the clock there.
#
# usage: check.sh [TEST…]     TEST: such as test_card.Pi4
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

SD_IMAGE=$(card_file)
export SD_IMAGE
[ -e "$SD_IMAGE" ] || fail "there is no $SD_IMAGE; run make sd-image first"
step 'packages for sd-image' bash "$APPLIANCE/build/setup.sh" sd-image
bash "$here/contents.sh" "$SD_IMAGE"
models=$(qemu-system-aarch64 -M help)
for model in raspi3b raspi4b; do
    grep -q "^$model " <<<"$models" ||
        fail "$(qemu-system-aarch64 --version | head -1) has no model $model. QEMU 9.0 or newer has; Debian 12 has one in bookworm-backports"
done
cd "$APPLIANCE/driver"
export PYTHONDONTWRITEBYTECODE=1
[ $# != 0 ] || set -- test_card test_stick
python3 -u -m unittest -v "$@"
