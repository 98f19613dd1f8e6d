#!/usr/bin/env python3
"""Checks the ```sh blocks of Markdown files: what they name must exist.

    check_shell.py --root REPOSITORY FILE.md...

A script of ours must exist, be executable, and know the options that it is given; a preset must be in
CMakePresets.json; a SLUICE_ variable must be one of our CMake files'; any other command must be a known tool.
"""
import argparse
import json
import pathlib
import re
import shlex
import sys

TOOLS = {"apt-get", "cat", "cd", "clang++", "clang++-19", "cmake", "ctest", "curl", "echo", "export", "g++", "git", "less",
         "make", "mkdir", "ninja", "printf", "time"}


def problems_of(line, root, cmake, presets):
    for command in re.split(r"\s*(?:&&|\|\||;|\|)\s*", line):
        try:
            words = shlex.split(command, comments=True)
        except ValueError as error:
            yield f"not a command: {error}"
            continue
        while words and (words[0] in ("sudo", "nice", "time") or re.fullmatch(r"\w+=.*", words[0])):
            words = words[1:]
        if not words or words[0] == "$":
            continue
        program, arguments = words[0], words[1:]
        for preset in [b for a, b in zip(arguments, arguments[1:]) if a == "--preset"]:
            if preset not in presets:
                yield f"there is no preset {preset}"
        for variable in re.findall(r"-D(SLUICE_\w+)", command):
            if variable not in cmake:
                yield f"no CMake file of ours knows {variable}"
        if program.startswith("./build") or program.startswith("build/"):
            name = pathlib.Path(program).name
            if not re.search(rf"add_executable\(\s*{re.escape(name)}\b", cmake):
                yield f"no target {name}"
        elif "/" in program:
            script = root / program
            if not script.is_file():
                yield f"there is no {program}"
                continue
            if not script.stat().st_mode & 0o100:
                yield f"{program} is not executable"
            text = script.read_text(errors="replace")
            library = script.parent / "lib.sh"
            text += library.read_text() if library.exists() else ""
            for argument in arguments:
                named = argument.split("=")[0]
                if named.startswith("-D"):
                    named = "-D"
                if named.startswith("-") and named != "--" and named not in text:
                    yield f"{program} does not know {named}"
        elif program not in TOOLS:
            yield f"unknown command {program} (tests/docs/check_shell.py lists the known ones)"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    files = [f for folder in (".", "cmake", "tests", "src", "coroutines", "examples", "bench")
             for f in (options.root / folder).glob("CMakeLists.txt" if folder == "." else "**/*")
             if f.name == "CMakeLists.txt" or f.suffix == ".cmake"]
    cmake = "\n".join(f.read_text() for f in files)
    presets_file = options.root / "CMakePresets.json"
    presets = set()
    if presets_file.exists():
        presets = {p["name"] for p in json.loads(presets_file.read_text())["configurePresets"] if not p.get("hidden")}
    failed, count = 0, 0
    for path in options.documents:
        inside, held = False, ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"^ {0,3}```", line):
                inside = not inside and bool(re.match(r"^ {0,3}```(sh|bash|shell|console)\b", line))
                continue
            if not inside:
                continue
            line = held + re.sub(r"^\s*\$ ", "", line)
            if line.endswith("\\"):
                held = line[:-1]
                continue
            held = ""
            if line.strip():
                count += 1
                for problem in problems_of(line, options.root, cmake, presets):
                    print(f"{path}:{number}: {problem}")
                    failed += 1
    print(f"{count} shell lines, {failed} problems")
    sys.exit(failed != 0)


main()
