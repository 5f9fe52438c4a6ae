# The packages that the host needs. Sourced after common.sh.

COMMON_PACKAGES=(
    bc bison flex gcc make libelf-dev libssl-dev rsync xz-utils # the kernel
    e2fsprogs mmdebstrap debian-archive-keyring                 # the root file system
    python3                                                     # the driver
)
# Not for User-Mode Linux, which runs programs of the host's own architecture.
ARM64_PACKAGES=(
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross # the kernel and the programs for arm64
    qemu-user-static binfmt-support arch-test   # the scripts of arm64 packages run on the host
)
# Only for the card of a Raspberry Pi, whose file systems are made without mounts.
CARD_PACKAGES=(cpio device-tree-compiler dosfstools fdisk kmod mtools xz-utils zstd)
# Only for the QEMU of the check of that card.
QEMU_PACKAGES=(libfdt-dev libglib2.0-dev libpixman-1-dev ninja-build patch pkg-config python3-venv zlib1g-dev)
# Debian's own Rust, for its standard library of the other architecture.
RUST_PACKAGES=(rustc-web cargo-web libstd-rust-web-dev libstd-rust-web-dev:arm64)

# Prints the packages of a mode of run.sh that are not installed: `missing_packages MODE`.
missing_packages() {
    local package packages=("${COMMON_PACKAGES[@]}")
    ! needs_arm64 "$1" || packages+=("${ARM64_PACKAGES[@]}")
    [[ $1 != sd-image* ]] || packages+=("${CARD_PACKAGES[@]}")
    [ "$1" != sd-image-check ] || packages+=("${QEMU_PACKAGES[@]}")
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
            echo "$package"
    done
}

# Three of the others run User-Mode Linux, and one a card that is complete.
needs_arm64() { [ "$1" != quick ] && [ "$1" != packages ] && [ "$1" != day ] && [ "$1" != sd-image-check ]; }

has_rust_for_arm64() { [ -d /usr/lib/rustlib/aarch64-unknown-linux-gnu ]; }

has_arm64() { dpkg --print-foreign-architectures | grep -qx arm64; }
