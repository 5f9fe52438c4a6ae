"""The face on the first console."""

from board import GAME, script
from machine import MachineTest

CONSOLE = """
console() { /usr/local/lib/clock-tests/console; }
"""


class Face(MachineTest):
    def do(self, text):
        return self.machine.run(script(GAME + CONSOLE) + script(text))

    def test_a_it_shows_the_game_without_any_right(self):
        said = self.do("""
            systemctl start clock-display
            new_game g90-30
            until_prints '█' console
            console
            pid=$(systemctl show -P MainPID clock-display)
            ps -o user= -p $pid
            grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/$pid/status
            readlink /proc/$pid/fd/1
        """)
        self.assertIn("clock-display\n", said)
        self.assertIn("CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n", said)
        self.assertIn("/dev/tty1", said)

    def test_b_it_comes_back_and_the_clock_does_not_depend_on_it(self):
        said = self.do(f"""
            clock=$(pidof clockd)
            kill -9 $(systemctl show -P MainPID clock-display)
            clear_console() {{ printf '\\033[2J' >/dev/tty1; }}
            clear_console
            until_prints '█' console
            systemctl list-dependencies --plain clockd | grep -c display || true
            systemctl stop clockd
            [ $(systemctl is-active clock-display) = active ]
            systemctl start clockd
            is_up
            until_prints '█' console
            systemctl stop clock-display
            clockctl status
        """)
        self.assertIn("\n0\n", f"\n{said}")
