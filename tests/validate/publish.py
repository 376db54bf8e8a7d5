"""Writes what is published of the comparison with an H200: publish.py [VALIDATE] [WARPWALK]

VALIDATE and WARPWALK are the programs of build/release by default. Simulates the launches of `reference` and the held-out
ones, of at most 60 million warp instructions each, which takes about ten minutes. Writes
assets/devices/h200_validation.csv, which the window shows (lab/validation), its picture, and docs/timing-launches.md.
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


def table_of(rows):
    lines = ["| launch | cycles measured | simulated | error | spread | L1 hit % | L2 hit % | DRAM read MB | occupancy % |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        def pair(name, scale=1.0):
            return f"{float(row[name + '_measured']) * scale:.1f} / {float(row[name + '_simulated']) * scale:.1f}"
        lines.append(f"| {row['case']} | {row['cycles_measured']} | {row['cycles_simulated']} | "
                     f"{float(row['cycles_error_pct']):+.1f} % | {float(row['spread_pct']):.1f} % | {pair('l1_hit')} | "
                     f"{pair('l2_hit')} | {pair('dram_read', 1e-6)} | {pair('occupancy')} |")
    return "\n".join(lines)


def write_page(results):
    """`results`: what validate printed and its rows, of the reference launches and of those that were held out."""
    page = ["# Each launch against an H200", "",
            "Written by `python3 tests/validate/publish.py`. [timing.md](timing.md) describes the model and explains the "
            "largest errors. Pairs are measured / simulated."]
    for title, (shown, rows) in zip(["Reference launches", "Launches that were held out"], results):
        first = shown.rindex("\n", 0, shown.rindex("launches with a spread")) + 1
        page += ["", f"## {title}", "", table_of(rows), "", "```", shown[first:].rstrip(), "```"]
    (ROOT / "docs/timing-launches.md").write_text("\n".join(page) + "\n")


def main():
    validate = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/tests/validate/validate"
    warpwalk = sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/release/warpwalk"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda folder: rows_of(validate, folder), [HERE / "reference", HERE]))
    for shown, _ in results:
        print(shown)
    write_page(results)
    with open(ROOT / "assets/devices/h200_validation.csv", "w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for _, rows in results:
            out.writerows(rows)
    subprocess.run([str(warpwalk), "render", str(ROOT / "assets/walks/relu_matmul.json.gz"), "--scene", "lab/validation",
                    "--at", "b1", "--size", "1600x1000", "-o", str(ROOT / "docs/scenes/validation.png")], check=True)


if __name__ == "__main__":
    main()
