"""Two players at the clock without a laptop: the menu as the screen shows it, opened by the call button; and the plug is
pulled while it is open."""

import os
import tempfile

import disk
import players
from board import GAME, script
from machine import Machine
from picture import read_face
from players import Page
from test_screen import SIZE, FaceTest

NIGHTLY = "APPLIANCE_NIGHTLY" in os.environ

# Pages on which the plug is pulled for every change: the first one before a game, a correction in a pause, and an agreement
# that waits for the other player.
FOR_EVERY_CHANGE = (
    Page("OursReady", (), "A press starts White's clock"),
    Page("Agreeing", ("Correct", "(Black)"), "Correct the clock"),
    Page("Agreeing", ("Result", "1-0", "(White)"), "Both agree?"),
)
# The game with which a walk of pages.rs begins: the time control and the rules, what makes it, and its phase.
WITH_ARBITER, WITHOUT = ("40/90, G/30", "fide-article-6"), ("3+2", "players-agree")
BEGINS = {
    "Over": (*WITH_ARBITER, "tap 27; tap 17; tap 22; arbiter result 1-0 --reason mate -q", "over"),
    "Standing": (*WITH_ARBITER, "tap 27; tap 17; tap 22", "paused"),
    "Agreeing": (*WITHOUT, "tap 27; tap 17; tap 22", "paused"),
    "Coded": ("3+2", "fide-2023", "tap 27; tap 17; tap 22", "paused"),
    "OursReady": ("5+3", "players-agree", ":", "ready"),
    "OursFlag": ("G/1s", "players-agree", "tap 27", "ruling"),
    "OursOver": ("G/1s", "players-agree", "tap 27; until_prints ^ruling clockctl status", "over"),
}
# The shipped configuration shows a code in a comment.
SET_CODE = """sed -i 's/^# \\(arbiter_code = "wbbw"\\)$/\\1/' /etc/chess-clock/clockd.toml"""

# The titles of pages of the menu.
FIRST, SUMMARY = "A press starts White's clock", "Is this right?"


class Menu(FaceTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="clock-menu-")
        cls.addClassCleanup(folder.cleanup)
        disk.make_file_system(f"{folder.name}/disk")
        cls.disk = disk.Disk(f"{folder.name}/disk", f"{folder.name}/nbd")
        cls.addClassCleanup(cls.disk.close)
        cls.switch_on()
        cls.addClassCleanup(lambda: cls.machine.__exit__())

    @classmethod
    def switch_on(cls):
        cls.machine = Machine(icount=True, record=cls.disk, screen=SIZE).__enter__()
        cls.machine.run(script(GAME + "is_up"))
        players.arrive(cls.machine)

    def players(self, *todo):
        """What the players do. Returns the last page."""
        return players.play(self.machine, *todo)[-1]

    def test_1_the_screen_shows_the_pages(self):
        face = self.until(self.shows_the_clock)
        self.assertEqual(self.players("open")["title"], FIRST)
        self.until(self.is_as_painted)
        first = self.machine.picture()
        self.assertGreater(first.differing(face), 0)
        self.assertEqual(self.players("Time control")["title"], "Time control")
        self.until(self.is_as_painted)
        self.assertGreater(self.machine.picture().differing(first), 0)
        self.players("3+2", "closed")
        self.until(self.shows_the_clock)

    def test_2_an_arbiter_rules_on_a_flag(self):
        """The shipped configuration with the arbiter's code that it shows. White's flag falls in the first of two periods;
        enough moves were made, and the game goes on."""
        self.do(f"{SET_CODE}; fresh-clock; is_up")
        self.until(self.shows_the_clock)
        page = self.players("open", "New game", "With an arbiter", "Our own", "#0503", "Time", "#00001", "Second",
                            "#03000", "Keep")
        self.assertEqual(page["title"], SUMMARY)
        self.players("Accept", "closed")
        self.assertEqual(self.status()["rules"], "fide-2023")
        self.do("""tap 27; until_prints '"first_flag":"white"' clockctl status --json""")
        status = self.status()
        self.assertEqual((status["phase"], status["white"]["remaining_ns"], status["white"]["period"]), ("ruling", 0, 1))
        self.until(self.shows_the_clock)
        page = self.players("open", "What awaits", "code:wbbw", "White")
        self.assertEqual(page["title"], "White: enough moves?")
        self.assertIn("Moves were made +30:03", page["lines"])
        self.until(self.is_as_painted)
        self.players("Moves were made", "Yes", "closed", "open", "Go on", "code:wbbw", "White", "Yes", "closed")
        status = self.status()
        self.assertEqual((status["phase"], status["running"], status["white"]["period"]), ("running", "white", 2))
        self.assertEqual([half.lit for half in read_face(self.until(self.shows_the_clock))], [True, False])

    def test_3_the_plug_is_pulled_while_digits_are_entered(self):
        """The own control that was kept before is there."""
        self.begin("Agreeing")
        own = ("open", "New game", "We two")
        page = self.players(*own, "Our own", "#0703", "Keep")
        self.assertEqual(page["title"], SUMMARY)
        # The thread that writes the file ends when the file is stored.
        self.do("""
            stored() { grep -qx menu-file /proc/$(pidof clockd)/task/*/comm || ls /var/lib/chess-clock; }
            until_prints menu.json stored
        """)
        self.players("(hold)", "closed")
        self.pull_plug_on(Page("Agreeing", (*own[1:], "Our own", "#05"), "Time control"))
        self.assertEqual(self.players(*own, "7+3")["title"], SUMMARY)

    def test_4_the_plug_is_pulled_on_pages(self):
        for page in players.pages() if NIGHTLY else FOR_EVERY_CHANGE:
            # The machine has no backlight.
            if page.steps[-1:] != ("Brightness",):
                with self.subTest(page=page):
                    self.begin(page.begin)
                    self.pull_plug_on(page)

    def pull_plug_on(self, page):
        """The game and the settings come back as they were, and the menu is closed: a command is given when both players have
        agreed, and not before."""
        before = self.what_stays()
        self.assertEqual(self.players("open", *page.steps)["title"], page.title)
        self.disk.cut_power()
        self.machine.__exit__()
        self.disk.power_on()
        self.switch_on()
        self.assertEqual(self.what_stays(), before)
        self.until(self.is_as_painted)

    def begin(self, name):
        control, rules, makes, phase = BEGINS[name]
        self.do(f"""
            sed -i 's|^control = .*|control = "{control}"|; s|^rules = .*|rules = "{rules}"|' /etc/chess-clock/clockd.toml
            {SET_CODE if name == "Coded" else ""}
            fresh-clock
            is_up
            {makes}
        """)
        if name == "OursOver":
            self.players("open", "0-1", "agree", "closed")
        self.do(f"until_prints ^{phase} clockctl status")

    def what_stays(self):
        """What is the same before the menu was opened and after the plug was pulled."""
        status = self.status()
        for side in ("white", "black"):
            # An instant of a machine has another number after it has booted again.
            del status[side]["flag_ns"]
        keys = ("phase", "control", "rules", "white", "black", "result", "first_flag", "buttons_exchanged")
        return [status[key] for key in keys], self.do("property Menu Settings; property Menu Page")
