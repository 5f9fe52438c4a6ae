"""Compares what `make install` installs with the packages of the recipe: a build fails if a file is in no package.

usage: check-files.py RECIPE ROOT    ROOT: what `make install DESTDIR=ROOT PREFIX=/usr` installed
"""

import re
import sys
from fnmatch import fnmatch
from pathlib import Path

# The recipe replaces FILES of the last package; bitbake's default for the documentation is left as it is.
FILES = re.compile(r'^FILES:(\S+) = "(.*?)"', re.MULTILINE | re.DOTALL)
DOCUMENTATION = ["/usr/share/doc", "/usr/share/man"]
FOLDERS = {
    "bindir": "/usr/bin",
    "libexecdir": "/usr/libexec",
    "datadir": "/usr/share",
    "sysconfdir": "/etc",
    "nonarch_libdir": "/usr/lib",
    "nonarch_base_libdir": "/usr/lib",
    "systemd_system_unitdir": "/usr/lib/systemd/system",
}


def installed(root):
    """Files and empty folders."""
    return sorted("/" + str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir() or not any(path.iterdir()))


def main():
    recipe, root = Path(sys.argv[1]), Path(sys.argv[2])
    packages = {name: value.replace("\\\n", " ").split() for name, value in FILES.findall(recipe.read_text())}
    patterns = DOCUMENTATION + [
        re.sub(r"\$\{(\w+)\}", lambda variable: FOLDERS[variable[1]], pattern) for files in packages.values() for pattern in files
    ]
    files = installed(root)
    missing = [file for file in files if not any(fnmatch(file, pattern) or file.startswith(pattern + "/") for pattern in patterns)]
    unused = [pattern for pattern in patterns if not any(fnmatch(file, pattern) or file.startswith(pattern + "/") for file in files)]
    lines = [f"{recipe.name}: no package has {file}" for file in missing]
    lines += [f"{recipe.name}: make install installs nothing for {pattern}" for pattern in unused]
    if lines:
        sys.exit("\n".join(lines))


main()
