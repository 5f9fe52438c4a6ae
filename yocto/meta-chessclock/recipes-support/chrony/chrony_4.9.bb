SUMMARY = "Time service that can be kept from changing the rate of the clock"
DESCRIPTION = "chronyd sets the time of day from servers in the network."
HOMEPAGE = "https://chrony-project.org/"
SECTION = "net"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://COPYING;md5=751419260aa954499f7abaabaa882bbe"

SRC_URI = "https://chrony-project.org/releases/chrony-${PV}.tar.gz \
           file://chrony.conf \
           file://chronyd.service \
"
SRC_URI[sha256sum] = "4924c6f530105bcd5b9e9e33c48a2ae1bfd889222c8480bc41601110efc864d0"

DEPENDS = "libcap libseccomp"

inherit pkgconfig systemd useradd

# The configure script is chrony's own, not of the autotools.
do_configure() {
    ${S}/configure --host-system=Linux --host-release=6 --host-machine=${TARGET_ARCH} \
        --prefix=${prefix} --sysconfdir=${sysconfdir}/chrony --localstatedir=${localstatedir} --chronyrundir=/run/chrony \
        --with-user=chrony --with-pidfile=/run/chrony/chronyd.pid --enable-scfilter \
        --without-gnutls --without-nettle --without-nss --without-tomcrypt --without-editline
}

do_compile() {
    oe_runmake
}

do_install() {
    oe_runmake install DESTDIR=${D}
    install -D -m 0644 ${UNPACKDIR}/chrony.conf -t ${D}${sysconfdir}/chrony
    install -D -m 0644 ${UNPACKDIR}/chronyd.service -t ${D}${systemd_system_unitdir}
    # chronyd makes the one, the data partition has the other.
    rm -rf ${D}/run ${D}${localstatedir}
}

B = "${S}"

FILES:${PN} += "${systemd_system_unitdir}"
CONFFILES:${PN} = "${sysconfdir}/chrony/chrony.conf"

SYSTEMD_SERVICE:${PN} = "chronyd.service"

USERADD_PACKAGES = "${PN}"
GROUPADD_PARAM:${PN} = "--system chrony"
USERADD_PARAM:${PN} = "--system --gid chrony --no-create-home --home-dir / --shell ${base_sbindir}/nologin chrony"
