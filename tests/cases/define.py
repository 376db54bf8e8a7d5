#!/usr/bin/env python3
"""Writes launch.json and the inputs (*.in.bin) of every case in definitions/: define.py [NAME...]

Needs only Python. Inputs come from Python's seeded generator, so they are the same on every machine. The outputs
(*.out.bin) come from a GPU: see record.py.
"""
import sys

from definitions import (algorithms, atomics, catalogue, clusters, control, floats, integers, lanes, matrices, memory,
                         shipped, surfaces, textures)
from definitions.case import all_cases


def main():
    wanted = set(sys.argv[1:])
    cases = all_cases()
    for name in wanted - {case.name for case in cases}:
        sys.exit(f"define: there is no case {name} in definitions/")
    for case in cases:
        if not wanted or case.name in wanted:
            case.write()


main()
