"""Writes what is published of the comparison with an H200: publish.py [VALIDATE] [WARPWALK]

VALIDATE and WARPWALK are the programs of build/release by default. Simulates the launches of `reference` and the held-out
ones, of at most 60 million warp instructions each, which takes about ten minutes. Writes
assets/devices/h200_validation.csv, which the window (lab/validation) and `warpwalk simulate --accuracy launches` show,
and the lab's picture. Prints the statistics of docs/timing.md.
"""
import concurrent.futures
import csv
import datetime
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLUMNS = ["set", "case", "spread_pct", "cycles_measured", "cycles_simulated", "cycles_error_pct", "l1_hit_measured",
           "l1_hit_simulated", "l2_hit_measured", "l2_hit_simulated", "dram_read_mb_measured", "dram_read_mb_simulated",
           "occupancy_measured", "occupancy_simulated", "active_measured", "active_simulated", "gpu", "measured_by",
           "simulated_on"]
MEASURED_BY = {"reference": "2026-11-21", "validate": "2026-11-22"}  # h200_measured.csv of each folder


def rows_of(validate, folder):
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "rows.csv"
        shown = subprocess.run([str(validate), "--folder", str(folder), "--csv", str(file)], check=True,
                               capture_output=True, text=True).stdout
        with open(file, newline="") as rows:
            return shown, [row for row in csv.DictReader(rows) if row["stopped"] == "0"]


def published(row):
    """The row as it is published: percentages and megabytes with one decimal."""
    row = dict(row, gpu="NVIDIA H200", measured_by=MEASURED_BY[row["set"]], simulated_on=datetime.date.today())
    for kind in ["measured", "simulated"]:
        row[f"dram_read_mb_{kind}"] = float(row[f"dram_read_{kind}"]) / 1e6
    for name in COLUMNS[5:14]:
        row[name] = f"{float(row[name]):.1f}"
    return row


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
            out.writerows(map(published, rows))
    subprocess.run([str(warpwalk), "render", str(ROOT / "assets/walks/relu_matmul.json.gz"), "--scene", "lab/validation",
                    "--at", "b1", "--size", "1600x1000", "-o", str(ROOT / "docs/scenes/validation.png")], check=True)


if __name__ == "__main__":
    main()
