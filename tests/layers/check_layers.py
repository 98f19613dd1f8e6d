#!/usr/bin/env python3
"""Reads every #include in include/, src/ and coroutines/ against the table of layers below.

Usage: check_layers.py ROOT

Prints FILE:LINE and the reason for each include that the table does not allow, and fails when there is one. A folder
may include what its row lists, SHARED, and itself; third parties as listed, those behind a stated
folder only there, and GoogleTest in one header. No header includes all of Asio or Beast. Outside src/, at most
UNIT_LIMIT units include either, for the build's time. task.hpp only brings coro's names over, so it may stand where coro
may.
"""

import pathlib
import re
import sys

# folder: (folders of ours, third parties, third parties in src/ only)
LAYERS = {
    "coro": ((), (), ()),
    "output": (("coro",), (), ()),
    "encode": (("coro", "output"), (), ()),
    "cache": (("coro", "output"), (), ("libmemcached", "zstd")),
    "render": (("coro", "output", "encode", "cache"), ("describe",), ()),
    "net": (("coro", "output"), ("asio",), ()),
    "http": (("coro", "output", "encode", "cache", "render", "net"), ("asio", "beast"), ("zlib", "zstd")),
    "testing": (
        ("coro", "output", "encode", "cache", "render", "net", "http"),
        ("describe", "asio", "beast", "gtest"),
        (),
    ),
}
# Headers that stand in include/sluice/ itself, and the folders they may include.
TOP_LEVEL = {
    "duration.hpp": (),
    "error.hpp": (),
    "observer.hpp": (),
    "version.hpp": (),
    "gcc12.hpp": ("moved.hpp",),
    "moved.hpp": (),
    "task.hpp": ("coro",),
    "sluice.hpp": ("coro", "output", "encode", "render", "cache", "version.hpp"),
}
SHARED = ("duration.hpp", "error.hpp", "gcc12.hpp", "observer.hpp", "moved.hpp")
# Boost.System comes with Asio, Boost.Mp11 with Describe.
THIRD_PARTIES = (
    ("asio", r"boost/(asio|system)[./]"),
    ("beast", r"boost/beast[./]"),
    ("describe", r"boost/(describe|mp11)[./]"),
    ("gtest", r"g(test|mock)/"),
    ("libmemcached", r"libmemcached"),
    ("zlib", r"zlib\.h$"),
    ("zstd", r"zstd"),
)
# The standard library's headers have neither a folder nor a dot; the system's end in .h.
STANDARD = re.compile(r"[a-z_0-9]+$|((sys|netinet|arpa|linux)/)?[a-z_0-9]+\.h$")
INCLUDE = re.compile(r"\s*#\s*include\s*(?:<([^>]+)>|\"([^\"]+)\")")
WHOLE = ("boost/asio.hpp", "boost/beast.hpp")
UNIT_LIMIT = 12


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp", ".ipp", ".h"))


class Tree:
    def __init__(self, root):
        self.root = root
        self.problems = []
        self.headers = {}  # "sluice/coro/task.hpp": its path
        self.homes = {}  # path: (folder of ours or name of a top-level header, is it in src/)
        for base in (root / "coroutines" / "include", root / "include"):
            for path in sources(base):
                name = path.relative_to(base).as_posix()
                self.headers[name] = path
                parts = name.split("/")
                self.homes[path] = (parts[1] if len(parts) > 1 else parts[0], False)
        for path in sources(root / "coroutines" / "src"):
            self.homes[path] = ("coro", True)
        for path in sources(root / "src"):
            parts = path.relative_to(root / "src").parts
            self.homes[path] = (parts[0] if len(parts) > 1 else f"{path.stem}.hpp", True)

    def report(self, path, number, text):
        self.problems.append(f"{path.relative_to(self.root).as_posix()}:{number}: {text}")

    def check(self):
        for path, (home, in_src) in self.homes.items():
            if home not in LAYERS and home not in TOP_LEVEL:
                self.report(path, 1, f"\"{home}\" has no row in the table of layers")
                continue
            for number, angled, quoted in includes(path):
                self.check_include(path, home, in_src, number, angled, quoted)
        self.check_gtest()
        self.check_units()
        return self.problems

    def check_include(self, path, home, in_src, number, angled, quoted):
        ours, third, third_in_src = LAYERS.get(home, (TOP_LEVEL.get(home), (), ()))
        if quoted:
            target = (path.parent / quoted).resolve()
            if not target.is_file():
                self.report(path, number, f"\"{quoted}\" is not beside the file: write <sluice/...> or <third party>")
            elif self.homes.get(target, (None,))[0] != home:
                self.report(path, number, f"\"{quoted}\" leads out of {home}/")
        elif angled.startswith("sluice/"):
            if angled not in self.headers:
                self.report(path, number, f"<{angled}> does not exist")
                return
            folder = angled.split("/")[1]
            shared = folder in SHARED and home != "coro" or folder == "task.hpp" and "coro" in ours
            if folder not in ours and folder != home and not shared:
                self.report(path, number, f"{home} may not include {folder}: <{angled}>")
        elif angled in WHOLE:
            self.report(path, number, f"<{angled}> is all of a library: include what is used")
        elif not STANDARD.match(angled) or angled == "zlib.h" or angled.startswith("zstd"):
            party = next((name for name, pattern in THIRD_PARTIES if re.match(pattern, angled)), None)
            # Beast stands on more of Boost than its own folder; who may use it may use that.
            if party is None and angled.startswith("boost/") and "beast" in third:
                return
            if party not in third and not (in_src and party in third_in_src):
                where = " outside src/" if party in third_in_src else ""
                self.report(path, number, f"{home} may not include {party or 'this'}{where}: <{angled}>")

    def check_gtest(self):
        users = [
            (path, number)
            for path in self.headers.values()
            for number, angled, _ in includes(path)
            if angled and angled.startswith("gtest/")
        ]
        for path, number in users[1:]:
            self.report(path, number, f"one header includes GoogleTest, and {users[0][0].name} does")

    def reaches_network(self, path, seen):
        """Whether the file includes Asio or Beast, itself or through headers of ours or files beside it."""
        if path in seen:
            return False
        seen.add(path)
        for _, angled, quoted in includes(path):
            if angled and re.match(r"boost/(asio|beast)[./]", angled):
                return True
            target = self.headers.get(angled) if angled else (path.parent / quoted).resolve()
            if target and target.is_file() and self.reaches_network(target, seen):
                return True
        return False

    def network_units(self):
        return [
            path
            for folder in ("tests", "examples", "bench")
            for path in sources(self.root / folder)
            if path.suffix == ".cpp"
            and "planted" not in path.relative_to(self.root).parts
            and self.reaches_network(path, set())
        ]

    def check_units(self):
        units = self.network_units()
        if len(units) > UNIT_LIMIT:
            names = ", ".join(path.relative_to(self.root).as_posix() for path in units)
            self.problems.append(
                f"{len(units)} units outside src/ include Asio or Beast, and {UNIT_LIMIT} may: {names}"
            )


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(sys.argv) == 2 else 2
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    problems = tree.check()
    print(*problems, f"{len(tree.homes)} files read, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
