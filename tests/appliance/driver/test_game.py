"""The appliance boots into the clock, and a game is played."""

import json
import os
import unittest

import game
from board import GAME, script
from machine import Machine, MachineTest


class FromPowerOn(MachineTest):
    def test_1_it_boots_into_the_clock_with_nothing_typed(self):
        state = self.machine.run("systemctl is-system-running --wait || systemctl --failed").strip()
        self.assertEqual(state, "running")
        kernel = self.machine.run("uname -v")
        self.assertIn("PREEMPT_RT", kernel)
        status = json.loads(self.machine.run("clockctl status --json"))
        self.assertEqual((status["phase"], status["control"], status["rules"]),
                         ("ready", "5+3", "players-agree"))
        boot = self.machine.run("cat /proc/sys/kernel/random/boot_id").strip()
        self.assertIn(boot, self.machine.run("gdbus call --system -d org.chessclock.Clock1 "
                                             "-o /org/chessclock/Clock1 -m org.chessclock.Clock1.GetTimebase"))
        # From now on, what is not locked in memory has to be read from the disk again.
        self.machine.run("sync; echo 3 >/proc/sys/vm/drop_caches")
        type(self).faults_at_start = self.major_faults()

    def major_faults(self):
        """The major page faults of the clock loop's thread since it was started."""
        return int(self.machine.run("""
            loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
            cut -d' ' -f12 ${loop%comm}stat
        """))

    def test_2_a_game_of_forty_moves_is_charged_to_the_nanosecond(self):
        self.machine.run(game.play(gap_ms=400))
        game.check(self, *map(self.read, ("played", "game", "journal")), json.loads(self.read("state")))

    def test_3_the_loop_has_what_it_needs_and_nothing_more(self):
        said = self.machine.run(script("""
            loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
            tid=$(cut -d/ -f5 <<<$loop)
            chrt -p $tid
            for other in /proc/$(pidof clockd)/task/*; do chrt -p ${other##*/}; done | grep -c SCHED_FIFO
            grep -E 'VmLck|CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/$tid/status
            property Health RealtimeOk
        """))
        self.assertIn("SCHED_FIFO|SCHED_RESET_ON_FORK", said)
        self.assertIn("priority: 40\n2\n", said)
        self.assertNotIn("VmLck:\t       0 kB", said)
        self.assertIn("CapEff:\t0000000000000000", said)
        self.assertIn("CapBnd:\t0000000000000000", said)
        self.assertIn("NoNewPrivs:\t1", said)
        self.assertIn("Seccomp:\t2", said)
        self.assertTrue(said.endswith("\n(<true>,)\n"), said)
        # A game has been played since, and the loop needed nothing from the disk for it.
        self.assertEqual(self.major_faults(), self.faults_at_start)

    def test_4_the_interrupt_threads_of_the_lines_have_priority_55(self):
        """There is one for each line. A board that comes back has new threads, which a reload raises.

        A process that only has the name of such a thread keeps its priority."""
        priorities = """
            priorities() {
                for comm in $(grep -lsE '^irq/[0-9]+-clockd' /proc/[0-9]*/comm); do
                    chrt -p $(cut -d/ -f3 <<<$comm) | sed -n 's/.*priority: //p'
                done | paste -sd' '
            }
        """
        said = self.machine.run(script(GAME + priorities + """
            priorities
            edge-player chip remove pinctrl-bcm2711
            until_prints 'not connected' faults
            /usr/local/lib/clock-tests/board
            no_faults
            priorities
            systemctl reload clockd
            priorities
            setpriv --reuid nobody --clear-groups python3 -c '
import time
open("/proc/self/comm", "w").write("irq/9-clockd")
time.sleep(1000)' & IMPOSTOR=$!
            until_prints irq/9-clockd cat /proc/$IMPOSTOR/comm
            systemctl reload clockd
            systemctl restart clockd
            chrt -p $IMPOSTOR | sed -n 's/.*policy: //p; s/.*priority: //p'
            kill $IMPOSTOR
        """))
        self.assertEqual(said.splitlines(), ["55 55 55", "50 50 50", "55 55 55", "SCHED_OTHER", "0"])

    def test_5_a_clean_end(self):
        said = self.machine.run("systemctl stop clockd; systemctl show -P Result -P ExecMainStatus clockd")
        self.assertEqual(said.split(), ["success", "0"])


class WithUapiV1(MachineTest):
    """The same game with the older of the two interfaces of the kernel."""

    uapi = "v1"

    def test_a_game_of_forty_moves_is_charged_to_the_nanosecond(self):
        self.machine.run(game.play(gap_ms=400))
        game.check(self, *map(self.read, ("played", "game", "journal")), json.loads(self.read("state")))


class WithoutUapiV1(unittest.TestCase):
    """A kernel whose GPIO character device has no uAPI v1."""

    def test_a_game_with_v2_and_a_message_for_v1(self):
        with Machine(kernel=os.environ["APPLIANCE_KERNEL_NO_V1"], icount=True) as machine:
            machine.run(game.play(gap_ms=400))
            files = [machine.read(name) for name in ("played", "game", "journal", "state")]
            game.check(self, *files[:3], json.loads(files[3]))
            said = machine.run(script(GAME + """
                sed -i 's/^uapi = .*/uapi = "v1"/' /etc/chess-clock/clockd.toml
                systemctl restart clockd
                until_prints 'the buttons are not connected' faults
                journalctl -u clockd -o cat | grep CONFIG
                systemctl show -P NRestarts clockd
            """)).splitlines()
        self.assertEqual(len(said), 2, said)
        self.assertEqual(said[1], "0")
        self.assertRegex(said[0], r"raspberry-pi.toml:\d+:\d+: cannot watch line 17 for the white "
                                  r"button of GPIO chip `pinctrl-bcm2711`: .*CONFIG_GPIO_CDEV_V1")
