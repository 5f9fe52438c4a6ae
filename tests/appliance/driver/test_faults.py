"""Faults of the hardware and the system, one after another on one machine.

The first line of every test says what the clock must do.
"""

from board import CAPTURE, GAME, IGNORED, LINES, PRESS, moves, objects, script
from machine import MachineTest, use_uapi

SECOND = 1_000_000_000


class Faults(MachineTest):
    def do(self, text, seconds=120):
        return self.machine.run(script(CAPTURE + GAME) + script(text), seconds)

    def setUp(self):
        self.do("fresh-clock; is_up")

    def tearDown(self):
        """After every test the clock is there again, and no other unit has failed."""
        self.do("""
            is_up
            systemctl --failed --plain --no-legend >/tmp/failed
            [ ! -s /tmp/failed ] || { cat /tmp/failed; exit 1; }
        """)

    def missing_board(self, breaks, mends, presses="$LINES"):
        """Starts the clock without its board. It comes up with a fault, says why once, and waits; when the
        cause is gone, it takes the board by itself, and a press starts the game. Returns what it said."""
        said = self.do(f"""
            mark
            {breaks}
            until_prints 'cannot be opened' said
            until_prints '^ready' clockctl status
            until_prints 'the buttons are not connected' faults
            clockctl status | grep -q 'the buttons are not connected'
            sleep 3
            said | grep 'cannot be opened'
            systemctl show -P NRestarts clockd
            pid=$(pidof clockd)
            {mends}
            no_faults
            [ $(pidof clockd) = $pid ]
            LINES={presses}
            tap {LINES["black"]}
            until_prints '^running: White' clockctl status
        """).splitlines()
        self.assertEqual(len(said), 2, said)
        self.assertEqual(said[1], "0")
        return said[0]

    def test_a_chip_that_is_not_there(self):
        """The message names the chip, the file and line, and the chips that exist; once the chip is there,
        the clock takes it."""
        said = self.missing_board("""
            mkdir -p /etc/chess-clock/wiring
            sed 's/pinctrl-bcm2711/pinctrl-nowhere/' /usr/share/chess-clock/wiring/raspberry-pi.toml \\
                >/etc/chess-clock/wiring/raspberry-pi.toml
            fresh-clock
        """, """
            other=$(edge-player chip make pinctrl-nowhere GPIO{0..57})
            udevadm settle
        """, "${other##* }")
        self.do("rm /etc/chess-clock/wiring/raspberry-pi.toml; edge-player chip remove pinctrl-nowhere")
        self.assertRegex(said, r"/etc/chess-clock/wiring/raspberry-pi.toml:\d+:\d+: no GPIO chip .*"
                               r"`pinctrl-nowhere`.*; this machine has gpiochip0 \(pinctrl-bcm2711\)")

    def test_a_line_that_another_program_has(self):
        """The message names the line, the button and the reason; once the line is free, the clock takes
        it."""
        said = self.missing_board(f"""
            systemctl stop clockd
            gpiomon -c $CHIP {LINES["black"]} >/dev/null & other=$!
            until_prints 'consumer="gpiomon' gpioinfo -c $CHIP {LINES["black"]}
            fresh-clock
        """, "kill $other")
        self.assertRegex(said, rf"raspberry-pi.toml:\d+:\d+: cannot watch line {LINES['black']} for the black "
                               "button of GPIO chip `pinctrl-bcm2711`: another program or driver has the line")

    def test_no_permission(self):
        """The message says that permission is denied and what would give it; then the clock takes the
        board."""
        said = self.missing_board("""
            chmod 600 /dev/$CHIP
            fresh-clock
        """, "chmod 660 /dev/$CHIP")
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
            until_prints 'not connected' faults
            loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
            used() {{ cut -d' ' -f14,15 "${{loop%comm}}stat" | tr ' ' +; }}
            before=$(($(used)))
            sleep 5
            printf '{{"ticks": %s}}\\n' $(($(used) - before))
            /usr/local/lib/clock-tests/board
            udevadm settle
            read -r _ CHIP LINES </run/board
            no_faults
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
        """With uAPI v1 the kernel keeps 16 edges, and the level shows the final state: one press, dated at the
        first edge."""
        self.machine.run(use_uapi("v1"))
        self.addCleanup(self.machine.run, use_uapi("auto"))
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
            until_prints 'held down' faults
            read -r found _ </proc/uptime
            faults
            printf '{{"stuck_after": %s}}\\n' $(awk "BEGIN {{ print $found - $begun }}")
            tap {LINES["black"]}
            clockctl status --json
            release {LINES["white"]}
            no_faults
            tap {LINES["white"]}
            clockctl status --json
        """)
        early, late = said.splitlines()[:2]
        waited, held, freed = objects(said)
        self.assertEqual(early, "(<@as []>,)")
        self.assertIn("the button wired as White's is held down", late)
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
