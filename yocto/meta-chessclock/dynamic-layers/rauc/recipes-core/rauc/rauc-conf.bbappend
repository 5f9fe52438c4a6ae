FILESEXTRAPATHS:prepend:chess-clock-os := "${THISDIR}/files:"

# The certificate whose bundles are accepted is the builder's own (CHESS_CLOCK_KEYRING). Without one, an image accepts none.
RAUC_KEYRING_FILE:chess-clock-os = "${@os.path.basename(d.getVar('CHESS_CLOCK_KEYRING')) or 'none.pem'}"
RAUC_KEYRING_URI:chess-clock-os = "file://${@d.getVar('CHESS_CLOCK_KEYRING') or 'none.pem'}"

# A bundle has the kernel and the settings of one board.
do_install:append:chess-clock-os() {
    sed -i -e 's/@MACHINE@/${MACHINE}/; s/@KEYRING@/${RAUC_KEYRING_FILE}/' ${D}${nonarch_libdir}/rauc/system.conf
}
PACKAGE_ARCH:chess-clock-os = "${MACHINE_ARCH}"

RDEPENDS:${PN}:append:chess-clock-os = " chess-clock-update"
