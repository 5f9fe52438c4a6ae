"""The clock is killed, hangs or spins in a running game, and systemd replaces it: the script for the guest, and the
check of its results. Both machines use it.

Nothing of the clock says what is right: the buttons are moved by `edge-player`, which prints when; a witness asks
the clock for its state all the time; `record.Account` computes the times from the presses alone.
"""

import json
import random

import record
from board import GAME, LINES, moves, objects, script

# A press that closes less than this before the end of the clock may not be decided yet: the debounce takes 1 ms,
# and the loop 0.1 ms.
UNDECIDED = 5_000_000
# How old the last sign of life can be: clockd looks at its loop every 100 ms, and may just be about to. A look at
# which a button is unread is not one.
LAST_LOOK = 150_000_000

FILES = ("restarts", "faults", "record", "played", "witness", "state")


def playing(seconds, seed):
    """Presses of both sides in turn, at random intervals, for `edge-player play`."""
    draw = random.Random(seed)
    lines, played, side = [], 0, "white"
    while played < seconds * 1_000_000:
        wait, hold = draw.randrange(80_000, 600_000), draw.randrange(20_000, 120_000)
        lines += [f"{wait} {LINES[side]} 1", f"{hold} {LINES[side]} 0"]
        played += wait + hold
        side = record.OTHER[side]
    return "\n".join(lines)


def play(how, count, seed):
    """A script that plays a game in which this happens so often. It leaves FILES in /tmp."""
    return script(GAME + f"""
        is_up
        cat >/tmp/moves <<'END'
{playing(count * 2 + 2, seed)}
END
        new_game {record.CONTROL}
        systemctl reset-failed clockd
        systemctl show -P NRestarts clockd >/tmp/restarts
        clock-guest witness >/tmp/witness & witness=$!
        edge-player play $LINES --active-low </tmp/moves >/tmp/played & player=$!
        clock-guest replace {how} $LINES {LINES["call"]} --count {count} --seed {seed} >/tmp/faults
        wait $player
        sleep 1
        unwritten() {{ property Health UncommittedEntries; }}
        until_prints 'uint64 0' unwritten
        kill $witness
        echo $(($(systemctl show -P NRestarts clockd) - $(</tmp/restarts))) >/tmp/restarts
        clockctl status --json >/tmp/state
        clock-guest record >/tmp/record
    """)


def check(case, files, count, tick=0):
    """Checks that every press outside the gaps is on record once and that all times are exact. Returns the longest
    time that a replacement took, in nanoseconds.

    `tick`: how late the kernel may handle a simulated interrupt, in nanoseconds.
    """
    restarts, faults, game, played, witness, state = (files(name) for name in FILES)
    faults, witness, (state,) = objects(faults), objects(witness), objects(state)
    case.assertEqual((int(restarts), len(faults)), (count, count))
    _, *entries = map(json.loads, game.splitlines())
    accounts = record.check(case, entries)

    played = [move for move in moves(played) if move.level]
    gaps = [(fault["happened"] - UNDECIDED - tick, fault["back"]) for fault in faults]
    found = record.presses(entries, entries[-1]["boot"])
    in_gaps = 0
    for move in played:
        matching = [press for press in found
                    if press[0] == move.line and move.before <= press[1] <= move.after + tick]
        if any(begin <= move.after and move.before <= end for begin, end in gaps):
            in_gaps += 1
            case.assertLessEqual(len(matching), 1, move)
        else:
            case.assertEqual(len(matching), 1, move)
        for press in matching:
            found.remove(press)
    case.assertEqual(found, [], "presses that nobody made")

    for seen in witness:
        account = accounts[last_entry(entries, seen["at"])]
        case.assertEqual((seen["white"], seen["black"], *seen["moves"]), account.shown(seen["at"]), seen)
    shown = accounts[entries[-1]["entry"]].shown(state["at_ns"])
    case.assertEqual((state["phase"], state["white"]["remaining_ns"], state["black"]["remaining_ns"]),
                     ("running", *shown[:2]))

    restarted = [record.gap(entry) for entry in entries if entry["kind"] == "restarted"]
    case.assertEqual(len(restarted), count)
    for fault, gap in zip(faults, restarted):
        case.assertLess(gap["since_ns"], fault["happened"] + tick)
        case.assertLess(fault["happened"] - gap["since_ns"], LAST_LOOK)
        case.assertLess(fault["happened"], gap["at_ns"])
        case.assertLess(gap["at_ns"], fault["back"])
    longest = max(fault["back"] - fault["happened"] for fault in faults)
    print(f"{count} times: {len(played)} presses, the {len(played) - in_gaps} outside the gaps are on record, "
          f"{len(witness)} states seen, all exact to the nanosecond; longest gap {longest / 1e6:.0f} ms ", end="")
    return longest


def last_entry(entries, at):
    """The number of the last entry that has happened at this instant."""
    return max(entry["entry"] for entry in entries if entry["state"]["at_ns"] <= at)
