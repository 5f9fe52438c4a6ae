#!/usr/bin/env python3
"""Updates a clock with Debian's RAUC on loop devices, and checks that it returns to the previous system if the update fails.

usage: yocto/check-update.py PROGRAMS    as root; PROGRAMS has clockd and clockctl

The layer's own files are used: RAUC's settings, the handler that refuses an update, the health check, the script of the slots and the
places of U-Boot's environment, which RAUC and the script read and write with Debian's fw_printenv and fw_setenv. What differs
from a card: the devices, the certificate, a bundle without dm-verity, which not every kernel has, and that the programs of a slot
run on this machine.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

YOCTO = Path(__file__).resolve().parent
LAYER = YOCTO / "meta-chessclock"
MIB = 1 << 20
# Where the slots begin on the disk, in MiB, and their size. U-Boot's environment is before them (fw_env.config).
SLOTS, SIZE = {"A": 8, "B": 24}, 16
DEADLINE = 60

# The clockd of a release that does not work.
BAD_CLOCK = "#!/bin/sh\necho 'a defect of the new release' >&2\nexit 1\n"


def fail(*lines):
    sys.exit("check-update: " + "\n".join(str(line) for line in lines))


def layer_file(name):
    found = [path for path in LAYER.rglob(name) if path.is_file()]
    return found[0] if len(found) == 1 else fail(f"there is not one file {name} in the layer but: {found}")


def run(*command, **options):
    """The output of the command, which must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.stdout if done.returncode == 0 else fail(f"{command} ends with {done.returncode}:", done.stdout)


def await_that(what, condition):
    """Waits until the condition holds, for DEADLINE seconds."""
    until = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > until:
            fail(f"not within {DEADLINE} s: {what}")
        time.sleep(0.05)


class Clock:
    """A clock with a disk that has two slots, and a folder for its data."""

    def __init__(self, work, programs):
        self.work, self.programs = work, programs
        self.data, self.disk, self.root = work / "data", work / "disk", work / "root"
        self.record = self.data / "games"
        self.loops, self.running, self.slot = {}, [], None
        self.environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={work}/bus", STATE_DIRECTORY=str(self.data))
        self.environment["PATH"] = f"{work}/bin:{os.environ['PATH']}"
        for folder in (self.data, self.root, work / "bin"):
            folder.mkdir()
        self._make_disk()
        self._make_programs()
        self._make_settings()

    def _make_disk(self):
        with open(self.disk, "wb") as disk:
            disk.truncate((SLOTS["B"] + SIZE) * MIB)
        for slot, start in SLOTS.items():
            options = ("--offset", str(start * MIB), "--sizelimit", str(SIZE * MIB), str(self.disk))
            self.loops[slot] = run("losetup", "--find", "--show", *options).strip()

    def _make_programs(self):
        """Writes the commands that the boot script, the health check and RAUC call."""
        places = layer_file("fw_env.config").read_text().replace("/dev/mmcblk0 ", f"{self.disk} ")
        (self.work / "fw_env.config").write_text(places)
        (self.work / "empty").write_text("")
        for name in ("fw_printenv", "fw_setenv"):
            self._program(name, f'exec /usr/bin/{name} -c {self.work}/fw_env.config -f {self.work}/empty "$@"')
        self._program("clockctl", f'exec {self.programs}/clockctl "$@"')
        self._program("rauc", f'exec /usr/bin/rauc --conf={self.work}/system.conf "$@"')
        names = 'BOOT_ORDER "$BOOT_ORDER" && fw_setenv BOOT_A_LEFT "$BOOT_A_LEFT" && fw_setenv BOOT_B_LEFT "$BOOT_B_LEFT"'
        self._program("save", f"fw_setenv {names}")
        # Without its waits, a failing health check takes seconds in place of two minutes.
        self._program("sleep", "")

    def _program(self, name, line):
        path = self.work / "bin" / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _make_settings(self):
        subject = ("-subj", "/CN=check", "-keyout", f"{self.work}/key.pem", "-out", f"{self.work}/cert.pem")
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject)
        handler = self._executable(layer_file("chess-clock-update-allowed"))
        text = layer_file("system.conf").read_text()
        for before, after in (
            ("@MACHINE@", "check"),
            ("@KEYRING@", f"{self.work}/cert.pem"),
            ("bundle-formats=verity", "bundle-formats=plain"),
            ("data-directory=/data", f"data-directory={self.data}"),
            ("mountprefix=/run", f"mountprefix={self.work}"),
            ("/usr/libexec/chess-clock-update-allowed", str(handler)),
            ("/dev/mmcblk0p2", self.loops["A"]),
            ("/dev/mmcblk0p3", self.loops["B"]),
        ):
            if before not in text:
                fail(f"system.conf has no {before}")
            text = text.replace(before, after)
        (self.work / "system.conf").write_text(text)

    def _executable(self, script):
        copy = self.work / "bin" / script.name
        shutil.copy(script, copy)
        copy.chmod(0o755)
        return copy

    def system(self, release, clock):
        """The image of a system, with `clock` as its clockd."""
        folder, image = self.work / f"system-{release}", self.work / f"{release}.ext4"
        folder.mkdir()
        (folder / "release").write_text(release)
        (folder / "clockd").write_text(clock)
        (folder / "clockd").chmod(0o755)
        run("mkfs.ext4", "-q", "-d", str(folder), str(image), f"{SIZE - 4}M")
        return image

    def bundle(self, release, clock, hook=None):
        """A signed update to a system. RAUC runs `hook`, a script, when it has written the slot."""
        folder = self.work / f"bundle-{release}"
        folder.mkdir()
        self.system(release, clock).rename(folder / "root.ext4")
        manifest = f"[update]\ncompatible=chess-clock-check\nversion={release}\n[image.rootfs]\nfilename=root.ext4\n"
        if hook:
            (folder / "hook").write_text(hook)
            (folder / "hook").chmod(0o755)
            manifest += "hooks=post-install\n[hooks]\nfilename=hook\n"
        (folder / "manifest.raucm").write_text(manifest)
        path = self.work / f"{release}.raucb"
        run("rauc", "bundle", f"--cert={self.work}/cert.pem", f"--key={self.work}/key.pem", str(folder), str(path))
        return path

    def variables(self):
        """What the next start reads: BOOT_ORDER, and how many starts each slot has left."""
        names = ("BOOT_ORDER", "BOOT_A_LEFT", "BOOT_B_LEFT")
        return tuple(run("fw_printenv", "-n", name, env=self.environment).strip() for name in names)

    def start(self):
        """Runs the boot script, which chooses a slot, and starts the services of that slot. Returns its release."""
        environment = dict(self.environment, SAVE="save")
        for line in subprocess.run(["fw_printenv"], env=self.environment, capture_output=True, text=True).stdout.splitlines():
            name, _, value = line.partition("=")
            environment[name] = value
        said = run("dash", str(YOCTO / "u-boot-commands.sh"), str(layer_file("boot.cmd.in")), env=environment)
        self.slot = said.split("rauc.slot=")[1][0]
        run("mount", "-o", "ro", self.loops[self.slot], str(self.root))
        self._spawn("dbus-daemon", "--session", "--nofork", f"--address=unix:path={self.work}/bus")
        await_that("the bus", (self.work / "bus").exists)
        self._spawn("rauc", f"--override-boot-slot={self.slot}", "service")
        config = self.work / "clockd.toml"
        config.write_text("")
        clock = ("--config", str(config), "--gpio", f"sim:{self.work}/buttons", "--record", str(self.record))
        self._spawn(str(self.root / "clockd"), *clock)
        await_that("RAUC", lambda: self.rauc("status").returncode == 0)
        return (self.root / "release").read_text()

    def _spawn(self, *command):
        log = open(self.work / "log", "ab")
        self.running.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))

    def stop(self, sign=signal.SIGTERM):
        """Ends the programs, as a restart of the machine does; with SIGKILL as a power cut does."""
        for program in reversed(self.running):
            program.send_signal(sign)
            program.wait(DEADLINE)
        self.running = []
        for bundle in self.work.glob("rauc/*"):
            subprocess.run(["umount", str(bundle)], stderr=subprocess.DEVNULL)
        (self.work / "bus").unlink(missing_ok=True)
        if self.root.is_mount():
            run("umount", str(self.root))

    def rauc(self, *arguments):
        return subprocess.run(
            ["rauc", *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def ctl(self, *arguments):
        return run("clockctl", *arguments, env=self.environment)

    def status(self):
        """What `clockctl status` says, also if the clock does not answer yet."""
        command = ["clockctl", "status"]
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def is_healthy(self):
        """Runs the health check of the started system."""
        with open(self.work / "log", "ab") as log:
            command = ["sh", str(layer_file("chess-clock-health"))]
            return subprocess.run(command, env=self.environment, stdout=log, stderr=log).returncode == 0

    def close(self):
        self.stop(signal.SIGKILL)
        for loop in self.loops.values():
            subprocess.run(["losetup", "--detach", loop], check=False)


def expect(what, found, wanted):
    if found != wanted:
        fail(f"{what}: {found!r} in place of {wanted!r}")


def check(clock):
    good_clock = f'#!/bin/sh\nexec {clock.programs}/clockd "$@"\n'
    first = clock.system("first", good_clock)
    shutil.copyfile(first, clock.loops["A"])
    bad, good = clock.bundle("bad", BAD_CLOCK), clock.bundle("good", good_clock)

    expect("the first start", (clock.start(), clock.is_healthy()), ("first", True))
    clock.ctl("new", "5+3", "--rules", "fide-2023", "--white", "Menchik", "--force")
    clock.ctl("start")
    before = (clock.variables(), run("sha256sum", clock.loops["B"]))
    refused = clock.rauc("install", str(bad))
    if refused.returncode == 0 or "no update during a game: a clock runs" not in refused.stdout + log(clock):
        fail("an update during a game is not refused, or not for this reason:", refused.stdout, log(clock))
    expect("a refused update changes nothing", (clock.variables(), run("sha256sum", clock.loops["B"])), before)

    clock.ctl("pause")
    clock.ctl("adjourn", "white", "41")
    installed = clock.rauc("install", str(bad))
    expect(f"the update\n{installed.stdout}", installed.returncode, 0)
    expect("the update is the next system", clock.variables()[0], "B A")
    clock.stop()
    # Each start of the new system fails, and uses one up.
    for left in ("2", "1", "0"):
        expect("the new system", (clock.start(), clock.variables()[2], clock.is_healthy()), ("bad", left, False))
        clock.stop()

    expect("after three starts", clock.start(), "first")
    await_that("the clock", lambda: "adjourned" in clock.status())
    clock.ctl("resume-adjourned")
    if "Menchik" not in clock.ctl("status"):
        fail("the adjourned game has not come back:", clock.ctl("status"))
    clock.ctl("adjourn", "black", "42")
    expect("the system before", clock.is_healthy(), True)

    cut(clock, good_clock)
    expect("after a power cut in an update", clock.start(), "first")
    await_that("the clock", lambda: "adjourned" in clock.status())
    expect("the system before", clock.is_healthy(), True)

    expect("the update", clock.rauc("install", str(good)).returncode, 0)
    clock.stop()
    expect("the new system", (clock.start(), clock.is_healthy()), ("good", True))
    expect("it stays", clock.variables(), ("B A", "3", "3"))
    if "adjourned" not in clock.ctl("status"):
        fail("the adjourned game is not on the clock:", clock.ctl("status"))
    clock.stop()


def cut(clock, its_clock):
    """A power cut in an update: kills all programs when RAUC has written the slot and has not made it the next one."""
    written = clock.work / "written"
    # RAUC waits for the script, which ends when RAUC is killed.
    hook = f"#!/bin/sh\n: >{written}\nwhile kill -0 $PPID 2>/dev/null; do sleep 0.1; done\nexit 1\n"
    quiet = subprocess.DEVNULL
    command = ["rauc", "install", str(clock.bundle("cut", its_clock, hook))]
    process = subprocess.Popen(command, env=clock.environment, stdout=quiet, stderr=quiet)
    await_that("RAUC writes", lambda: written.exists() or process.poll() is not None)
    expect("the update is not the next system", (process.poll(), clock.variables()[0]), (None, "A"))
    clock.stop(signal.SIGKILL)
    process.wait(DEADLINE)


def log(clock):
    return (clock.work / "log").read_text(errors="replace")


def main():
    programs = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        clock = None
        try:
            clock = Clock(Path(work), programs)
            check(clock)
        finally:
            if clock:
                clock.close()


main()
