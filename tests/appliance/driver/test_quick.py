"""The quick variant: the image on User-Mode Linux, which skips idle time."""

import json
import shutil
import tempfile
import unittest

import game
import rights
import user_mode


# User-Mode Linux has no separate interrupt for the simulated chip: its edges are handled at the next
# timer tick, in nanoseconds.
TICK = 10_000_000


class Quick(unittest.TestCase):
    maxDiff = None

    def guest(self, text):
        """Boots, runs the script, turns the machine off. Returns the shared folder and the output."""
        folder = tempfile.mkdtemp(prefix="clock-quick-")
        self.addCleanup(shutil.rmtree, folder)
        user_mode.run(text, folder, 120)
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
        files = []
        for name in ("played", "game", "journal", "state"):
            with open(f"{folder}/{name}") as file:
                files.append(file.read())
        game.check(self, *files[:3], json.loads(files[3]), TICK)

    def test_who_may_do_what(self):
        rights.check(self, self.guest(rights.ASK)[1])
