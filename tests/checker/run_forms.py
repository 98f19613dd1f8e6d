#!/usr/bin/env python3
"""Builds the forms of forms.txt with one compiler under AddressSanitizer, runs each, and judges it.

A form is right when it builds, AddressSanitizer and LeakSanitizer find nothing, and it prints what forms.txt says.
Four runs each: a false and a true condition (with a null and a good pointer), operations that are ready and ones that
suspend. An affected compiler (g++ 12) must get exactly the forms wrong that are marked bad or unbuildable; any
other compiler must get all of them right.

    run_forms.py --compiler g++-12 --work DIR            checks the verdicts
    run_forms.py --update --compiler clang++-19 ...      writes what a good compiler prints
    run_forms.py --judge --compiler g++-12 ...           writes the verdicts (read them before you believe them)
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

MAIN = """
int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        std::cout << std::flush;
        const pid_t child = fork();
        if (child == 0) {
            // Only this child's output may tell what happened: a sanitizer's report goes nowhere, its status counts.
            if (std::freopen("/dev/null", "w", stderr) == nullptr)
                return 2;
            std::cout << "\\n@" << arguments[i] << " ";
            {
                const author who{"somebody with a long name, beyond the small buffer", "x"};
                const std::string text = "a string which is longer than the small buffer";
                for (int variant = 0; variant < 4; ++variant) {
                    suspends = variant % 2 == 1;
                    const bool b = variant >= 2;
                    try {
                        auto form = start(std::atoi(arguments[i]), writer{}, b, text, b ? &who : nullptr);
                        form.run();
                    } catch (int) {
                        std::cout << "THROWN ";
                    }
                    std::cout << "| ";
                }
                std::cout << "alive " << counted::alive << std::flush;
            }
            std::exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::cout << (status == 0 ? " #right" : " #wrong") << std::flush;
    }
}
"""


class Form:
    def __init__(self, line, verdict, code):
        self.line, self.verdict, self.code, self.output = line, verdict, code, None


def read(path):
    """The forms of a file: `verdict  code`, and below it `    -> output`."""
    forms = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("    ->"):
            forms[-1].output = text[6:].strip()
            continue
        verdict, code = text.split(None, 1)
        if verdict not in ("good", "bad", "unbuildable"):
            sys.exit(f"{path}:{number}: the verdict is good, bad or unbuildable, not '{verdict}'")
        forms.append(Form(number, verdict, code))
    return forms


def program(forms, path, main=True):
    """One function a form, on the form's own line of forms.txt for the compiler's and the checker's messages."""
    out = ['#include "prelude.hpp"', "#include <algorithm>", "#include <cstdio>", "#include <cstdlib>"]
    out += ["#include <sys/wait.h>", "#include <unistd.h>"] if main else []
    out += ["using namespace forms;", 'static const char* const L = "a literal, longer than the small buffer optimisation";']
    for form in forms:
        out += [
            f"task form_{form.line}([[maybe_unused]] const writer json, [[maybe_unused]] bool b, "
            "[[maybe_unused]] std::string str, [[maybe_unused]] const author* p) {",
            f'#line {form.line} "{path}"',
            form.code + " co_return; }",
        ]
    if main:
        out.append("static task start(int form, writer json, bool b, const std::string& str, const author* p) { switch (form) {")
        out += [f"case {form.line}: return form_{form.line}(json, b, str, p);" for form in forms]
        out += ["default: std::abort(); } }", MAIN]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path, help="a directory for what it builds")
    parser.add_argument("--forms", type=pathlib.Path, default=HERE / "forms.txt")
    parser.add_argument("--every", type=int, default=1, help="judge every Nth form only, to save time")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--judge", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    forms = read(options.forms)
    if not options.update and not options.judge:
        forms = [form for verdict in ("good", "bad", "unbuildable")
                 for form in [f for f in forms if f.verdict == verdict][::options.every]]
    version = subprocess.run([options.compiler, "--version"], capture_output=True, text=True, check=True).stdout
    macros = subprocess.run([options.compiler, "-dM", "-E", "-x", "c++", "/dev/null"], capture_output=True, text=True,
                            check=True).stdout
    affected = "__clang__" not in macros and int(re.search(r"__GNUC__ (\d+)", macros).group(1)) < 13
    print(f"{version.splitlines()[0]}: {'affected' if affected else 'not affected'}")
    flags = ["-std=c++20", "-O1", "-g0", "-w", "-fsanitize=address", "-D_GLIBCXX_ASSERTIONS", f"-I{HERE}"]

    # g++ gives up at the first form that it does not build: an ordinary run asks about each that is said to be one, and
    # --judge finds others by the line of the error, which is the form's.
    unbuilt, source = set(), options.work / "syntax.cpp"

    def syntax(tried):
        source.write_text(program(tried, "forms.txt", main=False))
        return subprocess.run([options.compiler, *flags, "-fsyntax-only", source], capture_output=True, text=True)

    for form in forms if affected else []:
        if form.verdict == "unbuildable" and (options.judge or syntax([form]).returncode):
            unbuilt.add(form.line)
    while options.judge and affected:
        said = syntax([form for form in forms if form.line not in unbuilt])
        if said.returncode == 0:
            break
        wrong = {int(line) for line in re.findall(r"^forms\.txt:(\d+):\d+: (?:internal compiler )?error", said.stderr, re.M)}
        if not wrong - unbuilt:
            sys.exit(said.stderr[:4000])
        unbuilt |= wrong
    built = [form for form in forms if form.line not in unbuilt]
    source, binary = options.work / "forms.cpp", options.work / "forms"
    source.write_text(program(built, "forms.txt"))
    build = subprocess.run([options.compiler, *flags, source, "-o", binary], capture_output=True, text=True)
    if build.returncode:
        sys.exit(build.stderr[:4000])
    ran = subprocess.run([binary, *[str(form.line) for form in built]], capture_output=True, text=True, errors="replace")
    seen = {}
    for match in re.finditer(r"\n@(\d+) ((?:(?!\n@)[\s\S])*?) #(right|wrong)", ran.stdout):
        seen[int(match.group(1))] = (match.group(2).strip(), match.group(3) == "right")
    for form in built:
        seen.setdefault(form.line, ("", False))   # it died before it could print

    if options.update or options.judge:
        lines = options.forms.read_text().splitlines()
        out, by_line = [], {form.line: form for form in forms}
        for number, text in enumerate(lines, 1):
            form = by_line.get(number)
            if form is None:
                if not text.startswith("    ->"):
                    out.append(text)
                continue
            if options.update:
                output, right = seen.get(number, ("", False))
                form.output = output
                if not right or "alive 0" not in output:
                    print(f"{number}: {form.code}: this compiler gets it wrong too: {output}")
            else:
                ok = number in seen and seen[number] == (form.output, True)
                form.verdict = "unbuildable" if number in unbuilt else "good" if ok else "bad"
            out += [f"{form.verdict:<4}  {form.code}", f"    -> {form.output}"]
        options.forms.write_text("\n".join(out) + "\n")
        return
    failures = 0
    for form in forms:
        right = form.line in seen and seen[form.line] == (form.output, True)
        expected = form.verdict == "good" or not affected
        if right != expected:
            failures += 1
            print(f"{options.forms}:{form.line}: {form.code}\n  marked {form.verdict}, but this compiler gets it "
                  f"{'right' if right else 'wrong'}: {seen.get(form.line, ('does not build', False))[0]}")
    print(f"{len(forms)} forms, {sum(f.verdict != 'good' for f in forms)} of them wrong on g++ 12; {failures} surprises")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
