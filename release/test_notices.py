"""What notices.py refuses, on crates that are made for it."""

import tempfile
import unittest
from pathlib import Path

import notices
from crates import Crate

MIT = "Copyright (c) 2026 Nobody\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy of this software and so on"
ACCEPTED = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"}


class Notices(unittest.TestCase):
    def crates(self, licence, files, source="registry"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return {("tick", "1.0.0"): Crate("tick", "1.0.0", licence, "", [], source, Path(folder.name))}

    def written(self, licence, files, texts={}, parts=()):
        return notices.written(notices.entries(self.crates(licence, files), texts, parts, ACCEPTED))

    def refused(self, message, *arguments, **named):
        with self.assertRaisesRegex(notices.Problem, message):
            self.written(*arguments, **named)

    def test_a_text_is_found_wherever_it_is(self):
        text = self.written("MIT/Apache-2.0", {"LICENSE-MIT": MIT, "src/spin/COPYING": "Of somebody else"})
        self.assertIn("tick 1.0.0  MIT/Apache-2.0", text)
        self.assertEqual(text.count("Of: tick 1.0.0\n"), 2)
        self.assertIn(MIT, text)

    def test_a_crate_without_a_text_is_refused(self):
        self.refused("tick 1.0.0 has the licence MIT and no text of it", "MIT", {"README.md": MIT, "license.rs": MIT})
        # A file that only names the licence is no text.
        self.refused("no text of it", "MIT OR Apache-2.0", {"LICENSE": "MIT or Apache-2.0"})
        self.refused("no text of it", "MIT AND Unicode-3.0", {"LICENSE": MIT})

    def test_a_text_from_here_is_for_a_crate_without_one_only(self):
        self.assertIn("Of: tick 1.0.0", self.written("MIT", {}, {"tick": ["drm-fourcc.txt"]}))
        self.refused("has a text of its own", "MIT", {"LICENSE": MIT}, {"tick": ["drm-fourcc.txt"]})
        self.refused("no program contains the crate tock", "MIT", {"LICENSE": MIT}, {"tock": ["drm-fourcc.txt"]})

    def test_a_licence_that_is_not_accepted_is_refused(self):
        for licence in ("GPL-3.0-only", "MIT AND GPL-3.0-only", "Apache-2.0 WITH GCC-exception"):
            self.refused("deny.toml accepts", licence, {"LICENSE": MIT})
        self.assertIn("GPL", self.written("GPL-3.0-only OR (MIT AND MIT)", {"LICENSE": MIT}))

    def test_an_expression_that_is_none_is_refused(self):
        for expression in ("", "MIT OR", "(MIT", "MIT Apache-2.0", "MIT WITH"):
            self.refused("licence", expression, {"LICENSE": MIT})

    def test_a_part_of_no_crate_is_refused(self):
        part = {"name": "bell", "of": "tock", "licence": "MIT", "texts": []}
        self.refused("bell is in tock, which no program contains", "MIT", {"LICENSE": MIT}, parts=[part])
        part = {"name": "bell", "of": "tick", "licence": "GPL-3.0-only", "texts": []}
        self.refused("bell has the licence GPL-3.0-only", "MIT", {"LICENSE": MIT}, parts=[part])

    def test_crates_of_the_clock_itself_are_not_listed(self):
        found = self.crates("MIT OR Apache-2.0", {}, source=None)
        self.assertEqual(list(notices.entries(found, {}, (), ACCEPTED)), [])


if __name__ == "__main__":
    unittest.main()
