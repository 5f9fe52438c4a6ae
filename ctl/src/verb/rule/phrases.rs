//! What `clockctl rule` says with and without a terminal alike.

use clock_dbus::{LatePlayers, Ruling, State};

use crate::rulings::AllowedRuling;

/// Why nothing can be ruled on.
pub fn nothing_to_rule(state: &State) -> String {
    if state.rules.is_empty() {
        "nothing awaits a ruling: the game has no rule profile (clockctl set-rules sets one)"
            .to_owned()
    } else {
        "nothing awaits a ruling".to_owned()
    }
}

/// The words of these rulings, each once. If several players are late, a word has the sides with
/// which it is allowed, such as `waive --side white|black`.
pub fn words_once(allowed: &[AllowedRuling]) -> Vec<String> {
    let named = |allowed: &AllowedRuling| Some((allowed.answer.ruling, allowed.answer.side?));
    let late: Vec<(Ruling, LatePlayers)> = allowed.iter().filter_map(named).collect();
    let is_ambiguous = late.windows(2).any(|two| two[0].1 != two[1].1);
    let mut words: Vec<String> = Vec::new();
    for ruling in allowed.iter().map(|allowed| allowed.answer.ruling) {
        let word = if ruling.is_on_lateness() && is_ambiguous {
            let same = late.iter().filter(|(other, _)| *other == ruling);
            let sides: Vec<&str> = same.map(|(_, side)| side.as_str()).collect();
            format!("{ruling} --side {}", sides.join("|"))
        } else {
            ruling.to_string()
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words_once;
    use crate::rulings::{allowed, tests};

    #[test]
    fn the_words_of_the_rulings_are_named_once_with_the_sides_that_they_take() {
        let of = |state| words_once(&allowed(&state));
        assert_eq!(of(tests::both_late()), ["waive --side white|black", "forfeit --side both"]);
        assert_eq!(of(tests::claim()), ["reject", "postpone", "drawn"]);
        let mut one = tests::both_late();
        one.questions.truncate(1);
        one.questions[0].answers.truncate(1);
        assert_eq!(of(one), ["waive"]);
    }
}
