"""The plug is pulled in a game, and the machine boots again on the same disk: the scripts for the guest, and the check of
what the clock then shows and has on record.

What was acknowledged is known outside the guest: each answer to a command, each movement of a button and each look of the
witness reaches the host over a serial port at once. `record.Account` computes the times from the presses alone.
"""

import json
import random

import record
from board import GAME, LINES, Move, SIDES, objects, script
from machine import RECORD, WITNESS

SECOND = record.SECOND
# A press that is this close to the last entry on record may have been decided after it: the debounce takes 1 ms, and the
# loop 0.1 ms.
UNDECIDED = 5_000_000
# A checkpoint is stored every 5 s. It may be late on a slow disk.
OLDEST_CHECKPOINT = 10 * SECOND

FILES = ("mount", "files", "kernel", "state", "record")

ROUND = f"""
exec >/dev/null 2>/tmp/round.log
{WITNESS}
printf '{{"boot": "%s"}}\\n' "$(</proc/sys/kernel/random/boot_id)" >&4
# `order REASON VERB…`: an arbiter's command. What is told is what the clock has answered.
order() {{
    local answer reason=$1
    shift
    answer=$(arbiter "$@" --reason "$reason" --json)
    printf '{{"command": "%s", "answer": %s}}\\n' "$reason" "$answer" >&4
}}
player() {{ printf '0 %s 1\\n%s %s 0\\n' $1 $2 $1 | edge-player play $LINES --active-low >&4; }}
clock-guest witness --every 40 >&4 &
# Another program writes to the same file system, and never flushes.
while sleep 0.3; do head -c $((RANDOM * 2)) /dev/urandom >{RECORD}/other-$((RANDOM % 8)); done &
"""


def play(number, begins_game, seed):
    """A script that starts a game in the background and returns. The game ends with the plug."""
    draw = random.Random(seed)
    steps, side = [f"order 'begin {number}' {'start' if begins_game else 'resume'}"], draw.choice(("white", "black"))
    for step in range(200):
        kind = draw.random()
        if kind < 0.05:
            steps.append(f"sleep {draw.uniform(5, 8):.3f}")
        elif kind < 0.15:
            steps += [f"order 'pause {number} {step}' pause", f"sleep {draw.uniform(0, 0.5):.3f}",
                      f"order 'resume {number} {step}' resume"]
        steps += [f"sleep {draw.uniform(0.03, 0.6):.3f}",
                  f"player {LINES[side]} {draw.randrange(20_000, 120_000)}"]
        side = record.OTHER[side]
    new_game = f"arbiter new --force --control {record.CONTROL} --rules fide-2023 -q" if begins_game else ":"
    game = script(GAME) + ROUND + "\n".join(steps)
    return script(f"""
        {new_game}
        cat >/tmp/round <<'END'
{game}
END
        setsid bash /tmp/round >/dev/null 2>&1 </dev/null &
    """)


LOOK = script(GAME + f"""
    trap '[ $? = 0 ] || journalctl -u clockd -o short-monotonic --no-pager | tail -30' EXIT
    is_up
    unwritten() {{ property Health UncommittedEntries; }}
    until_prints 'uint64 0' unwritten
    findmnt -no FSTYPE {RECORD} >/tmp/mount
    (cd {RECORD} && {record.LIST}) >/tmp/files
    {{ journalctl -k -o cat --no-pager | grep -i 'ext4.*error'; }} >/tmp/kernel || true
    clockctl status --json >/tmp/state
    clock-guest record >/tmp/record
    rm -f /tmp/export.json
    # Ends with 8 if the chain is not that of the entries.
    clockctl export -q -o /tmp/export.json
""")


class Witnessed:
    """What is known outside the guest of one boot."""

    def __init__(self):
        self.boot, self.presses, self.commands, self.states = None, [], [], []

    def take(self, line):
        if not line.startswith("{"):
            number, level, before, after = map(int, line.split())
            if level:
                self.presses.append(Move(SIDES[number], True, before, after))
            return
        said = json.loads(line)
        if "boot" in said:
            self.boot = said["boot"]
        elif "command" in said:
            self.commands.append(said)
        else:
            self.states.append(said)

    @property
    def recorded(self):
        """The number of the last entry that the clock has called recorded."""
        return max((state["recorded"] for state in self.states), default=0)

    @property
    def acknowledged(self):
        """The reasons of the commands whose answer says that they are on record."""
        return [said["command"] for said in self.commands if said["answer"]["recorded"]]


class Found:
    """What the machine has after the next boot."""

    def __init__(self, files):
        mount, names, kernel, state, game = (files(name) for name in FILES)
        self.mount, self.kernel = mount.strip(), kernel
        self.names = [name for name in names.split() if not name.startswith("other-")]
        self.state, = objects(state)
        game, *self.entries = map(json.loads, game.splitlines())
        self.game = game["game"]


def check(case, found, witnessed):
    """Checks the record after a power cut, and what the clock shows. Returns how long before the cut the last stored
    instant was, in nanoseconds; `None` if no clock ran."""
    case.assertEqual((found.mount, found.kernel), ("ext4", ""))
    case.assertEqual(record.others(found.names), [])
    entries = found.entries
    accounts = record.check(case, entries)
    case.assertGreaterEqual(entries[-1]["entry"], witnessed.recorded, "acknowledged entries are missing")
    reasons = {entry["command"]["reason"] for entry in entries if entry["command"]}
    case.assertLessEqual(set(witnessed.acknowledged), reasons, "acknowledged commands are missing")
    before = [entry for entry in entries if entry["boot"] == witnessed.boot]
    age = None
    if before:
        check_presses(case, before, witnessed)
        check_states(case, before, accounts, witnessed)
        age = check_cut(case, entries, before[-1], accounts, witnessed)
    check_state(case, found.state, accounts[entries[-1]["entry"]])
    return age


def check_presses(case, before, witnessed):
    """Every press between the first and the last entry on record is there once, and nobody else has pressed."""
    first, last = (entry["state"]["at_ns"] for entry in (before[0], before[-1]))
    on_record = record.presses(before, witnessed.boot)
    for move in witnessed.presses:
        matching = [press for press in on_record if press[0] == move.line and move.before <= press[1] <= move.after]
        case.assertLessEqual(len(matching), 1, move)
        if first < move.before and move.after < last - UNDECIDED:
            case.assertEqual(len(matching), 1, f"{move} is missing")
        for press in matching:
            on_record.remove(press)
    # The plug can be pulled between the press and its report.
    reported = max((move.after for move in witnessed.presses), default=0)
    case.assertLessEqual(len(on_record), 1, "presses that nobody made")
    for _, at in on_record:
        case.assertGreater(at, reported, "a press that nobody made")


def check_states(case, before, accounts, witnessed):
    """Every state that was shown is what the account of the entries up to then gives. Only a state after the last entry on
    record can have something that is not on record, if nobody has called it recorded."""
    last = before[-1]
    for seen in witnessed.states:
        up_to = [entry for entry in before if entry["state"]["at_ns"] <= seen["at"]]
        if not up_to:
            continue
        account = accounts[up_to[-1]["entry"]]
        shown = account.shown(seen["at"])
        is_of_entry = (seen["phase"] == "running", *seen["moves"]) == (account.runs_since is not None, *shown[2:])
        if up_to[-1] is not last or is_of_entry:
            case.assertEqual((seen["white"], seen["black"], *seen["moves"]), shown, seen)


def check_cut(case, entries, last, accounts, witnessed):
    """The power cut is on record, with the instant of the last entry or of a later checkpoint."""
    cut = next(entry for entry in entries if entry["entry"] == last["entry"] + 1)
    case.assertEqual(cut["kind"], "power-cut")
    since = record.gap(cut)["since_ns"]
    case.assertGreaterEqual(since, last["at_ns"])
    if accounts[last["entry"]].runs_since is None or not witnessed.states:
        return None
    seen = max(state["now"] for state in witnessed.states)
    case.assertLess(seen - since, OLDEST_CHECKPOINT)
    return seen - since


def check_state(case, state, account):
    """No clock runs, the times are those of the account, and the arbiter is told."""
    case.assertIsNone(account.runs_since)
    case.assertIn(state["phase"], ("ready", "paused"))
    case.assertEqual((state["white"]["remaining_ns"], state["black"]["remaining_ns"], state["white"]["moves"],
                      state["black"]["moves"]), account.shown(0))
    told = [fault["code"] for fault in state["faults"]]
    case.assertEqual(told, ["power-cut"] if state["phase"] == "paused" else [])
