//! The pairings of a round, as a pairing program writes them: a table (CSV) or a Tournament Report
//! File of FIDE (TRF).

mod csv_table;
mod round;
mod trf;

pub use round::{Pairing, Pairings};

impl Pairings {
    /// Reads the pairings of `round`; of the latest round in the file if it is `None`. A text in
    /// which a line begins with `001 ` is a TRF, every other text is a table.
    ///
    /// # Errors
    ///
    /// A message that names the line, if the text is neither, if it has no such round, if a board
    /// or a player occurs twice, or if a name is empty, has a control character or is longer than
    /// 200 bytes.
    pub fn parse(text: &str, round: Option<&str>) -> Result<Pairings, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_trf = text.lines().any(|line| line.starts_with("001 "));
        let pairings =
            if is_trf { trf::parse(text, round) } else { csv_table::parse(text, round) }?;
        pairings.check().map(|()| pairings)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairings;

    #[test]
    fn what_no_clock_accepts_is_refused() {
        for (text, said) in [
            ("", "columns"),
            ("board,white,black\n", "no game"),
            ("board,white,black\n1,A,B\n1,C,D\n", "board \"1\" is named twice"),
            ("board,white,black\n1,A,\n", "board \"1\": a name is missing"),
            ("board,white,black\n1,A,\"B\nC\"\n", "control character"),
            (&format!("board,white,black\n1,A,{}\n", "b".repeat(201)), "longer than 200 bytes"),
        ] {
            let why = Pairings::parse(text, None).unwrap_err();
            assert!(why.contains(said), "{text:?}: {why}");
        }
        let many: String = (0..5001).map(|board| format!("{board},A,B\n")).collect();
        let why = Pairings::parse(&format!("board,white,black\n{many}"), None).unwrap_err();
        assert!(why.contains("5001 games; at most 5000"), "{why}");
    }
}
