"""The start of the appliance and its end: the clock and the face before everything else, nothing from the keyboard, and a
stop in order. The instruction rate is that of every machine here: 500 million a second."""

import re
import time

from boot import times
from board import script
from test_screen import FaceTest

# How long the machine may take to switch itself off, in seconds of the host.
PATIENCE = 120


class Boot(FaceTest):
    def test_1_the_clock_and_the_face_come_before_everything_else(self):
        self.until(self.shows_the_clock)
        at = times(self.machine)
        print(", ".join(f"{name.replace('_', ' ')} {seconds:.2f} s" for name, seconds in at._asdict().items()), end=" ")
        # How long it takes is measured by bench.py: while the machine waits for its disk, its clock is that of the host.
        # The rest waits for the clock.
        self.assertLess(at.clock_ready, at.rest)
        self.assertLess(at.rest, at.multi_user)

    def test_2_the_whole_system_runs_after_it(self):
        said = self.machine.run("""
            systemctl is-system-running --wait
            systemctl is-active multi-user.target sysinit.target systemd-tmpfiles-setup.service dbus-broker.service
            systemctl list-jobs --no-legend
        """)
        self.assertEqual(said.split(), ["running"] + ["active"] * 4)

    def test_3_the_keyboard_restarts_nothing(self):
        """The kernel sends this signal for Ctrl-Alt-Del; seven within 2 s would restart the machine at once elsewhere."""
        said = self.machine.run("""
            for _ in 1 2 3 4 5 6 7 8 9; do kill -INT 1; done
            sleep 1
            systemctl list-jobs --no-legend
            systemctl is-enabled ctrl-alt-del.target || true
            systemctl is-system-running
        """)
        self.assertEqual(said.split(), ["masked", "running"])

    def test_4_it_is_switched_off_in_order(self):
        """The clock ends by itself, before the bus and before the disk of its record."""
        self.machine.run(script("""
            mkdir -p /run/systemd/journald.conf.d
            printf '[Journal]\\nForwardToConsole=yes\\nTTYPath=/dev/ttyAMA0\\nMaxLevelConsole=info\\n' \\
                >/run/systemd/journald.conf.d/console.conf
            systemctl restart systemd-journald
            # Without an order, the others would be stopped meanwhile.
            mkdir -p /run/systemd/system/clockd.service.d
            printf '[Service]\\nExecStop=/bin/sleep 1\\n' >/run/systemd/system/clockd.service.d/slow.conf
            systemctl daemon-reload
            # After the answer of this script.
            setsid sh -c 'sleep 0.5; systemctl poweroff' >/dev/null 2>&1 </dev/null &
        """))
        self.machine.wait_for_end(time.monotonic() + PATIENCE)
        console = self.machine.console()
        ended = [self.position(console, text) for text in (
            r"Stopped clockd\.service", r"Stopped dbus-broker\.service", r"Unmounted var-lib-chess\\x2dclock\.mount")]
        self.assertEqual(ended, sorted(ended), console[-5000:])
        self.assertIn("clockd.service: Deactivated successfully", console)

    def position(self, console, text):
        found = re.search(text, console)
        self.assertTrue(found, f"no {text}: {console[-5000:]}")
        return found.start()
