//! A new game before it is set up: its lines, and the page that says everything about it: each period,
//! the increment and from which move, what happens at the flag, and whether moves are counted.

use crate::access::{Gate, Need};
use crate::context::Context;
use crate::effect::{MenuCommand, NewGame, NewRules, Proposal, Refusal};
use crate::family::Family;
use crate::key::Keys;
use crate::list::{Item, LineAction, List, PageState};
use crate::page::{LINE_LENGTH, wrap};
use crate::words::face_time;
use clock_controls::NamedControl;
use clock_engine::rules::{Game, GameCommand, GameRefused, Session, Setup};
use clock_engine::text::spoken;
use clock_engine::{AfterFlag, Command, Instant, Phase, Side};

#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub control: NamedControl,
    pub rules: NewRules,
    /// Whether the players exchange their sides, each with the button in front of him.
    pub exchange: bool,
}

/// The name of a control on one line: its notation if that fits, otherwise its title. Overtime keeps
/// its title, because players know its name (byo-yomi) better than its notation.
pub(super) fn name(control: &NamedControl) -> String {
    let has_title = Family::of(&control.control) == Family::Other;
    match spoken(&control.control) {
        Ok(notation) if !has_title && notation.chars().count() <= LINE_LENGTH => notation,
        _ => control.title.clone(),
    }
}

/// A line with this control. The players' own game is set up at once, because it can be set up again
/// as easily. Any other game is first described, and so is each one with `describes`.
pub(super) fn item(
    context: &Context,
    name: impl Into<String>,
    control: &NamedControl,
    (rules, describes): (NewRules, bool),
) -> Item {
    let draft = Draft { control: control.clone(), rules, exchange: false };
    let times = draft.times(context);
    let is_present = control.control == context.situation.control.control;
    // Without a key that goes back, the lines before a cursor in the middle are a whole round away.
    let begins = is_present && !describes && context.keys == Keys::ButtonsAndCall;
    let is_known = !describes && rules != NewRules::Configured && !times[0].is_empty();
    let action = match is_ours(context) && is_known {
        true => LineAction::Give(Box::new(draft.proposal(context))),
        false => LineAction::open(draft.summary()),
    };
    Item::that(name, action).begun(begins).with_times(times)
}

/// The line that sets up a new game with the same control and the same rules as the present game. If
/// `exchange` is `true`, the players exchange their sides.
pub(super) fn again(context: &Context, exchange: bool) -> Option<Item> {
    let (situation, words) = (context.situation, &context.words.new_game);
    let text = if exchange { words.sides_exchanged } else { words.again };
    let is_over = situation.phase() == Phase::Over;
    let control = situation.control.clone();
    let draft = Draft { control, rules: NewRules::AsBefore, exchange };
    let is_new = is_over || exchange;
    if starts_the_clock(context) {
        let set = match is_new {
            true => draft.command(context),
            false => context.command(Command::Start.into()),
        };
        return Some(Item::that(text, LineAction::Command(Box::new(set), is_new)));
    }
    if is_ours(context) {
        return is_new.then(|| Item::give(text, draft.proposal(context)));
    }
    Item::guarded(context, Need::NewGame, text, draft.summary()).filter(|_| is_over)
}

/// Whether the players decide alone about the next game.
fn is_ours(context: &Context) -> bool {
    let situation = context.situation;
    let is_free = situation.players_agree() && !situation.set_up_over_bus;
    is_free && !situation.is_under_way() && context.gate(Need::NewGame) == Gate::Open
}

/// Whether a tile can start White's clock. A rocker must first be pushed to Black's side, and that
/// throw starts the clock.
pub(super) fn starts_the_clock(context: &Context) -> bool {
    is_ours(context) && !context.keys.is_rocker() && context.situation.until_start.is_none()
}

impl Draft {
    pub fn summary(self) -> PageState {
        PageState::list(move |context| self.list(context))
    }

    fn list(&self, context: &Context) -> List {
        let (words, names) = (context.words, &context.words.new_game);
        let control = &self.control.control;
        let setup = self.setup(context);
        let tried = Game::new(&setup, Instant::ZERO);
        let mut lines: Vec<String> = Vec::new();
        if setup.force {
            lines.push(names.game_ends.to_owned());
        }
        if self.exchange {
            lines.push(names.each_keeps_button.to_owned());
        }
        lines.extend(words.control(control));
        let in_force = tried.as_ref().map_or(*control, |game| *game.clock().control());
        lines.push(match in_force.after_flag() {
            AfterFlag::Halt => names.flag_halts.to_owned(),
            AfterFlag::Run => names.flag_runs.to_owned(),
        });
        let counted = control.periods().iter().any(|period| period.moves.is_some());
        lines.push(if counted { names.moves_end_period } else { names.no_move_limit }.to_owned());
        if let Some((name, _)) = context.rules(self.rules) {
            lines.extend(wrap(&words.rules(name)));
        }
        let accept = match tried {
            Ok(_) => {
                let set = self.command(context);
                Some(Item::give(names.accept, Proposal::new(names.title, lines.clone(), set)))
            }
            Err(refused) => {
                lines.extend(words.refusal(&Refusal::from(GameRefused::from(refused))));
                None
            }
        };
        let items = Item::texts(lines).into_iter().chain(accept).collect();
        List::with_back(context, 9, names.summary, items)
    }

    fn setup(&self, context: &Context) -> Setup {
        Setup {
            control: self.control.control,
            profile: context.rules(self.rules).map(|(_, profile)| profile),
            session: Session::Unknown,
            force: context.situation.is_under_way(),
        }
    }

    /// White's and Black's time at the start of the game; empty if the rules refuse the control.
    fn times(&self, context: &Context) -> [String; 2] {
        let Ok(game) = Game::new(&self.setup(context), Instant::ZERO) else {
            return Default::default();
        };
        let view = game.view(Instant::ZERO);
        Side::BOTH.map(|side| face_time(view.sides[side].remaining))
    }

    /// The game, which is set up at once.
    fn proposal(&self, context: &Context) -> Proposal {
        Proposal::new(context.words.new_game.title, Vec::new(), self.command(context))
    }

    fn command(&self, context: &Context) -> MenuCommand {
        let Draft { control, rules, exchange } = self;
        let setup = self.setup(context);
        let command = match exchange {
            true => GameCommand::NewExchanged(setup),
            false => GameCommand::New(setup),
        };
        let new_game = NewGame { control: control.clone(), rules: *rules };
        MenuCommand { new_game: Some(new_game), ..context.command(command) }
    }
}
