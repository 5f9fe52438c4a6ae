"""Pictures of the screen, and what a person reads from one of the face: the times, and whose half is lit.

Nothing here knows the display's painter or its font file. The digits are found as the largest signs of a half and
recognised by their shape, so a picture with a wrong, cut or covered digit is not read.
"""

import re
import struct
import zlib
from collections import Counter, namedtuple

SECOND, TENTH = 1_000_000_000, 100_000_000

# What is read of a half of the face: the time as text, and whether its ground is light.
Half = namedtuple("Half", "time lit")
# Connected pixels of a sign: the first and last column and row.
Box = namedtuple("Box", "left top right bottom")

# The colours of the line about a fault, and of the lines around times that may be wrong, in the theme "dark".
FAULT, HATCHING = (0xe6, 0x9f, 0x00), (0x60, 0x68, 0x70)

# The digits of a narrow sans-serif font, each stretched to a grid. A cell is # if more than half of it is ink.
COLUMNS, ROWS = 7, 10
_DRAWN = ("""
    .#####.  ...##..  .#####.  .#####.  ...###.
    ###.###  .####..  ###.###  ###.###  ...###.
    ##...##  ##.##..  ##...##  ##...##  ..####.
    ##...##  ...##..  ....###  .....##  ..####.
    ##...##  ...##..  ....##.  ...###.  ..#.##.
    ##...##  ...##..  ...##..  ....##.  .##.##.
    ##...##  ...##..  ..###..  .....##  .#..##.
    ##...##  ...##..  .###...  ##...##  #######
    ###..##  ...##..  .##....  ##..###  ....##.
    .#####.  .######  #######  .#####.  ....##.
""", """
    #######  .#####.  #######  .#####.  .#####.
    ###....  ###..##  ....###  ###.###  ###.###
    ##.....  ##...##  ....##.  ##...##  ##...##
    ######.  ##.....  ....##.  ##...##  ##...##
    ###.###  ######.  ...##..  .#####.  ##...##
    .....##  ##...##  ...##..  .##.##.  .######
    .....##  ##...##  ..##...  ##...##  .....##
    ##...##  ##...##  ..##...  ##...##  ##...##
    ##..###  ###..##  .###...  ###..##  ##...##
    .#####.  .#####.  .##....  .#####.  .#####.
""")
# A digit may differ from its shape in so many cells, and in at least so many more from that of every other digit. The
# shapes of any two differ in at least 7.
LIKE, MARGIN = 6, 3


def _shapes(drawn):
    """The cells of each digit, row by row."""
    rows = [row.split() for row in drawn.split("\n") if row]
    return ["".join(cells) for cells in zip(*rows)]


SHAPES = dict(zip("0123456789", _shapes(_DRAWN[0]) + _shapes(_DRAWN[1])))


class Unreadable(Exception):
    """The picture does not show the face, or not completely."""


class Picture:
    """Pixels of three bytes, row by row from the upper left corner."""

    def __init__(self, width, height, pixels):
        assert len(pixels) == width * height * 3, (width, height, len(pixels))
        self.width, self.height, self.pixels = width, height, pixels

    @staticmethod
    def of_ppm(data):
        """What QEMU's `screendump` writes."""
        header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        return Picture(int(header[1]), int(header[2]), data[header.end():])

    @staticmethod
    def of_png(data):
        """What `clock-display shot` writes: eight bits a colour, no transparency, not interlaced."""
        at, compressed = 8, b""
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8:at + 8 + length]
            at += 12 + length
            if kind == b"IHDR":
                width, height, *form = struct.unpack(">IIBBBBB", body)
                assert form == [8, 2, 0, 0, 0], form
            elif kind == b"IDAT":
                compressed += body
        return Picture(width, height, _unfiltered(zlib.decompress(compressed), width * 3))

    def row(self, y, left=0, right=None):
        right = self.width if right is None else right
        return self.pixels[(y * self.width + left) * 3:(y * self.width + right) * 3]

    def part(self, left, top, right, bottom):
        """The pixels from these columns and rows to those before which it ends."""
        return Picture(right - left, bottom - top, b"".join(self.row(y, left, right) for y in range(top, bottom)))

    def colours(self):
        """How many pixels have which colour."""
        return Counter(zip(self.pixels[::3], self.pixels[1::3], self.pixels[2::3]))

    def differing(self, other):
        """How many pixels differ; all if the sizes do."""
        if (self.width, self.height) != (other.width, other.height):
            return self.width * self.height
        ours, theirs = self.pixels, other.pixels
        return 0 if ours == theirs else sum(ours[at:at + 3] != theirs[at:at + 3] for at in range(0, len(ours), 3))


def _unfiltered(data, length):
    """PNG, section 9: each row says which neighbours its bytes are relative to."""
    rows, above = [], bytes(length)
    for start in range(0, len(data), length + 1):
        kind, row = data[start], bytearray(data[start + 1:start + 1 + length])
        for at in range(length if kind else 0):
            left, up, corner = (row[at - 3], above[at], above[at - 3]) if at >= 3 else (0, above[at], 0)
            if kind == 1:
                add = left
            elif kind == 2:
                add = up
            elif kind == 3:
                add = (left + up) // 2
            else:
                add = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            row[at] = (row[at] + add) & 255
        rows.append(bytes(row))
        above = rows[-1]
    return b"".join(rows)


def shown(nanoseconds):
    """The text of a time that is left, as it must be on the face: rounded up, with tenths below 20 s."""
    tenths = -(-nanoseconds // TENTH)
    if tenths < 200:
        return f"{tenths // 10}.{tenths % 10}"
    seconds = -(-nanoseconds // SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def tenths(text):
    """The tenths of a second in a text of `shown`."""
    if "." in text:
        return int(text.replace(".", ""))
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds * 10


def _halves(picture):
    """White's half and Black's, of a face with White on the left, and the line below them."""
    middle, line = picture.width // 2, picture.height - min(picture.width, picture.height) // 10
    halves = picture.part(0, 0, middle, line), picture.part(middle, 0, picture.width, line)
    return halves, picture.part(0, line, picture.width, picture.height)


def read_face(picture):
    """White's half and Black's."""
    return tuple(map(_read_half, _halves(picture)[0]))


def is_stale(picture):
    """Whether the face says that its times are only the last known ones: both halves are hatched, and the line at the
    bottom has the colour of a fault."""
    halves, bottom = _halves(picture)
    (ground, _), = bottom.colours().most_common(1)
    colours = [half.colours() for half in halves]
    return ground == FAULT and all(half[HATCHING] * 100 > half.total() for half in colours)


def is_black(picture):
    """Whether nothing at all is shown."""
    return not any(picture.pixels)


def _read_half(half):
    light = _light(half)
    digits, lit = _digits(light, half.width, half.height)
    text = ""
    for number, digit in enumerate(digits):
        if number:
            text += _separator(light, half.width, digits[number - 1], digit, lit)
        text += _digit(light, half.width, digit, lit)
    if not re.fullmatch(r"\d{1,2}\.\d|(\d+:)?\d{1,2}:\d\d", text):
        raise Unreadable(f"no time: {text}")
    return Half(text, lit)


def _light(picture):
    """A byte for each pixel: whether it is light (the luma of ITU-R BT.601)."""
    red, green, blue = ([part * byte for byte in range(256)] for part in (299, 587, 114))
    pixels = picture.pixels
    return bytes(red[r] + green[g] + blue[b] >= 128_000
                 for r, g, b in zip(pixels[::3], pixels[1::3], pixels[2::3]))


def _digits(light, width, height):
    """The boxes of the digits, from left to right, and whether they are dark on a light ground. A flag or a result stands above
    the digits, and is not read."""
    digits, lit, tallest = [], False, 0
    for dark in (False, True):
        boxes = [box for box in _signs(light, width, height, ink=not dark)
                 if height / 5 < _height(box) < height * 0.9 and 1 < _height(box) / _width(box) < 4]
        lowest = max((box.bottom for box in boxes), default=0)
        top = min((box.top for box in boxes if lowest - box.bottom < height / 20), default=0)
        boxes = [box for box in boxes if box.bottom >= top]
        # The inside of a dark digit is light, and the other way round, but less high than the digit.
        highest = max(map(_height, boxes), default=0)
        if highest > tallest:
            digits, lit, tallest = sorted(boxes), dark, highest
    if not digits:
        raise Unreadable("no digits")
    # Round digits are a little higher than the others. The minutes and the tenths beside the seconds are half as high.
    if any(abs(box.bottom - digits[0].bottom) > tallest * 0.05
           or min(abs(_height(box) - height) for height in (tallest, tallest / 2)) > tallest * 0.05 for box in digits):
        raise Unreadable(f"large signs that are not in a row: {digits}")
    return digits, lit


def _signs(light, width, height, ink):
    """The boxes around connected pixels that are light (`ink`) or dark."""
    pattern = re.compile(b"\1+" if ink else b"\0+")
    parents, boxes, before = [], [], []

    def root(sign):
        while parents[sign] != sign:
            sign = parents[sign] = parents[parents[sign]]
        return sign

    for y in range(height):
        runs, at = [], 0
        for run in pattern.finditer(light, y * width, (y + 1) * width):
            left, right = run.start() - y * width, run.end() - y * width - 1
            while at < len(before) and before[at][1] < left - 1:
                at += 1
            sign = None
            for other_left, _, other in before[at:]:
                if other_left > right + 1:
                    break
                other = root(other)
                if sign is None:
                    sign = other
                elif sign != other:
                    parents[other] = sign
                    boxes[sign] = _around(boxes[sign], boxes[other])
            box = Box(left, y, right, y)
            if sign is None:
                sign = len(parents)
                parents.append(sign)
                boxes.append(box)
            else:
                boxes[sign] = _around(boxes[sign], box)
            runs.append((left, right, sign))
        before = runs
    return [box for sign, box in enumerate(boxes) if parents[sign] == sign]


def _around(one, other):
    return Box(min(one.left, other.left), min(one.top, other.top), max(one.right, other.right),
               max(one.bottom, other.bottom))


def _width(box):
    return box.right - box.left + 1


def _height(box):
    return box.bottom - box.top + 1


def _digit(light, width, box, lit):
    """The digit, or the sign of the first flag, whose shape the pixels in this box have."""
    cells = grid(light, width, box, lit)
    scores = sorted((sum(one != other for one, other in zip(cells, shape)), digit)
                    for digit, shape in SHAPES.items())
    (best, digit), (second, _) = scores[:2]
    if best > LIKE or second - best < MARGIN:
        raise Unreadable(f"no digit, but most like {scores[:2]}: {cells}")
    return digit


def grid(light, width, box, lit):
    """The pixels in this box on the grid of the shapes, as a string of # and points."""
    cells = ""
    for row in range(ROWS):
        top, bottom = (box.top + _height(box) * n // ROWS for n in (row, row + 1))
        for column in range(COLUMNS):
            left, right = (box.left + _width(box) * n // COLUMNS for n in (column, column + 1))
            ink = sum(light[y * width + left:y * width + right].count(0 if lit else 1) for y in range(top, bottom))
            cells += "#" if ink * 2 > (bottom - top) * (right - left) else "."
    return cells


def _separator(light, width, before, after, lit):
    """What is between two digits: a colon, a point or nothing."""
    left, right = before.right + 1, after.left
    height = min(_height(before), _height(after))
    bottom = before.bottom + 1
    gap = b"".join(light[y * width + left:y * width + right] for y in range(bottom - height, bottom))
    dots = [box for box in _signs(gap, right - left, height, ink=not lit) if _height(box) > height / 10]
    signs = {0: "", 1: ".", 2: ":"}
    if len(dots) not in signs or (len(dots) == 1 and dots[0].top < height / 2):
        raise Unreadable(f"between two digits: {dots}")
    return signs[len(dots)]
