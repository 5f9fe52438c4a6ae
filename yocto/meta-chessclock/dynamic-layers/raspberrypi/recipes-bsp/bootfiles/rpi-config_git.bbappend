FILESEXTRAPATHS:prepend:chess-clock-os := "${THISDIR}/files:"

SRC_URI:append:chess-clock-os = " file://config.txt;subdir=chess-clock"

do_deploy:append:chess-clock-os() {
    cat ${UNPACKDIR}/chess-clock/config.txt >> ${DEPLOYDIR}/${BOOTFILES_DIR_NAME}/config.txt
}
