"""Who can do what on the system bus of the installed system: the attempts of the crate clock-bus-policy."""

import os

from board import journal, objects, script

TREE = os.path.join(os.path.dirname(__file__), "..", "..", "..")
# The users and the policy, where they are installed and where they are in the repository.
FILES = {"policy": ("/usr/share/dbus-1/system.d/org.chessclock.Clock1.conf", "systemd/org.chessclock.Clock1.conf"),
         "users": ("/usr/lib/sysusers.d/chess-clock.conf", "systemd/chess-clock.sysusers")}

ASK = script("""
    until_prints ready clockctl status
    # dbus-daemon reads all of these folders.
    grep -rl chessclock /etc/dbus-1 /usr/share/dbus-1/system.d >/tmp/policies
    getent group arbiter gpio | cut -d: -f1,4 >/tmp/groups
    id -u alice >/tmp/uid
""" + "".join(f"    cp {installed} /tmp/{name}\n" for name, (installed, _) in FILES.items()) + """
    clock-guest bus-policy --account arbiter=alice --account player=bob >/tmp/report
    journalctl --sync
    journalctl -o json --no-pager _PID=$(pidof clockd) >/tmp/journal
    systemctl show -P NRestarts clockd >/tmp/restarts
""")


def check(case, read, bus):
    """`read` returns a file that the script has left. `bus` is the program that must be the bus."""
    [report] = objects(read("report"))
    case.assertEqual("\n".join(report["wrong"]), "")
    case.assertEqual(report["bus"], bus)
    for name, (_, of_tree) in FILES.items():
        with open(os.path.join(TREE, of_tree)) as file:
            case.assertEqual(read(name), file.read(), name)
    case.assertEqual(read("policies").split(), [FILES["policy"][0]])
    case.assertEqual(read("groups").split(), ["arbiter:alice", "gpio:chess-clock"])
    # All commands that reached the clock are the arbiter's. One was carried out: the last, which asked for no answer.
    commands = [entry for entry in journal(read("journal")) if "VERB" in entry]
    case.assertEqual({entry["UID"] for entry in commands}, {read("uid").strip()})
    done = [(entry["VERB"], entry["REASON"]) for entry in commands if "ERROR" not in entry]
    case.assertEqual(done, [("add", "of arbiter")])
    case.assertEqual(read("restarts").strip(), "0")
    print(f"{bus}: {report['attempts']} attempts, all as the table says", end=" ", flush=True)
