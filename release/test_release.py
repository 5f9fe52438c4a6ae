"""What versions.py and sbom.py make of a tree and of crates that are made for the test."""

import re
import tempfile
import unittest
from pathlib import Path

import sbom
import versions
from crates import Crate

TEXTS = {
    "Cargo.toml": '[workspace.package]\nversion = "1.2.0"\n',
    "debian/changelog": "chess-clock (1.2.0) unstable; urgency=medium\n\nchess-clock (1.1.0) unstable; urgency=medium\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0, 2027-01-02\n\n- New.\n\n## 1.1.0, 2026-12-01\n\n- Old.\n",
    "yocto/meta-chessclock/conf/distro/chess-clock-os.conf": 'DISTRO = "os"\nDISTRO_VERSION = "1.2.0"\n',
    "yocto/meta-chessclock/recipes-clock/chess-clock/chess-clock-crates.inc": 'PV = "1.2.0"\n',
}


class Versions(unittest.TestCase):
    def version(self, changed={}):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TEXTS, **changed}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return versions.version(Path(folder))

    def test_the_same_version_everywhere_is_right(self):
        self.assertEqual(self.version(), ("1.2.0", []))

    def test_each_file_with_another_version_is_named(self):
        self.assertEqual(set(versions.PLACES), set(TEXTS))
        for name in TEXTS:
            if name != "Cargo.toml":
                wrong = self.version({name: TEXTS[name].replace("1.2.0", "1.2.1", 1)})[1]
                self.assertEqual(wrong, [f"{name} names the version 1.2.1, and Cargo.toml 1.2.0"])
                self.assertEqual(self.version({name: ""})[1], [f"{name} names the version none, and Cargo.toml 1.2.0"])

    def test_the_changes_are_those_of_the_newest_version(self):
        self.assertEqual(versions.changes(TEXTS["CHANGELOG.md"]), "## 1.2.0, 2027-01-02\n\n- New.\n")
        self.assertEqual(versions.changes("# Changelog\n\n## 0.1.0, x\n\n- First.\n"), "## 0.1.0, x\n\n- First.\n")


class Bill(unittest.TestCase):
    def crate(self, name, version, licence, source, *dependencies):
        return Crate(name, version, licence, "", [], source, Path("."), set(dependencies))

    def bill(self, time=1700000000, commit="abc"):
        tick = self.crate("tick", "1.0.0+x", "MIT/Apache-2.0", "registry")
        clock = self.crate("clockd", "1.2.0", "MIT", None, tick.key)
        parts = [{"name": "spring", "of": "tick", "licence": "MIT", "texts": []}, {"name": "std", "licence": "MIT", "texts": []}]
        return sbom.bill({crate.key: crate for crate in (clock, tick)}, {tick.key: "0123"}, parts, "1.2.0", commit, time)

    def test_crates_parts_and_their_order_are_in_the_bill(self):
        bill = self.bill()
        clock, tick, spring, std = bill["components"]
        self.assertEqual([clock["type"], tick["type"]], ["application", "library"])
        self.assertEqual(tick["purl"], "pkg:cargo/tick@1.0.0%2Bx")
        self.assertEqual(tick["hashes"], [{"alg": "SHA-256", "content": "0123"}])
        self.assertEqual(tick["licenses"], [{"expression": "MIT OR Apache-2.0"}])
        self.assertNotIn("purl", clock)
        self.assertEqual([spring["name"], std["name"]], ["spring", "std"])
        graph = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
        self.assertEqual(graph, {
            "chess-clock": ["clockd@1.2.0"],
            "clockd@1.2.0": ["std", "tick@1.0.0+x"],
            "tick@1.0.0+x": ["spring"],
        })

    def test_the_serial_number_is_that_of_the_contents(self):
        bill = self.bill()
        self.assertEqual(bill, self.bill())
        self.assertEqual(bill["metadata"]["timestamp"], "2023-11-14T22:13:20Z")
        self.assertTrue(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"]))
        self.assertNotEqual(bill["serialNumber"], self.bill(commit="def")["serialNumber"])


if __name__ == "__main__":
    unittest.main()
