"""Two players at the clock without a laptop: the menu as the screen shows it, opened by the call button; and the plug is
pulled while it is open."""

import json
import os
import tempfile
import unittest

import disk
from board import GAME, script
from machine import Machine
from picture import read_face
from test_screen import SIZE, FaceTest

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ

# The players in the guest: they see the page, and press the three buttons. Each argument is one thing that they do: `open`;
# `agree`, when both of them have to press; `white agrees`, when only White presses; `#00500` enters these digits; `code:wbbw`
# enters the arbiter's code; `closed`, when the menu has closed; and anything else is the beginning of a line that they choose.
# Prints the last page.
PLAYERS = """
import json, subprocess, sys, time
LINES, NUMBERS = sys.argv[1], {"white": 17, "black": 27, "call": 22}

def page():
    said = subprocess.run(["busctl", "--json=short", "get-property", "org.chessclock.Clock1", "/org/chessclock/Clock1",
                           "org.chessclock.Clock1.Menu", "Page"], check=True, capture_output=True, text=True).stdout
    state, number, title, lines, chosen, _, _, hints, *_ = json.loads(said)["data"]
    return {"state": state, "number": number, "title": title, "lines": lines, "chosen": chosen, "hints": hints}

def until(what, is_so):
    for _ in range(200):
        now = page()
        if is_so(now):
            return now
        time.sleep(0.02)
    sys.exit(f"not {what}: {now}")

def pull(button, direction):
    with open(f"{LINES}/sim_gpio{NUMBERS[button]}/pull", "w") as line:
        line.write(direction)

def press(button, before):
    pull(button, "pull-down")
    time.sleep(0.05)
    pull(button, "pull-up")
    time.sleep(0.06)
    return until(f"another page than {before}", lambda now: now != before)

def hold(before):
    pull("call", "pull-down")
    now = until(f"another page than {before}", lambda now: now != before)
    pull("call", "pull-up")
    time.sleep(0.06)  # the next press counts after the release time
    return now

def tile(text, now):
    # Presses the tile, or goes to the rest of the menu. Returns the page, and whether there is such a tile.
    exchanged = subprocess.run(["clockctl", "status", "--json"], capture_output=True, text=True).stdout
    sides = ["white", "black"]
    if json.loads(exchanged)["buttons_exchanged"]:
        sides.reverse()
    buttons = {"white": sides[0], "black": sides[1], "call": "call"}
    for button, action in now["hints"]:
        if button in buttons and action.startswith(text):
            return press(buttons[button], now), True
    return hold(now), False

now = page()
for todo in sys.argv[2:]:
    if todo == "open":
        pull("call", "pull-down")
        until("release", lambda now: now["state"] == "release")
        pull("call", "pull-up")
        now = until("open", lambda now: now["state"] == "open")
    elif todo == "agree":
        # A long list is shown before the page asks for the presses.
        now = until("asked", lambda now: "press your button" in now["lines"][0])
        now = press("black", press("white", now))
    elif todo == "white agrees":
        now = until("asked", lambda now: "press your button" in now["lines"][0])
        now = press("white", now)
    elif todo.startswith("#"):
        for digit in todo[1:]:
            while f"[{digit}]" not in now["lines"][now["chosen"]]:
                now = press("black", now)
            now = press("call", now)
    elif todo.startswith("code:"):
        for letter in todo[5:]:
            now = press("white" if letter == "w" else "black", now)
        now = press("call", now)
    elif todo == "closed":
        now = until("closed", lambda now: now["state"] == "closed")
    else:
        if not now["lines"] and now["hints"]:
            now, is_done = tile(todo, now)
            if is_done:
                continue
        if now["number"] == 48:  # from the steps of a correction to its exact form
            for button in ("call", "call", "call", "call", "black"):
                now = press(button, now)
        for _ in range(40):
            if now["lines"][now["chosen"]].startswith(todo):
                break
            now = press("black", now)
        else:
            sys.exit(f"no line {todo}: {now}")
        now = press("call", now)
print(json.dumps(now))
"""
# The titles of pages of the menu.
FIRST, SUMMARY = "A press starts White's clock", "Is this right?"


class Menu(FaceTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="clock-menu-")
        cls.addClassCleanup(folder.cleanup)
        disk.make_file_system(f"{folder.name}/disk")
        cls.disk = disk.Disk(f"{folder.name}/disk", f"{folder.name}/nbd")
        cls.addClassCleanup(cls.disk.close)
        cls.switch_on()

    @classmethod
    def switch_on(cls):
        machine = Machine(icount=True, record=cls.disk, screen=SIZE)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(machine.__exit__)
        machine.run(script(GAME + "is_up"))
        machine.run(f"cat >/tmp/players.py <<'END'\n{PLAYERS}\nEND")

    def players(self, *todo):
        """What the players do; see PLAYERS. Returns the last page."""
        words = " ".join(f"'{word}'" for word in todo)
        return json.loads(self.machine.run(script(f"python3 /tmp/players.py $LINES {words}"), 300))

    def test_1_a_game_is_chosen_and_played(self):
        face = self.until(self.shows_the_clock)
        self.assertEqual(self.players("open")["title"], FIRST)
        self.until(self.is_as_painted)
        first = self.machine.picture()
        self.assertGreater(first.differing(face), 0)
        self.assertEqual(self.players("Time control")["title"], "Time control")
        self.until(self.is_as_painted)
        self.assertGreater(self.machine.picture().differing(first), 0)
        self.assertEqual(self.players("3+2", "closed")["state"], "closed")
        self.until(self.shows_the_clock)
        status = self.status()
        self.assertEqual((status["phase"], status["control"], status["rules"]), ("ready", "3+2", "players-agree"))
        self.do("tap 27; tap 17; tap 27")
        picture = self.until(self.shows_the_clock)
        self.assertEqual([half.lit for half in read_face(picture)], [True, False])

    def test_2_a_time_is_corrected_and_a_result_entered_and_the_players_exchange_their_sides(self):
        self.do("tap 22; until_prints paused clockctl status")
        self.players("open", "Correct", "White", "#00245", "OK", "Show", "agree", "closed")
        status = self.status()
        self.assertEqual((status["phase"], status["white"]["remaining_ns"]), ("paused", 165 * 10**9))
        self.until(self.shows_the_clock)
        self.players("open", "Result", "0-1", "agree", "closed")
        self.assertEqual((self.status()["phase"], self.status()["result"]), ("over", "0-1"))
        self.players("open", "Sides exchanged", "closed")
        self.do("until_prints running clockctl status")
        status = self.status()
        self.assertEqual((status["phase"], status["control"], status["buttons_exchanged"]), ("running", "3+2", True))
        self.until(self.shows_the_clock)
        # White has Black's button now.
        self.do("tap 27; tap 17")
        self.assertEqual([half.lit for half in read_face(self.until(self.shows_the_clock))], [False, True])

    def test_3_the_plug_is_pulled_while_the_menu_is_open(self):
        """The game comes back as it was, the menu is closed, and the own control that was kept is there."""
        self.do("tap 22; until_prints paused clockctl status")
        before = self.status()
        page = self.players("open", "New game", "We two", "Our own", "Own 1", "#0503", "OK", "Increment", "Delay", "Keep")
        self.assertEqual(page["title"], SUMMARY)
        self.until(self.is_as_painted)
        # The thread that writes the file ends when the file is stored.
        self.do("""
            stored() { grep -qx menu-file /proc/$(pidof clockd)/task/*/comm || ls /var/lib/chess-clock; }
            until_prints menu.json stored
        """)
        self.cut_power_and_compare(before)
        self.assertRegex(self.players("open", "New game", "We two", "Our own")["lines"][0], r"^Own 1: .*5")

    def cut_power_and_compare(self, before):
        """Pulls the plug and switches the clock on again. The game is as the status `before` says, and the menu is closed."""
        self.disk.cut_power()
        self.machine.pull_plug()
        self.disk.power_on()
        self.switch_on()
        after = self.status()
        for key in ("phase", "control", "rules", "white", "black", "result"):
            self.assertEqual(after[key], before[key], key)
        self.assertEqual(self.players()["state"], "closed")
        self.until(self.shows_the_clock)

    def test_4_an_arbiter_rules_on_a_flag(self):
        """The shipped configuration with the arbiter's code that it shows. White's flag falls in the first of two periods; enough
        moves were made, and the game goes on."""
        self.do("""
            sed -i 's/^# \\(arbiter_code = "wbbw"\\)$/\\1/' /etc/chess-clock/clockd.toml
            fresh-clock
            is_up
        """)
        self.until(self.shows_the_clock)
        page = self.players("open", "New game", "With an arbiter", "Our own", "Own 2", "#0503", "OK", "Time", "#00001", "OK", "Second", "#03000",
                            "OK", "Keep")
        self.assertEqual(page["title"], SUMMARY)
        self.players("Accept", "closed")
        self.assertEqual(self.status()["rules"], "fide-2023")
        self.do("""tap 27; until_prints '"first_flag":"white"' clockctl status --json""")
        status = self.status()
        self.assertEqual((status["phase"], status["white"]["remaining_ns"], status["white"]["period"]), ("ruling", 0, 1))
        self.until(self.shows_the_clock)
        page = self.players("open", "What awaits", "code:wbbw", "White")
        self.assertEqual(page["title"], "White: enough moves?")
        self.assertIn("Moves were made +30:03", page["lines"])
        self.until(self.is_as_painted)
        self.players("Moves were made", "Yes", "closed", "open", "Go on", "code:wbbw", "White", "Yes", "closed")
        status = self.status()
        self.assertEqual((status["phase"], status["running"], status["white"]["period"]), ("running", "white", 2))
        self.assertEqual([half.lit for half in read_face(self.until(self.shows_the_clock))], [True, False])

    @unittest.skipUnless(NIGHTLY, "2.5 minutes; make appliance-nightly ARGS=test_menu.Menu")
    def test_5_the_plug_is_pulled_on_pages_that_lead_to_a_command(self):
        """A command is given when both players have agreed, and not before."""
        self.do("""
            fresh-clock
            is_up
            arbiter new 3+2 --rules players-agree --force -q
            tap 27; tap 17; tap 22
            until_prints paused clockctl status
        """)
        for todo, title in (
            (("Correct", "White", "#00245", "OK", "Show"), "Both agree?"),
            (("Correct", "White", "#00245", "OK", "Show", "white agrees"), "Both agree?"),
            (("Result", "0-1", "white agrees"), "Both agree?"),
            (("Take back", "white agrees"), "Both agree?"),
        ):
            with self.subTest(todo=todo):
                before = self.status()
                self.assertEqual(self.players("open", *todo)["title"], title)
                self.until(self.is_as_painted)
                self.cut_power_and_compare(before)
