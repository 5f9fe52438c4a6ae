#!/usr/bin/env python3
"""The figures of docs/benchmarks.md, each with the program it is compared with, from the same run.

The machine counts instructions (-icount), so the figures repeat to the microsecond and a busy host
changes nothing; only while a machine with a screen waits for its disk, its clock is that of the host.
They are not those of a Raspberry Pi, but the ratios hold.
"""

import re
import statistics
import sys

import bench_face
from board import LINES, PRESS, journal, objects, script
from boot import FIRST_PICTURE, PRESS_COUNTS, Times, times
from figures import quantile, ratio, row
from machine import GuestError, Machine, use_uapi

ROUNDS = 2
BOOTS = 10
# For each reader in each round. Every press has two edges.
PRESSES = 80
# The clock is measured with both versions of the kernel's interface.
UAPIS = ("v2", "v1")
# The peers' lines. None of them is the clock's, so that both never read the same line.
PEER_LINES = "5 6"
SETTLE = 1_000_000
EDGE_DELIVERY_WINDOW = 100_000

# Like the clock, the peers ask for a pull-up and for active-low lines. gpiomon uses uAPI v2, and its
# output ends at each line, so nothing waits in its buffer.
GPIOMON = f"stdbuf -oL gpiomon -c $CHIP --active-low --bias=pull-up --format '%e %S' {PEER_LINES}"
# The name of each peer, its command, and what the clock's p99 may be, as a fraction of the peer's.
PEERS = {
    "gpiomon, FIFO 40": (f"chrt -f 40 {GPIOMON}", 0.8),
    "gpiomon": (GPIOMON, 0.05),
    "python": (f"/usr/local/lib/clock-tests/reader.py /dev/$CHIP {PEER_LINES}", 0.05),
}

LOADS = {
    # Four programs that use all of the processor.
    "steady": "for _ in 1 2 3 4; do (while :; do :; done) & done",
    # Memory, processes, timers and real-time threads below the clock's priority, drawn from a seed.
    "varying": "clock-guest load --seed 1 &",
}


def under_load(load, command):
    """A script that runs a command while the load runs, or on the idle machine if `load` is None."""
    if load is None:
        return script(command)
    return script(f"{LOADS[load]}\nLOAD=$(jobs -p)\ntrap 'kill $LOAD' EXIT\nsleep 1\n{command}")


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


def least(bound):
    """The least value of the bucket with this upper bound (daemon/rt/src/rt/histogram.rs)."""
    return bound + 1 - (1 << max(0, bound.bit_length() - 6))


def histograms(machine, *names):
    return [Histogram(machine.run(script(f"property Health {name}"))) for name in names]


def presses(count):
    """Steps for `edge-player play`: alternating presses, each held for 60 ms and 60 ms apart."""
    sides = ("white", "black")
    return "\n".join(f"60000 {LINES[sides[n // 2 % 2]]} {1 - n % 2}" for n in range(2 * count))


def boot():
    """Each boot is that of a new machine, with a screen."""
    boots = []
    for _ in range(BOOTS):
        with Machine(icount=True, screen=bench_face.SIZE) as machine:
            boots.append(times(machine))
    print(f"seconds from the kernel's start, {BOOTS} boots, 500 million instructions a second")
    for name, values in zip(Times._fields, zip(*boots)):
        print(f"  {name.replace('_', ' '):<16} median {statistics.median(values):.2f}, {min(values):.2f} to {max(values):.2f}"
              + {"first_picture": f"   (target: {FIRST_PICTURE} at most)",
                 "press_counts": f"   (target: {PRESS_COUNTS} at most)"}.get(name, ""))


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
    for load in LOADS:
        compare_under(machine, load)


def ask_peer(machine, load, name):
    """The nanoseconds from each edge to the line that the peer prints for it."""
    said = machine.run(under_load(load, f"clock-guest observe $LINES {PEER_LINES} --count {PRESSES} "
                                        f"-- {PEERS[name][0]}"), 900)
    return [line["nsec"] for line in objects(said)]


def ask_clock(machine, load):
    """In a new game, in which every press completes a move: the nanoseconds from each edge to its reading, and from
    each press to its decision, without those that the clock waits by design."""
    machine.run(script("until_prints ready clockctl status; fide_game; arbiter start -q"))
    before, = histograms(machine, "EdgeLatencyNSec")
    cursor = machine.run("journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p'").strip()
    said = machine.run(under_load(load, f"clock-guest observe-clock $LINES {LINES['white']} "
                                        f"{LINES['black']} --count {PRESSES} --process $(pidof clockd)"), 900)
    after, = histograms(machine, "EdgeLatencyNSec")
    logged = journal(machine.run(f"journalctl -u clockd -o json --no-pager --after-cursor '{cursor}' "
                                 f"MESSAGE_ID={PRESS}"))
    handed_out = [line["decided"] for line in objects(said)]
    if len(logged) != PRESSES or len(handed_out) != PRESSES:
        raise GuestError(f"{len(logged)} presses in the log, {len(handed_out)} observed, not {PRESSES}")
    # By design a press is decided N and the delivery window after its first edge.
    decided = [at - int(press["AT_NSEC"]) - SETTLE - EDGE_DELIVERY_WINDOW for at, press in zip(handed_out, logged)]
    return after.since(before).values(), decided


def compare_under(machine, load):
    """Gives the clock and its peers the same presses. All are observed by the same program, in the same way."""
    peers = {name: [] for name in PEERS}
    read, decided = {uapi: [] for uapi in UAPIS}, {uapi: [] for uapi in UAPIS}

    def peer(name):
        peers[name] += ask_peer(machine, load, name)

    def clock(uapi):
        machine.run(use_uapi(uapi))
        for all_values, values in zip((read[uapi], decided[uapi]), ask_clock(machine, load)):
            all_values += values

    asks = [*(lambda uapi=uapi: clock(uapi) for uapi in UAPIS),
            *(lambda name=name: peer(name) for name in PEERS)]
    for number in range(ROUNDS):
        for ask in asks if number % 2 == 0 else reversed(asks):
            ask()
    print(f"stamp to reader, under the {load} load")
    for uapi in UAPIS:
        row(f"clockd {uapi}, edge read", read[uapi])
        row(f"clockd {uapi}, decided, beyond N + window", decided[uapi])
    for name, values in peers.items():
        row(name, values)
    for name, (_, target) in PEERS.items():
        of_peer = quantile(peers[name], .99)
        for uapi in UAPIS:
            ratio(f"{uapi}, edge read / {name}, p99", quantile(read[uapi], .99), of_peer, f"{target} at most")
            ratio(f"{uapi}, decided / {name}, p99", quantile(decided[uapi], .99), of_peer, f"{target} at most")


def lateness(machine):
    """Compares the loop's wake-ups with cyclictest's, at the same priority."""
    ours, edges, peer = [], [], []
    for _ in range(ROUNDS):
        # Exact nanoseconds (-N), one line of the histogram for each.
        said = machine.run("cyclictest -m -N -p 40 -i 10000 -l 600 -q -h 200000 2>/dev/null | awk '$2 > 0'", 300)
        for nanos, count in re.findall(r"^0*(\d+) 0*(\d+)$", said, re.M):
            peer += [int(nanos)] * int(count)
        before = histograms(machine, "WakeLatenessNSec", "EdgeLatencyNSec")
        machine.run(script(f"edge-player play $LINES --active-low >/dev/null <<'END'\n{presses(300)}\nEND"), 300)
        after = histograms(machine, "WakeLatenessNSec", "EdgeLatencyNSec")
        ours += after[0].since(before[0]).values()
        edges += after[1].since(before[1]).values()
    print("awake, idle machine, the same priority")
    row("clockd, timer to awake", ours)
    row("clockd, stamp to edge read", edges)
    row("cyclictest -p 40", peer)
    # The clock's figure is known to be in one bucket of its histogram, cyclictest's is exact.
    bound, exact = quantile(ours, .99), quantile(peer, .99)
    print(f"  timer, p99 / p99: between {least(bound) / exact:.2f} and {bound / exact:.2f}   (target: 1.2 at most)")
    ratio("edge read, worst / worst", max(edges), max(peer), "4 at most")


def signal_times(machine, count):
    """The nanoseconds from each decided press to its signal at a client, and those of bare signals with as many
    properties."""
    said = objects(machine.run(script(
        f"clock-guest signals $LINES {LINES['white']} {LINES['black']} --count {count}"), 600))
    # A press that starts a clock or a period changes other properties than one that completes a move.
    pairs = [(bare, press) for bare, press in zip(said[::2], said[1::2])
             if bare["properties"] == press["properties"]]
    if len(pairs) * 2 < len(said) * 9 // 10:
        raise GuestError(f"only {len(pairs)} of {len(said) // 2} presses have as many properties as a bare signal")
    return [press["nsec"] - SETTLE - EDGE_DELIVERY_WINDOW for _, press in pairs], [bare["nsec"] for bare, _ in pairs]


def signals(machine):
    press, bare = signal_times(machine, 300)
    print("to a D-Bus client")
    row("press, beyond N + window", press)
    row("bare zbus signal", bare)
    ratio("p50 / p50", statistics.median(press), statistics.median(bare), "1.1 at most")


BENCHMARKS = {"signals": signals, "lateness": lateness, "memory": memory, "idle": idle, "latency": latency,
              "face": bench_face.run, "boot": boot}


def main():
    wanted = sys.argv[1:] or list(BENCHMARKS)
    if unknown := [name for name in wanted if name not in BENCHMARKS]:
        sys.exit(f"bench.py: no benchmark is called {', '.join(unknown)}; expected some of {', '.join(BENCHMARKS)}")
    counted = [name for name in BENCHMARKS if name in wanted and name not in ("boot", "face")]
    if counted:
        with Machine(icount=True) as machine:
            for name in counted:
                machine.run(script("fresh-clock; until_prints ready clockctl status; fide_game"))
                BENCHMARKS[name](machine)
    if "face" in wanted:
        with Machine(icount=True, screen=bench_face.SIZE) as machine:
            bench_face.run(machine)
    if "boot" in wanted:
        boot()


if __name__ == "__main__":
    # Each figure is shown as soon as it is there.
    sys.stdout.reconfigure(line_buffering=True)
    main()
