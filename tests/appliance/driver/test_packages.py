"""The Debian packages on a machine that was installed from them alone: the clock runs after the boot, an upgrade leaves the
game alone, and neither a removal nor a purge deletes the games."""

import json
import os
import shutil
import tempfile
import unittest

import user_mode
from board import GAME, LINES, script

PACKAGES = "chess-clock clock-display clockctl clockd"
# What `dpkg` has to say is shown only if it fails.
DPKG = """
# Only the failure of a function ends the script, that of `! COMMAND` does not.
not() { ! "$@" >/dev/null 2>&1; }
dpkg_quietly() { DEBIAN_FRONTEND=noninteractive dpkg "$@" >/tmp/dpkg 2>&1 || { cat /tmp/dpkg; return 1; }; }
"""


class Packages(unittest.TestCase):
    maxDiff = None

    def guest(self, text):
        """Boots with the packages of the next version in /mnt/debs, runs the script, and returns the objects that it has
        printed, one on a line."""
        folder = tempfile.mkdtemp(prefix="clock-packages-")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copytree(os.environ["APPLIANCE_NEXT_DEBS"], f"{folder}/debs")
        user_mode.run(script(GAME + DPKG) + script(text), folder, 300)
        with open(f"{folder}/output") as output, open(f"{folder}/status") as status:
            said = output.read()
            self.assertEqual(status.read().strip(), "0", said)
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    def test_an_upgrade_leaves_the_game_alone(self):
        first, after, restarted = self.guest(f"""
            is_up
            arbiter new 3+2 --rules fide-2023 -q
            tap {LINES["black"]}
            # In the phase ready a press is decided when the button is released, because it can be a gesture.
            until_prints running clockctl status
            clock=$(pidof clockd)
            clockctl status --json
            dpkg_quietly --install /mnt/debs/*.deb
            dpkg-query --show --showformat '${{Version}}\\n' {PACKAGES} | grep -c next$ | grep -qx 4
            [ "$(pidof clockd)" = $clock ]
            tap {LINES["white"]}
            clockctl status --json
            systemctl restart clockd
            is_up
            [ "$(pidof clockd)" != $clock ]
            clockctl status --json
        """)
        self.assertEqual([(state["phase"], state["running"]) for state in (first, after, restarted)],
                         [("running", "white"), ("running", "black"), ("running", "black")])
        self.assertEqual(restarted["white"]["moves"], 1)

    def test_the_settings_of_the_start_are_made_once_and_taken_back(self):
        self.guest(f"""
            [ "$(readlink /etc/systemd/system/ctrl-alt-del.target)" = /dev/null ]
            mkdir -p /boot/firmware /tmp/before
            echo 'console=tty1 root=/dev/mmcblk0p2 rootwait' >/boot/firmware/cmdline.txt
            echo dtparam=audio=on >/boot/firmware/config.txt
            cp /boot/firmware/* /tmp/before
            is_as_before() {{ diff -r /tmp/before /boot/firmware; }}

            dpkg_quietly --install /mnt/debs/*.deb
            grep -q '^chess-clock: restart the computer: sudo reboot$' /tmp/dpkg
            grep -qx 'console=tty1 root=/dev/mmcblk0p2 rootwait quiet .*fbcon=map:9 .*' /boot/firmware/cmdline.txt
            grep -qx gpio=17,22,27=ip,pu /boot/firmware/config.txt
            mkdir /tmp/after
            cp /boot/firmware/* /tmp/after
            dpkg_quietly --install /mnt/debs/*.deb
            not grep chess-clock: /tmp/dpkg
            diff -r /tmp/after /boot/firmware

            # The real-time kernel of Raspberry Pi OS comes and goes with its hooks.
            touch /boot/firmware/kernel8_rt.img
            run-parts /etc/kernel/postinst.d >/dev/null
            grep -F -A 1 -x '[pi4]' /boot/firmware/config.txt | grep -qx kernel=kernel8_rt.img
            rm /boot/firmware/kernel8_rt.img
            run-parts /etc/kernel/postrm.d >/dev/null
            diff -r /tmp/after /boot/firmware

            dpkg_quietly --remove chess-clock
            is_as_before
            [ ! -L /etc/systemd/system/ctrl-alt-del.target ]
            run-parts /etc/kernel/postinst.d
            is_as_before
            dpkg_quietly --purge chess-clock
            is_as_before
            [ ! -e /var/lib/chess-clock-boot ]
            not ls /etc/kernel/post*.d/zz-chess-clock /etc/default/grub.d/chess-clock.cfg
        """)

    def test_a_removal_and_a_purge_keep_the_games(self):
        before, after = self.guest(f"""
            is_up
            arbiter new 3+2 --rules fide-2023 -q
            tap {LINES["black"]}; tap {LINES["white"]}
            arbiter pause -q
            clockctl status --json
            dpkg_quietly --remove {PACKAGES}
            not pidof clockd
            not systemctl cat clockd
            [ -e /etc/chess-clock/clockd.toml ]
            dpkg_quietly --purge {PACKAGES}
            [ ! -e /etc/chess-clock ]
            [ -e /var/lib/chess-clock/games/000001.jsonl ]
            dpkg_quietly --install /mnt/debs/*.deb
            is_up
            clockctl status --json
        """)
        for key in ("phase", "control", "white", "black"):
            self.assertEqual(after[key], before[key], key)
