"""What `make install` changes in the system around the clock."""

import unittest

from board import GAME, script
from machine import ROOT_MODE, MachineTest


class System(MachineTest):
    def test_no_kind_of_sleep_is_allowed(self):
        """CLOCK_MONOTONIC stands still in all of them."""
        for kind in ("suspend", "hibernate", "suspend-then-hibernate", "hybrid-sleep"):
            status, said = self.machine.attempt(f"/usr/lib/systemd/systemd-sleep {kind} 2>&1")
            self.assertNotEqual(status, 0, kind)
            self.assertIn("disabled by configuration", said)

    @unittest.skipIf(ROOT_MODE == "ro", "it changes the settings of the root; make appliance runs it")
    def test_the_journal_is_on_the_disk_although_raspberry_pi_os_keeps_it_in_memory(self):
        said = self.machine.run(script("""
            # The tests' own setting, which keeps it in memory too.
            rm /etc/systemd/journald.conf.d/tests.conf
            printf '[Journal]\\nStorage=volatile\\n' >/usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf
            systemctl restart systemd-journald
            journalctl --flush
            arbiter start -q
            # The entry that clockd writes about it.
            until_prints '^clock$' journalctl --file "/var/log/journal/*/system.journal" WHAT=start -o cat --no-pager
            ls /var/log/journal/*/system.journal
            # journald reports keys that it does not know.
            journalctl -b --no-pager | grep 60-chess-clock.conf || true
        """))
        self.assertRegex(said, r"^/var/log/journal/\w+/system.journal\n$")

    def test_the_watchdog_is_fed_by_a_thread_with_real_time_priority_1(self):
        """It runs before all ordinary programs and after the clock loop (40). No other thread is real-time."""
        said = self.machine.run(script("""
            for thread in /proc/$(pidof clockd)/task/*; do
                printf '%s %s\\n' $(cat $thread/comm) "$(chrt -p ${thread##*/} | tr '\\n' ' ')"
            done
        """))
        realtime = [line.split()[0] + " " + line.split()[-1] for line in said.splitlines() if "SCHED_FIFO" in line]
        self.assertEqual(sorted(realtime), ["clock-loop 40", "watchdog 1"])

    def test_without_real_time_priority_it_runs_on_and_says_so(self):
        """The watchdog is fed all the same: the service still runs after more than its 0.5 s."""
        said = self.machine.run(script(GAME) + script("""
            folder=/run/systemd/system/clockd.service.d
            mkdir -p $folder
            printf '[Service]\\nLimitRTPRIO=0\\n' >$folder/no-realtime.conf
            systemctl daemon-reload
            mark
            systemctl restart clockd
            is_up
            sleep 5
            property Health RealtimeOk
            systemctl show -P NRestarts clockd
            said | grep 'no real-time priority'
            rm $folder/no-realtime.conf
            systemctl daemon-reload
            systemctl restart clockd
            is_up
            property Health RealtimeOk
        """))
        first, restarts, *warnings, last = said.splitlines()
        self.assertEqual((first, restarts, last), ("(<false>,)", "0", "(<true>,)"))
        self.assertIn("the clock loop has no real-time priority", warnings)
        self.assertTrue(any(line.startswith("the watchdog's thread has no") for line in warnings), warnings)
