#!/usr/bin/env python3
"""The figures of docs/benchmarks.md, each with the program it is compared with, from the same run.

The machine counts instructions (-icount), so the figures repeat to the microsecond and a busy host
changes nothing; only the boot follows the host's clock. They are not those of a Raspberry Pi, but
the ratios hold.
"""

import re
import statistics
import sys

from board import LINES, objects, script
from machine import Machine

EDGES = 200
ROUNDS = 3
# Each of the compared programs has a line of its own.
PEER_LINES = {"gpiomon": 5, "python": 6}
SETTLE = 1_000_000
EDGE_DELIVERY_WINDOW = 100_000

LOAD = """
# Four programs that use all of the processor, as on a busy machine.
load() {
    for _ in 1 2 3 4; do (while :; do :; done) & done
    LOAD=$(jobs -p)
    trap 'kill $LOAD' EXIT
    sleep 1
}
"""


def quantile(values, part):
    """The smallest value that the fraction `part` of all values does not exceed."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


class Histogram:
    """A histogram property of the Health interface: (upper bound, count) pairs."""

    def __init__(self, text):
        self.counts = {int(bound): int(count)
                       for bound, count in re.findall(r"\((?:uint64 )?(\d+), (?:uint64 )?(\d+)\)", text)}

    def since(self, earlier):
        later = Histogram("")
        later.counts = {bound: count - earlier.counts.get(bound, 0)
                        for bound, count in self.counts.items()
                        if count > earlier.counts.get(bound, 0)}
        return later

    def values(self):
        """All counted values, each as the upper bound of its bucket."""
        return [bound for bound, count in sorted(self.counts.items()) for _ in range(count)]


def row(name, values, unit=1000):
    print(f"  {name:<34} p50 {quantile(values, .5) / unit:>9.1f}  p99 {quantile(values, .99) / unit:>9.1f}"
          f"  max {max(values) / unit:>9.1f} µs  ({len(values)})")


def ratio(name, ours, peer, wanted):
    print(f"  {name:<34} {ours / peer:.3f}   (target: {wanted})")


def histograms(machine, *names):
    return [Histogram(machine.run(script(f"property Health {name}"))) for name in names]


def presses(count):
    """Steps for `edge-player play`: alternating presses, each held for 60 ms and 60 ms apart."""
    sides = ("white", "black")
    return "\n".join(f"60000 {LINES[sides[n // 2 % 2]]} {1 - n % 2}" for n in range(2 * count))


def boot(machine):
    said = machine.run("systemctl show -P ActiveEnterTimestampMonotonic clockd; systemd-analyze")
    ready = int(said.split()[0]) / 1e6
    total = float(re.search(r"= ([\d.]+)s", said)[1])
    print(f"boot\n  kernel start to clockd ready       {ready:.2f} s of {total:.2f} s to multi-user.target")


def idle(machine):
    """Counts the context switches of the loop's thread in a minute."""
    count = """
        loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
        switches() { grep ctxt ${loop%comm}status | awk '{sum += $2} END {print sum}'; }
        before=$(switches)
        sleep 60
        echo $(($(switches) - before))
    """
    ready = machine.run(script(count)).strip()
    machine.run(script("arbiter start -q; sleep 1; arbiter pause -q"))
    paused = machine.run(script(count)).strip()
    machine.run(script("arbiter resume -q; sleep 1"))
    running = machine.run(script(count)).strip()
    print(f"wake-ups of the clock loop in 60 s (target: 0)\n"
          f"  ready {ready}, paused {paused}, running towards a far flag {running}")


def memory(machine):
    pss = int(machine.run("awk '/^Pss:/ {print $2}' /proc/$(pidof clockd)/smaps_rollup"))
    print(f"memory of clockd\n  PSS {pss * 1024 / 1e6:.2f} MB   (target: 6 MB at most)")


def latency(machine):
    print("stamp to reader, with four programs that use the whole processor")
    ours, lateness, peers = [], [], {name: [] for name in PEER_LINES}
    commands = {
        "gpiomon": f"stdbuf -oL gpiomon -c $CHIP --bias=pull-up --format '%e %S' {PEER_LINES['gpiomon']}",
        "python": f"/usr/local/lib/clock-tests/reader.py /dev/$CHIP {PEER_LINES['python']}",
    }

    def ask_peer(name):
        said = machine.run(script(LOAD + f"load; clock-guest observe $LINES {PEER_LINES[name]} "
                                  f"--count {EDGES} -- {commands[name]}"), 600)
        peers[name] += [line["nsec"] for line in objects(said)]

    def ask_clock():
        before = histograms(machine, "EdgeLatencyNSec", "DecisionLatencyNSec")
        machine.run(script(LOAD + f"load; edge-player play $LINES --active-low >/dev/null <<'END'\n"
                           f"{presses(EDGES)}\nEND"), 600)
        after = histograms(machine, "EdgeLatencyNSec", "DecisionLatencyNSec")
        ours.extend(after[0].since(before[0]).values())
        lateness.extend(after[1].since(before[1]).values())

    for number in range(ROUNDS):
        order = [lambda: ask_peer("gpiomon"), ask_clock, lambda: ask_peer("python"), ask_clock]
        for ask in order if number % 2 == 0 else reversed(order):
            ask()
    row("clockd, edge read", ours)
    # By design a press is decided N and the delivery window after its first edge.
    decided = [value - SETTLE - EDGE_DELIVERY_WINDOW for value in lateness]
    row("clockd, decided, beyond N + window", decided)
    for name, values in peers.items():
        row(name, values)
        ratio(f"clockd edge read / {name}, p99", quantile(ours, .99), quantile(values, .99), "0.050 at most")
        ratio(f"clockd decided / {name}, p99", quantile(decided, .99), quantile(values, .99), "0.050 at most")


def lateness(machine):
    """Compares the loop's wake-ups with cyclictest's, at the same priority."""
    ours, edges, peer = [], [], []
    for _ in range(ROUNDS):
        said = machine.run("cyclictest -m -p 40 -i 10000 -l 600 -q -h 1000 2>/dev/null", 300)
        for bucket, count in re.findall(r"^0*(\d+) 0*(\d+)$", said, re.M):
            peer += [int(bucket) * 1000] * int(count)
        before = histograms(machine, "WakeLatenessNSec", "EdgeLatencyNSec")
        machine.run(script(f"edge-player play $LINES --active-low >/dev/null <<'END'\n{presses(300)}\nEND"), 300)
        after = histograms(machine, "WakeLatenessNSec", "EdgeLatencyNSec")
        ours += after[0].since(before[0]).values()
        edges += after[1].since(before[1]).values()
    print("awake, idle machine, the same priority")
    row("clockd, timer to awake", ours)
    row("clockd, stamp to edge read", edges)
    row("cyclictest -p 40", peer)
    ratio("timer, p99 / p99", quantile(ours, .99), quantile(peer, .99), "1.5 at most")
    ratio("edge read, worst / worst", max(edges), max(peer), "4 at most")


def signals(machine):
    said = objects(machine.run(script(
        f"clock-guest signals $LINES {LINES['white']} {LINES['black']} --count 300"), 600))
    bare = [line["nsec"] for line in said if line["kind"] == "bare"]
    press = [line["nsec"] - SETTLE - EDGE_DELIVERY_WINDOW for line in said if line["kind"] == "press"]
    print("to a D-Bus client")
    row("press, beyond N + window", press)
    row("bare zbus signal", bare)
    ratio("p50 / p50", statistics.median(press), statistics.median(bare), "1.3 at most")


def main():
    wanted = sys.argv[1:] or ["boot", "idle", "memory", "latency", "lateness", "signals"]
    if "boot" in wanted:
        # With -icount, time would jump whenever the guest waits for the disk.
        with Machine() as machine:
            boot(machine)
    with Machine(icount=True) as machine:
        for name in ("idle", "memory", "latency", "lateness", "signals"):
            if name in wanted:
                machine.run(script("systemctl restart clockd; until_prints ready clockctl status"))
                globals()[name](machine)


if __name__ == "__main__":
    main()
