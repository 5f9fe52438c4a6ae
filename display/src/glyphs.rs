//! The characters with which the face in a terminal is painted: marks, frames and blocks. On the
//! kernel's console, only characters that its font has are used. The face that `pixels` paints
//! has the same marks.

mod letters;

use ratatui::symbols::border;

use crate::console_font::Font;
use crate::content::TurnMark;
use letters::{Known, Letters};

/// The width of [`Glyphs::bar`].
const BAR: usize = 15;

/// How the pixels of the large digits are painted in the cells of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// A cell has two pixels, one above the other: `█▀▄`.
    HalfBlocks,
    /// A cell is one pixel. A lit pixel is this text: `█` or `#`.
    Cells(&'static str),
}

impl Pixels {
    /// The height of a cell in pixels.
    pub fn rows(self) -> u16 {
        match self {
            Pixels::HalfBlocks => 2,
            Pixels::Cells(_) => 1,
        }
    }
}

/// The characters with which the face is painted. The terminal, or the font of the picture, has all
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    pub pixels: Pixels,
    frame_on_move: border::Set<'static>,
    frame_waiting: border::Set<'static>,
    running: &'static str,
    stopped: &'static str,
    flag: &'static str,
    times: &'static str,
    ellipsis: &'static str,
    hatch: &'static str,
    letters: Letters,
}

impl Glyphs {
    /// The characters for a terminal that can show every character.
    pub const UNICODE: Glyphs = Glyphs {
        pixels: Pixels::HalfBlocks,
        // The frame has lines and no blocks, because blocks would merge with the digits beside
        // them.
        frame_on_move: border::THICK,
        frame_waiting: border::PLAIN,
        running: "▶",
        stopped: "❚❚",
        flag: "⚑ ",
        times: "×",
        ellipsis: "…",
        hatch: "╱",
        letters: Letters::All,
    };

    /// The characters for the picture.
    pub const PICTURE: Glyphs = Glyphs { letters: Letters::OfPicture, ..Glyphs::UNICODE };

    /// The characters for a terminal that can show only ASCII.
    pub const ASCII: Glyphs = Glyphs {
        pixels: Pixels::Cells("#"),
        frame_on_move: ascii_frame("|", "="),
        frame_waiting: ascii_frame("|", "-"),
        running: ">",
        stopped: "||",
        flag: "",
        times: "x",
        ellipsis: "...",
        hatch: "/",
        letters: Letters::Ascii,
    };

    /// The characters for the kernel's console with this font. Where the font lacks a mark, a part
    /// of a frame or a letter, the ASCII form is used.
    ///
    /// For a character without an ASCII form, the kernel shows the font's replacement character
    /// (U+FFFD) or a reversed question mark.
    pub fn of_font(font: &Font) -> Glyphs {
        let (best, ascii) = (Glyphs::UNICODE, Glyphs::ASCII);
        let pick = |text, otherwise| if font.shows(text) { text } else { otherwise };
        Glyphs {
            pixels: if font.shows("█▀▄") {
                Pixels::HalfBlocks
            } else {
                Pixels::Cells(pick("█", "#"))
            },
            frame_on_move: frame_on_move(font),
            frame_waiting: pick_frame(font, border::PLAIN).unwrap_or(ascii.frame_waiting),
            running: pick(best.running, ascii.running),
            stopped: pick(best.stopped, ascii.stopped),
            flag: pick(best.flag, ascii.flag),
            times: pick(best.times, ascii.times),
            ellipsis: pick(best.ellipsis, ascii.ellipsis),
            hatch: pick(best.hatch, ascii.hatch),
            letters: Letters::OfFont(Known::of(font)),
        }
    }

    pub fn mark(self, mark: TurnMark) -> &'static str {
        match mark {
            TurnMark::Running => self.running,
            TurnMark::Stopped => self.stopped,
            TurnMark::Waiting => "",
        }
    }

    /// The frame around a side.
    pub fn frame(self, mark: TurnMark) -> border::Set<'static> {
        match mark {
            TurnMark::Running | TurnMark::Stopped => self.frame_on_move,
            TurnMark::Waiting => self.frame_waiting,
        }
    }

    /// A bar of [`BAR`] columns, of which this part is filled.
    pub fn bar(self, percent: u32) -> String {
        let filled = usize::try_from(percent).unwrap_or(usize::MAX).saturating_mul(BAR) / 100;
        let block = if let Pixels::Cells(block) = self.pixels { block } else { "█" };
        format!("{}{}", block.repeat(filled.min(BAR)), ".".repeat(BAR.saturating_sub(filled)))
    }

    /// The sign before the word for a final flag, with a blank; empty if there is none.
    pub fn flag(self) -> &'static str {
        self.flag
    }

    /// The sign after the number of overtime periods, as in `5×`.
    pub fn times(self) -> &'static str {
        self.times
    }

    /// The text that is shown in place of a part that is cut off.
    pub fn ellipsis(self) -> &'static str {
        self.ellipsis
    }

    /// The character of the hatching. It marks a side whose final flag has fallen, or whose time is
    /// only the last known one.
    pub fn hatch(self) -> &'static str {
        self.hatch
    }

    /// Returns `text` as it must be painted. A letter that cannot be shown has its ASCII form, such
    /// as `l` for `ł` and `ss` for `ß`. If only ASCII can be shown, any other character becomes `?`.
    pub fn text(self, text: &str) -> String {
        self.letters.write(text)
    }

    /// Returns the name of a player as it must be painted. If a letter of the name can be shown
    /// neither as it is nor in an ASCII form, the text is empty, so that the side is shown in place
    /// of the name.
    pub fn name(self, name: &str) -> String {
        if self.letters.show(name) { self.text(name) } else { String::new() }
    }
}

/// The frame around the side on move. It has thick lines. If the font lacks them, it has double
/// lines, and if the font lacks those, too, it has ASCII characters. Many console fonts show thick
/// and double lines with the glyphs of thin lines. Lines that such a font shows as thin ones count
/// as lacking, because the frame would look like the frame around the other side.
fn frame_on_move(font: &Font) -> border::Set<'static> {
    [border::THICK, border::DOUBLE]
        .into_iter()
        .filter(|frame| font.differ(frame.horizontal_top, border::PLAIN.horizontal_top))
        .find_map(|frame| pick_frame(font, frame))
        .unwrap_or(Glyphs::ASCII.frame_on_move)
}

/// Returns `frame` if the font has all of its characters, and otherwise `None`.
fn pick_frame(font: &Font, frame: border::Set<'static>) -> Option<border::Set<'static>> {
    texts_of(&frame).into_iter().all(|text| font.shows(text)).then_some(frame)
}

fn texts_of(frame: &border::Set<'static>) -> [&'static str; 8] {
    [
        frame.top_left,
        frame.top_right,
        frame.bottom_left,
        frame.bottom_right,
        frame.vertical_left,
        frame.vertical_right,
        frame.horizontal_top,
        frame.horizontal_bottom,
    ]
}

const fn ascii_frame(vertical: &'static str, horizontal: &'static str) -> border::Set<'static> {
    border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: vertical,
        vertical_right: vertical,
        horizontal_top: horizontal,
        horizontal_bottom: horizontal,
    }
}

#[cfg(test)]
pub mod test_fonts;
#[cfg(test)]
mod tests;
