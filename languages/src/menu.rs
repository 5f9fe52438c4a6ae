//! The words of the menu at the clock.
//!
//! No language has to inflect an inserted word: a text that speaks of a side is there for each side,
//! and a number stands after a label or at a place where its noun has no plural.

/// A title or a line: at most [`LINE_LENGTH`] characters.
pub type Line = &'static str;
/// What a button does: at most [`ACTION_LENGTH`] characters.
pub type Action = &'static str;
/// A part of a line, before a number, a time, a name or another part. The menu's tests measure the
/// lines that are made of it.
pub type Part = &'static str;
/// A text of any length, which the menu wraps. Each of its words fits on a line.
pub type Sentence = &'static str;

/// The most characters of a title or a line.
pub const LINE_LENGTH: usize = 28;
/// The most characters of what a button does.
pub const ACTION_LENGTH: usize = 12;

/// A text of the menu, with what limits its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The field of the structure.
    pub field: &'static str,
    /// The name of the text's type: `Line`, `Action`, `Part` or `Sentence`.
    pub kind: &'static str,
    /// The text.
    pub text: &'static str,
}

trait Texts {
    /// Calls `each` with every text. `field` and `kind` are those of a single text.
    fn texts(&self, field: &'static str, kind: &'static str, each: &mut dyn FnMut(Text));
}

impl Texts for &'static str {
    fn texts(&self, field: &'static str, kind: &'static str, each: &mut dyn FnMut(Text)) {
        each(Text { field, kind, text: self });
    }
}

impl Texts for Option<OwnWords> {
    fn texts(&self, field: &'static str, kind: &'static str, each: &mut dyn FnMut(Text)) {
        if let Some(own) = self {
            own.texts(field, kind, each);
        }
    }
}

/// Two lines, one for each side.
pub type SideLines = BySide<0>;
/// Two parts of a line, one for each side.
pub type SideParts = BySide<1>;

/// A text for each side. `KIND` only tells the kinds of texts apart.
#[derive(Debug)]
pub struct BySide<const KIND: usize> {
    /// The text about White.
    pub white: &'static str,
    /// The text about Black.
    pub black: &'static str,
}

/// The text about White, and the one about Black.
pub(crate) const fn sides<const KIND: usize>(
    white: &'static str,
    black: &'static str,
) -> BySide<KIND> {
    BySide { white, black }
}

impl<const KIND: usize> Texts for BySide<KIND> {
    fn texts(&self, field: &'static str, _: &'static str, each: &mut dyn FnMut(Text)) {
        let kind = ["Line", "Part"][KIND];
        for text in [self.white, self.black] {
            each(Text { field, kind, text });
        }
    }
}

/// Defines structures whose fields are texts or such structures, and implements [`Texts`] for them.
macro_rules! texts {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $(#[$field_doc:meta])* $field:ident: $kind:ident, )+ }
    )+) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        #[allow(missing_docs, reason = "the English text of a field says what it is")]
        pub struct $name { $( $(#[$field_doc])* pub $field: $kind, )+ }

        impl Texts for $name {
            fn texts(&self, _: &'static str, _: &'static str, each: &mut dyn FnMut(Text)) {
                $( self.$field.texts(stringify!($field), stringify!($kind), each); )+
            }
        }
    )+ };
}

type InPlaceOfEnglish = Option<OwnWords>;

texts! {
    /// The words of the menu at the clock.
    Menu {
        /// The title of the first page before a game and after it.
        title: Line,
        /// The title of the first page while both clocks stand in a game.
        game: Line,
        /// The rest of the menu: a line, and what holding the button does.
        more: Line,
        back: Line,
        leave: Line,
        /// The page for two seconds after the menu has closed because nobody pressed a button.
        closed: Line,
        /// The names of the two sides, before a time or a colon.
        side: SideParts,
        keys: Keys,
        new_game: NewGame,
        families: Families,
        settings: Settings,
        backup: Backup,
        standing: Standing,
        correction: Correction,
        questions: Questions,
        answers: Answers,
        penalties: Penalties,
        outcomes: Outcomes,
        phases: PhasesAfter,
        access: Access,
        reports: Reports,
        /// What replaces English texts of the engine. `None` in English.
        own: InPlaceOfEnglish,
    }

    /// What a button does.
    Keys {
        back: Action,
        choose: Action,
        leave: Action,
        next: Action,
        agree: Action,
        done: Action,
    }

    /// The pages of a new game.
    NewGame {
        /// The title of the first page if two of its three choices start White's clock.
        press_starts: Line,
        again: Line,
        sides_exchanged: Line,
        title: Line,
        we_two: Line,
        with_arbiter: Line,
        rules_as_before: Line,
        control: Line,
        all_controls: Line,
        own_controls: Line,
        keep: Line,
        no_time: Sentence,
        own_time: Part,
        own_moves: Part,
        own_per_move: Part,
        own_second: Part,
        method_none: Line,
        method_increment: Line,
        method_delay: Line,
        method_bronstein: Line,
        method_hourglass: Line,
        summary: Line,
        accept: Line,
        game_ends: Line,
        each_keeps_button: Line,
        moves_end_period: Line,
        no_move_limit: Line,
        flag_halts: Line,
        flag_runs: Line,
        /// Before the name of a rule profile.
        rules: Part,
        /// The text in place of the name of the profile for two players without an arbiter.
        rules_we_two: Part,
    }

    /// The families of time controls.
    Families {
        blitz: Line,
        rapid: Line,
        long: Line,
        periods: Line,
        unequal: Line,
        other: Line,
    }

    /// The settings, and the page about the clock.
    Settings {
        whites_button: Line,
        as_wired: Part,
        exchanged: Part,
        sound: Line,
        on: Part,
        off: Part,
        brightness: Line,
        by_schedule: Part,
        /// This line also has the English word in every language, so that somebody who cannot read
        /// the present language finds it.
        language: Line,
        about: Line,
        no_faults: Line,
        /// Before the number of faults.
        faults: Part,
        version: Part,
        /// Before an address of the machine in the network.
        address: Part,
        no_address: Line,
        /// The page while an arbiter tests the buttons.
        button_test: Line,
        presses_do_not_count: Line,
        board: Part,
    }

    /// The backup to a USB stick.
    Backup {
        title: Line,
        what: Sentence,
        writing: Line,
        leave_in: Sentence,
        pull_out: Sentence,
        no_backup: Line,
        no_stick: Sentence,
        several_sticks: Sentence,
        unusable: Sentence,
        full: Sentence,
        read_only: Sentence,
        failed: Sentence,
    }

    /// The pages of a game that stands.
    Standing {
        awaits: Line,
        nothing_awaits: Line,
        correct: Line,
        undo: Line,
        added_time: Line,
        penalties: Line,
        clock_runs: SideLines,
        result: Line,
        no_result: Line,
        on_move: SideLines,
        then_on_move: SideLines,
        /// Before the reading of a side.
        now: Part,
        do_it: Line,
    }

    /// The form of a correction, and the digits of a value.
    Correction {
        exact: Line,
        show_both: Line,
        nothing_changed: Line,
        time: SideParts,
        moves: SideParts,
        period: SideParts,
        before: Part,
        ok: Line,
    }

    /// What awaits an answer.
    Questions {
        illegal_move: Part,
        claim: Part,
        more_time: Part,
        first_flag: Line,
        enough_moves: Part,
        flag: Part,
        too_late: Part,
        postponed_claim: Part,
        stopped_by: SideLines,
        stopped: Line,
    }

    /// The answers.
    Answers {
        has_lost: SideLines,
        made: Line,
        not_made: Line,
        not_established: Line,
        order_unknown: Line,
        lost: Line,
        drawn: Line,
        postpone: Line,
        reject: Line,
        accept: Line,
        agree: Line,
        refuse: Line,
        won: Line,
        reason_valid: Line,
        reason_not_obvious: Line,
        reason_invalid: Line,
        is_played: Line,
        both_lost: Line,
        offer_accepted: Line,
        offer_refused: Line,
        call_flag: Line,
    }

    /// Penalties.
    Penalties {
        who: Line,
        of: SideLines,
        offender: SideLines,
        warning: Line,
        opponent_plus: Line,
        offender_minus: Line,
        loss: Line,
        points_off: Line,
        opponent_points: Line,
        expulsion: Line,
        fine: Line,
    }

    /// Results.
    Outcomes {
        white_wins: Line,
        drawn: Line,
        black_wins: Line,
        both_lose: Line,
    }

    /// What follows an answer.
    PhasesAfter {
        ready: Line,
        running: Line,
        paused: Line,
        ruling: Line,
        over: Line,
    }

    /// The agreement of both players, and the arbiter's code.
    Access {
        both_agree: Line,
        press: SideLines,
        code: Line,
        enter_code: Line,
        then_call: Line,
        wrong_code: Line,
        /// Before a number of seconds.
        wait: Part,
    }

    /// What has become of commands.
    Reports {
        done: Line,
        refused: Line,
        note: Line,
        go_on: Line,
        no_answer: Line,
        look_at_the_clock: Sentence,
        waiting: Line,
        kept_until_start: Sentence,
    }

    /// What replaces English texts of the engine.
    OwnWords {
        control: Control,
        refusal: Refusal,
    }

    /// A time control, in lines.
    Control {
        /// Before a time.
        all_moves_in: Part,
        /// Before the number of moves of a period.
        moves: Part,
        /// Between that number and a time.
        in_time: Part,
        then: Part,
        no_added_time: Part,
        when_either_time_is_up: Sentence,
        when_time_is_up: Sentence,
        /// Before the number of a move.
        when_black_completes: Sentence,
        both_clocks_stop: Sentence,
        for_both: Part,
        again_and_again: Part,
        /// The text before the number of periods of overtime.
        overtime_periods: Part,
        overtime: Part,
        each_move: Part,
        increment: Part,
        delay: Part,
        bronstein: Part,
        /// Before the number of a move.
        from_move: Part,
        from_first_press: Part,
        hourglass: Part,
        gong: Part,
        counted_up: Part,
        at_most: Part,
        draw_wins: SideLines,
        not_possible: Sentence,
    }

    /// Why a command was refused.
    Refusal {
        clock_has_changed: Sentence,
        only_while_clocks_stand: Sentence,
        only_before_the_start: Sentence,
        only_after_the_start: Sentence,
        game_is_over: Sentence,
        no_result_yet: Sentence,
        game_is_under_way: Sentence,
        start_is_scheduled: Sentence,
        rocker: Sentence,
        no_buttons: Sentence,
        by_the_rules: Sentence,
        no_rules: Sentence,
        nothing_to_take_back: Sentence,
        value_not_accepted: Sentence,
        too_much_at_once: Sentence,
        not_by_you: Sentence,
        file_unreadable: Sentence,
    }
}

impl Menu {
    /// Calls `each` with every text of the menu, in an order that is the same for each language.
    pub fn for_each_text(&self, mut each: impl FnMut(Text)) {
        self.texts("menu", "Menu", &mut each);
    }
}
