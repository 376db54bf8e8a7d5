#!/usr/bin/env python3
"""Compares the times of a program's kernels in two walks: one of a GPU, one of the simulated GPU with --cycles.

  times.py GPU.json.gz SIMULATED.json.gz [--within PERCENT]

Compared are PyTorch's own kernels (namespaces at, c10; Triton's), which both runs launch with the same name and shape in the
same order; kernels of NVIDIA's libraries have stand-ins in the simulated run. The first launch of a kernel is left out: on a
GPU, its code is loaded then. Prints a line per kernel, and how many launches are within PERCENT (default: 15).
"""
from __future__ import annotations

import argparse
import collections
import gzip
import json
import statistics
import sys

OWN = ("at::", "at_cuda_detail::", "c10::", "triton_")


def kernels(walk):
    """Durations in microseconds by name and grid, in the order of their launches."""
    found = collections.defaultdict(list)
    with gzip.open(walk, "rt") if walk.endswith(".gz") else open(walk) as file:
        events = json.load(file)["traceEvents"]
    rows = [one for one in events if one.get("cat") == "kernel"]
    for row in sorted(rows, key=lambda one: one["ts"]):
        name = row["name"]
        if any(word in name for word in OWN):
            found[name, str(row["args"].get("grid")), str(row["args"].get("block"))].append(row["dur"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpu")
    parser.add_argument("simulated")
    parser.add_argument("--within", type=float, default=15)
    arguments = parser.parse_args()
    right, model = kernels(arguments.gpu), kernels(arguments.simulated)
    errors, lines, alone = [], [], 0
    for key in right.keys() | model.keys():
        a, b = right.get(key, [])[1:], model.get(key, [])[1:]
        if len(a) != len(b):
            alone += abs(len(a) - len(b))
        pairs = list(zip(a, b))
        if not pairs:
            continue
        mine = [100 * (simulated / measured - 1) for measured, simulated in pairs]
        errors += mine
        lines.append((statistics.median(mine), len(mine), statistics.median(a), statistics.median(b), key))
    for middle, count, measured, simulated, (name, grid, block) in sorted(lines, key=lambda one: one[0]):
        print(f"{middle:+7.1f} %  {count:5} x  {measured:9.2f} us  {simulated:9.2f} us  {grid} {block} {name[:110]}")
    if not errors:
        print("no kernel of PyTorch's own is in both walks")
        return 1
    near = sum(abs(one) <= arguments.within for one in errors)
    print(f"{near} of {len(errors)} launches ({100 * near / len(errors):.1f} %) within {arguments.within:g} %, median of the "
          f"errors {statistics.median(errors):+.1f} %, of their sizes {statistics.median(map(abs, errors)):.1f} %; "
          f"{alone} launches in one walk alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
