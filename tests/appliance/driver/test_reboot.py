"""An orderly reboot, in every phase in which no clock runs: the state is back. On User-Mode Linux, where each boot
takes seconds; the record's files are carried from one boot to the next."""

import shutil
import tempfile
import unittest

import record
import user_mode
from board import GAME, LINES, objects, script
from machine import RECORD

PHASES = {
    "ready": f"arbiter new --force --control {record.CONTROL} --rules fide-2023 --white Ann --black Bob -q",
    "paused": f"new_game {record.CONTROL}; tap {LINES['white']}; sleep 1; tap {LINES['black']}; sleep 1; arbiter pause -q",
    "ruling": """
        printf 'name = "short"\\nafter_flag = "halt"\\n[[period]]\\ntime = "2s"\\n' >/tmp/short.toml
        new_game /tmp/short.toml
        until_prints '^ruling' clockctl status
    """,
    "over": f"new_game {record.CONTROL}; tap {LINES['white']}; sleep 1; arbiter pause -q; arbiter result 1-0 --reason mate -q",
}


class Reboot(unittest.TestCase):
    maxDiff = None

    def test_the_state_is_back(self):
        """Everything that `clockctl status` shows is as before. A pause and a ruling have a notice, until the arbiter's
        next command, that the machine was restarted and that the times are unchanged."""
        kept, before = None, None
        for phase, makes in [*PHASES.items(), (None, ":")]:
            folder = tempfile.mkdtemp(prefix="clock-reboot-")
            self.addCleanup(shutil.rmtree, folder)
            if kept:
                shutil.copytree(f"{kept}/kept", f"{folder}/left")
            user_mode.run(script(GAME + f"""
                # The record is there before the clock is, as on a disk.
                if [ -e /mnt/left ]; then
                    systemctl stop clockd
                    rm -rf {RECORD}/games
                    cp -r /mnt/left/games {RECORD}
                    chown -R chess-clock: {RECORD}/games
                    systemctl start clockd
                fi
                is_up
                clockctl status --json
                {makes}
                no_faults
                clockctl status --json
                systemctl stop clockd
                mkdir /mnt/kept
                cp -r {RECORD}/games /mnt/kept
            """), folder, 300)
            with open(f"{folder}/output") as output, open(f"{folder}/status") as status:
                said = output.read()
                self.assertEqual(status.read().strip(), "0", said)
            found, after = objects(said)
            if before:
                told = [fault["code"] for fault in found["faults"]]
                self.assertEqual(told, ["power-cut"] if before["phase"] in ("paused", "ruling") else [])
                self.assertEqual(self.comparable(found), self.comparable(before))
            if phase:
                self.assertEqual(after["phase"], phase)
            kept, before = folder, after

    def comparable(self, value):
        """Without what a reboot changes: instants are on the clock of the new boot, and the version of the texts is a new one."""
        if isinstance(value, list):
            return [self.comparable(part) for part in value]
        if not isinstance(value, dict):
            return value
        return {key: part is not None if key in ("flag_ns", "since_ns") else self.comparable(part)
                for key, part in value.items()
                if key not in ("at_ns", "sequence", "revision", "texts_version", "faults")}
