#!/usr/bin/env python3
"""A day of blitz without a break: does the clock need more at its end than at its beginning?

User-Mode Linux skips idle time and takes no time to compute, so a day takes minutes. Latencies mean nothing there.

usage: day.py [HOURS]     24 unless it is given
"""

import json
import re
import sys
import tempfile

import user_mode
from board import script

PROGRAM = "/usr/local/lib/clock-tests/day"


def samples(text):
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def number(sample, name):
    return int(re.search(rf"'{name}': <(?:\w+ )?(-?\d+)>", sample["health"]).group(1))


def report(taken):
    """Prints the first, a middle and the last sample, and returns what is wrong with them."""
    # The first game brings everything that is needed at all.
    first, last = taken[1], taken[-1]
    shown = (first, taken[len(taken) // 2], last)
    hours = (last["uptime"] - taken[0]["uptime"]) / 3600
    print(f"{hours:.2f} emulated hours, {last['games']} games, {last['moves']} moves")
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
    wrong = [f"{name} changed" for name in ("fds", "threads", "pid") if first[name] != last[name]]
    if last["pss_anon"] > first["pss_anon"] * 1.1 + 256:
        wrong.append("memory grows")
    if number(last, "LostEntries") or number(last, "UncommittedEntries"):
        wrong.append("entries are missing on the record")
    return wrong


def main():
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 24
    folder = tempfile.mkdtemp(prefix="clock-day-")
    print(f"the samples come into {folder}/samples", flush=True)
    try:
        user_mode.run(script(f"""
            until_prints ready clockctl status
            {PROGRAM} $LINES {int(hours * 3600)} 2000 /mnt/samples
        """), folder, 6 * 3600)
    finally:
        with open(f"{folder}/samples") as file:
            wrong = report(samples(file.read()))
    with open(f"{folder}/status") as status, open(f"{folder}/output") as output:
        if status.read().strip() != "0":
            wrong.append("the script failed:\n" + output.read())
    print("\n".join(wrong) or "nothing grows")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
