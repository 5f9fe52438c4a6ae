#!/bin/sh
# All checks of `make test`, the quickest first.
set -eu

. "$(dirname "$0")/tools.sh"

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

step cargo fmt --all --check
# A separate workspace, which only `make fuzz` builds.
step cargo fmt --manifest-path tests/fuzz/libfuzzer/Cargo.toml --check
# Another one, which only `make bench-slint` builds.
step cargo fmt --manifest-path tests/slint_face/Cargo.toml --check
step python3 docs/dbus-reference.py --check
step cargo fetch --locked
step cargo fetch --locked --manifest-path tests/fuzz/libfuzzer/Cargo.toml
step cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# The engine without its feature `text` needs no allocator.
step cargo clippy --locked -p clock-engine --no-default-features -- -D warnings
# The end-to-end tests run the built programs.
step cargo build --locked --workspace --bins
step cargo test --locked --workspace --all-features --all-targets
step cargo test --locked --workspace --all-features --doc
RUSTDOCFLAGS='-D warnings' step cargo doc --locked --workspace --all-features --no-deps
step "$CARGO_DENY" --offline check bans licenses sources
printf '\nAll checks passed.\n'
