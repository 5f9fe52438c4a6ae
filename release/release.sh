#!/bin/sh
# Makes everything that a release consists of, of the commit that is checked out. The same commit gives the same bytes, whoever
# builds it, where and when (check.sh).
#
# usage: release/release.sh FOLDER [ARCH]...    ARCH: amd64, arm64 (default: both)
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

cd "$tree"
python3 -B release/versions.py --changelog >"$out/CHANGELOG-$version.md"
python3 -B release/notices.py --check
cp THIRD-PARTY-NOTICES.txt "$out"
python3 -B release/sbom.py "$version" "$commit" "$SOURCE_DATE_EPOCH" >"$out/chess-clock-$version.cdx.json"
"$RELEASE_TOOLS/bin/python" -B release/check_sbom.py "$out/chess-clock-$version.cdx.json"
tar -c --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
    -C docs --transform "s#^man#chess-clock-$version-man#" man | gzip -9n >"$out/chess-clock-$version-man.tar.gz"
cd "$out"
sums=$(find . -type f | sed 's#^\./##' | LC_ALL=C sort | xargs sha256sum)
printf '%s\n' "$sums" >SHA256SUMS
cd "$from"
rm -rf "$release"
mv "$release.new" "$release"
printf 'release: %s of commit %s is in %s\n' "$version" "$commit" "$release" >&2
