FILESEXTRAPATHS:prepend:chess-clock-os := "${CHESS_CLOCK_KERNEL}:"

SRC_URI:append:chess-clock-os = " file://clock.cfg file://qemu.cfg"

require recipes-kernel/linux/check-configuration.inc
