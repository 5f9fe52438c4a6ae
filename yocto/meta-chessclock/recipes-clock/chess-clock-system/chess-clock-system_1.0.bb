SUMMARY = "Settings of the system of a chess clock"
DESCRIPTION = "The folders of the data partition, the server for SSH with keys only, and the arbiter's account."
SECTION = "misc"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/MIT;md5=0835ade698e0bcf8506ecda2f7b4f302"
CVE_PRODUCT = ""

SRC_URI = "\
    file://chess-clock-data.service \
    file://data-folders.conf \
    file://host-keys.conf \
    file://sshd.conf \
    file://wait-for-data.conf \
    file://wireless-folders.conf \
    file://wireless.network \
"
S = "${UNPACKDIR}"

inherit allarch systemd useradd

do_install() {
    install -D -m 0644 ${S}/chess-clock-data.service -t ${D}${systemd_system_unitdir}
    install -D -m 0644 ${S}/data-folders.conf ${D}${datadir}/chess-clock-system/data-folders.conf
    for unit in clockd clock-display; do
        install -D -m 0644 ${S}/wait-for-data.conf ${D}${systemd_system_unitdir}/$unit.service.d/10-data.conf
    done
    install -D -m 0644 ${S}/wireless-folders.conf ${D}${systemd_system_unitdir}/chess-clock-set-up.service.d/10-data.conf
    install -D -m 0644 ${S}/wireless.network ${D}${nonarch_libdir}/systemd/network/30-chess-clock-wifi.network
    install -D -m 0644 ${S}/host-keys.conf ${D}${systemd_system_unitdir}/sshdgenkeys.service.d/10-data.conf
    install -D -m 0644 ${S}/sshd.conf ${D}${sysconfdir}/ssh/sshd_config.d/10-chess-clock.conf
    install -d ${D}${localstatedir}/log/journal ${D}${localstatedir}/lib/chess-clock ${D}${localstatedir}/lib/chrony
    # iwd is only in the images of boards, and the fstab is the same everywhere.
    install -d ${D}${sysconfdir}/iwd ${D}${localstatedir}/lib/iwd
}

FILES:${PN} += "${datadir} ${localstatedir} ${nonarch_libdir}/systemd ${systemd_system_unitdir}"
RDEPENDS:${PN} = "clockd openssh-sshd"

SYSTEMD_SERVICE:${PN} = "chess-clock-data.service"

# `*` is a password that no input matches. With the usual `!`, sshd would take the account for a locked one and refuse keys.
USERADD_PACKAGES = "${PN}"
GROUPADD_PARAM:${PN} = "--system arbiter"
USERADD_PARAM:${PN} = "--gid arbiter --no-create-home --home-dir / --shell ${base_bindir}/sh --password '*' arbiter"
