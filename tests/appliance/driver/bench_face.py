"""The figures of the face on a screen of 1920 × 1080 pixels, seen from outside of the program."""

import json
import re

from board import GAME, PRESS, journal, script, taps
from figures import quantile, row
from machine import GuestError

SIZE = (1920, 1080)
# How long processor time is counted, in seconds.
SPAN = 10
PRESSES = 300
# A press is decided so long after its first edge (N and the delivery window), in nanoseconds.
DECIDED = 1_100_000
# With this control, each press starts a delay of five seconds. No text changes by itself before the next press, so
# every frame after a press is that of the press.
DELAY = "us-g25-d5"
# From one press to the next.
APART_MS = 120
# White's clock runs first.
STEPS = taps(("white", "black") * (PRESSES // 2), APART_MS)
PLAY = "edge-player play $LINES --active-low </tmp/presses >/dev/null"

# `usage` prints the processor time of the face's control group in µs: user and system.
USAGE = """
usage() { awk '/^(user|system)_usec/ {print $2}' /sys/fs/cgroup/system.slice/clock-display.service/cpu.stat; }
"""


def run(machine):
    """Prints everything for a machine that was just booted."""
    memory(machine)
    processor_time(machine)
    frames(machine)


def memory(machine):
    """In the middle of a game, after the whole face and its digits were painted several times."""
    machine.run(script(GAME) + script("new_game fide-standard; sleep 3"))
    said = machine.run("pid=$(pidof clock-display); cat /proc/$pid/status /proc/$pid/smaps_rollup; "
                       "echo; sed -n '/dri.card/,/^VmFlags/p' /proc/$pid/smaps")
    everything, _, buffer = said.partition("\n\n")
    of = dict(re.findall(r"^(\w+):\s+(\d+) kB$", everything, re.M))
    print("memory of clock-display\n  " + ", ".join(f"{name} {int(of[name]) * 1024 / 1e6:.2f}" for name in (
        "VmRSS", "RssAnon", "RssFile", "RssShmem", "Pss")) + " MB   (target: 12 MB at most)")
    size, resident = (re.search(rf"^{name}:\s+(\d+) kB$", buffer, re.M)[1] for name in ("Size", "Rss"))
    print(f"  of which the buffer of the screen, {int(size) * 1024 / 1e6:.2f} MB, is counted with "
          f"{int(resident) * 1024 / 1e6:.2f} MB")


def processor_time(machine):
    """While times run, while they stand, and for presses. The control group counts in µs."""
    print(f"processor time of the face in {SPAN} s")
    for name, begin, target in (
        ("ready", "arbiter new --force --control blitz-5-0 --rules fide-2023 -q", "no repaint"),
        ("paused", "arbiter start -q; sleep 1; arbiter pause -q", "no repaint"),
        ("running, seconds", "arbiter resume -q", None),
        ("running, tenths", "arbiter pause -q; arbiter set --white-time 18s -q; arbiter resume -q", "10 % at most"),
    ):
        user, system = used(machine, f"{begin}\nsleep 2", f"sleep {SPAN}")
        print(f"  {name:<20} user {user / 1000:>7.1f} + system {system / 1000:>7.1f} ms = "
              f"{(user + system) / SPAN / 1e4:.2f} %" + (f"   (target: {target})" if target else ""))
    machine.run(f"cat >/tmp/presses <<'END'\n{STEPS}\nEND")
    user, system = used(machine, f"arbiter pause -q\nnew_game {DELAY}\nsleep 2", PLAY)
    print(f"  for a press          user {user / PRESSES / 1000:.2f} + system {system / PRESSES / 1000:.2f} ms")
    machine.run(script("arbiter pause -q"))


def used(machine, begin, measured):
    """The processor time of the face during the second script, after the first one: user and system, in µs."""
    said = machine.run(script(GAME) + USAGE + f"{begin}\nusage\n{measured}\nusage", 300)
    *before, user, system = map(int, said.split()[-4:])
    return user - before[0], system - before[1]


def frames(machine):
    """From the decision on a press until the call that hands the new frame to the kernel, and until its return.

    `clock-guest frames` stops the face at those calls only and takes the time at once, because it has a priority above
    the clock loop's; the face has that of its unit. So only the way from the call to the other process is added.
    """
    logged = machine.run(script(GAME) + script(f"""
        systemctl stop clock-display
        nice=$(systemctl show -P Nice clock-display)
        chrt -R -f 45 clock-guest frames nice -n $nice setpriv --reuid clock-display --regid clock-display --init-groups \\
            clock-display --screen >/tmp/frames 2>/tmp/face &
        until_prints 'the digits on the screen are' cat /tmp/face
        new_game {DELAY}
        sleep 1
        mark
        {PLAY}
        sleep 1
        kill $(pidof clock-display)
        wait
        systemctl start clock-display
        journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" MESSAGE_ID={PRESS}
    """), 900)
    presses = [int(press["AT_NSEC"]) for press in journal(logged)]
    if len(presses) != PRESSES:
        raise GuestError(f"{len(presses)} presses in the log, not {PRESSES}")
    calls = [json.loads(line) for line in machine.read("frames").splitlines()]
    handed, shown = [], []
    for press in presses:
        call, = [call for call in calls if press <= call["called"] < press + APART_MS * 1_000_000]
        handed.append(call["called"] - press - DECIDED)
        shown.append(call["returned"] - press - DECIDED)
    print("a press")
    row("decided → frame handed to the kernel", handed)
    row("decided → the kernel is done with it", shown)
    print(f"  p99 {quantile(handed, .99) / 1e6:.2f} ms   (target: 20 ms at most)")
