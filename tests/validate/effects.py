"""Writes docs/timing-parameters.md, the effect of each parameter of the timing model: effects.py [VALIDATE]

VALIDATE is the program, build/release/tests/validate/validate by default. It simulates the launches below once as they
are, and once without each parameter. Takes about a quarter of an hour on two cores that do nothing else.
"""
import concurrent.futures
import csv
import json
import os
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
    text = f"{value:,}" if isinstance(value, int) else f"{value:g}"
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
    base = mean_size(before)
    rows, idle = [], []
    for name, meaning in meanings.items():
        launch, change = largest_change(before, errors[name])
        if abs(change) < 0.05:
            idle.append(f"`{name}`")
            continue
        value, status = value_of(parameters, name)
        error = mean_size(errors[name])
        rows.append((error - base, f"| `{name}` | {value} | {status} | {meaning} | {error:.1f} | {launch} {change:+.1f} % |"))
    rows.sort(key=lambda row: row[0], reverse=True)
    text = f"""# The effect of each parameter of the timing model

Written by `python3 tests/validate/effects.py`. {len(before)} launches that were measured on an H200 are simulated once as they are and
once without each parameter (`validate --without NAME`). With all parameters, the mean absolute error of their cycles is
{base:.1f} %.

The launches: {", ".join(f"`{name}`" for names in LAUNCHES.values() for name in names)}.

The parameters without which the error grows most come first. A smaller error without a parameter does not mean that the
parameter is wrong: no parameter is fitted on these launches, and errors can cancel.

| parameter | H200 | status | without it | mean error, % | largest change of a launch's cycles |
|---|---|---|---|---|---|
"""
    text += "\n".join(row[1] for row in rows) + "\n\n"
    text += f"These parameters change no launch's cycles by 0.05 % or more: {', '.join(idle)}.\n"
    (ROOT / "docs/timing-parameters.md").write_text(text)


if __name__ == "__main__":
    main()
