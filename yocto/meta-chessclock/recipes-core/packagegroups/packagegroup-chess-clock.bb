SUMMARY = "All that a chess clock runs"
DESCRIPTION = "The programs of the clock, the settings of its system, the time service, the time zones, and a board's wireless network."

inherit packagegroup

# chess-clock-doc has the documents that --help names, and the licences of the crates in the programs.
# clockctl works on a clock over SSH through systemd-stdio-bridge, which is one of the extra tools of systemd.
RDEPENDS:${PN} = " \
    chess-clock \
    chess-clock-doc \
    chess-clock-first \
    chess-clock-system \
    chrony \
    systemd-extra-utils \
    tzdata \
"
# The packages of rpidistro have the firmware of all radios, and of these two as well, but need a licence.
CHESS_CLOCK_RADIOS = "${@bb.utils.contains('LICENSE_FLAGS_ACCEPTED', 'synaptics-killswitch', \
    'rpidistro-bcm43430 rpidistro-bcm43436 rpidistro-bcm43436s rpidistro-bcm43455 rpidistro-bcm43456', \
    'bcm43430 bcm43455', d)}"
# The kernel is in the root, so that an update brings both, and goes back with both. The device tree stays that of the
# firmware's partition: the firmware applies config.txt to it.
RDEPENDS:${PN}:append:rpi = " \
    kernel-image \
    kernel-modules \
    u-boot-env \
    iwd \
    ${@' '.join('linux-firmware-' + radio for radio in d.getVar('CHESS_CLOCK_RADIOS').split())} \
    ${@bb.utils.contains('BBFILE_COLLECTIONS', 'rauc', 'rauc', '', d)} \
"
