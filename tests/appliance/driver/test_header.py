"""Presses at the header of the Raspberry Pi, through the real drivers of its lines: contacts of QEMU's models close at exact
instants, and the clock must count each press once, with the stamp of the kernel's hard interrupt.

The model's time and the kernel's monotonic clock run at one rate from different zeros. What a stamp is late by is therefore
compared among the stamps of a test; `doctor --loopback` compares a stamp with the kernel's own clock.
"""

import json
import random
import unittest

from board import IGNORED, LINES, PRESS, SIDES, UNTIL_PRINTS, journal
from game import INCREMENT, START
from raspberry_pi import PI_3, PI_4, RaspberryPi
from test_card import PATIENCE

MILLISECOND = 1_000_000
# Until the first contact closes, so that the guest is idle again.
LEAD = 500 * MILLISECOND
HOLD = 80 * MILLISECOND

# The kernel stamps an edge in the hard interrupt. This comes the same number of instructions after most edges. By so much more, in
# nanoseconds, it comes after half of them at most.
STAMP_SPREAD = 20_000
# The other half: the model's processors take turns in one thread of the host, so the one that is interrupted may have to wait; and a
# contact that bounces before the interrupt's thread has read the edge gives that edge the later stamp. Seen: 0.74 ms.
TURN = 2 * MILLISECOND

PRELUDE = "set -euo pipefail\n" + UNTIL_PRINTS + """
arbiter() { runuser -u arbiter -- clockctl "$@"; }
stop_clocks() { [[ $(clockctl status) != running* ]] || arbiter pause -q || arbiter pause --by white -q; }
health() { busctl --json=short get-property org.chessclock.Clock1 /org/chessclock/Clock1 org.chessclock.Clock1.Health $1; }
counts() { health EdgeLatencyNSec; health LostEdges; health Faults; }
"""

# A game under the FIDE Laws, which the first press starts.
BEGIN = """
stop_clocks
arbiter new --force --control fide-standard --rules fide-2023 -q
until_prints ready clockctl status
journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p' >/run/cursor
counts
"""

# What has come of the presses, after the debounce has decided the last one.
END = f"""
sleep 1
counts
journalctl -u clockd -o json --no-pager --after-cursor "$(cat /run/cursor)" MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED}
"""

# Keeps processor 0 busy at a priority above the interrupt threads, 30 ms in every 100 ms, and those threads on it.
BUSY = """
for thread in $(grep -lsE '^irq/[0-9]+-clockd' /proc/[0-9]*/comm | cut -d/ -f3); do taskset -p 1 $thread; done
cat >/run/busy <<'STOP'
for number in {1..60}; do
    end=$((${EPOCHREALTIME/./} + 30000))
    while ((${EPOCHREALTIME/./} < end)); do :; done
    sleep 0.07
done
STOP
taskset -c 0 chrt -f 90 bash /run/busy >/dev/null 2>&1 &
"""

USE_V1 = """
sed -i 's/^uapi = .*/uapi = "v1"/' /etc/chess-clock/clockd.toml
systemctl restart clockd
descriptors() { ls -l /proc/$(pidof clockd)/fd; }
until_prints gpio-event descriptors
"""

# systemd stops at once and for ever, and its watchdog is no longer fed.
HANG = "kill -ABRT 1"


class HeaderTest:
    """What must be so on every board. The tests are in alphabetical order, because the last one ends the machine."""

    board = None

    @classmethod
    def setUpClass(cls):
        machine = RaspberryPi(cls.board)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(cls.machine.__exit__)
        cls.machine.attempt("systemctl is-system-running --wait", PATIENCE)

    def run_in_guest(self, script):
        return self.machine.run(PRELUDE + script, PATIENCE)

    def play(self, toggles, before="", counts_edges=True):
        """Plays these toggles of contacts in a new game, from an instant when the guest is idle. Returns the levels that came
        of them, the entries of the journal, how many edges the clock has read in each time from stamp to reading, and how many
        it has counted as lost."""
        edges, lost, _ = self.counts(self.run_in_guest(BEGIN + before))
        levels = self.machine.toggle([(LEAD + after, line) for after, line in sorted(toggles)])
        said = self.run_in_guest(END)
        edges_after, lost_after, faults = self.counts(said)
        self.assertEqual(faults, [])
        edges = {bound: count - edges.get(bound, 0) for bound, count in edges_after.items() if count > edges.get(bound, 0)}
        if counts_edges:
            self.assertEqual((sum(edges.values()), lost_after), (len(toggles), lost))
        return levels, presses(said), edges, lost_after - lost

    def counts(self, said):
        edges, lost, faults = (json.loads(line)["data"] for line in said.splitlines() if line.startswith('{"type"'))
        return dict(edges), lost, faults

    def check_stamps(self, made, found):
        """Every press that was made counts once, and is dated at its instant. Prints the spread of the dates."""
        self.assertEqual([side for side, _ in found], [side for side, _ in made])
        late = sorted(at - true for (_, at), (_, true) in zip(found, made))
        half, all_of_them = late[len(late) // 2] - late[0], late[-1] - late[0]
        print(f"\n{len(made)} presses, half of the stamps within {half} ns of each other, all within {all_of_them} ns ", end="")
        self.assertLessEqual(half, STAMP_SPREAD)
        self.assertLessEqual(all_of_them, TURN)

    def play_a_game(self):
        """Every time used is the difference of the stamps, to the nanosecond."""
        instants, at = random.Random(1), 0
        toggles = []
        for number in range(21):
            line = LINES[("black", "white")[number % 2]]
            toggles += [(at, line), (at + HOLD, line)]
            at += instants.randrange(1_000 * MILLISECOND, 3_000 * MILLISECOND)
        levels, entries, edges, _ = self.play(toggles)
        found = [(entry["SIDE"], int(entry["AT_NSEC"])) for entry in entries]
        self.check_stamps(closings(levels), found)
        left = dict.fromkeys(("white", "black"), START + INCREMENT)
        for (_, before), (side, now), entry in zip(found, found[1:], entries[1:]):
            left[side] += INCREMENT - (now - before)
            self.assertEqual((int(entry["REMAINING_NSEC"]), entry["MESSAGE_ID"]), (left[side], PRESS))

    def play_bouncing_contacts(self):
        """2,000 bounces: every press counts once, dated at its first contact."""
        drawn, toggles, firsts, bounces, at = random.Random(2), [], [], 0, 0
        while bounces < 2_000:
            line = LINES[("black", "white")[len(firsts) % 2]]
            firsts.append((SIDES[line], len(toggles)))
            for least in (2, 1):
                toggles.append((at, line))
                for _ in range(2 * drawn.randrange(least, 8)):
                    at += drawn.randrange(30_000, 600_000)
                    toggles.append((at, line))
                    bounces += 1
                at += drawn.randrange(60, 100) * MILLISECOND
        levels, entries, *_ = self.play(toggles, counts_edges=False)
        self.assertEqual(len(levels), len(toggles))
        made = [(side, levels[index].at) for side, index in firsts]
        self.check_stamps(made, [(entry["SIDE"], int(entry["AT_NSEC"])) for entry in entries])
        print(f"with {bounces} bounces ", end="")

    def test_a_the_driver_switches_the_pull_ups_on(self):
        """Before it does, the lines have the pull-down resistors of the reset, and nothing else drives them."""
        first = {}
        for level in self.machine.levels():
            first.setdefault(level.line, level.level)
        self.assertEqual([first.get(line) for line in LINES.values()], [1, 1, 1])
        self.assertNotIn(26, first)

    def test_b_a_game(self):
        self.play_a_game()

    def test_c_bouncing_contacts(self):
        self.play_bouncing_contacts()

    def test_d_two_lines_in_the_same_instant(self):
        """One interrupt has both edges, and no press is lost. The driver handles the lower line first: White's."""
        sides = ("white", "black")
        lines = [LINES[side] for side in sides]
        toggles = [(0, LINES["black"]), (HOLD, LINES["black"])]
        for at in (1_000 * MILLISECOND, 1_000 * MILLISECOND + HOLD):
            toggles += [(at, line) for line in lines]
        levels, entries, *_ = self.play(toggles)
        self.assertEqual(levels[2].at, levels[3].at)
        self.check_stamps(closings(levels), [(entry["SIDE"], int(entry["AT_NSEC"])) for entry in entries])

    def test_e_a_lost_edge(self):
        """BCM2711 can lose the edge of a line while that of another one is acknowledged. The level still tells, and the press
        is not lost. It is dated when the clock first sees the level."""
        white, black = LINES["white"], LINES["black"]
        self.machine.toggle_unseen(black)
        toggles = [(0, white), (HOLD, white), (2 * HOLD, black)]
        _, entries, edges, lost = self.play(toggles, counts_edges=False)
        self.assertEqual([entry["SIDE"] for entry in entries], ["white", "black"])
        self.assertEqual((sum(edges.values()), lost), (3, 1))
        first, second = (int(entry["AT_NSEC"]) for entry in entries)
        self.assertLess(second - first, MILLISECOND)

    def test_f_the_stamp_is_that_of_the_hard_interrupt(self):
        """The interrupt's thread cannot run for up to 30 ms. Edges are read as late as that, and stamped as before."""
        instants, toggles, at = random.Random(3), [], 0
        for number in range(40):
            line = LINES[("black", "white")[number % 2]]
            at += instants.randrange(100 * MILLISECOND, 140 * MILLISECOND)
            toggles += [(at, line), (at + 60 * MILLISECOND, line)]
        levels, entries, edges, _ = self.play(toggles, BUSY)
        print(f"\nedges by the time until they were read: {edges}", end="")
        self.assertGreaterEqual(max(edges), 10 * TURN)
        self.check_stamps(closings(levels), [(entry["SIDE"], int(entry["AT_NSEC"])) for entry in entries])

    def test_g_the_clock_presses_its_own_button(self):
        """A wire from a spare line of the header to Black's. The stamps are compared with the kernel's clock: the verb fails if one
        is wrong by more than a millisecond."""
        self.machine.connect(5, LINES["black"])
        self.run_in_guest(BEGIN + """
            clockctl doctor --loopback --json --line 5 --button black --presses 50 --seed 7 >/run/certificate
        """)
        certificate = json.loads(self.run_in_guest("cat /run/certificate"))
        print(f"\nstamp error: {certificate['stamp_error']}", end="")
        self.assertEqual([certificate[key] for key in ("presses", "lost", "unexpected")], [50, 0, 0])

    def test_h_the_first_version_of_the_kernels_interface(self):
        self.run_in_guest(USE_V1)
        self.play_a_game()
        self.play_bouncing_contacts()

    def test_i_the_watchdog_resets_a_board_that_hangs(self):
        self.assertIn("Broadcom BCM2835", self.run_in_guest("cat /sys/class/watchdog/watchdog0/identity"))
        # systemd has fed it all the time.
        self.assertEqual(self.machine.reset_after(HANG), "guest-reset")
        # A panic would be another reason for a reset.
        self.assertNotIn("panic", self.machine.console()[-3000:])


def presses(said):
    return journal("\n".join(line for line in said.splitlines() if line.startswith('{"') and "MESSAGE_ID" in line))


def closings(levels):
    return [(SIDES[level.line], level.at) for level in levels if not level.level]


class Pi3(HeaderTest, unittest.TestCase):
    board = PI_3


class Pi4(HeaderTest, unittest.TestCase):
    board = PI_4
