"""Writes the list with which Raspberry Pi Imager offers the card of a release, or checks it against the files of the release.

usage: release/imager.py CARD.img VERSION DATE URL >FOLDER/chess-clock-VERSION.rpi-imager-manifest
       release/imager.py --check FOLDER

URL is the folder from which the files of the release will be downloaded. The format is doc/json-schema/os-list-schema.json of
github.com/raspberrypi/rpi-imager, read at its version 2.0.9.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

# The tags are those of Imager's own list, in which the Zero 2 W has those of the Pi 3, and the 400 those of the Pi 4. A tag of
# the Pi 5 must not be here: the card does not start there.
TAGS = {"Raspberry Pi 4": ["pi4-64bit"], "Raspberry Pi 400": ["pi4-64bit"], "Raspberry Pi 3": ["pi3-64bit"],
        "Raspberry Pi Zero 2 W": ["pi3-64bit"]}
SHA256, TEXT = "[0-9a-f]{64}", "(?s).+"
# What the schema requires of an entry, with the type, and what it must be like.
REQUIRED = {
    "name": (str, TEXT), "description": (str, TEXT), "icon": (str, "https?://.+"), "url": (str, "https?://.+"),
    "extract_size": (int, "[1-9][0-9]*"), "extract_sha256": (str, SHA256), "image_download_size": (int, "[1-9][0-9]*"),
    "release_date": (str, r"\d{4}-\d\d-\d\d"), "devices": (list, TEXT),
}
# Not required by the schema. Without the format, Imager 1 offers settings of Raspberry Pi OS; the sum is that of its cache.
WANTED = {**REQUIRED, "init_format": (str, "none"), "image_download_sha256": (str, SHA256)}
DEVICE = {"name": (str, TEXT), "description": (str, TEXT), "tags": (list, TEXT)}


def measure(stream):
    """The size and the SHA-256 of what is read."""
    sums, size = hashlib.sha256(), 0
    while part := stream.read(1 << 20):
        sums.update(part)
        size += len(part)
    return size, sums.hexdigest()


def measure_file(path):
    with open(path, "rb") as file:
        return measure(file)


def measure_extracted(path):
    with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE) as zstd:
        measured = measure(zstd.stdout)
    return measured if zstd.returncode == 0 else (0, "zstd cannot extract it")


def manifest(card, version, date, url):
    """The list for an image with its compressed file beside it."""
    size, sums = measure_file(card)
    packed_size, packed_sums = measure_file(f"{card}.zst")
    url = url.rstrip("/")
    return {
        # Without the devices, Imager 2 does not go on from its first page, where one is chosen.
        "imager": {"devices": [{"name": name, "description": "With a header of 40 pins", "tags": tags} for name, tags in TAGS.items()]},
        "os_list": [{
            "name": f"Chess clock {version}",
            "description": "A tournament chess clock for Raspberry Pi 3, 4, 400 and Zero 2 W",
            "icon": f"{url}/chess-clock.svg",
            "url": f"{url}/{Path(card).name}.zst",
            "extract_size": size,
            "extract_sha256": sums,
            "image_download_size": packed_size,
            "image_download_sha256": packed_sums,
            "release_date": date,
            # Imager must write none of its own settings: the card has chessclock.toml.
            "init_format": "none",
            "devices": sorted({tag for tags in TAGS.values() for tag in tags}),
            "architecture": "armv8",
        }],
    }


def wrong_keys(of, entry, wanted):
    for key, (kind, pattern) in wanted.items():
        value = entry.get(key)
        if type(value) is not kind or not value or not re.fullmatch(pattern, str(value)):
            yield f"{of}: {key} is {value!r}"


def faults(folder):
    """What is wrong with the list of a release and with the files that it names."""
    lists = sorted(Path(folder).glob("*.rpi-imager-manifest"))
    if len(lists) != 1:
        return [f"{len(lists)} lists for Imager; expected one"]
    content = json.loads(lists[0].read_text())
    devices, entries = content["imager"]["devices"], content["os_list"]
    found = [fault for device in devices for fault in wrong_keys("device", device, DEVICE)]
    found += [fault for entry in entries for fault in wrong_keys("card", entry, WANTED)]
    if found or len(entries) != 1:
        return found or [f"{len(entries)} cards; expected one"]
    entry = entries[0]
    offered = {tag for device in devices for tag in device["tags"]}
    if offered != set(entry["devices"]):
        found.append(f"the card is for {entry['devices']}, and the devices are {sorted(offered)}")
    found += [f"there is no {name}" for key in ("icon", "url") if not Path(folder, name := Path(entry[key]).name).is_file()]
    if not found:
        packed = Path(folder, Path(entry["url"]).name)
        for kind, measured in (("image_download", measure_file(packed)), ("extract", measure_extracted(packed))):
            for key, value in zip((f"{kind}_size", f"{kind}_sha256"), measured):
                if entry[key] != value:
                    found.append(f"{key} is {entry[key]}, and that of {packed.name} {value}")
        if entry["extract_size"] % 512:
            found.append(f"extract_size is {entry['extract_size']}, and not whole sectors of 512 bytes")
    return found


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--check":
        sys.exit("\n".join(faults(arguments[1])) or 0)
    if len(arguments) != 4 or not re.fullmatch(r"https?://[^\s/]\S*", arguments[3]):
        sys.exit(__doc__)
    print(json.dumps(manifest(*arguments), indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
