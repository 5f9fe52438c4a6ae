"""A card for a Raspberry Pi in one of QEMU's models of the boards: the kernel, the first initrd, the command line and the
root are those of the card, and the device tree is that of the card without what the model lacks.

The models start a kernel directly, so neither the firmware nor config.txt takes part. QEMU is built with the patches of
`tests/appliance/qemu`: each line of the header has a contact to ground, and the models detect edges.
"""

import base64
import json
import os
import re
import subprocess
import time
from collections import namedtuple

from machine import Channel, GuestError, Machine

# Where the partition of the firmware and that of the root begin (sd-image/card.sh).
BOOT_OFFSET, ROOT_OFFSET = "4M", 516 << 20

# Changes to the copy of the card, as commands of debugfs. The shell of the tests needs a generator that the card masks.
ALLOW_SHELL = "rm /etc/systemd/system-generators/systemd-debug-generator"
# As `systemctl enable` does it.
FACE_ON_CONSOLE = ("symlink /etc/systemd/system/multi-user.target.wants/clock-display-console.service "
                   "/usr/lib/systemd/system/clock-display-console.service")

# QEMU's own frame buffer, as its firmware would have set it up.
SCREEN = {"address": 0x3c100000, "width": 640, "height": 480}

# `chip`: the label of the header's chip. `off`: what the model lacks, so that the driver would wait for an answer or crash.
# `reader`: whether the card is in the reader that a board has it in.
Board = namedtuple("Board", "machine device_tree chip off reader")

_WITHOUT_GRAPHICS_3 = (
    "/soc/gpu", "/soc/hvs@7e400000", "/soc/hdmi@7e902000", "/soc/v3d@7ec00000", "/soc/pixelvalve@7e206000",
    "/soc/pixelvalve@7e207000", "/soc/pixelvalve@7e807000", "/soc/vec@7e806000",
    # The second reader of the chip, where a board has its card. Its driver crashes when the model answers late.
    "/soc/mmc@7e202000",
)
_WITHOUT_GRAPHICS_4 = (
    "/gpu", "/soc/interrupt-controller@7ef00100", "/soc/clock@7ef00000", "/soc/hdmi@7ef00700", "/soc/hdmi@7ef05700",
    "/soc/i2c@7ef04500", "/soc/i2c@7ef09500", "/soc/hvs@7e400000",
)

PI_3 = Board("raspi3b", "bcm2837-rpi-3-b.dtb", "pinctrl-bcm2835", _WITHOUT_GRAPHICS_3, False)
PI_4 = Board("raspi4b", "bcm2711-rpi-4-b.dtb", "pinctrl-bcm2711", _WITHOUT_GRAPHICS_4, True)

# The lines of the header in the models (tests/appliance/qemu/pins.patch).
PINS = "/machine/soc/peripherals/gpio"
# A line has this level since this instant, in nanoseconds of the model's time.
Level = namedtuple("Level", "line level at")

# What a shell on the serial port needs in order to answer with lines.
SHELL = b"stty -echo -onlcr cols 200; PS1= PS2= TERM=dumb; printf 'shell-%s\\n' ready"


class RaspberryPi(Machine):
    """One of QEMU's boards with a copy of a card. The time limits are of the processor time that QEMU uses, because the
    same work takes ten times as long on a busy host.

    `face`: whether the face is text on the kernel's console, as the models have no
    graphics card that Linux knows; otherwise the console is where the card puts it. `options`: more of them for the kernel.
    `set_up`: the text of `chessclock.toml` on the boot partition; without a text there is no such file. `has_stick`: whether
    a USB stick can be plugged in.

    `pictures`: what the screen has shown until the shell was there, without repetitions.
    """

    # A boot takes 1 to 2 minutes.
    BOOT_SECONDS = 600
    # A QEMU that has used less than a second in so many seconds has stopped.
    STALL_SECONDS = 900

    def __init__(self, board, face=True, options=(), set_up=None, has_stick=False):
        card = os.environ["SD_IMAGE"]
        # Both are replaced by what is on the copy.
        super().__init__(kernel=card, disk=card)
        self.board, self.pictures = board, []
        self._copy_card(card, face, options)
        self._stick = f"{self.folder}/stick" if has_stick else None
        if has_stick:
            make_stick(self._stick)
        if set_up is not None:
            subprocess.run(["mcopy", "-i", f"{self.disk}@@{BOOT_OFFSET}", "-", "::/chessclock.toml"], check=True,
                           input=set_up.encode())

    def _copy_card(self, card, face, options):
        """The copy that the machine writes to, and the files that the firmware would read."""
        self.disk = f"{self.folder}/card"
        subprocess.run(["cp", "--sparse=always", card, self.disk], check=True)
        for change in [ALLOW_SHELL, *([FACE_ON_CONSOLE] if face else [])]:
            subprocess.run(["debugfs", "-w", "-R", change, f"{self.disk}?offset={ROOT_OFFSET}"], check=True,
                           stderr=subprocess.DEVNULL)
        config = self.boot_file("config.txt").decode()
        kernel, = re.findall(r"^kernel=(.*)$", config, re.MULTILINE)
        initrd, = re.findall(r"^initramfs (.*)$", config, re.MULTILINE)
        self.kernel, self.initrd = self._save(kernel), self._save(initrd)
        self.device_tree = adapt(self._save(self.board.device_tree), self.board)
        self.command_line = command_line(self.boot_file("cmdline.txt").decode(), face, options)

    def boot_file(self, name):
        """The contents of a file of the boot partition, read from the card."""
        return subprocess.run(["mtype", "-i", f"{self.disk}@@{BOOT_OFFSET}", f"::/{name}"], check=True,
                              stdout=subprocess.PIPE).stdout

    def _save(self, name):
        path = f"{self.folder}/{name}"
        with open(path, "wb") as file:
            file.write(self.boot_file(name))
        return path

    def _arguments(self):
        return [
            os.environ["SD_IMAGE_QEMU"], "-M", self.board.machine, "-nodefaults", "-no-reboot", "-display", "none",
            # Guest time counts instructions, so a busy host causes no time-out in the guest.
            "-accel", "tcg,thread=single", "-icount", "shift=1,sleep=off",
            "-kernel", self.kernel, "-initrd", self.initrd, "-dtb", self.device_tree, "-append", self.command_line,
            "-drive", f"file={self.disk},if=sd,format=raw,cache=unsafe",
            "-chardev", f"socket,id=agent,path={self.folder}/agent,logfile={self.folder}/console",
            "-serial", "chardev:agent",
            "-chardev", f"socket,id=qmp,path={self.folder}/qmp", "-mon", "chardev=qmp,mode=control",
            "-trace", "bcm_pins_level", "-D", f"{self.folder}/trace",
            *(["-drive", f"if=none,id=stick,format=raw,file={self._stick}"] if self._stick else []),
        ]

    def plug(self):
        """Puts the stick into the board."""
        self.qmp("device_add", driver="usb-storage", id="plugged", drive="stick", removable=True)

    def unplug(self):
        self.qmp("device_del", id="plugged")

    def eject(self):
        """Takes the medium out of the stick, as out of a card reader."""
        self.qmp("eject", device="stick", force=True)

    def files_of_stick(self):
        """What `mdir` lists on the stick."""
        command = ["mdir", "-b", "-i", f"{self._stick}@@1M", "::/"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def toggle(self, toggles):
        """Opens or closes contacts between a line and ground, at exact instants: pairs of nanoseconds from now, in the model's
        time, and a line. Returns when all of that is done, with the levels of these lines that came of it."""
        # The kernel switches lamps of the board, too.
        lines, begun = {line for _, line in toggles}, len(self.levels())
        self._set_pins("toggle-after", " ".join(f"{line}:{after}" for after, line in toggles))
        for _ in self._waits(self.BOOT_SECONDS):
            if self.qmp("qom-get", path=PINS, property="toggle-after") == "0":
                return [level for level in self.levels()[begun:] if level.line in lines]
            time.sleep(0.1)

    def toggle_unseen(self, line):
        """The contact of a line toggles, and no edge is detected, when the kernel next acknowledges that of another line."""
        self._set_pins("toggle-unseen", str(line))

    def connect(self, output, line):
        """Connects an output with a wire to another line."""
        self._set_pins("wire", f"{output}:{line}")

    def _set_pins(self, name, value):
        self.qmp("qom-set", path=PINS, property=name, value=value)

    def reset_after(self, script):
        """Runs a script after which the board hangs. Returns why QEMU has ended, in its own words."""
        self._agent.send(script.encode())
        while True:
            message = json.loads(self._qmp.receive(time.monotonic() + self.STALL_SECONDS))
            if message.get("event") == "SHUTDOWN":
                return message["data"]["reason"]

    def levels(self):
        """Every change of a line so far."""
        with open(f"{self.folder}/trace") as trace:
            rows = re.findall(r"^bcm_pins_level line (\d+) level (\d) at (\d+)$", trace.read(), re.MULTILINE)
        return [Level(*map(int, row)) for row in rows]

    def _more_channels(self):
        return []

    def _wait_for_guest(self, _):
        self._wait_for_shell()

    def _processor_seconds(self):
        """What QEMU has used so far."""
        with open(f"/proc/{self._process.pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _waits(self, seconds):
        """Yields until QEMU has used so many seconds, and then raises."""
        begun = before = self._processor_seconds()
        seen = time.monotonic()
        while self._process.poll() is None:
            yield
            used = self._processor_seconds()
            if used - begun > seconds:
                raise GuestError(f"no answer from the guest in {seconds} s of the processor")
            if used - before > 1:
                before, seen = used, time.monotonic()
            elif time.monotonic() - seen > self.STALL_SECONDS:
                raise GuestError("QEMU does not go on")
        raise GuestError("QEMU has ended")

    def attempt(self, script, seconds=120):
        """Runs a script in the shell. Returns its exit status and its output."""
        self._scripts += 1
        mark = f"<<{self._scripts}>>"
        self._agent.send(b"base64 -d >/run/script <<'END'")
        # A terminal takes lines of up to 4096 bytes.
        for line in base64.encodebytes(script.encode()).splitlines():
            self._agent.send(line)
        self._agent.send(b"END")
        self._agent.send(b"bash /run/script >/run/output 2>&1 </dev/null; "
                         b"printf '<<%%s>> %%s %%s\\n' %d $? \"$(base64 -w 0 /run/output)\"" % self._scripts)
        words = self._wait_for(mark, seconds).split()
        return int(words[0]), base64.b64decode(words[1] if len(words) > 1 else b"").decode(errors="replace")

    def _wait_for(self, mark, seconds):
        """The rest of the line in which the shell prints this. The kernel can print to the same port."""
        for _ in self._waits(seconds):
            try:
                _, found, rest = self._agent.receive(time.monotonic() + 5).partition(mark.encode())
            except GuestError:
                continue
            if found:
                return rest

    def _wait_for_shell(self):
        """Nothing is sent before a shell has asked for it. Earlier, it would get lost, or fill the model's serial port, which
        then never interrupts again."""
        self._wait_for_prompt("/# ")
        # The lines of a shell without an editor of its own are not echoed.
        self._agent.send(b"exec sh")
        self._wait_for_prompt("\r# ")
        self._agent.send(SHELL)
        self._wait_for("shell-ready", self.BOOT_SECONDS)

    def _wait_for_prompt(self, prompt):
        for _ in self._waits(self.BOOT_SECONDS):
            if self.console().endswith(prompt):
                return
            picture = self.picture()
            if not self.pictures or picture.differing(self.pictures[-1]):
                self.pictures.append(picture)
            time.sleep(0.2)


def make_stick(path):
    """A file that is a stick of 64 MiB with one partition, as they are sold."""
    subprocess.run(["truncate", "--size=64M", path], check=True)
    subprocess.run(["sfdisk", "--quiet", path], input=b"start=2048, type=c\n", check=True)
    subprocess.run(["mkfs.vfat", "--offset=2048", path, str(63 * 1024)], check=True, stdout=subprocess.DEVNULL)


def command_line(of_the_card, face, options):
    """The command line of the card for the models."""
    words = of_the_card.split()
    if face:
        # docs/first-clock.md tells somebody who wants to see the console to do this.
        words.remove("fbcon=map:9")
        words.append("console=ttyAMA0,115200")
    return " ".join(words + [
        "systemd.debug_shell=ttyAMA0",
        # When the host has no processor for QEMU, idle time leaps by as much.
        "systemd.service_watchdogs=no", *options,
    ])


def adapt(device_tree, board):
    """Takes out of a device tree what the model lacks. Returns its name."""

    def put(*words):
        subprocess.run(["fdtput", *words], check=True)

    def texts(node, name, *values):
        put("-t", "s", device_tree, node, name, *values)

    def numbers(node, name, *values):
        put("-t", "x", device_tree, node, name, *(f"{value:x}" for value in values))

    def cells(name):
        return int(subprocess.run(["fdtget", device_tree, "/", name], check=True, stdout=subprocess.PIPE).stdout)

    for node in board.off:
        texts(node, "status", "disabled")
    # The reader that a board has its WLAN at.
    reader = "/soc/mmc@7e300000"
    put("-r", device_tree, f"{reader}/wifi@1")
    if not board.reader:
        put("-d", device_tree, reader, "mmc-pwrseq", "non-removable")
        texts(reader, "broken-cd", "")
        texts(reader, "status", "okay")
    # The serial port of the shell is that of the Bluetooth chip on a board. The other one, a mini UART, never comes to an
    # end of an interrupt under PREEMPT_RT in the model.
    put("-r", device_tree, "/soc/serial@7e201000/bluetooth")
    address, size = cells("#address-cells"), cells("#size-cells")
    screen = f"/chosen/framebuffer@{SCREEN['address']:x}"
    put("-c", device_tree, screen)
    numbers("/chosen", "#address-cells", address)
    numbers("/chosen", "#size-cells", size)
    texts("/chosen", "ranges")
    texts(screen, "compatible", "simple-framebuffer")
    width, height = SCREEN["width"], SCREEN["height"]
    numbers(screen, "reg", *[0] * (address - 1), SCREEN["address"], *[0] * (size - 1), width * height * 2)
    numbers(screen, "width", width)
    numbers(screen, "height", height)
    numbers(screen, "stride", width * 2)
    texts(screen, "format", "r5g6b5")
    texts(screen, "status", "okay")
    return device_tree
