"""A damaged file of the latest game at the start, on User-Mode Linux: it is moved aside, byte for byte; another game is
begun; the arbiter is told."""

import json
import shutil
import tempfile
import unittest

import record
import user_mode
from board import GAME, LINES, script
from machine import RECORD as FOLDER

GAMES = f"{FOLDER}/games"

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
            rm -rf {FOLDER}/*
            {makes}
            chown -R chess-clock: {GAMES}
            latest=$(ls {GAMES}/*.jsonl | tail -n 1)
            sum=$(sha256sum <$latest)
            mark
            systemctl start clockd
            is_up
            until_prints 'the latest game on record is damaged' faults
            until_prints 'kept under another name' said
            [ "$(sha256sum <$latest.damaged-1)" = "$sum" ]
            new_game {record.CONTROL}
            play 2
            caught_up
            clock-guest record >/tmp/record
        """), folder, 300)
        with open(f"{folder}/output") as output, open(f"{folder}/status") as status:
            said = output.read()
            self.assertEqual(status.read().strip(), "0", said)
        with open(f"{folder}/record") as file:
            _, *entries = map(json.loads, file)
        self.assertEqual(sum(record.check(self, entries)[entries[-1]["entry"]].moves.values()), 2)

    def test_a_noise(self):
        self.moved_aside(f"mkdir {GAMES}; head -c 50000 /dev/urandom >{GAMES}/000001.jsonl")

    def test_b_a_file_of_another_program(self):
        self.moved_aside(f"""mkdir {GAMES}; echo '{{"number": 1}}' >{GAMES}/000001.jsonl""")

    def test_c_a_game_with_a_damaged_line(self):
        self.moved_aside(f"""
            systemctl start clockd
            is_up
            new_game {record.CONTROL}
            play 20
            caught_up
            systemctl stop clockd
            sed -i '5s/"number"/"nunber"/' "$(ls {GAMES}/*.jsonl | tail -n 1)"
        """)
