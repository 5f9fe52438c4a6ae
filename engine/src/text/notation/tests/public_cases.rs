//! Time controls as they stand in public announcements, lists and files, each with its source.

use super::{read, refused};
use crate::text::{looks_like_notation, spoken};

/// The control that is meant, printed in the notation; or a part of the message of its refusal.
type Case = (&'static str, Result<&'static str, &'static str>);

fn check(cases: &[Case]) {
    for (text, expected) in cases {
        match expected {
            Ok(said) => {
                assert_eq!(spoken(&read(text)).as_deref(), Ok(*said), "{text}");
                assert!(looks_like_notation(text) || text.contains(char::is_alphabetic), "{text}");
            }
            Err(part) => refused(text, &[part]),
        }
    }
}

#[test]
fn us_chess_abbreviations_are_read() {
    check(&[
        // US Chess forum, topic 23199.
        ("40/90 SD/30; inc/30", Ok("40/90, G/30, +30")),
        ("40/90, SD/30; inc30", Ok("40/90, G/30, +30")),
        // US Chess forum, topic 20699.
        ("G/60, inc/30", Ok("G/60+30")),
        ("60 inc 30", Ok("G/60+30")),
        // US Chess forum, topic 15715.
        ("G/30 d/5", Ok("G/30 d5")),
        // US Chess rating reports and announcements.
        ("G/60;d5", Ok("G/60 d5")),
        ("G/60; d5", Ok("G/60 d5")),
        ("G/30;d5", Ok("G/30 d5")),
        ("G/90; +30", Ok("G/90+30")),
        ("G/90; inc/30", Ok("G/90+30")),
        ("G/90 inc30", Ok("G/90+30")),
        ("30/90, SD/1 d5", Err("US Chess")),
        ("40/2, 20/1, SD/1", Err("US Chess")),
        // US Chess forum, topic 416.
        ("40/120, SD/60", Ok("40/120, G/60")),
    ]);
}

#[test]
fn announcements_and_the_lists_of_tournament_programs_are_read() {
    check(&[
        // FIDE, cited in jromang/picochess issue 223.
        ("90’/40+30’/end with incr. 30”/move, starting from move 1", Ok("40/90, G/30, +30")),
        (
            "100’/40+50’/20+15’/end with incr. 30”/move,  starting from move 1",
            Ok("40/100, 20/50, G/15, +30"),
        ),
        // FIDE Grand Prix, cited in lichess-org/lila issue 10554.
        ("15'/game & 10\"/move", Ok("15+10")),
        // The list of SWAR, the program of the Belgian federation.
        ("90 min with incr. 30\"", Ok("G/90+30")),
        ("105 min/40 moves + 15 min. QPF", Ok("40/105, G/15")),
        ("120 min/40 moves + 15 min. with incr. 30\" starting from 40th move", Err("`from 41`")),
        ("120 min/40 moves + 30 min. QPF", Ok("40/120, G/30")),
        ("120 min QPF", Ok("G/120")),
        ("60 min with incr. 30\"", Ok("G/60+30")),
        ("90 min/40 moves + 15 min with incr. 30\" starting from 1st move", Ok("40/90, G/15, +30")),
        ("90 min/40 moves + 30 min with incr. 30\" starting from 1st move", Ok("40/90, G/30, +30")),
        ("10 min. with incr.5\"", Ok("10+5")),
        ("13 min. with incr.3\"", Ok("13+3")),
        ("15 min. QPF", Ok("G/15")),
        ("5 min. with incr. 3\"", Ok("5+3")),
        // Tournaments of the Austrian federation on chess-results.com.
        ("90'/40m + 30'/end & 30\"/m", Ok("40/90, G/30, +30")),
        ("90'/40 moves + 30'/end & 30\"/move from move 1", Ok("40/90, G/30, +30")),
        ("3min + 2sek/Zug", Ok("3+2")),
        ("15 Minuten", Ok("G/15")),
        ("90 min/40 moves + 15 min rest + 30 sec", Ok("40/90, G/15, +30")),
        ("120 min/40 Zuege + 30 Minuten fuer Rest + 30 sec", Ok("40/120, G/30, +30")),
        ("90min + 30s/move", Ok("G/90+30")),
        ("10 Minuten + 3 Sekunden / Zug", Ok("10+3")),
        ("1 Std.", Ok("G/60")),
        ("1min+2sec", Ok("1+2")),
        ("7 min + 5 sec/Zug", Ok("7+5")),
        ("90+30", Ok("G/90+30")),
        ("10 minuta po igraču", Ok("G/10")),
        ("90 min/40 Z + 30 min Rest + 30 Sek", Ok("40/90, G/30, +30")),
        // Record 122 of the sample of FIDE's TRF26, and record 222 of it.
        ("100'x40+15'+30\"", Ok("40/100, G/15, +30")),
        ("pgn:40/6000+30:900+30", Ok("40/100, G/15, +30")),
        // Record 122 of a sample of FIDE's TRF16: 60 minutes for which moves?
        ("40/120, 60", Err("which moves")),
        // The calendar of the German federation.
        ("90 Minuten für 40 Züge + 30 Minuten", Ok("40/90, G/30")),
        ("90 MINUTEN FÜR 40 ZÜGE + 30 MINUTEN", Ok("40/90, G/30")),
        ("90 min für 40 Züge + 30 min + 30 s/Zug", Ok("40/90, G/30, +30")),
        // French announcements.
        ("1h30 + 30s", Ok("G/90+30")),
        ("2h 40 coups 1h KO", Ok("40/120, G/60")),
        ("1h KO", Ok("G/60")),
        ("1h30/40 coups + 30 min + 30 s/coup", Ok("40/90, G/30, +30")),
        ("40 moves in 90 min + 30 min", Ok("40/90, G/30")),
        ("2 h/40 moves + 1 h", Ok("40/120, G/60")),
        ("90 min/40 jugadas + 30 min + 30 seg/jugada", Ok("40/90, G/30, +30")),
    ]);
}

#[test]
fn broadcasts_and_team_leagues_are_read() {
    check(&[
        // Broadcasts of Olympiads.
        ("90 min/40 moves + 30 min + 30s/move", Ok("40/90, G/30, +30")),
        (
            "120 min/40 moves + 60 min/20 moves + 15 min + 30s/move from move 61",
            Ok("40/120, 20/60, G/15, +30 from 61"),
        ),
        ("90min/40 moves + 30min + 30s/move", Ok("40/90, G/30, +30")),
        (
            "100 minutes/40 moves + 40 minutes/rest with 30 seconds increment",
            Ok("40/100, G/40, +30"),
        ),
        ("3'+2''", Ok("3+2")),
        ("90' x 40 + 30' + 30\"", Ok("40/90, G/30, +30")),
        ("90 minutes +30 seconds increment", Ok("G/90+30")),
        ("25 min + 10 sec increment", Ok("25+10")),
        // World Senior Championship 2024: the moves of the first time are missing.
        ("90min + 30min/40 moves + 30s/move", Err("says its moves")),
        // Broadcasts: meant is 1:30:00 and 30 s, but it is also a duration.
        ("1:30:30", Ok("G/1:30:30")),
        ("1:30:00+0:30", Err("0:30:00 or 0:00:30")),
        ("5:00", Err("5:00:00 or 0:05:00")),
        // mliebelt/pgn-viewer issue 269.
        ("60 mins", Ok("G/60")),
        // ecforum, topics 13012, 725 and 9550; the Torbay league.
        ("75 min + 15 min", Err("for which moves")),
        ("35/75 + 15", Err("no time for the moves after move 35")),
        ("35/75, 15", Err("which moves")),
        ("26/72' + G/30' + 30\"/move", Ok("26/72, G/30, +30")),
        ("72' + 30' +30\"/move", Err("for which moves")),
    ]);
}

#[test]
fn tags_of_servers_and_engines_are_read_or_asked_about() {
    check(&[
        // lichess.org and chess.com.
        ("300+3", Err("`pgn:300+3`")),
        ("900+10", Err("`pgn:900+10`")),
        ("1800", Err("`pgn:1800`")),
        ("½+0", Err("`½`")),
        ("1/2+0", Err("no time for the moves after move 1")),
        ("0+1", Ok("0+1")),
        // cutechess issue 810.
        ("0+5", Ok("0+5")),
        ("pgn:0+5", Ok("0+5")),
        ("G/0 d5", Ok("G/0 d5")),
        ("G/1s d5", Ok("G/1s d5")),
        // Disservin/fastchess pull request 353 and issue 306.
        ("40/1:30+1", Err("1:30:00 or 0:01:30")),
        ("pgn:5+0.05; 10+0.1", Err("expected seconds")),
        // The daily games of chess.com; chess-dojo issue 602.
        ("pgn:1/86400", Ok("1/1440 repeat")),
        // fsmosca/PGN-Standard issue 13.
        ("pgn:2700d5", Err("expected seconds")),
        // niklasf/python-chess issue 1031: only the last field has no moves.
        ("pgn:600+5:300", Err("says its moves")),
        // The Candidates Tournament of 2024.
        ("pgn:40/7200:20/3600:900+30", Ok("40/120, 20/60, G/15, +30 from 61")),
        ("pgn:40/5400+30:1800+30", Ok("40/90, G/30, +30")),
        ("pgn:180+2", Ok("3+2")),
        ("pgn:75+0.6", Ok("G/75s, +0:00:00.6")),
        ("pgn:60 mins", Err("expected seconds")),
        ("pgn:?", Err("not known")),
        ("pgn:-", Err("without a time control")),
        // lichess-org/lichobile issue 1214.
        ("6 v 3, +3 v 2", Ok("6 v 3, +3 v 2")),
    ]);
}

#[test]
fn more_announcements_are_read() {
    check(&[
        // FIDE Handbook, quoted at chess.stackexchange.com/questions/17426.
        (
            "90 minutes for the first 40 moves followed by 30 minutes for the rest of the game with \
             an addition of 30 seconds per move starting from move one",
            Ok("40/90, G/30, +30"),
        ),
        // closetgrandmaster.blogspot.com, May 2009: the Australian championship of 2010.
        (
            "90 minutes for 40 moves, followed by 30 minutes for remaining moves, with an increment \
             of 30 seconds per move starting from move 1",
            Ok("40/90, G/30, +30"),
        ),
        // chess.com forum, "Tournament time limit", quoting US Chess.
        ("40/2 SD/1", Err("`40/2h SD/1h`")),
        // chess.com forum, "Specific question on time control".
        ("40/90, SD/30, +30 second increment", Ok("40/90, G/30, +30")),
        ("G/120d10", Ok("G/120 d10")),
        // chessregister.com, The Villages Open 2020.
        ("G/90; inc./15", Ok("G/90+15")),
        // aigames.net, the championship of North Carolina 2024.
        ("G/115 d/5", Ok("G/115 d5")),
        // austinchesstournaments.com, March 2023.
        ("G/35, d5.", Ok("G/35 d5")),
        // hsk1830.de, evening of 14 March 2025.
        ("2 Stunden für 40 Züge, danach 30 Minuten für den Rest der Partie", Ok("40/120, G/30")),
        // schachreisen.eu, the tournament in Bahrain 2025.
        (
            "90 Min./40 Züge, 30 Min./Rest, Bonus 30 Sek./Zug ab dem ersten Zug.",
            Ok("40/90, G/30, +30"),
        ),
        // schachgesellschaftmunotschaffh.jimdo.com, the rules of 2019.
        ("75 Minuten für die ganze Partie, zuzüglich 30 Sekunden pro Zug", Ok("G/75+30")),
        // neuchatel-echecs.ch, the club's championship.
        ("90 minutes + 30 secondes par coup dès le premier coup", Ok("G/90+30")),
        // forum.chesstalk.com, the championship of Varennes.
        ("30 coups / 1h15 + 40 min. mat + 30 secondes", Ok("30/75, G/40, +30")),
        // portomannu.caissa.it, 2020.
        (
            "90’ x 40 mosse + 30’ per finire + incremento 30” dalla prima mossa",
            Ok("40/90, G/30, +30"),
        ),
        // cavalliesegugi.com, the tournament of Circolo Trivulzio 2018.
        ("10 minuti per finire la partita", Ok("G/10")),
        // centediario.com, August 2020.
        ("3 minutos + 2 segundos de incremento por jugada", Ok("3+2")),
        // icelandicopenchess.com, the tournament's rules.
        (
            "90 mins for 40 moves + 30 minutes after move 40. 30 second increment for each move",
            Ok("40/90, G/30, +30"),
        ),
        // mliebelt/pgn-spec-commented issue 13: 40 moves are understood, but not said.
        ("2h/1h+30s", Err("number of moves")),
        // official-stockfish/fishtest issue 653: periods that repeat, in seconds.
        ("40/10", Err("no time for the moves after move 40")),
    ]);
}
