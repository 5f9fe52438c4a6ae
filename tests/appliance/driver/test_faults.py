"""Faults of the hardware and the system, one after another on one machine.

The first line of every test says what the clock must do.
"""

from board import CAPTURE, IGNORED, LINES, PRESS, captured, moves, objects, script
from machine import MachineTest

SECOND = 1_000_000_000

# Starts a new game with the given time control; White's clock runs.
GAME = """
new_game() {
    [[ $(clockctl status) != running* ]] || arbiter pause -q
    arbiter new --control "${1:-blitz-5-0}" -q
    arbiter start -q
}
faults() { property Health Faults; }
# Waits until the unit is active and the clock is on the bus.
is_up() { until_prints '^active' systemctl is-active clockd; until_prints period clockctl status; }
mark() { CURSOR=$(journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p'); }
# The clock's journal entries since `mark`.
said() { journalctl -u clockd -o cat --no-pager --after-cursor "$CURSOR" "$@"; }
"""


class Faults(MachineTest):
    def do(self, text, seconds=120):
        return self.machine.run(script(CAPTURE + GAME) + script(text), seconds)

    def setUp(self):
        self.do("systemctl restart clockd; is_up")

    def tearDown(self):
        """After every test the clock is there again, and no other unit has failed."""
        self.do("""
            is_up
            systemctl --failed --plain --no-legend >/tmp/failed
            [ ! -s /tmp/failed ] || { cat /tmp/failed; exit 1; }
        """)

    def test_a_chip_that_is_not_there(self):
        """The message names the chip, the file and line, and the chips that exist; once that is corrected,
        the clock starts by itself."""
        said = self.do("""
            mkdir -p /etc/chess-clock/boards
            sed 's/pinctrl-bcm2711/pinctrl-nowhere/' /usr/share/chess-clock/boards/raspberry-pi-4.toml \\
                >/etc/chess-clock/boards/raspberry-pi-4.toml
            mark
            systemctl restart clockd --no-block
            until_prints 'code=exited, status=2' said
            said | grep -m 1 pinctrl-nowhere
            rm /etc/chess-clock/boards/raspberry-pi-4.toml
            is_up
        """)
        self.assertRegex(said, r"/etc/chess-clock/boards/raspberry-pi-4.toml:\d+: no GPIO chip "
                                  r"`pinctrl-nowhere`; this machine has gpiochip0 \(pinctrl-bcm2711\)")

    def test_a_line_that_another_program_has(self):
        """The message names the line, the button and the reason; once the line is free, the clock starts by
        itself."""
        said = self.do(f"""
            systemctl stop clockd
            mark
            gpiomon -c $CHIP {LINES["black"]} >/dev/null & other=$!
            until_prints 'consumer="gpiomon' gpioinfo -c $CHIP {LINES["black"]}
            systemctl start clockd --no-block
            until_prints 'cannot watch' said
            said | grep -m 1 'cannot watch'
            kill $other
            is_up
        """)
        self.assertRegex(said, rf"raspberry-pi-4.toml:\d+: cannot watch line {LINES['black']} of GPIO "
                               "chip `pinctrl-bcm2711` for the black button: another program or "
                               "driver has the line")

    def test_no_permission(self):
        """The message says that permission is denied and what would give it; then the clock starts by
        itself."""
        said = self.do("""
            mark
            chmod 600 /dev/$CHIP
            systemctl restart clockd --no-block
            until_prints 'permission denied' said
            said | grep -m 1 'permission denied'
            chmod 660 /dev/$CHIP
            is_up
        """)
        self.assertRegex(said, "no GPIO chip .*/dev/gpiochip0 .permission denied; clockd must be in "
                               "the group of the chip's device")

    def test_the_chip_goes_away_in_a_game_and_comes_back(self):
        """The game is paused with its times, the fault is shown, and the loop does not use the processor.
        When the chip is back, the fault is gone and the game still paused; after a resume the buttons
        work."""
        said = objects(self.do(f"""
            new_game
            sleep 3
            tap {LINES["white"]}
            sleep 2
            # Black is on move when the chip goes away.
            edge-player chip remove pinctrl-bcm2711
            until_prints '^paused' clockctl status
            clockctl status --json
            until_prints 'board is gone' faults
            loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
            used() {{ cut -d' ' -f14,15 "${{loop%comm}}stat" | tr ' ' +; }}
            before=$(($(used)))
            sleep 5
            printf '{{"ticks": %s}}\\n' $(($(used) - before))
            /usr/local/lib/clock-tests/board
            udevadm settle
            read -r _ CHIP LINES </run/board
            until_prints '@as \\[\\]' faults
            clockctl status --json
            arbiter resume -q
            sleep 1
            tap {LINES["black"]}
            until_prints '^running: White' clockctl status
            clockctl status --json
        """))
        gone, spun, back, after = said
        self.assertEqual((gone["phase"], gone["on_move"]), ("paused", "black"))
        self.assertLess(spun["ticks"], 5)
        self.assertEqual(back["phase"], "paused")
        self.assertEqual(back["black"], gone["black"])
        self.assertEqual((after["black"]["moves"], after["white"]["moves"]), (1, 1))
        used = gone["black"]["remaining_ns"] - after["black"]["remaining_ns"]
        self.assertGreater(used, 1 * SECOND)

    def test_forty_one_edges_in_one_burst(self):
        """The kernel keeps 16 edges, and the level tells the rest: one press, dated at the first edge."""
        for count, pressed in ((41, True), (42, False)):
            said = self.do(f"""
                new_game
                sleep 1
                mark
                for number in $(seq {count}); do echo 0 {LINES["white"]} $((number % 2)); done >/tmp/edges
                edge-player play $LINES --active-low </tmp/edges >/tmp/played
                sleep 0.2
                clockctl status --json
                release {LINES["white"]}
                sleep 0.1
                journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED}
                property Health LostEdges
            """)
            state, *presses = objects(said)
            first = moves(self.machine.run("cat /tmp/played"))[0]
            with self.subTest(count=count):
                self.assertNotIn("(<uint64 0>,)", said, "edges were lost")
                self.assertEqual(state["white"]["moves"], int(pressed))
                self.assertEqual(len(presses), int(pressed))
                for press in presses:
                    self.assertTrue(first.before <= int(press["AT_NSEC"]) <= first.after, (press, first))

    def test_a_button_that_stays_down(self):
        """It is one press; after 10 s a fault names the button; the other button works."""
        said = self.do(f"""
            new_game
            faults
            read -r begun _ </proc/uptime
            press {LINES["white"]}
            sleep 8
            until_prints 'stuck down' faults
            read -r found _ </proc/uptime
            faults
            printf '{{"stuck_after": %s}}\\n' $(awk "BEGIN {{ print $found - $begun }}")
            tap {LINES["black"]}
            clockctl status --json
            release {LINES["white"]}
            until_prints '@as \\[\\]' faults
            tap {LINES["white"]}
            clockctl status --json
        """)
        early, late = said.splitlines()[:2]
        waited, held, freed = objects(said)
        self.assertEqual((early, late), ("(<@as []>,)", "(<['the white button is stuck down']>,)"))
        # The uptime has a resolution of 10 ms.
        self.assertGreaterEqual(waited["stuck_after"], 9.99)
        self.assertEqual((held["white"]["moves"], held["black"]["moves"]), (1, 1))
        self.assertEqual(freed["white"]["moves"], 2)

    def test_the_wall_clock_is_set_back(self):
        """Nothing changes, because the clock uses no wall-clock time."""
        first, second = objects(self.do("""
            new_game
            clockctl status --json
            date -s "$(date -d '-2 hours' '+%F %T')" >/dev/null
            sleep 5
            clockctl status --json
            date -s "$(date -d '+2 hours' '+%F %T')" >/dev/null
        """))
        used = first["white"]["remaining_ns"] - second["white"]["remaining_ns"]
        self.assertEqual(used, second["at_ns"] - first["at_ns"])
        self.assertLess(abs(used - 5 * SECOND), SECOND)

    def test_journald_stands_still(self):
        """The clock goes on; what it logged meanwhile comes afterwards."""
        said = self.do(f"""
            new_game
            mark
            systemctl kill -s STOP systemd-journald
            for round in {{1..30}}; do
                tap {LINES["white"]}
                tap {LINES["black"]}
            done
            clockctl status --json
            systemctl kill -s CONT systemd-journald
            all() {{ said MESSAGE_ID={PRESS} | wc -l; }}
            until_prints '^60$' all
        """)
        state, = objects(said)
        self.assertEqual((state["white"]["moves"], state["black"]["moves"]), (30, 30))


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


class Watchdog(MachineTest):
    """A clock loop that hangs is detected within 1.2 s, and the service is restarted."""

    def hung(self, text):
        """Hangs the loop before its next wait. Returns after how many milliseconds systemd detects it."""
        found, ready = self.machine.run(script(CAPTURE + GAME) + script(f"""
            is_up
            {text}
            pid=$(pidof clockd)
            tid=$(grep -lx clock-loop /proc/$pid/task/*/comm | cut -d/ -f5)
            strace -p $tid -e trace=epoll_pwait2 -e inject=epoll_pwait2:delay_enter=60000000 \\
                >/dev/null 2>/tmp/hung.log &
            tracer=$!
            until_prints attached cat /tmp/hung.log
            mark
            # The edge ends the present wait; entering the next one is delayed.
            read -r begun _ </proc/uptime
            press {LINES["call"]}
            until_prints 'Watchdog timeout' said
            # A traced thread ends only when its tracer has ended.
            {{ kill -9 $tracer; wait $tracer; }} 2>/dev/null || true
            is_up
            release {LINES["call"]}
            [ $(pidof clockd) != $pid ]
            since() {{ said -o short-monotonic | grep "$1" | tail -1 | tr -d '[]' |
                awk -v begun=$begun '{{printf "%d\\n", ($1 - begun) * 1000}}'; }}
            since 'Watchdog timeout'
            since 'Started clockd'
        """)).split()
        print(f"detected after {found} ms, ready again after {ready} ms ", end="")
        return int(found)

    def test_idle(self):
        self.assertLess(self.hung(":"), 1200)

    def test_in_a_game(self):
        self.assertLess(self.hung("new_game"), 1200)
