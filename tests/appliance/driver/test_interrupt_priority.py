"""What a higher priority of the lines' interrupt threads brings.

The kernel gives every interrupt thread SCHED_FIFO 50. Another thread of that priority (an SD card's, a network
adapter's) that is busy on the same processor delays them: edges are read later, and a bounce within the delay
overwrites the stamp or the direction of the edge before.
"""

from board import CAPTURE, LINES, captured, histogram, moves, quantile, script
from machine import MachineTest

PRESSES = 100
# The other thread is busy for 300 µs in every millisecond.
BUSY, PERIOD = 300_000, 1_000_000
# Each press closes, opens after 150 µs, and closes again after another 150 µs.
STEPS = "\n".join(f"{wait} {LINES['white']} {level}"
                  for _ in range(PRESSES)
                  for wait, level in ((60_130, 1), (150, 0), (150, 1), (60_000, 0)))

PLAY = f"""
threads() {{ grep -lsE '^irq/[0-9]+-clockd' /proc/[0-9]*/comm | cut -d/ -f3; }}
# Plays the presses on a processor while the other thread is busy on it.
play_beside_another() {{
    python3 - >/tmp/spans <<'END'
import time
start = time.monotonic_ns() + 2_000_000_000
for number in range({PRESSES * 120_430 // 1000 + 1500}):
    at = start + number * {PERIOD}
    print(at, at + {BUSY})
END
    cat >/tmp/steps <<'END'
{STEPS}
END
    taskset -c $1 edge-player cpu-load --fifo 50 </tmp/spans >/tmp/load & LOAD=$!
    sleep 2.5
    # The hard interrupt of a simulated line runs on the processor that moves it, at once, as a real one does.
    taskset -c $1 edge-player play $LINES --active-low --fifo 60 </tmp/steps >/tmp/played
    wait $LOAD
}}
"""


class InterruptPriority(MachineTest):
    processors = 4

    def measure(self, name, priority, processor, bound=False):
        """Plays the presses. Returns the latencies from stamp to read, how many records have the wrong
        direction, and how many edges have no record of their own."""
        self.machine.run("fresh-clock")
        bind = f"taskset -pc {processor} $thread" if bound else ":"
        setup = script(CAPTURE + PLAY + f"""
            until_prints ready clockctl status
            for thread in $(threads); do
                {bind}
                chrt -f -p {priority} $thread
            done >/dev/null
        """)
        said = self.machine.run(setup + f"""
property Health EdgeLatencyNSec
play_beside_another {processor}
sleep 1
property Health EdgeLatencyNSec
""", 900).splitlines()
        latencies = histogram(said[-1]) - histogram(said[-2])
        self.machine.run(setup + f"capture edges\nplay_beside_another {processor}\nsleep 1\nstop_capture\n", 900)
        played, edges = moves(self.read("played")), captured(self.read("edges"))
        wrong = lost = 0
        for move in played:
            # The stamp is taken between the two readings of the clock, or an instant after the second one.
            own = [edge for edge in edges if move.before <= edge.stamp <= move.after + 5_000]
            lost += not own
            wrong += any(edge.active != move.level for edge in own)
        times = ", ".join(f"{quantile(latencies, part) / 1000:.0f}" for part in (.5, .99, 1))
        print(f"\n{name}, FIFO {priority}: p50, p99, max {times} µs; {wrong} of {len(played)} directions wrong, "
              f"{lost} edges without a record ", end="")
        return quantile(latencies, .99), wrong, lost

    def compare(self, name, *where):
        usual, raised = (self.measure(name, priority, *where) for priority in (50, 55))
        return usual, raised

    def test_a_thread_as_the_kernel_leaves_it(self):
        print(self.machine.run(PLAY + "for thread in $(threads); do taskset -p $thread; chrt -p $thread; done"))
        self.compare("four processors", 1)

    def test_b_thread_bound_to_the_busy_processor(self):
        self.compare("four processors, bound to one", 1, True)


class InterruptPriorityOneProcessor(InterruptPriority):
    processors = 1

    def test_a_thread_as_the_kernel_leaves_it(self):
        self.compare("one processor", 0)

    test_b_thread_bound_to_the_busy_processor = None
