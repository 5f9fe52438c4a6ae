#!/bin/sh
# Builds the Debian packages of this tree into FOLDER, and those with the debug symbols into FOLDER/debug-symbols. The build
# is in a copy, so that nothing is left in the tree.
#
# usage: sh debian/build.sh amd64|arm64 FOLDER
set -eu

arch=$1
case $arch in
amd64 | arm64) ;;
*) printf 'deb: no packages for %s; there are some for amd64 and for arm64\n' "$arch" >&2 && exit 2 ;;
esac
mkdir -p "$2"
out=$(cd "$2" && pwd)
tree=$(cd "$(dirname "$0")/.." && pwd)
# The dependencies are compiled once for all builds of this tree. The copy has the same name each time, because the name is
# an option of the compiler (--remap-path-prefix).
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$tree/target}/deb"
work=$CARGO_TARGET_DIR/source-$arch
rm -rf "$work"
mkdir -p "$work/chess-clock"
(cd "$tree" && git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- --ignore-failed-read) |
    tar -x -C "$work/chess-clock"
if [ "$arch" != "$(dpkg --print-architecture)" ]; then
    # Debian packages the standard library of another architecture with its own Rust.
    [ -d /usr/lib/rustlib/aarch64-unknown-linux-gnu ] || {
        printf '%s\n' "deb: no Rust for $arch. Run this, then try again:" \
            '    sudo dpkg --add-architecture arm64 && sudo apt-get update' \
            '    sudo apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross rustc-web cargo-web libstd-rust-web-dev libstd-rust-web-dev:arm64' >&2
        exit 2
    }
    export PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc
fi
CHESS_CLOCK_COMMIT=$(git -C "$tree" describe --always --dirty --exclude '*' --abbrev=12)
# No file in a package is newer than the commit, so that the same commit gives the same packages at any time.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$tree" log -1 --format=%ct)}
export CHESS_CLOCK_COMMIT SOURCE_DATE_EPOCH
cd "$work/chess-clock"
# Without the build's dependencies of Debian: Rust comes from elsewhere, and a cross build needs none of the other architecture.
dpkg-buildpackage --build=binary --no-sign --no-check-builddeps --host-arch="$arch"
rm -f "$out"/*.deb "$out"/debug-symbols/*.deb
mkdir -p "$out/debug-symbols"
mv "$work"/*-dbgsym_*.deb "$out/debug-symbols"
mv "$work"/*.deb "$out"
rm -rf "$work"
printf 'deb: the packages are in %s\n' "$out" >&2
