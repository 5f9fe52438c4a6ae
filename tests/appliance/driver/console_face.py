"""What a person reads from a picture of the face on the kernel's console: the times, in digits of seven segments that are
made of blocks of 8 × 8 pixels. Nothing here knows the display's painter or the console's contents."""

from picture import Box, Unreadable

# A cell of the console's font has 8 × 16 pixels: two blocks.
BLOCK = 8

# The lit segments of the digits: top, upper right, lower right, bottom, lower left, upper left, middle.
_SEGMENTS = {
    "1111110": "0", "1101101": "2", "1111001": "3", "0110011": "4", "1011011": "5", "1011111": "6", "1110000": "7",
    "1111111": "8", "1111011": "9",
}


def read_times(picture):
    """The times on the screen, from the upper left to the lower right."""
    boxes = _groups(_blocks(picture))
    # The dots of a colon are flat, and so are other single blocks.
    digits = [box for box in boxes if _height(box) >= 5]
    if not digits:
        raise Unreadable("no digits of blocks")
    rows = sorted({(box.top, box.bottom) for box in digits})
    return [time for row in rows for time in _times_of_row(picture, boxes, row)]


def _times_of_row(picture, boxes, row):
    """The digits whose tops and bottoms are these; those of two times side by side have more than a digit's width between them."""
    digits = sorted(box for box in boxes if (box.top, box.bottom) == row)
    width = max(map(_width, digits))
    lit = _blocks(picture)
    text, before = "", None
    for digit in digits:
        if before and digit.left - before.right > width + 1:
            text += " "
        elif before:
            dots = [box for box in boxes if before.right < box.left and box.right < digit.left
                    and row[0] <= box.top and box.bottom <= row[1]]
            text += {0: "", 1: ".", 2: ":"}.get(len(dots), "?")
        text += _digit(lit, digit, width)
        before = digit
    return text.split()


def _digit(lit, box, width):
    if _width(box) < width:
        # Only its segments on the right are lit.
        return "1"
    middle, right, quarter = (box.left + box.right) // 2, box.right, _height(box) // 4
    at = [(middle, box.top), (right, box.top + quarter), (right, box.bottom - quarter), (middle, box.bottom),
          (box.left, box.bottom - quarter), (box.left, box.top + quarter), (middle, (box.top + box.bottom) // 2)]
    segments = "".join("1" if point in lit else "0" for point in at)
    if segments not in _SEGMENTS:
        raise Unreadable(f"no digit at {box}: {segments}")
    return _SEGMENTS[segments]


def _blocks(picture):
    """The blocks that have one colour throughout, and another one than the ground."""
    (ground, _), = picture.colours().most_common(1)
    ground = bytes(ground)
    blocks = set()
    for top in range(0, picture.height - BLOCK + 1, BLOCK):
        rows = [picture.row(y) for y in range(top, top + BLOCK)]
        for left in range(0, picture.width - BLOCK + 1, BLOCK):
            colour = rows[0][left * 3:left * 3 + 3]
            if colour != ground and all(row[left * 3:(left + BLOCK) * 3] == colour * BLOCK for row in rows):
                blocks.add((left // BLOCK, top // BLOCK))
    return blocks


def _groups(blocks):
    """The boxes around blocks that have a side in common."""
    blocks, boxes = set(blocks), []
    while blocks:
        reached = [blocks.pop()]
        for x, y in reached:
            for neighbour in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if neighbour in blocks:
                    blocks.remove(neighbour)
                    reached.append(neighbour)
        columns, rows = zip(*reached)
        boxes.append(Box(min(columns), min(rows), max(columns), max(rows)))
    return boxes


def _width(box):
    return box.right - box.left + 1


def _height(box):
    return box.bottom - box.top + 1
