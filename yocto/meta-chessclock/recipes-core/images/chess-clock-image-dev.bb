SUMMARY = "The chess clock for developers: writable root, debugger, tools for GPIO timing"
DESCRIPTION = "The chess clock with a root that can be changed, and with tools that measure and debug it."

require chess-clock-image.inc

IMAGE_FEATURES += "tools-debug"
IMAGE_INSTALL += "i2c-tools rt-tests strace"
