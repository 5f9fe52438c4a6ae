#!/bin/bash
# Builds the appliance's kernel from Debian's source package, unless it is in the cache. Prints the
# file's name.
#
# usage: kernel.sh arm64|um [FRAGMENT]     FRAGMENT: a file of kernel/ that changes the usual kernel
set -euo pipefail
. "$(dirname "$0")/common.sh"

arch=$1 variant=${2:-}
package=linux-source-6.12

case $arch in
arm64) cross=aarch64-linux-gnu- image=arch/arm64/boot/Image ;;
um) cross='' image=linux ;;
*) fail "no kernel for $arch; there is one for arm64 and for um" ;;
esac

# The source package as it was when it was first wanted.
fetch_source() {
    other_apt $SUITE apt-get update
    (cd "$CACHE" && other_apt $SUITE apt-get download $package)
}

unpack_source() {
    rm -rf "$CACHE/source.new"
    mkdir "$CACHE/source.new"
    dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/$package.tar.xz" |
        tar -C "$CACHE/source.new" --strip-components 1 -xJ
    mv "$CACHE/source.new" "$source"
}

# Every line of the fragments must be in the configuration that came of them.
configure() {
    mkdir -p "$objects"
    cat "${fragments[@]}" >"$objects/wanted.config"
    make -s -C "$source" O="$objects" ARCH="$arch" CROSS_COMPILE="$cross" \
        KCONFIG_ALLCONFIG="$objects/wanted.config" allnoconfig
    local line name refused=''
    while read -r line; do
        case $line in
        '# CONFIG_'*)
            name=${line#\# }
            ! grep -q "^${name%% *}=" "$objects/.config" || refused+="  $line"$'\n'
            ;;
        CONFIG_*)
            name=${line%%=*}
            # A later fragment may take back what an earlier one says.
            grep -qxF "# $name is not set" "$objects/wanted.config" ||
                grep -qxF "$line" "$objects/.config" || refused+="  $line"$'\n'
            ;;
        esac
    done <"$objects/wanted.config"
    [ -z "$refused" ] || fail "the kernel's configuration does not take:" "$refused"
}

# User-Mode Linux saves a process's registers in 2,696 bytes. A processor with AMX has 11,008 bytes of
# them, and its host refuses a part of them ("ptrace set fp regs failed, errno = 14").
enlarge_registers() {
    sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 12288)/' \
        "$source/arch/x86/um/user-offsets.c"
    grep -q 'HOST_FP_SIZE, 12288' "$source/arch/x86/um/user-offsets.c"
}

# A task that ends waits in a loop for one that removes the same entries of /proc from memory. Where computing takes no time, the
# scheduler never runs that other task, and both wait for ever. So each round of the loop takes 1 µs.
let_time_pass() {
    local file=$source/fs/dcache.c round='#ifdef CONFIG_UML\n\t\tif (data.found)\n\t\t\ttime_travel_ndelay(1000);\n#endif'
    grep -q time_travel_ndelay "$file" ||
        sed -i "/^void shrink_dcache_parent/,/^}/s/^\t\tcond_resched();\$/$round\n&/" "$file"
    grep -q time_travel_ndelay "$file"
}

compile() {
    if [ "$arch" = um ]; then
        enlarge_registers
        let_time_pass
    fi
    configure
    # Of another configuration, it must not be taken for this one's.
    rm -f "$objects/$image"
    # Not silent: the lines of the log are the progress that `step` shows.
    make -C "$source" O="$objects" ARCH="$arch" CROSS_COMPILE="$cross" -j"$(nproc)" "${image##*/}"
    cp "$objects/$image" "$kernel.new"
    mv "$kernel.new" "$kernel"
}

have_source() { compgen -G "$CACHE/${package}_*.deb" >/dev/null; }
have_source || step 'kernel source' fetch_source
deb=$(compgen -G "$CACHE/${package}_*.deb" | sort -V | tail -1)
fragments=("$APPLIANCE/kernel/common.config" "$APPLIANCE/kernel/$arch.config")
[ -z "$variant" ] || fragments+=("$APPLIANCE/kernel/$variant.config")
key=$(fingerprint "${fragments[@]}" "${BASH_SOURCE[0]}" -- "${deb##*/}")
kernel=$CACHE/kernel-$arch${variant:+-$variant}-$key
source=$CACHE/source-$(fingerprint -- "${deb##*/}")
# Shared by a kernel and its variant, so that the second is built in a fraction of the time.
objects=$CACHE/objects-$arch

if ! [ -e "$kernel" ]; then
    [ -e "$source/Makefile" ] || step 'unpacking the kernel source' unpack_source
    step "kernel $arch $variant" compile
fi
echo "$kernel"
