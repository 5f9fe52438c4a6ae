"""Writes the list of the crates in the three programs as a bill of materials: CycloneDX 1.6, JSON.

usage: release/sbom.py VERSION COMMIT TIME    TIME: of the commit, in seconds since 1970

The same arguments give the same bytes: the serial number is a hash of what is in the list.
"""

import json
import re
import sys
import uuid
from datetime import datetime, timezone

import crates
import licences

DESCRIPTION = "Tournament chess clock for the Raspberry Pi"


def checksums():
    """Those of Cargo.lock, by name and version. Not tomllib, which needs Python 3.11. Cargo writes one key in a line."""
    for table in (crates.TREE / "Cargo.lock").read_text().split("[[package]]\n")[1:]:
        package = dict(re.findall(r'^(\w+) = "(.*)"$', table, re.MULTILINE))
        if "checksum" in package:
            yield (package["name"], package["version"]), package["checksum"]


def reference(key):
    return "{}@{}".format(*key)


def expression(licence):
    # `A/B` is the older form of `A OR B`, which SPDX does not have.
    return [{"expression": re.sub(r"\s*/\s*", " OR ", licence)}]


def component(crate, checksum):
    made = {
        "type": "application" if crate.name in crates.PROGRAMS else "library",
        "bom-ref": reference(crate.key),
        "name": crate.name,
        "version": crate.version,
        "licenses": expression(crate.licence),
    }
    if crate.description:
        made["description"] = crate.description
    if crate.source is not None:
        made["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        # In such an address, a plus sign is written as %2B.
        made["purl"] = f"pkg:cargo/{crate.name}@{crate.version.replace('+', '%2B')}"
    return made


def part(entry):
    """What is in the programs and is no crate."""
    return {"type": "library", "bom-ref": entry["name"], "name": entry["name"], "licenses": expression(entry["licence"])}


def graph(found, parts):
    within = {}
    for entry in parts:
        within.setdefault(entry.get("of"), []).append(entry["name"])
    for key, crate in found.items():
        on = [reference(dependency) for dependency in crate.dependencies] + within.get(key[0], [])
        # The standard library and the font.
        on += within.get(None, []) if key[0] in crates.PROGRAMS else []
        yield {"ref": reference(key), "dependsOn": sorted(on)}


def bill(found, locked, parts, version, commit, time):
    programs = [reference(key) for key in found if key[0] in crates.PROGRAMS]
    body = {
        "metadata": {
            "timestamp": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "chess-clock",
                "name": "chess-clock",
                "version": version,
                "description": DESCRIPTION,
                "licenses": expression("MIT OR Apache-2.0"),
                "properties": [{"name": "commit", "value": commit}],
            },
        },
        "components": [component(crate, locked.get(key)) for key, crate in found.items()] + [part(entry) for entry in parts],
        "dependencies": [{"ref": "chess-clock", "dependsOn": programs}, *graph(found, parts)],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": serial.urn, "version": 1, **body}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    made = bill(crates.of_programs(), dict(checksums()), licences.PARTS, sys.argv[1], sys.argv[2], int(sys.argv[3]))
    print(json.dumps(made, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
