"""Presses at about the instant of White's flag: the script for the guest, and the check of its results.

The kernel's stamps decide what is right: a press stamped before the flag's instant is in time, and one
stamped at that instant or later is not.
"""

from board import LINES


def run(count):
    """A part of a script that makes so many races. The loop's edges are captured in /tmp/race."""
    return f"""
        until_prints ready clockctl status
        capture race
        runuser -u root -g arbiter -- clock-guest flag-race $LINES {LINES["white"]} --count {count} >/tmp/races
        stop_capture
    """


def check(case, races, edges, count):
    """Checks every decision. Returns the races, each with the edge of its press."""
    closings = [edge for edge in edges if edge.line == "white" and edge.active]
    case.assertEqual(len(races), count)
    # The presses that only calibrate come first and are not reported.
    pairs = list(zip(races, closings[-count:]))
    for race, edge in pairs:
        case.assertLessEqual(race["before"], edge.stamp)
        case.assertLessEqual(edge.stamp, race["after"])
        case.assertEqual(race["in_time"], edge.stamp < race["flag"], (edge, race))
        if race["in_time"]:
            case.assertEqual(race["press"], edge.stamp)
        else:
            case.assertEqual(race["flag_fell"], race["flag"])
    return pairs
