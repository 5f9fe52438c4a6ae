//! The questions that await an answer, and the answers that the profile allows now.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{Action, LatePlayers, Ruling};
use crate::rules::facts::{Facts, Offender};
use crate::rules::profile::{FlagCaller, Profile};
use crate::words::words;
use crate::{Instant, Outcome, PerSide, Phase, Side, Span, View};

words! {
    /// What awaits an answer.
    QuestionKind {
        /// An illegal move that loses the game (`illegal_loses_at`): lost, or drawn?
        IllegalMove = "illegal-move",
        /// A draw claim.
        Claim = "claim",
        /// A request for an increment, which is a draw offer, too.
        Request = "request",
        /// Both final flags are down, and there is doubt which fell first.
        FlagOrder = "flag-order",
        /// A flag is down in a period with a number of moves: were these moves made?
        MovesMade = "moves-made",
        /// A flag is down, and the decision on it is awaited: `moves-made` is answered, or all
        /// remaining moves are due.
        Flag = "flag",
        /// A player has stopped the clocks.
        Stop = "stop",
        /// A player is later than the default time.
        Default = "default",
        /// A draw claim whose decision is postponed.
        PostponedClaim = "postponed-claim",
    }
}

words! {
    /// What has been done about a question that nobody at the board can answer alone.
    #[derive(Default)]
    QuestionProgress {
        /// White has confirmed.
        White = "white-confirmed",
        /// Black has confirmed.
        Black = "black-confirmed",
        /// Both players have confirmed.
        Both = "both-confirmed",
        /// The call button was pressed: the game goes on [`RESUMES_AFTER`](super::RESUMES_AFTER)
        /// this press. [`Question::since`] is the instant of the press.
        Resuming = "resuming",
        /// The claim was sent to the designated arbiter, who is not at the board.
        Referred = "referred",
        /// Nothing.
        #[default]
        #[serde(other)]
        Nothing = "",
    }
}

impl QuestionProgress {
    fn of(confirmed: PerSide<bool>) -> QuestionProgress {
        match (confirmed.white, confirmed.black) {
            (false, false) => QuestionProgress::Nothing,
            (true, false) => QuestionProgress::White,
            (false, true) => QuestionProgress::Black,
            (true, true) => QuestionProgress::Both,
        }
    }
}

/// Something that awaits an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What kind of question it is.
    pub kind: QuestionKind,
    /// The side that the question is about; `None` for a stop with the call button and for
    /// [`QuestionKind::FlagOrder`].
    pub side: Option<Side>,
    /// The instant since which the question has been waiting for an answer.
    pub since: Instant,
    /// What has been done about the question.
    pub progress: QuestionProgress,
}

/// The most questions that can be open at once.
pub const MAX_QUESTIONS: usize = 9;
/// The most answers to one question.
pub const MAX_ANSWERS: usize = 8;

/// The open questions, the most urgent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions([Option<Question>; MAX_QUESTIONS]);

impl Questions {
    /// The questions.
    pub fn iter(&self) -> impl Iterator<Item = Question> + '_ {
        self.0.iter().copied().flatten()
    }

    fn push(&mut self, kind: QuestionKind, side: Option<Side>, since: Instant) {
        if let Some(free) = self.0.iter_mut().find(|place| place.is_none()) {
            let progress = QuestionProgress::Nothing;
            *free = Some(Question { kind, side, since, progress });
        }
    }

    /// Notes on the question of the stop that the countdown has begun.
    fn begin_countdown(&mut self, since: Instant) {
        let stops = self.0.iter_mut().flatten().filter(|it| it.kind == QuestionKind::Stop);
        for question in stops {
            (question.since, question.progress) = (since, QuestionProgress::Resuming);
        }
    }

    fn note(&mut self, kind: QuestionKind, progress: QuestionProgress) {
        for question in self.0.iter_mut().flatten().filter(|question| question.kind == kind) {
            question.progress = progress;
        }
    }
}

/// An answer that is allowed now, with its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The ruling that gives this answer.
    pub ruling: Ruling,
    /// The late players that the ruling names.
    pub side: Option<LatePlayers>,
    /// The award that the ruling names.
    pub award: Option<Span>,
    /// The phase after the ruling.
    pub phase: Phase,
    /// The result after the ruling.
    pub outcome: Option<Outcome>,
    /// By how much the number that each side shows grows, in nanoseconds; negative if it falls.
    pub delta_ns: PerSide<i64>,
}

impl Answer {
    /// The action that gives this answer.
    pub const fn action(&self) -> Action {
        let Answer { ruling, side, award, .. } = *self;
        Action::Rule { ruling, side, award }
    }
}

/// The answers to a question that are allowed now, the usual one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers([Option<Answer>; MAX_ANSWERS]);

impl Answers {
    /// The answers.
    pub fn iter(&self) -> impl Iterator<Item = Answer> + '_ {
        self.0.iter().copied().flatten()
    }
}

impl Game {
    /// The most urgent open question, as the scripts of `clockctl simulate` show it. The scripts
    /// know one question about a flag, [`QuestionKind::MovesMade`], so it is returned in place of
    /// [`QuestionKind::Flag`] while nobody has said yet whether the moves were made before the flag.
    /// Afterwards, [`QuestionKind::Flag`] can wait, as [`QuestionKind::PostponedClaim`] always can,
    /// so neither of the two is ever returned.
    pub fn question(&self) -> Option<QuestionKind> {
        let questions = self.questions();
        let mut kinds = questions.iter().map(|question| match question.kind {
            QuestionKind::Flag if self.flag_in_question().is_some() => QuestionKind::MovesMade,
            kind => kind,
        });
        kinds.find(|kind| !matches!(kind, QuestionKind::Flag | QuestionKind::PostponedClaim))
    }

    /// Everything that awaits an answer.
    pub fn questions(&self) -> Questions {
        let mut open = Questions::default();
        if self.clock.phase() == Phase::Over || self.profile.is_none() {
            return open;
        }
        let Facts {
            sides,
            stop,
            claim,
            request,
            losing_illegal_move,
            // `questions_of_flags` reads `order_unknown`, `clock_in_doubt` and the flags of the
            // sides.
            order_unknown: _,
            clock_in_doubt: _,
            // `settle` uses `doubt_of_earlier_clock`, and `illegal_move` uses `replied_to`.
            doubt_of_earlier_clock: _,
            replied_to: _,
            // The next five fields are no questions: they decide which commands are allowed.
            increment_agreed: _,
            stop_penalty: _,
            asked: _,
            attached: _,
            concluded: _,
            countdown_since,
            // If a claim was referred, `QuestionProgress::Referred` is the progress of its
            // question.
            referred,
            // `final_ruling` is no question. `reopen` uses it.
            final_ruling: _,
            // An adjournment and an announcement are no questions. `Game::adjourned` and
            // `Game::announcement` return them.
            adjourned: _,
            announcement: _,
            // These four fields are no questions. The instant `default_due` and the time that White
            // has used are computed from them.
            session_start: _,
            session_is_game: _,
            game_start: _,
            white_given: _,
        } = self.facts;
        if let Some((side, since)) = losing_illegal_move {
            open.push(QuestionKind::IllegalMove, Some(side), since);
        }
        if let Some(claim) = claim.filter(|claim| !claim.postponed) {
            open.push(QuestionKind::Claim, Some(claim.by), claim.at);
        }
        if let Some(request) = request {
            open.push(QuestionKind::Request, Some(request.by), request.at);
        }
        self.questions_of_flags(&mut open);
        if let Some(stop) = stop {
            let side = match stop.by {
                Offender::Player(side) => Some(side),
                Offender::Either => None,
            };
            open.push(QuestionKind::Stop, side, stop.at);
        }
        for side in Side::BOTH {
            if let Some(since) = sides[side].default_due {
                open.push(QuestionKind::Default, Some(side), since);
            }
        }
        if let Some(claim) = claim.filter(|claim| claim.postponed) {
            open.push(QuestionKind::PostponedClaim, Some(claim.by), claim.at);
        }
        if referred {
            open.note(QuestionKind::Claim, QuestionProgress::Referred);
            open.note(QuestionKind::PostponedClaim, QuestionProgress::Referred);
        }
        if self.is_unsupervised() {
            let of_resume = sides.map(|side| side.confirmed_resume);
            let of_order = sides.map(|side| side.confirmed_order_unknown);
            open.note(QuestionKind::Stop, QuestionProgress::of(of_resume));
            if let Some(since) = countdown_since {
                open.begin_countdown(since);
            }
            open.note(QuestionKind::FlagOrder, QuestionProgress::of(of_order));
        }
        open
    }

    fn questions_of_flags(&self, open: &mut Questions) {
        let Some((first, flag)) = self.facts.first_open_flag() else { return };
        if self.facts.order_unknown {
            return;
        }
        if self.both_flags_down() && self.facts.clock_in_doubt {
            open.push(QuestionKind::FlagOrder, None, flag.at);
        }
        match self.moves_in_question() {
            Some((side, flag)) => open.push(QuestionKind::MovesMade, Some(side), flag.at),
            None => open.push(QuestionKind::Flag, Some(first), flag.at),
        }
    }

    /// The answers to a question that the rules allow at `at`. They are found by trying each
    /// candidate on a copy of the game.
    pub fn answers(&self, question: &Question, at: Instant) -> Answers {
        let mut answers = Answers::default();
        let loser = match question.kind {
            QuestionKind::FlagOrder | QuestionKind::MovesMade | QuestionKind::Flag => {
                self.facts.first_open_flag().map(|(side, _)| side)
            }
            _ => question.side,
        };
        let allowed = candidates(question, &self.rules(), loser)
            .into_iter()
            .flatten()
            .filter(|given| self.is_about(question, given.0))
            .filter_map(|(ruling, side, award)| self.try_answer(ruling, side, award, at));
        for (place, answer) in answers.0.iter_mut().zip(allowed) {
            *place = Some(answer);
        }
        answers
    }

    /// Whether an allowed ruling answers this question. A ruling can be allowed only because it
    /// answers another open question.
    fn is_about(&self, question: &Question, ruling: Ruling) -> bool {
        // If the flag of the claimant fell first, the ruling that the claimant has lost answers the
        // question of the flag, and not that of the claim.
        let flag = self.facts.first_open_flag().filter(|_| !self.facts.order_unknown);
        question.kind != QuestionKind::PostponedClaim
            || ruling.loser().is_none()
            || flag.is_none_or(|(flagged, _)| question.side != Some(flagged))
    }

    fn try_answer(
        &self,
        ruling: Ruling,
        side: Option<LatePlayers>,
        award: Option<Span>,
        at: Instant,
    ) -> Option<Answer> {
        let mut trial = *self;
        trial.handle_timeout(at).ok()?;
        let before = trial.view(at);
        trial.handle_command(Action::Rule { ruling, side, award }.into(), at).ok()?;
        let after = trial.view(at);
        let delta = |side| grown(&before, &after, side);
        let delta_ns = PerSide { white: delta(Side::White), black: delta(Side::Black) };
        Some(Answer { ruling, side, award, phase: after.phase, outcome: after.outcome, delta_ns })
    }
}

fn grown(before: &View, after: &View, side: Side) -> i64 {
    let [before, after] = [before, after]
        .map(|view| i64::try_from(view.sides[side].remaining.as_nanos()).unwrap_or(i64::MAX));
    after.saturating_sub(before)
}

/// A ruling with its late players and its award.
type Given = (Ruling, Option<LatePlayers>, Option<Span>);

/// The rulings that answer a question under at least one profile, the usual answer first. `loser`
/// is the player whom a ruling on this question can make lose.
fn candidates(
    question: &Question,
    rules: &Profile,
    loser: Option<Side>,
) -> [Option<Given>; MAX_ANSWERS] {
    let rule = |ruling| Some((ruling, None, None));
    let lost = loser.and_then(|side| rule(Ruling::lost_by(side)));
    // A postponement without an award gives no time. It is always offered, so a postponement with
    // an award of 0 would be the same answer again.
    let award = Some(rules.postpone_award).filter(|award| !award.is_zero());
    let postpone = award.map(|_| (Ruling::Postpone, None, award));
    let call = rule(Ruling::Call);
    // If the arbiter is required to announce a flag that nobody called, the call is offered first
    // (S3 6.3); otherwise it is offered later.
    let (first, later) = match rules.flag_caller {
        FlagCaller::ArbiterMust => (call, None),
        FlagCaller::Arbiter | FlagCaller::Players => (None, call),
    };
    let default = |side, ruling| Some((ruling, Some(side), None));
    let late = question.side.map_or(LatePlayers::Both, LatePlayers::from);
    let answers: &[Option<Given>] = match question.kind {
        QuestionKind::IllegalMove => &[lost, rule(Ruling::Drawn)],
        QuestionKind::Claim => {
            &[rule(Ruling::Reject), rule(Ruling::Postpone), postpone, rule(Ruling::Drawn)]
        }
        QuestionKind::Request => &[
            rule(Ruling::DrawRefused),
            rule(Ruling::DrawAccepted),
            rule(Ruling::IncrementAgreed),
            rule(Ruling::IncrementRefused),
        ],
        QuestionKind::FlagOrder => &[rule(Ruling::OrderUnknown), lost, rule(Ruling::Drawn)],
        QuestionKind::MovesMade => &[
            first,
            rule(Ruling::Made),
            rule(Ruling::NotMade),
            rule(Ruling::NotEstablished),
            later,
            lost,
            rule(Ruling::Drawn),
        ],
        // In the period in which all remaining moves are due, the arbiter can note as well that
        // they were not made (S0 6.3). In an earlier period, another answer replaces the one given.
        QuestionKind::Flag => &[
            call,
            lost,
            rule(Ruling::Drawn),
            rule(Ruling::Made),
            rule(Ruling::NotMade),
            rule(Ruling::NotEstablished),
        ],
        QuestionKind::Stop => {
            &[rule(Ruling::Valid), rule(Ruling::NotObvious), rule(Ruling::ObviouslyInvalid)]
        }
        QuestionKind::Default => &[
            default(late, Ruling::Waive),
            default(late, Ruling::Forfeit),
            default(LatePlayers::Both, Ruling::Forfeit),
        ],
        QuestionKind::PostponedClaim => &[rule(Ruling::Drawn), rule(Ruling::Reject), lost],
    };
    let mut all = [None; MAX_ANSWERS];
    for (place, answer) in all.iter_mut().zip(answers) {
        *place = *answer;
    }
    all
}
