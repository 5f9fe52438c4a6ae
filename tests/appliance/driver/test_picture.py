"""What is read from pictures: that of a face is read, and one with a fault is not, or not as the same."""

import struct
import unittest
import zlib

from picture import COLUMNS, ROWS, SHAPES, Half, Picture, Unreadable, is_black, is_stale, read_face, shown, tenths

WIDTH, HEIGHT = 800, 240
# The width of the half of White, and of that of Black beside it, and their height, above the line about the game.
HALF, BOTTOM = 400, 216
YELLOW, BLACK, DARK, PALE = b"\xf0\xe4\x42", b"\0\0\0", b"\x10\x14\x18", b"\xc8\xcc\xd0"
# The width and height of a cell of a digit.
CELL = (5, 6)
SECOND = 1_000_000_000


class Canvas:
    """A face, drawn with the shapes of the digits."""

    def __init__(self, white, black):
        self.pixels = bytearray(DARK * WIDTH * HEIGHT)
        for number, half in enumerate((white, black)):
            ground, ink = (YELLOW, BLACK) if half.lit else (DARK, PALE)
            self.fill(number * HALF, 0, HALF, BOTTOM, ground)
            self.write(half.time, number * HALF + LEFT, ink)

    def fill(self, left, top, width, height, colour):
        for y in range(top, top + height):
            at = (y * WIDTH + left) * 3
            self.pixels[at:at + width * 3] = colour * width

    def write(self, text, left, ink):
        top, (width, height) = TOP, CELL
        for sign in text:
            if sign in SHAPES:
                for at, cell in enumerate(SHAPES[sign]):
                    if cell == "#":
                        row, column = divmod(at, COLUMNS)
                        self.fill(left + column * width, top + row * height, width, height, ink)
                left += COLUMNS * width + 6
            else:
                for row in (2, 8) if sign == ":" else (8,):
                    self.fill(left, top + row * height, 12, 12, ink)
                left += 18

    def picture(self):
        return Picture(WIDTH, HEIGHT, bytes(self.pixels))

    def read(self):
        return read_face(self.picture())


WHITE, OTHER = Half("0:28", True), Half("1:30:00", False)
# The first digit of White's time.
LEFT, TOP = 10, 110
SIZE = (COLUMNS * CELL[0], ROWS * CELL[1])


class Face(unittest.TestCase):
    def refused(self, canvas, why):
        with self.assertRaisesRegex(Unreadable, why):
            canvas.read()

    def test_every_digit_is_read_in_both_halves_lit_and_not(self):
        for texts in (("12:34", "5:07:89"), ("0.0", "16.9"), ("9:59:58", "1:11")):
            for lit in (True, False):
                halves = Half(texts[0], lit), Half(texts[1], not lit)
                self.assertEqual(Canvas(*halves).read(), halves)

    def test_the_frame_of_the_side_on_move_and_small_texts_change_nothing(self):
        canvas = Canvas(WHITE, OTHER)
        for left, top, width, height in ((0, 0, HALF, 3), (0, BOTTOM - 3, HALF, 3), (0, 0, 3, BOTTOM), (100, 8, 9, 10)):
            canvas.fill(left, top, width, height, BLACK)
        self.assertEqual(canvas.read(), (WHITE, OTHER))

    def test_another_picture_is_not_read_as_the_same(self):
        self.assertNotEqual(Canvas(OTHER, WHITE).read(), (WHITE, OTHER))
        self.assertNotEqual(Canvas(WHITE._replace(lit=False), OTHER).read(), (WHITE, OTHER))
        for sign in "013456789":
            wrong = Half(f"0:{sign}8", True)
            self.assertEqual(Canvas(wrong, OTHER).read(), (wrong, OTHER))

    def test_a_large_sign_above_the_digits_is_not_read(self):
        canvas = Canvas(WHITE, OTHER)
        canvas.fill(LEFT, TOP - 70, 40, 60, BLACK)
        canvas.fill(HALF + LEFT, TOP - 70, 40, 60, PALE)
        self.assertEqual(canvas.read(), (WHITE, OTHER))
        # Beside the digits it is no digit.
        canvas.fill(HALF - 60, TOP + 5, 40, 55, BLACK)
        self.refused(canvas, "")

    def test_a_screen_without_a_face_is_refused(self):
        self.refused(Canvas(Half("", False), Half("", False)), "no digits")
        self.refused(Canvas(WHITE, Half("", False)), "no digits")

    def test_a_digit_that_is_covered_cut_or_half_another_one_is_refused(self):
        for at, (left, top, width, height, colour) in enumerate((
                # The text of a console over it, with a ground of its own.
                (LEFT - 10, TOP + 20, 200, 16, BLACK),
                # The lower half is missing, as from a picture that was painted only in part.
                (LEFT, TOP + SIZE[1] // 2, *SIZE, YELLOW),
                # The right half is missing.
                (LEFT + SIZE[0] // 2, TOP, SIZE[0] // 2, SIZE[1], YELLOW),
                # The whole digit is missing.
                (LEFT, TOP, *SIZE, YELLOW))):
            canvas = Canvas(WHITE, OTHER)
            canvas.fill(left, top, width, height, colour)
            with self.subTest(at):
                self.refused(canvas, "")
        mixed, other = Canvas(WHITE, OTHER), Canvas(Half("4:28", True), OTHER)
        for y in range(TOP, TOP + SIZE[1] // 2):
            row = slice(y * WIDTH * 3, (y + 1) * WIDTH * 3)
            mixed.pixels[row] = other.pixels[row]
        self.refused(mixed, "no digit, but most like")

    def test_times_that_may_be_wrong_are_hatched_and_the_line_below_is_orange(self):
        white = WHITE._replace(lit=False)
        canvas = Canvas(white, OTHER)
        for y in (*range(0, 100, 2), *range(180, BOTTOM, 2)):
            canvas.fill(0, y, WIDTH, 1, b"\x60\x68\x70")
        self.assertFalse(is_stale(canvas.picture()))
        canvas.fill(0, BOTTOM, WIDTH, HEIGHT - BOTTOM, b"\xe6\x9f\x00")
        self.assertTrue(is_stale(canvas.picture()))
        self.assertEqual(canvas.read(), (white, OTHER))
        canvas.fill(0, 0, HALF, BOTTOM, DARK)
        self.assertFalse(is_stale(canvas.picture()))

    def test_half_a_colon_is_refused(self):
        canvas = Canvas(WHITE, OTHER)
        canvas.fill(LEFT + SIZE[0] + 6, TOP + 45, 12, 20, YELLOW)
        self.refused(canvas, "between two digits")


class Files(unittest.TestCase):
    def test_what_the_emulator_and_the_display_write_is_the_same_picture(self):
        picture = Canvas(WHITE, OTHER).picture()
        ppm = b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + picture.pixels
        self.assertEqual(Picture.of_ppm(ppm).differing(picture), 0)
        self.assertEqual(Picture.of_png(png(picture)).differing(picture), 0)

    def test_every_pixel_that_differs_is_counted(self):
        canvas = Canvas(WHITE, OTHER)
        before = canvas.picture()
        canvas.fill(0, 0, 3, 2, BLACK)
        self.assertEqual(canvas.picture().differing(before), 6)
        self.assertEqual(before.part(0, 0, WIDTH, 1).differing(before), WIDTH)

    def test_a_black_screen_has_no_other_pixel(self):
        self.assertTrue(is_black(Picture(2, 1, bytes(6))))
        self.assertFalse(is_black(Picture(2, 1, bytes(5) + b"\1")))


class Texts(unittest.TestCase):
    def test_a_time_is_rounded_up_and_has_tenths_below_20_s(self):
        for nanoseconds, text in ((0, "0.0"), (1, "0.1"), (19_900_000_000, "19.9"), (19_900_000_001, "0:20"),
                                  (59 * SECOND + 1, "1:00"), (3600 * SECOND, "1:00:00"),
                                  (3599 * SECOND, "59:59"), (5400 * SECOND - 1, "1:30:00")):
            self.assertEqual(shown(nanoseconds), text)

    def test_times_can_be_compared(self):
        for text, number in (("0.0", 0), ("19.9", 199), ("0:20", 200), ("59:59", 35_990), ("1:30:00", 54_000)):
            self.assertEqual(tenths(text), number)


def png(picture):
    """A PNG file with a row of each kind of filter."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows, above = b"", bytes(picture.width * 3)
    for y in range(picture.height):
        row, kind = picture.row(y), y % 5
        rows += bytes([kind]) + bytes((byte - predicted(kind, row, above, at)) & 255 for at, byte in enumerate(row))
        above = row
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def predicted(kind, row, above, at):
    left, up, corner = (row[at - 3], above[at], above[at - 3]) if at >= 3 else (0, above[at], 0)
    if kind < 4:
        return (0, left, up, (left + up) // 2)[kind]
    distances = [(abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner)]
    return min(distances)[2]
