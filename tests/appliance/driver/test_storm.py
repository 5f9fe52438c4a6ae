"""Storms of edges, made faster than the clock loop reads them, with both versions of the kernel's interface.

The figures decide what `uapi = "auto"` takes. v1 queues 16 edges for a line and drops further ones; v2 queues
1024 for all lines.
"""

from board import IGNORED, LINES, PRESS, histogram, journal, moves, quantile, script
from machine import MachineTest, use_uapi

# So many edges, each about 25 µs after the one before, open and close a contact before it stays closed.
STORMS = (15, 101, 301, 901)
PRESSES = 20
# A press is dated at its first contact, or at most the delay of the interrupt's thread later.
THREAD_DELAY = 100_000


class Storm(MachineTest):
    def storms(self, edges):
        """Presses White's button with so many edges each. Returns how many edges the clock never read, how many
        presses were missed and counted twice, by how much the wrongly dated ones are late, and the latencies
        from stamp to read."""
        steps = "\n".join(f"{0 if number else 200_000} {LINES['white']} {1 - number % 2}"
                          for number in range(edges)) + f"\n80000 {LINES['white']} 0"
        said = self.machine.run(script(f"""
            stop_clocks
            arbiter new --force --control g90-30 --rules fide-2023 -q
            CURSOR=$(journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p')
            property Health EdgeLatencyNSec
            cat >/tmp/steps
            for number in {{1..{PRESSES}}}; do
                edge-player play $LINES --active-low </tmp/steps
            done >/tmp/played
            sleep 1
            journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" \\
                MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED} >/tmp/presses
            property Health EdgeLatencyNSec
        """).replace("cat >/tmp/steps", f"cat >/tmp/steps <<'END'\n{steps}\nEND"), seconds=900).splitlines()
        latencies = histogram(said[1]) - histogram(said[0])
        played = moves(self.read("played"))
        lost = len(played) - latencies.total()
        firsts = played[::edges + 1]
        self.assertEqual(len(firsts), PRESSES)
        dates = sorted(int(entry["AT_NSEC"]) for entry in journal(self.read("presses")))
        ends = [first.before for first in firsts[1:]] + [1 << 63]
        found = [[at for at in dates if first.before <= at < end] for first, end in zip(firsts, ends)]
        missed = sum(not at for at in found)
        doubled = sum(len(at) > 1 for at in found)
        wrong = [at[0] - first.after for first, at in zip(firsts, found)
                 if at and at[0] > first.after + THREAD_DELAY]
        return lost, missed, doubled, wrong, latencies

    def run_with(self, version):
        self.machine.run(use_uapi(version))
        print(f"\n{version}: edges of a press | edges lost | missed | doubled | dated wrongly | p50, p99, max of stamp to read, µs")
        results = {}
        for edges in STORMS:
            lost, missed, doubled, wrong, latencies = results[edges] = self.storms(edges)
            times = " ".join(f"{quantile(latencies, part) / 1000:.0f}" for part in (.5, .99, 1))
            latest = f" (by up to {max(wrong) / 1e6:.1f} ms)" if wrong else ""
            print(f"    {edges} | {lost} of {PRESSES * (edges + 1)} | {missed} | {doubled} | {len(wrong)}{latest} | {times}")
        return results

    def test_a_uapi_v1_loses_edges(self):
        """Its queue of 16 is full, so the storm is one. No press is missed or counted twice."""
        results = self.run_with("v1")
        self.assertEqual(results[STORMS[0]][0], 0)
        for edges in STORMS[1:]:
            self.assertGreater(results[edges][0], 0)
        for _, missed, doubled, _, _ in results.values():
            self.assertEqual((missed, doubled), (0, 0))

    def test_b_uapi_v2_loses_none(self):
        """Every press counts once, dated at its first contact."""
        for lost, missed, doubled, wrong, _ in self.run_with("v2").values():
            self.assertEqual((lost, missed, doubled, wrong), (0, 0, 0, []))
