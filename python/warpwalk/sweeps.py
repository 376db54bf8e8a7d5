"""Launches on many descriptions of GPUs: cycles over parameters."""
from __future__ import annotations

import copy
import gzip
import itertools
import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from . import cuda
from .program import Error, Scratch, call, program
from .spread import each
from .walk import Table, Walk

Gpu = dict[str, Any]


def devices() -> Path:
    """The folder with the descriptions of GPUs that come with the program."""
    folder = program().resolve().parent
    named = os.environ.get("WARPWALK_ASSETS")
    for assets in ([Path(named)] if named else []) + [folder.parent / "share/warpwalk", folder.parents[1] / "assets"]:
        if (assets / "devices").is_dir():
            return assets / "devices"
    raise Error("the descriptions of GPUs were not found; set WARPWALK_PROGRAM to the program beside its assets")


def variants(base: str = "h200", *, every: bool = False, **parameters: Iterable[float]) -> list[Gpu]:
    """Descriptions of GPUs: `base`, and one for each value of each parameter (docs/sweeps.md).

    every: all combinations of the values in place of one change at a time.
    """
    description = described(base)
    known = description["parameters"]
    for name in parameters:
        if name not in known:
            close = [one for one in known if name.split("_")[0] in one]
            raise Error(f"{name}: is no parameter of {base}" + (f"; there are {', '.join(close[:6])}" if close else ""))
    values = {name: list(several) for name, several in parameters.items()}
    if every:
        changes = [dict(zip(values, one)) for one in itertools.product(*values.values())]
    else:
        changes = [{name: value} for name, several in values.items() for value in several]
    usual = {name: known[name]["value"] for name in values}
    changes = [{}] + [one for one in changes if any(usual[name] != value for name, value in one.items())]
    return [changed(description, base, one) for one in changes]


def described(gpu: str) -> Gpu:
    """A description by its name, or of a file."""
    file = Path(gpu) if gpu.endswith(".json") else devices() / f"{gpu}.json"
    try:
        description: Gpu = json.loads(file.read_text())
    except OSError as error:
        raise Error(f"{gpu}: unknown GPU ({error.strerror}); give a name in assets/devices or a description file") from None
    except ValueError as error:
        raise Error(f"{file}: is no JSON ({error})") from None
    if not isinstance(description, dict) or not isinstance(description.get("parameters"), dict):
        raise Error(f"{file}: describes no GPU; it has no parameters")
    if "base" in description:  # which has the parameters that are not named
        base = described(str(description.pop("base")))
        merged = {**base["parameters"], **description["parameters"]}
        description["parameters"] = {name: one for name, one in merged.items() if one is not None}
    return description


def changed(description: Gpu, base: str, changes: Mapping[str, float]) -> Gpu:
    gpu = copy.deepcopy(description)
    for name, value in changes.items():
        gpu["parameters"][name] = {**gpu["parameters"][name], "value": value, "status": "assumed",
                                   "source": f"swept; {base} has {description['parameters'][name]['value']}"}
    gpu["swept"] = {"base": base, "changes": dict(changes)}
    return gpu


class Sweep(Table):
    """A row for each launch and GPU: launch, gpu, changes (the parameters that differ from the base), cycles."""

    base: Gpu
    launches: list[Any]

    def parameters(self) -> list[str]:
        """The parameters that differ between the GPUs, in the order in which they come."""
        names: dict[str, None] = {}
        for row in self:
            names.update(dict.fromkeys(row["changes"]))
        return list(names)

    def of(self, launch: str | None) -> list[dict[str, Any]]:
        """The rows of one launch, with cycles. Without a name: of the first one."""
        name = launch or (self[0]["launch"] if self else None)
        rows = [row for row in self if row["launch"] == name and row["cycles"]]
        if not rows:
            raise Error(f"{name}: no launch of this sweep has cycles under this name")
        return rows

    def value(self, row: Mapping[str, Any], parameter: str) -> float:
        """A parameter of the GPU of a row."""
        if parameter in row["changes"]:
            return float(row["changes"][parameter])
        return float(self.base["parameters"][parameter]["value"])

    def cheaper(self, parameter: str, launch: str | None = None) -> str:
        """"smaller" or "larger": the values that are easier to build, which are those that cost cycles."""
        slopes = [row["elasticity"] for row in self.sensitivity(launch) if row["parameter"] == parameter]
        return "larger" if slopes and slopes[0] > 0 else "smaller"

    def pareto(self, parameter: str, launch: str | None = None) -> Table:
        """The rows that no other one beats in both: a cheaper value of the parameter, and fewer cycles.

        Of what lowers the cycles, such as bandwidth, small values are cheap; of what raises them, such as latencies, large
        ones.
        """
        sign = -1 if self.cheaper(parameter, launch) == "larger" else 1
        rows = sorted(self.of(launch), key=lambda row: (sign * self.value(row, parameter), row["cycles"]))
        front: list[dict[str, Any]] = []
        for row in rows:
            if not front or row["cycles"] < front[-1]["cycles"]:
                front.append(row)
        return Table(front)

    def sensitivity(self, launch: str | None = None) -> Table:
        """How the cycles of a launch follow each parameter, the strongest first.

        elasticity: the slope of log(cycles) over log(parameter) by least squares, of the GPUs on which nothing else is
        changed: -1 means that twice the value halves the cycles, 0 that they do not depend on it.
        """
        rows = self.of(launch)
        table = Table()
        for name in self.parameters():
            alone = [row for row in rows if not set(row["changes"]) - {name}]
            points = sorted((self.value(row, name), float(row["cycles"])) for row in alone)
            points = [(value, cycles) for value, cycles in points if value > 0]
            if len({value for value, _ in points}) < 2:
                continue
            table.append({"parameter": name, "elasticity": slope(points), "base": self.value({"changes": {}}, name),
                          "from": points[0][0], "to": points[-1][0], "cycles_from": points[0][1],
                          "cycles_to": points[-1][1], "gpus": len(points)})
        table.sort(key=lambda row: -abs(row["elasticity"]))
        return table

    def save(self, file: str | os.PathLike[str], launch: str | None = None) -> Walk:
        """Writes a walk of a launch on the base GPU, with the sweep of all launches: scene lab/sweep shows it."""
        name = launch or self[0]["launch"]
        one = next((what for what, known in zip(self.launches, launch_names(self.launches)) if known == name), None)
        if one is None:
            raise Error(f"{name}: is no launch of this sweep")
        out = Path(file)
        with tempfile.TemporaryDirectory(prefix="warpwalk-") as folder:
            recorded = Path(folder, "walk.json.gz")
            simulated(one, self.base, Path(folder), recorded)
            with gzip.open(recorded) as text:
                content = json.load(text)
        content = {"warpwalk_sweep": self.picture_data(), **content}
        partial = out.with_name(out.name + ".partial")
        with gzip.open(partial, "wt") if out.suffix == ".gz" else partial.open("w") as text:
            json.dump(content, text)
        partial.replace(out)
        return Walk(out)

    def picture_data(self) -> dict[str, Any]:
        """What scene lab/sweep draws."""
        launches = []
        for name in dict.fromkeys(row["launch"] for row in self):
            rows = self.of(name)
            points = {}
            for parameter in self.parameters():
                front = {id(row) for row in self.pareto(parameter, name)}
                points[parameter] = [{"value": self.value(row, parameter), "cycles": row["cycles"], "gpu": row["gpu"],
                                      "front": id(row) in front} for row in rows]
            launches.append({"name": name, "points": points, "sensitivity": list(self.sensitivity(name)),
                             "cheaper": {parameter: self.cheaper(parameter, name) for parameter in points}})
        return {"version": 1, "base": self.base["name"], "launches": launches,
                "units": {name: self.base["parameters"][name].get("unit", "") for name in self.parameters()}}

    def show(self, at: str | None = None) -> None:
        """The picture: in a notebook's cell, else in a window."""
        self._scratch = Scratch()
        shown = self.save(self._scratch.folder / "sweep.json.gz")
        shown.show("lab/sweep", at)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the logarithms, by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def sweep(launches: Any, gpus: Iterable[Any], client: Any = None, *, workers: int | None = None) -> Sweep:
    """Simulates each launch on each GPU.

    launches: a launch file, or a dict with the arguments of `warpwalk.simulate`; or several of either.
    gpus: names, description files, or descriptions, such as those of `warpwalk.variants`; the first is the base.
    client: of dask.distributed; its workers simulate. Files must be there under the same path.
    """
    several = list(launches) if isinstance(launches, (list, tuple)) else [launches]
    several = [one if isinstance(one, dict) else str(Path(one).resolve()) for one in several]
    chosen = [one if isinstance(one, dict) else described(str(one)) for one in gpus]
    if not several or not chosen:
        raise Error("a sweep needs a launch and a GPU")
    names = launch_names(several)
    tasks = [(one, gpu) for one in several for gpu in chosen]
    # Threads of this machine would share its cores with those of each simulation.
    cycles: dict[int, float | None] = dict(each(cycles_on, tasks, client, workers))
    result = Sweep()
    result.base, result.launches = chosen[0], several
    for number in range(len(tasks)):
        launch, gpu = divmod(number, len(chosen))
        result.append({"launch": names[launch], "gpu": label_of(chosen[gpu]),
                       "changes": chosen[gpu].get("swept", {}).get("changes", {}), "cycles": cycles[number]})
    return result


def launch_names(launches: Sequence[Any]) -> list[str]:
    names: list[str] = []
    for one in launches:
        name = one.get("kernel") or "launch" if isinstance(one, dict) else Path(one).name.removesuffix(".json")
        if name == "launch" and not isinstance(one, dict):
            name = Path(one).parent.name
        names.append(name if name not in names else f"{name} {len(names) + 1}")
    return names


def label_of(gpu: Gpu) -> str:
    changes = gpu.get("swept", {}).get("changes", {})
    return ", ".join(f"{name} {value:g}" for name, value in changes.items()) or str(gpu["name"])


def cycles_on(task: tuple[Any, Gpu]) -> float | None:
    """The cycles of a launch on a GPU."""
    launch, gpu = task
    with tempfile.TemporaryDirectory(prefix="warpwalk-") as folder:
        cycles = simulated(launch, gpu, Path(folder), None).get("cycles")
        return None if cycles is None else float(cycles)


def simulated(launch: Any, gpu: Gpu, folder: Path, out: Path | None) -> dict[str, Any]:
    """The report of a launch on a described GPU."""
    description = folder / "gpu.json"
    description.write_text(json.dumps({key: value for key, value in gpu.items() if key != "swept"}))
    if isinstance(launch, dict):
        return cuda.simulate(**{**launch, "gpu": str(description), "cycles": "on", "threads": 1, "output": out}).report
    report = folder / "report.json"
    words: list[object] = ["simulate", launch, "--gpu", description, "--cycles", "on", "--threads", 1, "--json", report]
    call(words + (["-o", out] if out is not None else []), cuda.compiler_environment())
    answer: dict[str, Any] = json.loads(report.read_text())
    return answer

