"""Presses against flags, and bouncing contacts. The kernel's stamps decide what is right."""

import bounces
import races
from board import CAPTURE, captured, objects, script
from machine import MachineTest

RACES = 1000
TRACES = 2000


class TimingV2(MachineTest):
    uapi = "v2"

    def test_a_press_against_a_flag(self):
        """A press stamped before the flag's instant is in time; one at that instant or later is not."""
        self.machine.run(script(CAPTURE + races.run(RACES)), seconds=900)
        pairs = races.check(self, objects(self.read("races")), captured(self.read("race")), RACES)
        self.assertEqual(len(pairs), RACES)
        distances = [edge.stamp - race["flag"] for race, edge in pairs]
        early = sum(distance < 0 for distance in distances)
        near = [distance for distance in distances if abs(distance) <= 5_000]
        print(f"\n{early} before the flag, {RACES - early} at or after it, {len(near)} within 5 µs, "
              f"nearest {min(map(abs, distances))} ns, farthest {max(map(abs, distances))} ns ", end="")
        self.assertGreaterEqual(min(early, RACES - early), 300)
        self.assertGreaterEqual(len(near), 50)
        self.assertLessEqual(max(map(abs, distances)), 150_000)

    def test_b_bouncing_contacts(self):
        """Traces of the corpus, played on the kernel: every press counts once, dated at its first edge."""
        self.machine.run(script(bounces.run(TRACES)), seconds=900)
        bounces.check(self, objects(self.read("traces")), self.read("presses"), TRACES)


class TimingV1(TimingV2):
    uapi = "v1"
