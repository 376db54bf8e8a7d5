"""An expression of tensors on the simulated GPU, with values of the caller."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Mapping

from .arrays import Array, Empty, from_bytes, loaded, to_array
from .program import Error, Scratch, call
from .walk import Walk


class Run(Walk):
    """The walk of an expression, with its result.

    result: an array of the kind of the inputs; gradients: by input, of the sum of the result; report: what
    `warpwalk run --json` says; good: true if the result is that of the CPU, within the tolerance of the report.
    """

    result: Any
    gradients: dict[str, Any]
    report: dict[str, Any]
    good: bool


def run(expression: str, inputs: Mapping[str, Any] | None = None, *, gpu: str = "h200", on: str = "sim",
        gradients: bool | None = None, dtype: str | None = None, seed: int | None = None, autocast: str | None = None,
        cycles: str = "auto", threads: int | None = None, output: str | os.PathLike[str] | None = None,
        **values: Any) -> Run:
    """Computes an expression such as "relu(a @ b)" on a simulated GPU, and records it as a walk.

    Each input is a tensor, a NumPy array, a list of numbers, or a tuple with a shape, which gets random values. An input
    whose name is an option's is given in `inputs`. Gradients are computed if asked for, or if a tensor requires them.
    on: "sim", "cuda" (a real GPU) or "cpu"; gpu: the GPU that is simulated; output: the file of the walk (default: a
    temporary one). Raises Error with the program's line.
    """
    given = {**(inputs or {}), **values}
    scratch = Scratch()
    folder = scratch.folder
    out = Path(output) if output is not None else folder / "walk.json.gz"
    words: list[object] = ["run", expression, "--on", on, "--cycles", cycles, "--json", folder / "report.json",
                           "--values", folder / "values"]
    if on == "sim":
        words += ["--gpu", gpu]
    kinds = set()
    for name, value in given.items():
        if isinstance(value, Empty):
            raise Error(f"{name}: an input needs values")
        if isinstance(value, tuple) and all(isinstance(size, int) for size in value):
            words += ["--shape", f"{name}={shape_text(value)}"]
            if dtype is not None:
                words += ["--dtype", f"{name}={dtype}"]
            continue
        array = to_array(value, name)
        kinds.add(array.kind)
        words += input_words(name, array, folder)
    if gradients is None:
        gradients = any(getattr(value, "requires_grad", False) is True for value in given.values())
    words += ["--gradients"] if gradients else []
    for option, setting in (("--seed", seed), ("--autocast", autocast), ("--threads", threads)):
        words += [option, setting] if setting is not None else []
    answer = call([*words, "-o", out])

    walk = Run(out, scratch)
    walk.report = read_json(folder / "report.json")
    walk.good = answer.good
    kind = "torch" if "torch" in kinds else "numpy" if "numpy" in kinds or loaded("torch") is None else "torch"
    walk.result = read_values(walk.report["result"], kind)
    walk.gradients = {entry["of"]: read_values(entry, kind) for entry in walk.report.get("gradients", [])}
    return walk


def input_words(name: str, array: Array, folder: Path) -> list[object]:
    file = folder / f"{name}.in.bin"
    file.write_bytes(array.data)
    return ["--shape", f"{name}={shape_text(array.shape)}", "--dtype", f"{name}={array.dtype}",
            "--input", f"{name}={file}"]


def read_values(entry: Mapping[str, Any], kind: str) -> Any:
    return from_bytes(Path(entry["file"]).read_bytes(), entry["dtype"], entry["shape"], kind)


def shape_text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def read_json(file: Path) -> Any:
    return json.loads(file.read_bytes())
