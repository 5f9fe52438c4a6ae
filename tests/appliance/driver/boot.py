"""When the parts of the appliance are there, in seconds since the start of the kernel."""

from collections import namedtuple

from board import script

# The limits of a machine that takes 500 million instructions a second.
FIRST_PICTURE, PRESS_COUNTS = 2.0, 2.5

# `systemd`: systemd runs. `press_counts`: the loop runs and holds the lines. `clock_ready`: clockd is on the bus, and systemd
# has raised the interrupt threads. `face_started`: the program runs in its sandbox. `rest`: the first service of the rest of the
# system was started.
Times = namedtuple("Times", "systemd press_counts clock_ready face_started first_picture rest multi_user")

# The kernel makes a thread for the interrupt of a line when the loop requests the line. It tells the start of a thread in
# hundredths of a second.
ASK = r"""
of() { systemctl show -P "$@"; }
started() { sed 's/.*) //' "$1/stat" | cut -d' ' -f20; }
loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
of UserspaceTimestampMonotonic
for thread in "${loop%/comm}" $(grep -lsE '^irq/[0-9]+-clockd' /proc/[0-9]*/comm | sed 's#/comm##'); do
    echo "$(started "$thread")0000"
done | sort -n | tail -1
of ActiveEnterTimestampMonotonic clockd
of ExecMainStartTimestampMonotonic clock-display
of ActiveEnterTimestampMonotonic clock-display
of InactiveExitTimestampMonotonic systemd-tmpfiles-setup
of ActiveEnterTimestampMonotonic multi-user.target
"""


def times(machine):
    """The times of this boot."""
    return Times(*(int(line) / 1e6 for line in machine.run(script(ASK)).split()))
