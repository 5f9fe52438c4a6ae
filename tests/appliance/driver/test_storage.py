"""Faults of the record's disk in a running game.

The first line of every test says what the clock must do.
"""

import random
import unittest

import record
from board import GAME, LINES, objects, script
from disk import EIO, Disk
from machine import RECORD as FOLDER
from machine import Machine

# `play COUNT` makes so many moves, White's first, and waits until the clock has decided the last of them.
PLAY = f"""
play() {{
    local move
    for move in $(seq $1); do
        if ((move % 2)); then tap {LINES["white"]}; else tap {LINES["black"]}; fi
    done
}}
number() {{ property Health $1 | grep -o '[0-9]\\+>' | tr -d '>'; }}
storage() {{ property Health StorageOk; }}
caught_up() {{ until_prints true storage; until_prints '^0$' number UncommittedEntries; }}
"""


def guest(text):
    return script(GAME + PLAY) + script(text)


class StorageFaults(unittest.TestCase):
    maxDiff = None

    def start(self, *mke2fs_options, mount=None):
        self.disk = Disk(*mke2fs_options)
        self.addCleanup(self.disk.close)
        machine = Machine(record=self.disk, mount=mount).__enter__()
        self.addCleanup(machine.__exit__)
        machine.run(guest("is_up"))
        return machine

    def play_through(self, machine, breaks, mends, moves):
        """Plays some moves before, during and after a fault. Checks that each of them was decided at once, that
        the fault was shown, and that in the end all of them are on record."""
        machine.run(guest(f"new_game {record.CONTROL}; play 4; caught_up; no_faults"))
        breaks()
        during = objects(machine.run(guest(f"play {moves}; clockctl status --json")))[0]
        self.assertEqual((during["phase"], during["white"]["moves"] + during["black"]["moves"]), ("running", 4 + moves))
        said = machine.run(guest("""
            until_prints false storage
            until_prints 'the record cannot be written' faults
            clockctl status | grep 'the record cannot be written'
            property Health StorageError
            number UncommittedEntries
        """))
        print(said.replace("\n", " | "), end="")
        mends()
        machine.run(guest("caught_up; no_faults; play 4; caught_up; [ $(number LostEntries) = 0 ]"), seconds=240)
        self.check_record(machine, 8 + moves)

    def check_record(self, machine, moves):
        _, entries = record.read(machine)
        accounts = record.check(self, entries)
        self.assertEqual(sum(accounts[entries[-1]["entry"]].moves.values()), moves)

    def test_a_full_disk(self):
        """The game goes on, the fault is shown, and the record catches up when there is room again."""
        machine = self.start()
        fill = f"dd if=/dev/zero of={FOLDER}/filler bs=1k 2>/dev/null || true; sync; df {FOLDER} | tail -1"
        self.play_through(machine, lambda: machine.run(fill), lambda: machine.run(f"rm {FOLDER}/filler; sync"), 100)

    def test_b_every_write_fails(self):
        """The same. After the fault, everything that is called recorded also survives a pulled plug."""
        # A file system with a journal is read-only after such a fault (the next test).
        machine = self.start("-O", "^has_journal")

        def set_fault(number):
            self.disk.fault = number

        self.play_through(machine, lambda: set_fault(EIO), lambda: set_fault(0), 10)
        machine.pull_plug()
        self.disk.lose_cache(random.Random(1))
        with Machine(record=self.disk) as machine:
            machine.run(guest("is_up; until_prints power-cut faults"))
            self.check_record(machine, 18)

    def test_c_the_file_system_turns_read_only(self):
        """The same. The disk is mounted anew afterwards; the clock needs no restart."""
        machine = self.start()

        def break_it():
            self.disk.fault = EIO
            machine.run(f"touch {FOLDER}/x; sync; until ! touch {FOLDER}/y; do sleep 0.1; done")
            self.disk.fault = 0

        mend = f"umount -l {FOLDER}; mount LABEL=record {FOLDER}"
        self.play_through(machine, break_it, lambda: machine.run(mend), 10)

    def test_d_the_disk_takes_seconds(self):
        """Presses and commands take no longer. A command says that it is not on record yet."""
        machine = self.start()

        def set_delay(seconds):
            self.disk.delay = seconds

        machine.run(guest(f"new_game {record.CONTROL}; play 4; caught_up"))
        set_delay(2)
        said = machine.run(guest("""
            play 6
            arbiter pause
            arbiter resume -q
            play 6
            clockctl status --json
            number UncommittedEntries
        """))
        self.assertIn("not on record yet", said)
        state, = objects(said)
        self.assertEqual(state["white"]["moves"] + state["black"]["moves"], 16)
        set_delay(0)
        machine.run(guest("caught_up; no_faults"), seconds=240)
        self.check_record(machine, 16)

    def test_e_the_disk_is_read_only_at_the_start(self):
        """The clock starts and a game is played. When the disk can be written, the record catches up."""
        machine = self.start(mount=f"LABEL=record:{FOLDER}:ext4:ro")
        machine.run(guest(f"""
            until_prints 'the record cannot be written' faults
            new_game {record.CONTROL}
            play 4
            mount -o remount,rw {FOLDER}
            systemd-tmpfiles --create chess-clock.conf
            caught_up
        """))
        self.check_record(machine, 4)

    def test_f_the_disk_is_missing(self):
        """The clock starts without it, after the time-out of the disk."""
        with Machine(mount=f"LABEL=nothing:{FOLDER}:ext4:nofail,x-systemd.device-timeout=2s") as machine:
            machine.run(guest(f"is_up; new_game {record.CONTROL}; play 4; caught_up"))
            self.check_record(machine, 4)
