#!/usr/bin/env python3
"""A day of blitz without a break: does the clock need more at its end than at its beginning?

User-Mode Linux skips idle time and takes no time to compute, so a day takes half an hour. Latencies mean nothing there.
QEMU takes longer, and latencies at the end can be compared with those at the beginning.

usage: day.py uml|qemu [HOURS]     24 unless it is given
"""

import json
import os
import re
import sys
import tempfile

import bench
import user_mode
from board import script
from machine import Machine

PROGRAM = "/usr/local/lib/clock-tests/day"


def samples(text):
    lines = text.replace("\r", "").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]


def number(sample, name):
    return int(re.search(rf"'{name}': <(?:\w+ )?(-?\d+)>", sample["health"]).group(1))


def latencies(name, earlier, later):
    """The values of a histogram of Health between two samples."""
    first, last = (bench.Histogram(re.search(rf"'{name}': <(.*?)>", sample["health"]).group(1))
                   for sample in (earlier, later))
    return last.since(first).values()


def compare_latencies(taken):
    """Prints those of the first and of the last games. Returns what is wrong with them."""
    wrong = []
    for name in ("EdgeLatencyNSec", "DecisionLatencyNSec"):
        first, last = latencies(name, taken[0], taken[2]), latencies(name, taken[-4], taken[-2])
        bench.row(f"    {name}, first 20 games", first)
        bench.row(f"    {name}, last 20 games", last)
        if bench.quantile(last, .99) > bench.quantile(first, .99) * 1.25:
            wrong.append(f"{name} grows")
    return wrong


def report(taken):
    """Prints the first, a middle and the last sample, and returns what is wrong with them."""
    # The first game brings everything that is needed at all.
    first, last = taken[1], taken[-1]
    shown = (first, taken[len(taken) // 2], last)
    hours = (last["uptime"] - taken[0]["uptime"]) / 3600
    print(f"{hours:.2f} emulated hours, {last['games']} games, {last['moves']} moves")
    for name in ("pss", "pss_anon", "rss", "anon", "shmem", "fds", "threads", "record", "restarts"):
        print(f"    {name}: {' -> '.join(str(sample[name]) for sample in shown)}")
    growth = [(after["record"] - before["record"]) / max(1, after["moves"] - before["moves"])
              for before, after in zip(shown, shown[1:])]
    print(f"    bytes of the record for a move: {growth[0]:.0f} -> {growth[1]:.0f}")
    ticks = [(after["ticks"] - before["ticks"]) / max(1, after["moves"] - before["moves"])
             for before, after in zip(shown, shown[1:])]
    print(f"    processor time for a move: {ticks[0] * 10:.2f} ms -> {ticks[1] * 10:.2f} ms")
    for name in ("RecordedEntries", "UncommittedEntries", "LostEntries"):
        print(f"    {name}: {number(last, name)}")
    wrong = [f"{name} changed" for name in ("fds", "threads", "pid", "restarts") if first[name] != last[name]]
    if last["pss_anon"] > first["pss_anon"] * 1.1 + 256:
        wrong.append("memory grows")
    if number(last, "LostEntries") or number(last, "UncommittedEntries"):
        wrong.append("entries are missing on the record")
    return wrong


def play_in_user_mode(hours, folder):
    user_mode.run(script(f"""
        until_prints ready clockctl status
        {PROGRAM} $LINES {int(hours * 3600)} 2000 /mnt/samples
    """), folder, 6 * 3600)
    with open(f"{folder}/status") as status, open(f"{folder}/output") as output:
        return int(status.read()), output.read()


def play_in_qemu(hours, folder):
    with Machine(icount=True) as machine:
        # The console is a file of the host, which shows how far the day has come.
        os.symlink(f"{machine.folder}/console", f"{folder}/samples")
        said = machine.attempt(script(f"""
            until_prints ready clockctl status
            {PROGRAM} $LINES {int(hours * 3600)} 2000 /dev/ttyAMA0
        """), 6 * 3600)
        os.remove(f"{folder}/samples")
        with open(f"{folder}/samples", "w") as file:
            file.write(machine.console())
        return said


def main():
    kind, hours = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 24
    folder = tempfile.mkdtemp(prefix="clock-day-")
    print(f"the samples come into {folder}/samples", flush=True)
    status, output = {"uml": play_in_user_mode, "qemu": play_in_qemu}[kind](hours, folder)
    print(output)
    with open(f"{folder}/samples") as file:
        taken = samples(file.read())
    wrong = report(taken)
    if kind == "qemu":
        wrong += compare_latencies(taken)
    if status:
        wrong.append(f"the script ended with {status}")
    print("\n".join(wrong) or "nothing grows")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
