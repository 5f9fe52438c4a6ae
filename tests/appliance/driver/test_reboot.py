"""An orderly reboot, in every phase in which no clock runs: the state is back."""

import unittest

import record
from board import GAME, LINES, objects, script
from disk import Disk
from machine import Machine

PHASES = {
    "ready": f"arbiter new --force --control {record.CONTROL} --white Ann --black Bob -q",
    "paused": f"new_game {record.CONTROL}; tap {LINES['white']}; sleep 1; tap {LINES['black']}; arbiter pause -q",
    "ruling": f"""
        printf 'name = "short"\\nafter_flag = "halt"\\n[[period]]\\ntime = "2s"\\n' >/tmp/short.toml
        new_game /tmp/short.toml
        until_prints '^ruling' clockctl status
    """,
    "over": f"new_game {record.CONTROL}; tap {LINES['white']}; arbiter pause -q; arbiter result 1-0 --reason mate -q",
}


class Reboot(unittest.TestCase):
    maxDiff = None

    def test_the_state_is_back(self):
        """Everything that `clockctl status` shows is as before, without a fault."""
        disk = Disk()
        self.addCleanup(disk.close)
        before = None
        for phase, makes in [*PHASES.items(), (None, "")]:
            with Machine(record=disk) as machine:
                machine.run(script(GAME + "is_up; no_faults"))
                if before:
                    self.assertEqual(self.state(machine), before)
                if not phase:
                    break
                machine.run(script(GAME + makes))
                before = self.state(machine)
                self.assertEqual(before["phase"], phase)
                machine.turn_off()

    @staticmethod
    def state(machine):
        state, = objects(machine.run("clockctl status --json"))
        return {key: value for key, value in state.items() if key not in ("at_ns", "sequence")}
