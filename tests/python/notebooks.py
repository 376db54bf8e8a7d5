#!/usr/bin/env python3
"""Runs the notebooks of docs/notebooks in a Jupyter kernel, and compares what each cell shows with what is stored.

Usage: python3 tests/python/notebooks.py [--renew | --page FILE] [NAME...]
Exit status: 0 as stored, 1 different, 77 if nbclient or a compiler of CUDA C++ is missing. Pictures are compared byte by
byte. Two tags of cells say what is not compared:
`depends-on-machine`: only that it runs; `depends-on-compiler`: only that there are outputs of these kinds.
"""
from __future__ import annotations

import argparse
import difflib
import html
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "docs/notebooks"
COMPILED = "cuda_without_a_gpu"  # needs a compiler
Cell = Any
Output = dict[str, Any]


def run(file: Path) -> Any:
    """The notebook with its outputs. Raises the error of a cell."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(file, as_version=4)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("WARPWALK_PACKAGE", str(ROOT / "python")),
                                                             os.environ.get("PYTHONPATH")]))
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a warning of the debugger
    os.environ.setdefault("WARPWALK_PROGRAM", str(ROOT / "build/release/warpwalk"))
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=300, kernel_name="python3",
                       resources={"metadata": {"path": folder}}).execute()
    return notebook


def kept(output: Output) -> Output | None:
    """What the stored notebook has of an output: no frames, which carry the program. None: nothing."""
    data = {kind: "".join(value) if isinstance(value, list) else value
            for kind, value in output.get("data", {}).items()}
    if "image/png" in data:
        data.pop("text/html", None)
        data["image/png"] = data["image/png"].strip()
    if output["output_type"] == "stream":
        return {"output_type": "stream", "name": output["name"], "text": "".join(output["text"])}
    if output["output_type"] in ("display_data", "execute_result"):
        return {"output_type": output["output_type"], "data": data, "metadata": {},
                **({"execution_count": output["execution_count"]} if "execution_count" in output else {})}
    return None


def shown(cell: Cell) -> list[str]:
    """The outputs of a cell as lines, for comparison."""
    tags = cell.metadata.get("tags", [])
    if "depends-on-machine" in tags:
        return []
    outputs = [one for one in map(kept, cell.get("outputs", [])) if one is not None]
    lines: list[str] = []
    for output in outputs:
        for kind, value in sorted(output.get("data", {output.get("name"): output.get("text")}).items()):
            text = value if isinstance(value, str) else json.dumps(value)
            if "depends-on-compiler" in tags:
                text = f"{bool(text)}"
            lines += [f"{kind}: {line}" for line in text.rstrip().splitlines()]
    return lines


def differences(wanted: Any, found: Any) -> list[str]:
    lines = []
    for number, (before, after) in enumerate(zip(wanted.cells, found.cells)):
        for line in difflib.unified_diff(shown(before), shown(after), "stored", "shown", lineterm="", n=0):
            if not line.startswith(("---", "+++", "@@")):
                lines.append(f"cell {number}: {line[:200]}")
    return lines


def store(file: Path, notebook: Any) -> None:
    """The notebook as it is stored: without frames, and without times."""
    for cell in notebook.cells:
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
        if cell.cell_type == "code":
            machine = "depends-on-machine" in cell.metadata.get("tags", [])
            cell.outputs = [] if machine else [one for one in map(kept, cell.outputs) if one is not None]
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def page(notebook: Any) -> str:
    """The outputs as one page of HTML, in the order of preference of Jupyter."""
    parts = []
    for cell in notebook.cells:
        same = "depends-on-machine" not in cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            picture = f'<img src="data:image/png;base64,{data["image/png"].strip()}">' if "image/png" in data else ""
            parts.append(data.get("text/html") or picture)
            if "text/html" in data and picture:  # the picture that the frame is compared with, and its view
                words = html.escape(data["text/plain"])
                parts.append(f'<template class="reference" data-words="{words}" data-same="{same}">{picture}</template>')
    return "<!DOCTYPE html>\n<meta charset=utf-8>\n<body>\n" + "\n".join(f"<div>{part}</div>" for part in parts)


def missing(name: str) -> str:
    """What is not installed that this notebook needs."""
    try:
        import ipykernel  # noqa: F401
        import nbclient  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed"
    compilers = ["nvcc", "clang", *(f"clang-{version}" for version in range(14, 23))]
    if name == COMPILED and not any(map(shutil.which, compilers)) and not Path("/usr/local/cuda").exists():
        return "no compiler of CUDA C++ is installed"
    return ""


def main() -> int:
    import nbformat

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true", help="store what the cells show")
    parser.add_argument("--page", type=Path, help="write what one notebook shows as a page, for a browser")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    status = 0
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        if options.names and file.stem not in options.names:
            continue
        if reason := missing(file.stem):
            print(f"{file.stem}: skipped: {reason}")
            status = status or 77
            continue
        begin = time.monotonic()
        found = run(file)
        if options.page is not None:
            options.page.write_text(page(found))
            continue
        lines = [] if options.renew else differences(nbformat.read(file, as_version=4), found)
        if options.renew:
            store(file, found)
        print(f"{file.stem}: {time.monotonic() - begin:.1f} s, {len(lines)} differences", *lines, sep="\n  ", flush=True)
        status = 1 if lines else status
    return status


if __name__ == "__main__":
    try:
        import nbformat as _  # noqa: F401
    except ImportError:
        print("nbformat is not installed")
        sys.exit(77)
    sys.exit(main())
