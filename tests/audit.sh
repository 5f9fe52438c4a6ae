#!/bin/sh
# Checks the dependencies for known vulnerabilities. The database is fetched first. If it cannot be
# reached, the script says so and succeeds.
set -eu

. "$(dirname "$0")/tools.sh"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$CARGO_DENY" fetch db >"$log" 2>&1; then
    "$CARGO_DENY" check advisories
else
    tail -n 3 "$log" >&2
    echo 'advisories: not checked: their database cannot be reached from here'
fi
