"""Reads the files of kas with kas itself, without fetching what they name.

usage: check-kas.py FILE...

kas checks each file against its schema and follows the includes. Then each file with a board has its machine, the layer of
this repository, and only layers that are pinned to a commit.
"""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

from kas.context import create_global_context
from kas.includehandler import IncludeHandler
from kas.kasusererror import KasUserError

MACHINES = {
    "pi-zero-2": "raspberrypi0-2w-64",
    "pi-4": "raspberrypi4-64",
    "pi-5": "raspberrypi5",
    "qemuarm64": "qemuarm64",
}
PINNED = re.compile(r"[0-9a-f]{40}")


def mistakes(path):
    try:
        configuration, missing = IncludeHandler([str(path)], str(path.parent.parent.parent)).get_config()
    except KasUserError as error:
        yield str(error)
        return
    if missing:
        yield f"includes files of other repositories: {missing}"
    wanted = MACHINES.get(path.stem)
    if wanted and configuration.get("machine") != wanted:
        yield f"machine is {configuration.get('machine')}, not {wanted}"
    repos = configuration["repos"]
    if wanted and "yocto/meta-chessclock" not in (repos.get("chess-clock", {}).get("layers") or {}):
        yield "the layer of this repository is missing"
    for name, repo in repos.items():
        commit = (repo or {}).get("commit", "")
        if (repo or {}).get("url") and not PINNED.fullmatch(commit):
            yield f"{name}: commit is {commit or 'missing'}, not 40 hexadecimal digits"


def main():
    # What kas has from its command line.
    create_global_context(SimpleNamespace(no_color=True))
    files = [Path(name).resolve() for name in sys.argv[1:]]
    found = [f"{path}: {mistake}" for path in files for mistake in mistakes(path)]
    found += [f"there is no kas/{name}.yml" for name in MACHINES if name not in {path.stem for path in files}]
    if found:
        sys.exit("\n".join(found))


main()
