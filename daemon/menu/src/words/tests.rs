use super::*;
use clock_engine::Instant;
use clock_engine::rules::QuestionProgress;

const ENGLISH: Words = Words(Language::English);

/// Each language, to be measured.
fn each(mut check: impl FnMut(Words)) {
    Language::ALL.into_iter().for_each(|language| check(Words(language)));
}

#[track_caller]
fn fits(text: &str) {
    let length = text.chars().count();
    assert!(!text.is_empty() && length <= LINE_LENGTH, "{length} characters: {text}");
}

#[test]
fn every_question_answer_and_penalty_fits_on_a_line() {
    each(|words| {
        let sides = [None, Some(Side::White), Some(Side::Black)];
        for (kind, side) in
            QuestionKind::ALL.iter().flat_map(|kind| sides.map(|side| (*kind, side)))
        {
            let progress = QuestionProgress::Nothing;
            fits(&words.question(&Question { kind, side, since: Instant::ZERO, progress }));
        }
        for late in LatePlayers::ALL.iter().copied().map(Some).chain([None]) {
            Ruling::ALL.iter().for_each(|ruling| fits(words.answer(*ruling, late)));
        }
        // On the page, a time that a side gets or loses can follow these words.
        for ruling in [Ruling::Made, Ruling::Reject, Ruling::Postpone, Ruling::IncrementAgreed] {
            fits(&format!("{} +10:00", words.answer(ruling, None)));
        }
        for kind in PenaltyKind::ALL {
            let amount = match (kind.has_time(), kind.has_points()) {
                (true, _) => " 2:00".to_owned(),
                (_, true) => format!("{}½", words.colon()),
                _ => String::new(),
            };
            fits(&format!("{}{amount}", words.penalty(*kind)));
        }
    });
}

/// Each line fits with the longest values that the pages can show: a time of 999 hours, and a press
/// counter of three digits.
#[test]
fn every_line_with_a_value_fits() {
    let longest = Span::from_secs(999 * 3600 + 3599);
    each(|words| {
        for side in Side::BOTH {
            fits(&words.standing.now.with([&words.reading(side, longest)]));
            fits(&format!("{} {}", words.side_name(side), change(i64::MIN / 4)));
            for (field, value) in [
                (Field::Time(side), "999:59:59"),
                (Field::Moves(side), "999"),
                (Field::Period(side), "99"),
            ] {
                fits(words.field(field));
                fits(&format!("{} {value}", words.field(field)));
                fits(&words.changed(field, value, value));
            }
        }
        let own = &words.new_game;
        for (name, value) in [
            (own.own_time, "999:59:59"),
            (own.own_moves, "999"),
            (own.own_per_move, "9:59:59"),
            (own.own_second, "9:59:59"),
        ] {
            fits(&format!("{name} {value}"));
        }
        for value in ["999:59:59", "999"] {
            fits(&words.correction.before.with([&value]));
        }
        fits(&words.access.wait.with([&"600 s"]));
        fits(&words.rules(PLAYERS_AGREE));
        let settings = &words.settings;
        for marked in [
            settings.as_wired,
            settings.exchanged,
            settings.on,
            settings.off,
            settings.by_schedule,
            words.0.words().name,
        ] {
            fits(&format!("• {marked}"));
        }
    });
}

#[test]
fn a_change_fits_on_a_line() {
    each(|words| {
        for side in Side::BOTH {
            for field in [Field::Moves, Field::Period] {
                let value = if field(side) == Field::Moves(side) { "123" } else { "12" };
                let text = words.changed(field(side), value, value);
                assert!(text.contains(&format!("{value}→{value}")), "{text}");
                fits(&text);
            }
            let text = words.changed(Field::Time(side), "0:02:57", "9:05:00");
            assert!(text.contains("0:02:57→9:05:00"), "{text}");
        }
    });
    let time = Field::Time(Side::White);
    assert_eq!(ENGLISH.changed(time, "0:02:57", "9:05:00"), "White 0:02:57→9:05:00");
    assert_eq!(ENGLISH.changed(time, "010:02:57", "010:05:00"), "White 010:02:57→010:05:00");
    assert_eq!(ENGLISH.changed(time, "999:02:57", "999:05:00"), "White 999:02:57→999:05:00");
}

#[test]
fn a_change_has_no_hours_that_are_0() {
    let changes = [120, -30 * 60, 3600, -36_000].map(|seconds| change(seconds * 1_000_000_000));
    assert_eq!(changes, ["+2:00", "-30:00", "+1:00:00", "-10:00:00"]);
}

/// The sentence of the engine is in English only.
#[test]
fn a_refusal_has_its_sentence_and_its_clause_in_every_language_but_english() {
    let refusal = Refusal {
        sentence: |words| words.nothing_to_take_back,
        clause: Some("S4 6.13"),
        text: "no press can be taken back".to_owned(),
    };
    assert_eq!(ENGLISH.refusal(&refusal), wrap(&refusal.text));
    let german = ["Kein Tastendruck kann", "zurückgenommen werden.", "old FIDE Laws 6.13"];
    assert_eq!(Words(Language::German).refusal(&refusal), german);
    let longest = Refusal { clause: Some("S0 preface"), ..refusal.clone() };
    let lines = Words(Language::German).refusal(&longest);
    assert_eq!(lines[2..4], ["Chess Organisers' Handbook", "preface"]);
    each(|words| words.refusal(&refusal).iter().for_each(|line| fits(line)));
}
