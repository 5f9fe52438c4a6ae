"""An evening of two players without a laptop, on each board that has a menu. They press the keys of tasks.rs, whose tests count
the presses."""

import players
from board import PRESS, journal
from machine import Machine
from players import BOARDS
from test_screen import SIZE, FaceTest

START, AGAIN, REMATCH = "3+2 after power-on, until White's clock runs", "the same again", "a rematch with the sides exchanged"
GO_ON, CORRECT = "stop and go on", "White + 2 minutes, from running to running"
FLAG, RESULT = "White's flag", "the result after a flag, both agreeing"
STOP, WHITE_WINS = "stop", "stop, and White has won"

# What is no task of its own.
KEYS = {
    FLAG: dict.fromkeys(BOARDS, "F"),
    STOP: dict(zip(BOARDS, ("c", "S", "c"))),
    WHITE_WINS: dict(zip(BOARDS, ("c C b c w b", "S B b b w b", "c C w b c c w b"))),
}

# What the players do (a task, or the keys for all boards); the phase, the result and the moves of both after it.
TO_A_FLAG = (
    (START, "running", None, (0, 0)),
    ("wbwb", "running", None, (2, 2)),
    (GO_ON, "running", None, (2, 2)),
    (FLAG, "ruling", None, (2, 2)),
)
TO_A_REMATCH = (
    (RESULT, "over", "0-1", (2, 2)),
    (AGAIN, "running", None, (0, 0)),
    (CORRECT, "running", None, (0, 0)),
    # After the correction the rocker is on White's side, so Black throws it before White does.
    ("bwb", "running", None, (1, 1)),
    (WHITE_WINS, "over", "1-0", (1, 1)),
    (REMATCH, "running", None, (0, 0)),
    ("bw", "running", None, (1, 1)),
    (STOP, "paused", None, (1, 1)),
)

# The sides of the presses that the game has counted. Those of the two buttons that stop it together are counted and taken back.
# A game that the menu has started has none at its start.
COUNTED = dict(zip(BOARDS, ("b wbwb wb wb", "b wbwb wb wb wb wb wb w", "b wbwb b wb b wb")))


class Evening(FaceTest):
    """Each evening is on the same machine, with a clock that starts anew."""

    @classmethod
    def setUpClass(cls):
        machine = Machine(icount=True, screen=SIZE, skips_idle=True)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(machine.__exit__)
        players.arrive(machine)
        cls.keys = players.tasks() | KEYS

    def test_two_buttons_and_call(self):
        self.evening("two-and-call", "raspberry-pi")

    def test_two_buttons_alone(self):
        self.evening("two-alone", "raspberry-pi-two-buttons")

    def test_a_rocker_and_call(self):
        self.do("""
            folder=/usr/share/chess-clock/wiring
            mkdir -p /etc/chess-clock/wiring
            sed 's/^input = .*/input = "rocker"/' $folder/raspberry-pi.toml >/etc/chess-clock/wiring/rocker.toml
        """)
        self.evening("rocker-and-call", "rocker")

    def evening(self, board, wiring):
        # A rocker is on White's side at first.
        self.do(f"""
            for line in 17 27 22; do release $line; done
            [ {wiring} != rocker ] || press 17
            sed -i 's/^wiring = .*/wiring = "{wiring}"/' /etc/chess-clock/clockd.toml
            fresh-clock
            is_up
            mark
            echo "$CURSOR" >/tmp/cursor
        """)
        self.play(board, TO_A_FLAG)
        self.until(self.is_as_painted)
        self.play(board, TO_A_REMATCH)
        self.until(self.shows_the_clock)
        entries = self.do(f"""journalctl -u clockd -o json --no-pager --after-cursor "$(cat /tmp/cursor)" MESSAGE_ID={PRESS}""")
        self.assertEqual("".join(entry["SIDE"][0] for entry in journal(entries)), COUNTED[board].replace(" ", ""))

    def play(self, board, parts):
        todo = [f"keys:{self.keys[name][board] if name in self.keys else name}={phase}" for name, phase, *_ in parts]
        exchanged = False
        for (name, phase, result, moves), status in zip(parts, players.play(self.machine, *todo, board=board)):
            with self.subTest(part=name):
                exchanged |= name == REMATCH
                self.assertEqual((status["control"], status["rules"]), ("3+2", "players-agree"))
                self.assertEqual((status["result"], status["buttons_exchanged"]), (result, exchanged))
                self.assertEqual((status["white"]["moves"], status["black"]["moves"]), moves)
                self.assertEqual(status["running"], "white" if phase == "running" else None)
                # Each game begins with 3:02 for both, and all presses together take a few seconds.
                seconds = {side: status[side]["remaining_ns"] / 1e9 - 2 * moves[0] for side in ("white", "black")}
                minutes = {CORRECT: 5, "bwb": 5, WHITE_WINS: 5}.get(name, 3)
                if status["first_flag"]:
                    self.assertEqual((status["first_flag"], status["white"]["remaining_ns"]), ("white", 0))
                else:
                    self.assertAlmostEqual(seconds["white"], 60 * minutes + 1, delta=1)
                self.assertAlmostEqual(seconds["black"], 181, delta=1)
