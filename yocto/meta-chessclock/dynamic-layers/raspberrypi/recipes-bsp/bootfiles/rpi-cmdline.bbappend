# U-Boot adds the root of the slot that it starts.
CMDLINE_ROOTFS:chess-clock-os = "rootfstype=ext4 rootwait ro"
CMDLINE_LOGO:chess-clock-os = "logo.nologo"
# Nothing of the kernel's text is on the screen before the face, nor of systemd's. A kernel that panics restarts after 5 s. A file system
# with errors after a power cut is repaired without a question.
CMDLINE:append:chess-clock-os = " quiet loglevel=3 fbcon=map:9 vt.global_cursor_default=0 systemd.show_status=false panic=5 fsck.repair=yes"
# The kernel has PREEMPT_RT, whose locks the fast interrupt of this USB driver does not know: a Raspberry Pi 3 or Zero 2 can hang at
# the start. The usual interrupt takes more of the processor. Raspberry Pi 4 and 5 have another USB controller.
CMDLINE_DWC_OTG:chess-clock-os = "dwc_otg.lpm_enable=0 dwc_otg.fiq_enable=0 dwc_otg.fiq_fsm_enable=0"
