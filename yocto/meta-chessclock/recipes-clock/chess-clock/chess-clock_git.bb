SUMMARY = "Tournament chess clock: the service, the arbiter's tool and the face"
DESCRIPTION = "clockd reads the buttons and keeps the time of the game, clockctl commands it, clock-display draws the face."
SECTION = "misc"
CVE_PRODUCT = "chess-clock"
# The face has its glyphs from DejaVu, which has the licence of Bitstream Vera, and from Fjalla One.
LICENSE = "(MIT | Apache-2.0) & Bitstream-Vera & OFL-1.1"
LIC_FILES_CHKSUM = "\
    file://LICENSE-MIT;md5=1e54a020e66df09c72bce8f94f72be88 \
    file://LICENSE-APACHE;md5=3b83ef96387f14655fc854ddc3c6bd57 \
    file://display/fonts/LICENSE-DejaVu.txt;md5=3d6beed76490d1201788af62f397338c \
    file://display/fonts/LICENSE-FjallaOne.txt;md5=cc608f76e1e6f5073e912387d46e29f2 \
"

# The commit that is checked out, in the repository of this layer; what is not committed is not built. A release can name
# another repository and its commit.
CHESS_CLOCK_URI ?= "git://${CHESS_CLOCK_TREE};protocol=file;nobranch=1"
SRC_URI = "${CHESS_CLOCK_URI}"
SRCREV ?= "${@chess_clock_head(d)}"
# The checked-out commit can change without a change of this file.
BB_DONT_CACHE = "1"

require chess-clock-crates.inc

inherit cargo systemd useradd

def chess_clock_head(d):
    tree = d.getVar("CHESS_CLOCK_TREE")
    try:
        # Without this setting, git refuses a repository of another user.
        return bb.process.run(["git", "-c", "safe.directory=*", "-C", tree, "rev-parse", "HEAD"])[0].strip()
    except bb.process.CmdError as error:
        bb.fatal("chess-clock: %s is not a git repository with a commit; CHESS_CLOCK_URI and SRCREV name another one: %s" % (tree, error))

# What `make build` sets, too: where clockd looks for its files, and the commit that --version names.
export CHESS_CLOCK_SHARED = "${datadir}/chess-clock"
export CHESS_CLOCK_COMMIT = "${@d.getVar('SRCREV')[:12]}"

# The profile keeps the line numbers, which the packages of debug information need.
CARGO_PROFILE = "debian"
BUILD_MODE = "--profile ${CARGO_PROFILE}"
BUILD_DIR = "${CARGO_PROFILE}"

do_compile() {
    oe_cargo_build --bins -p clockd -p clockctl -p clock-display
}

# The Makefile of the clock knows all files and where they go.
do_install() {
    oe_runmake -C ${S} install DESTDIR=${D} PREFIX=${prefix} SYSCONFDIR=${sysconfdir} \
        BINARIES=${B}/target/${CARGO_TARGET_SUBDIR}
    oe_runmake -C ${S} install-image DESTDIR=${D} SYSCONFDIR=${sysconfdir}
}

PACKAGE_BEFORE_PN = "clockd clockctl clock-display ${PN}-configs ${PN}-first"

SUMMARY:clockd = "Tournament chess clock: the service"
FILES:clockd = "\
    ${bindir}/clockd \
    ${datadir}/dbus-1 \
    ${systemd_system_unitdir}/clockd.service \
    ${nonarch_libdir}/sysusers.d \
    ${nonarch_libdir}/tmpfiles.d \
    ${nonarch_base_libdir}/udev/rules.d/60-chess-clock.rules \
"
# The unit raises the priority of the buttons' interrupt threads with chrt.
RDEPENDS:clockd = "${PN}-configs dbus util-linux-chrt"

SUMMARY:clockctl = "Tournament chess clock: the arbiter's tool"
FILES:clockctl = "\
    ${bindir}/clockctl \
    ${libexecdir}/chess-clock-publish \
    ${systemd_system_unitdir}/chess-clock-publish@.service \
    ${sysconfdir}/chess-clock/publish \
    ${datadir}/bash-completion \
    ${datadir}/zsh \
    ${datadir}/fish \
"
# The publisher is a script for bash. It needs mosquitto_pub as well, which only other layers have.
RDEPENDS:clockctl = "bash"

SUMMARY:clock-display = "Tournament chess clock: the face"
FILES:clock-display = "\
    ${bindir}/clock-display \
    ${systemd_system_unitdir}/clock-display.service \
    ${systemd_system_unitdir}/clock-display-console.service \
    ${systemd_system_unitdir}/clock-display-devices.service \
"
RDEPENDS:clock-display = "${PN}-configs clockd"

SUMMARY:${PN}-configs = "Tournament chess clock: time controls, rule profiles, wiring and configuration"
FILES:${PN}-configs = "${datadir}/chess-clock ${sysconfdir}/chess-clock/*.toml"
CONFFILES:${PN}-configs = "${sysconfdir}/chess-clock/clockd.toml ${sysconfdir}/chess-clock/display.toml"

SUMMARY:${PN}-first = "Tournament chess clock: the start of an image that is nothing but a clock"
FILES:${PN}-first = "${sysconfdir}/systemd ${sysconfdir}/modprobe.d ${sysconfdir}/dbus-1"
RDEPENDS:${PN}-first = "${PN}"

# What makes a computer nothing but a clock: journal, sleep, watchdog, screen, time service.
SUMMARY:${PN} = "Tournament chess clock for a computer that is nothing else"
FILES:${PN} = "\
    ${nonarch_base_libdir}/udev/rules.d/61-chess-clock-screen.rules \
    ${nonarch_libdir}/systemd/journald.conf.d \
    ${nonarch_libdir}/systemd/sleep.conf.d \
    ${nonarch_libdir}/systemd/system.conf.d \
    ${nonarch_libdir}/sysctl.d \
    ${systemd_system_unitdir}/getty@.service.d \
    ${sysconfdir}/chrony \
    ${sysconfdir}/ssh \
    ${systemd_system_unitdir}/chess-clock-set-up.service \
    ${systemd_system_unitdir}/chess-clock-restore-time.service \
    ${libexecdir}/chess-clock-restore-time \
    ${systemd_system_unitdir}/chess-clock-backup.socket \
    ${systemd_system_unitdir}/chess-clock-backup@.service \
"
RDEPENDS:${PN} = "clock-display clockctl clockd"

SYSTEMD_PACKAGES = "${PN} clockd clock-display clockctl"
SYSTEMD_SERVICE:${PN} = "chess-clock-set-up.service chess-clock-restore-time.service chess-clock-backup.socket"
SYSTEMD_SERVICE:clockd = "clockd.service"
# udev starts the face when there is a graphics card, and a publisher needs an instance.
SYSTEMD_SERVICE:clock-display = "clock-display.service clock-display-console.service clock-display-devices.service"
SYSTEMD_AUTO_ENABLE:clock-display = "disable"
SYSTEMD_SERVICE:clockctl = "chess-clock-publish@.service"
SYSTEMD_AUTO_ENABLE:clockctl = "disable"

# The users and groups of systemd/chess-clock.sysusers. They are made with the image, because a read-only root has no
# other time for it.
USERADD_PACKAGES = "clockd clock-display clockctl"
GROUPADD_PARAM:clockd = "--system gpio; --system spi; --system arbiter; --system chess-clock"
USERADD_PARAM:clockd = "--system --gid chess-clock --groups gpio --no-create-home --home-dir / --shell ${base_sbindir}/nologin chess-clock"
GROUPADD_PARAM:clock-display = "--system clock-display"
USERADD_PARAM:clock-display = "--system --gid clock-display --groups video --no-create-home --home-dir / --shell ${base_sbindir}/nologin clock-display"
GROUPADD_PARAM:clockctl = "--system chess-clock-publish"
USERADD_PARAM:clockctl = "--system --gid chess-clock-publish --no-create-home --home-dir / --shell ${base_sbindir}/nologin chess-clock-publish"
