//! The points of results. A file may name its own: TRF26 with the record 162, JaVaFo with `XXS`,
//! bbpPairings with `BBW` and the like.

use clock_engine::text::FileError;

use super::lines::{Line, Outcome, Round};

/// The points of each result, in hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Scoring {
    /// Of a game that was played, for White and for Black.
    win: [i32; 2],
    draw: [i32; 2],
    loss: [i32; 2],
    forfeit_win: i32,
    forfeit_loss: i32,
    /// The points for the four kinds of byes, in this order: `U` (allocated by the pairing), `F`
    /// (full point), `H` (half point) and `Z` (zero points).
    allocated_bye: i32,
    full_bye: i32,
    half_bye: i32,
    zero_bye: i32,
    /// Of a match of teams: won, drawn, lost, and not played because of a bye.
    pub match_win: i32,
    pub match_draw: i32,
    pub match_loss: i32,
    pub match_bye: i32,
}

impl Scoring {
    /// The points of a round.
    pub fn points(&self, round: &Round) -> i32 {
        let Outcome::Letter(letter) = round.outcome else { return 0 };
        let side = usize::from(round.is_white == Some(false));
        match letter {
            '1' | 'W' => self.win[side],
            '=' | 'D' => self.draw[side],
            '0' | 'L' => self.loss[side],
            '+' => self.forfeit_win,
            'U' => self.allocated_bye,
            'F' => self.full_bye,
            'H' => self.half_bye,
            '-' => self.forfeit_loss,
            _ => self.zero_bye,
        }
    }
}

/// The points that a file names, by their keys.
#[derive(Default)]
pub(super) struct Scores {
    values: Vec<(String, i32)>,
}

impl Scores {
    /// Reads a line, if it names points.
    pub fn read(&mut self, line: &Line<'_>) -> Result<(), FileError> {
        let (key, text) = line.text.split_at_checked(4).unwrap_or((line.text, ""));
        match key.trim_end() {
            "162" | "362" | "XXS" => self.read_pairs(line, text),
            key @ ("BBW" | "BBD" | "BBL" | "BBF" | "BBU" | "BBZ") => {
                let value = hundredths(text.trim());
                let value = value.ok_or_else(|| line.error(5, expected(text.trim())))?;
                self.values.push((key.to_owned(), value));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads pairs of a key and its points: `W 3.0    D 1.0`, or `W=3.0 D=1.0`.
    fn read_pairs(&mut self, line: &Line<'_>, text: &str) -> Result<(), FileError> {
        let is_blank = |c: char| c.is_whitespace() || c == '=';
        let mut rest = text.trim_start_matches(is_blank);
        while !rest.is_empty() {
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let (key, after) = rest.split_at(letters);
            let after = after.trim_start_matches(is_blank);
            let (number, next) = after.split_at(after.find(is_blank).unwrap_or(after.len()));
            let value = hundredths(number).filter(|_| !key.is_empty()).ok_or_else(|| {
                let before = line.text.len() - rest.len();
                line.error(1 + line.text[..before].chars().count(), expected(rest.trim()))
            })?;
            self.values.push((key.to_uppercase(), value));
            rest = next.trim_start_matches(is_blank);
        }
        Ok(())
    }

    /// The first of these keys that the file has.
    fn first(&self, keys: &[&str]) -> Option<i32> {
        let value = |key: &&str| self.values.iter().rev().find(|(other, _)| other == key);
        keys.iter().find_map(value).map(|(_, value)| *value)
    }

    /// The points of all results: those of the file, and for the others those of FIDE.
    pub fn scoring(&self) -> Scoring {
        let win = self.first(&["W", "BBW"]).unwrap_or(100);
        let draw = self.first(&["D", "BBD"]).unwrap_or(50);
        let loss = self.first(&["L", "BBL"]).unwrap_or(0);
        let sides = |white: &str, black: &str, of: i32| {
            [self.first(&[white]).unwrap_or(of), self.first(&[black]).unwrap_or(of)]
        };
        let match_draw = self.first(&["TD"]).unwrap_or(100);
        Scoring {
            win: sides("WW", "BW", win),
            draw: sides("WD", "BD", draw),
            loss: sides("WL", "BL", loss),
            forfeit_win: self.first(&["FW"]).unwrap_or(win),
            forfeit_loss: self.first(&["FL", "BBF", "A"]).unwrap_or(0),
            allocated_bye: self.first(&["P", "PAB", "BBU"]).unwrap_or(win),
            full_bye: self.first(&["FPB"]).unwrap_or(win),
            half_bye: self.first(&["HPB"]).unwrap_or(draw),
            zero_bye: self.first(&["ZPB", "BBZ", "A"]).unwrap_or(0),
            match_win: self.first(&["TW"]).unwrap_or(200),
            match_draw,
            match_loss: self.first(&["TL"]).unwrap_or(0),
            match_bye: self.first(&["TP"]).unwrap_or(match_draw),
        }
    }
}

fn expected(found: &str) -> String {
    let found: String = found.chars().take(40).collect();
    format!("expected points such as W 1.0 or 0.5, at most 99.99, found {found:?}")
}

/// A number with at most two decimals, such as `3.0` or `.5`, in hundredths.
pub(super) fn hundredths(text: &str) -> Option<i32> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + part.len() == 0 || whole.len() > 3 || part.len() > 2 {
        return None;
    }
    if !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let number: i32 = format!("{whole}{part:0<2}").parse().ok()?;
    Some(sign * number)
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::{Scores, hundredths};

    #[test]
    fn points_are_read_as_each_program_writes_them() {
        for (text, win, draw, loss, bye) in [
            ("", 100, 50, 0, 100),
            ("162  W 3.0    D 1.0    L 0.0", 300, 100, 0, 300),
            ("162  W 3.0   D 1.0   P 1.5", 300, 100, 0, 150),
            ("162  P 5.0", 100, 50, 0, 500),
            ("BBW  3.0\nBBD  1.0\nBBL  0.5", 300, 100, 50, 300),
            ("XXS W=3 D=1.5 L=.5 PAB=2", 300, 150, 50, 200),
            ("XXS WW=3.0 BW=3.5", 300, 50, 0, 100),
        ] {
            let mut scores = Scores::default();
            lines(text).for_each(|line| scores.read(&line).unwrap());
            let scoring = scores.scoring();
            let found = (scoring.win[0], scoring.draw[0], scoring.loss[0], scoring.allocated_bye);
            assert_eq!(found, (win, draw, loss, bye), "{text}");
        }
    }

    #[test]
    fn wrong_points_are_refused_with_their_column() {
        for (text, said) in [
            ("162  W 3.0    D x", "1:15: expected points such as W 1.0"),
            ("BBW  many", "1:5: expected points"),
            ("XXS 3.0", "1:5: expected points"),
            ("162  W 99999", "1:6: expected points"),
        ] {
            let why = lines(text).find_map(|line| Scores::default().read(&line).err()).unwrap();
            assert!(why.to_string().starts_with(said), "{why}");
        }
        assert_eq!(
            [".5", "-1", "3,5", "", ".", "1.234"].map(hundredths),
            [Some(50), Some(-100), Some(350), None, None, None]
        );
    }
}
