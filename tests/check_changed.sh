#!/bin/sh
# Format, lints and tests of the crates that were changed since BASE (origin/main, or the last commit without a remote).
# A crate under tests/ is checked for lints only, because its tests run the whole product: `cargo test -p CRATE` runs them.
set -eu

base=$(git merge-base HEAD "${BASE:-origin/main}" 2>/dev/null || git rev-parse HEAD)
folders=$({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } |
    while read -r file; do
        folder=$(dirname "$file")
        until [ -e "$folder/Cargo.toml" ] || [ "$folder" = . ]; do folder=$(dirname "$folder"); done
        printf '%s\n' "$folder"
    done | sort -u)

lints='' tests=''
for folder in $folders; do
    # The folder of the workspace is no crate, and these two are workspaces of their own.
    case $folder in . | tests/slint_face | tests/fuzz/libfuzzer) continue ;; esac
    crate=$(sed -n 's/^name = "\(.*\)"/\1/p' "$folder/Cargo.toml" | head -n 1)
    lints="$lints -p $crate"
    case $folder in tests | tests/*) ;; *) tests="$tests -p $crate" ;; esac
done

cargo fmt --all --check
[ -n "$lints" ] || { echo 'check: no crate was changed'; exit 0; }
echo "check: lints of$lints"
# shellcheck disable=SC2086  # lists of options
cargo clippy --locked $lints --all-targets --all-features -- -D warnings
[ -z "$tests" ] || { echo "check: tests of$tests"; cargo test --locked $tests --all-features --lib --bins; }
