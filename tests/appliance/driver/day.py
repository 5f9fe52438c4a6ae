#!/usr/bin/env python3
"""A day of blitz without a break: does the clock need more at its end than at its beginning?

User-Mode Linux skips idle time, so a day takes minutes. There all computing takes no guest time at all, and latencies
are zero. So the same games are played in QEMU for as long as is asked for, for the latencies.

usage: day.py [HOURS [QEMU_HOURS]]     24 and 0.5 unless they are given; QEMU is left out with 0
"""

import json
import os
import re
import sys
import tempfile

import user_mode
from board import histogram, quantile, script
from machine import Machine

# From one press to the next, in milliseconds.
GAP = 2000
DAY = "/usr/local/lib/clock-tests/day"
HISTOGRAMS = ("EdgeLatencyNSec", "WakeLatenessNSec", "DecisionLatencyNSec")


def samples(text):
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def number(sample, name):
    return int(re.search(rf"'{name}': <(?:\w+ )?(-?\d+)>", sample["health"]).group(1))


def counts(sample, name):
    return histogram(re.search(rf"'{name}': <(.*?\])>", sample["health"]).group(1))


def report(title, taken):
    """Prints the first, a middle and the last sample, and returns what is wrong with them."""
    # The first game brings everything that is needed at all.
    first, last = taken[1], taken[-1]
    shown = (first, taken[len(taken) // 2], last)
    hours = (last["uptime"] - taken[0]["uptime"]) / 3600
    print(f"{title}: {hours:.2f} emulated hours, {last['games']} games, {last['moves']} moves")
    for name in ("pss", "pss_anon", "rss", "fds", "threads", "record", "wal"):
        print(f"    {name}: {' -> '.join(str(sample[name]) for sample in shown)}")
    growth = [(after["record"] - before["record"]) / max(1, after["moves"] - before["moves"])
              for before, after in zip(shown, shown[1:])]
    print(f"    bytes of the record for a move: {growth[0]:.0f} -> {growth[1]:.0f}")
    ticks = [(after["ticks"] - before["ticks"]) / max(1, after["moves"] - before["moves"])
             for before, after in zip(shown, shown[1:])]
    print(f"    processor time for a move: {ticks[0] * 10:.2f} ms -> {ticks[1] * 10:.2f} ms")
    for name in ("RecordedEntries", "UncommittedEntries", "LostEntries"):
        print(f"    {name}: {number(last, name)}")
    for name in HISTOGRAMS:
        early, late = (counts(after, name) - counts(before, name) for before, after in zip(shown, shown[1:]))
        if early and late:
            print(f"    {name}, p50 and p99 in µs: "
                  + " -> ".join(f"{quantile(part, .5) / 1000:.0f} {quantile(part, .99) / 1000:.0f}" for part in (early, late)))
    wrong = [f"{name} changed" for name in ("fds", "threads", "pid") if first[name] != last[name]]
    if last["pss_anon"] > first["pss_anon"] * 1.1 + 256:
        wrong.append("memory grows")
    if number(last, "LostEntries") or number(last, "UncommittedEntries"):
        wrong.append("entries are missing on the record")
    return [f"{title}: {what}" for what in wrong]


def user_mode_day(hours):
    # On a disk of the host's memory: thousands of times, the record waits until it is written.
    folder = tempfile.mkdtemp(prefix="clock-day-")
    print(f"samples: {folder}/samples", flush=True)
    try:
        user_mode.run(script(f"""
            until_prints ready clockctl status
            {DAY} $LINES {int(hours * 3600)} {GAP} /mnt/samples
        """), folder, 6 * 3600)
    finally:
        with open(f"{folder}/samples") as file:
            wrong = report("User-Mode Linux", samples(file.read()))
    with open(f"{folder}/status") as status, open(f"{folder}/output") as output:
        if status.read().strip() != "0":
            wrong.append("the script failed:\n" + output.read())
    return wrong


def qemu_day(hours):
    with Machine(icount=True) as machine:
        machine.run(script(f"""
            until_prints ready clockctl status
            {DAY} $LINES {int(hours * 3600)} 200 /tmp/samples
        """), seconds=6 * 3600)
        return report("QEMU, a move every 0.2 s", samples(machine.read("samples")))


def main():
    hours, qemu_hours = (*map(float, sys.argv[1:]), 24, 0.5)[:2] if len(sys.argv) < 3 else map(float, sys.argv[1:3])
    wrong = user_mode_day(hours) if "clock-um" not in os.environ.get("SKIP", "") else []
    if qemu_hours:
        wrong += qemu_day(qemu_hours)
    print("\n".join(wrong) or "nothing grows")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
