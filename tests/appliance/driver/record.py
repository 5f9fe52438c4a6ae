"""The record of a game, as the bus gives it, and a second account of the times that it must show."""

import re

SECOND = 1_000_000_000
# g90-30: 1:30:00 for the whole game, 30 s a move from move 1.
CONTROL, START, INCREMENT = "g90-30", 5400 * SECOND, 30 * SECOND

OTHER = {"white": "black", "black": "white"}

# What may be in the state folder, as LIST prints it. A power cut can leave the file from which last-configuration.json is renamed.
STATE_FILE = re.compile(
    r"games(/\d{6}\.jsonl|/checkpoint\.json|/unfinished)?|last-configuration\.json|\.last-configuration\.json\.new|wall-time|lost\+found")
LIST = "find . -mindepth 1 -printf '%P\\n'"


def others(names):
    """The names in the state folder that the clock does not give, or only if something is wrong."""
    return [name for name in names if not STATE_FILE.fullmatch(name)]


class Account:
    """The times of both sides, computed only from what happened and when.

    Each boot has a clock of its own, so an instant is a pair: the boot and its nanoseconds.
    """

    def __init__(self):
        self.left = {"white": START + INCREMENT, "black": START + INCREMENT}
        self.moves = {"white": 0, "black": 0}
        self.on_move, self.runs_since = "white", None

    def shown(self, at):
        """The remaining times and the moves at an instant of the present boot."""
        left = dict(self.left)
        if self.runs_since is not None:
            left[self.on_move] -= at - self.runs_since
        return left["white"], left["black"], self.moves["white"], self.moves["black"]

    def stop(self, at):
        if self.runs_since is not None:
            self.left[self.on_move] -= at - self.runs_since
            self.runs_since = None

    def press(self, side, at):
        if self.runs_since is not None:
            self.stop(at)
            self.left[side] += INCREMENT
            self.moves[side] += 1
        self.on_move, self.runs_since = OTHER[side], at

    def take(self, entry):
        """Takes an entry of the record into account."""
        for event in entry["events"]:
            kind, at = event["kind"], event["at_ns"]
            if kind == "press" and event["accepted"]:
                self.press(event["side"], at)
            elif kind in ("start", "resume"):
                self.runs_since = at
            elif kind == "pause":
                self.stop(at)
            elif kind == "power-cut":
                # The instant at which it stopped the clock is one of the boot before.
                self.stop(event["since_ns"])


def gap(entry):
    """The event of a restart or a power cut: `since_ns` and `at_ns` are the ends of the gap."""
    event, = (event for event in entry["events"] if event["kind"] == entry["kind"])
    return event


def check(case, entries):
    """Checks that the entries are complete, and that every state is what the account says.
    Returns the account after each entry, by the entry's number."""
    numbers = [entry["entry"] for entry in entries]
    case.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
    account, after = Account(), {}
    for entry in entries:
        account.take(entry)
        state = entry["state"]
        white, black = state["white"], state["black"]
        case.assertEqual(
            (white["remaining_ns"], black["remaining_ns"], white["moves"], black["moves"]),
            account.shown(state["at_ns"]), f"entry {entry['entry']}, {entry['kind']}")
        after[entry["entry"]] = copy(account)
    return after


def copy(account):
    other = Account()
    other.__dict__.update(account.__dict__, left=dict(account.left), moves=dict(account.moves))
    return other


def presses(entries, boot):
    """The presses of a boot that the record has, accepted or not, as pairs of side and instant."""
    return [(event["side"], event["at_ns"]) for entry in entries if entry["boot"] == boot
            for event in entry["events"] if event["kind"] == "press"]
