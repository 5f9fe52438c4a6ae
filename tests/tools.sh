# The versions of the tools. They are installed outside the tree, so that every checkout can use them.
CARGO_DENY_VERSION=0.20.2
TOOLS="${XDG_CACHE_HOME:-$HOME/.cache}/chess-clock/tools-$CARGO_DENY_VERSION"
CARGO_DENY="$TOOLS/bin/cargo-deny"
CARGO_FUZZ_VERSION=0.13.2
FUZZ_TOOLS="${XDG_CACHE_HOME:-$HOME/.cache}/chess-clock/fuzz-$CARGO_FUZZ_VERSION"
PYTHON_CHESS_VERSION=1.11.2
JSONSCHEMA_VERSION=4.26.0
DBUS_FAST_VERSION=5.2.0
DBUS_NEXT_VERSION=0.11.3
OELINT_VERSION=9.11.2
KAS_VERSION=5.5
YOCTO_TOOLS="${XDG_CACHE_HOME:-$HOME/.cache}/chess-clock/yocto-$OELINT_VERSION-$KAS_VERSION"
