#!/usr/bin/env python3
"""Reads documents that the library has written with Python's json module, and compares them with what they are to say.

    check_documents.py FOLDER                       the documents N.json in it, each with its N.expected
    check_documents.py --make PROGRAM --count 1000  has the program make them first, in a folder of their own
    check_documents.py --self-test                  proves that planted differences are noticed

An expected file has one line for each value, in the document's order: null, true, false, integer N, float HEX, double HEX
(a fraction, exactly), text HEX (UTF-8), array N or object N with their parts behind them, a member's after key HEX.

Exit status: 0 when they are the same, 1 when one differs (the first differences are listed), 2 when they cannot be compared.
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile


class Number(str):
    """A number's own digits: -0 is not 0."""


class Members(list):
    """An object's (key, value) pairs, in their order, repeated keys and all."""


def refuse(name):
    raise ValueError(f"{name} is no JSON")


def read_document(data):
    return json.loads(data.decode("utf-8"), parse_int=Number, parse_float=Number, parse_constant=refuse,
                      object_pairs_hook=Members)


def bits(form, value):
    return struct.pack(form, value)


def is_number(value, kind, text):
    if not isinstance(value, Number):
        return False
    if kind == "integer":
        return value == text
    form = "<f" if kind == "float" else "<d"
    return bits(form, float(value)) == bits(form, float.fromhex(text))


def compare(value, lines, path="$"):
    """What is different first, or None. `lines` is what is expected, from here on."""
    kind, _, rest = next(lines, "").partition(" ")
    different = f"{path}: {value!r:.100} instead of {kind} {rest:.100}"
    if kind in ("null", "true", "false"):
        return None if value is {"null": None, "true": True, "false": False}[kind] else different
    if kind in ("integer", "float", "double"):
        return None if is_number(value, kind, rest) else different
    if kind == "text":
        right = isinstance(value, str) and not isinstance(value, Number) and value == bytes.fromhex(rest).decode()
        return None if right else different
    if kind == "array":
        if not isinstance(value, list) or isinstance(value, Members) or len(value) != int(rest):
            return different
        for index, part in enumerate(value):
            found = compare(part, lines, f"{path}[{index}]")
            if found:
                return found
        return None
    if kind == "object":
        if not isinstance(value, Members) or len(value) != int(rest):
            return different
        for key, part in value:
            word, _, name = next(lines, "").partition(" ")
            if word != "key" or key != bytes.fromhex(name).decode():
                return f"{path}: the key {key!r} instead of {bytes.fromhex(name)!r}"
            found = compare(part, lines, f"{path}[{key!r}]")
            if found:
                return found
        return None
    raise ValueError(f"an expected file has the line {kind!r}")


def check_one(document, expected):
    lines = iter(expected.splitlines())
    try:
        found = compare(read_document(document), lines)
    except (ValueError, RecursionError) as error:
        return f"not read: {error}"
    if found is None and next(lines, None) is not None:
        return "there is more in the expected file"
    return found


def check_folder(folder, count):
    names = sorted(folder.glob("*.json"), key=lambda name: int(name.stem))
    differences = 0
    size = 0
    for name in names:
        document = name.read_bytes()
        size += len(document)
        found = check_one(document, name.with_suffix(".expected").read_text("ascii"))
        if found:
            differences += 1
            if differences <= 10:
                print(f"{name}: {found}")
    print(f"compared {len(names)} documents, {size} bytes: {differences} differ")
    if not names or (count is not None and len(names) != count):
        print("check_documents: these are not as many documents as there should be", file=sys.stderr)
        return 2
    return 1 if differences else 0


def make_and_check(program, count):
    with tempfile.TemporaryDirectory(prefix="sluice_documents_") as folder:
        environment = dict(os.environ, SLUICE_DOCUMENTS=str(count), SLUICE_DOCUMENTS_DIR=folder)
        made = subprocess.run([program, "--gtest_filter=PropertyTest.WhatIsRead*", "--gtest_brief=1"], env=environment)
        if made.returncode != 0:
            print(f"check_documents: {program} ended with {made.returncode}", file=sys.stderr)
            return 2
        return check_folder(pathlib.Path(folder), count)


DOCUMENT = '{"a":[1,-0,0.1,16777216],"b":"\\u00e9","":{},"c":[null,true,false,"1"],"a":-1e-7}'
EXPECTED = """object 5
key 61
array 4
integer 1
double -0x0p+0
float 0x1.99999ap-4
double 0x1p+24
key 62
text c3a9
key
object 0
key 63
array 4
null
true
false
text 31
key 61
double -0x1.ad7f29abcaf48p-24
"""
PLANTED = [
    ("1,", "2,"), ("1,", "1.0,"), ("1,", '"1",'), ("-0", "0"), ("0.1", "0.10001"), ("16777216", "16777217"), ("u00e9", "u00e8"),
    ('"":', '" ":'), ("{}", "[]"), ("null", "false"), ("true", "null"), ("false", "0"), ('"1"', "1"), ('"1"', '"1",1'),
    ('"1"', ""), (',"a":-1e-7', ""), ('"c":', '"d":'), ("-1e-7", "-1.0000000000000001e-7"), ("0.1", "NaN"), ("0.1", "-Infinity"),
    ("[1,", "[1,,"), ('{"a"', '{,"a"'), ("-1e-7}", "-1e-7}}"), ("\\u00e9", "\n"), ("0.1", "00.1"), ("0.1", ".1"),
    ("-1e-7", "-1e-7,"),
]


def self_test():
    failures = []
    found = check_one(DOCUMENT.encode(), EXPECTED)
    if found:
        failures.append(f"the right document is not taken for right: {found}")
    for changed, replacement in PLANTED:
        document = DOCUMENT.replace(changed, replacement, 1)
        if document == DOCUMENT or not check_one(document.encode(), EXPECTED):
            failures.append(f"{changed!r} as {replacement!r} is not noticed")
    for end in range(len(DOCUMENT)):
        if not check_one(DOCUMENT[:end].encode(), EXPECTED):
            failures.append(f"a document cut after {end} characters is taken for one")
    if not check_one(DOCUMENT.encode(), EXPECTED + "null\n"):
        failures.append("a document that lacks its end is taken for one")
    for failure in failures:
        print(f"self-test: {failure}")
    if not failures:
        print(f"self-test: {len(PLANTED)} planted differences and {len(DOCUMENT)} cut documents noticed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where the documents are")
    parser.add_argument("--make", metavar="PROGRAM", help="the test program that makes the documents")
    parser.add_argument("--count", type=int, metavar="N", help="how many there are (default: however many; made: 1000)")
    parser.add_argument("--self-test", action="store_true", help="prove that planted differences are noticed, and exit")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if (arguments.folder is None) == (arguments.make is None):
        parser.error("either a folder or --make")
    if arguments.make:
        return make_and_check(arguments.make, arguments.count or 1000)
    return check_folder(arguments.folder, arguments.count)


if __name__ == "__main__":
    sys.exit(main())
