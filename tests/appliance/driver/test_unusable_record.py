"""A record that cannot be used at the start, on User-Mode Linux: the file is moved aside, byte for byte; a fresh one is
begun; the arbiter is told."""

import json
import shutil
import tempfile
import unittest

import record
import user_mode
from board import GAME, LINES, script
from machine import RECORD as FOLDER

FILE = f"{FOLDER}/record.sqlite3"

# `play COUNT` makes so many moves, White's first.
PLAY = f"""
play() {{
    local move
    for move in $(seq $1); do
        if ((move % 2)); then tap {LINES["white"]}; else tap {LINES["black"]}; fi
    done
}}
unwritten() {{ property Health UncommittedEntries; }}
caught_up() {{ until_prints 'uint64 0' unwritten; }}
"""


def guest(text):
    return script(GAME + PLAY) + script(text)


class UnusableRecord(unittest.TestCase):
    maxDiff = None

    def moved_aside(self, makes):
        folder = tempfile.mkdtemp(prefix="clock-unusable-")
        self.addCleanup(shutil.rmtree, folder)
        user_mode.run(guest(f"""
            is_up
            systemctl stop clockd
            rm -f {FOLDER}/*
            {makes}
            chown chess-clock: {FOLDER}/*
            sum=$(sha256sum <{FILE})
            mark
            systemctl start clockd
            is_up
            until_prints 'the record could not be used' faults
            until_prints 'kept under another name' said
            for file in {FOLDER}/record.sqlite3.*; do
                [ "$(sha256sum <$file)" != "$sum" ] || echo "same bytes: $file"
            done
            new_game {record.CONTROL}
            play 2
            caught_up
            clock-guest record >/tmp/record
        """), folder, 300)
        with open(f"{folder}/output") as output, open(f"{folder}/status") as status:
            said = output.read()
            self.assertEqual(status.read().strip(), "0", said)
        self.assertIn("same bytes: ", said)
        with open(f"{folder}/record") as file:
            _, *entries = map(json.loads, file)
        self.assertEqual(sum(record.check(self, entries)[entries[-1]["entry"]].moves.values()), 2)

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
import sqlite3
# Otherwise the pages would be read from the write-ahead log.
sqlite3.connect('{FILE}').execute('pragma wal_checkpoint(truncate)')
with open('{FILE}', 'r+b') as file:
    for page in range(1, file.seek(0, 2) // 4096):
        file.seek(page * 4096 + 1000)
        file.write(b'damaged' * 8)
"
        """)
