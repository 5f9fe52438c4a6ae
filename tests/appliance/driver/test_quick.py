"""The quick variant: the image on User-Mode Linux, which skips idle time."""

import json
import os
import shutil
import tempfile
import unittest

import bus_policy
import game
import record
import restart
import user_mode


# User-Mode Linux has no separate interrupt for the simulated chip: its edges are handled at the next
# timer tick, in nanoseconds.
TICK = 10_000_000
KILLS, HANGS = int(os.environ.get("KILLS", "15")), int(os.environ.get("HANGS", "5"))


class Quick(unittest.TestCase):
    maxDiff = None

    def guest(self, text):
        """Boots, runs the script, turns the machine off. Returns the shared folder and the output."""
        folder = tempfile.mkdtemp(prefix="clock-quick-")
        self.addCleanup(shutil.rmtree, folder)
        user_mode.run(text, folder, 300)
        with open(f"{folder}/output") as output:
            said = output.read()
        with open(f"{folder}/status") as status:
            self.assertEqual(status.read().strip(), "0", said)
        return folder, said

    def test_a_game_with_minutes_of_thinking(self):
        # The watchdog is fed eight times a second. For hours of guest time that would take minutes.
        folder, _ = self.guest("""
            mkdir -p /run/systemd/system/clockd.service.d
            printf '[Service]\\nWatchdogSec=0\\n' >/run/systemd/system/clockd.service.d/quick.conf
            systemctl daemon-reload
            systemctl restart clockd
        """ + game.play(gap_ms=120_000))
        files = [self.read(folder, name) for name in ("played", "game", "journal", "state")]
        game.check(self, *files[:3], json.loads(files[3]), TICK)

    def test_killed_at_random_instants_of_a_game(self):
        self.replaced("kill", KILLS)

    def test_the_loop_hangs_in_a_game(self):
        self.assertLess(self.replaced("hang", HANGS), record.SECOND)

    def replaced(self, how, count):
        """Computing takes no guest time here, so all that is counted is what the clock and systemd wait for."""
        folder, _ = self.guest(restart.play(how, count, 1))
        return restart.check(self, lambda name: self.read(folder, name), count, TICK)

    @staticmethod
    def read(folder, name):
        with open(f"{folder}/{name}") as file:
            return file.read()

    def test_who_can_do_what_on_dbus_daemon(self):
        self.attempts("dbus-daemon")

    def test_who_can_do_what_on_dbus_broker(self):
        # As `systemctl enable dbus-broker` makes it. The machines of all tests have the same files.
        alias = os.environ["APPLIANCE_DISK"] + "/etc/systemd/system/dbus.service"
        os.symlink("/usr/lib/systemd/system/dbus-broker.service", alias)
        self.addCleanup(os.unlink, alias)
        self.attempts("dbus-broker")

    def attempts(self, bus):
        folder, _ = self.guest(bus_policy.ASK)
        bus_policy.check(self, lambda name: self.read(folder, name), bus)
