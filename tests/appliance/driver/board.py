"""The simulated GPIO chip, and how the tests observe the clock from outside."""

import json
import re
import struct
import textwrap
from collections import Counter, namedtuple

# The lines of configs/wiring/raspberry-pi.toml.
LINES = {"white": 17, "black": 27, "call": 22}
SIDES = {number: name for name, number in LINES.items()}

# One movement of a button: its line, whether it is pressed, and the readings of the monotonic clock
# around the write that moved it.
Move = namedtuple("Move", "line level before after")
# A record of the kernel: the line's name, the stamp, whether the contact closed, and the reading of the
# wall clock when the loop read it.
Edge = namedtuple("Edge", "line stamp active read")

# The MESSAGE_ID of each kind of journal entry (daemon/src/game/journal.rs).
PRESS = "3d2f9f4c1a6b4c54a3f2f0d0a9b87e11"
IGNORED = "5b1e4f0e6c3d4b0f8f5a7d1c2e9a6b22"
FLAG = "8e7c6b5a4d3f4e2d9c1b0a9f8e7d6c33"
CHANGE = "a1c3e5f7092b4d6f81a3c5e7f90b2d44"
FAULT = "c9b8a7f6e5d44c3ba2918f7e6d5c4b55"

# A function for scripts.
UNTIL_PRINTS = """\
# Waits until a command prints a pattern: `until_prints PATTERN COMMAND…`.
until_prints() {
    local wanted=$1 attempt
    shift
    for attempt in {1..200}; do
        grep -q -- "$wanted" <<<"$("$@" 2>&1)" && return
        sleep 0.05
    done
    echo "never printed $wanted: $*: $("$@" 2>&1)" >&2
    return 1
}
"""

# The start of every script: where the lines are, and how to move one.
PRELUDE = """
set -euo pipefail
read -r _ CHIP LINES </run/board
press() { echo pull-down >$LINES/sim_gpio$1/pull; }
release() { echo pull-up >$LINES/sim_gpio$1/pull; }
tap() { press $1; sleep 0.05; release $1; sleep 0.05; }
arbiter() { runuser -u alice -- clockctl "$@"; }
# Stops the clocks. In a game without an arbiter only a player does.
stop_clocks() { [[ $(clockctl status) != running* ]] || arbiter pause -q || arbiter pause --by white -q; }
# A game with an arbiter and for hours, which has not begun. The one of the shipped configuration is 5+3 without an arbiter.
fide_game() { arbiter new --force --control fide-standard --rules fide-2023 -q; }
property() { gdbus call --system -d org.chessclock.Clock1 -o /org/chessclock/Clock1 \\
    -m org.freedesktop.DBus.Properties.Get org.chessclock.Clock1.$1 $2; }
""" + UNTIL_PRINTS


def script(text):
    """A script with the prelude."""
    return PRELUDE + textwrap.dedent(text)


def taps(sides, gap_ms, hold_ms=60):
    """A script for `edge-player play`: a clean press for each side, `gap_ms` from one to the next."""
    lines = []
    for number, side in enumerate(sides):
        wait = (gap_ms - hold_ms if number else gap_ms) * 1000
        lines += [f"{wait} {LINES[side]} 1", f"{hold_ms * 1000} {LINES[side]} 0"]
    return "\n".join(lines)


def moves(text):
    """Reads what `edge-player play` printed."""
    return [Move(SIDES[line], bool(level), before, after)
            for line, level, before, after in (map(int, row.split()) for row in text.splitlines())]


# `capture NAME` attaches strace to the clock loop and writes what it reads to /tmp/NAME, with the wall-clock
# time of each read; `stop_capture` ends that.
CAPTURE = """
capture() {
    local pid tid
    pid=$(pidof clockd)
    tid=$(grep -lx clock-loop /proc/$pid/task/*/comm | cut -d/ -f5)
    strace -p $tid -y -e trace=read -xx -s 4096 --absolute-timestamps=format:unix,precision:ns \\
        -o /tmp/$1 2>/tmp/$1.log & CAPTURE=$!
    until_prints attached cat /tmp/$1.log
}
stop_capture() { kill -INT $CAPTURE; wait $CAPTURE || true; }
"""

# Starts a new game with the given time control and an arbiter; White's clock runs.
GAME = """
new_game() {
    stop_clocks
    arbiter new --force --control "${1:-blitz-5-0}" --rules fide-2023 -q
    arbiter start -q
}
faults() { property Health Faults; }
no_faults() { until_prints '@as \\[\\]' faults; }
# Waits until the unit is active and the clock is on the bus.
is_up() { until_prints '^active' systemctl is-active clockd; until_prints period clockctl status; }
mark() { CURSOR=$(journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p'); }
# The clock's journal entries since `mark`.
said() { journalctl -u clockd -o cat --no-pager --after-cursor "$CURSOR" "$@"; }
"""

_READ = re.compile(r'^(\d+)\.(\d{9}) read\((\d+)<((?:\\x..)+)>, "((?:\\x..)+)", \d+\) = (\d+)$', re.M)
_HANDLE = re.compile(r"^[\d.]+ read\((\d+)<((?:\\x..)+)>", re.M)
# The name of a descriptor that has events of uAPI v1 (one for each line) and of v2 (one for all lines).
_V1, _V2 = b"anon_inode:gpio-event", b"anon_inode:gpio-line"
# `struct gpioevent_data`: the stamp and the direction; `struct gpio_v2_line_event`: the stamp, the
# direction, the line's offset, and two sequence numbers.
_V1_RECORD, _V2_RECORD = struct.Struct("<QI4x"), struct.Struct("<QIIII24x")


def captured(text):
    """The edges in strace's output: records of the kernel, of uAPI v1 or v2."""
    # With v1 the lines are requested in the order of LINES, so their descriptors are in this order too.
    # The loop also reads a line that has no edge, so that all descriptors occur.
    handles = {int(number) for number, name in _HANDLE.findall(text) if _bytes(name) == _V1}
    names = dict(zip(sorted(handles), LINES))
    edges = []
    for seconds, nanos, handle, name, data, length in _READ.findall(text):
        read, data = int(seconds) * 1_000_000_000 + int(nanos), _bytes(data)[:int(length)]
        if _bytes(name) == _V1:
            edges += [Edge(names[int(handle)], stamp, kind == 1, read)
                      for stamp, kind in _V1_RECORD.iter_unpack(data)]
        elif _bytes(name) == _V2:
            edges += [Edge(SIDES[offset], stamp, kind == 1, read)
                      for stamp, kind, offset, _, _ in _V2_RECORD.iter_unpack(data)]
    return edges


def _bytes(text):
    return bytes.fromhex(text.replace("\\x", ""))


def journal(text):
    """Reads what `journalctl -o json` printed: one dictionary for each entry."""
    return [json.loads(line) for line in text.splitlines()]


def objects(text):
    """Reads the lines that are JSON objects, and skips the others."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def histogram(text):
    """Reads a histogram property of the Health interface: the count of each upper bound."""
    return Counter({int(bound): int(count)
                    for bound, count in re.findall(r"\((?:uint64 )?(\d+), (?:uint64 )?(\d+)\)", text)})


def quantile(counts, part):
    """The bound that the fraction `part` of all counted values does not exceed."""
    values = sorted(counts.elements())
    return values[min(len(values) - 1, int(len(values) * part))]
