#!/bin/sh
# Format, lints and unit tests of the crates that were changed since BASE (without it: since origin/main, or since the
# last commit if there is no such branch). A crate under tests/ is checked for lints only, because its tests run the
# whole product: `cargo test -p CRATE` runs them.
set -eu
cd "$(dirname "$0")/.."

if [ -n "${BASE:-}" ]; then
    base=$(git merge-base HEAD "$BASE")
else
    base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD)
fi
folders=$({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } |
    while read -r file; do
        folder=$(dirname "$file")
        until [ -e "$folder/Cargo.toml" ] || [ "$folder" = . ]; do folder=$(dirname "$folder"); done
        # Several crates read the shipped files.
        case $file in configs/*) folder=configs ;; esac
        printf '%s\n' "$folder"
    done | sort -u)

lints='' tests='' targets='--bins'
for folder in $folders; do
    case $folder in
    . | configs)
        echo 'check: files outside the crates were changed; only `make test` checks what they concern'
        continue
        ;;
    # These are workspaces of their own.
    tests/slint_face | tests/fuzz/libfuzzer) continue ;;
    esac
    crate=$(sed -n 's/^name = "\(.*\)"/\1/p' "$folder/Cargo.toml" | head -n 1)
    lints="$lints -p $crate"
    case $folder in tests | tests/*) continue ;; esac
    tests="$tests -p $crate"
    [ ! -e "$folder/src/lib.rs" ] || targets='--lib --bins'
done

cargo fmt --all --check
[ -n "$lints" ] || { echo 'check: no crate was changed'; exit 0; }
echo "check: lints of$lints"
# The window of the face needs a third of all crates; only `make nightly` builds it.
case $lints in *clock-display*) features='' ;; *) features=--all-features ;; esac
# shellcheck disable=SC2086  # lists of options
cargo clippy --locked $lints --all-targets $features -- -D warnings
# shellcheck disable=SC2086
[ -z "$tests" ] || { echo "check: unit tests of$tests"; cargo test --locked $tests $features $targets; }
