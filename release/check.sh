#!/bin/bash
# Makes a release twice and compares every byte. The second time, everything differs that must not matter: the folder and the
# length of its name, the time, the umask, the language, the time zone, the number of jobs, the home folder, and the place of the
# crates. Both have the same card, from which each makes its own list for Raspberry Pi Imager.
#
# usage: release/check.sh [ARCH]...    as release.sh, but URL may be left out
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(dirname "$here")
[ $# -gt 0 ] || set -- amd64 arm64
result=$tree/target/release-check
commit=$(git -C "$tree" rev-parse HEAD)
version=$(python3 -B "$here/versions.py")
export SD_IMAGE="${SD_IMAGE:-$tree/target/sd-image/chess-clock-$version-arm64.img}" URL="${URL:-https://example.org/clock}"
rm -rf "$result"
mkdir -p "$result"
work=$(mktemp -d "${TMPDIR:-/tmp}/chess-clock-release.XXXXXX")
trap 'rm -rf "$work"' EXIT

say() { printf 'release-check: %s\n' "$*" >&2; }

# A release is of a commit, so each build has a clone of its own.
clone() {
    mkdir -p "$(dirname "$1")"
    git clone --quiet --no-hardlinks "$tree" "$1"
    git -C "$1" checkout --quiet --detach "$commit"
}

# `build NAME COMMAND…`: its log is shown if it fails.
build() {
    local name=$1 begun=$SECONDS
    shift
    say "build $name …"
    "$@" >"$result/$name.log" 2>&1 || {
        tail -n 30 "$result/$name.log" >&2
        say "build $name failed; the whole log: $result/$name.log"
        exit 1
    }
    say "build $name: $((SECONDS - begun)) s"
}

# With the crates that the tree has compiled already; the second build compiles all of them.
first() {
    clone "$work/a"
    umask 022
    env -u SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$tree/target}" \
        sh "$work/a/release/release.sh" "$result/first" "$@"
}

# The second build is made 400 days later, in a time zone in which it is another day. Only the compiler gets the real time, also when
# a build script starts it, because its allocator (jemalloc) and faketime block each other. The compiler writes no time into its
# files. Everything else gets the other time. Debian's compiler, which builds for arm64 (debian/build.sh), has no jemalloc.
second() {
    local home=$work/somebody/else
    clone "$work/b/a-folder-with-a-longer-name/chess-clock"
    mkdir -p "$home/cargo"
    printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s/bin/rustc" "$@"\n' "$(rustc --print sysroot)" >"$work/rustc"
    chmod 755 "$work/rustc"
    # The same downloaded crates and settings, under another name.
    ln -s "${CARGO_HOME:-$HOME/.cargo}"/* "$home/cargo/"
    umask 077
    env -u SOURCE_DATE_EPOCH -u LC_ALL LANG=fr_CH.UTF-8 TZ=Pacific/Kiritimati CARGO_BUILD_JOBS=1 DEB_BUILD_OPTIONS=parallel=1 \
        CARGO_TARGET_DIR="$work/b/out" RUSTC="$work/rustc" CARGO_HOME="$home/cargo" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
        XDG_CACHE_HOME="${XDG_CACHE_HOME:-$HOME/.cache}" HOME="$home" \
        faketime -f '+400d' sh "$work/b/a-folder-with-a-longer-name/chess-clock/release/release.sh" "$result/second" "$@"
}

# Names the files in a package that differ.
explain() {
    local side
    case $1 in
    *.deb) ;;
    *)
        diff <(head -c 100000 "$result/first/$1") <(head -c 100000 "$result/second/$1") | head -n 5 >&2
        return
        ;;
    esac
    for side in first second; do
        rm -rf "${work:?}/$side"
        dpkg-deb --raw-extract "$result/$side/$1" "$work/$side"
        dpkg-deb --ctrl-tarfile "$result/$side/$1" | tar -tv >"$work/$side.list"
        dpkg-deb --fsys-tarfile "$result/$side/$1" | tar -tv >>"$work/$side.list"
    done
    diff -rq "$work/first" "$work/second" >&2 || true
    diff "$work/first.list" "$work/second.list" | head -n 5 >&2 || true
}

build first first "$@"
build second second "$@"
cd "$result/first"
sha256sum --quiet --check SHA256SUMS
cd "$result/second"
sha256sum --quiet --check SHA256SUMS
if diff -u "$result/first/SHA256SUMS" "$result/second/SHA256SUMS" >"$result/differences"; then
    say "both releases are the same, $(wc -l <SHA256SUMS) files"
    exit
fi
sed -n 's/^+[0-9a-f]\{64\}  //p' "$result/differences" | while read -r file; do
    say "$file differs:"
    explain "$file"
done
say "the two releases differ; they are in $result"
exit 1
