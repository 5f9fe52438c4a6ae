"""Lets systemd plan the start of the image in a staged root, without starting anything, and checks what starts before what.

usage: check-first.py ROOT [UNITS]

ROOT: has the files of the layer's recipes. UNITS: the folder with the units of systemd, udev and the bus, without it this computer's.

`systemd --test` reads the units as at a start and prints the jobs of the default target with the order of all units.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FIRST = "chess-clock-first.target"
CLOCK = ["clockd.service", "clock-display.service"]
RECORD = r"var-lib-chess\x2dclock.mount"
CONFIGURATION = r"etc-chess\x2dclock.mount"
BOOT = "boot-firmware.mount"
WIRELESS = ["etc-iwd.mount", "var-lib-iwd.mount"]
DATA = "chess-clock-data.service"
SET_UP = "chess-clock-set-up.service"

# All that may start before the clock, beside devices and slices.
ALLOWED = {
    FIRST, *CLOCK, RECORD, CONFIGURATION, *WIRELESS, BOOT, DATA, SET_UP, "-.mount", "data.mount", r"systemd-fsck@dev-disk-by\x2dlabel-data.service",
    "chess-clock-devices.service", "chess-clock-drivers.service", "chess-clock-rest.service", "dbus.service", "dbus.socket",
    "systemd-journald.service", "systemd-journald.socket", "systemd-journald-dev-log.socket", "systemd-journald-audit.socket",
    "systemd-udevd.service", "systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd-varlink.socket",
    "systemd-remount-fs.service", "local-fs-pre.target", "network-pre.target",
    # Debian's own progress of file system checks.
    "systemd-fsckd.socket",
}

# Settings with the version of systemd in which they are new. An earlier one ignores them with a warning.
NEW = {"OpenFile=": 253, "RestartSteps=": 254, "RestartMaxDelaySec=": 254}

# Units of the rest of the system.
REST = ["chess-clock-backup.socket", "chess-clock-health.service", "chronyd.service", "iwd.service", "systemd-journald.service", "var-log-journal.mount"]


class Start:
    """The jobs of one start, and for each unit its drop-ins and the units that it waits for."""

    def __init__(self, printed):
        self.jobs = set(re.findall(r"^\s*Action: (\S+) -> start", printed, re.MULTILINE))
        self.after, self.drop_ins = {}, {}
        # systemd 252 begins the line of a unit with a tab. The arrow depends on the locale.
        for name, text in re.findall(r"^\t?(?:->|→) Unit (\S+):\n((?:\t\t.*\n)*)", printed, re.MULTILINE):
            self.after[name] = set(re.findall(r"^\t\tAfter: (\S+)", text, re.MULTILINE))
            self.drop_ins[name] = re.findall(r"^\t\tDropIn Path: (.*)", text, re.MULTILINE)

    def waits_for(self, name):
        """All units with a job for which the unit waits, also through others."""
        found, left = set(), [name]
        while left:
            for unit in self.after[left.pop()] & self.jobs - found:
                found.add(unit)
                left.append(unit)
        return found


def known_here(unit, version):
    """The text of a unit with the settings that this version of systemd knows."""
    lines = [line for line in unit.splitlines(keepends=True) if not any(line.startswith(key) and version < since for key, since in NEW.items())]
    # New in 257. With any other folder, the unit would wait for the mount of /tmp.
    return "".join(lines) if version >= 257 else "".join(lines).replace("PrivateTmp=disconnected", "PrivateTmp=no")


def stage(root, folder, version):
    """Copies the units, and makes those of the mounts, in a folder that every user can read: systemd --test does not run as root."""
    for name in ["etc/systemd/system", "usr/lib/systemd/system"]:
        shutil.copytree(root / name, folder / name, symlinks=True)
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            file.write_text(known_here(file.read_text(), version))
    mounts = folder / "mounts"
    mounts.mkdir()
    generator = "/usr/lib/systemd/system-generators/systemd-fstab-generator"
    environment = {"SYSTEMD_FSTAB": str(root / "etc/fstab"), "SYSTEMD_PROC_CMDLINE": "ro"}
    subprocess.run([generator, mounts, mounts, mounts], env=environment, check=True)


def plan(folder, units, *options):
    """The start of the default target, or of the target that an option names."""
    path = [folder / "etc/systemd/system", folder / "mounts", folder / "usr/lib/systemd/system", units]
    # No generator of this computer.
    (folder / "none").mkdir(exist_ok=True)
    environment = {"HOME": str(folder), "SYSTEMD_UNIT_PATH": ":".join(map(str, path)), "SYSTEMD_GENERATOR_PATH": str(folder / "none")}
    user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
    command = [*user, "/usr/lib/systemd/systemd", "--test", "--system", *options]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "cycle" in line or "Failed to load" in line or line.startswith(str(folder))]
    if done.returncode != 0 or said:
        sys.exit("\n".join([" ".join(["systemd --test", *options]) + " says:", *(said or [done.stderr])]))
    return Start(done.stdout)


def check_first(start, faults):
    """What starts before the rest of the system."""
    if FIRST not in start.jobs:
        faults.append(f"the default target does not start {FIRST}")
        return
    extra = {name for name in start.jobs - ALLOWED if not name.endswith((".device", ".slice"))}
    faults += [f"{name} starts before the rest of the system" for name in sorted(extra)]
    needed = {"dbus.service", "chess-clock-devices.service", SET_UP, RECORD, CONFIGURATION, DATA, BOOT}
    for name, wanted in {
        "clockd.service": needed,
        # The face waits for no record; it reads its configuration.
        "clock-display.service": {"chess-clock-devices.service", SET_UP, CONFIGURATION},
        "chess-clock-rest.service": set(CLOCK),
        SET_UP: {BOOT, CONFIGURATION, *WIRELESS, "systemd-remount-fs.service"},
        **{mount: {"data.mount", DATA} for mount in [RECORD, *WIRELESS]},
        CONFIGURATION: {"data.mount", DATA},
        DATA: {"data.mount"},
        "data.mount": {r"systemd-fsck@dev-disk-by\x2dlabel-data.service"},
    }.items():
        if name not in start.jobs:
            faults.append(f"{name} is not started by {FIRST}")
            continue
        faults += [f"{name} does not wait for {unit}" for unit in sorted(wanted - start.waits_for(name))]
    # An order of its own, which also holds when the units are stopped, and when one of them is started later.
    for name, units in {"clockd.service": [RECORD, CONFIGURATION, "dbus.service"], "clock-display.service": [CONFIGURATION]}.items():
        faults += [f"{name} has no After={unit}" for unit in units if unit not in start.after.get(name, ())]


def check_rest(start, faults):
    """multi-user.target, which chess-clock-rest.service starts."""
    for name in REST:
        if name not in start.jobs:
            faults.append(f"multi-user.target does not start {name}")
    for name, unit in {"systemd-journald.service": "clockd.service", "chess-clock-health.service": "clockd.service", "iwd.service": SET_UP}.items():
        if unit not in start.after.get(name, ()):
            faults.append(f"{name} has no After={unit}")


def check_restart(name, start, faults):
    """A restart of the clock or the face wants no disk again, so that it does not wait for one that is gone."""
    disks = {job for job in start.jobs - {"-.mount"} if job.endswith((".mount", ".device"))}
    faults += [f"a restart of {name} starts {job}, too" for job in sorted(disks)]


def check_drop_ins(folder, starts, faults):
    """systemd has read each drop-in of a unit that it has loaded."""
    for file in sorted((folder / "etc/systemd/system").glob("*.d/*.conf")):
        unit = file.parent.name[:-2]
        read = [path for start in starts for path in start.drop_ins.get(unit, ())]
        if any(unit in start.after for start in starts) and str(file) not in read:
            faults.append(f"systemd does not read {file.relative_to(folder)}")


def main():
    root = Path(sys.argv[1])
    units = Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/lib/systemd/system")
    said = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    version = int(re.match(r"systemd (\d+)", said)[1])
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        stage(root, folder, version)
        first, rest = plan(folder, units), plan(folder, units, "--unit=multi-user.target")
        check_first(first, faults)
        check_rest(rest, faults)
        for name in CLOCK:
            check_restart(name, plan(folder, units, f"--unit={name}"), faults)
        check_drop_ins(folder, [first, rest], faults)
    if faults:
        sys.exit("\n".join(f"the start of the image: {fault}" for fault in faults))


main()
