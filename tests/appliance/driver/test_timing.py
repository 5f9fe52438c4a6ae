"""Presses against flags, and bouncing contacts. The kernel's stamps decide what is right."""

from board import CAPTURE, IGNORED, LINES, PRESS, SIDES, captured, journal, objects, script
from machine import MachineTest

RACES = 1000
TRACES = 2000
SEED = 20261121


class Timing(MachineTest):
    def test_a_press_against_a_flag(self):
        """A press stamped before the flag's instant is in time; one at that instant or later is not."""
        self.machine.run(script(CAPTURE + f"""
            until_prints ready clockctl status
            capture race
            runuser -u root -g arbiter -- clock-guest flag-race $LINES {LINES["white"]} --count {RACES} >/tmp/races
            stop_capture
        """), seconds=900)
        races = objects(self.machine.run("cat /tmp/races"))
        stamps = [edge.stamp for edge in captured(self.machine.run("cat /tmp/race"))
                  if edge.line == "white" and edge.active]
        self.assertEqual(len(races), RACES)
        # The presses that only calibrate come first and are not reported.
        stamps = stamps[-RACES:]
        distances = [stamp - race["flag"] for stamp, race in zip(stamps, races)]
        for stamp, race in zip(stamps, races):
            self.assertLessEqual(race["before"], stamp)
            self.assertLessEqual(stamp, race["after"])
            self.assertEqual(race["in_time"], stamp < race["flag"], (stamp, race))
            if race["in_time"]:
                self.assertEqual(race["press"], stamp)
            else:
                self.assertEqual(race["flag_fell"], race["flag"])
        early = sum(distance < 0 for distance in distances)
        near = [distance for distance in distances if abs(distance) <= 5_000]
        print(f"\n{early} before the flag, {RACES - early} at or after it, {len(near)} within 5 µs, "
              f"nearest {min(map(abs, distances))} ns, farthest {max(map(abs, distances))} ns ", end="")
        self.assertGreaterEqual(min(early, RACES - early), 300)
        self.assertGreaterEqual(len(near), 50)
        self.assertLessEqual(max(map(abs, distances)), 150_000)

    def test_b_bouncing_contacts(self):
        """Traces of the corpus, played on the kernel: every press counts once, dated at its first edge."""
        self.machine.run(script(f"""
            [[ $(clockctl status) != running* ]] || arbiter pause -q
            arbiter new --force --control g90-30 -q
            CURSOR=$(journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p')
            edge-player bounce $LINES --seed {SEED} --count {TRACES} --active-low \\
                --lines {LINES["white"]},{LINES["black"]} >/tmp/traces
            sleep 1
            journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" \\
                MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED} >/tmp/presses
        """), seconds=900)
        traces = objects(self.machine.run("cat /tmp/traces"))
        found = sorted((int(entry["AT_NSEC"]), entry["SIDE"])
                       for entry in journal(self.machine.run("cat /tmp/presses")))
        self.assertEqual(len(traces), TRACES)
        # A trace that the player could not play in time is not the trace that was drawn.
        kept = [trace for trace in traces if trace["kept"]]
        self.assertGreaterEqual(len(kept), TRACES * 9 // 10)
        starts = [trace["start_ns"] for trace in traces] + [1 << 63]
        presses = 0
        for trace, start, end in zip(traces, starts, starts[1:]):
            if not trace["kept"]:
                continue
            wanted = [(SIDES[press["line"]], press["before_ns"], press["after_ns"])
                      for press in trace["presses"]]
            got = [(side, at) for at, side in found if start <= at < end]
            self.assertEqual(sorted(side for side, _, _ in wanted), sorted(side for side, _ in got), trace)
            for side, before, after in wanted:
                self.assertTrue(any(side == other and before <= at <= after for other, at in got),
                                (trace, got))
            presses += len(wanted)
        classes = sorted({trace["class"] for trace in kept})
        print(f"\n{len(kept)} traces of {TRACES} played true, {presses} presses, {len(classes)} classes: "
              f"{', '.join(classes)} ", end="")
