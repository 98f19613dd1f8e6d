#!/usr/bin/env python3
"""Checks that a template of ours is not much longer than the same one in TurboStreamer's DSL.

    check_side_by_side.py FILE.md

The first ```ruby and the first ```cpp block behind a comment <!-- side by side --> are compared: the lines of the
second that are neither blank nor a comment may be at most 1.3 times those of the first.
"""
import pathlib
import re
import sys

LIMIT = 1.3
MARKER = "<!-- side by side -->"
COMMENT = {"ruby": "#", "cpp": "//"}


def marked_block(lines, language):
    """The lines of the block of that language behind a marker; other comments may stand between them."""
    for number, line in enumerate(lines):
        if line.strip() != MARKER:
            continue
        start = number + 1
        while start < len(lines) and lines[start].startswith("<!--"):
            start += 1
        if start < len(lines) and re.match(rf"```{language}\b", lines[start]):
            for end in range(start + 1, len(lines)):
                if lines[end].startswith("```"):
                    return lines[start + 1:end]
    sys.exit(f"there is no ```{language} block behind {MARKER}")


def code_lines(block, language):
    return sum(1 for line in block if line.strip() and not line.strip().startswith(COMMENT[language]))


def main():
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    theirs, ours = (code_lines(marked_block(lines, language), language) for language in ("ruby", "cpp"))
    print(f"{ours} lines of ours, {theirs} of theirs: {ours / max(theirs, 1):.2f} times, at most {LIMIT}")
    sys.exit(ours == 0 or ours > LIMIT * theirs)


main()
