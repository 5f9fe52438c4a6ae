"""A machine with four processors, on which every edge reaches its queue late.

The interrupt threads of the lines are bound to processor 1. Whenever an edge is made, a program with
SCHED_FIFO 60 uses that processor: the edge gets its stamp at once, in the hard interrupt on another
processor, and is queued only when the program ends. Meanwhile the clock loop runs on a third one.
"""

import bisect
import json

import bounces
import game
import races
from board import CAPTURE, captured, objects, script
from machine import MachineTest

# Presses come late on processors that take turns, so most are after the flag. Of those before it, only the
# level saves more than this many.
RACES, SAVED = 200, 20
TRACES = 400
# Shorter than N (1 ms): a contact that closes and opens within the delay is one record, to inactive, and no
# clock can tell such a press from a glitch.
HOLD_UP_US = 600
# daemon/rt/src/rt/mod.rs
EDGE_DELIVERY_WINDOW = 100_000
# strace writes down when a read began and stops the loop there, so an edge can come after that instant.
READ_ERROR = 1_000_000
# The interrupt's thread runs at most so long after the load.
THREAD_DELAY = 200_000

# `hold_up` binds the interrupt threads to processor 1 and everything else of the script to the others, and
# starts the load, which reads its spans from /tmp/spans and writes those it kept to /tmp/load.
HOLD_UP = """
hold_up() {
    local thread comm
    for comm in $(grep -lsE '^irq/[0-9]+-clockd' /proc/[0-9]*/comm); do
        thread=$(cut -d/ -f3 <<<$comm)
        taskset -pc 1 $thread
    done
    taskset -pc 0,2,3 $$
    rm -f /tmp/spans
    mkfifo /tmp/spans
    # What a failed script leaves running would keep its output open.
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    taskset -c 1 edge-player cpu-load --fifo 60 </tmp/spans >/tmp/load & LOAD=$!
    # By how much the wall clock is ahead. Time passes between two readings, so the largest difference of
    # many is the exact one.
    python3 -c 'import time; print(max(time.time_ns() - time.monotonic_ns() for _ in range(200)))' >/tmp/wall
}
"""


class FourProcessorsV2(MachineTest):
    processors = 4
    uapi = "v2"

    def run_held_up(self, text, seconds=900):
        self.machine.run(script("fresh-clock; until_prints ready clockctl status"))
        self.machine.run(script(CAPTURE + HOLD_UP + "hold_up\n" + text + "\nwait $LOAD\n"), seconds)
        self.loads = sorted(tuple(map(int, line.split())) for line in self.read("load").splitlines())

    def load_at(self, instant):
        """The span of the load that this instant is in."""
        place = bisect.bisect_right(self.loads, (instant, 1 << 63)) - 1
        return self.loads[place] if place >= 0 and instant < self.loads[place][1] else None

    def check_that_edges_came_late(self, edges):
        """At least two of three edges were made during a load and read only after it."""
        wall = int(self.read("wall"))
        late = []
        for edge in edges:
            load = self.load_at(edge.stamp)
            if load and edge.read - wall + READ_ERROR > load[1]:
                late.append(edge.read - wall - edge.stamp)
        late.sort()
        self.assertGreaterEqual(len(late), len(edges) * 2 // 3)
        print(f"\n{len(late)} of {len(edges)} edges held up, and read {late[0] / 1000:.0f} to "
              f"{late[-1] / 1000:.0f} µs after their stamps, median {late[len(late) // 2] / 1000:.0f} µs ", end="")

    def test_a_four_processors_take_part(self):
        self.assertEqual(self.machine.run("nproc").strip(), "4")
        self.assertIn("PREEMPT_RT", self.machine.run("uname -v"))

    def test_b_a_game(self):
        """Every time used is the difference of the stamps, to the nanosecond."""
        self.run_held_up(game.part(400, "--load-spans /tmp/spans"))
        status = json.loads(self.read("state"))
        game.check(self, self.read("played"), self.read("game"), self.read("journal"), status)
        self.check_that_edges_came_late(captured(self.read("game")))

    def test_c_a_press_against_a_flag(self):
        """The stamp decides, although the loop sees the edge up to 10 ms after the flag's instant."""
        self.run_held_up("""
            clockctl watch --json | /usr/local/lib/clock-tests/load-spans >/tmp/spans & WATCH=$!
        """ + races.run(RACES) + """
            kill $WATCH
        """)
        pairs = races.check(self, objects(self.read("races")), captured(self.read("race")), RACES)
        self.assertGreaterEqual(len(pairs), RACES // 2)
        self.check_that_edges_came_late([edge for _, edge in pairs])
        # Of these the loop had no edge when the flag was due, and could have decided it. Only the level told.
        wall = int(self.read("wall"))
        saved = sum(race["in_time"] and edge.read - wall > race["flag"] + EDGE_DELIVERY_WINDOW
                    for race, edge in pairs)
        early = sum(race["in_time"] for race, _ in pairs)
        print(f"\n{early} before the flag, {RACES - early} at or after it; "
              f"{saved} presses in time only because of the level ", end="")
        self.assertGreater(saved, SAVED)
        self.assertGreater(RACES - early, SAVED)

    def test_d_bouncing_contacts(self):
        """Every press counts once, dated at its first contact, or when the interrupt's thread ran at last."""
        self.run_held_up(bounces.run(TRACES, f"--load-spans /tmp/spans --load-us {HOLD_UP_US}"))
        # The processors take turns, so many contacts are made too late to be those that were drawn.
        late = bounces.check(self, objects(self.read("traces")), self.read("presses"), TRACES,
                             self.held_until, least=0.4)
        merged = sum(delay > 0 for delay in late)
        print(f"\n{merged} presses dated later than their first contact, at most {max(late) / 1e6:.2f} ms ", end="")
        # Bounces that came while the thread was held up are one record.
        self.assertGreater(merged, len(late) // 10)

    def held_until(self, instant):
        """The latest instant at which the thread ran for an edge made at `instant`. A load that begins before
        the thread has run holds it up again."""
        end = instant
        for began, ended in self.loads[max(0, bisect.bisect_right(self.loads, (instant, 1 << 63)) - 1):]:
            if began > end + THREAD_DELAY:
                break
            end = max(end, ended)
        return end + THREAD_DELAY


class FourProcessorsV1(FourProcessorsV2):
    uapi = "v1"
