//! Asks on the terminal for a ruling: shows a numbered list of what is allowed, then the figures of
//! the chosen ruling, and sends it after a confirmation.
//!
//! The clock is read again after each answer. If it has changed, the choice is dropped and the list
//! is shown again. So no ruling is given for a state of the clock that has not been shown.

use anyhow::{Context, Result};
use clock_dbus::{Question, QuestionKind, Side, State};
use clock_engine::text::{Guidance, RuleFile, Situation};

use crate::{
    bus::{Bus, bounded},
    failure::Failure,
    options::Options,
    out, prompt,
    rulings::{self, AllowedRuling},
    text::{self, Column, questions},
    verb::command::{self, Connected},
};

const CHANGED: &str = "The clock has changed. Look at it and choose again.\n";

/// The characters in a line of the rule profile's texts.
const WIDTH: usize = 79;

/// Asks for a ruling, sends it, and prints what it has done. If the clock refuses the ruling
/// because it has changed meanwhile, asks again; not for a revision of the command line, which
/// would be stale again.
pub async fn ask(options: &Options) -> Result<()> {
    let mut connected = command::connect(options, command::RULING).await?;
    if connected.before.questions.is_empty() {
        return Err(connected.usage(rulings::nothing_to_rule(&connected.before)));
    }
    while let Some(ruling) = choose(&mut connected).await.context("cannot give a ruling")? {
        match connected.send(options, ruling.given()).await {
            Ok(completed) => return completed.show(options, command::after_done).await,
            Err(error) if options.revision.is_none() && is_stale(&error) => out::print(CHANGED)?,
            Err(error) => return Err(error),
        }
        connected = command::connect(options, command::RULING).await?;
    }
    Ok(())
}

fn is_stale(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    matches!(failure, Some(Failure::Refused { code, .. }) if code == "stale-revision")
}

/// Asks for a ruling until one is confirmed. The state for which it was confirmed is then
/// `connected.before`. Says why there is none.
async fn choose(connected: &mut Connected) -> Result<Option<AllowedRuling>> {
    let bus = &connected.bus;
    loop {
        let listed = bus.now().await?;
        if listed.questions.is_empty() {
            out::print("nothing awaits a ruling any more\n")?;
            return Ok(None);
        }
        out::print(&page(&listed, &guidance(bus).await))?;
        let answer = prompt::ask_anew("Number of the ruling, or q to leave")?;
        if answer.eq_ignore_ascii_case("q") {
            break;
        }
        let Some(ruling) = chosen(&listed, &answer) else {
            out::print("This is no number of a ruling.\n")?;
            continue;
        };
        let shown = bus.now().await?;
        let Some(ruling) = as_seen(&ruling, &listed, &shown) else {
            out::print(CHANGED)?;
            continue;
        };
        out::print(&confirmation(&shown, &ruling))?;
        match prompt::ask_anew("Give this ruling? [y/N, q to leave]")?.to_lowercase().as_str() {
            "y" | "yes" => {}
            "q" => break,
            _ => continue,
        }
        connected.before = bus.now().await?;
        match as_seen(&ruling, &shown, &connected.before) {
            Some(ruling) => return Ok(Some(ruling)),
            None => out::print(CHANGED)?,
        }
    }
    out::print("no ruling was given\n")?;
    Ok(None)
}

/// The ruling with this number in the list.
fn chosen(listed: &State, answer: &str) -> Option<AllowedRuling> {
    let index = answer.parse::<usize>().ok()?.checked_sub(1)?;
    rulings::allowed(listed).into_iter().nth(index)
}

/// The ruling with what it does now. `None` if the arbiter has to look again, because of a command
/// or because some ruling does something else than the arbiter could expect. A press changes no
/// revision, but it can change what a ruling does.
fn as_seen(ruling: &AllowedRuling, seen: &State, now: &State) -> Option<AllowedRuling> {
    let allowed = rulings::allowed(now);
    let is_same =
        now.revision == seen.revision && allowed == rulings::allowed(&seen.at(now.at_nsec));
    allowed.into_iter().find(|allowed| is_same && allowed.is(&ruling.answer))
}

/// The texts of the game's rule profile for the arbiter. If they cannot be read, the arbiter can
/// rule without them.
async fn guidance(bus: &Bus) -> Guidance {
    let Ok((_name, file)) = bounded(bus.clock.get_rules()).await else {
        return Guidance::default();
    };
    let resolved = |_: &str| Err("the text is resolved".to_owned());
    RuleFile::parse(&file, resolved).map(|file| file.guidance).unwrap_or_default()
}

/// The numbered list, and the texts of the rule profile that help with the questions.
fn page(state: &State, guidance: &Guidance) -> String {
    let mut page = questions::list(state, true);
    let mut shown = Vec::new();
    for question in &state.questions {
        let text = situation(question).and_then(|of| guidance.get(of));
        if let Some(text) = text.filter(|text| !shown.contains(text)) {
            shown.push(text);
            page.push_str(&format!("\n{}", wrapped(text)));
        }
    }
    page
}

/// What the chosen ruling does.
fn confirmation(state: &State, chosen: &AllowedRuling) -> String {
    let question = &state.questions[chosen.question];
    let before = Side::BOTH.map(|side| state.side(side).remaining_nsec);
    let deltas = [chosen.answer.white_delta_nsec, chosen.answer.black_delta_nsec];
    let after = |at: usize| before[at].saturating_add_signed(deltas[at]);
    let table = text::table(&[
        Column::left("", Side::BOTH.map(|side| format!("  {}", side.name()))),
        Column::right("before", before.map(text::clock)),
        Column::right("after", [0, 1].map(after).map(text::clock)),
    ]);
    format!(
        "{}\n\n{}: {}\n{table}  then {}\n",
        questions::question(state, question),
        questions::label(chosen),
        questions::meaning(chosen),
        questions::then(&chosen.answer),
    )
}

/// Which text of the rule profile helps with a question.
fn situation(question: &Question) -> Option<Situation> {
    Some(match question.kind? {
        QuestionKind::IllegalMove => Situation::IllegalMove,
        QuestionKind::Claim | QuestionKind::PostponedClaim => Situation::Claim,
        QuestionKind::Request => Situation::Request,
        QuestionKind::FlagOrder => Situation::FlagOrder,
        QuestionKind::MovesMade | QuestionKind::Flag => Situation::Flag,
        QuestionKind::Stop => Situation::Stop,
        QuestionKind::Default => Situation::Default,
    })
}

/// The words of a text in lines of at most [`WIDTH`] characters; a longer word has a line of its
/// own.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let word = text::plain(word);
        let last = lines.last_mut().expect("there is a first line");
        if last.is_empty() {
            *last = word;
        } else if last.chars().count() + 1 + word.chars().count() <= WIDTH {
            last.push_str(&format!(" {word}"));
        } else {
            lines.push(word);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;
