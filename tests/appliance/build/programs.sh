#!/bin/bash
# Builds the programs of the clock and those of the tests for a machine. Prints their folder.
#
# usage: programs.sh arm64|amd64 MODE     MODE: that of run.sh
set -euo pipefail
. "$(dirname "$0")/common.sh"

arch=$1 mode=$2

# In User-Mode Linux computing takes no time of the guest, so the programs of `make test` serve as they are. The same
# options of cargo as there: with others, it would build most dependencies a second time.
build_amd64() {
    cd "$TREE"
    cargo build --locked --workspace --bins --examples
}

# For tests, without link-time optimization, which doubles the time of the build. Benchmarks measure what `make build`
# makes.
case $mode in
bench | day-qemu) profile=release ;;
*) profile=appliance ;;
esac

build_arm64() {
    cd "$TREE"
    # Debian packages the standard library for arm64 with its own Rust.
    export PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    local built_from=$CARGO_TARGET_DIR/checkout-$profile options=(--locked --target aarch64-unknown-linux-gnu --profile "$profile")
    if [ "$(cat "$built_from" 2>/dev/null)" != "$TREE" ]; then
        local crates
        crates=$(cargo metadata --locked --no-deps --format-version 1 |
            python3 -c 'import json, sys; print(*("-p " + package["name"] for package in json.load(sys.stdin)["packages"]))')
        # shellcheck disable=SC2086  # a list of options
        cargo clean "${options[@]}" $crates
        mkdir -p "$CARGO_TARGET_DIR"
        printf '%s\n' "$TREE" >"$built_from"
    fi
    cargo build "${options[@]}" -p clockd -p clockctl -p clock-display \
        -p edge-player -p clock-guest
}

case $arch in
arm64)
    # In the cache, so that the dependencies are not built again for every checkout. Its own crates are: cargo compares
    # only the dates of files, and would take what another checkout built for this one's.
    export CARGO_TARGET_DIR=$CACHE/target-arm64
    folder=$CARGO_TARGET_DIR/aarch64-unknown-linux-gnu/$profile
    ;;
amd64)
    # What root builds in the checkout of another user, that user could not build anew.
    [ "$(stat -c %u "$TREE")" = "$(id -u)" ] || export CARGO_TARGET_DIR=$CACHE/target-amd64
    folder=${CARGO_TARGET_DIR:-$TREE/target}/debug
    ;;
*) fail "no programs for $arch; there are some for arm64 and for amd64" ;;
esac

step "programs $arch" "build_$arch"
echo "$folder"
