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

lints='' tests='' display='' targets='--bins'
for folder in $folders; do
    case $folder in
    . | configs)
        echo 'check: files outside the crates were changed; only `make test` checks what they concern'
        continue
        ;;
    # These are workspaces of their own.
    tests/slint_face | tests/fuzz/libfuzzer) continue ;;
    display)
        display=' -p clock-display'
        continue
        ;;
    esac
    crate=$(sed -n 's/^name = "\(.*\)"/\1/p' "$folder/Cargo.toml" | head -n 1)
    lints="$lints -p $crate"
    case $folder in tests | tests/*) continue ;; esac
    tests="$tests -p $crate"
    [ ! -e "$folder/src/lib.rs" ] || targets='--lib --bins'
done

cargo fmt --all --check
[ -n "$lints$display" ] || { echo 'check: no crate was changed'; exit 0; }

# Checks crates with these features: those to lint, those to test, and the targets with unit tests.
check() {
    [ -n "$2" ] || return 0
    echo "check: lints of$2"
    # shellcheck disable=SC2086  # lists of options
    cargo clippy --locked $2 --all-targets $1 -- -D warnings
    # shellcheck disable=SC2086
    [ -z "$3" ] || { echo "check: unit tests of$3"; cargo test --locked $3 $1 $4; }
}

check --all-features "$lints" "$tests" "$targets"
# The window of the face needs a third of all crates; only `make nightly` builds it.
check '' "$display" "$display" '--lib --bins'
