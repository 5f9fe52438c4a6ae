#!/bin/bash
# Checks a card by reading the finished image: partitions, boot files, settings, and that nobody can log in with a password.
#
# usage: contents.sh CARD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tests/appliance/build/common.sh"
. "$here/card.sh"

card=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
boot="$card@@${BOOT_START}M"

wrong() { fail "the card $card: $*"; }

# Prints a file of the root. debugfs has no exit status for a file that is missing.
root_file() {
    rm -f "$folder/file"
    debugfs -R "dump $1 $folder/file" "$folder/root" 2>/dev/null
    [ -e "$folder/file" ] || wrong "no $1 on the root"
    cat "$folder/file"
}

# The type of an entry of the root, such as "regular" or "symlink"; nothing if there is none.
root_type() { debugfs -R "stat $1" "$folder/root" 2>/dev/null | sed -n 's/.*Type: \([a-z]*\).*/\1/p'; }

# The seconds since 1970 at which an entry of the root was changed.
changed_at() { printf '%d\n' "$(debugfs -R "stat $1" "$folder/root" 2>/dev/null | sed -n 's/^ *mtime: \(0x[0-9a-f]*\).*/\1/p')"; }

boot_file() { mtype -i "$boot" "::/$1" 2>/dev/null || wrong "no $1 on the boot partition"; }

check_partitions() {
    local found expected
    found=$(sfdisk --json "$card" | python3 -c '
import json, sys
table = json.load(sys.stdin)["partitiontable"]
assert table["unit"] == "sectors" and table.get("sectorsize", 512) == 512, table
print(table["label"], *("%d+%d:%s" % (part["start"] // 2048, part["size"] // 2048, part["type"])
                        for part in table["partitions"]))')
    expected="dos $BOOT_START+$BOOT_SIZE:c $ROOT_START+$ROOT_SIZE:83 $DATA_START+$DATA_SIZE:83"
    [ "$found" = "$expected" ] || wrong "its partitions are '$found'; expected '$expected'"
    [ "$(stat -c %s "$card")" = $((CARD_SIZE * 1024 * 1024)) ] || wrong "its size is not $CARD_SIZE MiB"
}

# Cuts a file system out, checks it, and compares its label: `check_ext4 NAME START SIZE LABEL`.
check_ext4() {
    local label
    dd if="$card" of="$folder/$1" bs=1M skip="$2" count="$3" conv=sparse status=none
    e2fsck -fn "$folder/$1" >/dev/null 2>&1 || wrong "the file system of the $1 is damaged"
    label=$(e2label "$folder/$1")
    [ "$label" = "$4" ] || wrong "the label of the $1 is '$label'; expected '$4'"
}

check_boot() {
    local file line kernel initrd command_line
    # The two for the boards 3 and Zero 2, and 4 and 400. A board that is newer than its firmware does not start.
    for file in start.elf start4.elf; do
        line=$(boot_file $file | grep -aoE 'VC_BUILD_ID_TIME: [A-Z][a-z]+ +[0-9]+ [0-9]{4}' || wrong "no date in $file")
        printf 'the firmware %s is of %s\n' "$file" "${line#*: }"
    done
    for file in bootcode.bin start.elf fixup.dat start4.elf fixup4.dat bcm2837-rpi-3-b.dtb bcm2837-rpi-3-b-plus.dtb \
        bcm2837-rpi-zero-2-w.dtb bcm2711-rpi-4-b.dtb bcm2711-rpi-400.dtb; do
        boot_file $file >"$folder/boot-file"
        [ -s "$folder/boot-file" ] || wrong "$file on the boot partition is empty"
    done
    # A Raspberry Pi 5 must refuse the card. Later kernels are unpacked with the same settings.
    ! mdir -b -i "$boot" '::/bcm2712*' >/dev/null 2>&1 || wrong 'it has a device tree of the Raspberry Pi 5, which would start and not find the root'
    cmp -s <(root_file /etc/dpkg/dpkg.cfg.d/99mmdebstrap) "$here/files/dpkg.cfg" || wrong 'other settings of dpkg'
    boot_file config.txt >"$folder/config.txt"
    root_file /etc/default/raspi-firmware-custom >"$folder/settings"
    for line in gpio= disable_fw_kms_setup=1 disable_overscan=1 initial_turbo=30; do
        grep -q "^$line" "$folder/settings" || wrong "the package chess-clock has not set $line in config.txt"
    done
    while read -r line; do
        grep -qxF -- "$line" "$folder/config.txt" || wrong "no '$line' in config.txt"
    done <"$folder/settings"
    kernel=$(sed -n 's/^kernel=//p' "$folder/config.txt")
    initrd=$(sed -n 's/^initramfs //p' "$folder/config.txt")
    for file in "$kernel" "$initrd"; do
        boot_file "$file" >"$folder/boot-file"
        [ -s "$folder/boot-file" ] || wrong "'$file' of config.txt is empty"
    done
    case $kernel in vmlinuz-*-rt-arm64) ;; *) wrong "the kernel '$kernel' is not the real-time one" ;; esac
    command_line=$(boot_file cmdline.txt)
    # A network adapter is eth0 (wired.network), and a file system with errors after a power cut is repaired without a question.
    for line in root=LABEL=clock-root console=tty1 fsck.repair=yes net.ifnames=0 $CARD_OPTION $(sh "$TREE/debian/chess-clock-boot" options); do
        grep -qwF -- "$line" <<<"$command_line" || wrong "no '$line' in cmdline.txt: $command_line"
    done
}

# Applies each overlay to each board's device tree as the firmware does: `check_overlay OVERLAY BUS NODE BOARD…`. The node must be on
# that bus afterwards.
check_overlay() {
    local overlay=$1 bus=$2 node=$3 board path
    shift 3
    boot_file "overlays/$overlay.dtbo" >"$folder/overlay"
    for board; do
        boot_file "$board.dtb" >"$folder/tree"
        fdtoverlay -i "$folder/tree" -o "$folder/merged" "$folder/overlay" >/dev/null ||
            wrong "the overlay $overlay does not fit $board"
        path=$(fdtget "$folder/merged" /__symbols__ "$bus")
        [ "$(fdtget -d okay "$folder/merged" "$path" status)" = okay ] || wrong "$bus is off on $board with $overlay"
        fdtget "$folder/merged" "$path/$node" compatible >/dev/null 2>&1 || wrong "no $node at $bus on $board with $overlay"
    done
}

# In the tree that check_overlay has made last, the display's own connector is on, and names the display.
check_display() {
    local path
    path=$(fdtget "$folder/merged" /__symbols__ dsi1)
    [ "$(fdtget -d okay "$folder/merged" "$path" status)" = okay ] || wrong 'the connector of the display is off'
    [ "$(fdtget "$folder/merged" "$path/port/endpoint" remote-endpoint)" = \
        "$(fdtget "$folder/merged" "$(fdtget "$folder/merged" /__symbols__ panel_in)" phandle)" ] ||
        wrong 'the connector of the display names another panel'
}

check_overlays() {
    local pi3=(bcm2837-rpi-3-b bcm2837-rpi-3-b-plus) pi4=(bcm2711-rpi-4-b) all
    all=("${pi3[@]}" "${pi4[@]}" bcm2837-rpi-zero-2-w bcm2711-rpi-400)
    check_overlay chess-clock-ds3231 i2c1 rtc@68 "${all[@]}"
    grep -qxF dtoverlay=chess-clock-ds3231 "$folder/config.txt" || wrong 'a DS3231 is not looked for'
    # Debian's own: seven-segment modules (docs/devices.md).
    check_overlay pi4-spidev spi spidev@0 "${all[@]}"
    check_overlay chess-clock-dsi-pi3 i2c0 display@45 "${pi3[@]}"
    check_display
    check_overlay chess-clock-dsi-pi4 i2c0_1 display@45 "${pi4[@]}"
    check_display
}

check_login() {
    local account password rest file
    root_file /etc/shadow >"$folder/shadow"
    while IFS=: read -r account password rest; do
        case $password in '*' | '!' | '!*' | '!!') ;; *) wrong "the account $account has a password" ;; esac
    done <"$folder/shadow"
    grep -q '^arbiter:\*:' "$folder/shadow" || wrong "no account arbiter that takes keys"
    root_file /etc/ssh/sshd_config.d/10-chess-clock.conf >"$folder/sshd"
    for line in 'AuthenticationMethods publickey' 'PasswordAuthentication no' \
        'AuthorizedKeysFile /boot/firmware/authorized-keys/%u'; do
        grep -qxF -- "$line" "$folder/sshd" || wrong "no '$line' in the settings of sshd"
    done
    [ "$(root_type /etc/systemd/system/ssh.service.wants/sshd-keygen.service)" = symlink ] ||
        wrong 'it makes no host keys at its first start'
    cmp -s <(root_file /etc/systemd/system/sshd-keygen.service.d/10-chess-clock.conf) "$here/files/sshd-keygen.conf" ||
        wrong 'its host keys depend on what systemd takes for a first boot'
    for file in rsa ecdsa ed25519; do
        [ -z "$(root_type /etc/ssh/ssh_host_${file}_key)" ] || wrong "it has a host key, which all cards would share"
    done
    [ -z "$(root_file /etc/machine-id)" ] || wrong "it has a machine-id, which all cards would share"
}

# The settings of an image that is nothing but a clock: among its masks are the logins at a keyboard, and Ctrl-Alt-Del.
check_image() {
    local file
    make -s -C "$TREE" install-image DESTDIR="$folder/image"
    for file in $(cd "$folder/image" && find . -type l); do
        [ "$(root_type "/$file")" = symlink ] || wrong "${file##*/} is not masked"
    done
    for file in $(cd "$folder/image" && find . -type f); do
        cmp -s <(root_file "/$file") "$folder/image/$file" || wrong "another ${file#.}"
    done
    [ "$(root_type /etc/systemd/system/dbus.service)" = symlink ] || wrong 'its bus is not dbus-broker'
}

# What the first start would have to make before the clock starts.
check_indices() {
    local file
    for file in etc/ld.so.cache usr/lib/udev/hwdb.bin var/lib/systemd/catalog/database etc/.updated var/.updated; do
        [ "$(root_type "/$file")" = regular ] || wrong "no /$file on the root"
    done
    for file in etc var; do
        [ "$(changed_at "/$file/.updated")" -ge "$(changed_at /usr)" ] || wrong "/$file/.updated is older than /usr"
    done
}

check_clock() {
    local file
    for file in clockd clockctl clock-display; do
        root_file /usr/bin/$file >"$folder/program"
        # The machine of an ELF file: 183 is AArch64.
        [ "$(od -An -t u2 -j 18 -N 2 "$folder/program" | tr -d ' ')" = 183 ] || wrong "$file is no program for arm64"
    done
    for file in chess-clock-first.target multi-user.target; do
        [ "$(root_type "/etc/systemd/system/$file.wants/chess-clock-last-start.timer")" = symlink ] ||
            wrong "$file does not leave a report of a start without a picture"
    done
    for file in last-start init; do
        cmp -s <(root_file /usr/local/lib/chess-clock/$file) "$here/files/$file" || wrong "another $file"
    done
    cmp -s <(root_file /usr/sbin/mkinitramfs) "$here/files/mkinitramfs" || wrong 'another initrd after a kernel upgrade'
    cmp -s <(root_file /etc/udev/rules.d/59-chess-clock-card.rules) "$here/files/card.rules" || wrong 'other rules of udev'
    for file in clockd chess-clock-restore-time chrony ssh iwd systemd-networkd; do
        [ "$(root_type /etc/systemd/system/multi-user.target.wants/$file.service)" = symlink ] ||
            wrong "$file.service is not enabled"
    done
    cmp -s <(root_file /etc/fstab) "$here/files/fstab" || wrong 'another fstab'
    root_file /var/lib/dpkg/status >"$folder/status"
    for file in chess-clock clockd clockctl clock-display linux-image-rt-arm64 raspi-firmware; do
        grep -A 1 -xF "Package: $file" "$folder/status" | grep -qx 'Status: install ok installed' ||
            wrong "the package $file is not installed"
    done
    # From the base system, from what the card adds to it, and of the clock itself.
    for file in doc/systemd/copyright doc/busybox-static/copyright doc/clockd/copyright \
        doc/chess-clock/THIRD-PARTY-NOTICES.txt.gz doc/chess-clock/docs/wiring.md man/man1/clockctl.1.gz; do
        [ "$(root_type "/usr/share/$file")" = regular ] || wrong "no /usr/share/$file"
    done
    ! grep -qE '^Status: .* (unpacked|half|triggers)' "$folder/status" || wrong 'a package is not configured'
}

# The driver of a radio reads its firmware, the limits of the countries, and the settings of the board. Its options and the start of
# iwd are those of `make install-image`. Debian has no firmware for the
# radio of the later Zero 2 (43436). That of the Pi 400 (43456) is in raspi-firmware.
check_wireless() {
    local file radio=/usr/lib/firmware/brcm/brcmfmac
    for file in 43430-sdio.bin 43430-sdio.clm_blob 43430-sdio.raspberrypi,3-model-b.txt \
        43430-sdio.raspberrypi,model-zero-2-w.txt 43455-sdio.bin 43455-sdio.clm_blob \
        43455-sdio.raspberrypi,3-model-b-plus.txt 43455-sdio.raspberrypi,4-model-b.txt 43456-sdio.{bin,clm_blob,txt}; do
        [ -n "$(root_type "$radio$file")" ] || wrong "no $radio$file"
    done
    root_file /usr/lib/firmware/regulatory.db >"$folder/regulatory"
}

check_partitions
check_ext4 root "$ROOT_START" "$ROOT_SIZE" clock-root
check_ext4 data "$DATA_START" "$DATA_SIZE" clock-data
check_boot
check_overlays
check_login
check_image
check_indices
check_wireless
check_clock
