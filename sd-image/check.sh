#!/bin/bash
# Boots copies of the card in QEMU's models of the Raspberry Pi 3 and 4, and looks at the clock there. QEMU is built for it.
#
# usage: check.sh [TEST…]     TEST: such as test_card.Pi4
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

SD_IMAGE=$(card_file)
export SD_IMAGE
[ -e "$SD_IMAGE" ] || fail "there is no $SD_IMAGE; run make sd-image first"
step 'packages for sd-image-check' bash "$APPLIANCE/build/setup.sh" sd-image-check
bash "$here/contents.sh" "$SD_IMAGE"
# Only its build needs the cache.
SD_IMAGE_QEMU=$(lock_cache; bash "$APPLIANCE/build/qemu.sh")
export SD_IMAGE_QEMU
cd "$APPLIANCE/driver"
export PYTHONDONTWRITEBYTECODE=1
[ $# != 0 ] || set -- test_pins test_card test_header test_stick test_battery_clock
python3 -u -m unittest -v "$@"
