"""What versions.py, sbom.py and imager.py make of a tree, of crates and of a card that are made for the test."""

import hashlib
import json
import random
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import imager
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


class Imager(unittest.TestCase):
    """An invented card of 3 MiB, compressed by the function that compresses the real one."""

    IMAGE = random.Random(1).randbytes(1 << 20) + bytes(2 << 20)

    def release(self, folder, threads=0, image=IMAGE):
        card = Path(folder, "chess-clock-1.2.0-arm64.img")
        self.compress(card, image, threads)
        Path(folder, "chess-clock.svg").write_text("<svg/>")
        content = imager.manifest(card, "1.2.0", "2027-01-02", "https://example.org/clock/")
        self.write(folder, content)
        return content

    def compress(self, card, image, threads=0):
        card.write_bytes(image)
        script = Path(imager.__file__).parent.parent / "sd-image" / "card.sh"
        subprocess.run(["sh", "-euc", '. "$1"; compress_card "$2" "$3"', "sh", script, card, str(threads)], check=True)

    def write(self, folder, content):
        Path(folder, "chess-clock-1.2.0.rpi-imager-manifest").write_text(json.dumps(content))

    def test_the_list_has_the_sizes_and_sums_of_the_card(self):
        with tempfile.TemporaryDirectory() as folder:
            entry = self.release(folder)["os_list"][0]
            packed = Path(folder, "chess-clock-1.2.0-arm64.img.zst").read_bytes()
            self.assertEqual(entry["extract_size"], 3 << 20)
            self.assertEqual(entry["extract_sha256"], hashlib.sha256(self.IMAGE).hexdigest())
            self.assertEqual(entry["image_download_size"], len(packed))
            self.assertEqual(entry["image_download_sha256"], hashlib.sha256(packed).hexdigest())
            self.assertEqual(entry["url"], "https://example.org/clock/chess-clock-1.2.0-arm64.img.zst")
            self.assertEqual(entry["init_format"], "none")
            self.assertEqual(imager.faults(folder), [])

    def test_the_number_of_threads_does_not_change_the_compressed_card(self):
        # Large enough for several threads: with --single-thread zstd makes other bytes of it.
        image = random.Random(1).randbytes(10 << 20) + bytes(9 << 20) + random.Random(2).randbytes(1 << 20)
        with tempfile.TemporaryDirectory() as folder:
            sums = {self.release(folder, threads, image)["os_list"][0]["image_download_sha256"] for threads in (1, 2, 5)}
            self.assertEqual(len(sums), 1)

    def test_each_key_that_imager_needs_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = json.dumps(self.release(folder))
            for key in imager.WANTED:
                for wrong in (None, "", [], 7.5):
                    content = json.loads(whole)
                    content["os_list"][0][key] = wrong
                    self.write(folder, content)
                    self.assertEqual(imager.faults(folder), [f"card: {key} is {wrong!r}"])
            for key in imager.DEVICE:
                content = json.loads(whole)
                del content["imager"]["devices"][1][key]
                self.write(folder, content)
                self.assertEqual(imager.faults(folder), [f"device: {key} is None"])

    def test_a_list_that_does_not_fit_the_files_is_named(self):
        def another_size(folder, content):
            content["os_list"][0]["extract_size"] += 512

        def another_card(folder, content):
            self.compress(Path(folder, "chess-clock-1.2.0-arm64.img"), b"x" + self.IMAGE[1:])

        def no_card(folder, content):
            Path(folder, "chess-clock-1.2.0-arm64.img.zst").unlink()

        def cut_card(folder, content):
            packed = Path(folder, "chess-clock-1.2.0-arm64.img.zst")
            packed.write_bytes(packed.read_bytes()[:-100])

        def a_pi_5(folder, content):
            content["imager"]["devices"][0]["tags"] = ["pi5-64bit"]

        for change, keys in ((another_size, ["extract_size"]), (no_card, ["there"]), (a_pi_5, ["the"]),
                             (another_card, ["image_download_sha256", "extract_sha256"]),
                             (cut_card, ["image_download_size", "image_download_sha256", "extract_size", "extract_sha256"])):
            with self.subTest(change.__name__), tempfile.TemporaryDirectory() as folder:
                content = self.release(folder)
                change(folder, content)
                self.write(folder, content)
                self.assertEqual([fault.split()[0] for fault in imager.faults(folder)], keys)


if __name__ == "__main__":
    unittest.main()
