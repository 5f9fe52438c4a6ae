"""A USB stick in the model of the Raspberry Pi 3: the unit of the backup under systemd, the FAT file system of a stick, and a
stick whose medium is gone while it is written. QEMU itself ends if the stick is pulled out then."""

import json
import time
import unittest

from raspberry_pi import PI_3, RaspberryPi
from test_card import PATIENCE

# Connects to a socket as clockd does, which is the request, and prints the answer.
CLIENT = "my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die; $socket->shutdown(1); print while <$socket>"
# The request of the menu for a backup.
REQUEST = f"runuser -u chess-clock -- perl -MIO::Socket::UNIX -e '{CLIENT}' /run/chess-clock-backup.socket"

# So many files of 8,000 bytes make a backup that is written for a while.
MANY = 1500


class StickTest(unittest.TestCase):
    """A machine with a stick that can be plugged in."""

    @classmethod
    def setUpClass(cls):
        machine = RaspberryPi(PI_3, has_stick=True)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(cls.machine.__exit__)
        cls.machine.attempt("systemctl is-system-running --wait", PATIENCE)
        cls.run_in_guest("runuser -u arbiter -- clockctl new 3+2 --white Anna --black Bo")

    @classmethod
    def run_in_guest(cls, script):
        return cls.machine.run("set -e\n" + script, PATIENCE)

    def answer(self, command=REQUEST):
        return json.loads(self.run_in_guest(command))

    def status(self):
        return json.loads(self.run_in_guest("runuser -u arbiter -- clockctl status --json"))

    def wait_for_stick(self, is_there):
        test = "" if is_there else "!"
        self.run_in_guest(f"""
            for attempt in {{1..300}}; do {test} ls /dev/sd?1 >/dev/null 2>&1 && exit; sleep 0.1; done
            lsblk; dmesg | tail -20; exit 1
        """)


class Stick(StickTest):
    """The tests belong together, in the order of their names."""

    def test_1_without_a_stick_the_answer_says_so(self):
        for command in [REQUEST, "clockctl --json backup list 2>/dev/null || true", "clockctl --json backup load 2>/dev/null || true"]:
            self.assertEqual(self.answer(command)["error"]["code"], "no-stick")

    def test_2_a_backup_is_saved_listed_and_loaded(self):
        self.machine.plug()
        self.wait_for_stick(True)
        saved = self.answer()
        self.assertEqual((saved["stick"], saved["host"]), ("/dev/sda1", "chess-clock"), saved)
        # It is on the medium, and the stick can be pulled out.
        self.assertIn(saved["file"], self.machine.files_of_stick())
        listed = self.answer("clockctl --json backup list")
        self.assertEqual([backup["file"] for backup in listed["backups"]], [saved["file"]], listed)
        self.assertEqual(listed["backups"][0]["games"], saved["games"])

        self.run_in_guest("runuser -u arbiter -- clockctl new 3+2 --force --white Carla --black Dora")
        before = self.run_in_guest("systemctl show --property InvocationID clockd")
        loaded = self.answer("clockctl --json backup load")
        self.assertEqual(loaded["record_before"], "/var/lib/chess-clock/games.replaced-1", loaded)
        self.assertNotEqual(self.run_in_guest("systemctl show --property InvocationID clockd"), before)
        status = self.status()
        self.assertIn("Anna", json.dumps(status))
        self.assertEqual((status["phase"], status["faults"]), ("ready", []))
        failed = self.run_in_guest("systemctl --failed --no-legend --plain; grep chess-clock-stick /proc/mounts || true")
        self.assertEqual(failed, "")
        self.machine.unplug()
        self.wait_for_stick(False)


class MediumGone(StickTest):
    def test_a_stick_whose_medium_is_gone_midway_has_no_backup(self):
        self.run_in_guest(f"""
            head -c 8000 /dev/zero | tr '\\0' '#' >/run/control
            mkdir -p /etc/chess-clock/controls
            for number in {{1..{MANY}}}; do cp /run/control /etc/chess-clock/controls/$number.toml; done
        """)
        self.machine.plug()
        self.wait_for_stick(True)
        self.run_in_guest(f"{REQUEST} >/run/answer 2>&1 &")
        end = time.monotonic() + PATIENCE
        while ".tar.part" not in self.machine.files_of_stick():
            self.assertLess(time.monotonic(), end, "nothing is written to the stick")
            time.sleep(0.1)
        self.machine.eject()
        answer = self.run_in_guest("for attempt in {1..900}; do [ -s /run/answer ] && break; sleep 0.1; done; cat /run/answer")
        self.assertIn(json.loads(answer)["error"]["code"], ("not-saved", "read-only", "unusable-stick"), answer)
        status = self.status()
        self.assertEqual((status["phase"], status["faults"]), ("ready", []))
        # The next request is carried out.
        self.assertIn(self.answer()["error"]["code"], ("no-stick", "unusable-stick"))
