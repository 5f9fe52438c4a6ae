"""The lamps of the players and the buzzer: the levels of their lines while `clock-display --devices` runs in its unit.

The first line of every test says what must be seen or heard.
"""

from board import GAME, LINES, script
from machine import MachineTest

# The outputs of configs/wiring/raspberry-pi.toml.
WHITE_LAMP, BLACK_LAMP, BUZZER = 23, 24, 25
SECOND = 1_000_000

# `lamps` prints the levels of White's and Black's lamp. `watch LINE SECONDS` prints the instant in microseconds and the
# level at the start and whenever the level changes.
DEVICES = f"""
level() {{ local level; read -r level <$LINES/sim_gpio$1/value; printf '%s\\n' $level; }}
lamps() {{ printf '%s %s\\n' $(level {WHITE_LAMP}) $(level {BLACK_LAMP}); }}
watch() {{
    local begun=${{EPOCHREALTIME/./}} last= now level never
    # A read of a pipe that nobody writes to waits without starting a program, which an emulated machine is slow at.
    exec {{never}}<> <(:)
    while now=${{EPOCHREALTIME/./}}; ((now - begun < $2 * {SECOND})); do
        read -r level <$LINES/sim_gpio$1/value
        [ "$level" = "$last" ] || printf '%s %s\\n' $now $level
        last=$level
        read -rt 0.01 -u $never || true
    done
}}
face_said() {{ journalctl -u clock-display-devices -o cat --no-pager; }}
"""

CONFIGURATION = """
cat >/etc/chess-clock/display.toml <<EOF
wiring = "raspberry-pi"
[lamps]
enabled = true
[buzzer]
enabled = true
flag = true
EOF
systemctl restart clock-display-devices
"""


def changes(text):
    """Reads what `watch` printed: the instants and levels, oldest first."""
    return [(int(at), level == "1") for at, level in map(str.split, text.splitlines())]


def pulses(text):
    """The begin and the length in seconds of each time for which a line was on and off again."""
    seen = changes(text)
    return [((at - seen[0][0]) / SECOND, (end - at) / SECOND)
            for (at, on), (end, _) in zip(seen, seen[1:]) if on]


class Lamps(MachineTest):
    def do(self, text, seconds=120):
        return self.machine.run(script(GAME + DEVICES) + script(text), seconds)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.machine.run(script(CONFIGURATION))

    def setUp(self):
        self.do(f"""
            fresh-clock
            is_up
            until_prints '^active' systemctl is-active clock-display-devices
            until_prints '^0 0$' lamps
            until_prints 'consumer="\\?clock-display' gpioinfo -c $CHIP {BUZZER}
        """)

    def assert_pulses(self, found, expected, slack=0.15):
        """Compares the lengths. A pulse is measured between two looks at the line."""
        self.assertEqual(len(found), len(expected), found)
        for (_, length), wanted in zip(found, expected):
            self.assertLess(abs(length - wanted), slack, found)

    def test_the_lamp_of_the_side_whose_clock_runs_is_on(self):
        """It changes sides with a press, and goes off with the service."""
        self.do(f"""
            new_game
            until_prints '^1 0$' lamps
            tap {LINES["white"]}
            until_prints '^0 1$' lamps
            tap {LINES["black"]}
            until_prints '^1 0$' lamps
            systemctl stop clockd
            until_prints '^0 0$' lamps
            systemctl start clockd
        """)

    def test_the_lamp_of_the_side_on_move_flashes_while_both_clocks_stand(self):
        """A tenth of a second every two seconds; the other lamp stays off."""
        said = self.do(f"""
            new_game
            tap {LINES["white"]}
            until_prints '^0 1$' lamps
            arbiter pause -q
            until_prints '^0 0$' lamps
            watch {WHITE_LAMP} 5 >/tmp/white &
            watch {BLACK_LAMP} 5
            wait
        """)
        found = pulses(said)
        self.assertGreaterEqual(len(found), 2, said)
        self.assert_pulses(found, [0.1] * len(found), slack=0.08)
        for (before, _), (after, _) in zip(found, found[1:]):
            self.assertLess(abs(after - before - 2), 0.1, found)
        self.assertEqual(pulses(self.read("white")), [])

    def test_a_flag_is_heard_and_its_lamp_flashes(self):
        """Three pulses, because the configuration switches them on; then a flash of 0.2 s every second."""
        self.do(f"""
            cat >/tmp/short.toml <<'END'
            name = "short"
            after_flag = "halt"
            [[period]]
            time = "3s"
            END
            new_game /tmp/short.toml
            watch {BUZZER} 8 >/tmp/buzzer &
            watch {WHITE_LAMP} 8 >/tmp/lamp
            wait
        """)
        self.assert_pulses(pulses(self.read("buzzer")), [0.3] * 3)
        lamp = pulses(self.read("lamp"))
        flashes = [(at, length) for at, length in lamp if at > 4]
        self.assertGreaterEqual(len(flashes), 2, lamp)
        self.assert_pulses(flashes, [0.2] * len(flashes), slack=0.1)

    def test_a_gong_is_heard_at_its_instant(self):
        """0.6 s at every change of sides in a game with ten seconds for each move, and nothing else."""
        self.do(f"""
            new_game lightning-10
            watch {BUZZER} 24 >/tmp/buzzer &
            watch {BLACK_LAMP} 24 >/tmp/lamp
            wait
        """, seconds=300)
        found = pulses(self.read("buzzer"))
        self.assert_pulses(found, [0.6, 0.6])
        (first, _), (second, _) = found
        self.assertLess(abs(second - first - 10), 0.1, found)
        # Black's slice is between the two gongs.
        (lit, length), = pulses(self.read("lamp"))
        self.assertLess(abs(lit - first), 0.2)
        self.assertLess(abs(length - 10), 0.1)

    def test_a_call_of_the_arbiter_is_heard_once(self):
        """Two pulses; a second call while the first one stands makes no sound."""
        self.do(f"""
            new_game
            watch {BUZZER} 4 >/tmp/buzzer &
            sleep 1
            tap {LINES["call"]}
            sleep 1.5
            tap {LINES["call"]}
            wait
        """)
        self.assert_pulses(pulses(self.read("buzzer")), [0.15, 0.15], slack=0.08)

    def test_a_chip_that_goes_away_and_comes_back(self):
        """Each reason is named once, the face goes on, and the lamps and the buzzer, which was silent, work again."""
        said = self.do(f"""
            new_game
            until_prints '^1 0$' lamps
            pid=$(systemctl show -P MainPID clock-display-devices)
            edge-player chip remove pinctrl-bcm2711
            until_prints 'lamps: .* tried again' face_said
            sleep 5
            face_said | grep -c 'lamps: .* tried again'
            /usr/local/lib/clock-tests/board
            udevadm settle
            read -r _ CHIP LINES </run/board
            until_prints 'lamps: works again' face_said
            until_prints 'buzzer: works again' face_said
            no_faults
            arbiter resume -q
            until_prints '^1 0$' lamps
            [ $(systemctl show -P MainPID clock-display-devices) = $pid ]
        """)
        # The lamps cannot be set, and then there is no chip.
        self.assertEqual(said.strip(), "2")

    def test_the_end_of_the_face_switches_everything_off(self):
        """Also in the middle of a sound, here of a gong."""
        self.do(f"""
            new_game lightning-10
            sleep 5
            until_prints '^1$' level {BUZZER}
            [ "$(lamps)" = '0 1' ]
            systemctl stop clock-display-devices
            [ "$(level {BUZZER}) $(lamps)" = '0 0 0' ]
            systemctl start clock-display-devices
            until_prints '^0 1$' lamps
        """)
