"""Writes assets/devices/h200_effects.csv, the effect of each parameter of the timing model: effects.py [VALIDATE]

VALIDATE is the program, build/release/tests/validate/validate by default. It simulates the launches below once as they
are, and once without each parameter. Takes about a quarter of an hour on two cores that do nothing else.
`warpwalk simulate --accuracy parameters` shows the file.
"""
import concurrent.futures
import csv
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Short launches whose measurements spread by less than 6 %. Together they use all units.
LAUNCHES = {
    HERE / "reference": ["vecadd_1048576", "reduce_1048576", "transpose_shared_1024", "matmul16_256x256x256",
                         "divergent_1048576"],
    HERE: ["mma_f16_4096", "matrix_double_256", "exp_f64_1M", "philox_1M", "quantised_dot_4096", "mv_f32_2048",
           "gather_in_cache", "scatter_1M", "tickets_1M", "global_histogram_2M"],
}
MEASURED_BY = "2026-11-22"  # h200_measured.csv of both folders


def simulate(validate, folder, without):
    """Error of the cycles in percent, by launch of the folder, without a parameter or (None) with all of them."""
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "rows.csv"
        command = [str(validate), "--folder", str(folder), "--case", ",".join(LAUNCHES[folder]), "--csv", str(file)]
        if without:
            command += ["--without", without]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(file, newline="") as rows:
            return {row["case"]: float(row["cycles_error_pct"]) for row in csv.DictReader(rows) if row["stopped"] == "0"}


def simulate_all(validate, names):
    """Errors by parameter left out, and by launch. Several simulations run at a time."""
    errors = {name: {} for name in [None, *names]}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(simulate, validate, folder, name): name for name in errors for folder in LAUNCHES}
        for done, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            errors[jobs[job]].update(job.result())
            print(f"{done} of {len(jobs)}: {jobs[job] or 'all parameters'}", file=sys.stderr, flush=True)
    return errors


def mean_size(by_launch):
    return sum(map(abs, by_launch.values())) / len(by_launch)


def largest_change(before, after):
    """The launch whose simulated cycles change most, and by how much, in percent of the cycles with the parameter."""
    def change(name):
        return 100 * ((100 + after[name]) / (100 + before[name]) - 1)
    name = max(after, key=lambda launch: abs(change(launch)))
    return name, change(name)


def value_of(parameters, name):
    parameter = parameters[name]
    value = parameter["value"]
    text = str(value) if isinstance(value, int) else f"{value:g}"
    unit = parameter.get("unit", "")
    return f"{text} {unit[:-1] if value == 1 and unit.endswith('s') else unit}".strip(), parameter["status"]


def main():
    validate = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/release/tests/validate/validate"
    parameters = json.loads((ROOT / "assets/devices/h200.json").read_text())["parameters"]
    listed = subprocess.run([str(validate), "--list-parameters"], check=True, capture_output=True, text=True).stdout
    meanings = dict(line.split("\t") for line in listed.splitlines())
    meanings = {name: meaning for name, meaning in meanings.items() if name in parameters}
    errors = simulate_all(validate, meanings)
    before = errors.pop(None)
    common = [f"{len(before)} short launches"]
    dates = ["NVIDIA H200", MEASURED_BY, datetime.date.today()]
    rows = []
    for name, meaning in meanings.items():
        launch, change = largest_change(before, errors[name])
        meaning = re.sub(r"(?<=\d),(?=\d)", "", meaning).replace(",", ";")  # the file is read without quotes
        rows.append([*common, name, *value_of(parameters, name), meaning, f"{mean_size(errors[name]):.1f}", launch,
                     f"{change:.1f}", *dates])
    # First the parameters without which the error grows most, last those that have no effect.
    rows.sort(key=lambda row: (abs(float(row[7])) < 0.05, -mean_size(errors[row[1]])))
    with open(ROOT / "assets/devices/h200_effects.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["set", "parameter", "value", "status", "without", "mean_error_pct", "launch", "change_pct", "gpu",
                      "measured_by", "simulated_on"])
        out.writerow([*common, "(none left out)", "", "", "", f"{mean_size(before):.1f}", "", "", *dates])
        out.writerows(rows)


if __name__ == "__main__":
    main()
