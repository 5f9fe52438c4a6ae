"""The card for a Raspberry Pi in QEMU's models of the boards, with their real drivers of the header's lines."""

import json
import os
import re
import time
import unittest

from board import LINES, UNTIL_PRINTS
from console_face import read_times
from picture import Unreadable, shown
from raspberry_pi import PI_3, PI_4, RaspberryPi

# How long the guest may take for a boot's services, in seconds of QEMU's processor time.
PATIENCE = 600

# Where the time of the boot went, on the guest's clock.
TIMES = """
dmesg | grep -E 'Run /init|systemd\\[1\\]: systemd |re-mounted'
systemd-analyze time
systemctl show --property Id,ActiveEnterTimestampMonotonic dbus.socket clockd clock-display-console ssh chrony
systemd-analyze critical-chain --no-pager clockd.service
systemd-analyze critical-chain --no-pager multi-user.target
systemd-analyze blame --no-pager | head -25
"""


class CardTest:
    """What must be so on every board."""

    board = None

    @classmethod
    def setUpClass(cls):
        machine = RaspberryPi(cls.board)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(cls.machine.__exit__)
        cls.state = cls.machine.attempt("systemctl is-system-running --wait", PATIENCE)[1].strip()
        keep(cls.__name__ + ".txt", cls.machine.attempt(TIMES, PATIENCE)[1].encode())

    def run_in_guest(self, script):
        return self.machine.run(script, PATIENCE)

    def test_the_system_runs(self):
        failed = self.run_in_guest("systemctl --failed --no-legend --plain; systemctl list-jobs --no-legend")
        self.assertEqual(self.state, "running", failed)

    def test_the_kernel_is_the_real_time_one(self):
        self.assertEqual(self.run_in_guest("cat /sys/kernel/realtime").strip(), "1")

    def test_the_chip_has_the_label_of_the_board(self):
        labels = re.findall(r"\[(.*)\] \(\d+ lines\)", self.run_in_guest("gpiodetect"))
        self.assertIn(self.board.chip, labels)

    def test_the_clock_holds_three_lines_with_pull_up(self):
        held = {}
        for line in self.run_in_guest("gpioinfo").splitlines():
            found = re.match(r"\s+line\s+(\d+):.*consumer=\"?clockd\"?", line)
            if found:
                held[int(found[1])] = set(line.split())
        self.assertEqual(set(held), set(LINES.values()))
        for line, words in held.items():
            self.assertLessEqual({"input", "active-low", "bias=pull-up", "edges=both"}, words, line)

    def test_the_clock_is_ready_and_has_no_fault(self):
        status = json.loads(self.run_in_guest("runuser -u arbiter -- clockctl status --json"))
        self.assertEqual((status["phase"], status["faults"]), ("ready", []))

    def test_the_record_is_on_the_partition_for_it(self):
        label = self.run_in_guest("findmnt --noheadings --output LABEL --target /var/lib/chess-clock/games")
        self.assertEqual(label.strip(), "clock-data")

    def test_a_file_of_the_boot_partition_is_on_the_card_when_it_is_closed(self):
        self.run_in_guest("echo written >/boot/firmware/written.txt")
        self.assertEqual(self.machine.boot_file("written.txt"), b"written\n")

    def test_ssh_takes_keys_only(self):
        settings = self.run_in_guest("systemctl is-active ssh && sshd -T -C user=root,host=hall,addr=192.0.2.1")
        for wanted in ("active", "passwordauthentication no", "kbdinteractiveauthentication no",
                       "authenticationmethods publickey", "authorizedkeysfile /boot/firmware/authorized-keys/%u"):
            self.assertIn(wanted, settings.lower().splitlines())

    def test_no_program_uses_the_radio_without_a_network_in_a_set_up_file(self):
        state = self.run_in_guest("systemctl is-enabled iwd && systemctl show --property ActiveState,ConditionResult iwd")
        self.assertEqual(state.split(), ["enabled", "ActiveState=inactive", "ConditionResult=no"])

    def test_the_face_is_on_the_screen(self):
        """The times in the picture are those that the clock says."""
        status = json.loads(self.run_in_guest("clockctl status --json"))
        times = [shown(status[side]["remaining_ns"]) for side in ("white", "black")]
        end = time.monotonic() + PATIENCE
        while True:
            picture = self.machine.picture()
            keep(type(self).__name__ + ".ppm", ppm(picture))
            try:
                self.assertEqual(read_times(picture), times)
                return
            except (Unreadable, AssertionError):
                if time.monotonic() > end:
                    raise
                # The console can come after the rest of the system.
                self.run_in_guest("sleep 1")


class KernelText(unittest.TestCase):
    """The options of the card, with the face where it is on a board: not on the console."""

    def test_no_message_of_the_kernel_is_on_the_screen(self):
        with RaspberryPi(PI_3, face=False, options=["ignore_loglevel"]) as machine:
            # All of them, and one more, went to the console that the card names.
            machine.run("grep -w tty1 /proc/consoles && echo 'a message' >/dev/kmsg && sleep 2", PATIENCE)
            machine.pictures.append(machine.picture())
            for picture in machine.pictures:
                keep("KernelText.ppm", ppm(picture))
                self.assertEqual(set(picture.colours()), {(0, 0, 0)})


class Wireless(unittest.TestCase):
    """The card with a wireless network in its set-up file, and two simulated radios of the kernel: one is the club's
    access point, and the other one is that of the board."""

    SET_UP = """
        host_name = "clock-12"
        board = 12

        [wifi]
        country = "DE"
        ssid = "Club 1"
        passphrase = "open sesame"
    """

    # The access point gives out addresses, as that of a club does.
    ACCESS_POINT = """
        systemctl is-active iwd
        mkdir -p /run/systemd/network
        cat >/run/systemd/network/10-access-point.network <<'END'
[Match]
Name=wlan1
[Network]
Address=192.0.2.1/24
DHCPServer=yes
END
        networkctl reload
        modprobe mac80211_hwsim radios=2
        until_prints wlan1 iwctl device list
        iwctl device wlan1 set-property Mode ap
        until_prints wlan1 iwctl ap list
        iwctl ap wlan1 start "Club 1" "open sesame"
        until_prints "State *connected" iwctl station wlan0 show
        until_prints 192.0.2 networkctl status wlan0
    """

    def test_the_card_connects_to_the_network_of_its_set_up_file(self):
        with RaspberryPi(PI_3, set_up=self.SET_UP) as machine:
            machine.attempt("systemctl is-system-running --wait", PATIENCE)
            machine.run("set -e\n" + UNTIL_PRINTS + self.ACCESS_POINT, PATIENCE)
            self.assertIn("Club 1", machine.run("iwctl station wlan0 show", PATIENCE))
            self.assertEqual(machine.run("hostname", PATIENCE).strip(), "clock-12")
            status = json.loads(machine.run("runuser -u arbiter -- clockctl status --json", PATIENCE))
            self.assertEqual((status["board"], status["faults"]), ("12", []))
            # The first partition can be read by everyone who holds the card.
            left = machine.run("cat /boot/firmware/chessclock.toml", PATIENCE)
            self.assertIn('passphrase = "***********"', left)


def keep(name, contents):
    """Leaves this beside the card, to be looked at."""
    with open(f"{os.environ['SD_IMAGE']}.{name}", "wb") as file:
        file.write(contents)


def ppm(picture):
    return b"P6 %d %d 255\n" % (picture.width, picture.height) + picture.pixels


class Pi3(CardTest, unittest.TestCase):
    board = PI_3


class Pi4(CardTest, unittest.TestCase):
    board = PI_4
