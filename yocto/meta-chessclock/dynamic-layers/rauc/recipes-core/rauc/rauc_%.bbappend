# It would mark every system good that starts. chess-clock-health.service does so when the clock works.
SYSTEMD_AUTO_ENABLE:${PN}-mark-good:chess-clock-os = "disable"
