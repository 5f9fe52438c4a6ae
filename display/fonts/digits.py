#!/usr/bin/env python3
"""Makes FjallaOne-Digits.ttf: the signs of the times, of the font Fjalla One.

    npm pack @fontsource/fjalla-one@5.3.0 && tar xzf fontsource-fjalla-one-5.3.0.tgz
    pip install fonttools==4.68.0 brotli
    python3 digits.py package/files/fjalla-one-latin-400-normal.woff2 FjallaOne-Digits.ttf

The outlines are unchanged. All digits have the same advance, and the colon and the point are closer to the digits than in
Fjalla One. The units per em are chosen so that digits are as high as the capital letters of DejaVu Sans Bold at the same
size.
"""

import sys

from fontTools import subset
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

DIGITS, OTHERS = "0123456789", ":.+-"
# In units of the font, in which the digit 1 is 1708 high.
DIGIT_ADVANCE, HEIGHT = 1038, 1708
ADVANCES = {":": 400, ".": 400}
# The height of capital letters in DejaVu Sans Bold, in thousandths of the size of the font.
CAPITAL_HEIGHT = 729


def main(source, target):
    font = TTFont(source)
    options = subset.Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=DIGITS + OTHERS)
    subsetter.subset(font)
    font.flavor = None
    glyphs, names, changed = font.getGlyphSet(), font.getBestCmap(), {}
    for sign in DIGITS + OTHERS:
        name = names[ord(sign)]
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        left, _, right, _ = pen.bounds
        advance = DIGIT_ADVANCE if sign in DIGITS else ADVANCES.get(sign, font["hmtx"][name][0])
        moved = TTGlyphPen(None)
        shift = (advance - (right - left)) // 2 - left
        glyphs[name].draw(DecomposingFilterPen(TransformPen(moved, (1, 0, 0, 1, shift, 0)), glyphs))
        changed[name] = moved.glyph(), advance
    for name, (glyph, advance) in changed.items():
        font["glyf"][name] = glyph
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (advance, glyph.xMin)
    font["head"].unitsPerEm = HEIGHT * 1000 // CAPITAL_HEIGHT
    font.save(target)


main(*sys.argv[1:])
