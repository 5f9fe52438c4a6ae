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
    """Checks every decision. Returns the races whose press has a record, each with that record."""
    closings = [edge for edge in edges if edge.line == "white" and edge.active]
    case.assertEqual(len(races), count)
    pairs = []
    for race in races:
        edge = next((edge for edge in closings if race["before"] <= edge.stamp <= race["after"]), None)
        if edge:
            pairs.append((race, edge))
            case.assertEqual(race["in_time"], edge.stamp < race["flag"], (edge, race))
            if race["in_time"]:
                case.assertEqual(race["press"], edge.stamp)
        else:
            # The button was released before the interrupt's thread ran. That may be only after the flag fell.
            case.assertFalse(race["in_time"], race)
            case.assertGreaterEqual(race["after"], race["flag"], race)
        if not race["in_time"]:
            case.assertEqual(race["flag_fell"], race["flag"])
    return pairs
