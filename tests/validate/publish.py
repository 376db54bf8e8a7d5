"""Writes assets/devices/h200_validation.csv, which the window shows (lab/validation): publish.py [VALIDATE] [WARPWALK]

VALIDATE and WARPWALK are the programs of build/release by default. Simulates the launches of `reference` and the held-out
ones, of at most 60 million warp instructions each, which takes about ten minutes, and then draws the picture of the docs.
"""
import concurrent.futures
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLUMNS = ["set", "case", "spread_pct", "cycles_measured", "cycles_simulated", "active_measured", "active_simulated"]


def rows_of(validate, folder):
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "rows.csv"
        shown = subprocess.run([str(validate), "--folder", str(folder), "--csv", str(file)], check=True,
                               capture_output=True, text=True).stdout
        with open(file, newline="") as rows:
            return shown, [row for row in csv.DictReader(rows) if row["stopped"] == "0"]


def main():
    validate = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/tests/validate/validate"
    warpwalk = sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/release/warpwalk"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda folder: rows_of(validate, folder), [HERE / "reference", HERE]))
    for shown, _ in results:
        print(shown)
    with open(ROOT / "assets/devices/h200_validation.csv", "w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for _, rows in results:
            out.writerows(rows)
    subprocess.run([str(warpwalk), "render", str(ROOT / "assets/walks/relu_matmul.json.gz"), "--scene", "lab/validation",
                    "--at", "b1", "--size", "1600x1000", "-o", str(ROOT / "docs/scenes/validation.png")], check=True)


if __name__ == "__main__":
    main()
