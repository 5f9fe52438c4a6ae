#!/usr/bin/env python3
"""Writes docs/at-the-clock.md with its pictures as one page to be printed and put on the clock.

usage: python3 docs/card.py FILE.svg

The page is A4, black on white, and needs no other file. The Markdown that is understood is what
that document has: a title, a paragraph, a table, and steps, each with a heading, one picture and
one paragraph. What follows the line END is not on the card. Anything else is an error that names
the line.
"""

import base64
import re
import struct
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "docs" / "at-the-clock.md"

END = "<!-- The card ends here. -->"

# All lengths are millimetres.
PAGE = (210, 297)
MARGIN = 11
GAP = 8
COLUMN = (PAGE[0] - 2 * MARGIN - GAP) / 2
PICTURE = 38
# The largest text that fits is taken.
SIZES = [size / 20 for size in range(80, 55, -1)]
LINE = 1.3  # the height of a line, in sizes of the text
FONT = "DejaVu Sans, Arial, Helvetica, sans-serif"


def fail(message):
    sys.exit(f"card: {message}")


def width(text, bold=False):
    """The width of a text in sizes of the text: at least what DejaVu Sans, a wide font, takes."""
    total = 0.0
    for letter in text:
        if letter in " !',.:;()|fijlrtI-/":
            total += 0.42
        elif letter in "mwMW→½–":
            total += 1.0
        elif letter.isupper():
            total += 0.79
        else:
            total += 0.64
    return total * (1.13 if bold else 1.0)


class Step:
    """A heading, a picture and a paragraph."""

    def __init__(self, number, title):
        self.number = number
        self.title = title
        self.picture = None
        self.text = ""


def words_of(text):
    """The words of a text. Each is a list of (letters, bold), because `**Accept**.` has both."""
    words, word = [], []
    for index, part in enumerate(text.split("**")):
        for piece in re.findall(r"\s+|\S+", part):
            if piece.isspace():
                words.append(word)
                word = []
            else:
                word.append((piece, index % 2 == 1))
    words.append(word)
    return [word for word in words if word]


def read(source):
    """The title, the first paragraph, the rows of the table, and the steps."""
    title, intro, rows, steps = None, "", [], []
    for number, line in enumerate(source.splitlines(), 1):
        at = f"{SOURCE.relative_to(ROOT)}:{number}"
        if line == END:
            break
        picture = re.fullmatch(r"!\[(.+)\]\((.+\.png)\)", line)
        if line.startswith("# ") and title is None:
            title = line[2:]
        elif line.startswith("## "):
            steps.append(Step(number, line[3:]))
        elif picture and steps and not steps[-1].picture:
            steps[-1].picture = (picture[1], png(at, SOURCE.parent / picture[2]))
        elif line.startswith("|") and not steps:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not all(re.fullmatch("-+", cell) for cell in cells):
                rows.append(cells)
        elif re.match(r"[A-Za-z*(0-9]", line) and not re.search(r"[\[\]`]", line):
            if steps:
                steps[-1].text += f"{line}\n"
            else:
                intro += f"{line}\n"
        elif line:
            fail(f"{at}: {line!r}; expected a heading, one picture for a step, a table, or text")
    for step in steps:
        if not (step.picture and step.text) or step.text.count("**") % 2:
            at = f"{SOURCE.relative_to(ROOT)}:{step.number}"
            fail(f"{at}: {step.title!r} needs a picture and a text, in which each ** has a second one")
    if not (title and rows and steps):
        fail(f"{SOURCE.relative_to(ROOT)}: expected a title, a table and steps")
    return title, intro, rows, steps


def png(at, path):
    """The picture as a data URI, and its height at the width 1."""
    try:
        data = path.read_bytes()
    except OSError as error:
        fail(f"{at}: {path}: {error.strerror}")
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        fail(f"{at}: {path} is no PNG file")
    wide, high = struct.unpack(">II", data[16:24])
    return "data:image/png;base64," + base64.b64encode(data).decode("ascii"), high / wide


def lines_of(words, room):
    """The words in lines. `room(n)` is the width of line n, in sizes of the text."""
    lines, used = [[]], 0.0
    for word in words:
        needed = sum(width(letters, bold) for letters, bold in word)
        if lines[-1] and used + width(" ") + needed > room(len(lines) - 1):
            lines.append([])
            used = 0.0
        used += needed + (width(" ") if lines[-1] else 0)
        lines[-1].append(word)
    return lines


def text(x, y, size, content, bold=False):
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}"{weight}>{content}</text>'


def styled(line):
    """The words of a line as SVG."""
    span = {True: '<tspan font-weight="bold">{}</tspan>', False: "{}"}
    return " ".join("".join(span[bold].format(escape(letters)) for letters, bold in word) for word in line)


def placed(step, x, y, size):
    """A step as SVG, with its top at y, and the y of its end."""
    name, (uri, ratio) = step.picture
    high = PICTURE * ratio
    heading = size * 1.25
    top = y + heading * 1.45
    below = top + high + 1  # the first y at which a line has the whole width

    def baseline(n):
        return top + size + n * size * LINE

    def is_beside(n):
        return baseline(n) - size < below

    def room(n):
        return (COLUMN - (PICTURE + 3 if is_beside(n) else 0)) / size

    drawn = [
        text(x, y + heading, heading, escape(step.title), bold=True),
        f'<image x="{x:.2f}" y="{top:.2f}" width="{PICTURE}" height="{high:.2f}" xlink:href="{uri}">'
        f"<title>{escape(name)}</title></image>",
    ]
    lines = lines_of(words_of(step.text), room)
    for n, line in enumerate(lines):
        drawn.append(text(x + (PICTURE + 3 if is_beside(n) else 0), baseline(n), size, styled(line)))
    end = max(baseline(len(lines) - 1) + size * 0.3, below)
    return drawn, end + size * 0.9


def table(rows, y, size):
    """The table as SVG, with its top at y, and the y of its end."""
    inside = PAGE[0] - 2 * MARGIN
    widths = [max(width(cell, bold=True) for cell in column) * size + 3 for column in zip(*rows)]
    if sum(widths) > inside:
        return None, float("inf")
    widths = [wide * inside / sum(widths) for wide in widths]
    high = size * 1.7
    drawn = []
    for index, row in enumerate(rows):
        x = MARGIN
        for cell, wide in zip(row, widths):
            drawn.append(text(x + 1, y + high * (index + 0.7), size, escape(cell), bold=index == 0))
            x += wide
        line = y + high * (index + 1)
        drawn.append(f'<path d="M{MARGIN} {line:.2f}H{PAGE[0] - MARGIN}" stroke="black" stroke-width="0.2"/>')
    return drawn, y + high * len(rows) + size * 1.2


def page(title, intro, rows, steps, size):
    """Everything as SVG with this size of the text; `None` if it does not fit."""
    drawn = [text(MARGIN, MARGIN + size * 2, size * 2.2, escape(title), bold=True)]
    y = MARGIN + size * 2.8
    for line in lines_of(words_of(intro), lambda _: (PAGE[0] - 2 * MARGIN) / size):
        y += size * LINE
        drawn.append(text(MARGIN, y, size, styled(line)))
    of_table, y = table(rows, y + size, size)
    if of_table is None:
        return None
    drawn += of_table

    def columns(split):
        ends, svg = [], []
        for column, part in enumerate((steps[:split], steps[split:])):
            end = y
            for step in part:
                of_step, end = placed(step, MARGIN + column * (COLUMN + GAP), end, size)
                svg += of_step
            ends.append(end)
        return max(ends), svg

    end, svg = min((columns(split) for split in range(1, len(steps) + 1)), key=lambda tried: tried[0])
    return drawn + svg if end <= PAGE[1] - MARGIN / 2 else None


def card(source):
    """The whole SVG."""
    content = read(source)
    drawn = next(filter(None, (page(*content, size) for size in SIZES)), None)
    if drawn is None:
        fail(f"{SOURCE.relative_to(ROOT)} does not fit on one page with letters of {SIZES[-1]} mm")
    wide, high = PAGE
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}" font-family="{FONT}">'
    )
    ground = f'<rect width="{wide}" height="{high}" fill="white"/>'
    return "\n".join([head, f"<title>{escape(content[0])}</title>", ground, *drawn, "</svg>", ""])


def main(arguments):
    if len(arguments) != 1 or not arguments[0].endswith(".svg"):
        fail(f"{' '.join(arguments) or 'no file'}; expected the path of one file, such as card.svg")
    svg = card(SOURCE.read_text(encoding="utf-8"))
    out = Path(arguments[0])
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(svg, encoding="utf-8")
    except OSError as error:
        fail(f"{out}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
