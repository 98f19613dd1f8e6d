#!/usr/bin/env python3
"""Asserts that scripts/check-coroutines reports every bad form of forms.txt and none of the good ones.

Also that it exits as it says: 1 with findings, 0 without, 2 when it cannot check.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from run_forms import program, read  # noqa: E402

CHECKER = HERE.parent.parent / "scripts" / "check-coroutines"


def check(*arguments):
    return subprocess.run([sys.executable, CHECKER, *map(str, arguments)], capture_output=True, text=True)


def main():
    failures = []
    forms = read(HERE / "forms.txt")
    flags = ["--", "-std=c++20", f"-I{HERE}"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "forms.cpp")
        source.write_text(program(forms, "forms.txt", main=False))
        done = check(source, *flags)
        if done.returncode != 1:
            failures.append(f"the checker exits with {done.returncode}, not 1\n{done.stderr}")
        found = collections.defaultdict(set)
        for match in re.finditer(r"^(.+?):(\d+):(\d+): .+; .+ \[(\w+)\]$", done.stdout, re.M):
            if match[1] != "forms.txt":
                failures.append(f"reported outside the forms: {match[0]}")
            found[int(match[2])].add(match[4])
        for form in forms:
            if form.verdict != "good" and form.line not in found:
                failures.append(f"forms.txt:{form.line}: not reported, though g++ 12 gets it wrong: {form.code}")
            if form.verdict == "good" and form.line in found:
                failures.append(f"forms.txt:{form.line}: reported as {found[form.line]}, though it is right: {form.code}")

        good = [form for form in forms if form.verdict == "good"][:3]
        source.write_text(program(good, "forms.txt", main=False))
        cache = pathlib.Path(folder, "cache")
        for read_files in (1, 0):   # the second time the cache answers
            done = check("--cache", cache, source, *flags)
            if done.returncode != 0 or f"1 files, {read_files} read, 0 found" not in done.stderr:
                failures.append(f"with a cache, good forms: {done.returncode} {done.stderr}")
        source.write_text(program([form for form in forms if form.verdict == "bad"][:1], "forms.txt", main=False))
        if check("--cache", cache, source, *flags).returncode != 1:
            failures.append("the cache hides a file that changed")
        source.write_text("int main() { co_await nothing; }\n")
        if check(source, *flags).returncode != 2:
            failures.append("a file that does not compile is not told from a good one")
        for arguments in (("--clang-query", pathlib.Path(folder, "none"), source), ("-p", folder), ()):
            done = check(*arguments)
            if done.returncode != 2 or "check-coroutines: " not in done.stderr:
                failures.append(f"check-coroutines {arguments}: {done.returncode} {done.stderr}")
        if "clang-tools-19" not in check("--clang-query", pathlib.Path(folder, "none"), source).stderr:
            failures.append("a missing clang-query is not explained")
    print("\n".join(failures) or f"{len(forms)} forms, as they should be")
    sys.exit(bool(failures))


main()
