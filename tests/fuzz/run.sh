#!/bin/sh
# Fuzzes each target for some time, one after the other, and prints the result of each.
#
# usage: sh tests/fuzz/run.sh SECONDS [TARGET]…    fuzz; new inputs go to target/fuzz/corpus
#        sh tests/fuzz/run.sh keep [TARGET]…       store in tests/fuzz/corpus the inputs that execute new code
#
# FUZZ_TOOLCHAIN names the toolchain. The default is nightly, or stable if rustup has no nightly. Only a
# nightly toolchain can build with the address sanitizer.
set -eu

cd "$(dirname "$0")/../.."
. tests/tools.sh
PATH="$FUZZ_TOOLS/bin:$PATH"

what=${1:?SECONDS or keep}
shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/libfuzzer/fuzz_targets | sed 's/\.rs$//')

if [ -z "${FUZZ_TOOLCHAIN-}" ]; then
    FUZZ_TOOLCHAIN=stable
    ! rustup run nightly rustc --version >/dev/null 2>&1 || FUZZ_TOOLCHAIN=nightly
fi
case "$FUZZ_TOOLCHAIN" in
nightly*) sanitizer=address ;;
*) sanitizer=none ;;
esac
# Without rustup the only toolchain is used.
choice=''
! command -v rustup >/dev/null || choice="+$FUZZ_TOOLCHAIN"

fuzz() { # command target [argument]…
    command=$1
    shift
    cargo $choice fuzz "$command" --fuzz-dir tests/fuzz/libfuzzer --target-dir target/fuzz \
        --sanitizer "$sanitizer" "$@"
}

corpus() { # unpack|pack target folder
    cargo run --quiet --locked -p clock-fuzz --example fuzz-corpus -- \
        "$1" "tests/fuzz/corpus/$2.txt" "$3"
}

count() { # folder
    find "$1" -type f | wc -l
}

echo "fuzz: building with the $FUZZ_TOOLCHAIN toolchain, sanitizer: $sanitizer"
fuzz build

failed=''
summary=''
for target in "$@"; do
    new=target/fuzz/corpus/$target
    mkdir -p "$new"
    if [ "$what" = keep ]; then
        # The corpus is copied first, because fuzzing may go on meanwhile and replace inputs by
        # shorter ones.
        all=$(mktemp -d)
        corpus unpack "$target" "$all"
        find "$new" -type f -exec cp -t "$all" {} +
        merged=$(mktemp -d)
        # Only the edges of the program count: with the number of passes ten times as many inputs
        # would be kept.
        fuzz run "$target" "$merged" "$all" -- -set_cover_merge=1 -use_counters=0
        corpus pack "$target" "$merged"
        summary="$summary$target: $(count "$merged") inputs kept
"
        rm -r "$all" "$merged"
        continue
    fi
    kept=target/fuzz/kept/$target
    rm -rf "$kept"
    corpus unpack "$target" "$kept"
    named=tests/fuzz/named/$target
    [ -d "$named" ] || named=''
    dictionary=tests/fuzz/dictionaries/$target.dict
    [ -e "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=''
    log=target/fuzz/$target.log
    printf '\n== %s for %s s, log in %s\n' "$target" "$what" "$log"
    # A slow input is a fault too: no line and no command may take a second, let alone ten.
    fuzz run "$target" "$new" "$kept" $named -- "-max_total_time=$what" -max_len=1024 -timeout=10 \
        -print_final_stats=1 $dictionary >"$log" 2>&1 && crash=none || {
        crash=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        crash=${crash:-"see $log"}
        failed="$failed $target"
    }
    stat() {
        sed -n "s/^stat::$1: *//p" "$log" | tail -n 1
    }
    line="$target: $(stat number_of_executed_units) executions, $(stat average_exec_per_sec)/s,"
    line="$line corpus $(count "$kept") kept and $(count "$new") new, crashes: $crash"
    echo "$line"
    summary="$summary$line
"
done

printf '\n%s' "$summary"
[ -z "$failed" ] || {
    echo "fuzz: failed:$failed" >&2
    exit 1
}
