#!/usr/bin/env python3
"""Generates docs/dbus.rst, the reference of the D-Bus interfaces, from their XML with gdbus-codegen.

usage: python3 docs/dbus-reference.py [--check]

With --check nothing is written: it fails, and shows the difference, if the file is not what would be
generated. The versions of gdbus-codegen differ in link targets, in blank lines and in whether they
list the out arguments of a method. So the text is generated in a way that gives the same file with
each of them.
"""

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
XML = ROOT / "dbus" / "org.chessclock.Clock1.xml"
REFERENCE = ROOT / "docs" / "dbus.rst"

HEAD = """\
.. Generated from dbus/org.chessclock.Clock1.xml by `make reference`. Change its sources, not this file.

"""

# `Name (`, one line for each argument, and `)`: how the reference shows a method or a signal.
SIGNATURE = re.compile(r"^    \w+ \(\n(?:      .+\n)+    \)$", re.MULTILINE)


def codegen(xml):
    """What gdbus-codegen makes of this XML: all interfaces, in the order of the XML."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "interfaces.xml")
        source.write_text(xml)
        command = ["gdbus-codegen", "--generate-rst", "dbus", "--output-directory", folder, str(source)]
        try:
            subprocess.run(command, check=True)
        except FileNotFoundError:
            sys.exit("dbus-reference: no gdbus-codegen: install the package libglib2.0-dev-bin")
        except subprocess.CalledProcessError as error:
            sys.exit(f"dbus-reference: gdbus-codegen ended with {error.returncode}")
        names = re.findall(r'<interface name="([^"]+)"', xml)
        return "\n".join(Path(folder, f"dbus-{name}.rst").read_text() for name in names)


def reference(xml):
    """The text of the reference."""
    # Some versions describe only the arguments of direction `in`. If all arguments have that
    # direction, every version describes all of them; the signatures are then those of the real XML.
    signatures = iter(SIGNATURE.findall(codegen(xml)))
    text = codegen(xml.replace('direction="out"', 'direction="in"'))
    text = SIGNATURE.sub(lambda _: next(signatures), text)
    # The headings are link targets of their own.
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith(".. ")]
    return HEAD + re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(f"dbus-reference: {' '.join(arguments)}: expected nothing or --check")
    fresh = reference(XML.read_text())
    if not arguments:
        REFERENCE.write_text(fresh)
        return
    written = REFERENCE.read_text()
    if written != fresh:
        sides = written.splitlines(), fresh.splitlines()
        print(*difflib.unified_diff(*sides, "docs/dbus.rst", "generated", lineterm=""), sep="\n")
        sys.exit("dbus-reference: docs/dbus.rst does not belong to the XML; run `make reference`")


if __name__ == "__main__":
    main(sys.argv[1:])
