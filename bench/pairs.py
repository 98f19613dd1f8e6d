#!/usr/bin/env python3
"""Compares two benchmark programs in alternating pairs, so that the ratio holds when the machine's speed drifts.

    bench/pairs.py [--runs N] [--min-time S] 'PROGRAM_A ARGUMENTS' 'PROGRAM_B ARGUMENTS'

Both are Google Benchmark programs. Benchmarks are matched by the part of their name before the first slash ("rolf/fields"
and "rolf"). Prints, for each, the median of A, of B, and of the ratio A/B pair by pair, with its least and greatest.
"""
import argparse
import json
import shlex
import statistics
import subprocess
import sys


def speeds(command, min_time):
    """Bytes a second by benchmark, of one run."""
    words = shlex.split(command) + ["--benchmark_format=json", f"--benchmark_min_time={min_time}"]
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    found = {}
    for entry in json.loads(ran.stdout)["benchmarks"]:
        name = entry["name"].split("/")[0]
        if name in found:
            sys.exit(f"pairs.py: {command}: more than one benchmark is called {name}: choose by --benchmark_filter")
        found[name] = entry["bytes_per_second"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="pairs to run (default 10)")
    parser.add_argument("--min-time", type=float, default=0.1, help="seconds for each benchmark of a run (default 0.1)")
    parser.add_argument("a")
    parser.add_argument("b")
    options = parser.parse_args()
    pairs = [(speeds(options.a, options.min_time), speeds(options.b, options.min_time)) for _ in range(options.runs)]
    names = [name for name in pairs[0][0] if name in pairs[0][1]]
    if not names:
        sys.exit("pairs.py: the programs have no benchmark in common")
    print(f"{'':10} {'A MB/s':>9} {'B MB/s':>9} {'A/B':>6}   least greatest   ({options.runs} pairs, medians)")
    for name in names:
        ratios = [a[name] / b[name] for a, b in pairs]
        left = statistics.median(a[name] for a, _ in pairs) / 1e6
        right = statistics.median(b[name] for _, b in pairs) / 1e6
        print(f"{name:10} {left:9.0f} {right:9.0f} {statistics.median(ratios):6.2f}   {min(ratios):5.2f} {max(ratios):8.2f}")


if __name__ == "__main__":
    main()
