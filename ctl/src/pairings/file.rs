//! A file of pairings: a table or a TRF, in one of the encodings.

use std::collections::BTreeMap;

use clock_engine::text::FileError;

use super::{
    encoding::{self, Encoding},
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
        encoding::decode(bytes).map(|(text, encoding)| PairingFile { text, encoding })
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
