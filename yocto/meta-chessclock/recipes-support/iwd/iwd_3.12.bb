SUMMARY = "Program that connects to wireless networks"
DESCRIPTION = "iwd connects to the networks that the clock's set-up file names. It does so with the ciphers of the kernel."
HOMEPAGE = "https://iwd.wiki.kernel.org/"
SECTION = "net"
LICENSE = "LGPL-2.1-only"
LIC_FILES_CHKSUM = "file://COPYING;md5=fb504b67c50331fc78734fed90fb0e09"

SRC_URI = "https://www.kernel.org/pub/linux/network/wireless/iwd-${PV}.tar.xz"
SRC_URI[sha256sum] = "d89a5e45c7180170e19be828f9e944a768c593758094fc57a358d0e7c4cb1a49"

# systemd names the folders of the units and of the bus.
DEPENDS = "dbus ell systemd"

inherit autotools pkgconfig systemd

# ell is a recipe of its own. Nobody logs in to an image to choose a network, so the tools for that are not built.
EXTRA_OECONF = "\
    --enable-external-ell --disable-client --disable-monitor --disable-manual-pages \
    --with-systemd-unitdir=${systemd_system_unitdir} \
"

# The configure script writes into this folder, which is not in the archive.
do_configure:prepend() {
    mkdir -p ${S}/build-aux
}

do_install:append() {
    # Empty without the tools.
    [ ! -d ${D}${bindir} ] || rmdir ${D}${bindir}
    # The data partition is mounted on both.
    install -d ${D}${sysconfdir}/iwd ${D}${localstatedir}/lib/iwd
}

FILES:${PN} += "${datadir}/dbus-1 ${nonarch_libdir}/modules-load.d ${systemd_unitdir}/network ${systemd_system_unitdir}"

# The limits of the countries.
RDEPENDS:${PN} = "dbus wireless-regdb-static"

SYSTEMD_SERVICE:${PN} = "iwd.service"
