# Functions and paths that all steps of the appliance's build use. Sourced by bash with `set -euo pipefail` on.

APPLIANCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TREE=$(cd "$APPLIANCE/../.." && pwd)
# The cache is outside the tree, so that a clean checkout finds it again. Each entry is named by the hash
# of what it was made from, and is put there only when it is complete.
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/chess-clock/appliance
# The Debian release that the appliance is built from, which may differ from the host's.
SUITE=trixie
mkdir -p "$CACHE"

fail() {
    printf 'appliance: %s\n' "$@" >&2
    exit 2
}

# Waits until no other run uses the cache, and keeps it until this program ends: runs share what they build.
lock_cache() {
    exec 9>"$CACHE/lock"
    flock --nonblock 9 && return
    echo 'appliance: another run uses the cache; this one waits for its end' >&2
    flock 9
}

# Prints a hash of files and words: `fingerprint FILE… -- WORD…`.
fingerprint() {
    local files=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    { cat "${files[@]}" && printf '%s\n' "$@"; } | sha256sum | cut -c 1-16
}

# Prints the Debian mirror that this host itself uses. No other one is contacted.
mirror() {
    local sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources)
    # Few hosts have all of these files.
    { cat "${sources[@]}" 2>/dev/null || true; } |
        sed -nE 's#^(URIs:|deb( \[[^]]*\])?) *([a-z]+://[^ ]*/debian)/?( .*)?$#\3#p' | head -1
}

# Runs apt-get or apt-cache with the lists of another suite, and leaves the host's own lists alone:
# `other_apt SUITE apt-get download …`. With APT_TYPE=deb-src they are those of the source packages.
other_apt() {
    local suite=$1 tool=$2 type=${APT_TYPE:-deb} view uri
    view=$CACHE/apt-$suite${APT_TYPE:+-$APT_TYPE}
    shift 2
    uri=$(mirror)
    [ -n "$uri" ] || fail 'no Debian mirror in /etc/apt: this build needs a Debian host'
    mkdir -p "$view/lists/partial" "$view/cache/archives/partial"
    printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
        "$type" "$uri" "$suite" >"$view/sources.list"
    "$tool" -o Dir::Etc::sourcelist="$view/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$view/lists" -o Dir::Cache="$view/cache" "$@"
}

# Prints how far a step has come, every 30 s, until it is killed: `show_progress NAME LOG`.
show_progress() {
    local begun=$SECONDS never
    # A read of a pipe that nobody writes to: a `sleep` would outlive this function when it is killed.
    exec {never}<> <(:)
    while ! read -rt 30 -u "$never"; do
        printf 'appliance: %s: %s s so far, %s lines of log, the last one: %s\n' "$1" \
            $((SECONDS - begun)) "$(wc -l <"$2")" "$(tail -n 1 "$2" | cut -c 1-60)" >&2
    done
}

# `step NAME COMMAND…` runs a step, and prints its name, every 30 s how far it has come, and how long it
# took. Its output goes to a log in the cache, and is shown only if the step fails.
step() {
    local name=${1% } begun=$SECONDS log status progress
    shift
    log=$CACHE/log-${name// /-}.txt
    printf 'appliance: %s …\n' "$name" >&2
    : >"$log"
    show_progress "$name" "$log" &
    progress=$!
    # If this were a condition, bash would ignore `set -e` inside it.
    set +e
    (set -euo pipefail; "$@") >"$log" 2>&1
    status=$?
    set -e
    kill $progress
    wait $progress 2>/dev/null || true
    if [ $status != 0 ]; then
        tail -40 "$log" >&2
        fail "$name failed; the whole log: $log"
    fi
    printf 'appliance: %s: %s s\n' "$name" $((SECONDS - begun)) >&2
}
