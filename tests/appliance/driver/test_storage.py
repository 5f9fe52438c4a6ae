"""The storage of the record fails in a game: the game goes on exactly, the arbiter is told, and the record catches up.

The first line of every test says what must happen.
"""

import json
import tempfile
import unittest

import disk
import nbd
import record
import restart
from board import GAME, moves, objects, script
from machine import Machine, RECORD

# How long players press, in seconds.
PLAYED = 15

STORAGE = f"""
storage_error() {{ property Health StorageError; }}
storage_ok() {{ property Health StorageOk; }}
unwritten() {{ property Health UncommittedEntries; }}
# Waits until nothing fails and everything is on record.
caught_up() {{ until_prints true storage_ok; until_prints 'uint64 0' unwritten; no_faults; }}
# Fails unless the arbiter is told why nothing is recorded: `is_told REASON`.
is_told() {{
    until_prints "$1" storage_error
    until_prints false storage_ok
    until_prints '"code":"storage"' clockctl status --json
    ! clockctl doctor >/tmp/doctor || return 1
    grep -q "unfit .* not written: .*$1" /tmp/doctor
}}
# `order RECORDED VERB…`: a command is carried out at once, and its answer says whether it is on record.
order() {{
    local recorded=$1
    shift
    arbiter "$@" --json >/tmp/answer
    grep -q "\\"recorded\\":$recorded" /tmp/answer
}}
play_on() {{
    new_game {record.CONTROL}
    clock-guest witness >/tmp/witness 2>&1 </dev/null & echo $! >/tmp/witness.pid
    edge-player play $LINES --active-low </tmp/moves >/tmp/played 2>&1 & echo $! >/tmp/player.pid
    sleep 2
}}
players_end() {{
    while kill -0 $(</tmp/player.pid) 2>/dev/null; do sleep 0.1; done
    sleep 0.2
}}
# Waits for the players, and leaves what `check` reads.
end_game() {{
    players_end
    caught_up
    kill $(</tmp/witness.pid)
    clockctl status --json >/tmp/state
    clock-guest record >/tmp/record
    rm -f /tmp/export.json
    clockctl export -q -o /tmp/export.json
    (cd {RECORD} && {record.LIST}) >/tmp/files
}}
"""


class Storage(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="clock-storage-")
        cls.addClassCleanup(folder.cleanup)
        path = f"{folder.name}/disk"
        disk.make_file_system(path)
        cls.disk = disk.Disk(path, f"{folder.name}/nbd")
        cls.addClassCleanup(cls.disk.close)
        cls.machine = Machine(icount=True, record=cls.disk).__enter__()
        cls.addClassCleanup(cls.machine.__exit__)

    def setUp(self):
        self.do(f"""
            fresh-clock
            is_up
            cat >/tmp/moves <<'END'
{restart.playing(PLAYED, 1)}
END
        """)
        self.addCleanup(self.disk.work)

    def do(self, text, seconds=900):
        return self.machine.run(script(GAME + STORAGE) + script(text), seconds)

    def check(self, restarts=0):
        """Every press is on record once, and every state on record and every state that was shown is exact."""
        files = (self.machine.read(name) for name in ("files", "record", "played", "witness", "state"))
        names, game, played, witness, state = files
        self.assertEqual(record.others(names.split()), [])
        _, *entries = map(json.loads, game.splitlines())
        accounts = record.check(self, entries)
        self.assertEqual(sum(entry["kind"] == "restarted" for entry in entries), restarts)
        found = record.presses(entries, entries[-1]["boot"])
        pressed = [move for move in moves(played) if move.level]
        self.assertEqual(len(found), len(pressed), f"on record: {found}\nmade: {pressed}")
        for move, (side, at) in zip(pressed, found):
            self.assertEqual(side, move.line)
            self.assertTrue(move.before <= at <= move.after, (move, at))
        witness, (state,) = objects(witness), objects(state)
        for seen in witness:
            account = accounts[restart.last_entry(entries, seen["at"])]
            self.assertEqual((seen["white"], seen["black"], *seen["moves"]), account.shown(seen["at"]), seen)
        shown = accounts[entries[-1]["entry"]].shown(state["at_ns"])
        self.assertEqual((state["white"]["remaining_ns"], state["black"]["remaining_ns"]), shown[:2])
        waited = max(seen["uncommitted"] for seen in witness)
        print(f"{len(pressed)} presses, {len(witness)} states exact; up to {waited} entries waited ", end="")
        return entries

    def test_a_full(self):
        """The arbiter is told that the disk is full. Once there is room, everything is on record."""
        self.do(f"""
            play_on
            fallocate -l $(df -B1 --output=avail {RECORD} | tail -1) {RECORD}/fill || true
            dd if=/dev/zero of={RECORD}/fill2 bs=4k status=none || true
            is_told 'no space is left'
            order false pause
            sleep 1
            order false resume
            sleep 3
            rm {RECORD}/fill {RECORD}/fill2
            end_game
        """)
        self.check()

    def test_b_late(self):
        """The disk answers only after a command was answered: the command is carried out at once, and on record later."""
        self.do("play_on")
        for verb in ("pause", "resume", "pause", "resume"):
            self.disk.hold()
            self.do(f"order false {verb}")
            self.disk.work()
            self.do("caught_up; sleep 1")
        self.do("""
            end_game
            order true pause
        """)
        self.check()

    def test_c_no_answer(self):
        """The disk does not answer at all: the arbiter is told so after some seconds, until it does."""
        self.do("play_on")
        self.disk.hold()
        self.do("""
            order false pause
            sleep 1
            order false resume
            is_told 'the storage has not answered'
            sleep 3
        """)
        self.disk.work()
        self.do("end_game")
        self.check()

    def test_d_errors(self):
        """The disk fails for a second, and the file system becomes read-only. The arbiter is told. With one command the
        file system is mounted anew and the clock started again, and everything is on record, in the same game."""
        self.do("play_on")
        self.disk.fail(nbd.WRITE, nbd.FLUSH)
        # The kernel makes the file system read-only when it cannot write the journal, which the sync asks for.
        self.do(f"""
            until_prints false storage_ok
            order false pause
            touch {RECORD}/touched || true
            sync -f {RECORD} || true
            sleep 1
        """)
        self.disk.work()
        self.do(f"""
            order false resume
            sleep 3
            is_told 'cannot '
            journalctl -k -o cat --no-pager | grep -q 'Remounting filesystem read-only'
            players_end
            is_told 'cannot '
            systemctl restart "$(systemd-escape -p --suffix=mount {RECORD})" clockd
            is_up
            rm -f {RECORD}/touched
            order true pause
            end_game
        """)
        self.check(restarts=1)
