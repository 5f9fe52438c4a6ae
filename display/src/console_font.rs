//! Reads which characters the font of the kernel's console has.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;

use rustix::ioctl::{Opcode, Updater, ioctl};

/// The ioctl that returns the characters of the font (`ioctl_console(2)`).
const GIO_UNIMAP: Opcode = 0x4B66;
/// The largest number of characters that the kernel can report: it counts them with 16 bits.
const MOST: u16 = u16::MAX;

/// A character and its glyph: `struct unipair` of `linux/kd.h`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Pair {
    character: u16,
    glyph: u16,
}

/// `struct unimapdesc` of `linux/kd.h`.
#[repr(C)]
struct Request {
    /// Before the call: the number of pairs for which `pairs` has room. After the call: the number
    /// of pairs of the font.
    count: u16,
    pairs: *mut Pair,
}

/// The characters of a font, each with the number of the glyph that shows it. Several characters
/// can share a glyph.
#[derive(Clone, Debug, Default)]
pub struct Font(BTreeMap<char, u16>);

impl Font {
    /// The font of the console that is open as `terminal`.
    ///
    /// # Errors
    ///
    /// `terminal` is not a console of the kernel, but for example a pseudo-terminal.
    pub fn of_console(terminal: impl AsFd) -> io::Result<Font> {
        // `pairs` has room for the largest possible font, so that one call is enough. Its 256 KiB
        // are freed when this function ends.
        let mut pairs = vec![Pair::default(); MOST.into()];
        let mut request = Request { count: MOST, pairs: pairs.as_mut_ptr() };
        #[expect(unsafe_code, reason = "rustix has no call of its own for the fonts of consoles")]
        // SAFETY: `Request` is the type that this operation takes. The kernel writes at most
        // `count` pairs to `pairs`. `pairs` has room for them, lives until the end of this
        // function, and is not read during the call.
        unsafe {
            ioctl(terminal, Updater::<GIO_UNIMAP, Request>::new(&mut request))?;
        }
        let told = &pairs[..request.count.into()];
        Ok(told.iter().filter_map(|pair| Some((char_of(pair)?, pair.glyph))).collect())
    }

    /// Whether the font has every character of this text. A blank always counts as shown.
    pub fn shows(&self, text: &str) -> bool {
        text.chars().all(|character| self.0.contains_key(&character) || character == ' ')
    }

    /// Whether the font shows the two texts with different glyphs. A character that the font has
    /// differs from each character that the font lacks. Two characters that the font lacks do not
    /// differ.
    pub fn differ(&self, one: &str, other: &str) -> bool {
        let glyphs = |text: &str| text.chars().map(|c| self.0.get(&c).copied()).collect::<Vec<_>>();
        glyphs(one) != glyphs(other)
    }
}

#[cfg(test)]
impl Font {
    /// Each character with the number of its glyph.
    pub fn characters(&self) -> impl Iterator<Item = (char, u16)> {
        self.0.iter().map(|(character, glyph)| (*character, *glyph))
    }
}

fn char_of(pair: &Pair) -> Option<char> {
    char::from_u32(pair.character.into())
}

impl FromIterator<(char, u16)> for Font {
    fn from_iter<T: IntoIterator<Item = (char, u16)>>(characters: T) -> Font {
        Font(characters.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_laid_out_as_the_kernel_wants_it() {
        assert_eq!(size_of::<Pair>(), 4);
        assert_eq!(std::mem::offset_of!(Request, pairs), size_of::<usize>());
        assert_eq!(size_of::<Request>(), 2 * size_of::<usize>());
    }

    #[test]
    fn what_is_no_console_has_no_font() {
        let pair = portable_pty::native_pty_system().openpty(Default::default()).unwrap();
        let path = pair.master.tty_name().unwrap();
        let error = Font::of_console(std::fs::File::open(path).unwrap()).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::NOTTY.raw_os_error()));
        assert!(Font::of_console(std::fs::File::open("/dev/null").unwrap()).is_err());
    }

    #[test]
    fn a_text_is_shown_if_the_font_has_each_character() {
        let font: Font = [('F', 70), ('─', 196), ('═', 196), ('⚑', 3)].into_iter().collect();
        assert!(font.shows("⚑ F"));
        assert!(!font.shows("⚑ FL"));
        assert!(font.shows(""));
        assert!(!font.differ("─", "═"));
        assert!(font.differ("─", "F"));
    }
}
