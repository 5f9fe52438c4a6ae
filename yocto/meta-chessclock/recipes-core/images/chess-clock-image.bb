SUMMARY = "The chess clock: starts straight into the face, on a read-only root"
DESCRIPTION = "What a club writes to a card."

require chess-clock-image.inc

IMAGE_FEATURES += "read-only-rootfs"
