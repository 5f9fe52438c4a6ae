"""The clock is killed, hangs or spins in a running game. systemd replaces it, and no time is won or lost.

Nothing of the clock says what is right: the buttons are moved by `edge-player`, which prints when; a witness asks
the clock for its state all the time; `record.Account` computes the times from the presses alone.
"""

import os
import random

import record
from board import GAME, LINES, moves, objects, script
from machine import MachineTest

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ
KILLS = 60 if NIGHTLY else 15
HANGS = 20 if NIGHTLY else 6
SPINS = 5 if NIGHTLY else 2

# A press that closes less than this before the end of the clock may not be decided yet: the debounce takes 1 ms,
# and the loop 0.1 ms.
UNDECIDED = 5_000_000
# How old the last sign of life can be: clockd looks at its loop every 100 ms, and may just be about to.
LAST_LOOK = 150_000_000


def playing(seconds, seed):
    """Presses of both sides in turn, at random intervals, for `edge-player play`."""
    draw = random.Random(seed)
    lines, played, side = [], 0, "white"
    while played < seconds * 1_000_000:
        wait, hold = draw.randrange(80_000, 600_000), draw.randrange(20_000, 120_000)
        lines += [f"{wait} {LINES[side]} 1", f"{hold} {LINES[side]} 0"]
        played += wait + hold
        side = {"white": "black", "black": "white"}[side]
    return "\n".join(lines)


class Restart(MachineTest):
    def run_faults(self, how, count, seed):
        """Plays a game in which this happens so often. Returns when, and the game's entries."""
        line = LINES["call"]
        self.machine.run(script(GAME) + script(f"""
            is_up
            cat >/tmp/moves <<'END'
{playing(count * 4, seed)}
END
            new_game {record.CONTROL}
            systemctl show -P NRestarts clockd >/tmp/restarts
            clock-guest witness >/tmp/witness & witness=$!
            edge-player play $LINES --active-low </tmp/moves >/tmp/played & player=$!
            clock-guest replace {how} $LINES {line} --count {count} --seed {seed} >/tmp/faults
            sleep 2
            kill $player
            wait $player || true
            sleep 1
            recorded() {{ property Health UncommittedEntries; }}
            until_prints 'uint64 0' recorded
            kill $witness
            echo $(($(systemctl show -P NRestarts clockd) - $(</tmp/restarts))) >/tmp/restarts
            clockctl status --json >/tmp/state
        """), seconds=60 + 60 * count)
        self.assertEqual(int(self.read("restarts")), count)
        faults = objects(self.read("faults"))
        self.assertEqual(len(faults), count)
        _, entries = record.read(self.machine)
        self.check_game(faults, entries)
        return faults, entries

    def check_game(self, faults, entries):
        """Checks that every press outside the gaps is on record once and that all times are exact."""
        accounts = record.check(self, entries)
        played = [move for move in moves(self.read("played")) if move.level]
        gaps = [(fault["happened"] - UNDECIDED, fault["back"]) for fault in faults]
        found = record.presses(entries, entries[-1]["boot"])
        in_gaps = 0
        for move in played:
            matching = [press for press in found
                        if press[0] == move.line and move.before <= press[1] <= move.after]
            if any(begin <= move.after and move.before <= end for begin, end in gaps):
                in_gaps += 1
                self.assertLessEqual(len(matching), 1, move)
            else:
                self.assertEqual(len(matching), 1, move)
            for press in matching:
                found.remove(press)
        self.assertEqual(found, [], "presses that nobody made")

        seen = objects(self.read("witness"))
        for state in seen:
            account = self.account_at(accounts, entries, state["at"])
            self.assertEqual((state["white"], state["black"], *state["moves"]), account.shown(state["at"]), state)
        state, = objects(self.read("state"))
        shown = accounts[entries[-1]["entry"]].shown(state["at_ns"])
        self.assertEqual((state["phase"], state["white"]["remaining_ns"], state["black"]["remaining_ns"]),
                         ("running", *shown[:2]))

        restarts = [entry for entry in entries if entry["kind"] == "restarted"]
        self.assertEqual(len(restarts), len(faults))
        for fault, entry in zip(faults, restarts):
            gap = entry["input"]["Restarted"]
            self.assertLess(gap["since"], fault["happened"])
            self.assertLess(fault["happened"] - gap["since"], LAST_LOOK)
            self.assertLess(fault["ended"], gap["at"])
            self.assertLess(gap["at"], fault["back"])
        longest = max(fault["back"] - fault["happened"] for fault in faults)
        print(f"{len(faults)} times: {len(played)} presses, the {len(played) - in_gaps} outside the gaps are on record, "
              f"{len(seen)} states seen, all exact to the nanosecond; longest gap {longest / 1e6:.0f} ms ", end="")

    @staticmethod
    def account_at(accounts, entries, at):
        """The account after the last entry that has happened at this instant."""
        last = entries[0]["entry"]
        for entry in entries:
            if entry["state"]["at_ns"] <= at:
                last = entry["entry"]
        return accounts[last]

    def test_a_killed(self):
        """Every press that was decided is on record; the game goes on; the gap is on record."""
        self.run_faults("kill", KILLS, 1)

    def test_b_the_loop_hangs(self):
        """It is replaced within a second of the first press that it does not read, every time."""
        self.replaced("hang", HANGS, 2)

    def test_c_the_loop_spins(self):
        """It uses the only processor with its real-time priority. The kernel ends it, and systemd replaces it."""
        self.replaced("spin", SPINS, 3)

    def replaced(self, how, count, seed):
        faults, _ = self.run_faults(how, count, seed)
        for fault in faults:
            self.assertLess(fault["back"] - fault["happened"], record.SECOND, fault)
