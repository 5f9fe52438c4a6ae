//! What awaits an answer, and the answers, in words and tables.

use clock_dbus::{
    Answer, LatePlayers, Phase, Question, QuestionKind, QuestionProgress, Ruling, Side, State, Who,
};
use clock_engine::Span;
use clock_engine::rules::{PenaltyAmount, PenaltyKind};
use clock_engine::text::hms;
use clockctl::times::clock;

use super::address::addressed;
use super::flag_call::{flag_call, has_points, is_concluded};
use super::table::{Column, table};
use super::words::{name, plain};
use crate::rulings::AllowedRuling;

const SECOND: u64 = 1_000_000_000;

/// An open question in one line: `White's flag: were the moves made?`
pub fn question(state: &State, question: &Question) -> String {
    let done = match question.progress {
        QuestionProgress::Nothing => "",
        QuestionProgress::White => "; White has confirmed",
        QuestionProgress::Black => "; Black has confirmed",
        QuestionProgress::Both => "; both players have confirmed",
        QuestionProgress::Resuming => "; the game goes on in 3 s",
        QuestionProgress::Referred => ", referred to the designated arbiter",
    };
    asked(state, question) + done
}

fn asked(state: &State, question: &Question) -> String {
    let who = match question.side {
        Who::Nobody => None,
        side => Some(name(side)),
    };
    let of = |noun: &str| match who {
        Some(name) => format!("{name}'s {noun}"),
        None => format!("a {noun}"),
    };
    let Some(kind) = question.kind else { return of("question that only a later version knows") };
    match kind {
        QuestionKind::IllegalMove => {
            format!("{}: lost, or drawn because the opponent cannot mate?", of("illegal move"))
        }
        QuestionKind::Claim => format!("{}{}", of("draw claim"), ground(state)),
        QuestionKind::Request => of("request for an increment"),
        QuestionKind::FlagOrder => "both flags are down: which fell first?".to_owned(),
        QuestionKind::MovesMade => format!("{}: were the moves made?", of("flag")),
        QuestionKind::Flag => format!("{}: what is the ruling?", of("flag")),
        QuestionKind::Stop => {
            let stopped = format!("{} has stopped the clocks", who.unwrap_or("the call button"));
            // Without an arbiter nobody rules on the reason.
            let reason = if question.answers.is_empty() { "" } else { ": with a valid reason?" };
            stopped + reason
        }
        QuestionKind::Default => match who {
            Some(name) => format!("{name} is later than the default time"),
            None => "a player is later than the default time".to_owned(),
        },
        QuestionKind::PostponedClaim => {
            format!("{}{}, postponed", of("draw claim"), ground(state))
        }
    }
}

/// The ground of the open draw claim in the form that follows the word `claim`, such as `
/// (no-effort)`; empty if there is no ground.
fn ground(state: &State) -> String {
    match state.claim_ground.as_str() {
        "" => String::new(),
        ground => format!(" ({})", plain(ground)),
    }
}

/// How long a question has been waiting, at `now_nsec` of the clock's machine.
fn waiting(question: &Question, now_nsec: u64) -> String {
    let waiting = Span::from_nanos(now_nsec.saturating_sub(question.since_nsec));
    hms(Span::from_secs(waiting.as_nanos() / SECOND))
}

/// The label of a ruling: its word, and the award or the side that distinguishes it from rulings
/// with the same word.
pub fn label(AllowedRuling { ruling, answer, .. }: &AllowedRuling) -> String {
    match *answer {
        Answer { award_nsec: Some(award), .. } if award > 0 => {
            format!("{ruling} +{}", hms(Span::from_nanos(award)))
        }
        Answer { side: Some(side), .. } => format!("{ruling} {}", late(side)),
        _ => ruling.to_string(),
    }
}

/// The command that gives this ruling. The call of a flag has a shorter one, too.
fn command(AllowedRuling { ruling, answer, .. }: &AllowedRuling) -> String {
    match *answer {
        _ if *ruling == Ruling::Call => "clockctl flag".to_owned(),
        Answer { award_nsec: Some(award), .. } => {
            format!("clockctl rule {ruling} --award {}", hms(Span::from_nanos(award)))
        }
        Answer { side: Some(side), .. } => {
            format!("clockctl rule {ruling} --side {side}")
        }
        _ => format!("clockctl rule {ruling}"),
    }
}

/// The late players.
fn late(side: LatePlayers) -> &'static str {
    side.side().map_or("both players", Side::name)
}

/// What a ruling says, in one sentence.
pub fn meaning(AllowedRuling { ruling, answer, .. }: &AllowedRuling) -> String {
    let text = match ruling {
        Ruling::Call => "You call the flag.",
        Ruling::Made => "The moves were made: the flag is annulled.",
        Ruling::NotMade => "The moves were not made.",
        Ruling::NotEstablished => "Whether the moves were made cannot be established.",
        Ruling::OrderUnknown => "Which flag fell first cannot be established.",
        Ruling::Postpone => "Play goes on, and you decide later.",
        Ruling::Reject => "The claim is rejected.",
        Ruling::DrawAccepted => "The draw offer is accepted.",
        Ruling::DrawRefused => "The draw offer is refused.",
        Ruling::IncrementAgreed => "From now on every move adds time for both players.",
        Ruling::IncrementRefused => "No increment: play goes on as before.",
        Ruling::Valid => "The player had a valid reason.",
        Ruling::NotObvious => "It is not obvious that the player had no valid reason.",
        Ruling::ObviouslyInvalid => "The player had no valid reason; a penalty is required.",
        Ruling::Waive => "The game is played.",
        Ruling::Forfeit => {
            return match answer.side.and_then(LatePlayers::side) {
                Some(side) => format!("{} loses by default.", side.name()),
                None => "Both players lose by default.".to_owned(),
            };
        }
        Ruling::WhiteLoses | Ruling::BlackLoses | Ruling::Lost | Ruling::Drawn => {
            return outcome(&answer.result).unwrap_or_default();
        }
    };
    match outcome(&answer.result) {
        Some(outcome) => format!("{text} {outcome}"),
        None => text.to_owned(),
    }
}

fn outcome(result: &str) -> Option<String> {
    Some(match result {
        "" => return None,
        "1-0" => "White wins.".to_owned(),
        "0-1" => "Black wins.".to_owned(),
        "1/2-1/2" => "The game is drawn.".to_owned(),
        other => format!("The result is {}.", plain(other)),
    })
}

/// Where the game stands after a ruling.
pub fn then(answer: &Answer) -> String {
    match (answer.phase, answer.result.as_str()) {
        (Phase::Over, result) if !result.is_empty() => format!("over {}", plain(result)),
        (phase, _) => phase.as_str().to_owned(),
    }
}

/// A side's time before and after a ruling: `0:02:30.0 → 0:04:30.0`, or one time if it stays the
/// same.
fn before_and_after(state: &State, side: Side, delta_nsec: i64) -> String {
    let before = state.side(side).remaining_nsec;
    match delta_nsec {
        0 => clock(before),
        delta => format!("{} → {}", clock(before), clock(before.saturating_add_signed(delta))),
    }
}

/// Everything that awaits an answer, with the rulings that are allowed and what each does to both
/// clocks, numbered from 1 if `is_numbered`. It is empty if nothing awaits an answer.
pub fn list(state: &State, is_numbered: bool) -> String {
    let allowed = crate::rulings::allowed(state);
    let mut text = String::new();
    for (index, of) in state.questions.iter().enumerate() {
        text.push_str(&format!("{} ({} ago)\n", question(state, of), waiting(of, state.at_nsec)));
        let of_this = (1..).zip(&allowed).filter(|(_, allowed)| allowed.question == index);
        let of_this: Vec<(usize, &AllowedRuling)> = of_this.collect();
        if !of_this.is_empty() {
            text.push_str(&rulings(state, &of_this, is_numbered));
        }
    }
    text
}

fn rulings(state: &State, numbered: &[(usize, &AllowedRuling)], is_numbered: bool) -> String {
    let cells = |cell: &dyn Fn(&AllowedRuling) -> String| -> Vec<String> {
        numbered.iter().map(|(_, allowed)| cell(allowed)).collect()
    };
    let number = |number| if is_numbered { format!("{number:2}") } else { "  ".to_owned() };
    let white =
        |of: &AllowedRuling| before_and_after(state, Side::White, of.answer.white_delta_nsec);
    let black =
        |of: &AllowedRuling| before_and_after(state, Side::Black, of.answer.black_delta_nsec);
    table(&[
        Column::left("", numbered.iter().map(|(of, _)| number(*of)).collect::<Vec<_>>()),
        Column::left("ruling", cells(&label)),
        Column::left("White", cells(&white)),
        Column::left("Black", cells(&black)),
        Column::left("then", cells(&|of| then(&of.answer))),
    ])
}

/// Each question, and below it the command for each ruling that is allowed. `status` and the
/// commands of the arbiter print this text.
pub fn summary(state: &State) -> String {
    let allowed = crate::rulings::allowed(state);
    let mut text = String::new();
    for (index, of) in state.questions.iter().enumerate() {
        text.push_str(&format!("question  {}\n", question(state, of)));
        for command in answers(state, &allowed, index) {
            text.push_str(&format!("          {command}\n"));
        }
    }
    text
}

/// The commands that answer the first open question that has any; empty if there is none.
pub fn commands(state: &State) -> Vec<String> {
    let allowed = crate::rulings::allowed(state);
    let of_each = (0..state.questions.len()).map(|index| answers(state, &allowed, index));
    of_each.into_iter().find(|commands| !commands.is_empty()).unwrap_or_default()
}

/// Whether the ruling is only a note beside a flag in the period in which all remaining moves are due. It
/// settles nothing, so it is no answer that `status` and the hints name; `clockctl rule` offers it.
fn is_note(question: &Question, answer: &Answer) -> bool {
    question.kind == Some(QuestionKind::Flag)
        && matches!(answer.ruling, Some(Ruling::NotMade | Ruling::NotEstablished))
}

/// The commands that answer the question with this index.
fn answers(state: &State, allowed: &[AllowedRuling], index: usize) -> Vec<String> {
    let question = &state.questions[index];
    let of_this = allowed.iter().filter(|allowed| allowed.question == index);
    let mut commands: Vec<String> =
        of_this.filter(|allowed| !is_note(question, &allowed.answer)).map(command).collect();
    let nothing_settles = question.answers.iter().all(|answer| is_note(question, answer));
    if let Some(call) = flag_call(state, question) {
        commands.insert(0, call);
    } else if nothing_settles && has_points(state) {
        commands.extend(points_taken_back(state));
    } else if nothing_settles {
        commands.extend(without_arbiter(state, question));
    }
    commands.iter().map(|command| addressed(command)).collect()
}

/// The command that an arbiter usually gives next in this state, if there is one. The clock can
/// still refuse it: for example, it refuses a resume while a penalty is due.
pub fn next(state: &State) -> Option<&'static str> {
    match state.phase {
        _ if state.adjourned != Who::Nobody => Some("clockctl resume-adjourned"),
        Phase::Ready => Some("clockctl start"),
        Phase::Paused => Some("clockctl resume"),
        Phase::Ruling if !crate::rulings::allowed(state).is_empty() => Some("clockctl rule"),
        // In a game without a rule profile, a flag awaits a ruling but is not a question.
        Phase::Ruling if state.questions.is_empty() => Some("clockctl set or clockctl result"),
        Phase::Ruling | Phase::Running | Phase::Over => None,
    }
}

/// The commands that take back all points of penalties, one after the other. They come first if the
/// points forbid every ruling on a question. `None` while a clock runs, when no penalty is accepted.
fn points_taken_back(state: &State) -> Option<String> {
    let mut commands = Vec::new();
    for side in Side::BOTH {
        let values = state.side(side);
        for kind in PenaltyKind::ALL {
            let (half_points, offender) = match kind.amount() {
                Some(PenaltyAmount::OffenderPoints) => (values.half_points_off, side),
                Some(PenaltyAmount::OpponentPoints) => (values.half_points_given, side.other()),
                Some(PenaltyAmount::Time) | None => continue,
            };
            if half_points > 0 {
                commands.push(format!("clockctl penalize {} {kind} 0", offender.as_str()));
            }
        }
    }
    (state.phase != Phase::Running).then(|| commands.join(" and "))
}

/// The commands that settle a question in a game without an arbiter at the board (FIDE Guidelines
/// III, III.6). A confirmation that was given already (`question.progress`) is left out. `None` if
/// no command settles the question now. For example, if one of the open questions is a claim
/// without answers, that claim has concluded the game. Then only the claim can still be settled.
fn without_arbiter(state: &State, question: &Question) -> Option<String> {
    let is_concluded = is_concluded(state);
    let missing = match question.progress {
        QuestionProgress::Nothing | QuestionProgress::Referred => &["white", "black"][..],
        QuestionProgress::White => &["black"],
        QuestionProgress::Black => &["white"],
        QuestionProgress::Both => &[],
        // The game goes on by itself.
        QuestionProgress::Resuming => return None,
    };
    let confirm = |what: &str| {
        let commands =
            missing.iter().map(|side| format!("clockctl record-confirmation {side}{what}"));
        commands.collect::<Vec<_>>().join(" and ")
    };
    match question.kind? {
        QuestionKind::Claim | QuestionKind::PostponedClaim => Some(match question.progress {
            QuestionProgress::Referred => "the designated arbiter: clockctl result".to_owned(),
            _ => referral(state),
        }),
        QuestionKind::Stop | QuestionKind::FlagOrder if is_concluded => None,
        // The clocks can be resumed only in the phase `paused`. In the phase `ruling`, a ruling
        // must come first.
        QuestionKind::Stop if state.phase != Phase::Paused => None,
        QuestionKind::Stop if missing.is_empty() => Some("clockctl resume".to_owned()),
        QuestionKind::Stop => Some(format!("{}; then clockctl resume", confirm(""))),
        QuestionKind::FlagOrder => Some(confirm(" order-unknown")),
        QuestionKind::MovesMade | QuestionKind::Flag if !is_concluded => {
            Some("clockctl result RESULT REASON".to_owned())
        }
        QuestionKind::IllegalMove
        | QuestionKind::Request
        | QuestionKind::MovesMade
        | QuestionKind::Flag
        | QuestionKind::Default => None,
    }
}

/// The commands that refer a claim to the designated arbiter: what the opponent of the claimant has
/// verified, then the referral and the result.
fn referral(state: &State) -> String {
    let opponent = if state.claim_by == Who::White { "black" } else { "white" };
    let needed: &[&str] = match state.claim_ground.as_str() {
        "no-effort" => &["position", "scoresheet"],
        _ => &["position"],
    };
    let attach =
        |kind: &&str| format!("clockctl record-attachment {kind} TEXT --verified-by {opponent}");
    let attach = needed.iter().map(attach).collect::<Vec<_>>().join(" and ");
    format!(
        "{attach}; then clockctl refer; then the designated arbiter: clockctl result RESULT REASON"
    )
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Phase, Question, QuestionKind, QuestionProgress, State, Who};

    use super::{commands, list, meaning, next, question, summary};
    use crate::rulings::{allowed, tests};
    use crate::text::watch_line;

    fn asked(kind: QuestionKind, side: Who) -> Question {
        let progress = QuestionProgress::Nothing;
        Question { kind: Some(kind), side, since_nsec: 0, progress, answers: Vec::new() }
    }

    #[test]
    fn the_call_of_a_flag_is_named_before_the_rulings_that_wait_for_it() {
        let with = |phase, questions| State { phase, ..tests::standing(questions) };
        let flag = || asked(QuestionKind::Flag, Who::White);
        let running = with(Phase::Running, vec![flag()]);
        assert!(summary(&running).ends_with("          clockctl flag --by black\n"));
        let postponed = tests::flag_and_postponed_claim().questions.remove(1);
        let both = with(Phase::Running, vec![flag(), postponed]);
        assert_eq!(commands(&both), ["clockctl flag --by black"]);
        let expected = "question  White's flag: what is the ruling?\n          clockctl result RESULT REASON\n";
        assert_eq!(summary(&with(Phase::Ruling, vec![flag()])), expected);
    }

    #[test]
    fn every_question_names_its_side_and_no_two_read_alike() {
        let state = tests::claim();
        let mut texts = Vec::new();
        for kind in QuestionKind::ALL {
            let text = question(&state, &asked(*kind, Who::Black));
            assert!(text.contains("Black") || *kind == QuestionKind::FlagOrder, "{text}");
            assert!(!texts.contains(&text), "{text}");
            texts.push(text);
        }
        let button = question(&state, &asked(QuestionKind::Stop, Who::Nobody));
        assert_eq!(button, "the call button has stopped the clocks");
    }

    #[test]
    fn every_ruling_has_a_meaning() {
        for state in [tests::claim(), tests::flag_and_postponed_claim(), tests::both_late()] {
            for ruling in allowed(&state) {
                assert!(meaning(&ruling).ends_with('.'), "{ruling:?}");
            }
        }
    }

    #[test]
    fn the_summary_has_a_command_for_every_ruling() {
        let expected = "\
question  White is later than the default time
          clockctl rule waive --side white
          clockctl rule forfeit --side both
question  Black is later than the default time
          clockctl rule waive --side black
";
        assert_eq!(summary(&tests::both_late()), expected);
        // The call of a flag has a command of its own.
        let flag = summary(&tests::flag_and_postponed_claim());
        assert!(flag.contains("          clockctl flag\n") && !flag.contains(" call"), "{flag}");
        let nothing = tests::standing(Vec::new());
        assert_eq!(summary(&nothing) + &list(&nothing, false), "");
    }

    #[test]
    fn watch_shows_the_claim_once_and_what_else_awaits_a_ruling() {
        let line = watch_line(0, "claim", &tests::claim());
        assert!(line.ends_with("  draw claim: White, no-effort: a ruling is awaited\n"), "{line}");
        let line = watch_line(0, "flag", &tests::flag_and_postponed_claim());
        assert!(line.ends_with("  White's flag: were the moves made?\n"), "{line}");
        let late = watch_line(0, "default", &tests::both_late());
        assert!(late.contains("  White is later than the default time  Black is later"), "{late}");
    }

    #[test]
    fn without_an_arbiter_the_way_on_is_shown() {
        for (kind, way_on) in [
            (QuestionKind::Claim, "clockctl refer"),
            (
                QuestionKind::Stop,
                "clockctl record-confirmation white and clockctl record-confirmation black",
            ),
            (QuestionKind::FlagOrder, "order-unknown"),
        ] {
            let shown = summary(&paused(vec![asked(kind, Who::White)]));
            assert!(shown.contains(way_on), "{shown}");
        }
        for (kind, progress, shown) in [
            (
                QuestionKind::Claim,
                QuestionProgress::Referred,
                "question  White's draw claim, referred to the designated arbiter\n          the designated \
                 arbiter: clockctl result\n",
            ),
            (
                QuestionKind::Stop,
                QuestionProgress::White,
                "question  White has stopped the clocks; White has confirmed\n          clockctl record-confirmation black; \
                 then clockctl resume\n",
            ),
            (
                QuestionKind::Stop,
                QuestionProgress::Both,
                "question  White has stopped the clocks; both players have confirmed\n          clockctl resume\n",
            ),
        ] {
            let question = Question { progress, ..asked(kind, Who::White) };
            assert_eq!(summary(&paused(vec![question])), shown);
        }
    }

    fn paused(questions: Vec<Question>) -> State {
        State { phase: Phase::Paused, ..tests::standing(questions) }
    }

    #[test]
    fn only_what_is_accepted_in_this_state_is_shown() {
        let stop = || asked(QuestionKind::Stop, Who::White);
        let order = || asked(QuestionKind::FlagOrder, Who::Nobody);
        // A confirmation that the game goes on is not possible while a ruling is awaited, so no
        // command is shown.
        let ruling = State { phase: Phase::Ruling, ..tests::standing(vec![stop()]) };
        assert!(!summary(&ruling).contains("clockctl"), "{}", summary(&ruling));
        // A claim has concluded the game.
        let claim = asked(QuestionKind::Claim, Who::White);
        let concluded =
            State { phase: Phase::Ruling, ..tests::standing(vec![claim, order(), stop()]) };
        let shown = summary(&concluded);
        assert!(
            shown.contains("clockctl refer") && !shown.contains("clockctl record-confirmation"),
            "{shown}"
        );
        assert!(summary(&paused(vec![order()])).contains("clockctl record-confirmation"));
    }

    #[test]
    fn the_next_command_is_one_that_the_phase_allows() {
        let of = |phase, questions| State { phase, ..tests::standing(questions) };
        assert_eq!(next(&of(Phase::Ready, vec![])), Some("clockctl start"));
        assert_eq!(next(&of(Phase::Paused, vec![])), Some("clockctl resume"));
        assert_eq!(next(&of(Phase::Running, vec![])), None);
        let ruled = State { phase: Phase::Ruling, ..tests::claim() };
        assert_eq!(next(&ruled), Some("clockctl rule"));
        let unanswered = of(Phase::Ruling, vec![asked(QuestionKind::Claim, Who::White)]);
        assert_eq!(next(&unanswered), None, "summary() has the commands");
        let without_profile = of(Phase::Ruling, vec![]);
        assert_eq!(next(&without_profile), Some("clockctl set or clockctl result"));
        let adjourned = State { adjourned: Who::Black, ..of(Phase::Paused, vec![]) };
        assert_eq!(next(&adjourned), Some("clockctl resume-adjourned"));
    }
}
