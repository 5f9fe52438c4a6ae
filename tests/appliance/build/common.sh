# What every step of the appliance's build shares. Sourced by bash with `set -euo pipefail` on.

APPLIANCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TREE=$(cd "$APPLIANCE/../.." && pwd)
# Outside the tree, so that a clean checkout finds it again; each entry is named by the hash of
# what it was made from, and an entry that is there is whole.
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/chess-clock/appliance
# The release the appliance is built from, whatever the host runs.
SUITE=trixie
mkdir -p "$CACHE"

fail() {
    printf 'appliance: %s\n' "$@" >&2
    exit 2
}

# A hash of files and words: `fingerprint FILE… -- WORD…`.
fingerprint() {
    local files=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    { cat "${files[@]}" && printf '%s\n' "$@"; } | sha256sum | cut -c 1-16
}

# The Debian mirror and keyring this host itself uses: no other host is asked.
mirror() {
    local sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources)
    # Hardly a host has all of these.
    { cat "${sources[@]}" 2>/dev/null || true; } |
        sed -nE 's#^(URIs:|deb( \[[^]]*\])?) *([a-z]+://[^ ]*/debian)/?( .*)?$#\3#p' | head -1
}

# apt-get and apt-cache with another suite's lists, leaving the host's own alone:
# `other_apt SUITE apt-get download …`.
other_apt() {
    local suite=$1 tool=$2 view=$CACHE/apt-$1 uri
    shift 2
    uri=$(mirror)
    [ -n "$uri" ] || fail 'no Debian mirror in /etc/apt: this build needs a Debian host'
    mkdir -p "$view/lists/partial" "$view/cache/archives/partial"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
        "$uri" "$suite" >"$view/sources.list"
    "$tool" -o Dir::Etc::sourcelist="$view/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$view/lists" -o Dir::Cache="$view/cache" "$@"
}

# Says what it does and how long it took; what a step printed is shown only when it fails.
# `step NAME COMMAND…`; the log is kept beside the cache.
step() {
    local name=${1% } begun=$SECONDS log status
    shift
    log=$CACHE/log-${name// /-}.txt
    printf 'appliance: %s …\n' "$name" >&2
    # Not as a condition: bash would go on after a command that fails.
    set +e
    (set -euo pipefail; "$@") >"$log" 2>&1
    status=$?
    set -e
    if [ $status != 0 ]; then
        tail -40 "$log" >&2
        fail "$name failed; the whole log: $log"
    fi
    printf 'appliance: %s: %s s\n' "$name" $((SECONDS - begun)) >&2
}
