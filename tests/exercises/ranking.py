"""Compares the order of an exercise's versions by simulated cycles with their order on a real GPU.

    ranking.py launches FOLDER           writes a launch file and machine code for each version of each exercise (nvcc)
    ranking.py compare FOLDER MEASURED   simulates them and writes h100_ranking.csv; MEASURED is the table that
                                         tests/validate/record.py FOLDER MEASURED has written on an H100
    ranking.py check                     fails if h100_ranking.csv lacks an exercise or has a tau below 0.9
    ranking.py best                      writes the solutions' figures into assets/exercises/NAME/exercise.json

The versions of an exercise are tests/exercises/NAME/*.cu. Prints Kendall's tau for each exercise.
"""
import csv
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import launches

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXERCISES = ROOT / "assets/exercises"
TABLE = HERE / "h100_ranking.csv"
WARPWALK = ROOT / "build/release/warpwalk"


def names():
    found = [folder.name for folder in EXERCISES.iterdir() if (folder / "exercise.json").exists()]
    return sorted(found, key=lambda name: described(name)["order"])


def described(name):
    return json.loads((EXERCISES / name / "exercise.json").read_text())


def write_launches(folder):
    for name in names():
        for source in sorted((HERE / name).glob("*.cu")):
            made = folder / f"{name}.{source.stem}"
            launches.write(described(name), source, folder / "code" / name, False)
            launch = json.loads((folder / "code" / name / f"{source.stem}.json").read_text())
            launch["cubin"] = f"code/{name}/{launch['cubin']}"
            Path(f"{made}.json").write_text(json.dumps(launch) + "\n")


def simulated(file, gpu):
    report = subprocess.run([WARPWALK, "simulate", file, "--gpu", gpu, "--cycles", "on", "--json", "-"], check=False,
                            capture_output=True, text=True)
    if report.returncode == 2:
        sys.exit(report.stderr)
    return json.loads(report.stdout)["cycles"]


def tau(pairs):
    """Kendall's tau of pairs of numbers, without ties."""
    signs = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in itertools.combinations(pairs, 2)]
    return sum((s > 0) - (s < 0) for s in signs) / len(signs)


def compare(folder, measured):
    with open(measured) as file:
        head, *table = csv.reader(file)
    # From the right, since kernels' names have commas.
    column = head.index("cycles_elapsed") - len(head)
    cycles = {row[0]: float(row[column]) for row in table}
    rows = []
    for name in names():
        pairs = []
        for source in sorted((HERE / name).glob("*.cu")):
            made = f"{name}.{source.stem}"
            if made not in cycles:
                print(f"{made}: not measured")
                continue
            row = [name, source.stem, round(cycles[made]), round(simulated(folder / f"{made}.json", "h100")),
                   round(simulated(folder / f"{made}.json", "h200"))]
            rows.append(row)
            pairs.append((row[2], row[3]))
        print(f"{name:24} {tau(pairs):6.2f}  {' '.join(f'{a}/{b}' for a, b in sorted(pairs))}", flush=True)
    with open(TABLE, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["exercise", "version", "measured_h100", "simulated_h100", "simulated_h200"])
        writer.writerows(rows)


def check():
    with open(TABLE) as file:
        rows = list(csv.DictReader(file))
    failed = False
    for name in names():
        pairs = [(int(r["measured_h100"]), int(r["simulated_h100"])) for r in rows if r["exercise"] == name]
        failed = failed or len(pairs) < 5 or tau(pairs) < 0.9
        print(f"{name:24} {len(pairs)} versions, Kendall's tau {tau(pairs):.2f}")
    sys.exit(1 if failed else 0)


def write_best():
    with open(TABLE) as file:
        rows = {row["exercise"]: row for row in csv.DictReader(file) if row["version"] == "solution"}
    for name, row in rows.items():
        file = EXERCISES / name / "exercise.json"
        best = f'"best": {{"cycles": {row["simulated_h200"]}, "measured_h100": {row["measured_h100"]}}}'
        text, count = re.subn(r'"best":\s*\{[^}]*\}', best, file.read_text())
        if count != 1:
            sys.exit(f"{file}: has no \"best\"")
        file.write_text(text)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["launches", folder]:
            write_launches(Path(folder))
        case ["compare", folder, measured]:
            compare(Path(folder), measured)
        case ["check"]:
            check()
        case ["best"]:
            write_best()
        case _:
            sys.exit(__doc__)
