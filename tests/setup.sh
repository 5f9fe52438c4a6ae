#!/bin/sh
# Installs what one of the commands of the Makefile needs and this machine does not have, and says what it installs. If it
# may not install it, it prints the command to run and exits with 2.
# For Debian, Ubuntu and Raspberry Pi OS with a Rust toolchain.
#
# usage: sh tests/setup.sh demo|test|live-boards|audit|fuzz|reference|deb|release|yocto
set -eu

. "$(dirname "$0")/tools.sh"

fail() {
    printf '%s\n' "$@" >&2
    exit 2
}

# The Rust that the workspace needs, and the one that is here: `1.94`, and `1.95.0` or nothing.
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
found=$(cargo --version 2>/dev/null | cut -d ' ' -f 2) || found=''
if [ "$(printf '%s\n' "$wanted" "${found:-0}" | sort -V | head -n 1)" != "$wanted" ]; then
    fail "setup: Rust $wanted or newer is needed, and cargo is ${found:-missing}. On Debian 13, Ubuntu or Raspberry Pi OS, run these" \
        'two commands, then try again:' '    sudo apt-get install rustup' '    rustup default stable'
fi

# The Debian packages of the missing commands.
missing=''
need() { # command package
    command -v "$1" >/dev/null || missing="$missing $2"
}
need cc gcc
# gcc does not depend on libc's headers and startup files, but linking needs them.
[ -e /usr/include/stdlib.h ] || missing="$missing libc6-dev"
if ! command -v dbus-daemon >/dev/null; then
    # Since Debian 12 and Ubuntu 23.04, the daemon has a package of its own.
    if apt-cache show dbus-daemon >/dev/null 2>&1; then
        missing="$missing dbus-daemon"
    else
        missing="$missing dbus"
    fi
fi
if [ "$1" = test ]; then
    need gdbus libglib2.0-bin
    need dbus-broker-launch dbus-broker
    need unshare util-linux
    # Rates the sandboxes of the units.
    need systemd-analyze systemd
    # `clockctl -H` is tested with a real server. systemd-stdio-bridge is part of systemd.
    need ssh-keygen openssh-client
    [ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
    # The completion of the command line is tested in the shells (7 MB to download).
    need zsh zsh
    need fish fish
    # The manual pages are read with each of these.
    need groff groff-base
    need man man-db
    need mandoc mandoc
    # Sticks with a FAT file system, to which a backup is written.
    [ -x /usr/sbin/mkfs.vfat ] || missing="$missing dosfstools"
fi
if [ "$1" = test ] || [ "$1" = reference ]; then
    # A Python program, so Python is installed with it.
    need gdbus-codegen libglib2.0-dev-bin
fi
if [ "$1" = test ]; then
    # Debian splits it from Python. An ensurepip without its wheels cannot be imported.
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "$1" = fuzz ]; then
    need c++ g++
fi
if [ "$1" = deb ] || [ "$1" = release ]; then
    need dpkg-buildpackage dpkg-dev
    need dh debhelper
    need lintian lintian
    need git git
fi
if [ "$1" = release ] || [ "$1" = test ]; then
    # The card of a release.
    need zstd zstd
fi
if [ "$1" = release ]; then
    # Reads the programs of the card.
    [ -x /usr/sbin/debugfs ] || missing="$missing e2fsprogs"
    # `make release-check` builds with another time of day.
    need faketime faketime
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "$1" = yocto ]; then
    # The kernel's configuration; its source is a package of Debian.
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
    need bison bison
    need flex flex
    need make make
    need xz xz-utils
    need mksquashfs squashfs-tools
    need openssl openssl
    need rauc rauc
    # U-Boot's environment, which RAUC and the script of the slots share.
    need fw_printenv libubootenv-tool
    [ -x /usr/sbin/mkfs.ext4 ] || missing="$missing e2fsprogs"
    # The units of the three, with which the start of the image is planned.
    need systemd-analyze systemd
    need udevadm udev
    [ -e /usr/lib/systemd/system/dbus.service ] || missing="$missing dbus"
    need ssh-keygen openssh-client
    [ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
    /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "$1" = live-boards ]; then
    # /usr/sbin is not in every user's PATH.
    [ -x /usr/sbin/mosquitto ] || missing="$missing mosquitto"
    need mosquitto_pub mosquitto-clients
    need openssl openssl
    need chromium-headless-shell chromium-headless-shell
    [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || missing="$missing fonts-dejavu-core"
    need npm npm
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi

if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || fail "setup: no apt-get here; install by hand:$missing"
    install="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" = 0 ]; then
        sudo=''
    elif sudo -n true 2>/dev/null; then
        sudo='sudo '
    else
        fail "setup: missing:$missing. Run this, then try again:" "    sudo apt-get update && sudo $install"
    fi
    echo "setup: installing missing packages: ${sudo}$install"
    # An old or missing package list is the usual reason for a failure.
    ${sudo}env DEBIAN_FRONTEND=noninteractive $install >/dev/null 2>&1 || {
        ${sudo}apt-get update >/dev/null
        ${sudo}env DEBIAN_FRONTEND=noninteractive $install >/dev/null
    }
    case "$missing" in
    *' dbus-broker'*)
        # The package makes it the bus of this machine from the next boot on. The tests only run the program.
        echo 'setup: dbus-broker is not enabled as the bus of this machine'
        ${sudo}systemctl --quiet disable dbus-broker.service
        ${sudo}systemctl --quiet --global disable dbus-broker.service
        ;;
    esac
fi

if [ "$1" = fuzz ] && ! [ -x "$FUZZ_TOOLS/bin/cargo-fuzz" ]; then
    echo "setup: building cargo-fuzz $CARGO_FUZZ_VERSION into $FUZZ_TOOLS (once)"
    cargo install --debug --locked --quiet cargo-fuzz --version "$CARGO_FUZZ_VERSION" --root "$FUZZ_TOOLS"
fi

if [ "$1" = audit ] && ! [ -x "$CARGO_DENY" ]; then
    echo "setup: building cargo-deny $CARGO_DENY_VERSION into $TOOLS (some minutes, once)"
    # A debug build: building it takes far longer than running it.
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --debug --locked --quiet cargo-deny --version "$CARGO_DENY_VERSION" --root "$TOOLS"
fi

if [ "$1" = yocto ] && ! [ -e "$YOCTO_TOOLS/complete" ]; then
    echo "setup: installing oelint-adv $OELINT_VERSION and kas $KAS_VERSION into $YOCTO_TOOLS (once)"
    rm -rf "$YOCTO_TOOLS"
    # Debian's Python, which every user can run: bitbake does not run as root.
    /usr/bin/python3 -m venv "$YOCTO_TOOLS"
    "$YOCTO_TOOLS/bin/pip" install --quiet --disable-pip-version-check "oelint-adv==$OELINT_VERSION" "kas==$KAS_VERSION"
    touch "$YOCTO_TOOLS/complete"
fi

if [ "$1" = release ] && ! [ -e "$RELEASE_TOOLS/complete" ]; then
    echo "setup: installing cyclonedx-python-lib $CYCLONEDX_VERSION into $RELEASE_TOOLS (once)"
    rm -rf "$RELEASE_TOOLS"
    python3 -m venv "$RELEASE_TOOLS"
    "$RELEASE_TOOLS/bin/pip" install --quiet --disable-pip-version-check "cyclonedx-python-lib[json-validation]==$CYCLONEDX_VERSION"
    touch "$RELEASE_TOOLS/complete"
fi

if [ "$1" = live-boards ]; then
    # The libraries of the programs in examples/.
    examples=$(dirname "$0")/../target/examples
    if [ "$(cat "$examples/versions" 2>/dev/null)" != "$DBUS_FAST_VERSION $DBUS_NEXT_VERSION" ]; then
        echo "setup: installing dbus-fast $DBUS_FAST_VERSION and @jellybrick/dbus-next $DBUS_NEXT_VERSION into target/examples"
        rm -rf "$examples"
        mkdir -p "$examples/javascript"
        python3 -m venv "$examples/python"
        "$examples/python/bin/pip" install --quiet --disable-pip-version-check "dbus-fast==$DBUS_FAST_VERSION"
        npm install --silent --no-audit --no-fund --prefix "$examples/javascript" "@jellybrick/dbus-next@$DBUS_NEXT_VERSION"
        echo "$DBUS_FAST_VERSION $DBUS_NEXT_VERSION" > "$examples/versions"
    fi
fi

[ "$1" = test ] || exit 0

for component in fmt clippy; do
    cargo $component --version >/dev/null 2>&1 && continue
    package=$component
    [ $component = fmt ] && package=rustfmt
    command -v rustup >/dev/null ||
        fail "setup: no cargo $component: install your distribution's package for it ($package)."
    echo "setup: rustup component add $package"
    rustup component add $package
done

# The reader of PGN that the tests of `clockctl export` compare with, and the validator of JSON Schemas for its JSON. The
# validator is a Python package, because the Rust crate would add some sixty crates to every build of the tests.
python=$(dirname "$0")/../target/python
installed() {
    "$python/bin/python" -c "
from importlib.metadata import version
assert version('chess') == '$PYTHON_CHESS_VERSION' and version('jsonschema') == '$JSONSCHEMA_VERSION'" 2>/dev/null
}
if ! installed; then
    echo "setup: installing python-chess $PYTHON_CHESS_VERSION and jsonschema $JSONSCHEMA_VERSION into target/python"
    rm -rf "$python"
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check "chess==$PYTHON_CHESS_VERSION" "jsonschema==$JSONSCHEMA_VERSION"
fi
