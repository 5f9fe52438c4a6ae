"""The face on a screen, seen from the emulator's side: it is there after the boot, says what the clock says, and comes
back after each thing that can happen to a screen or to a program."""

import base64
import json
import re
import time

from board import GAME, LINES, script
from machine import MachineTest
from picture import Picture, Unreadable, is_black, is_stale, read_face, shown, tenths

SIZE, LARGER = (800, 480), (1024, 600)
# How long anything is waited for, in seconds of the host.
PATIENCE = 60

# Everything with which the console can get in front of a program: text and a cursor, a message of the highest level, a
# login prompt, other consoles, a screen saver, and the end of another program that had the console to itself.
CONSOLE = """
    for terminal in /dev/tty1 /dev/tty2; do printf '\\033[?25h\\033[37;41mover the face\\n\\n' >$terminal; done
    echo '<0>a message of the kernel' >/dev/kmsg
    systemctl unmask -q getty@.service
    systemctl restart getty@tty1
    python3 - <<'END'
    import fcntl, os
    VT_ACTIVATE, VT_WAITACTIVE, TIOCLINUX, KDSETMODE = 0x5606, 0x5607, 0x541c, 0x4b3a
    BLANK, UNBLANK, GRAPHICS, TEXT = b"\\16", b"\\4", 1, 0
    console = os.open("/dev/tty0", os.O_RDWR | os.O_NOCTTY)
    for number in (2, 3, 1):
        fcntl.ioctl(console, VT_ACTIVATE, number)
        fcntl.ioctl(console, VT_WAITACTIVE, number)
    fcntl.ioctl(console, TIOCLINUX, BLANK)
    fcntl.ioctl(console, TIOCLINUX, UNBLANK)
    for mode in (GRAPHICS, TEXT):
        fcntl.ioctl(console, KDSETMODE, mode)
    END
    sleep 1
"""


class FaceTest(MachineTest):
    """What the tests of the screen have in common."""

    screen = SIZE

    def do(self, text):
        return self.machine.run(script(GAME) + script(text))

    def status(self):
        return json.loads(self.do("clockctl status --json"))

    def until(self, condition, *arguments):
        """Waits until a condition returns something that is true, and returns it. Until the last try, its failure to read
        a picture or to find equal times is ignored."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                result = condition(*arguments)
                self.assertTrue(result)
                return result
            except (Unreadable, AssertionError):
                if time.monotonic() > end:
                    raise

    def shows_the_clock(self, size=SIZE):
        """Whether the face says what the clock says. A running time is between those before and after the picture."""
        before = self.status()
        picture = self.machine.picture()
        after = self.status()
        self.assertEqual((picture.width, picture.height), size)
        sides = ("black", "white") if after["buttons_exchanged"] else ("white", "black")
        for side, half in zip(sides, read_face(picture)):
            latest, earliest = (tenths(shown(status[side]["remaining_ns"])) for status in (before, after))
            self.assertLessEqual(earliest, tenths(half.time))
            self.assertLessEqual(tenths(half.time), latest)
            self.assertEqual(half.lit, after["running"] == side)
        self.assertFalse(is_stale(picture))
        return picture

    def is_as_painted(self):
        """Whether the screen shows what `clock-display shot` writes."""
        width, height = SIZE
        png = self.do(f"clock-display shot --size {width}x{height} --out /tmp/shot.png; base64 -w0 /tmp/shot.png")
        return self.machine.picture().differing(Picture.of_png(base64.b64decode(png))) == 0

    def first_frames(self):
        """When clock-display has said that it shows its first picture on a screen, in seconds since the boot."""
        said = self.machine.run("journalctl -u clock-display -o short-monotonic --no-pager | "
                                "sed -n 's/^\\[ *\\([0-9.]*\\)\\].*the digits on the screen are.*/\\1/p'")
        return list(map(float, said.split()))

    def reported(self):
        """The height of the digits that the clock knows, as the log of the face writes it, and whether it warns."""
        micrometres = int(re.search(r"uint32 (\d+)", self.do("property Health DigitHeight")).group(1))
        height = f"{micrometres // 1000}.{micrometres // 100 % 10} mm" if micrometres else None
        return height, "@as []" not in self.do("property Health Warnings")

    def reports_the_screen(self):
        """Whether the clock knows the height of the digits that is in the log, and warns as the log does."""
        height, warns = self.reported()
        self.assertIsNotNone(height)
        self.assertIn(f"the digits on the screen are {height} high", self.last_words())
        self.assertEqual(warns, "15 mm are needed" in self.last_words())
        return True

    def last_words(self):
        """What the program itself has said last, and not systemd about its unit."""
        return self.machine.run("journalctl _SYSTEMD_UNIT=clock-display.service -o cat --no-pager | tail -n 1")

    def running(self):
        self.do("new_game fide-standard")
        self.until(self.shows_the_clock)


class Screen(FaceTest):
    def test_1_it_boots_into_the_face_with_nothing_typed(self):
        self.until(self.shows_the_clock)
        self.assertEqual(self.machine.run("systemctl is-system-running --wait || systemctl --failed").strip(), "running")
        self.assertEqual(len(self.first_frames()), 1)
        self.until(self.reports_the_screen)

    def test_2_the_face_has_the_right_to_the_card_and_no_other(self):
        said = self.machine.run("""
            pid=$(pidof clock-display)
            stat -c %U /proc/$pid
            id -Gn clock-display
            grep -E 'Cap(Eff|Bnd)|NoNewPrivs|Seccomp:' /proc/$pid/status
            readlink /proc/$pid/fd/* | grep /dev/
            systemctl show -P NRestarts clock-display
        """)
        lines = said.splitlines()
        self.assertEqual(lines[:2], ["clock-display", "clock-display video"])
        for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
            self.assertIn(line, lines)
        self.assertEqual([line for line in lines if line.startswith("/dev/")], ["/dev/null", "/dev/dri/card0"])
        self.assertEqual(lines[-1], "0")

    def test_3_every_pixel_is_that_of_the_painter(self):
        """Colours, rows and the order of the bytes: the screen shows what `clock-display shot` writes."""
        for moment in ("arbiter pause -q", "arbiter new --force --control blitz-3-2 --rules fide-2023 -q"):
            self.do(f"[[ $(clockctl status) != running* ]] || {moment}")
            self.until(self.is_as_painted)

    def test_4_a_press_lights_the_other_half(self):
        self.do("fresh-clock; is_up")
        self.until(self.shows_the_clock)
        # Black's press starts White's clock.
        for side, lit in (("black", [True, False]), ("white", [False, True]), ("black", [True, False])):
            self.do(f"edge-player play $LINES --active-low <<'END'\n1000 {LINES[side]} 1\n60000 {LINES[side]} 0\nEND")
            picture = self.until(self.shows_the_clock)
            self.assertEqual([half.lit for half in read_face(picture)], lit)

    def test_5_a_screen_is_taken_out_and_another_one_put_in(self):
        self.running()
        for size in (LARGER, SIZE):
            self.machine.cable.unplug()
            self.until(lambda: "no screen is connected" in self.last_words())
            self.until(lambda: self.reported() == (None, False))
            self.machine.cable.plug(*size)
            self.until(self.shows_the_clock, size)
            self.until(self.reports_the_screen)
        # The face shows another one although nobody saw that there was none.
        self.machine.cable.plug(*LARGER)
        self.until(self.shows_the_clock, LARGER)
        # A face that is started without a screen waits for one.
        self.machine.cable.unplug()
        self.do("systemctl restart clock-display; sleep 5; systemctl is-active clock-display")
        self.machine.cable.plug(*SIZE)
        self.until(self.shows_the_clock)

    def test_6_the_face_is_killed(self):
        """Its last picture stays until it is back with the times of the running clock, and uses no memory then."""
        self.running()
        before = self.shared_memory()
        for _ in range(3):
            frames = self.first_frames()
            killed = float(self.do("cut -d' ' -f1 /proc/uptime; kill -9 $(pidof clock-display)"))
            pictures = []
            self.until(lambda: pictures.append(self.machine.picture()) or len(self.first_frames()) > len(frames))
            self.until(self.shows_the_clock)
            for picture in pictures:
                # The emulator's own picture for a screen that is off has another size.
                self.assertEqual((picture.width, picture.height), SIZE)
                read_face(picture)
            print(f"back after {self.first_frames()[-1] - killed:.2f} s, {len(pictures)} pictures meanwhile ", end="")
        # A picture takes four bytes for each pixel. Other programs need some pages of a tmpfs meanwhile.
        self.assertLess(self.shared_memory() - before, 2 * SIZE[0] * SIZE[1] * 4)

    def test_6_c_a_face_that_cannot_start_leaves_no_picture(self):
        """A face that ends before its first picture: the screen is off or black, and shows no old time."""
        self.running()
        self.do("""
            systemctl edit --runtime --stdin clock-display <<'END'
            [Service]
            Environment=DBUS_SYSTEM_BUS_ADDRESS=nonsense
            END
            kill -9 $(pidof clock-display)
        """)
        self.until(self.shows_nothing)
        self.do("systemctl revert clock-display; systemctl restart clock-display")
        self.until(self.shows_the_clock)

    def shows_nothing(self):
        picture = self.machine.picture()
        return (picture.width, picture.height) != SIZE or is_black(picture)

    def shared_memory(self):
        """The bytes in files of the memory, and in pictures of graphics cards."""
        return 1024 * int(self.machine.run("awk '/^Shmem:/ {print $2}' /proc/meminfo"))

    def test_6_b_a_configuration_that_cannot_be_used(self):
        """The face shows the clock all the same, and its log says what is wrong and where."""
        self.do("""
            cp /etc/chess-clock/display.toml /tmp/
            printf '[screen]\\ntheme = "pink"\\n' >/etc/chess-clock/display.toml
            systemctl restart clock-display
        """)
        self.until(self.shows_the_clock)
        self.assertIn("display.toml:2:9: `theme` is `pink`", self.machine.run("journalctl -u clock-display -o cat"))
        self.do("mv /tmp/display.toml /etc/chess-clock/; systemctl restart clock-display")
        self.until(self.shows_the_clock)

    def test_7_the_console_is_never_seen(self):
        """Neither in front of the face, nor while no face is shown: then the screen is black."""
        self.do("new_game fide-standard; arbiter pause -q")
        before = self.until(self.shows_the_clock)
        self.do(CONSOLE)
        self.assertEqual(self.machine.picture().differing(before), 0)
        self.do("systemctl stop clock-display")
        self.assertTrue(is_black(self.machine.picture()))
        self.do(CONSOLE)
        self.assertTrue(is_black(self.machine.picture()))
        self.do("systemctl start clock-display")
        self.until(self.shows_the_clock)

    def test_8_the_clock_is_killed(self):
        """While there is no clock, the last known times stay, marked as such. Afterwards they are right again."""
        self.running()
        self.do("""
            folder=/run/systemd/system/clockd.service.d
            mkdir -p $folder
            printf '[Service]\\nExecStartPre=/bin/sh -c "until [ -e /run/go ]; do sleep 0.1; done"\\n' >$folder/late.conf
            systemctl daemon-reload
        """)
        before = self.status()
        self.do("kill -9 $(pidof clockd)")
        self.until(lambda: is_stale(self.machine.picture()))
        white, black = read_face(self.machine.picture())
        self.assertEqual((white.lit, black.lit), (False, False))
        self.assertLessEqual(tenths(white.time), tenths(shown(before["white"]["remaining_ns"])))
        self.assertEqual(black.time, shown(before["black"]["remaining_ns"]))
        self.do("touch /run/go; is_up; rm /run/go /run/systemd/system/clockd.service.d/late.conf; systemctl daemon-reload")
        self.until(self.shows_the_clock)
        self.assertEqual(self.status()["running"], "white")
        self.until(self.reports_the_screen)


class NoScreenAtTheStart(FaceTest):
    plugged = False

    def test_a_screen_that_is_put_in_after_the_boot_shows_the_face(self):
        """Without a screen the machine boots without a fault, and the face waits."""
        self.assertEqual(self.machine.run("systemctl is-system-running --wait || systemctl --failed").strip(), "running")
        self.assertEqual(self.machine.run("systemctl is-active clock-display clockd").split(), ["active"] * 2)
        self.until(lambda: "no screen is connected" in self.last_words())
        self.assertEqual(self.reported(), (None, False))
        self.machine.cable.plug(*SIZE)
        self.running()
        self.until(self.reports_the_screen)
