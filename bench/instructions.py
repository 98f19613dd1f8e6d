#!/usr/bin/env python3
"""Counts instructions for each unit of work with callgrind: the same on every run, whatever else the machine does.

    bench/instructions.py UNITS PROGRAM ARGUMENT...

PROGRAM is run as `PROGRAM ARGUMENT 1000` and as `PROGRAM ARGUMENT 3000`, where the number says how often the work is done, with
UNITS units each time: what starting and ending cost falls out of the difference. Prints a line for each ARGUMENT, with
its ratio to the first. For key formats:

    bench/instructions.py 8 build/release/bench/key_formats/key_formats plain formatted
"""
import re
import subprocess
import sys


def instructions(program, argument, times):
    ran = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, argument, str(times)],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", ran.stderr).group(1))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    units, program, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    first = None
    for argument in arguments:
        each = (instructions(program, argument, 3000) - instructions(program, argument, 1000)) / (2000 * units)
        first = first or each
        print(f"{argument:20} {each:8.1f} instructions a unit {each / first:6.2f}")


if __name__ == "__main__":
    main()
