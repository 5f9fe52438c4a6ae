#!/bin/bash
# Makes the appliance's base system, a Debian of the smallest kind, as a tar archive, unless it is
# in the cache. Prints the file's name.
#
# usage: base.sh arm64|amd64
set -euo pipefail
. "$(dirname "$0")/common.sh"

arch=$1
packages=(
    systemd systemd-sysv udev dbus # what the appliance runs on
    dbus-broker                    # the system bus of arm64; User-Mode Linux has dbus, and tests with both
    strace                         # what clockd read, seen from outside
    gpiod python3-libgpiod         # the peers of the benchmarks: gpiomon, and a reader in Python
    rt-tests                       # cyclictest
    libglib2.0-bin                 # gdbus: a bus client that is not ours
)

bootstrap() {
    local include new=${base%.tar}.new.tar
    include=$(IFS=,; echo "${packages[*]}")
    mmdebstrap --arch="$arch" --variant=minbase --include="$include" \
        --aptopt='Apt::Install-Recommends "false"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
        $SUITE "$new" \
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $SUITE main"
    mv "$new" "$base"
}

base=$CACHE/base-$arch-$(fingerprint "${BASH_SOURCE[0]}" -- $SUITE).tar
[ -e "$base" ] || step "base system $arch" bootstrap
echo "$base"
