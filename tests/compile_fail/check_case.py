#!/usr/bin/env python3
"""Checks one case of tests/compile_fail: a file that compiles, and with SLUICE_MISTAKE defined does not.

    check_case.py CASE.cpp --compiler g++ -- -std=c++20 -Iinclude

README.md says what a case holds. Exits with 0 when it holds, 1 when it does not, 2 when the case is badly written.
"""
import argparse
import pathlib
import re
import subprocess
import sys


def stop(status, message):
    print(message)
    sys.exit(status)


def compiled(compiler, flags, case, mistake):
    command = [compiler, *flags, "-fsyntax-only", *(["-DSLUICE_MISTAKE"] if mistake else []), str(case)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode == 0, done.stderr, " ".join(command)


def main():
    arguments = sys.argv[1:]
    if "--" not in arguments:
        stop(2, __doc__)
    at = arguments.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args(arguments[:at])
    flags = arguments[at + 1:]

    text = options.case.read_text()
    expected = re.findall(r"^// expect: (.*\S)\s*$", text, re.M)
    only = re.findall(r"^// only: (.*\S)\s*$", text, re.M)
    known = set(re.findall(r"^// ([a-z]+): ", text, re.M)) - {"expect", "only"}
    if known:
        stop(2, f"{options.case}: unknown line '// {sorted(known)[0]}:'; there are '// expect:' and '// only:'")
    if not expected:
        stop(2, f"{options.case}: no line '// expect: REGEX' says which message the mistake gets")
    if "SLUICE_MISTAKE" not in text:
        stop(2, f"{options.case}: nothing depends on SLUICE_MISTAKE")
    if only not in ([], ["affected"]):
        stop(2, f"{options.case}: '// only:' can be 'affected' (by what g++ 12 gets wrong), and stands once")
    macros = subprocess.run([options.compiler, "-dM", "-E", "-x", "c++", "/dev/null"], capture_output=True, text=True,
                            check=True).stdout
    affected = "__clang__" not in macros and int(re.search(r"__GNUC__ (\d+)", macros).group(1)) < 13

    good, output, command = compiled(options.compiler, flags, options.case, mistake=False)
    if not good:
        stop(1, f"the twin without the mistake does not compile:\n{command}\n{output}")
    accepted, output, command = compiled(options.compiler, flags, options.case, mistake=True)
    if only and not affected:
        if not accepted:
            stop(1, f"this compiler is not affected, but refuses what is right on it:\n{command}\n{output}")
        stop(0, "compiles in both forms, as it must on a compiler that is not affected")
    if accepted:
        stop(1, f"the mistake compiles:\n{command}")
    # The message is what the user reads: one of the compiler's errors, not the source line that it quotes.
    errors = [line for line in output.splitlines() if re.search(r"\berror: ", line)]
    for pattern in expected:
        if not any(re.search(pattern, line) for line in errors):
            stop(1, f"no error matches '{pattern}':\n" + "\n".join(errors))
    stop(0, f"refused: {errors[0]}")


main()
