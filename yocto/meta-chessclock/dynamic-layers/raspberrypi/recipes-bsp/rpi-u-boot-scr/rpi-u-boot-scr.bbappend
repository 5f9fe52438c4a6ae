FILESEXTRAPATHS:prepend:chess-clock-os := "${THISDIR}/files:"
