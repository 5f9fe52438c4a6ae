//! A file of pairings: a table or a TRF, in one of the encodings.

use std::collections::BTreeMap;

use clock_engine::text::{FileError, Place};

use super::{
    round::{self, Pairings},
    table, trf,
};

/// A file of pairings.
pub struct PairingFile {
    pub(super) text: String,
    pub(super) encoding: Encoding,
}

/// What a TRF knows of a player beside the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// As PGN writes it, such as `GM`.
    pub title: Option<&'static str>,
    pub rating: Option<String>,
    pub fide_number: Option<String>,
}

impl PairingFile {
    /// The file with these bytes, in UTF-8, UTF-16 with a byte order mark, or Windows-1252.
    ///
    /// # Errors
    ///
    /// It is no text.
    pub fn decode(bytes: Vec<u8>) -> Result<PairingFile, FileError> {
        decode(bytes).map(|(text, encoding)| PairingFile { text, encoding })
    }

    /// What a person is told of the encoding, if it is not UTF-8.
    pub fn note(&self) -> Option<&'static str> {
        self.encoding.note()
    }

    /// The pairings of `round`; of the latest round in the file if it is `None`.
    ///
    /// # Errors
    ///
    /// As [`Pairings::parse`].
    pub fn pairings(&self, round: Option<&str>) -> Result<Pairings, FileError> {
        Pairings::parse(&self.text, round)
    }

    /// What a TRF knows of each player, by name. A name that two players have is left out.
    ///
    /// # Errors
    ///
    /// The file is a table, which knows names only, or it is no TRF that can be read.
    pub fn players(&self) -> Result<BTreeMap<String, Player>, FileError> {
        if !trf::is_trf(&self.text) {
            let why = "a table has no FIDE numbers and ratings: give a TRF";
            return Err(round::without_place(why.to_owned()));
        }
        let mut players: BTreeMap<String, Option<Player>> = BTreeMap::new();
        for player in trf::Tournament::parse(&self.text)?.players.into_values() {
            let trf::Player { name, title, rating, fide_number, .. } = player;
            let known = Player { title, rating, fide_number };
            players.entry(name).and_modify(|other| *other = None).or_insert(Some(known));
        }
        Ok(players.into_iter().filter_map(|(name, player)| Some((name, player?))).collect())
    }
}

impl Pairings {
    /// Reads the pairings of `round`; of the latest round in the file if it is `None`. A text in
    /// which a line begins with `001 ` is a TRF, every other text is a table.
    ///
    /// # Errors
    ///
    /// What is wrong and where: the text is neither, it has no such round, a board or a player
    /// occurs twice, or a name has a control character or is longer than 200 bytes.
    pub fn parse(text: &str, round: Option<&str>) -> Result<Pairings, FileError> {
        let pairings =
            if trf::is_trf(text) { trf::parse(text, round) } else { table::parse(text, round) }?;
        pairings.check().map(|()| pairings)
    }
}

/// How the characters of a file are written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Windows1252,
    Utf16LittleEndian,
    Utf16BigEndian,
}

/// The characters of Windows-1252 for the bytes 0x80 to 0x9F. The five bytes that it leaves open
/// stand for the control characters with the same number, so that each byte can be written back.
const HIGH: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

impl Encoding {
    /// What a person is told of a file that is not UTF-8; `None` for UTF-8.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Encoding::Utf8 => None,
            Encoding::Windows1252 => {
                Some("it is not UTF-8 and was read as Windows-1252: look at the names")
            }
            Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian => Some("it was read as UTF-16"),
        }
    }

    /// The bytes of a text that was read in this encoding. A character that Windows-1252 does not
    /// have becomes `?`.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Windows1252 => text.chars().map(windows_1252).collect(),
            Encoding::Utf16LittleEndian => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16BigEndian => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// The text of a file and its encoding. A byte order mark stays in the text.
///
/// # Errors
///
/// The file is a workbook or a web page, the text has the character 0, or the file begins like UTF-16
/// and is none.
pub fn decode(bytes: Vec<u8>) -> Result<(String, Encoding), FileError> {
    refuse_other_kinds(&bytes)?;
    let (text, encoding) = match bytes.as_slice() {
        [0xff, 0xfe, ..] => (utf_16(&bytes, u16::from_le_bytes)?, Encoding::Utf16LittleEndian),
        [0xfe, 0xff, ..] => (utf_16(&bytes, u16::from_be_bytes)?, Encoding::Utf16BigEndian),
        _ => match String::from_utf8(bytes) {
            Ok(text) => (text, Encoding::Utf8),
            Err(error) => {
                let character = |byte: &u8| match byte {
                    0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
                    _ => char::from(*byte),
                };
                (error.as_bytes().iter().map(character).collect(), Encoding::Windows1252)
            }
        },
    };
    // The characters are checked; this refuses the character 0 with its place.
    FileError::text(text.into_bytes()).map(|text| (text, encoding))
}

/// Programs and web sites also offer the list of pairings as a workbook and as a page.
fn refuse_other_kinds(bytes: &[u8]) -> Result<(), FileError> {
    let kind = match bytes.trim_ascii_start() {
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => "a workbook of a spreadsheet",
        [b'<', ..] => "a web page",
        _ => return Ok(()),
    };
    let message = format!("this is {kind}; save the list of pairings as CSV or as TRF");
    Err(FileError { place: Place::START, message })
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, FileError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: Option<String> = char::decode_utf16(units).map(Result::ok).collect();
    text.filter(|_| rest.is_empty()).ok_or_else(|| FileError {
        place: Place::START,
        message: "it begins with the mark of UTF-16, and is not UTF-16 text".to_owned(),
    })
}

fn windows_1252(character: char) -> u8 {
    if let Some(index) = HIGH.iter().position(|high| *high == character) {
        return u8::try_from(0x80 + index).unwrap_or(b'?');
    }
    u8::try_from(u32::from(character)).unwrap_or(b'?')
}

#[cfg(test)]
mod tests {
    use super::{Encoding, decode};

    #[test]
    fn a_workbook_and_a_web_page_are_named() {
        for (bytes, kind) in [
            (b"PK\x03\x04\x14\0".as_slice(), "a workbook"),
            (b"\xd0\xcf\x11\xe0\xa1".as_slice(), "a workbook"),
            (b"\r\n<!DOCTYPE html>".as_slice(), "a web page"),
        ] {
            let error = decode(bytes.to_vec()).unwrap_err();
            assert!(error.message.contains(kind) && error.message.contains("CSV"), "{error:?}");
        }
    }

    #[test]
    fn every_encoding_is_read_and_written_back_byte_for_byte() {
        let utf_16 = |unit: fn(u16) -> [u8; 2]| {
            "\u{feff}Öz €".encode_utf16().flat_map(unit).collect::<Vec<u8>>()
        };
        for (bytes, text, encoding) in [
            ("Öz €".as_bytes().to_vec(), "Öz €", Encoding::Utf8),
            ("\u{feff}Öz €".as_bytes().to_vec(), "\u{feff}Öz €", Encoding::Utf8),
            (b"\xd6z \x80".to_vec(), "Öz €", Encoding::Windows1252),
            (utf_16(u16::to_le_bytes), "\u{feff}Öz €", Encoding::Utf16LittleEndian),
            (utf_16(u16::to_be_bytes), "\u{feff}Öz €", Encoding::Utf16BigEndian),
        ] {
            let read = decode(bytes.clone()).unwrap();
            assert_eq!(read, (text.to_owned(), encoding));
            assert_eq!(encoding.encode(text), bytes);
            assert_eq!(encoding.note().is_none(), encoding == Encoding::Utf8);
        }
        // Each byte except 0 goes back to itself; 0xFF stands first, so that this is no UTF-8.
        let all: Vec<u8> = [0xff, 0x20].into_iter().chain(1..=0xff).collect();
        let (text, encoding) = decode(all.clone()).unwrap();
        assert_eq!((encoding, encoding.encode(&text)), (Encoding::Windows1252, all));
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        for (bytes, said) in [
            (&b"a\nb\0"[..], "2:2: the character 0 (NUL)"),
            (b"\xff\xfea", "1:1: it begins with the mark of UTF-16"),
            (b"\xff\xfe\x00\xd8a\0", "1:1: it begins with the mark of UTF-16"),
        ] {
            let why = decode(bytes.to_vec()).unwrap_err().to_string();
            assert!(why.starts_with(said), "{why}");
        }
    }
}
