#!/usr/bin/env python3
"""Tests of extract.py, run_example.py and the checks beside them with small documents, good ones and bad ones."""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
COMPILER = "g++"

PROGRAM = """
    # A title

    ```cpp
    #include <iostream>
    int main() { std::cout << "{\\"a\\": 1}\\n"; }
    ```

    It prints

    ```json
    {"a":1}
    ```
"""
FRAGMENTS = """
    <!-- docs: fragment=nothing -->
    ```cpp
    #include <cstdio>
    std::puts("first");
    ```
    ```output
    first
    ```
    ```cpp fragment=nothing
    std::puts("second");
    ```
    ```output
    not second
    ```
"""


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True)


class HarnessTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.out = self.root / "out"

    def tearDown(self):
        self.folder.cleanup()

    def document(self, text, name="small.md"):
        path = self.root / name
        path.write_text(textwrap.dedent(text))
        return path

    def extract(self, text):
        return run(sys.executable, HERE / "extract.py", "--root", self.root, "--out", self.out, self.document(text))

    def build(self, source):
        program = self.out / "program"
        built = run(COMPILER, "-std=c++20", "-Wall", "-Werror", self.out / source, "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        return program

    def example(self, *arguments):
        return run(sys.executable, HERE / "run_example.py", *arguments)

    def test_a_program_is_built_and_its_json_compared_as_json(self):
        self.assertEqual(self.extract(PROGRAM).returncode, 0)
        self.assertIn('docs_program("small_1" "small.md:5" "small_1.cpp" "small_1.json")', (self.out / "examples.cmake").read_text())
        program = self.build("small_1.cpp")
        self.assertEqual(self.example("--expected", self.out / "small_1.json", program).returncode, 0)
        (self.out / "small_1.json").write_text('{"a":2}')
        self.assertNotEqual(self.example("--expected", self.out / "small_1.json", program).returncode, 0)

    def test_only_the_layout_of_json_may_differ(self):
        shown = self.root / "shown.json"
        for document, printed, same in (('{"a": 1,\n "b": [{}]}', '{"a":1,"b":[{}]}', True),
                                        ('{"b":[{}],"a":1}', '{"a":1,"b":[{}]}', False),
                                        ('{"a":1}', '{"a":1,"a":1}', False), ('[-0]', '[0]', False), ('[1]', '["1"]', False),
                                        ('[1.0]', '[1]', False), ('[]', '{}', False)):
            shown.write_text(document)
            done = self.example("--expected", shown, "printf", "%s", printed)
            self.assertEqual(done.returncode == 0, same, f"{document} {printed}\n{done.stderr}")

    def test_fragments_share_a_program_and_a_wrong_output_is_found(self):
        done = self.extract(FRAGMENTS)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = self.build("small_fragments.cpp")
        self.assertEqual(self.example("--expected", self.out / "small_1.output", program, "1").returncode, 0)
        wrong = self.example("--expected", self.out / "small_2.output", program, "2")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("not second", wrong.stderr)

    def test_an_unmarked_block_is_a_failure(self):
        done = self.extract("```cpp\nint x = 1;\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("small.md:2: a block without a main", done.stderr)

    def test_unknown_words_and_wrappers_are_failures(self):
        self.assertIn("unknown word 'skip'", self.extract("```cpp skip\nint main() {}\n```\n").stderr)
        self.assertIn("there is no wrapper other", self.extract("```cpp fragment=other\nint x;\n```\n").stderr)
        self.assertIn("call it ```cpp", self.extract("```c++\nint main() {}\n```\n").stderr)
        self.assertIn("does not end", self.extract("```cpp\nint main() {}\n").stderr)
        self.assertIn("stands before something", self.extract("<!-- docs: fragment=nothing -->\ntext\n").stderr)

    def test_a_program_that_fails_is_found(self):
        self.extract("```cpp\nint main() { return 3; }\n```\n")
        done = self.example(self.build("small_1.cpp"))
        self.assertIn("it ended with 3", done.stderr)

    def test_a_refused_block_must_be_refused_with_the_message_shown(self):
        good = '```cpp refused\nstatic_assert(false, "the reason");\n```\n```output\nthe reason\n```\n'
        self.assertEqual(self.extract(good).returncode, 0)
        source, shown = self.out / "small_1.cpp", self.out / "small_1.output"
        command = ["--refused", "all", "--expected", shown, COMPILER, "-std=c++20", "-fsyntax-only", source]
        self.assertEqual(self.example(*command).returncode, 0)
        shown.write_text("another reason")
        self.assertIn("another reason", self.example(*command).stderr)
        source.write_text("int x;")
        self.assertIn("it does", self.example(*command).stderr)

    def test_a_fragment_can_be_refused_too(self):
        done = self.extract("```cpp fragment=nothing refused\nint x = undeclared;\n```\n```output\nundeclared\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('docs_refused("small_1" "small.md:2" "small_1.cpp" "small_1.output" all)', (self.out / "examples.cmake").read_text())
        command = ["--refused", "all", "--expected", self.out / "small_1.output", COMPILER, "-fsyntax-only", self.out / "small_1.cpp"]
        self.assertEqual(self.example(*command).returncode, 0)

    def shell(self, line):
        (self.root / "scripts").mkdir(exist_ok=True)
        script = self.root / "scripts" / "go"
        script.write_text("#!/bin/sh\n# --all and -y\n")
        script.chmod(0o755)
        return run(sys.executable, HERE / "check_shell.py", "--root", self.root, self.document(f"```sh\n{line}\n```\n"))

    def test_shell_lines_name_what_exists(self):
        self.assertEqual(self.shell("./scripts/go --all -y && cd x").returncode, 0)
        self.assertIn("does not know --none", self.shell("./scripts/go --none").stdout)
        self.assertIn("there is no ./scripts/gone", self.shell("git pull && ./scripts/gone").stdout)
        self.assertIn("unknown command frobnicate", self.shell("frobnicate").stdout)
        self.assertIn("no preset other", self.shell("cmake --preset other").stdout)
        self.assertIn("knows SLUICE_OTHER", self.shell("cmake -DSLUICE_OTHER=1 .").stdout)

    def side_by_side(self, ruby, ours):
        document = self.document(f"<!-- side by side -->\n```ruby\n{ruby}```\ntext\n"
                                 f"<!-- side by side -->\n<!-- docs: fragment=x -->\n```cpp\n{ours}```\n")
        return run(sys.executable, HERE / "check_side_by_side.py", document)

    def test_ours_is_at_most_1_3_times_as_long(self):
        ruby = "# a comment\n" + "json.a 1\n\n" * 10
        self.assertEqual(self.side_by_side(ruby, "// a comment\n\n" + "f();\n" * 13).returncode, 0)
        long = self.side_by_side(ruby, "f();\n" * 14)
        self.assertEqual(long.returncode, 1)
        self.assertIn("14 lines of ours, 10 of theirs", long.stdout)
        self.assertEqual(self.side_by_side(ruby, "").returncode, 1)
        unmarked = run(sys.executable, HERE / "check_side_by_side.py", self.document("```ruby\nx\n```\n"))
        self.assertIn("there is no ```ruby block behind", unmarked.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=COMPILER)
    options, rest = parser.parse_known_args()
    COMPILER = options.compiler
    unittest.main(argv=[sys.argv[0], *rest])
