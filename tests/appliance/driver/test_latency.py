"""Prints how long decisions and signals take, beside the figures of the last version (landed_ratios.json). No figure fails
the test: the benchmarks have the targets. UPDATE_RATIOS=1 writes the new figures into that file.

The machine is idle and counts instructions, so a change of the p50 by more than 1 % is a change of the programs. The p99
of the same programs varies by 7 % from run to run (0.75 to 0.86 in nine runs of two versions), so only several runs
show its change. The programs are not those of the benchmarks: they are built without link-time optimization.
"""

import json
import os
import statistics
from pathlib import Path

import bench
from figures import quantile
from machine import MachineTest
from test_loopback import LoopbackTests

LANDED = Path(__file__).parent / "landed_ratios.json"


class Latency(LoopbackTests, MachineTest):
    uapi = "v2"

    def test_decisions_and_signals(self):
        _, decided = bench.ask_clock(self.machine, None)
        peer = bench.ask_peer(self.machine, None, "gpiomon, FIFO 40")
        press, bare = bench.signal_times(self.machine, 60)
        ratios = {
            "stamp to decision, p99, to chrt -f 40 gpiomon": quantile(decided, .99) / quantile(peer, .99),
            "press to signal, p50, to a bare zbus signal": statistics.median(press) / statistics.median(bare),
        }
        landed = json.loads(LANDED.read_text())
        for name, value in ratios.items():
            print(f"\n{name}: {value:.3f}, last landed {landed[name]:.3f}", end="")
        if os.environ.get("UPDATE_RATIOS"):
            rounded = {name: round(value, 3) for name, value in ratios.items()}
            LANDED.write_text(json.dumps(rounded, indent=4) + "\n")
