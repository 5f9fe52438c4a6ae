"""Which came first, and what was a press: judged by the kernel's stamps, not by the clock."""

import unittest

from board import CAPTURE, LINES, PRESS, captured, journal, objects, script
from machine import Machine

DUELS = 1000
TRACES = 2000


class Timing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = Machine(icount=True).__enter__()
        cls.addClassCleanup(cls.machine.__exit__)

    def test_a_press_against_a_flag(self):
        """A press stamped before the flag instant is in time, one at it or after is not."""
        self.machine.run(script(CAPTURE + f"""
            until_prints ready clockctl status
            capture duel
            runuser -u root -g arbiter -- clock-guest duel $LINES {LINES["white"]} --count {DUELS} >/tmp/duels
            stop_capture
        """), seconds=900)
        duels = objects(self.machine.run("cat /tmp/duels"))
        stamps = [edge.stamp for edge in captured(self.machine.run("cat /tmp/duel"))
                  if edge.line == "white" and edge.active]
        self.assertEqual(len(duels), DUELS)
        # The aiming comes first and is not told.
        stamps = stamps[-DUELS:]
        distances = [stamp - duel["flag"] for stamp, duel in zip(stamps, duels)]
        for stamp, duel in zip(stamps, duels):
            self.assertLessEqual(duel["before"], stamp)
            self.assertLessEqual(stamp, duel["after"])
            self.assertEqual(duel["in_time"], stamp < duel["flag"], (stamp, duel))
            if duel["in_time"]:
                self.assertEqual(duel["press"], stamp)
            else:
                self.assertEqual(duel["flag_fell"], duel["flag"])
        early = sum(distance < 0 for distance in distances)
        near = [distance for distance in distances if abs(distance) <= 5_000]
        print(f"\n{early} before the flag, {DUELS - early} at or after it, {len(near)} within 5 µs, "
              f"nearest {min(map(abs, distances))} ns, farthest {max(map(abs, distances))} ns ", end="")
        self.assertGreaterEqual(min(early, DUELS - early), 300)
        self.assertGreaterEqual(len(near), 50)
        self.assertLessEqual(max(map(abs, distances)), 150_000)

    def test_b_bouncing_contacts(self):
        """Traces of the corpus, played on the kernel: every press once, dated at its first edge."""
        self.machine.run(script(f"""
            runuser -u alice -- clockctl status | grep -q '^running' && runuser -u alice -- clockctl pause -q
            runuser -u alice -- clockctl new --control classical -q || true
            CURSOR=$(journalctl --show-cursor -n 0 | sed 's/-- cursor: //')
            clock-finger bounce $LINES --seed 20261121 --count {TRACES} --active-low \\
                --lines {LINES["white"]},{LINES["black"]} >/tmp/traces
            sleep 1
            journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" \\
                MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED} >/tmp/presses
        """), seconds=900)
