# U-Boot adds the root of the slot that it starts.
CMDLINE_ROOTFS:chess-clock-os = "rootfstype=ext4 rootwait ro"
CMDLINE_LOGO:chess-clock-os = "logo.nologo"
# Nothing of the kernel's text is on the screen before the face, nor of systemd's. A kernel that panics restarts after 5 s.
CMDLINE:append:chess-clock-os = " quiet loglevel=3 fbcon=map:9 vt.global_cursor_default=0 systemd.show_status=false panic=5"
