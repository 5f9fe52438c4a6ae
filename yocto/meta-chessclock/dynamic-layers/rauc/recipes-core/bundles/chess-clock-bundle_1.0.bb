# nooelint: oelint.var.mandatoryvar.SRC_URI
# The class makes the bundle of an image, so there is no source.
SUMMARY = "Signed update of the chess clock"
DESCRIPTION = "The root of chess-clock-image as a bundle for RAUC. RAUC_KEY_FILE and RAUC_CERT_FILE name the builder's key."
LICENSE = "MIT"

inherit bundle

RAUC_BUNDLE_COMPATIBLE = "chess-clock-${MACHINE}"
RAUC_BUNDLE_VERSION = "${DISTRO_VERSION}"
RAUC_BUNDLE_DESCRIPTION = "Chess clock"
RAUC_BUNDLE_FORMAT = "verity"
RAUC_BUNDLE_SLOTS = "rootfs"
RAUC_SLOT_rootfs = "chess-clock-image"
RAUC_SLOT_rootfs[fstype] = "ext4"
