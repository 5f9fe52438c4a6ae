"""Writes THIRD-PARTY-NOTICES.txt: every crate in the three programs, its licence, and the texts that the licences ask for.

usage: release/notices.py [--check]

--check writes nothing. It fails if the file is not what the crates say.

Both fail if a crate has no licence of deny.toml, or no text of such a licence. licences.py has the texts for crates that
come without one, and the parts of the programs that are no crates.
"""

import os
import re
import sys
from pathlib import Path

import crates
import licences

TEXTS = Path(__file__).resolve().parent / "licences"
NOTICES = crates.TREE / "THIRD-PARTY-NOTICES.txt"
NAME = re.compile(r"(licen[sc]es?|copying|copyright|notices?|unlicense)([-_. ].*)?", re.IGNORECASE)
# Programs are no texts of a licence, whatever they are called.
SOURCES = {".rs", ".py", ".html"}
# A sentence of each licence, with which its text is recognized, whatever its line breaks are.
SENTENCES = {
    "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy of this software",
    "Apache-2.0": "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
    "Apache-2.0 WITH LLVM-exception": "LLVM Exceptions to the Apache 2.0 License",
    "ISC": "Permission to use, copy, modify, and/or distribute this software for any purpose",
    "Unicode-3.0": "UNICODE LICENSE V3",
    "Zlib": "This software is provided 'as-is', without any express or implied warranty",
}
RULE = "=" * 100
HEADER = """\
Notices of third parties

The programs clockd, clockctl and clock-display contain code of the crates and other parts in the list. Below it are the
texts of their licences, each with the names of those it is of. release/notices.py writes this file.
"""


class Problem(Exception):
    """What must be corrected by hand before there can be notices."""


def alternatives(expression):
    """An SPDX expression as a list of sets of licences: those of one set suffice. `A/B` is the older form of `A OR B`."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def operand():
        token = tokens.pop(0) if tokens else ""
        if token == "(":
            inside = any_of()
            if not tokens or tokens.pop(0) != ")":
                raise Problem(f"the licence expression {expression!r} has a bracket that is not closed")
            return inside
        if not re.fullmatch(r"[A-Za-z0-9.+-]+", token) or token in ("AND", "OR", "WITH"):
            raise Problem(f"the licence expression {expression!r} cannot be read; SPDX expressions can, such as MIT OR Apache-2.0")
        if tokens[:1] == ["WITH"]:
            token = " ".join([token, *tokens[:2]])
            del tokens[:2]
        return [{token}]

    def all_of():
        found = operand()
        while tokens[:1] == ["AND"]:
            del tokens[0]
            found = [left | right for right in operand() for left in found]
        return found

    def any_of():
        found = all_of()
        while tokens[:1] == ["OR"]:
            del tokens[0]
            found = found + all_of()
        return found

    found = any_of()
    if tokens:
        raise Problem(f"the licence expression {expression!r} cannot be read from {tokens[0]!r} on")
    return found


def words(text):
    return " ".join(text.split())


def has_text(licence, texts):
    return licence in SENTENCES and any(SENTENCES[licence].lower() in words(text).lower() for text in texts)


def check_licence(name, expression, texts, accepted):
    """One alternative has only accepted licences, with a text for each."""
    permitted = [chosen for chosen in alternatives(expression) if chosen <= accepted]
    if not permitted:
        raise Problem(f"{name} has the licence {expression}; deny.toml accepts {', '.join(sorted(accepted))}")
    if not any(all(has_text(licence, texts) for licence in chosen) for chosen in permitted):
        raise Problem(
            f"{name} has the licence {expression} and no text of it; add the text to release/licences and its name to CRATES in release/licences.py"
        )


def read(path):
    """A text without the line ends and the spaces at line ends that differ between crates."""
    lines = path.read_text(encoding="utf-8", errors="replace").lstrip("\ufeff").expandtabs().splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def texts_of(folder):
    """The texts of licences anywhere in a crate: the ones of code from elsewhere are in folders of their own."""
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = Path(parent, file)
            if NAME.fullmatch(file) and path.suffix not in SOURCES:
                yield read(path)


def without_text(entries, found):
    """The texts of CRATES by crate. An entry that is no longer needed is an error, so that none is left behind."""
    given = {}
    for name, files in entries.items():
        keys = [key for key in found if key[0] == name]
        if not keys:
            raise Problem(f"release/licences.py: no program contains the crate {name}; remove it from CRATES")
        for key in keys:
            if list(texts_of(found[key].folder)):
                raise Problem(f"release/licences.py: {' '.join(key)} has a text of its own; remove it from CRATES")
            given[key] = [read(TEXTS / file) for file in files]
    return given


def entries(found, extra_texts, parts, accepted):
    """Name, licence and texts of each crate and part, after a check of them."""
    given = without_text(extra_texts, found)
    for key, crate in found.items():
        # The crates of this workspace have the licence of the clock.
        if crate.source is not None:
            texts = given.get(key) or list(texts_of(crate.folder))
            check_licence(" ".join(key), crate.licence, texts, accepted)
            yield " ".join(key), crate.licence, texts
    for part in parts:
        if "of" in part and not any(key[0] == part["of"] for key in found):
            raise Problem(f"release/licences.py: {part['name']} is in {part['of']}, which no program contains; remove it from PARTS")
        texts = [read(TEXTS / file) for file in part["texts"]]
        if "exception" not in part:
            check_licence(part["name"], part["licence"], texts, accepted)
        yield part["name"], part["licence"], texts


def written(listed):
    listed = list(listed)
    width = max(len(name) for name, _, _ in listed)
    lines = [HEADER, *(f"{name:{width}}  {licence}" for name, licence, _ in listed)]
    # Texts that differ only in line breaks are one.
    texts = {}
    for name, _, its_texts in listed:
        for text in its_texts:
            texts.setdefault(words(text), (text, {}))[1][name] = None
    for text, names in texts.values():
        lines += ["", RULE, "Of: " + ", ".join(names), RULE, "", text.rstrip("\n")]
    return "\n".join(lines) + "\n"


def notices():
    # Not tomllib, which needs Python 3.11.
    allowed = re.search(r"^allow = \[(.*?)\]", (crates.TREE / "deny.toml").read_text(), re.MULTILINE | re.DOTALL)
    accepted = set(re.findall(r'"([^"]+)"', allowed[1]))
    return written(entries(crates.of_programs(), licences.CRATES, licences.PARTS, accepted))


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    try:
        text = notices()
    except Problem as problem:
        sys.exit(f"notices: {problem}")
    if not sys.argv[1:]:
        NOTICES.write_text(text)
    elif not NOTICES.exists() or NOTICES.read_text() != text:
        sys.exit(f"{NOTICES.name} is not what the crates of the programs say. Run make notices.")


if __name__ == "__main__":
    main()
