"""Writes docs/timing-parameters.md, the effect of each parameter of the timing model: effects.py [VALIDATE]

VALIDATE is the program, build/release/tests/validate/validate by default. It simulates the reference launches of at most 1
million warp instructions once as they are, and once without each parameter. Takes about five minutes on two cores.
"""
import concurrent.futures
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT = 1_000_000
SPREAD = 6.0


def errors(validate, without=None):
    """Error of the cycles in percent by launch, of the launches whose measurements spread by at most SPREAD."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        command = [str(validate), "--limit", str(LIMIT), "--csv", str(file)]
        if without:
            command += ["--without", without]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(file, newline="") as rows:
            return {row["case"]: float(row["cycles_error_pct"]) for row in csv.DictReader(rows)
                    if float(row["spread_pct"]) <= SPREAD and row["stopped"] == "0"}


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
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        before = pool.submit(errors, validate)
        futures = {name: pool.submit(errors, validate, name) for name in meanings}
        after = {}
        for name, future in futures.items():
            after[name] = future.result()
            print(f"{len(after)} of {len(futures)}: {name}", file=sys.stderr)
        before = before.result()

    base = mean_size(before)
    rows, idle = [], []
    for name, meaning in meanings.items():
        launch, change = largest_change(before, after[name])
        if abs(change) < 0.05:
            idle.append(f"`{name}`")
            continue
        value, status = value_of(parameters, name)
        error = mean_size(after[name])
        rows.append((error - base, f"| `{name}` | {value} | {status} | {meaning} | {error:.1f} | {launch} {change:+.1f} % |"))
    rows.sort(key=lambda row: row[0], reverse=True)
    text = f"""# The effect of each parameter of the timing model

Written by `python3 tests/validate/effects.py`. The {len(before)} reference launches of at most {LIMIT // 10**6} million warp
instructions whose measurements on an H200 spread by at most {SPREAD:.0f} % are simulated once as they are and once without each
parameter (`validate --without NAME`). With all parameters, the mean absolute error of their cycles is {base:.1f} %.

The parameters without which the error grows most come first. A smaller error without a parameter does not mean that the
parameter is wrong: no parameter is fitted on these launches, and errors can cancel.

| parameter | H200 | status | without it | mean error, % | largest change of a launch's cycles |
|---|---|---|---|---|---|
"""
    text += "\n".join(row[1] for row in rows) + "\n\n"
    text += "These parameters have no effect on these launches: "
    text += ", ".join(idle) + ".\n"
    (ROOT / "docs/timing-parameters.md").write_text(text)


if __name__ == "__main__":
    main()
