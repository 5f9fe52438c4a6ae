"""Reads lines of JSON from standard input and compares each with a JSON Schema; prints what is wrong, if anything.

usage: validate.py SCHEMA

A key that the schema does not name is wrong, too. The published schema allows such keys, because readers must ignore the
keys of later versions.
"""

import json
import sys

import jsonschema


def without_unknown_keys(schema):
    """The schema, with no other keys in an object than those that it names."""
    if isinstance(schema, list):
        return [without_unknown_keys(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: without_unknown_keys(value) for key, value in schema.items()}
    if schema.get("type") == "object":
        strict["additionalProperties"] = False
    return strict


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft202012Validator
validator.check_schema(schema)
validator = validator(without_unknown_keys(schema))
count = 0
for line in sys.stdin:
    count += 1
    for error in validator.iter_errors(json.loads(line)):
        best = jsonschema.exceptions.best_match([error])
        print(f"line {count}, {best.json_path}: {best.message}")
print(f"{count} lines")
