"""Compares a bill of materials with the schema of CycloneDX, and looks whether it is whole.

usage: check_sbom.py FILE    with a Python that has cyclonedx-python-lib: tests/setup.sh installs it
"""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def mistakes(text):
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        # The whole message has the schema in it, in hundreds of lines.
        yield f"not CycloneDX 1.6: {error.data.json_path}: {error.data.message}"
        return
    bill = json.loads(text)
    listed = [bill["metadata"]["component"]["bom-ref"], *(component["bom-ref"] for component in bill["components"])]
    graph = {entry["ref"]: entry.get("dependsOn", []) for entry in bill["dependencies"]}
    known, reached, waiting = set(listed), set(), listed[:1]
    if len(known) != len(listed):
        yield "a component is listed twice"
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += graph.get(name, [])
    yield from (f"{name} is in the graph and not in the list" for name in sorted((reached | set(graph)) - known))
    yield from (f"{name} is in the list, and no program depends on it" for name in sorted(known - reached))
    for component in bill["components"]:
        if not component.get("licenses"):
            yield f"{component['bom-ref']} has no licence"
        if "purl" in component and not component.get("hashes"):
            yield f"{component['bom-ref']} has no checksum"


def main():
    path = Path(sys.argv[1])
    found = list(mistakes(path.read_text()))
    if found:
        sys.exit("\n".join(f"{path.name}: {mistake}" for mistake in found[:20]))


main()
