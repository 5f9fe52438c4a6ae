SUMMARY = "The chess clock: starts straight into the face, on a read-only root"
DESCRIPTION = "What a club writes to a card."

require chess-clock-image.inc

IMAGE_FEATURES += "read-only-rootfs"

# The set-up file is applied after a check of the root, because the root of other images is written then. This one never is.
mask_check_of_root () {
    ln -sf /dev/null ${IMAGE_ROOTFS}${sysconfdir}/systemd/system/systemd-fsck-root.service
}
ROOTFS_POSTPROCESS_COMMAND:append = " mask_check_of_root"
