"""Two players in the guest, who see the page of the menu and press the buttons; and the tasks and pages that the tests in Rust
have as data."""

import json
import pathlib
import re
import shlex
from collections import namedtuple

from board import script

TREE = pathlib.Path(__file__).parents[3]
MENU = TREE / "daemon/menu/src/tests"

# The boards, in the order of `Board` in tasks.rs.
BOARDS = ("two-and-call", "two-alone", "rocker-and-call")

# A page of pages.rs: the game with which the walk begins, the lines and presses that lead there, and the title.
Page = namedtuple("Page", "begin steps title")

# The program of the players. Its arguments are the folder of the lines, the board, and what they do, one after the other:
#
# open          hold the call button until the menu is open
# closed        wait until the menu is closed
# agree         both press, when the page asks them to
# (White)       press the button that is wired as White's; (Black): as Black's; (hold): hold the call button
# #00500        enter these digits
# code:wbbw     enter the arbiter's code
# keys:CcwB=over  press these keys of tasks.rs (F: until White's flag falls), and wait until the menu is closed and the game is
#               in this phase. Prints the status then, as a line.
# anything else  choose the tile or the line that begins so
#
# Prints the last page as the last line.
PROGRAM = """
import json, subprocess, sys, time
LINES, BOARD, NUMBERS = sys.argv[1], sys.argv[2], {"white": 17, "black": 27, "call": 22}
# The order in which both buttons go down that are held together.
TOGETHER = ("white", "black")
HOLD = 1.5  # how long a hold is that opens the menu, in seconds
ONE_MOMENT, STEPS = 34, 48  # numbers of pages

def said(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

def page():
    state, number, title, lines, chosen, _, _, hints, _, times = said(
        "busctl", "--json=short", "get-property", "org.chessclock.Clock1", "/org/chessclock/Clock1",
        "org.chessclock.Clock1.Menu", "Page")["data"]
    return {"state": state, "number": number, "title": title, "lines": lines, "chosen": chosen, "hints": hints, "times": times}

def status():
    return said("clockctl", "status", "--json")

def until(what, is_so, read=page):
    # Each look takes a tenth of a second of the host, so they become rarer.
    pause, end = 0.02, time.monotonic() + 20
    while True:
        now = read()
        if is_so(now):
            return now
        if time.monotonic() > end:
            sys.exit(f"not {what}: {now}")
        time.sleep(pause)
        pause = min(2 * pause, 0.3)

def pull(button, direction):
    with open(f"{LINES}/sim_gpio{NUMBERS[button]}/pull", "w") as line:
        line.write(direction)

def down(*buttons):
    for button in buttons:
        pull(button, "pull-down")

def up(*buttons):
    for button in buttons:
        pull(button, "pull-up")
    time.sleep(0.06)  # the next press counts after the release time

def tap(button):
    if BOARD == "rocker-and-call" and button != "call":
        # A throw stays down until the rocker is thrown to the other side.
        up("black" if button == "white" else "white")
        down(button)
        time.sleep(0.05)
    else:
        down(button)
        time.sleep(0.05)
        up(button)

def shown(now):
    # What a press changes. The texts above the choices turn by themselves.
    lines = now["lines"][:2] if now["chosen"] < 0 else now["lines"][now["chosen"]]
    return now["state"], now["number"], lines, now["times"], now["hints"]

def until_another_page(before):
    return until(f"another page than {before}", lambda now: shown(now) != shown(before) and now["number"] != ONE_MOMENT)

def press(button, before):
    tap(button)
    return until_another_page(before)

def hold(buttons, before):
    down(*buttons)
    time.sleep(HOLD)
    if before["state"] == "closed":
        until("release", lambda now: now["state"] == "release")
        up(*buttons)
        return until("open", lambda now: now["state"] == "open")
    now = until_another_page(before)
    up(*buttons)
    return now

def until_phase(phase):
    return until(phase, lambda now: now["phase"] == phase, status)

def stop(*buttons):
    down(*buttons)
    until_phase("paused")
    up(*buttons)

def play(key, now):
    # Presses a key of tasks.rs. Returns the page.
    if key in "BC":
        return hold(TOGETHER if key == "B" else ["call"], now)
    button = {"w": "white", "b": "black", "c": "call"}.get(key)
    if now["state"] == "open":
        return press(button, now)
    if key == "S":
        stop(*TOGETHER)
    elif key == "F":
        time.sleep(status()["white"]["remaining_ns"] / 1e9)
    elif key == "c" and status()["phase"] == "running":
        stop("call")
    else:
        tap(button)
    return now

def tile(text, now):
    # Presses the tile, or goes to the rest of the menu. Returns the page, and whether that is all.
    sides = ["black", "white"] if status()["buttons_exchanged"] else ["white", "black"]
    buttons = {"white": sides[0], "black": sides[1], "call": "call"}
    for button, action in now["hints"]:
        if button in buttons and action.startswith(text):
            return press(buttons[button], now), True
    return hold(["call"], now), text == "More"

def choose(text, now):
    if not now["lines"] and now["hints"]:
        now, is_done = tile(text, now)
        if is_done:
            return now
    if now["number"] == STEPS:  # from the steps of a correction to its exact form
        for button in ("call", "call", "call", "call", "black"):
            now = press(button, now)
    for _ in range(40):
        if now["lines"][now["chosen"]].lstrip(" •").startswith(text):
            return press("call", now)
        now = press("black", now)
    sys.exit(f"no line {text}: {now}")

def asked():
    # A long list is shown before the page asks for the presses.
    return until("asked", lambda now: "press your button" in now["lines"][0])

now = page()
for todo in sys.argv[3:]:
    if todo in ("open", "(hold)"):
        now = hold(["call"], now)
    elif todo == "closed":
        now = until("closed", lambda now: now["state"] == "closed")
    elif todo == "agree":
        now = press("black", press("white", asked()))
    elif todo in ("(White)", "(Black)"):
        if now["title"] == "Both agree?":
            now = asked()
        now = press(todo[1:-1].lower(), now)
    elif todo.startswith("#"):
        for digit in todo[1:]:
            for _ in range(10):
                if f"[{digit}]" in now["lines"][now["chosen"]]:
                    break
                now = press("black", now)
            else:
                sys.exit(f"no digit {digit}: {now}")
            now = press("call", now)
    elif todo.startswith("code:"):
        for count, letter in enumerate(todo[5:], 1):
            tap("white" if letter == "w" else "black")
            now = until(f"letter {count}", lambda now: now["lines"][-1] == count * "-")
        now = press("call", now)
    elif todo.startswith("keys:"):
        keys, phase = todo[5:].split("=")
        for key in keys.replace(" ", ""):
            now = play(key, now)
        now = until("closed", lambda now: now["state"] == "closed")
        print(json.dumps(until_phase(phase)))
    else:
        now = choose(todo, now)
print(json.dumps(now))
"""


def arrive(machine):
    """The players come to the table of a machine that was just started."""
    machine.run(f"cat >/tmp/players.py <<'END'\n{PROGRAM}\nEND")


def play(machine, *todo, board=BOARDS[0], seconds=300):
    """What the players do; see PROGRAM. Returns the lines that they have printed."""
    lines = machine.run(script(f"python3 /tmp/players.py $LINES {board} {shlex.join(todo)}"), seconds).splitlines()
    return [json.loads(line) for line in lines]


def tasks():
    """The keys of each task of tasks.rs for each board."""
    text = (MENU / "tasks.rs").read_text()
    found = re.findall(r'\bname: "([^"]*)",.*?\bkeys: \[(.*?)\],\n', text, re.S)
    return {name: dict(zip(BOARDS, re.findall(r'\(\d+, "([^"]*)"\)', keys), strict=True)) for name, keys in found}


def pages():
    """The pages of pages.rs."""
    text = (MENU / "pages.rs").read_text()
    presses = dict(re.findall(r'pub const (\w+): &str = "(.*)";', text))
    found = re.findall(r'^    \((\w+), &\[(.*?)\], "(.*)"\),$', text, re.M)
    return [Page(begin, tuple(quoted or presses[name] for quoted, name in re.findall(r'"([^"]*)"|\b([A-Z]+)\b', steps)), title)
            for begin, steps, title in found]
