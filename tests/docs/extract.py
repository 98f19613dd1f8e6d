#!/usr/bin/env python3
"""Turns the code blocks of Markdown files into programs that the tests build and run.

    extract.py --root REPOSITORY --out DIR [--wrappers DIR] FILE.md...

Writes into DIR one .cpp for each block that is a whole program (it has a main), one for all fragments of a document,
and examples.cmake, which says what there is. README.md here describes what a block may say of itself. Exits with 1
where a block could not be covered: nothing is skipped.
"""
import argparse
import pathlib
import re
import sys

FENCE = re.compile(r"^(?P<indent>[ ]{0,3})(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")
MARK = re.compile(r"^<!--\s*docs:\s*(?P<words>.*?)\s*-->$")
COMPARED = ("output", "json")


class Block:
    def __init__(self, document, line, language, words):
        self.document, self.line, self.language, self.words = document, line, language, words
        self.lines, self.output = [], None

    @property
    def place(self):
        return f"{self.document}:{self.line}"

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


class Problem(Exception):
    pass


def blocks_of(path, name):
    """The fenced blocks of a document; `docs:` comments right before a block count as part of its info string."""
    found, current, closing, mark = [], None, None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if current is not None:
            if re.match(rf"^ {{0,3}}{closing}{closing[0]}*\s*$", line):
                found.append(current)
                current = None
            else:
                current.lines.append(line)
            continue
        opened = FENCE.match(line)
        if opened:
            words = opened["info"].split()
            current = Block(name, number + 1, words[0].lower() if words else "", words[1:] + mark)
            closing, mark = opened["fence"], []
        elif marked := MARK.match(line.strip()):
            mark = marked["words"].split()
        elif line.strip():
            if mark:
                raise Problem(f"{name}:{number}: a 'docs:' comment stands before something that is no code block")
    if current is not None:
        raise Problem(f"{current.place}: the block does not end")
    return found


def option(block, name):
    for word in block.words:
        if word.startswith(name + "="):
            return word[len(name) + 1:]
    return None


def without_includes(text):
    """The #include lines of a text, and the text with empty lines in their place."""
    includes, rest = [], []
    for line in text.splitlines():
        if re.match(r"\s*#\s*include\b", line):
            includes.append(line.strip())
            rest.append("")
        else:
            rest.append(line)
    return includes, "\n".join(rest) + "\n"


def identifier(name):
    return re.sub(r"\W+", "_", re.sub(r"\.md$", "", name)).strip("_")


class Writer:
    def __init__(self, out, wrappers):
        self.out, self.wrappers = out, wrappers
        self.cmake = []

    def write(self, name, text):
        """Leaves a file alone that would not change, so that nothing is built again."""
        path = self.out / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return path.name

    def expected(self, test, block):
        return self.write(f"{test}.{block.output.language}", block.output.text) if block.output else ""

    def wrapped(self, block):
        """The #include lines and the rest of a fragment in its wrapper."""
        wrapper = self.wrappers / f"{option(block, 'fragment')}.cpp"
        if not wrapper.exists():
            raise Problem(f"{block.place}: there is no wrapper {wrapper.stem}: {wrapper}")
        text = wrapper.read_text()
        if text.count("@fragment@") != 1:
            raise Problem(f"{wrapper}: a wrapper holds @fragment@ once, where the fragment goes")
        around, text = without_includes(text)
        own, fragment = without_includes(block.text)
        text = text.replace("@fragment@", f'\n#line {block.line} "{block.document}"\n{fragment}\n#line 1 "{wrapper.name}"\n')
        return around + own, text

    def program(self, test, block):
        text = f'#line {block.line} "{block.document}"\n{block.text}'
        if option(block, "fragment"):
            includes, text = self.wrapped(block)
            text = "\n".join(includes) + "\n" + text
        source = self.write(f"{test}.cpp", text)
        if "refused" in block.words or option(block, "refused"):
            if not block.output:
                raise Problem(f"{block.place}: a refused block needs an ```output block with the message behind it")
            who = option(block, "refused") or "all"
            if who not in ("all", "affected"):
                raise Problem(f"{block.place}: refused can be followed by =affected only")
            self.cmake.append(f'docs_refused("{test}" "{block.place}" "{source}" "{self.expected(test, block)}" {who})')
        else:
            self.cmake.append(f'docs_program("{test}" "{block.place}" "{source}" "{self.expected(test, block)}")')

    def fragments(self, document, blocks):
        """One program: its first argument says which fragment runs."""
        if not blocks:
            return
        includes, bodies, calls, tests = ["#include <cstdlib>"], [], [], []
        for number, block in blocks:
            needed, text = self.wrapped(block)
            includes += [i for i in needed if i not in includes]
            space = f"{identifier(document)}_{number}"
            bodies.append(f"namespace {space} {{\n{text}}} // namespace {space}\n")
            calls.append(f"    case {number}: {space}::example(); return 0;")
            test = f"{identifier(document)}_{number}"
            tests.append((test, block, number))
        program = f"{identifier(document)}_fragments"
        text = "\n".join(includes) + "\n\n" + "\n".join(bodies)
        text += "\nint main(int, char** arguments) {\n    switch (std::atoi(arguments[1])) {\n" + "\n".join(calls)
        text += "\n    }\n    return 2;\n}\n"
        source = self.write(f"{program}.cpp", text)
        self.cmake.append(f'docs_fragments("{program}" "{source}")')
        for test, block, number in tests:
            self.cmake.append(f'docs_fragment("{test}" "{block.place}" "{program}" {number} "{self.expected(test, block)}")')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--wrappers", type=pathlib.Path, default=pathlib.Path(__file__).parent / "wrappers")
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    writer = Writer(options.out, options.wrappers)
    problems, count = [], 0
    for path in options.documents:
        name = str(path.resolve().relative_to(options.root.resolve()))
        try:
            blocks = blocks_of(path, name)
        except Problem as problem:
            problems.append(str(problem))
            continue
        for before, block in zip(blocks, blocks[1:]):
            if before.language == "cpp" and block.language in COMPARED:
                before.output = block
        fragments = []
        for number, block in enumerate((b for b in blocks if b.language in ("cpp", "c++", "cxx", "cc")), 1):
            count += 1
            try:
                if block.language != "cpp":
                    raise Problem(f"{block.place}: call it ```cpp")
                unknown = [w for w in block.words if w != "refused" and not w.startswith(("fragment=", "refused="))]
                if unknown:
                    raise Problem(f"{block.place}: unknown word '{unknown[0]}' after ```cpp")
                refused = any(w.startswith("refused") for w in block.words)
                if option(block, "fragment") and not refused:
                    fragments.append((number, block))
                elif re.search(r"\bmain\s*\(", block.text) or refused:
                    writer.program(f"{identifier(name)}_{number}", block)
                else:
                    raise Problem(f"{block.place}: a block without a main needs fragment=WRAPPER, so that it is built and run")
            except Problem as problem:
                problems.append(str(problem))
        try:
            writer.fragments(name, fragments)
        except Problem as problem:
            problems.append(str(problem))
    writer.write("examples.cmake", "\n".join(writer.cmake) + "\n")
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(1)
    print(f"{count} blocks of {len(options.documents)} documents")


main()
