#!/bin/sh
# All checks of `make test`, the quickest first. At the end it prints how long each step took; docs/testing.md has the
# budget of each.
set -eu

took=''
# `step NAME COMMAND…` runs one step and notes how long it took.
step() {
    name=$1
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    begun=$(date +%s)
    "$@"
    took="$took$(printf '%5s s  %s' $(($(date +%s) - begun)) "$name")
"
}

# Each crate of the programs has an accepted licence and a text of it, and the notices are those of Cargo.lock.
notices() {
    python3 -B release/notices.py --check
    python3 -B -m unittest discover -s release
    # Every file that names the version names the same one.
    python3 -B release/versions.py >/dev/null
}

format() {
    cargo fmt --all --check
    # Separate workspaces, which only `make fuzz` and `make bench-slint` build.
    cargo fmt --manifest-path tests/fuzz/libfuzzer/Cargo.toml --check
    cargo fmt --manifest-path tests/slint_face/Cargo.toml --check
}

fetch() {
    cargo fetch --locked
    cargo fetch --locked --manifest-path tests/fuzz/libfuzzer/Cargo.toml
}

lints() {
    cargo clippy --locked --workspace --all-targets -- -D warnings
    # The engine without its feature `text` needs no allocator.
    cargo clippy --locked -p clock-engine --no-default-features -- -D warnings
}

# The end-to-end tests run the built programs. The examples are built with them because they need the dependencies of
# tests, so that cargo enables the same features in both runs; without them it would build most dependencies twice.
build() {
    cargo build --locked --workspace --bins --examples
    cargo test --locked --workspace --tests --no-run
}

step format format
step 'D-Bus reference' python3 docs/dbus-reference.py --check
# What the checks of the layer (`make yocto-check`) can do without a package of their own, in a second.
step 'Yocto layer' bash yocto/check.sh crates files boot_files update_scripts
step download fetch
step 'third-party notices' notices
step lints lints
step build build
# Most tests of the programs wait: for the length of a press, or for a program that they have started.
RUST_TEST_THREADS=4 step tests cargo test --locked --workspace --tests
step 'documentation tests' cargo test --locked --workspace --doc
RUSTDOCFLAGS='-D warnings' step documentation cargo doc --locked --workspace --no-deps
printf '\nAll checks passed. Each step took:\n%s' "$took"
