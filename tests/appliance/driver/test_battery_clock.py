"""The card in the model of a Raspberry Pi 3 with a battery-backed clock, and without a graphics card."""

import subprocess
import unittest

from raspberry_pi import BOOT_OFFSET, PI_3, RaspberryPi

# What the module shows. No wall clock of this century's programs would be set to it by anything else.
SHOWN = "2031-05-06T07:08:09"
YEAR = "2031"
PATIENCE = 600


class WithModule(RaspberryPi):
    """A board with a DS1307, which has the registers of a DS3231 that Linux reads, at I2C bus 1. The device tree has the card's overlay,
    as the firmware would apply it."""

    def _copy_card(self, *arguments):
        super()._copy_card(*arguments)
        overlay, merged = f"{self.folder}/overlay", f"{self.folder}/merged"
        source = ["mtype", "-i", f"{self.disk}@@{BOOT_OFFSET}", "::/overlays/chess-clock-ds3231.dtbo"]
        with open(overlay, "wb") as file:
            subprocess.run(source, check=True, stdout=file)
        subprocess.run(["fdtoverlay", "-i", self.device_tree, "-o", merged, overlay], check=True)
        self.device_tree = merged

    def _arguments(self):
        return [*super()._arguments(), "-rtc", f"base={SHOWN}", "-device", "ds1338,bus=i2c-bus.1,address=0x68"]


class BatteryClock(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        machine = WithModule(PI_3)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(cls.machine.__exit__)

    def run_in_guest(self, script):
        return self.machine.run(script, PATIENCE)

    def test_the_time_of_day_is_that_of_the_module_and_is_known(self):
        # The driver of the bus is a module, which udev loads some seconds after the start.
        self.run_in_guest("until [ -e /sys/class/rtc/rtc0/hctosys ]; do sleep 1; done")
        self.assertEqual(self.run_in_guest("cat /sys/class/rtc/rtc0/name /sys/class/rtc/rtc0/hctosys").split(),
                         ["rtc-ds1307", "1-0068", "1"])
        self.assertEqual(self.run_in_guest("date +%Y").strip(), YEAR)
        self.run_in_guest("runuser -u arbiter -- clockctl start")
        entries = self.run_in_guest("runuser -u arbiter -- clockctl log")
        self.assertIn(f"{YEAR}-05-0", entries)

    def test_a_start_without_a_picture_leaves_a_report_on_the_boot_partition(self):
        self.run_in_guest("systemctl start chess-clock-last-start.service")
        report = self.run_in_guest("cat /boot/firmware/last-start.txt")
        for part in ("The last start of the chess clock, ", "Raspberry Pi 3 Model B", "Id=clockd.service",
                     "connectors for screens; none: the kernel has no driver", "latest messages of the kernel"):
            self.assertIn(part, report)
