#!/usr/bin/env python3
"""Compares the document of `GET /packages` with the control file that it was made from: every field of every record.

    check_catalog.py http://127.0.0.1:8080/packages
    check_catalog.py packages.json --data FILE

The source is what `apt-cache dumpavail` prints, or FILE. It is parsed here anew, by rules written down in
examples/package_catalog/README.md, and shares nothing with the program that is checked. Both sides are read as they come;
neither is ever held whole.

Exit status: 0 when they are the same, 1 when they differ (the first differences are listed), 2 when they cannot be compared.
"""

import argparse
import codecs
import contextlib
import io
import itertools
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request

BLANKS = " \t\r\n"
DEPENDENCIES = {
    "depends", "pre_depends", "recommends", "suggests", "enhances", "breaks", "conflicts", "replaces", "provides",
    "built_using",
}
NAME = r"[A-Za-z0-9][A-Za-z0-9+._-]*"
ALTERNATIVE = re.compile(
    rf"({NAME})(?::({NAME}))?[ \t\r\n]*"
    r"(?:\([ \t\r\n]*(<<|<=|=|>=|>>|<|>)[ \t\r\n]*([^ \t\r\n()<=>]+)[ \t\r\n]*\)[ \t\r\n]*)?"
    r"(?:\[([^\]]*[^\] \t\r\n][^\]]*)\][ \t\r\n]*)?"
    r"((?:<[ \t\r\n]*[^<> \t\r\n][^<>]*>[ \t\r\n]*)*)")


class CannotCompare(Exception):
    pass


# The source


def stanzas(lines):
    """Yields the lines of each record of a binary file, without its comments and line ends."""
    record = []
    for line in lines:
        # Only a line that is not the last of its value keeps the blanks at its end: read_fields takes the others off.
        line = line[:-1] if line.endswith(b"\n") else line
        if not line.strip(b" \t\r"):
            if record:
                yield record
            record = []
        elif not line.startswith(b"#"):
            record.append(line[:-1] if line.endswith(b"\r") else line)
    if record:
        yield record


def read_fields(record):
    """The (name, lines of the value) of each field."""
    fields = []
    for line in record:
        text = line.decode("utf-8", "replace")
        if text[0] in " \t":
            fields[-1][1].append(text)
        else:
            name, colon, value = text.partition(":")
            if not colon:
                raise CannotCompare(f"the source has a line without a colon: {text!r}")
            fields.append((name, [value.lstrip(" \t")]))
    for _, lines in fields:
        lines[-1] = lines[-1].rstrip(" \t\r")
    return fields


def text_value(lines):
    rest = [line[1:] for line in lines[1:]]
    return "\n".join(lines[:1] + ["" if line == "." else line for line in rest])


def maintainer_value(text):
    text = text.strip(BLANKS)
    quoted = re.match(r'"(?:[^"\\]|\\.)*"', text, re.DOTALL)
    start = quoted.end() if quoted else 0
    bracketed = re.compile(r"<([^>]*)>").search(text, start)
    person = {"name": text}
    if bracketed:
        person = {"name": text[:bracketed.start()].strip(BLANKS), "email": bracketed[1].strip(BLANKS)}
        if text[bracketed.end():].strip(BLANKS):
            person["rest"] = text[bracketed.end():].strip(BLANKS)
    elif "@" in text and not re.search(r"[ \t\r\n]", text):
        return {"name": "", "email": text}
    if quoted and quoted[0] == person["name"]:
        person["name"] = re.sub(r"\\(.)", r"\1", quoted[0][1:-1], flags=re.DOTALL)
    return person


def words(text):
    return re.findall(r"[^ \t\r\n]+", text)


def dependency_value(text):
    text = text.strip(BLANKS)
    match = ALTERNATIVE.fullmatch(text)
    if not match:
        return {"unparsed": text}
    name, architecture, relation, version, architectures, profiles = match.groups()
    result = {"name": name}
    if architecture is not None:
        result["architecture"] = architecture
    if relation is not None:
        result["relation"] = relation
        result["version"] = version
    if architectures is not None:
        result["architectures"] = words(architectures)
    if profiles:
        result["profiles"] = [words(inside) for inside in re.findall(r"<([^>]*)>", profiles)]
    return result


def dependencies_value(text):
    groups = (group for group in text.split(",") if group.strip(BLANKS))
    return [[dependency_value(alternative) for alternative in group.split("|")] for group in groups]


def tags_value(text):
    tags = []
    while text:
        short = re.match(r"([^,{]*)\{([^}]*)\}", text)
        if short and short[2].strip(BLANKS + ","):
            prefix = short[1].lstrip(BLANKS)
            tags += [prefix + name.strip(BLANKS) for name in short[2].split(",") if name.strip(BLANKS)]
            text = text[short.end():]
        else:
            tag, _, text = text.partition(",")
            if tag.strip(BLANKS):
                tags.append(tag.strip(BLANKS))
    return tags


def size_value(lines):
    if len(lines) == 1 and re.fullmatch(r"0|[1-9][0-9]*", lines[0]) and int(lines[0]) < 2**64:
        return int(lines[0])
    return text_value(lines)


def expected_record(record):
    """The (key, value) pairs that the document must hold for a record of the source."""
    pairs = []
    for name, lines in read_fields(record):
        key = name.lower().replace("-", "_")
        if key in ("maintainer", "original_maintainer"):
            value = maintainer_value("\n".join(lines))
        elif key in DEPENDENCIES or key.endswith("_built_using"):
            value = dependencies_value("\n".join(lines))
        elif key == "tag":
            value = tags_value("\n".join(lines))
        elif key in ("size", "installed_size"):
            value = size_value(lines)
        else:
            value = text_value(lines)
        pairs.append((key, value))
    return pairs


# The document


class Pairs(dict):
    """An object that remembers if it had a key twice."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.repeated = None
        if len(self) != len(pairs):
            keys = [key for key, _ in pairs]
            self.repeated = next(key for key in keys if keys.count(key) > 1)


def refuse_number(text):
    raise CannotCompare(f"the document has the number {text}, where only whole numbers are expected")


class Document:
    """Reads {"meta": ..., "data": [...]} from a binary stream; records() yields the elements of data one by one."""

    def __init__(self, stream):
        self.stream = stream
        self.utf8 = codecs.getincrementaldecoder("utf-8")("strict")
        self.decoder = json.JSONDecoder(object_pairs_hook=Pairs, parse_float=refuse_number, parse_constant=refuse_number)
        self.text = ""
        self.at = 0
        self.ended = False
        self.size = 0
        self.members = {}

    def more(self):
        block = self.stream.read(1 << 18)
        self.size += len(block)
        self.ended = not block
        try:
            new = self.utf8.decode(block, final=self.ended)
        except UnicodeDecodeError as error:
            raise CannotCompare(f"the document is not UTF-8: {error}") from error
        self.text = self.text[self.at:] + new
        self.at = 0

    def at_end(self):
        while True:
            while self.at < len(self.text) and self.text[self.at] in BLANKS:
                self.at += 1
            if self.at < len(self.text):
                return False
            if self.ended:
                return True
            self.more()

    def peek(self):
        if self.at_end():
            raise CannotCompare("the document ends before it is complete")
        return self.text[self.at]

    def expect(self, wanted):
        found = self.peek()
        if found not in wanted:
            raise CannotCompare(f"the document has {found!r} where one of {wanted!r} is expected")
        self.at += 1
        return found

    def value(self):
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
                # A number that touches the end of what was read may go on in what was not.
                if end < len(self.text) or self.ended:
                    self.at = end
                    return value
            except json.JSONDecodeError as error:
                if self.ended:
                    raise CannotCompare(f"the document is not well-formed JSON: {error.msg} at "
                                        f"{self.text[error.pos:error.pos + 40]!r}") from error
            self.more()

    def records(self):
        self.expect("{")
        while True:
            key = self.value()
            if not isinstance(key, str) or key in self.members:
                raise CannotCompare(f"the document has the key {key!r} where a new string is expected")
            self.expect(":")
            if key == "data":
                self.members[key] = None
                yield from self.elements()
            else:
                self.members[key] = self.value()
            if self.expect(",}") == "}":
                break
        if "data" not in self.members:
            raise CannotCompare("the document has no member \"data\"")
        if not self.at_end():
            raise CannotCompare(f"the document goes on after its end with {self.peek()!r}")

    def elements(self):
        self.expect("[")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self.expect(",]") == "]":
                return


# The comparison


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else text[:300] + "..."


def differences_of(expected, found):
    """Yields (field, what is wrong with it) of one record."""
    if not isinstance(found, dict):
        yield "(record)", f"is {shown(found)}, not an object"
        return
    wanted = dict(expected)
    if found.repeated is not None:
        yield found.repeated, "is there more than once"
    for key, value in expected:
        if key not in found:
            yield key, f"is missing; the source has {shown(value)}"
        elif not same(found[key], value):
            yield key, f"is {shown(found[key])}; the source has {shown(value)}"
    for key in found:
        if key not in wanted:
            yield key, f"is {shown(found[key])}; the source has no such field"
    if found.keys() == wanted.keys() and list(found) != [key for key, _ in expected]:
        yield "(record)", f"has its fields in the order {', '.join(found)}; the source, {', '.join(wanted)}"


def same(found, wanted):
    """Equality with types and with the order of members, which Python's has not: True == 1, {a, b} == {b, a}."""
    if type(wanted) is dict:
        return (isinstance(found, dict) and found.repeated is None and list(found) == list(wanted)
                and all(same(found[key], wanted[key]) for key in wanted))
    if type(wanted) is not type(found):
        return False
    if type(wanted) is list:
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return found == wanted


class Report:
    def __init__(self, most, output):
        self.most = most
        self.output = output
        self.records = 0
        self.fields = 0
        self.differences = 0

    def add(self, number, package, field, text):
        self.differences += 1
        if self.differences <= self.most:
            print(f"record {number} ({package}), {field}: {text}", file=self.output)


def compare(source, stream, limit=None, most=10, output=sys.stdout):
    """Compares a binary control file with a binary document; returns the Report and the members besides data."""
    report = Report(most, output)
    document = Document(stream)
    missing = object()
    expected_records = itertools.islice(map(expected_record, stanzas(source)), limit)
    for number, (expected, found) in enumerate(
            itertools.zip_longest(expected_records, document.records(), fillvalue=missing), 1):
        if expected is missing:
            package = found.get("package") if isinstance(found, dict) else shown(found)
            report.add(number, package, "(record)", "is one that the source has not, or not here")
            continue
        package = dict(expected).get("package")
        if found is missing:
            report.add(number, package, "(record)", "is missing: the document has fewer records than the source")
            continue
        report.records += 1
        report.fields += len(expected)
        for field, text in differences_of(expected, found):
            report.add(number, package, field, text)
    return report, document


@contextlib.contextmanager
def open_source(path):
    if path:
        with open(path, "rb") as file:
            yield file
        return
    with subprocess.Popen(["apt-cache", "dumpavail"], stdout=subprocess.PIPE) as program:
        yield program.stdout
        # Whoever compares a part only leaves the program with output that nobody reads.
        rest = program.stdout.read(1)
        program.stdout.close()
        if program.wait() != 0 and not rest:
            raise CannotCompare("apt-cache dumpavail failed")


@contextlib.contextmanager
def open_document(place):
    if re.match("https?://", place):
        with urllib.request.urlopen(place, timeout=300) as response:
            kind = response.headers.get_content_type()
            if kind != "application/json":
                raise CannotCompare(f"{place} is {kind}, not application/json")
            yield response
    elif place == "-":
        yield sys.stdin.buffer
    else:
        with open(place, "rb") as file:
            yield file


# The self-test

SOURCE = """\
# A comment before the first record.
Package: alpha
Version: 1:2.0-1~b
Maintainer: "Doe, Jo \\"J\\" (x)" <jo@example.org>
Original-Maintainer: A <a@x>, B <b@x>
Installed-Size: 18446744073709551615
Size: 007
Depends: libc6 (>= 2.34), mta | mail-agent (<< 3), py:any,
# A comment, with a comma, between the lines.
 gone [linux-any !amd64] <!nocheck> <cross !stage1>, broken (>= ),
Tag: role::program, made-of::{a,b , c},
 last::tag
X-Cargo-Built-Using: rust (= 1.0)
Description: short \u00e9
 first
  indented
 .
 after a blank
X-Odd: #no comment


Package: beta
version: 2\r
Conffiles:
 /etc/a 00
 /etc/b 11
""".encode()

EXPECTED = """{"meta":{"n":2},"data":[\
{"package":"alpha","version":"1:2.0-1~b","maintainer":{"name":"Doe, Jo \\"J\\" (x)","email":"jo@example.org"},\
"original_maintainer":{"name":"A","email":"a@x","rest":", B <b@x>"},"installed_size":18446744073709551615,"size":"007",\
"depends":[[{"name":"libc6","relation":">=","version":"2.34"}],\
[{"name":"mta"},{"name":"mail-agent","relation":"<<","version":"3"}],[{"name":"py","architecture":"any"}],\
[{"name":"gone","architectures":["linux-any","!amd64"],"profiles":[["!nocheck"],["cross","!stage1"]]}],\
[{"unparsed":"broken (>= )"}]],"tag":["role::program","made-of::a","made-of::b","made-of::c","last::tag"],\
"x_cargo_built_using":[[{"name":"rust","relation":"=","version":"1.0"}]],\
"description":"short \u00e9\\nfirst\\n indented\\n\\nafter a blank","x_odd":"#no comment"},\
{"package":"beta","version":"2","conffiles":"\\n/etc/a 00\\n/etc/b 11"}]}"""

# (what is replaced, by what, what the report must name)
PLANTED = [
    ('"version":"1:2.0-1~b"', '"version":"1:2.0-1~c"', "record 1 (alpha), version"),
    ('"version":"1:2.0-1~b",', "", "record 1 (alpha), version"),
    ('"x_odd":"#no comment"', '"x_odd":"#no comment","x_new":""', "record 1 (alpha), x_new"),
    ('"version":"1:2.0-1~b",', '"version":"1:2.0-1~b","version":"1:2.0-1~b",', "record 1 (alpha), version"),
    ('"email":"jo@example.org"', '"email":"jo@example.com"', "record 1 (alpha), maintainer"),
    ('"name":"A","email":"a@x"', '"email":"a@x","name":"A"', "record 1 (alpha), original_maintainer"),
    (',"rest":", B <b@x>"', "", "record 1 (alpha), original_maintainer"),
    ("18446744073709551615", "18446744073709551614", "record 1 (alpha), installed_size"),
    ("18446744073709551615", '"18446744073709551615"', "record 1 (alpha), installed_size"),
    ('"007"', "7", "record 1 (alpha), size"),
    ('"relation":">="', '"relation":">>"', "record 1 (alpha), depends"),
    ('{"name":"mta"},', "", "record 1 (alpha), depends"),
    ('"!amd64"', '"amd64"', "record 1 (alpha), depends"),
    ('["!nocheck"],["cross","!stage1"]', '["!nocheck","cross","!stage1"]', "record 1 (alpha), depends"),
    ('"made-of::c",', "", "record 1 (alpha), tag"),
    ('"1.0"', '"1.1"', "record 1 (alpha), x_cargo_built_using"),
    ("indented\\n\\nafter", "indented\\nafter", "record 1 (alpha), description"),
    ("\\n indented", "\\nindented", "record 1 (alpha), description"),
    ("\u00e9", "e", "record 1 (alpha), description"),
    ('{"package":"beta","version":"2"', '{"version":"2","package":"beta"', "record 2 (beta), (record)"),
    (',{"package":"beta","version":"2","conffiles":"\\n/etc/a 00\\n/etc/b 11"}', "", "record 2 (beta), (record)"),
    ('11"}]', '11"},{"package":"gamma"}]', "record 3 (gamma), (record)"),
    ('11"}]', '11"},7]', "record 3 (7), (record)"),
]

# (what is replaced, by what): these cannot be compared at all.
BROKEN = [
    ("}]}", "}]"),
    ("}]}", "}"),
    ("}]}", "}]}x"),
    ('"data":', '"rows":'),
    ('{"meta":{"n":2},', ""),
    ("18446744073709551615", "1.5"),
    ('"package":"beta"', '"package":"be'),
]


def self_test():
    def run(text, source=SOURCE):
        output = io.StringIO()
        try:
            report, _ = compare(io.BytesIO(source), io.BytesIO(text.encode()), output=output)
            return report, output.getvalue()
        except (CannotCompare, ValueError) as error:
            return None, str(error)

    failures = []
    report, text = run(EXPECTED)
    if not report or report.differences or (report.records, report.fields) != (2, 14):
        failures.append(f"the right document is not taken for right: {text}")
    spaced = re.sub(r'([\[{]|[\]}"],)(?=["{\[])', r"\1\n ", EXPECTED)
    for changed, replacement, named in PLANTED:
        document = EXPECTED.replace(changed, replacement, 1)
        report, text = run(document)
        if document == EXPECTED or not report or not report.differences or not text.startswith(named):
            failures.append(f"{changed!r} as {replacement!r} is not reported as {named!r}: {text!r}")
    for changed, replacement in BROKEN:
        head, found, tail = EXPECTED.rpartition(changed)
        report, text = run(head + replacement + tail)
        if not found or report:
            failures.append(f"{changed!r} as {replacement!r} is taken for a document")
    for cut in range(len(EXPECTED)):
        if run(EXPECTED[:cut])[0]:
            failures.append(f"a document cut after {cut} characters is taken for one")
    for line in SOURCE.splitlines(keepends=True):
        if line.startswith(b"#") or not line.strip():
            continue
        report, text = run(EXPECTED, SOURCE.replace(line, b"", 1))
        if report and not report.differences:
            failures.append(f"a source without {line!r} is taken for the same")
    report, text = run(spaced)
    if spaced == EXPECTED or not report or report.differences:
        failures.append(f"blanks between tokens make a difference: {text}")
    for failure in failures:
        print(f"self-test: {failure}")
    if not failures:
        print(f"self-test: {len(PLANTED)} planted differences, {len(BROKEN)} broken documents and "
              f"{len(EXPECTED)} cut ones noticed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", nargs="?", help="where the document is: a URL, a file, or - for standard input")
    parser.add_argument("--data", metavar="FILE", help="the source; default: what `apt-cache dumpavail` prints")
    parser.add_argument("--limit", type=int, metavar="N", help="the document has the first N records only (?limit=N)")
    parser.add_argument("--differences", type=int, default=10, metavar="N", help="list the first N of them (default: 10)")
    parser.add_argument("--self-test", action="store_true", help="prove that planted differences are noticed, and exit")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.document:
        parser.error("which document? (a URL, a file, or -)")

    try:
        with open_source(arguments.data) as source, open_document(arguments.document) as stream:
            report, document = compare(source, stream, arguments.limit, arguments.differences)
    except (CannotCompare, ValueError, OSError, urllib.error.URLError, urllib.request.http.client.HTTPException) as error:
        print(f"check_catalog: {error}", file=sys.stderr)
        return 2
    if report.differences > report.most:
        print(f"... and {report.differences - report.most} more differences")
    print(f"compared {report.records} records, {report.fields} fields, {document.size} bytes of JSON: "
          f"{report.differences} differences")
    if report.records == 0:
        print("check_catalog: there was nothing to compare", file=sys.stderr)
        return 2
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
