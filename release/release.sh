#!/bin/sh
# Makes everything that a release consists of, of the commit that is checked out. The same commit gives the same bytes, whoever
# builds it, where and when (check.sh).
#
# usage: URL=ADDRESS release/release.sh FOLDER [ARCH]...    ARCH: amd64, arm64 (default: both)
#
# URL is where the files of the release will be downloaded from. The card is a part of a release with packages for arm64: it is
# SD_IMAGE, or what `make sd-image` has left in this tree.
set -eu
# Python reads and writes UTF-8, whatever the language of the one who builds is.
export PYTHONUTF8=1

from=$PWD
here=$(cd "$(dirname "$0")" && pwd)
tree=$(dirname "$here")
. "$tree/tests/tools.sh"

fail() {
    printf 'release: %s\n' "$@" >&2
    exit 2
}

[ $# -ge 1 ] || fail 'no folder given; usage: release/release.sh FOLDER [ARCH]...'
# An earlier release is replaced when the new one is complete, and nothing else.
[ ! -e "$1" ] || [ -e "$1/SHA256SUMS" ] || fail "$1 exists and is no release; name another folder, or remove it"
rm -rf "$1.new"
mkdir -p "$1.new"
release=$1
out=$(cd "$1.new" && pwd)
shift
[ $# -gt 0 ] || set -- amd64 arm64

changed=$(git -C "$tree" status --porcelain | head -n 10)
[ -z "$changed" ] || fail 'a release is made of a commit, and these files are not committed:' "$changed"
version=$(python3 -B "$here/versions.py") || fail 'the files that name the version differ'
! grep -q "^## $version, unreleased" "$tree/CHANGELOG.md" ||
    echo "release: CHANGELOG.md calls $version unreleased: this is a trial" >&2
commit=$(git -C "$tree" rev-parse HEAD)
card='' work=''
case " $* " in *' arm64 '*)
    card=${SD_IMAGE:-$tree/target/sd-image/chess-clock-$version-arm64.img}
    [ -e "$card" ] && [ -e "$card.zst" ] || fail "there is no $card with its .zst; run sudo make sd-image first"
    card=$(realpath "$card")
    printf '%s\n' "${URL:-}" | grep -Eqx 'https?://[^[:space:]]+' ||
        fail "the URL is '${URL:-}'; expected the address of the folder with the release, such as URL=https://example.org/clock"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    ;;
esac
# The time that every file of the packages has at most.
SOURCE_DATE_EPOCH=$(git -C "$tree" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

mkdir -p "$out/debug-symbols"
for arch; do
    sh "$tree/debian/build.sh" "$arch" "$out/$arch"
    mv "$out/$arch"/debug-symbols/*.deb "$out/debug-symbols"
    # The package with the settings is the same for every processor.
    for package in "$out/$arch"/*_all.deb; do
        [ ! -e "$out/${package##*/}" ] || cmp "$package" "$out/${package##*/}" ||
            fail "${package##*/} of $arch differs from that of $1"
    done
    mv "$out/$arch"/*.deb "$out"
    rm -r "${out:?}/$arch"
done

# The programs on the card are those of the packages, so the card was made of the same commit. The start of its root is from
# sd-image/card.sh.
. "$tree/sd-image/card.sh"
for program in ${card:+clockd clockctl clock-display}; do
    dpkg-deb --fsys-tarfile "$out/${program}_${version}_arm64.deb" | tar -xO "./usr/bin/$program" >"$work/packaged"
    /usr/sbin/debugfs -R "dump /usr/bin/$program $work/on-card" "$card?offset=$((ROOT_START * 1048576))" 2>/dev/null
    cmp -s "$work/packaged" "$work/on-card" ||
        fail "$program on the card $card is not that of the packages; make the card of the same commit: sudo make sd-image"
done

cd "$tree"
python3 -B release/versions.py --changelog >"$out/CHANGELOG-$version.md"
python3 -B release/notices.py --check
cp THIRD-PARTY-NOTICES.txt "$out"
python3 -B release/sbom.py "$version" "$commit" "$SOURCE_DATE_EPOCH" >"$out/chess-clock-$version.cdx.json"
"$RELEASE_TOOLS/bin/python" -B release/check_sbom.py "$out/chess-clock-$version.cdx.json"
tar -c --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
    -C docs --transform "s#^man#chess-clock-$version-man#" man | gzip -9n >"$out/chess-clock-$version-man.tar.gz"
if [ -n "$card" ]; then
    cp "$card.zst" release/chess-clock.svg "$out"
    python3 -B release/imager.py "$card" "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" "$URL" \
        >"$out/chess-clock-$version.rpi-imager-manifest"
    python3 -B release/imager.py --check "$out"
fi
cd "$out"
sums=$(find . -type f | sed 's#^\./##' | LC_ALL=C sort | xargs sha256sum)
printf '%s\n' "$sums" >SHA256SUMS
cd "$from"
rm -rf "$release"
mv "$release.new" "$release"
printf 'release: %s of commit %s is in %s\n' "$version" "$commit" "$release" >&2
