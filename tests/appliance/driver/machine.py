"""A virtual machine that runs the appliance's image: QEMU without KVM, and an agent in the guest.

    with Machine() as machine:
        print(machine.run("uname -r"))      # a bash script in the guest; raises if it fails

QEMU connects to sockets that already listen, so nothing that the guest sends is lost.
"""

import base64
import ctypes
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from board import script
from picture import Picture
from screen import Cable

PR_SET_PDEATHSIG = 1

# Whether the root can be written: rw or ro.
ROOT_MODE = os.environ.get("APPLIANCE_ROOT", "rw")
# An image with a read-only root keeps its settings on another partition. Here a copy in memory takes their place.
WRITABLE_SETTINGS = """
cp -a /etc/chess-clock /run/settings
mount --bind /run/settings /etc/chess-clock
"""

# The folder of the record.
RECORD = "/var/lib/chess-clock"

# Keeps the time of a machine that skips idle time from leaping while it boots.
FIRST_PROGRAM = "/usr/local/lib/clock-tests/init"

# Opens the serial port "witness" as descriptor 4, in a script: what is written there reaches the host at once.
WITNESS = """
port=$(grep -lx witness /sys/class/virtio-ports/*/name)
port=${port%/name}
exec 4>"/dev/${port##*/}"
"""


class GuestError(Exception):
    """A script in the guest has failed, or the guest does not answer."""


class Channel:
    """Lines to and from QEMU over a socket. Every wait for one has a deadline."""

    def __init__(self, path):
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(path)
        self._server.listen(1)
        self._socket = None
        self._rest = b""

    def accept(self, seconds):
        self._server.settimeout(seconds)
        self._socket, _ = self._server.accept()

    def close(self):
        self._server.close()
        if self._socket:
            self._socket.close()

    def send(self, line):
        self._socket.sendall(line + b"\n")

    def receive(self, deadline):
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._socket], [], [], left)[0]:
                raise GuestError("no answer from the guest")
            data = self._socket.recv(65536)
            if not data:
                raise GuestError("QEMU has ended")
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        return line


class Machine:
    """One machine. `kernel` and `disk` come from the environment unless they are given.

    `icount`: guest time counts instructions instead of following the host's clock, and idle time is
    skipped, so a busy host changes nothing. Several processors then take turns in one thread of the host,
    and the order of what they do repeats too. What the guest writes to the disk is discarded.

    The record is in the guest's memory, because guest time runs ahead while the guest waits for a disk. With `record`, a
    `disk.Disk`, it is there instead. Idle time then takes as long as on the host, so a disk is as slow as it is.

    `screen`: the width and height of a screen that is connected when the machine is switched on, unless `plugged` is
    false. The kernel and the login then use it as their console, as on a Raspberry Pi. `cable` takes it out and puts one
    in. Idle time takes as long as on the host here too, so that a picture of a running clock can be compared with what the
    clock said before and after. With `skips_idle` it is skipped, and only a picture of standing clocks can be compared.

    `lines`: what the guest has written to the serial port "witness" (see `WITNESS`).
    """

    BOOT_SECONDS = 600

    def __init__(self, kernel=None, disk=None, icount=False, processors=1, record=None, screen=None,
                 plugged=True, skips_idle=False):
        self.kernel = kernel or os.environ["APPLIANCE_KERNEL"]
        self.disk = disk or os.environ["APPLIANCE_DISK"]
        self.icount, self.processors, self.record = icount, processors, record
        self.screen, self.plugged, self.cable = screen, plugged, None
        self.skips_idle = skips_idle
        self.folder = tempfile.mkdtemp(prefix="clock-machine-")
        self._scripts = 0

    def _arguments(self):
        record = "/dev/disk/by-id/virtio-record" if self.record else "tmpfs"
        # The last console is the one that programs know as /dev/console.
        consoles = "console=ttyAMA0" + (" console=tty1" if self.screen else "")
        command_line = (f"{consoles} root=/dev/vda {ROOT_MODE} quiet panic=-1 systemd.show_status=0 "
                        f"systemd.unit=chess-clock-first.target systemd.mount-extra={record}:{RECORD}:{'ext4' if self.record else 'tmpfs'}")
        arguments = [
            "qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", "cortex-a53", "-m", "512",
            "-smp", str(self.processors), "-nodefaults", "-no-reboot",
            "-accel", "tcg,thread=" + ("single" if self.icount else "multi"),
            "-global", "virtio-mmio.force-legacy=false",
            "-kernel", self.kernel,
            "-serial", f"file:{self.folder}/console",
            "-chardev", f"socket,id=qmp,path={self.folder}/qmp", "-mon", "chardev=qmp,mode=control",
            "-device", "virtio-serial-device",
            "-chardev", f"socket,id=agent,path={self.folder}/agent",
            "-device", "virtserialport,chardev=agent,name=tests",
            "-device", "virtserialport,chardev=witness,name=witness",
            "-chardev", f"socket,id=witness,path={self.folder}/witness",
            "-device", "virtio-rng-device",
        ]
        if self.screen:
            width, height = self.screen
            arguments += ["-device", f"virtio-gpu-device,xres={width},yres={height}",
                          "-display", f"vnc=unix:{self.folder}/vnc"]
        else:
            arguments += ["-display", "none"]
        as_on_the_host = self.record or self.screen and not self.skips_idle
        if as_on_the_host:
            # When the host has no processor for QEMU, idle time leaps by as much, and the watchdog's limit can pass at once.
            command_line += " systemd.service_watchdogs=no"
        if self.record:
            arguments += [
                "-drive", f"if=none,id=record,driver=nbd,server.type=unix,server.path={self.record.address},"
                          "cache=writeback,werror=report,rerror=report",
                "-device", "virtio-blk-device,drive=record,serial=record",
            ]
        skips_idle_time = self.icount and not as_on_the_host
        if skips_idle_time:
            command_line += f" init={FIRST_PROGRAM}"
        # The last disk is the kernel's first one.
        arguments += [
            "-drive", f"if=none,id=root,file={self.disk},format=raw,snapshot=on,cache=unsafe",
            "-device", "virtio-blk-device,drive=root",
        ]
        arguments += ["-append", command_line]
        if self.icount:
            arguments += ["-icount", "shift=1,sleep=" + ("off" if skips_idle_time else "on")]
        return arguments

    def __enter__(self):
        self._agent = Channel(f"{self.folder}/agent")
        self._qmp = Channel(f"{self.folder}/qmp")
        self._channels = [self._agent, *self._more_channels(), self._qmp]
        begun = time.monotonic()
        libc = ctypes.CDLL(None)
        with open(f"{self.folder}/qemu", "w") as errors:
            self._process = subprocess.Popen(
                self._arguments(), stdin=subprocess.DEVNULL, stderr=errors,
                # The kernel kills QEMU when the driver ends.
                preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
        try:
            for channel in self._channels:
                channel.accept(120)
            self._qmp.receive(time.monotonic() + 120)
            self.qmp("qmp_capabilities")
            self._wait_for_guest(begun + self.BOOT_SECONDS)
        except Exception as error:
            console = self.console()[-3000:]
            self.__exit__()
            raise GuestError(f"no boot: {error}\n{console}") from error
        self.boot_seconds = time.monotonic() - begun
        if ROOT_MODE == "ro":
            self.run(WRITABLE_SETTINGS)
        return self

    def _more_channels(self):
        """Those beside the agent's and QEMU's own."""
        self._witness = Channel(f"{self.folder}/witness")
        return [self._witness]

    def _wait_for_guest(self, deadline):
        """Waits until the guest takes scripts."""
        if self.screen:
            self.cable = Cable(f"{self.folder}/vnc", self.screen)
            if not self.plugged:
                self.cable.unplug()
        self._agent.receive(deadline)

    def __exit__(self, *_):
        self.pull_plug()
        for channel in self._channels:
            channel.close()
        if self.cable:
            self.cable.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def attempt(self, script, seconds=120):
        """Runs a script. Returns its exit status and its output."""
        self._scripts += 1
        number = b"%d" % self._scripts
        self._agent.send(number + b" " + base64.b64encode(script.encode()))
        deadline = time.monotonic() + seconds
        while True:
            words = self._agent.receive(deadline).split()
            if words[0] == number:
                output = b"" if words[2] == b"-" else base64.b64decode(words[2])
                return int(words[1]), output.decode(errors="replace")

    def run(self, script, seconds=120):
        """Runs a script that must succeed. Returns its output."""
        status, output = self.attempt(script, seconds)
        if status:
            raise GuestError(f"exit status {status}:\n{output}")
        return output

    def read(self, name):
        """The contents of a file that a script has left in the guest's /tmp."""
        return self.run(f"cat /tmp/{name}")

    def qmp(self, command, **arguments):
        self._qmp.send(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self._qmp.receive(time.monotonic() + 30))
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise GuestError(str(answer["error"]))

    def picture(self):
        """What the screen shows now."""
        file = f"{self.folder}/picture"
        self.qmp("screendump", filename=file)
        with open(file, "rb") as picture:
            return Picture.of_ppm(picture.read())

    def lines(self, until):
        """Yields the lines that the guest has written for the witness, as they come, until this instant of the host or
        until QEMU ends."""
        while True:
            try:
                yield self._witness.receive(until).decode()
            except GuestError:
                return

    def pull_plug(self):
        self._process.kill()
        self._process.wait()

    def wait_for_end(self, deadline):
        """Waits until the guest has switched the machine off."""
        self._process.wait(deadline - time.monotonic())

    def console(self):
        # With its carriage returns.
        with open(f"{self.folder}/console", errors="replace", newline="") as console:
            return console.read()


def use_uapi(version):
    """A script that restarts the clock with this version of the uAPI, and waits until it has its lines."""
    descriptor = "gpio-event" if version == "v1" else "gpio-line"
    return script(f"""
        sed -i 's/^uapi = .*/uapi = "{version}"/' /etc/chess-clock/clockd.toml
        fresh-clock
        descriptors() {{ ls -l /proc/$(pidof clockd)/fd; }}
        until_prints {descriptor} descriptors
        until_prints period clockctl status
    """)


class MachineTest(unittest.TestCase):
    """Tests that share a machine.

    `uapi`: the value of that key in clockd.toml; None leaves the shipped one. `screen`, `plugged`: as of the machine.
    """

    maxDiff = None
    processors = 1
    uapi = None
    screen = None
    plugged = True

    @classmethod
    def setUpClass(cls):
        machine = Machine(icount=True, processors=cls.processors, screen=cls.screen, plugged=cls.plugged)
        cls.machine = machine.__enter__()
        cls.addClassCleanup(cls.machine.__exit__)
        if cls.uapi:
            cls.machine.run(use_uapi(cls.uapi))

    def read(self, name):
        return self.machine.read(name)
