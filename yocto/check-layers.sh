#!/bin/bash
# Resolves each file of kas for a board with clones of the layers, and lets bitbake parse all recipes and go through the tasks of
# the images and the update without running them. It needs no network. It is `yocto/check.sh layers`.
#
# bitbake needs some tools of the host and the locale en_US.UTF-8, and names those that are missing. It refuses to run as
# root, so root runs it as the user `nobody`.
#
# usage: [BOARDS="pi-4 pi-5"] yocto/check-layers.sh FOLDER
#
# FOLDER: has clones named bitbake, openembedded-core, meta-raspberrypi and meta-rauc. BOARDS: without it, all four.
set -euo pipefail

LAYERS=$(cd "$1" && pwd)
TREE=$(cd "$(dirname "$0")/.." && pwd)
. "$TREE/tests/tools.sh"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# The recipe builds a commit, and the user who runs bitbake must be able to read it. The layer is that of the tree.
git clone --quiet --depth 1 "file://$TREE" "$WORK/chess-clock"
rm -rf "$WORK/chess-clock/yocto"
cp -r "$TREE/yocto" "$WORK/chess-clock"

# kas clones from the folder in place of the addresses that its files name.
for layer in bitbake openembedded-core meta-raspberrypi meta-rauc; do
    url=$(sed -n "s#^ *url: \(.*/$layer\)\$#\1#p" "$TREE"/yocto/kas/*.yml)
    printf '[url "file://%s"]\n    insteadOf = %s\n' "$LAYERS/$layer" "$url"
done >"$WORK/gitconfig"
printf '[safe]\n    directory = *\n[uploadpack]\n    allowAnySHA1InWant = true\n' >>"$WORK/gitconfig"

cat >"$WORK/chess-clock/yocto/kas/offline.yml" <<'END'
header:
  version: 20
local_conf_header:
  offline: |
    BB_NO_NETWORK = "1"
    BB_HASHSERVE = ""
    BB_SIGNATURE_HANDLER = "OEBasicHash"
    INHERIT_DISTRO:remove = "uninative"
END

user=()
if [ "$(id -u)" = 0 ]; then
    # The tools of kas are in root's cache, which others cannot read.
    cp -r "$YOCTO_TOOLS" "$WORK/tools"
    chown -R nobody: "$WORK"
    user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    tools=$WORK/tools
else
    tools=$YOCTO_TOOLS
fi

for board in ${BOARDS:-pi-zero-2 pi-4 pi-5 qemuarm64}; do
    targets='chess-clock-image chess-clock-image-dev'
    [ "$board" = qemuarm64 ] || targets="$targets chess-clock-bundle"
    begun=$SECONDS
    (cd "$WORK" && "${user[@]}" env -i HOME="$WORK" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=en_US.UTF-8 KAS_WORK_DIR="$WORK" \
        KAS_CLONE_DEPTH=1 GITCONFIG_FILE="$WORK/gitconfig" SHELL=/bin/bash \
        "$tools/bin/python" -m kas shell "chess-clock/yocto/kas/$board.yml:chess-clock/yocto/kas/offline.yml" \
        -c "bitbake -n $targets && bitbake -e chess-clock-image >$WORK/variables") >"$WORK/log" 2>&1 || {
        grep -E 'ERROR|Nothing|error:|Please' "$WORK/log" >&2 || tail -n 30 "$WORK/log" >&2
        echo "yocto-check: bitbake -n $targets fails for $board" >&2
        exit 1
    }
    ! grep 'WARNING: ' "$WORK/log" >&2 || { echo "yocto-check: warnings for $board" >&2; exit 1; }
    grep -qx 'VIRTUAL-RUNTIME_base-utils-syslog=""' "$WORK/variables" || {
        echo "yocto-check: the image for $board has a second log beside the journal" >&2
        exit 1
    }
    # The one that is run last makes the link.
    grep -qE '^ROOTFS_POSTPROCESS_COMMAND=".* set_systemd_default_target .* start_clock_first\b' "$WORK/variables" || {
        echo "yocto-check: the default target of the image for $board is not chess-clock-first.target:" >&2
        grep '^ROOTFS_POSTPROCESS_COMMAND=' "$WORK/variables" >&2
        exit 1
    }
    printf 'yocto-check: %-10s %4s s\n' "$board" $((SECONDS - begun))
done
