FILESEXTRAPATHS:prepend:chess-clock-os := "${THISDIR}/files:"

SRC_URI:append:rpi:chess-clock-os = " file://slots.cfg"
