"""QEMU's models of the Raspberry Pi as the patches of `tests/appliance/qemu` change them, without a guest: the registers of the
lines and of the watchdog are written and read, and the model's time stands still between two steps."""

import os
import time
import unittest

from machine import Channel, Machine
from raspberry_pi import PI_3, PI_4, PINS

# The registers of the lines 0 to 31, and those of the watchdog.
GPFSEL0, GPSET0, GPLEV0, GPEDS0, GPREN0, GPFEN0 = 0x00, 0x1c, 0x34, 0x40, 0x4c, 0x58
RSTC, WDOG, PASSWORD = 0x1c, 0x24, 0x5a000000
STARTED, STOPPED, TICKS = 0x122, 0x102, 65536
SECOND = 1_000_000_000

WHITE, BLACK, SPARE = 17, 27, 5


class Model(Machine):
    """A board without a kernel."""

    def __init__(self, board):
        super().__init__(kernel="none", disk="none")
        self._board = board

    def _arguments(self):
        return [os.environ["SD_IMAGE_QEMU"], "-M", self._board.machine, "-accel", "qtest", "-nodefaults", "-no-reboot", "-display",
                "none", "-qtest", f"unix:{self.folder}/qtest", "-qtest-log", "none",
                "-chardev", f"socket,id=agent,path={self.folder}/agent",
                "-chardev", f"socket,id=qmp,path={self.folder}/qmp", "-mon", "chardev=qmp,mode=control"]

    def _more_channels(self):
        self._qtest = Channel(f"{self.folder}/qtest")
        return [self._qtest]

    def _wait_for_guest(self, _):
        pass

    def tell(self, command):
        self._qtest.send(command.encode())
        answer = self._qtest.receive(time.monotonic() + 60).decode().split()
        assert answer[0] == "OK", answer
        return int(answer[-1], 0) if len(answer) > 1 else None

    def step(self, nanoseconds):
        self.tell(f"clock_step {nanoseconds}")

    def set(self, name, value):
        self.qmp("qom-set", path=PINS, property=name, value=value)

    def ended(self):
        self.wait_for_end(time.monotonic() + 10)


class ModelTest:
    """What must be so on every board. `gpio`, `power`: the addresses of the registers of the lines and of the watchdog."""

    board, gpio, power = None, 0, 0

    def setUp(self):
        self.model = Model(self.board).__enter__()
        self.addCleanup(self.model.__exit__)

    def read(self, register):
        return self.model.tell(f"readl {self.gpio + register:#x}")

    def write(self, register, value):
        self.model.tell(f"writel {self.gpio + register:#x} {value:#x}")

    def lines(self, register):
        """Which of the three lines have a one."""
        value = self.read(register)
        return {line for line in (WHITE, BLACK, SPARE) if value >> line & 1}

    def arm(self):
        """Pulls the lines of both buttons up and detects their edges."""
        self.pull_up()
        for register in (GPREN0, GPFEN0):
            self.write(register, 1 << WHITE | 1 << BLACK)

    def test_pull_resistors(self):
        self.assertEqual(self.lines(GPLEV0), {SPARE})
        self.pull_up()
        self.assertEqual(self.lines(GPLEV0), {WHITE, BLACK, SPARE})

    def test_edges_at_exact_instants(self):
        self.arm()
        self.model.set("toggle-after", f"{WHITE}:1000 {BLACK}:1000 {WHITE}:5000")
        self.model.step(999)
        self.assertEqual(self.lines(GPEDS0), set())
        self.model.step(1)
        self.assertEqual((self.lines(GPLEV0), self.lines(GPEDS0)), ({SPARE}, {WHITE, BLACK}))
        self.write(GPEDS0, 1 << WHITE)
        self.assertEqual(self.lines(GPEDS0), {BLACK})
        self.model.step(4000)
        self.assertEqual((self.lines(GPLEV0), self.lines(GPEDS0)), ({WHITE, SPARE}, {WHITE, BLACK}))

    def test_an_edge_that_is_lost(self):
        self.arm()
        self.model.set("toggle-unseen", str(BLACK))
        self.model.set("toggle-after", f"{WHITE}:0")
        self.assertEqual((self.lines(GPLEV0), self.lines(GPEDS0)), ({BLACK, SPARE}, {WHITE}))
        self.write(GPEDS0, 1 << WHITE)
        self.assertEqual((self.lines(GPLEV0), self.lines(GPEDS0)), ({SPARE}, set()))

    def test_a_wire(self):
        self.arm()
        self.model.set("wire", f"{SPARE}:{WHITE}")
        self.assertEqual(self.lines(GPEDS0), set())
        self.write(GPFSEL0, 1 << 3 * SPARE)
        self.assertEqual((self.lines(GPLEV0), self.lines(GPEDS0)), ({BLACK}, {WHITE}))
        self.write(GPSET0, 1 << SPARE)
        self.assertEqual(self.lines(GPLEV0), {WHITE, BLACK, SPARE})

    def feed(self, control):
        for register, value in ((WDOG, TICKS), (RSTC, control)):
            self.model.tell(f"writel {self.power + register:#x} {PASSWORD | value:#x}")

    def test_the_watchdog_counts(self):
        self.feed(STARTED)
        self.model.step(SECOND * 9 // 10)
        self.assertEqual(self.model.tell(f"readl {self.power + WDOG:#x}"), TICKS // 10)
        self.feed(STARTED)
        self.model.step(SECOND * 9 // 10)
        self.feed(STOPPED)
        self.model.step(SECOND * 2)
        self.feed(STARTED)
        self.model.step(SECOND - 1)
        self.read(GPLEV0)
        self.model.step(1)
        self.model.ended()


class Pi3(ModelTest, unittest.TestCase):
    board, gpio, power = PI_3, 0x3f200000, 0x3f100000

    def pull_up(self):
        gppud, gppudclk0 = 0x94, 0x98
        for register, value in ((gppud, 2), (gppudclk0, 1 << WHITE | 1 << BLACK), (gppud, 0), (gppudclk0, 0)):
            self.write(register, value)


class Pi4(ModelTest, unittest.TestCase):
    board, gpio, power = PI_4, 0xfe200000, 0xfe100000

    def pull_up(self):
        # Two bits for each of the lines 16 to 31.
        register, shifts = 0xe8, [2 * (line - 16) for line in (WHITE, BLACK)]
        self.write(register, self.read(register) & ~sum(3 << shift for shift in shifts) | sum(1 << shift for shift in shifts))
