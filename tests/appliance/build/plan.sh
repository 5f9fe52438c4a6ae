#!/bin/bash
# Says what run.sh is about to do on this host, before anything is installed: which packages, and about how
# long each step takes.
#
# usage: plan.sh vm|nightly|read-only|bench|day-qemu|quick|packages|day
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/packages.sh"

say() { printf 'appliance: %s\n' "$*" >&2; }

wanted=$(missing_packages "$1" | tr '\n' ' ')
if needs_arm64 "$1"; then
    command -v qemu-system-aarch64 >/dev/null || wanted+="qemu-system-arm "
    has_rust_for_arm64 || wanted+="${RUST_PACKAGES[*]} "
fi
if [ -n "$wanted" ]; then
    say "these packages will be installed on this host, with what they need: $wanted"
    say 'apt-get may upgrade installed packages for them; it removes none'
    ! needs_arm64 "$1" || has_rust_for_arm64 || has_arm64 ||
        say 'the architecture arm64 will be added to dpkg (dpkg --add-architecture arm64), for the last of them'
else
    say 'nothing will be installed on this host'
fi
say "everything that is built is kept in $CACHE (about 3 GB), except the programs for User-Mode Linux, which are those of make test"
say 'about how long the steps take on two idle processors, the first time and with that cache:'
case $1 in
quick | packages | day)
    say '  kernel source 1 min, 0; kernel 3 min, 0; base system 1 min, 0; programs 4 min, 0 after make test;'
    say '  image 10 s; tests 1.5 min'
    ;;
*)
    say '  packages 2 min, 0; kernel source 1 min, 0; kernels 6 min, 0; base system 3 min, 0;'
    say '  programs 5 min, up to 2.5 min; image 10 s; tests (make appliance) 10 min'
    ;;
esac
