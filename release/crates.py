"""The crates that the three programs consist of, as cargo resolves them for the platforms of the packages."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
PROGRAMS = ["clockd", "clockctl", "clock-display"]
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
# `2rustix v1.1.6 (…)`: how far from the program, name, version; the rest is not used.
NODE = re.compile(r"(\d+)(\S+) v(\S+)")


@dataclass
class Crate:
    """A crate of the programs; one of this workspace has no source."""

    name: str
    version: str
    licence: str
    description: str
    authors: list
    source: object
    folder: Path
    dependencies: set = field(default_factory=set)

    @property
    def key(self):
        return self.name, self.version


def cargo(*arguments):
    # The sources of the crates must be here: `cargo fetch --locked` brings them.
    command = ["cargo", *arguments, "--locked", "--offline"]
    return subprocess.run(command, cwd=TREE, check=True, text=True, stdout=subprocess.PIPE).stdout


def known(target):
    """Every crate that cargo resolves for a platform, whether a program needs it or not."""
    packages = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", target))["packages"]
    for package in packages:
        yield Crate(
            package["name"],
            package["version"],
            package["license"] or "",
            " ".join((package["description"] or "").split()),
            package["authors"],
            package["source"],
            Path(package["manifest_path"]).parent,
        )


def edges(target, programs):
    """Pairs of a crate, or None for nothing, and a crate that it depends on. Crates that only tests need are left out; those
    of build scripts and of procedural macros are in, because the code that they write is a part of the programs."""
    chosen = [argument for program in programs for argument in ("-p", program)]
    text = cargo("tree", "-e", "normal,build", "--target", target, "--prefix", "depth", "--format", "{p}", *chosen)
    above = []
    for line in filter(None, text.splitlines()):
        depth, name, version = NODE.match(line).groups()
        del above[int(depth) :]
        yield above[-1] if above else None, (name, version)
        above.append((name, version))


def of_programs(programs=PROGRAMS, targets=TARGETS):
    """The crates of these programs by name and version, those of this workspace included."""
    crates, needed = {}, {}
    for target in targets:
        crates.update((crate.key, crate) for crate in known(target))
        for parent, child in edges(target, programs):
            needed.setdefault(child, set())
            if parent:
                needed[parent].add(child)
    for key, dependencies in needed.items():
        crates[key].dependencies = dependencies
    return {key: crates[key] for key in sorted(needed)}
