"""Presses while a program with a priority above the interrupt threads uses the whole processor."""

from board import CAPTURE, GAME, LINES, captured, moves, objects, script
from machine import MachineTest


class CpuLoad(MachineTest):
    """A program keeps the only processor for itself, with a priority above the interrupt threads."""

    def press_under_load(self, offset_ms, bounces_us=(), load_ends_ms=150):
        """White's button closes `offset_ms` from the flag while the program has the processor. Each of
        `bounces_us` is an instant, counted from then, at which the contact opens or closes again. The
        program ends `load_ends_ms` from the flag.
        Returns the flag, the movements, the edges that the clock read, and its state afterwards."""
        white = LINES["white"]
        steps = "; ".join(f"echo $((flag + {offset_ms} * 1000000 + {after} * 1000)) {white} {1 - number % 2}"
                          for number, after in enumerate((0, *bounces_us)))
        self.machine.run(script(CAPTURE + GAME) + script(f"""
            cat >/tmp/short.toml <<'END'
            name = "short"
            after_flag = "halt"
            [[period]]
            time = "3s"
            END
            new_game /tmp/short.toml
            python3 - >/tmp/flag <<'END'
            import json, subprocess
            state = json.loads(subprocess.check_output(["clockctl", "status", "--json"]))
            print(state["at_ns"] + state["white"]["remaining_ns"])
            END
            flag=$(</tmp/flag)
            capture edges
            {{ {steps}; }} >/tmp/steps
            # Only a program under SCHED_DEADLINE gets past the load.
            chrt --deadline --sched-runtime 2000000 --sched-deadline 10000000 \\
                --sched-period 10000000 0 edge-player at $LINES --active-low --fifo 0 </tmp/steps >/tmp/played &
            player=$!
            python3 -c "import time; time.sleep(($flag - 150000000 - time.monotonic_ns()) / 1e9)"
            edge-player cpu-load --fifo 99 --until $((flag + {load_ends_ms} * 1000000)) >/tmp/load
            wait $player
            sleep 1
            stop_capture
            release {white}
            clockctl status --json >/tmp/status
        """))
        files = {name: self.machine.run(f"cat /tmp/{name}")
                 for name in ("flag", "played", "edges", "status", "load")}
        began, ended = (int(line.split()[1]) for line in files["load"].splitlines())
        played = moves(files["played"])
        for movement in played:
            wanted = movement.before < int(files["flag"]) + load_ends_ms * 1_000_000
            self.assertTrue(began < movement.before, "moved under the load")
            self.assertEqual(movement.after < ended, wanted, (movement, ended))
        return int(files["flag"]), played, captured(files["edges"]), objects(files["status"])[0]

    def test_a_press_before_the_flag(self):
        """The press is in time and counts from its stamp, although the loop runs only 200 ms later."""
        flag, (press,), (edge,), state = self.press_under_load(-50)
        self.assertTrue(press.before <= edge.stamp <= press.after, (press, edge))
        self.assertEqual((state["phase"], state["white"]["moves"]), ("running", 1))
        self.assertEqual(state["white"]["remaining_ns"], flag - edge.stamp)

    def test_b_press_after_the_flag(self):
        """The flag falls at its instant; the press is too late."""
        flag, (press,), (edge,), state = self.press_under_load(50)
        self.assertTrue(press.before <= edge.stamp <= press.after, (press, edge))
        self.assertEqual((state["phase"], state["white"]["moves"]), ("ruling", 0))
        self.assertEqual((state["first_flag"], state["white"]["flag_ns"]), ("white", flag))

    def test_c_bouncing_press_before_the_flag(self):
        """It counts once. The interrupt's thread runs only after the load, so the kernel makes one record
        of all the bouncing, with the stamp of the last hard interrupt: the press is dated there."""
        flag, played, edges, state = self.press_under_load(-50, (1000, 2000, 3500, 5000, 7000, 9000))
        self.assertEqual(len(played), 7)
        edge, = edges
        self.assertTrue(edge.active)
        last = played[-1]
        self.assertTrue(last.before <= edge.stamp <= last.after, (last, edge))
        self.assertEqual((state["phase"], state["white"]["moves"]), ("running", 1))
        self.assertEqual(state["white"]["remaining_ns"], flag - edge.stamp)
        print(f"dated {(edge.stamp - played[0].before) / 1e6:.2f} ms after the first contact ", end="")

    def test_d_first_contact_told_by_its_end(self):
        """The first contact opens again before the interrupt's thread has run, so its only record is an
        edge to inactive. The press counts from that edge, and not from the second contact."""
        flag, played, edges, state = self.press_under_load(-50, (1000, 15_000), load_ends_ms=-40)
        first, second = edges
        self.assertEqual((first.active, second.active), (False, True))
        self.assertTrue(played[1].before <= first.stamp <= played[1].after, (played, first))
        self.assertTrue(played[2].before <= second.stamp <= played[2].after, (played, second))
        self.assertEqual((state["phase"], state["white"]["moves"]), ("running", 1))
        self.assertEqual(state["white"]["remaining_ns"], flag - first.stamp)
