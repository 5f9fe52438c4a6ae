#!/bin/bash
# Builds the Debian packages of the clock, checks them with lintian, and makes of them the packages of a next version.
#
# usage: debs.sh FOLDER amd64|arm64     into FOLDER/debs and FOLDER/next-debs
set -euo pipefail
. "$(dirname "$0")/common.sh"

debs=$1/debs next=$1/next-debs arch=$2

build() {
    sh "$TREE/tests/setup.sh" deb
    sh "$TREE/debian/build.sh" "$arch" "$debs"
}

check() { lintian --fail-on error --tag-display-limit 0 "$debs"/*.deb; }

# The same files under a higher version: an upgrade must not depend on what has changed.
make_next() {
    local deb tree
    mkdir "$next"
    for deb in "$debs"/*.deb; do
        tree=$(mktemp -d)
        dpkg-deb --raw-extract "$deb" "$tree"
        sed -i 's/^Version: .*/&+next/' "$tree/DEBIAN/control"
        dpkg-deb --root-owner-group --build "$tree" "$next" >/dev/null
        rm -r "$tree"
    done
}

step 'Debian packages' build
step lintian check
step 'packages of the next version' make_next
