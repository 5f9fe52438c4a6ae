"""The plug is pulled in a running game, or the machine is rebooted. The disk has a volatile cache (disk.py)."""

import os
import random
import unittest

import record
from board import GAME, LINES, objects, script
from disk import Disk
from machine import Machine
from test_restart import playing

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ
PLUGS = 52 if NIGHTLY else 3

# A checkpoint is written every 5 s while a clock runs, and a press is committed at once. The disk and the emulated
# processor may take as long as this in addition.
OLDEST = (5 + 1) * record.SECOND

FILES = ["record.sqlite3", "record.sqlite3-wal"]


class PowerCut(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.disk = Disk()
        self.addCleanup(self.disk.close)

    def test_the_plug_is_pulled_in_a_running_game(self):
        """The game comes back paused, with the times of an instant at most 5 s before; nothing is missing that was
        called recorded; the database is not moved aside."""
        draw = random.Random(int(os.environ.get("PLUG_SEED", "1")))
        before, lost, cached = None, [], []
        for number in range(PLUGS):
            with Machine(record=self.disk) as machine:
                if before:
                    lost.append(self.check_return(machine, before))
                before = self.play(machine, number, draw.uniform(0.3, 12))
            cached.append(self.disk.lose_cache(draw))
        with Machine(record=self.disk) as machine:
            lost.append(self.check_return(machine, before))
            said = machine.run("clockctl status; systemctl is-active clockd")
        lost.sort()
        print(f"{PLUGS} plugs: running time lost {lost[0]:.2f} to {lost[-1]:.2f} s, median {lost[len(lost) // 2]:.2f} s; "
              f"up to {max(cached)} writes were in the disk's cache, {sum(map(bool, cached))} times at least one ", end="")
        print(f"\n{said}")

    def play(self, machine, number, seconds):
        """Plays for some seconds and pulls the plug. Returns the boot and what the clock has said."""
        begin = f"new_game {record.CONTROL}" if number == 0 else "arbiter resume -q"
        machine.run(script(GAME) + script(f"""
            is_up
            {begin}
            cat >/tmp/moves <<'END'
{playing(60, number)}
END
            edge-player play $LINES --active-low </tmp/moves >/tmp/played &
            # The witness's lines leave the machine at once, as the text of its serial line.
            clock-guest witness >/dev/ttyAMA0 &
            sleep {seconds}
        """))
        boot = machine.run("cat /proc/sys/kernel/random/boot_id").strip()
        machine.pull_plug()
        # A last line may be a part of one.
        seen = objects("\n".join(machine.console().split("\n")[:-1]))
        self.assertTrue(seen, "the plug was pulled before the clock said anything")
        return boot, seen

    def check_return(self, machine, before):
        """Checks the game after the power is back. Returns how much running time was lost, in seconds."""
        boot, seen = before
        machine.run(script(GAME + "is_up; until_prints power-cut faults"))
        state, = objects(machine.run("clockctl status --json"))
        self.assertEqual((state["phase"], state["running"]), ("paused", None))
        names = machine.run("ls /var/lib/chess-clock").split()
        self.assertEqual([name for name in names if name not in FILES + ["lost+found"]], [])

        _, entries = record.read(machine)
        accounts = record.check(self, entries)
        cut = entries[-1]
        self.assertEqual(cut["kind"], "power-cut")
        self.assertEqual((state["white"]["remaining_ns"], state["black"]["remaining_ns"]), accounts[cut["entry"]].shown(None)[:2])
        numbers = [entry["entry"] for entry in entries]
        acknowledged = max(line["recorded"] for line in seen)
        self.assertLess(acknowledged, cut["entry"])
        self.assertIn(acknowledged, numbers)
        for line in seen:
            # Everything that the clock had shown was recorded: it is what the record says of that instant.
            if line["uncommitted"] == 0:
                self.assertEqual((line["white"], line["black"], *line["moves"]),
                                 accounts[line["recorded"]].shown(line["at"]), line)
        stopped = record.stopped_at(cut)
        gone = seen[-1]["now"] - stopped
        self.assertLessEqual(gone, OLDEST)
        return gone / 1e9
