#!/usr/bin/env python3
"""Runs an example of the documentation and compares what it prints with what the documentation says.

    run_example.py [--expected FILE] PROGRAM [ARGUMENT...]
    run_example.py --refused all|affected --expected FILE COMPILER ARGUMENT...

FILE ends with .output (the text must be equal but for trailing spaces at its ends) or .json (equal as text, or as JSON
where the documentation lays it out: the same members in the same order, the same numbers). With --refused, compiling
must fail, and each line of FILE must stand in the compiler's errors; on a compiler that is not affected by what g++ 12
gets wrong, =affected means that it compiles.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys


def parsed(text):
    """Members in their order, equal ones too, and numbers as they are written: what is left out is the layout."""
    return json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs), parse_int=str.encode, parse_float=str.encode)


def same_json(shown, printed):
    try:
        return parsed(shown) == parsed(printed)
    except ValueError:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--expected", type=pathlib.Path)
    parser.add_argument("--refused", choices=["all", "affected"])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    shown = options.expected.read_text() if options.expected else None
    done = subprocess.run(options.command, capture_output=True, text=True, errors="replace", timeout=100)
    if options.refused:
        macros = subprocess.run([options.command[0], "-dM", "-E", "-x", "c++", "/dev/null"], capture_output=True,
                                text=True, check=True).stdout
        affected = "__clang__" not in macros and int(re.search(r"__GNUC__ (\d+)", macros).group(1)) < 13
        if options.refused == "affected" and not affected:
            sys.exit(f"this compiler refuses it too:\n{done.stderr}" if done.returncode else 0)
        if done.returncode == 0:
            sys.exit("the documentation says that this does not compile; it does")
        missing = [line for line in shown.splitlines() if line.strip() and line.strip() not in done.stderr]
        sys.exit(f"not in the compiler's message: {missing[0]}\n{done.stderr}" if missing else 0)
    if done.returncode:
        sys.exit(f"it ended with {done.returncode}\n{done.stdout}{done.stderr}")
    if shown is None or done.stdout.strip() == shown.strip():
        return
    if options.expected.suffix == ".json" and same_json(shown, done.stdout):
        return
    sys.exit(f"the documentation says:\n{shown}\nit printed:\n{done.stdout}{done.stderr}")


main()
