#!/bin/sh
# Checks licences and sources of the dependencies, and whether they have known vulnerabilities. The database of these is
# fetched first. If it cannot be reached, the script says so and succeeds.
set -eu

. "$(dirname "$0")/tools.sh"

cargo fetch --locked
"$CARGO_DENY" --offline check bans licenses sources

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$CARGO_DENY" fetch db >"$log" 2>&1; then
    "$CARGO_DENY" check advisories
else
    tail -n 3 "$log" >&2
    echo 'advisories: not checked: their database cannot be reached from here'
fi
