"""The loopback test of `clockctl doctor`: the clock presses its own button.

The wire from the spare line to the button's line is the attribute `pull` of the simulated chip. The last test
drives a spare line of the chip itself, which no wire connects to a button.
"""

import json
import os

from board import LINES, script
from machine import MachineTest

PRESSES = 1000 if os.environ.get("APPLIANCE_NIGHTLY") else 50
# A line of the chip that is no button's.
SPARE = 5


class LoopbackTests:
    """The tests, for a class with a machine. `test_latency.py` has them too, so that they need no boot of their own."""

    def doctor(self, arguments, seconds=600):
        """Runs the test as root. Returns the exit code and the certificate or the message."""
        said = self.machine.run(script(f"""
            until_prints ready clockctl status
            code=0
            clockctl doctor --loopback --json {arguments} >/tmp/certificate 2>/tmp/message || code=$?
            echo $code
        """), seconds)
        return int(said.split()[-1]), self.read("certificate") or self.read("message")

    def test_loopback_certificate(self):
        self.machine.run("fresh-clock")
        pull = f"pull:$LINES/sim_gpio{LINES['black']}/pull"
        code, text = self.doctor(f"--line {pull} --button black --presses {PRESSES} --seed 7")
        self.assertEqual(code, 0, text)
        certificate = json.loads(text)
        print(f"\n{certificate}", end="")
        counts = [certificate[key] for key in ("presses", "lost", "unexpected")]
        self.assertEqual(counts, [PRESSES, 0, 0])
        # The kernel stamps the edge within the call that moves the line, or an instant after it.
        self.assertLessEqual(certificate["stamp_error"]["max_ns"], 5_000)
        self.assertGreaterEqual(certificate["decision_latency"]["min_ns"], certificate["settle_ns"])
        self.assertTrue(certificate["real_time"])
        said = self.machine.run(script("clockctl status; clockctl log --games"))
        self.assertIn("ready", said)
        # The presses are in no game: a press of Black's button would have started this one.
        self.assertEqual(self.machine.run(script(f"tap {LINES['black']}; clockctl status")).split()[0], "running:")

    def test_loopback_without_a_wire(self):
        self.machine.run("fresh-clock")
        code, text = self.doctor(f"--line {SPARE} --button black --presses 3 --seed 7")
        self.assertEqual(code, 8, text)
        self.assertEqual(json.loads(text)["lost"], 3)

    def test_loopback_without_root(self):
        self.machine.run("fresh-clock")
        said = self.machine.run(script(f"""
            until_prints ready clockctl status
            arbiter doctor --loopback --line {SPARE} --button black 2>&1 || echo code $?
        """))
        self.assertIn("only root may drive a line", said)
        self.assertIn("code 4", said)


class Loopback(LoopbackTests, MachineTest):
    uapi = "v2"
