FILESEXTRAPATHS:prepend:chess-clock-os := "${THISDIR}/base-files:"

dirs755:append:chess-clock-os = " /boot/firmware /data"
