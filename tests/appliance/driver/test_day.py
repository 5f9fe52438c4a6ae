"""A part of a day of blitz, played as fast as a hand can: is the clock as quick at its end as at its beginning?"""

import day
from board import script
from machine import MachineTest

SECONDS, GAP_MS = 900, 200


class Day(MachineTest):
    def test_memory_descriptors_and_latencies_stay(self):
        self.machine.run(script(f"""
            until_prints ready clockctl status
            {day.PROGRAM} $LINES {SECONDS} {GAP_MS} /tmp/samples
        """), seconds=7200)
        self.assertEqual(day.report(day.samples(self.read("samples"))), [])
