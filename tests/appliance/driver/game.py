"""A whole game played on the simulated buttons: the script for the guest, and the check of its results.

Both machines use it. The script runs wholly inside the guest; the check reads the files it has left.
"""

from board import CAPTURE, PRESS, captured, journal, moves, script, taps

SECOND = 1_000_000_000
# fide-standard: 40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1.
START, SECOND_PERIOD, INCREMENT, PERIOD_MOVES = 5400 * SECOND, 1800 * SECOND, 30 * SECOND, 40

PLAYED = ("black", *("white", "black") * PERIOD_MOVES)


def play(gap_ms, options=""):
    """A script that plays a game of 40 moves under the FIDE Laws with the buttons alone. Black's press starts it."""
    return script(CAPTURE + part(gap_ms, options))


def part(gap_ms, options=""):
    """The same as a part of a script."""
    return f"""
        until_prints ready clockctl status
        fide_game
        capture game
        edge-player play $LINES --active-low {options} >/tmp/played <<'END'
{taps(PLAYED, gap_ms)}
END
        sleep 0.1
        stop_capture
        clockctl status --json >/tmp/state
        journalctl -u clockd -o json --no-pager MESSAGE_ID={PRESS} >/tmp/journal
    """


def check(case, played, capture, entries, status, tick=0):
    """Checks that every time used is the difference of the kernel's stamps, to the nanosecond.

    `tick`: how late the kernel may handle a simulated interrupt, in nanoseconds.
    """
    presses = [move for move in moves(played) if move.level]
    edges = captured(capture)
    closings = [edge for edge in edges if edge.active]
    case.assertEqual(len(edges), 2 * len(PLAYED))
    case.assertEqual([edge.line for edge in closings], list(PLAYED))
    for move, edge in zip(presses, closings):
        case.assertLessEqual(move.before, edge.stamp)
        case.assertLessEqual(edge.stamp, move.after + tick)

    entries = journal(entries)
    case.assertEqual([entry["SIDE"] for entry in entries], list(PLAYED))
    case.assertEqual([int(entry["AT_NSEC"]) for entry in entries],
                     [edge.stamp for edge in closings])
    left = {"white": START + INCREMENT, "black": START + INCREMENT}
    counted = {"white": 0, "black": 0}
    for before, edge, entry in zip(closings, closings[1:], entries[1:]):
        side = edge.line
        counted[side] += 1
        left[side] += INCREMENT - (edge.stamp - before.stamp)
        if counted[side] == PERIOD_MOVES:
            left[side] += SECOND_PERIOD
        case.assertEqual(int(entry["REMAINING_NSEC"]), left[side], f"{side}, {counted[side]}")
        case.assertEqual(int(entry["MOVES"]), counted[side])
        case.assertEqual(int(entry["PERIOD"]), 1 + (counted[side] == PERIOD_MOVES))
        case.assertEqual(entry["_SYSTEMD_UNIT"], "clockd.service")
    case.assertEqual(status["black"]["remaining_ns"], left["black"])
    case.assertEqual((status["white"]["moves"], status["black"]["moves"]), (40, 40))
    case.assertEqual((status["white"]["period"], status["black"]["period"]), (2, 2))
    case.assertEqual((status["phase"], status["running"]), ("running", "white"))
