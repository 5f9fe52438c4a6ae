"""Reads lines of JSON from standard input and compares each with a JSON Schema; prints what is wrong, if anything.

usage: validate.py SCHEMA [--definitions]

With --definitions, each line begins with the name of the definition of the schema that it must fit, and a blank.

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
        # Unlike additionalProperties, this counts the keys of a definition that the object refers to.
        strict["unevaluatedProperties"] = False
    return strict


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft202012Validator
validator.check_schema(schema)
schema = without_unknown_keys(schema)


def of_definition(name):
    """The schema that a value of this definition must fit."""
    if name not in schema["$defs"]:
        sys.exit(f"{sys.argv[1]}: no definition {name}")
    return {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}


count = 0
for line in sys.stdin:
    count += 1
    wanted = schema
    if "--definitions" in sys.argv[2:]:
        name, line = line.split(" ", 1)
        wanted = of_definition(name)
    for error in validator(wanted).iter_errors(json.loads(line)):
        best = jsonschema.exceptions.best_match([error])
        print(f"line {count}, {best.json_path}: {best.message}")
print(f"{count} lines")
