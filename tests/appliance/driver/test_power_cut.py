"""The plug is pulled at random instants of a game, with the record on a disk whose cache is lost."""

import itertools
import os
import random
import tempfile
import time
import unittest
from collections import Counter

import disk
import power_cut
from board import GAME, objects, script
from machine import GuestError, Machine

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ
CUTS = int(os.environ.get("CUTS", 50 if NIGHTLY else 3))
SEED = int(os.environ.get("CUT_SEED", 1))


class PowerCut(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="clock-power-")
        self.addCleanup(self.folder.cleanup)
        path = f"{self.folder.name}/disk"
        disk.make_file_system(path)
        self.disk = disk.Disk(path, f"{self.folder.name}/nbd", SEED)
        self.addCleanup(self.disk.close)
        self.draw = random.Random(SEED)
        self.sums, self.oldest = Counter(), 0
        self.addCleanup(self.report)

    def test_pulled_plug(self):
        """The clock stands, with the times of the last press or checkpoint on record; the arbiter is told; every entry
        and command that was acknowledged is on record, and every press before; nothing was moved aside."""
        witnessed = power_cut.Witnessed()
        for number in range(CUTS):
            # A third of the cuts come while the machine boots.
            if number and self.draw.random() < 0.33:
                self.cut_in_boot()
            else:
                with Machine(icount=True, record=self.disk) as machine:
                    # The shipped game, which nobody has played, has another time control.
                    if number:
                        self.look(machine, witnessed)
                    witnessed = self.cut_in_game(machine, number)
            print(number + 1, end=" ", flush=True)
        with Machine(icount=True, record=self.disk) as machine:
            self.look(machine, witnessed)
            self.look_at_all_games(machine)
        if CUTS >= 20:
            self.assertGreater(self.sums["writes lost"], 0, "the disk has lost nothing")

    def report(self):
        print(f"{dict(self.sums)}; the last stored instant was at most {self.oldest / 1e9:.3f} s old ", end="")

    def cut_in_boot(self):
        machine = Machine(icount=True, record=self.disk)
        self.disk.cut_power_after(self.draw.randrange(1, 60), machine.pull_plug)
        try:
            with machine:
                when = "after a boot"
        except GuestError:
            self.assertTrue(self.disk.is_off, "the machine does not boot")
            when = "in a boot"
        self.cut(machine, when)

    def cut_in_game(self, machine, number):
        """A third of these cuts comes after a random number of lines of the witness, and so after a random time; the others
        in the middle of what the disk is doing."""
        witnessed, begins_game = power_cut.Witnessed(), number == 0 or self.draw.random() < 0.2
        machine.run(power_cut.play(number, begins_game, self.draw.random()), 600)
        count = self.draw.randrange(1, 300)
        if self.draw.random() < 0.67:
            self.disk.cut_power_after(self.draw.randrange(1, 400), machine.pull_plug)
        lines = list(itertools.islice(machine.lines(time.monotonic() + 300), count))
        self.assertTrue(self.disk.is_off or len(lines) == count, "the machine has ended")
        self.cut(machine, "in a game")
        # What it had said by then, too.
        for line in [*lines, *machine.lines(time.monotonic() + 10)]:
            witnessed.take(line)
        self.sums += {"presses": len(witnessed.presses), "states seen": len(witnessed.states),
                      "commands acknowledged": len(witnessed.acknowledged)}
        return witnessed

    def cut(self, machine, when):
        cut = self.disk.cut_power()
        machine.pull_plug()
        self.disk.power_on()
        self.sums += {"cuts " + when: 1, "writes lost": cut.lost, "writes torn": cut.torn}

    def look(self, machine, witnessed):
        machine.run(power_cut.LOOK, 600)
        age = power_cut.check(self, power_cut.Found(machine.read), witnessed)
        self.oldest = max(self.oldest, age or 0)

    def look_at_all_games(self, machine):
        """All games are there with their chains, none with a gap before the next; and the clock is in order once the game
        goes on."""
        games = objects(machine.run(script(GAME + """
            clockctl log --games --json
            for game in $(clockctl log --games --json | grep -o '"game":[0-9]*' | cut -d: -f2); do
                clockctl export -q -o /tmp/export-$game.json $game
            done
            arbiter resume -q
            no_faults
        """), 600))
        for game, following in zip(games, games[1:]):
            self.assertEqual(game["first_entry"] + game["entries"], following["first_entry"])
        self.sums += {"games": len(games), "entries": sum(game["entries"] for game in games)}
