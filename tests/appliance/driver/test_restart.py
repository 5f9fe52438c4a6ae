"""The clock is killed, hangs or spins in a running game. systemd replaces it, and no time is won or lost."""

import os

import record
import restart
from machine import MachineTest

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ
KILLS = 60 if NIGHTLY else 15
HANGS = 20 if NIGHTLY else 6
SPINS = 5 if NIGHTLY else 2


class Restart(MachineTest):
    def longest_gap(self, how, count, seed):
        self.machine.run("fresh-clock")
        self.machine.run(restart.play(how, count, seed), seconds=60 + 60 * count)
        return restart.check(self, self.read, count)

    def test_a_killed(self):
        """Every press that was decided is on record; the game goes on; the gap is on record."""
        self.longest_gap("kill", KILLS, 1)

    def test_b_the_loop_hangs(self):
        """It is replaced within a second of the first press that it does not read, every time."""
        self.assertLess(self.longest_gap("hang", HANGS, 2), record.SECOND)

    def test_c_the_loop_spins(self):
        """It uses the only processor with its real-time priority. The kernel ends it, and systemd replaces it."""
        self.assertLess(self.longest_gap("spin", SPINS, 3), record.SECOND)
