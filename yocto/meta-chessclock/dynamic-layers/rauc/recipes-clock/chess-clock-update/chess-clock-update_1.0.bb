SUMMARY = "Updates of a chess clock: none during a game, and back to the previous system if the clock does not work"
DESCRIPTION = "The handler that RAUC asks before an update, and the health check after the start."
SECTION = "misc"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/MIT;md5=0835ade698e0bcf8506ecda2f7b4f302"
CVE_PRODUCT = ""

SRC_URI = "\
    file://chess-clock-health \
    file://chess-clock-health.service \
    file://chess-clock-update-allowed \
"
S = "${UNPACKDIR}"

inherit allarch systemd

do_install() {
    install -D -m 0755 ${S}/chess-clock-health ${S}/chess-clock-update-allowed -t ${D}${libexecdir}
    install -D -m 0644 ${S}/chess-clock-health.service -t ${D}${systemd_system_unitdir}
}

RDEPENDS:${PN} = "clockctl rauc"

SYSTEMD_SERVICE:${PN} = "chess-clock-health.service"
