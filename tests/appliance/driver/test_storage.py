"""Faults of the record's disk in a running game, and a record that cannot be used.

The first line of every test says what the clock must do.
"""

import json
import unittest

import record
from board import FAULT, GAME, LINES, objects, script
from disk import EIO, Disk
from machine import Machine, MachineTest

FOLDER = "/var/lib/chess-clock"
FILE = f"{FOLDER}/record.sqlite3"

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

    def start(self, *mke2fs_options, command_line=""):
        self.disk = Disk(*mke2fs_options)
        self.addCleanup(self.disk.close)
        machine = Machine(record=self.disk, command_line=command_line).__enter__()
        self.addCleanup(machine.__exit__)
        machine.run(guest("is_up"))
        return machine

    def play_through(self, machine, breaks, mends, moves):
        """Plays some moves before, during and after a fault. Checks that each of them was decided at once, that
        the fault was shown, and that in the end all of them are on record. Returns the fault's text."""
        machine.run(guest(f"new_game {record.CONTROL}; play 4; caught_up; no_faults"))
        breaks()
        during = objects(machine.run(guest(f"play {moves}; clockctl status --json")))[0]
        self.assertEqual((during["phase"], during["white"]["moves"] + during["black"]["moves"]), ("running", 4 + moves))
        said = machine.run(guest("""
            until_prints false storage
            until_prints "'storage'" faults
            clockctl status
            property Health StorageError
            number UncommittedEntries
        """))
        mends()
        machine.run(guest("caught_up; no_faults; play 4; caught_up; [ $(number LostEntries) = 0 ]"), seconds=240)
        self.check_record(machine, 8 + moves)
        return said

    def check_record(self, machine, moves):
        _, entries = record.read(machine)
        accounts = record.check(self, entries)
        self.assertEqual(sum(accounts[entries[-1]["entry"]].moves.values()), moves)

    def test_a_full_disk(self):
        """The game goes on, the fault is shown, and the record catches up when there is room again."""
        machine = self.start()
        fill = f"dd if=/dev/zero of={FOLDER}/filler bs=1k 2>/dev/null || true; sync; df {FOLDER} | tail -1"
        print(self.play_through(machine, lambda: machine.run(fill), lambda: machine.run(f"rm {FOLDER}/filler; sync"), 100))

    def test_b_every_write_fails(self):
        """The same. After the fault, everything that is called recorded also survives a pulled plug."""
        # A file system with a journal is read-only after such a fault (the next test).
        machine = self.start("-O", "^has_journal")

        def set_fault(number):
            self.disk.fault = number

        print(self.play_through(machine, lambda: set_fault(EIO), lambda: set_fault(0), 10))
        machine.pull_plug()
        import random
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
        print(self.play_through(machine, break_it, lambda: machine.run(mend), 10))

    def test_d_the_disk_takes_seconds(self):
        """Presses and commands take no longer. A command says that it is not on record yet."""
        machine = self.start()

        def set_delay(seconds):
            self.disk.delay = seconds

        machine.run(guest(f"new_game {record.CONTROL}; play 4; caught_up"))
        set_delay(2)
        said = machine.run(guest("""
            before=$(date +%s%N)
            play 6
            arbiter pause
            arbiter resume -q
            play 6
            clockctl status --json
            number UncommittedEntries
            property Health EdgeLatencyNSec
            property Health DecisionLatencyNSec
        """))
        print(said)
        self.assertIn("not on record yet", said)
        state, = objects(said)
        self.assertEqual(state["white"]["moves"] + state["black"]["moves"], 16)
        set_delay(0)
        machine.run(guest("caught_up; no_faults"), seconds=240)
        self.check_record(machine, 16)

    def test_e_the_disk_is_missing_or_read_only_at_the_start(self):
        """The clock starts and a game can be played. A disk that becomes writable is used."""
        for missing in ("LABEL=nothing", "LABEL=record"):
            machine = self.start(command_line="")


class UnusableRecord(MachineTest):
    """The file is moved aside, byte for byte; a fresh record is begun; the arbiter is told."""

    def moved_aside(self, makes):
        said = self.machine.run(guest(f"""
            systemctl stop clockd
            rm -f {FOLDER}/*
            {makes}
            chown chess-clock: {FOLDER}/*
            sum=$(sha256sum <{FILE})
            mark
            systemctl start clockd
            is_up
            until_prints record-moved-aside faults
            clockctl status
            said -o json MESSAGE_ID={FAULT} | grep -c aside || true
            said
            ls {FOLDER}
            for file in {FOLDER}/record.sqlite3.*; do
                [ "$(sha256sum <$file)" != "$sum" ] || echo "same bytes: $file"
            done
            new_game {record.CONTROL}
            play 2
            caught_up
        """))
        print(said)
        self.assertIn("same bytes: ", said)
        _, entries = record.read(self.machine)
        record.check(self, entries)

    def test_a_noise(self):
        self.moved_aside(f"head -c 50000 /dev/urandom >{FILE}")

    def test_b_a_database_of_another_program(self):
        self.moved_aside(f"""python3 -c "
import sqlite3
other = sqlite3.connect('{FILE}')
other.execute('create table entries(number)')
other.commit()
" """)

    def test_c_its_own_database_with_a_damaged_page(self):
        self.moved_aside(f"""
            systemctl start clockd
            is_up
            new_game {record.CONTROL}
            play 20
            caught_up
            systemctl stop clockd
            python3 -c "
with open('{FILE}', 'r+b') as file:
    for page in range(1, file.seek(0, 2) // 4096):
        file.seek(page * 4096 + 1000)
        file.write(b'damaged' * 8)
"
        """)
