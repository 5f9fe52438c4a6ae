//! What `clockctl ruling` says with and without a terminal alike.

use clock_dbus::State;
use clock_engine::rules::{DefaultRuling, LatePlayers};

use crate::rulings::{AllowedRuling, Ruling};

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
    let default_of = |ruling: &AllowedRuling| match ruling.ruling {
        Ruling::Default { side, ruling } => Some((side, ruling)),
        _ => None,
    };
    let defaults: Vec<(LatePlayers, DefaultRuling)> =
        allowed.iter().filter_map(default_of).collect();
    let is_ambiguous = defaults.windows(2).any(|two| two[0].0 != two[1].0);
    let sides_of = |ruling: DefaultRuling| -> Vec<&str> {
        let same = defaults.iter().filter(|(_, other)| *other == ruling);
        same.map(|(side, _)| side.as_str()).collect()
    };
    let mut words: Vec<String> = Vec::new();
    for AllowedRuling { ruling, .. } in allowed {
        let word = match ruling {
            Ruling::Default { ruling, .. } if is_ambiguous => {
                format!("{ruling} --side {}", sides_of(*ruling).join("|"))
            }
            ruling => ruling.word().to_owned(),
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
