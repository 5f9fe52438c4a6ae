"""Prints the clock's version, or the section of CHANGELOG.md for it.

usage: release/versions.py [--changelog]

Both fail if the files that name the version do not all name the same one.
"""

import re
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
# The file that decides, then those that must say the same.
PLACES = {
    "Cargo.toml": r'^\[workspace\.package\]\nversion = "(.*)"$',
    "debian/changelog": r"\A\S+ \((.*?)\)",
    "CHANGELOG.md": r"^## (\S+?),? ",
    "yocto/meta-chessclock/conf/distro/chess-clock-os.conf": r'^DISTRO_VERSION = "(.*)"$',
    "yocto/meta-chessclock/recipes-clock/chess-clock/chess-clock-crates.inc": r'^PV = "(.*)"$',
}


def version(tree=TREE):
    """The version, and what is wrong with those of the other files."""
    named = {}
    for place, pattern in PLACES.items():
        found = re.search(pattern, (tree / place).read_text(), re.MULTILINE)
        named[place] = found[1] if found else "none"
    wanted = named["Cargo.toml"]
    wrong = [f"{place} names the version {other}, and Cargo.toml {wanted}" for place, other in named.items() if other != wanted]
    return wanted, wrong


def changes(text):
    """The newest section, which ends before the next heading of its level."""
    start = text.index("\n## ") + 1
    end = text.find("\n## ", start)
    return text[start : None if end < 0 else end].rstrip() + "\n"


def main():
    if sys.argv[1:] not in ([], ["--changelog"]):
        sys.exit(__doc__)
    found, wrong = version()
    if wrong:
        sys.exit("\n".join(wrong))
    sys.stdout.write(changes((TREE / "CHANGELOG.md").read_text()) if sys.argv[1:] else f"{found}\n")


if __name__ == "__main__":
    main()
