#!/bin/bash
# Makes sure that the host has what the appliance's build and its machines need (Debian, as root).
#
# usage: setup.sh vm|nightly|read-only|bench|day-qemu|quick|packages|day|sd-image|sd-image-check
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/packages.sh"

[ "$(id -u)" = 0 ] || fail 'run this as root: it makes a root file system with owners of its own'

export DEBIAN_FRONTEND=noninteractive
lock=(-o DPkg::Lock::Timeout=600)

install() {
    echo "appliance: installing $*"
    apt-get "${lock[@]}" install -y --no-remove --no-install-recommends "$@"
}

# Nothing is removed for it: a host that has newer QEMU tools than its release needs the emulator
# from backports too.
install_qemu() {
    command -v qemu-system-aarch64 >/dev/null && return
    local codename backports
    install qemu-system-arm && return
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    backports=$CACHE/sources
    mkdir -p "$backports"
    ln -sf /etc/apt/sources.list.d/* "$backports/"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s-backports main\n' \
        "$(mirror)" "$codename" >"$backports/backports.list"
    local options=(-o "Dir::Etc::sourceparts=$backports" -o "Dir::State::lists=$CACHE/lists")
    mkdir -p "$CACHE/lists/partial"
    apt-get "${options[@]}" update
    apt-get "${lock[@]}" "${options[@]}" install -y --no-remove --no-install-recommends \
        -t "$codename-backports" qemu-system-arm
}

install_rust_for_arm64() {
    # apt would refuse too, with the names of four packages.
    [ "$(dpkg-query -W -f '${db:Status-Status}' rustup 2>/dev/null)" != installed ] || fail \
        'Debian'\''s package rustup excludes Debian'\''s own Rust, which builds the programs for arm64 with the libraries of arm64; sudo apt-get remove rustup, and try again'
    has_arm64 || dpkg --add-architecture arm64
    apt-get update
    install "${RUST_PACKAGES[@]}"
}

wanted=$(missing_packages "$1")
if [ -n "$wanted" ]; then
    apt-get update
    # shellcheck disable=SC2086  # a list of names
    install $wanted
fi
needs_arm64 "$1" || exit 0
[ "$1" = sd-image ] || install_qemu
has_rust_for_arm64 || install_rust_for_arm64
# The arm64 packages' own scripts run under qemu-user; the kernel has to know of it.
[ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64
