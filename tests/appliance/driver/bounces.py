"""Traces of bouncing contacts, played on the kernel: the script for the guest, and the check of its results.

Every press counts once, dated at its first contact.
"""

from board import IGNORED, LINES, PRESS, SIDES, journal

SEED = 20261121


def run(count, options=""):
    """A part of a script that plays so many traces."""
    return f"""
        stop_clocks
        arbiter new --force --control g90-30 --rules fide-2023 -q
        CURSOR=$(journalctl --show-cursor -qn 1 | sed -n 's/-- cursor: //p')
        edge-player bounce $LINES --seed {SEED} --count {count} --active-low \\
            --lines {LINES["white"]},{LINES["black"]} {options} >/tmp/traces
        sleep 1
        journalctl -u clockd -o json --no-pager --after-cursor "$CURSOR" \\
            MESSAGE_ID={PRESS} MESSAGE_ID={IGNORED} >/tmp/presses
    """


def check(case, traces, entries, count, latest=lambda after: after, least=0.9):
    """Checks the presses of every trace that was played as it was drawn. Prints what was played.

    `latest`: the latest date of a press whose first contact was made by the given instant.
    `least`: at least this part of the traces was played as it was drawn.
    Returns by how much the presses were dated after their first contacts, in nanoseconds.
    """
    found = sorted((int(entry["AT_NSEC"]), entry["SIDE"]) for entry in journal(entries))
    case.assertEqual(len(traces), count)
    # A trace that the player could not play in time is not the trace that was drawn.
    kept = [trace for trace in traces if trace["kept"]]
    case.assertGreaterEqual(len(kept), count * least)
    starts = [trace["start_ns"] for trace in traces] + [1 << 63]
    late = []
    for trace, start, end in zip(traces, starts, starts[1:]):
        if not trace["kept"]:
            continue
        got = [(side, at) for at, side in found if start <= at < end]
        case.assertEqual(sorted(SIDES[press["line"]] for press in trace["presses"]),
                         sorted(side for side, _ in got), trace)
        for press in trace["presses"]:
            before, after = press["before_ns"], press["after_ns"]
            dates = [at for side, at in got
                     if side == SIDES[press["line"]] and before <= at <= latest(after)]
            case.assertTrue(dates, (trace, got))
            late.append(max(0, dates[0] - after))
    classes = sorted({trace["class"] for trace in kept})
    print(f"\n{len(kept)} traces of {count} played true, {len(late)} presses, {len(classes)} classes: "
          f"{', '.join(classes)} ", end="")
    return late
