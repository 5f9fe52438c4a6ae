// The keys of the language files, with the kind of each text. `build.rs` reads this file as data, to
// check the language files, and `lib.rs` makes the types of it. What each text says and where it is
// shown is in `texts/en.toml`.
//
// `Sides![Line]` is a line for White and one for Black. `With![number]` is a text with the place
// `{number}`. A program gives several values in the order in which the places are named here.

structure! {
mod words {
    /// All words of one language.
    Words {
        // The name of the language in the language itself, as the menu lists it.
        name: Text;
        card: Card;
        face: Face;
        menu: Menu;
    }
}

mod card {
    /// The words of the card for the clock's foot.
    Card {
        title: Text;
        // To start and play, to stop and go on, to set up, to choose from a list, and the flag.
        lines: [CardLine; 5];
    }
    /// A line of the card: what it is about, and what to do.
    CardLine { about text: Text; }
}

mod face {
    /// The words of the face.
    Face {
        sides letters: Sides![Text];
        colon: Separator;
        flag: Text;
        notes: Notes;
        battery battery_low: With![left];
        enlarge: [With![size]; 2];
        starting: Text;
        no_service: [Text; 2];
        none: Text;
        no_service_remedy: [Text; 2];
        stale: [Text; 3];
        stale_phase: [With![phase]; 2];
        signs: Signs;
        phases: Phases;
        paused: Paused;
        for_arbiter: Text;
        faults: Faults;
        buttons: Buttons;
        hold: Text;
        release: Release;
    }
    /// The texts beside the times.
    Notes {
        used: Text;
        used_of: With![limit];
        last_known: Text;
        delay delay_short: With![seconds];
        earlier: With![flag];
        first second: Text;
        overtime: With![periods];
        overtime_moves: MovesLeft;
        moves period period_short: With![number];
        period_of: With![number, periods];
        rules: With![name];
        per_move: PerMove;
        from_first: With![control];
    }
    /// A text for White, for Black, and without a side, and a short text.
    Sign { white black nobody short: Text; }
    /// The reasons why the arbiter is awaited.
    Signs { called claim claim_pending late: Sign; }
    /// The phases of the game.
    Phases {
        ready: Text;
        black_starts arbiter_starts: [Text; 2];
        scheduled: [With![time]; 2];
        countdown: With![start, left];
        adjourned: Text;
        ruling: [Text; 2];
        time_is_up: Sides![Text];
        both_times_are_up: Text;
        enter_result: [With![phase]; 2];
        wins: Wins;
        draw result on_time: With![result];
        next_game: [With![result]; 2];
        round board: With![name];
        now: With![method];
        changed: Text;
    }
    /// What stopped the clocks.
    Paused {
        paused by_arbiter: Text;
        by_player: Sides![Text];
        by_button board_gone power_cut: Text;
        to_note: [Text; 3];
        goes_on_in: With![time];
        both_press: [Text; 2];
        pressed: Sides![Text];
    }
    /// A fault.
    Fault { long: Text; remedy: Remedy; short: Text; }
    /// The faults that the face shows.
    Faults {
        board_gone stuck_white stuck_black stuck_call rocker_crossed power_cut restarted
        press_before_flag memory_damaged configuration_refused record_mismatch record_lost storage
        clock_rate: Fault;
    }
    /// The buttons on a page of the menu. Those of the players have the names of the sides.
    Buttons { rocker call call_held both_held: Text; }
    /// The buttons that open the menu must be released.
    Release { word what line: Text; }
    /// The texts before the result of a game that White or Black has won.
    Wins { white black: With![result]; }
    /// The moves that are left, for one move and for every other number.
    MovesLeft { one others: With![moves]; }
    /// A time and the seconds that are added for each move. `one` is the text for one second, and
    /// `others` is the text for every other number of seconds.
    PerMove { one others: With![time, seconds]; }
}

mod menu {
    /// The words of the menu at the clock.
    Menu {
        title game more back leave closed: Line;
        side: Sides![Part];
        keys: Keys;
        new_game: NewGame;
        families: Families;
        settings: Settings;
        backup: Backup;
        standing: Standing;
        correction: Correction;
        questions: Questions;
        answers: Answers;
        penalties: Penalties;
        outcomes: Outcomes;
        phases: PhasesAfter;
        access: Access;
        reports: Reports;
        own: Option<OwnWords>;
    }
    Keys { back choose leave next agree done: Action; }
    NewGame {
        press_starts again sides_exchanged title we_two with_arbiter rules_as_before control
        all_controls own_controls keep: Line;
        no_time: Sentence;
        own_time own_moves own_per_move own_second: Part;
        method_none method_increment method_delay method_bronstein method_hourglass summary accept
        game_ends each_keeps_button moves_end_period no_move_limit flag_halts flag_runs: Line;
        rules: With![name];
        rules_we_two: Part;
    }
    Families { blitz rapid long periods unequal other: Line; }
    Settings {
        whites_button: Line;
        as_wired exchanged: Part;
        sound: Line;
        on off: Part;
        brightness: Line;
        by_schedule: Part;
        language about no_faults: Line;
        faults: With![number];
        version: With![version];
        address: With![address];
        no_address button_test presses_do_not_count: Line;
        board: With![name];
    }
    Backup {
        title: Line;
        what: Sentence;
        writing: Line;
        leave_in pull_out: Sentence;
        no_backup: Line;
        no_stick several_sticks unusable full read_only failed: Sentence;
    }
    Standing {
        awaits nothing_awaits correct undo added_time penalties: Line;
        clock_runs: Sides![Line];
        result no_result: Line;
        on_move then_on_move: Sides![Line];
        now: With![reading];
        do_it: Line;
    }
    Correction {
        exact show_both nothing_changed: Line;
        time moves period: Sides![Part];
        before: With![value];
        ok: Line;
    }
    Questions {
        illegal_move claim more_time: Part;
        first_flag: Line;
        enough_moves flag too_late postponed_claim: Part;
        stopped_by: Sides![Line];
        stopped: Line;
    }
    Answers {
        has_lost: Sides![Line];
        made not_made not_established order_unknown lost drawn postpone reject agree refuse
        reason_valid reason_not_obvious reason_invalid is_played both_lost offer_accepted
        offer_refused call_flag: Line;
    }
    Penalties {
        who: Line;
        of offender: Sides![Line];
        warning opponent_plus offender_minus loss points_off opponent_points expulsion fine: Line;
    }
    Outcomes { white_wins drawn black_wins both_lose: Line; }
    PhasesAfter { ready running paused ruling over: Line; }
    Access {
        both_agree: Line;
        press: Sides![Line];
        code enter_code then_call wrong_code: Line;
        wait: With![time];
    }
    Reports {
        done refused note go_on no_answer: Line;
        look_at_the_clock: Sentence;
        waiting: Line;
        kept_until_start: Sentence;
    }
    /// What replaces English texts of the engine.
    OwnWords { control: Control; refusal: Refusal; }
    Control {
        all_moves_in: With![time];
        moves: With![moves];
        in_time: With![moves, time];
        then: With![period];
        no_added_time: Part;
        when_either_time_is_up when_time_is_up: Sentence;
        when_black_completes: With![number];
        both_clocks_stop: Sentence;
        for_both: With![time];
        again_and_again: Part;
        overtime_periods: With![number];
        overtime: Part;
        each_move increment delay bronstein: With![time];
        from_move: With![number];
        from_first_press: Part;
        hourglass gong: With![time];
        counted_up: Part;
        at_most: With![time];
        draw_wins: Sides![Line];
        not_possible: Sentence;
    }
    Refusal {
        clock_has_changed only_while_clocks_stand only_before_the_start only_after_the_start
        game_is_over no_result_yet game_is_under_way start_is_scheduled rocker no_buttons
        by_the_rules no_rules nothing_to_take_back value_not_accepted too_much_at_once not_by_you
        file_unreadable: Sentence;
    }
}
}
