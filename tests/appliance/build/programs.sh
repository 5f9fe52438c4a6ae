#!/bin/bash
# Builds the release programs and those of the tests for a machine. Prints their folder.
#
# usage: programs.sh arm64|amd64
set -euo pipefail
. "$(dirname "$0")/common.sh"

arch=$1
# In the cache, so that the dependencies are not built again for every checkout. Its own crates are: cargo compares
# only the dates of files, and would take what another checkout built for this one's.
export CARGO_TARGET_DIR=$CACHE/target-$arch
case $arch in
arm64)
    target=aarch64-unknown-linux-gnu
    # Debian packages the standard library for arm64 with its own Rust.
    export PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc
    ;;
amd64) target=x86_64-unknown-linux-gnu ;;
*) fail "no programs for $arch; there are some for arm64 and for amd64" ;;
esac

build() {
    cd "$TREE"
    local built_from=$CARGO_TARGET_DIR/checkout
    if [ "$(cat "$built_from" 2>/dev/null)" != "$TREE" ]; then
        local crates
        crates=$(grep -hm 1 '^name = ' {engine,controls,dbus,daemon,daemon/core,ctl,display,tests/{bus,bus_policy,edge_player,guest}}/Cargo.toml |
            sed 's/name = "\(.*\)"/-p \1/')
        # shellcheck disable=SC2086  # a list of options
        cargo clean --release --locked --target $target $crates
        mkdir -p "$CARGO_TARGET_DIR"
        printf '%s\n' "$TREE" >"$built_from"
    fi
    cargo build --release --locked --target $target -p clockd -p clockctl -p clock-display \
        -p edge-player -p clock-guest
}

step "programs $arch" build
echo "$CARGO_TARGET_DIR/$target/release"
