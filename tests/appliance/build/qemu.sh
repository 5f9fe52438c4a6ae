#!/bin/bash
# Builds QEMU from Debian's source package, with the patches of qemu/, unless it is in the cache. Prints the program's name.
# Its models of the Raspberry Pi 3 and 4 detect edges at the lines of the header.
#
# usage: qemu.sh
set -euo pipefail
. "$(dirname "$0")/common.sh"

patches=("$APPLIANCE"/qemu/*.patch)
devices=$APPLIANCE/qemu/raspi.mak
# The first version that the patches were made for. Those of one stable release differ by corrections.
version=10.0

# The source package as it was when it was first wanted, without Debian's own patches.
fetch_source() {
    APT_TYPE=deb-src other_apt $SUITE apt-get update
    local uri name hash
    read -r uri name _ hash < <(APT_TYPE=deb-src other_apt $SUITE apt-get --print-uris source qemu |
        grep "/qemu_$version\..*\.orig\.tar\.xz' ") ||
        fail "Debian $SUITE has no source of QEMU $version; the patches in $APPLIANCE/qemu are for that version"
    uri=${uri//\'/}
    # It compares the hash.
    /usr/lib/apt/apt-helper download-file "$uri" "$CACHE/new.$name" "$hash"
    mv "$CACHE/new.$name" "$CACHE/$name"
}

unpack() {
    local patch
    rm -rf "$source"
    mkdir "$source"
    tar -C "$source" --strip-components 1 -xf "$archive"
    for patch in "${patches[@]}"; do
        patch -d "$source" --batch --forward --fuzz=0 -p1 <"$patch"
    done
    cp "$devices" "$source/configs/devices/aarch64-softmmu/raspi.mak"
    # Debian's archive lacks the firmware of other machines.
    echo 'roms = []' >"$source/pc-bios/meson.build"
}

# The programs in Python that build it, in the versions that it names: those of Debian 12 are too old.
fetch_wheels() {
    local name packages=()
    for name in meson pycotap; do
        packages+=("$name==$(sed -nE "s/^$name = .* installed = \"([^\"]*)\".*/\1/p" "$source/pythondeps.toml" | head -1)")
    done
    /usr/bin/python3 -m venv "$source/wheels"
    mkdir -p "$source/python/wheels"
    "$source/wheels/bin/pip" download --quiet --disable-pip-version-check --no-deps -d "$source/python/wheels" "${packages[@]}"
}

compile() {
    unpack
    fetch_wheels
    mkdir "$source/build"
    cd "$source/build"
    ../configure --python=/usr/bin/python3 --target-list=aarch64-softmmu --without-default-features --enable-system --enable-tcg \
        --enable-fdt=system --enable-pixman --enable-trace-backends=log --without-default-devices \
        --with-devices-aarch64=raspi --disable-docs --disable-tools --disable-install-blobs --disable-debug-info
    # Its lines are the progress that `step` shows.
    ninja -j"$(nproc)" qemu-system-aarch64
    strip -o "$program.new" qemu-system-aarch64
    mv "$program.new" "$program"
    rm -rf "$source"
}

find_archive() { compgen -G "$CACHE/qemu_$version.*.orig.tar.xz" | sort -V | tail -1; }
archive=$(find_archive || true)
if [ -z "$archive" ]; then
    step 'QEMU source' fetch_source
    archive=$(find_archive)
fi
key=$(fingerprint "${patches[@]}" "$devices" "${BASH_SOURCE[0]}" -- "${archive##*/}")
program=$CACHE/qemu-$key
source=$CACHE/source-qemu
[ -e "$program" ] || step 'QEMU for the boards' compile
echo "$program"
