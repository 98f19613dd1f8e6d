#!/usr/bin/env python3
"""Runs check_layers.py over planted/ and fails unless it reports each planted line and no other, and counts the units
there that reach Asio or Beast."""

import pathlib
import re
import subprocess
import sys

import check_layers

here = pathlib.Path(__file__).resolve().parent
root = here / "planted"
run = subprocess.run(
    [sys.executable, str(here / "check_layers.py"), str(root)], capture_output=True, text=True, check=False
)
reported = set(re.findall(r"^(\S+:\d+): ", run.stdout, re.MULTILINE))
planted = {
    f"{path.relative_to(root).as_posix()}:{number}"
    for path in check_layers.sources(root)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    if line.endswith("// planted")
}
for line in sorted(planted - reported):
    print(f"{line}: planted, and not reported")
for line in sorted(reported - planted):
    print(f"{line}: reported, and not planted")
print(f"{len(planted)} planted, {len(reported)} reported, exit {run.returncode}\n{run.stdout}{run.stderr}")
units = [path.name for path in check_layers.Tree(root).network_units()]
print("units that reach Asio or Beast:", *units)
sys.exit(0 if planted and planted == reported and run.returncode == 1 and units == ["direct.cpp", "through.cpp"] else 1)
