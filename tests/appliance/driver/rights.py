"""Who may do what on the system bus, with the policy as it is installed."""

import json

from board import script

# Each caller and the exit status of its `clockctl`: 0 done, 4 denied.
CALLERS = {"alice": 0, "bob": 4, "chess-clock": 4, "root": 4}

ASK = script("""
    until_prints ready clockctl status
    for name in alice bob chess-clock root; do
        status=0
        runuser -u $name -- clockctl start >/tmp/said-$name 2>&1 || status=$?
        read=0
        runuser -u $name -- clockctl status >/dev/null || read=$?
        printf '{"caller": "%s", "status": %s, "read": %s}\\n' $name $status $read
        runuser -u alice -- clockctl pause -q >/dev/null 2>&1 && runuser -u alice -- clockctl new --force -q
    done
    said=$(runuser -u bob -- gdbus call --system -d org.freedesktop.DBus -o /org/freedesktop/DBus \\
        -m org.freedesktop.DBus.RequestName org.chessclock.Clock1 0 2>&1) || true
    printf '{"own": "%s"}\\n' "$(grep -o 'org.freedesktop.DBus.Error.AccessDenied' <<<"$said")"
    # Forged signals: nobody but clockd may send those of the clock.
    clock-guest listen --seconds 2 >/tmp/heard & sleep 0.5
    for member in org.chessclock.Clock1.FlagFell org.freedesktop.DBus.Properties.PropertiesChanged; do
        runuser -u bob -- gdbus emit --system -o /org/chessclock/Clock1 -s $member "'white'" || true
    done
    runuser -u bob -- gdbus emit --system -o /org/chessclock/Other -s org.chessclock.Clock1.FlagFell "'white'" || true
    runuser -u bob -- gdbus emit --system -o /org/example -s org.example.Free "'free'"
    wait
    printf '{"heard": ['; paste -sd, /tmp/heard; printf ']}\\n'
""")


def check(case, output):
    said = [json.loads(line) for line in output.replace('[\n', '[').replace('\n]', ']').splitlines()
            if line.startswith("{")]
    answers = {entry["caller"]: entry["status"] for entry in said if "caller" in entry}
    case.assertEqual(answers, CALLERS)
    case.assertEqual({entry["read"] for entry in said if "read" in entry}, {0})
    case.assertEqual([entry["own"] for entry in said if "own" in entry],
                     ["org.freedesktop.DBus.Error.AccessDenied"])
    heard = [signal for entry in said for signal in entry.get("heard", [])]
    case.assertEqual(heard, ["org.example.Free"])
