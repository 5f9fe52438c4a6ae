//! Games in virtual time, with the engine alone: no daemon, no bus, no hardware. Each line of a script has
//! one answer.

mod line;

use crate::json::{ClaimJson, EventJson, RefusalJson, RulesJson, StateJson};
use clock_dbus::{ClaimState, SideState};
use clock_engine::rules::{
    ClaimView, GameCommand, GameEvent, GameEventKind, GameRefused, Ground, PenaltyCause, Profile,
    Reason, RuleRefused, RuleSource, Session, Setup, citation,
};
use clock_engine::text::points;
use clock_engine::{Control, EventKind, Instant, Method, Recompute, Side, TurnEvent, rules};
use line::{Rules, ScriptEvent, ScriptLine};

/// The largest number of events in the answer to one line. With a gong, the number of events grows
/// with the time between two lines.
const MOST_EVENTS: usize = 10_000;

/// A game that is played by a script.
#[derive(Clone, Debug)]
pub struct Game {
    game: rules::Game,
    /// The events so far on which the times depend.
    turns: Vec<TurnEvent>,
    /// The instant of the latest well-formed line.
    now: Instant,
    /// Whether a line was malformed.
    pub malformed: bool,
}

impl Game {
    /// A new game at the script's instant 0, without a rule profile: claims and rulings are
    /// refused.
    pub fn new(control: Control) -> Game {
        Game::set_up(control, None).expect("only a profile refuses a control")
    }

    /// A new game under a rule profile. Its session starts when White's clock is started.
    ///
    /// # Errors
    ///
    /// The profile does not hold for this control (FIDE Guidelines III, III.2.2).
    pub fn with_rules(control: Control, profile: Profile) -> Result<Game, RuleRefused> {
        Game::set_up(control, Some(profile))
    }

    fn set_up(control: Control, profile: Option<Profile>) -> Result<Game, RuleRefused> {
        let setup = Setup { control, profile, session: Session::WithGame, force: false };
        let game = rules::Game::new(&setup, Instant::ZERO)?;
        Ok(Game { game, turns: Vec::new(), now: Instant::ZERO, malformed: false })
    }

    /// Plays line `number` of the script, counted from 1.
    pub fn play(&mut self, number: u64, text: &[u8]) -> StateJson {
        let rules = if self.game.profile().is_some() { Rules::Present } else { Rules::Absent };
        let line = line::parse(text, rules).and_then(|line| {
            if line.at_ns >= self.now.as_nanos() {
                return Ok(line);
            }
            let last = self.now.as_nanos();
            Err(format!(
                "`at_ns` is {}; expected {last} or more: time does not go back",
                line.at_ns
            ))
        });
        match line {
            Ok(line) => self.play_well_formed(line),
            Err(message) => self.answer_malformed(number, &message),
        }
    }

    /// The answer to a malformed line: the clock as of the latest well-formed line, and the reason.
    pub fn answer_malformed(&mut self, number: u64, message: &str) -> StateJson {
        self.malformed = true;
        let error = RefusalJson {
            code: "bad-input",
            clause: None,
            message: format!("line {number}: {message}"),
            line: Some(number),
        };
        self.state(Vec::new(), Some(error))
    }

    fn play_well_formed(&mut self, line: ScriptLine) -> StateJson {
        let at = Instant::from_nanos(line.at_ns);
        let before = self.game;
        let mut events = Vec::new();
        let control = self.game.clock().control();
        let gong = matches!(control.periods()[0].method.white, Method::Gong(_));
        while let Some(due) = self.game.poll_timeout().filter(|due| *due <= at) {
            // More gongs can be due than the clock can keep events for, so each gong is handled by
            // a call of its own. Neither `due` nor `at` is before the latest instant handled, so no
            // call is refused.
            let _ = self.game.handle_timeout(if gong { due } else { at });
            self.take_events(&mut events);
            if events.len() > MOST_EVENTS {
                self.game = before;
                let (last, given) = (self.now.as_nanos(), line.at_ns);
                let message = format!(
                    "more than {MOST_EVENTS} events lie between `at_ns` {last} and {given}; look \
                     at the clock in between with {{\"event\": \"show\"}}"
                );
                return self.state(Vec::new(), Some(refusal("too-many-events", None, message)));
            }
        }
        self.now = at;
        self.note_turns(&before, None);
        let error = self.carry_out(line.event);
        self.take_events(&mut events);
        self.state(events, error)
    }

    fn carry_out(&mut self, event: ScriptEvent) -> Option<RefusalJson> {
        let done = match event {
            ScriptEvent::Press(side) => {
                let before = self.game;
                let done = self.game.handle_press(side, self.now).map_err(GameRefused::from);
                self.note_turns(&before, None);
                done
            }
            ScriptEvent::Command(command) => self.give(command),
            ScriptEvent::ChangeTimeControl { control, recompute, schedule_suffers } => {
                let recompute = match recompute {
                    true => self.game.recompute(&control, self.turns.iter().copied()),
                    false => Recompute::No,
                };
                let change =
                    GameCommand::ChangeTimeControl { control, recompute, schedule_suffers };
                self.give(change)
            }
            ScriptEvent::Show => self.game.handle_timeout(self.now).map_err(GameRefused::from),
            ScriptEvent::Bystander => {
                let source = self.game.profile().map_or(RuleSource::Handbook, |rules| rules.cites);
                Err(GameRefused::Rules(RuleRefused { reason: Reason::Bystander, source }))
            }
            ScriptEvent::NeedsProfile(name) => {
                let message = format!("{name} needs a rule profile, and none is given (--rules)");
                return Some(refusal("no-profile", None, message));
            }
        };
        done.err().map(|refused| refusal(refused.code(), refused.clause(), refused.to_string()))
    }

    fn give(&mut self, command: GameCommand) -> Result<(), GameRefused> {
        let before = self.game;
        let done = self.game.handle_command(command, self.now);
        self.note_turns(&before, Some(&command).filter(|_| done.is_ok()));
        done
    }

    /// Notes the events since `before` on which the times depend. `command` is the command that was
    /// carried out; `None` for another input.
    fn note_turns(&mut self, before: &rules::Game, command: Option<&GameCommand>) {
        self.turns.extend(before.turn_events(command, &self.game, self.game.last()));
    }

    fn take_events(&mut self, events: &mut Vec<EventJson>) {
        while let Some(event) = self.game.poll_event() {
            events.extend(event_json(event));
        }
    }

    fn state(&self, events: Vec<EventJson>, error: Option<RefusalJson>) -> StateJson {
        let view = self.game.view(self.now);
        let rules = self.game.profile().map(|_| RulesJson {
            result: view.outcome.map(|outcome| outcome.as_str()),
            claim: view.claim.map(claim),
            question: self.game.question().map(|question| question.as_str()),
        });
        StateJson {
            at_ns: view.at.as_nanos(),
            phase: view.phase.as_str(),
            running: view.running().map(|side| side.as_str()),
            white: SideState::from(&view.sides.white),
            black: SideState::from(&view.sides.black),
            first_flag: view.first_flag.map(|side| side.as_str()),
            error,
            events,
            rules,
        }
    }
}

fn refusal(code: &'static str, clause: Option<&'static str>, message: String) -> RefusalJson {
    let clause = clause.map(|clause| citation(clause).to_string());
    RefusalJson { code, clause, message, line: None }
}

fn claim(claim: ClaimView) -> ClaimJson {
    ClaimJson {
        by: claim.by.as_str(),
        ground: claim.ground.as_str(),
        state: ClaimState::from(Some(claim)).as_str(),
    }
}

/// The JSON of an event, as the answer to a line of the script contains it. `None` for an event
/// that answers leave out.
fn event_json(event: GameEvent) -> Option<EventJson> {
    let mut json = EventJson {
        at_ns: event.at.as_nanos(),
        kind: event.kind.as_str(),
        side: event.kind.side().map(Side::as_str),
        ..EventJson::default()
    };
    match event.kind {
        GameEventKind::Clock(EventKind::Flag { period, .. } | EventKind::Period { period, .. }) => {
            json.period = Some(period);
        }
        GameEventKind::Clock(EventKind::Press { accepted, .. }) => json.accepted = Some(accepted),
        // Scripts have no call button: `stop` and `pause` name the caller. The keys
        // `overtime_periods` and `overtime_moves` of a side show its overtime. An incident is the
        // line itself.
        GameEventKind::Clock(EventKind::Call { .. } | EventKind::Overtime { .. })
        | GameEventKind::Incident { .. } => return None,
        GameEventKind::Called { by } => (json.kind, json.by) = ("call", Some(by.as_str())),
        GameEventKind::Claim { by, ground } => {
            (json.by, json.ground) = (Some(by.as_str()), ground.map(Ground::as_str));
        }
        GameEventKind::Ruling { ruling, .. } => json.ruling = Some(ruling.as_str()),
        GameEventKind::Penalty(penalty) => {
            let (time, cause) = (penalty.time, penalty.cause);
            json.penalty = Some(penalty.kind.as_str());
            json.time_ns = (!time.is_zero()).then(|| time.as_nanos());
            json.points = penalty.kind.has_points().then(|| points(penalty.half_points));
            json.cause = cause.filter(|it| *it != PenaltyCause::Other).map(PenaltyCause::as_str);
        }
        GameEventKind::IllegalMove { number, .. } => {
            (json.kind, json.number) = ("illegal", Some(number));
        }
        // The kind and the side say it.
        GameEventKind::Clock(EventKind::Gong { .. })
        | GameEventKind::DefaultDue { .. }
        | GameEventKind::ScoreOff { .. }
        | GameEventKind::Hold { .. } => {}
    }
    Some(json)
}

#[cfg(test)]
mod tests;
