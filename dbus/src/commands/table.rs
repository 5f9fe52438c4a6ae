//! The table of the commands.

/// Passes all commands to the macro `$then`. A row is `Method "name" function(arguments)`: the method on the
/// bus, the name in the log, in the record and in scripts, and the function of
/// [`ArbiterProxy`](crate::ArbiterProxy). After `=` is the engine's command that the arguments alone
/// determine; the service makes the others from the record, the library or the names of the game.
///
/// The comments are the documentation on the bus. The description of an argument whose type is a word is
/// followed there by all its words, if it names none itself. The keys of a dictionary follow the first
/// paragraph of its command.
///
/// The types in the rows are those that the module `commands` exports.
#[macro_export]
macro_rules! with_commands {
    ($then:ident) => {
        $then! {
            /// Starts White's clock. Allowed only in the phase ready. Refused while the button board is gone
            /// (BoardGone).
            Start "start" start() = Command::Start;
            /// Stops both clocks. Allowed only in the phase running.
            Pause "pause" pause(
                /// Who stops the clocks: "arbiter" or "" (the arbiter, which also answers a call), "white" or
                /// "black" (that player, to call the arbiter).
                by: Option<Caller>,
            ) = Command::Pause { by: by.unwrap_or(Caller::Arbiter) };
            /// Starts a clock again. Allowed only in the phase paused. Refused while the button board is gone
            /// (BoardGone).
            ///
            /// If the players have a rocker that does not stand as the side on move requires, a call without a side
            /// is refused (ConfirmOnMove): the arbiter names the side, or pushes the rocker over. A rocker can be
            /// moved while the clock is paused, and a correction of the side on move or an undone press can leave
            /// it on the wrong side.
            Resume "resume" resume(
                /// Whose clock starts: "white", "black", or "" (that of the side on move, whose turn goes on).
                side: Option<Side>,
            ) = Command::Resume { side };
            /// Sets the clock up for a new game. A key that is not given leaves its value as it is, unless its item
            /// says otherwise:
            ///
            /// A game is under way in the phases running, paused and ruling. Without Force such a game is kept, and
            /// the command is refused (GameUnderWay, with both readings). It is also refused while a start is
            /// scheduled, unless StartAtRealtimeNSec is given. An adjourned game is kept if it is on record, and
            /// needs no Force then. If that cannot be read, the command is refused without Force (NoRecord, or
            /// Busy).
            New "new" new_game(
                /// What to set up. The keys are below; each may be left out.
                game: NewGame,
            );
            /// Applies all corrections together, or none. Allowed in the phases ready, paused and ruling.
            ///
            /// The period is set first, then what is left of the overtime, then the time. Overtime periods and
            /// moves left are counted from 1 up to the numbers of the time control; the side is then in overtime,
            /// and the one that is not given stays as it is, or is the number with which an overtime begins if none
            /// had begun. Both are refused in a period without overtime and for a side that is out of time. In
            /// overtime a time of 0 changes nothing. If the time is counted up, a time that reaches the limit is
            /// refused. A time above 0 (counted up: below the limit) given to a side that is out of time annuls its
            /// flag.
            Set "set" set(
                /// What to correct. The keys are below; each may be left out, but not all.
                corrections: Corrections,
            );
            /// Gives main time to a side or takes it. Allowed in the phases ready, paused and ruling.
            ///
            /// The delay left of the turn stays. A cut as large as the main time left is refused. Time given to a
            /// side that is out of time annuls its flag. If the time is counted up, a positive delta lowers the
            /// time used, down to 0, and a negative one raises it; a cut that reaches the limit is refused.
            Add "add" add(
                /// The side.
                side: Side,
                /// The time to give, in nanoseconds; negative to take time; not 0.
                delta_nsec: NotZero,
            ) = Command::Add { side, delta_ns: delta_nsec.0 };
            /// Takes back the last completed move. Allowed in the phases ready, paused and ruling.
            ///
            /// Its side is on move again with the time it had at the press, and what the press added is taken back.
            /// What the opponent's clock used since the press stays used. If the opponent's final flag fell since,
            /// the flag is annulled, and the opponent has the time at the press again. Only one press can be taken
            /// back, and none after a resume of the other side or after a correction. With an hourglass or a gong
            /// the call is refused.
            UndoPress "undo-press" undo_press() = Command::UndoPress;
            /// Ends the game. Both clocks stop and keep their times. Allowed in every phase except over. With a
            /// rule profile an empty reason is refused (InvalidArgument), because the result needs its ground. A
            /// reason that begins with Irish allegro rules 8 is the arbiter's own award of a draw, for which the
            /// profile has conditions.
            Result "result" result(
                /// The result: "1-0", "0-1", "1/2-1/2" or "0-0" (lost by both).
                result: Outcome,
            );
            /// Takes the result back. Allowed only in the phase over. The clock is again in the phase that the
            /// result ended: ready, paused or ruling. If a clock ran, it is paused.
            Reopen "reopen" reopen() = Command::Reopen;
            /// Calls the flags that are down. Both clocks stop, and a ruling is awaited (ruling).
            ClaimFlag "claim-flag" claim_flag(
                /// Who calls the flag: "white", "black", "arbiter", or "bystander" (anyone else, who is refused
                /// with the clause).
                by: Claimant,
                /// What the call rests on: "flag" (the flag at the board), "display" (only what a display shows) or
                /// "display-and-other" (a display, and something else such as the scoresheet).
                evidence: Evidence,
            ) = Action::ClaimFlag { by, evidence };
            /// A player claims a draw. Whether the clocks stop, or the game is concluded, depends on the rule
            /// profile.
            ClaimDraw "claim-draw" claim_draw(
                /// Who claims: "white", "black", "arbiter", or "bystander" (anyone else, who is refused with the
                /// clause).
                by: Claimant,
                /// The ground.
                ground: Ground,
                /// Whether the player stops the clocks, where the rule profile leaves that to the player.
                stop: bool,
                /// The answer to the draw offer before the claim: "accepted" (the game is drawn), "refused", or ""
                /// (none was made).
                offer: Option<OfferAnswer>,
            ) = Action::ClaimDraw { by, ground, stop, offer };
            /// A player requests an increment for both, which is a draw offer, too. Both clocks stop, and the
            /// answer of the opponent is awaited (`Rule()`), then a ruling.
            RequestIncrement "request-increment" request_increment(
                /// Who requests: "white", "black", "arbiter", or "bystander" (anyone else, who is refused with the
                /// clause).
                by: Claimant,
            ) = Action::RequestIncrement { by };
            /// Rules on what `Questions` has, or enters the opponent's answer to the draw offer of a request.
            ///
            /// - On a flag: call is the arbiter's own call; made annuls the flag, with the period and the time as
            ///   if the moves had been completed; not-made and not-established answer the question only;
            ///   white-loses and black-loses, of the side whose flag fell first, and drawn decide the game.
            /// - On the order of both flags: order-unknown.
            /// - On a draw claim: drawn, postpone, reject; the loss of the claimant, if the opponent has made
            ///   progress before the flag, where the profile knows that.
            /// - On a second illegal move: the loss of the offender, or drawn.
            /// - On a request for an increment: draw-accepted (the game is drawn) or draw-refused, the opponent's
            ///   answer; then increment-agreed or increment-refused.
            /// - On a player's stop of the clocks: valid (there was a reason), not-obvious (it is not obvious that
            ///   there was none), obviously-invalid (a penalty is due before the game goes on).
            /// - On a player who arrives later than the default time: forfeit (the player has lost) or waive (the
            ///   game is played). If both are late, forfeit of both gives 0-0, and forfeit of one is refused before
            ///   the lateness of the other is waived. Both are refused once the lateness was waived, and once the
            ///   late player has pressed, because the game is played then.
            ///
            /// lost names no player: it is the loss of the only player who can lose, and is refused where either
            /// can. A ruling that leaves the game open leaves the clocks standing; Resume starts one.
            Rule "rule" rule(
                /// The ruling.
                ruling: Ruling,
                /// The late players, with forfeit and waive: "white", "black" or "both". With every other ruling
                /// "".
                side: Option<LatePlayers>,
                /// The time for the opponent with postpone and reject, in nanoseconds, up to 1000 hours. -1 is no
                /// time with postpone, and the amount of the rule profile with reject. With every other ruling -1.
                award_nsec: OrMinus1<Option<Span>>,
            ) = ruled(ruling, side, award_nsec.0)?;
            /// Applies a penalty. Refused while a clock runs. Points are noted and do not change the result. Points
            /// given to a player, with the result, are at most those of a won game, and points taken off at most
            /// those scored; Result checks this again.
            Penalize "penalize" penalize(
                /// The offender, also if the opponent gets something.
                side: Side,
                /// The penalty.
                kind: PenaltyKind,
                /// The time of opponent-plus and offender-minus, in nanoseconds, up to 1000 hours; otherwise 0.
                time_nsec: Span,
                /// The points of points-off and opponent-points, in half points, up to 1000; 0 takes the earlier
                /// points of this kind back; otherwise 0.
                half_points: u32,
                /// What it answers: "force" (undue force on the clock), "other" or "", which names nothing.
                cause: Option<PenaltyCause>,
            ) = penalty(Penalty { side, kind, time: time_nsec, half_points, cause })?;
            /// The last completed move was illegal. Both clocks stop, the press is taken back with what it added,
            /// and the opponent gets time.
            IllegalMove "illegal-move" illegal_move(
                /// The offender.
                side: Side,
                /// Whether the opponent claims the extra time, where the rule profile gives it on a claim only.
                claimed: bool,
                /// The time for the opponent, in nanoseconds, up to 1000 hours. -1 leaves the amount to the rule
                /// profile.
                award_nsec: OrMinus1<Option<Span>>,
            ) = Action::IllegalMove { side, claimed, award: award_nsec.0 };
            /// A player has arrived at the board. A player who presses has arrived, too.
            Arrive "arrive" arrive(
                /// The player.
                side: Side,
            ) = Action::Arrive(side);
            /// A player confirms something that needs both players. In unsupervised play a press of a button while
            /// the clocks stand confirms, too.
            RecordConfirmation "record-confirmation" record_confirmation(
                /// The player.
                by: Side,
                /// What is confirmed: "resume" (the game goes on), "correction" (an illegal move is corrected
                /// though it was replied to; in unsupervised play any one correction), "order-unknown" (which flag
                /// fell first), or "" (what can be confirmed now).
                what: Option<Confirmation>,
            ) = Action::RecordConfirmation { by, what };
            /// Sends the claim that has concluded or interrupted the game to the designated arbiter. Refused until
            /// what the rule profile requires is attached.
            Refer "refer" refer() = Action::Refer;
            /// Attaches something to the record of the game, which the log contains.
            RecordAttachment "record-attachment" record_attachment(
                /// What it is: "position", "scoresheet", "details" (of a claim) or "witness" (what a witness has
                /// seen).
                kind: Attachment,
                /// The text, or the name of a file and its hash; not empty, and of at most 500 bytes.
                text: Text<TEXT_LIMIT>,
                /// The player who has verified it: "white" or "black"; "" if none has.
                verified_by: Option<Side>,
            ) = attachment(kind, &text, verified_by)?;
            /// Notes that an assistant presses the clock for a player. It changes no clock.
            SetAssistant "set-assistant" set_assistant(
                /// The player who needs an assistant.
                side: Side,
                /// Whether the arbiter accepts the assistant.
                accepted: bool,
            ) = Action::SetAssistant { side, accepted };
            /// Notes an incident. After force, lift and knock a penalty is due before the game goes on.
            Incident "incident" incident(
                /// The player whom it concerns.
                side: Side,
                /// What happened: "force", "lift", "knock", "hand" (pressed with the other hand), "hold" (a finger
                /// was kept on the button), "defect" (of the clock), "gap" (in the record) or "other".
                kind: IncidentKind,
            ) = Action::Incident { side, kind };
            /// Adjourns the game. The sealed move is completed, and both clocks stand. Until `ResumeAdjourned()`,
            /// only New, Import and SetNames are accepted besides it; the adjourned game stays on record.
            Adjourn "adjourn" adjourn(
                /// The player who has sealed, who is on move.
                side: Side,
                /// The sealed move, or where it is kept; of at most 500 bytes. It is written to the log. It may be
                /// empty.
                sealed_move: Text<TEXT_LIMIT>,
            ) = Action::Adjourn { side };
            /// Takes an adjourned game up again. The clocks stand until Resume. A game that is not on the clock any
            /// more is read from the record, also after other games: it is then a new game in the record, with the
            /// whole state of the adjourned one, and imported_from names it. Refused (NotFound) if the game is not
            /// adjourned, (NoRecord) if the record cannot be read, and (GameUnderWay) while a game is under way
            /// that is not adjourned itself.
            ResumeAdjourned "resume-adjourned" resume_adjourned(
                /// The number of an adjourned game; 0 for the game on the clock.
                game: u64,
            );
            /// Changes the increment or the delay of both sides for the rest of the game. Refused while a clock
            /// runs.
            ChangeMethod "change-method" change_method(
                /// What each completed move brings from now on.
                method: Method,
                /// The amount, in nanoseconds, from 1 up to 1000 hours; 0 with none.
                amount_nsec: Span,
                /// Whether the schedule of the event would suffer otherwise, which some profiles require after ten
                /// moves.
                schedule_suffers: bool,
            ) = Action::ChangeMethod { method: time_method(method, amount_nsec)?, schedule_suffers };
            /// Changes the rule profile of the game. Refused while a clock runs, when a result stands, while
            /// something awaits an answer (`Questions`), and after the start for a profile that has to be announced
            /// before it.
            SetRules "set-rules" set_rules(
                /// A name that `ListRules()` returns.
                rules: Text<NAME_LIMIT>,
            );
            /// Replaces a time control that was set up wrongly. The move counters and the side on move stay. With
            /// recompute each side has what it would have if the new time control had held from the start: its
            /// turns are read from the record and played again, with increments, delays, periods and set-backs, and
            /// the present turn goes on; awards and cuts count, and a flag that would not have fallen is annulled.
            /// Refused (InvalidArgument) where a flag would have fallen, and where a turn is not known: after a
            /// correction, an import, a change of the method or a ruling that moves were made, with a gong, and
            /// where entries are lost. Refused (NoRecord) where the record cannot be read. The times can then be
            /// set. A method that ChangeMethod has set ends; an increment that was agreed stays. No earlier press
            /// can be taken back. Refused while a clock runs, when a result stands, while a claim or a request is
            /// open, and where the rule profile forbids the time control.
            ChangeTimeControl "change-time-control" change_time_control(
                /// A name that `ListTimeControls()` returns, or the name of time_control_file.
                time_control: Text<NAME_LIMIT>,
                /// The text of a control file; empty for the time control of that name.
                time_control_file: Text<FILE_LIMIT>,
                /// Whether the turns so far are played again with the new time control; otherwise the times stay.
                recompute: bool,
                /// Whether the schedule of the event would suffer otherwise, which some profiles require after ten
                /// moves.
                schedule_suffers: bool,
            );
            /// Decides which button is White's, which depends on where the clock is placed. It holds for later
            /// games, too, until it is changed or the service is restarted. Refused while a clock runs
            /// (RefusedByRules). A press belongs to the side whose button it was at the instant of the press. A
            /// rocker that stood as the side on move requires no longer does so after an exchange during a game.
            SetButtons "set-buttons" set_buttons(
                /// Whether White uses the button that is wired as Black's; false is as wired.
                exchanged: bool,
            ) = GameCommand::SetButtons(exchanged);
            /// Tells the players something while both clocks stand, such as how long the pause lasts. The face
            /// shows it in place of who stopped the clocks. Refused in the phases ready and running (NotPaused),
            /// and when a result stands.
            Announce "announce" announce(
                /// What the players read, on one line; empty to take the announcement back. Characters that control
                /// a terminal or the direction of text are refused.
                text: Text<ANNOUNCEMENT_LIMIT>,
            ) = GameCommand::Announce(announcement(&text)?);
            /// Corrects names of the game on the clock. A name whose key is not given stays as it is; an empty one
            /// is taken away. Allowed in every phase, also while a clock runs, after the end of the game, and while
            /// the game is adjourned. It changes nothing else. The record of the game has the corrected names, and
            /// the entry has both.
            SetNames "set-names" set_names(
                /// The names to correct. The keys are below; each may be left out, but not all.
                names: Names,
            );
            /// Sets the clock back to what it was right after that entry, in the phase paused (Chess Organisers'
            /// Handbook 6.14). Refused while a clock runs and while a result stands. The time method, the rules and
            /// the names stay as they are now; what was claimed or asked since is closed. Refused (NotFound) if the
            /// present game has no such entry, and (NoRecord) if the record cannot be read. What happened since
            /// stays in the record.
            Rewind "rewind" rewind(
                /// The number of an entry of the present game, as `History.FindMove()` returns it.
                entry: u64,
            );
            /// Takes over a game from another clock, for example one that is defective. It is a new game here,
            /// whose clocks stand: in the phase paused if the game has begun, otherwise in the phase ready. All of
            /// it is applied, or nothing. The keys are those of `New()` and of `Set()`, each with the same meaning
            /// and the same limits, and:
            ///
            /// Which button is White's, and a press that was made before a flag but decided after it, are not taken
            /// over.
            ///
            /// A game under way and a scheduled start are kept without Force, as with New. The caller compares the
            /// state after the command with the other clock before the game goes on.
            Import "import" import(
                /// The game as it stood on the other clock. The keys are below.
                proposal: Proposal,
            );
        }
    };
}
