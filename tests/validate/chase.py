#!/usr/bin/env python3
"""Writes assets/devices/h200_chase.csv: cycles per load of a pointer chase, by the size of the buffer.

usage: python3 tests/validate/chase.py [--most BYTES]

Measured: tests/cuda/microbench/recordings/chase.csv. Simulated: the same machine code (tests/validate/chase.cubin.gz,
compiled from tests/cuda/microbench/chase.cu for sm_90) on the simulated H200, from the difference of two launches: one
that visits all lines once, and one that then loads `steps` of them again. Buffers above --most (default 128 MiB, about
two minutes) are left out; a measurement without a simulation has an empty last column.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINE_BYTES = 128
MOST_STEPS = 4096  # as in chase.cu


def cycles_of(folder, lines, steps):
    launch = {
        "kernel": "chase", "cubin": str(ROOT / "tests/validate/chase.cubin.gz"), "grid": [1, 1, 1], "block": [1, 1, 1],
        "args": [{"buffer": "data", "dtype": "u32", "count": lines * LINE_BYTES // 4, "fill": 0},
                 {"scalar": lines, "dtype": "u32"}, {"scalar": lines, "dtype": "u32"},
                 {"scalar": steps, "dtype": "u32"}, {"buffer": "out", "dtype": "u64", "count": 2, "fill": 0}]}
    file = folder / "launch.json"
    file.write_text(json.dumps(launch))
    report = folder / "report.json"
    subprocess.run([ROOT / "build/release/warpwalk", "simulate", file, "--cycles", "on", "--limit", "4000000000",
                    "--json", report], check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["cycles"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=128 << 20, help="the largest buffer to simulate, in bytes")
    most = parser.parse_args().most
    rows = []
    with open(ROOT / "tests/cuda/microbench/recordings/chase.csv", newline="") as recorded, \
            tempfile.TemporaryDirectory() as folder:
        for row in csv.DictReader(recorded):
            size = int(row["parameters"].removeprefix("bytes="))
            simulated = ""
            if size <= most:
                lines = size // LINE_BYTES
                steps = min(lines, MOST_STEPS)
                folder = pathlib.Path(folder)
                simulated = f"{(cycles_of(folder, lines, steps) - cycles_of(folder, lines, 0)) / steps:.1f}"
            rows.append((size, f"{float(row['value']):.1f}", simulated))
            print(*rows[-1], flush=True)
    with open(ROOT / "assets/devices/h200_chase.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["bytes", "cycles_measured", "cycles_simulated"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
