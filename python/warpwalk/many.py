"""Many ranks, and many submissions: one call for all of them, on this machine or on the workers of Dask."""
from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Any, Iterable

from . import places
from .cuda import compiler_environment
from .program import Error, Scratch, call
from .spread import each
from .walk import Walk


class Ranks(Walk):
    """The ranks of a run, by their digests. digests: the folder with them; places: where their traces are."""

    digests: Path
    places: list[str]

    def rank(self, number: int) -> Walk:
        """The whole trace of one rank, fetched now if it is elsewhere."""
        for trace in self.ranks["traces"]:
            if trace["rank"] == number:
                return Walk(trace["file"])
        raise Error(f"there is no rank {number}; there are {self.ranks['count']} ranks")


def ranks(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], client: Any = None, *,
          folder: str | os.PathLike[str] | None = None, workers: int | None = None) -> Ranks:
    """Compares the ranks of a run: makes a digest of each trace, and opens all digests together.

    paths: a folder, a pattern, or a list of traces and digests; each a path or an address that fsspec opens.
    client: of dask.distributed: its workers make the digests, each where it runs. Without it, threads of this machine.
    folder: keeps the digests; those that are there already are not made again. Default: a temporary folder.
    """
    one = isinstance(paths, (str, os.PathLike))
    given = [paths] if one else list(paths)  # type: ignore[list-item, arg-type]
    found = [place for entry in given for place in places.listed(entry)]
    if not found:
        raise Error("no traces are given; name a folder, a pattern or a list")
    scratch = Scratch() if folder is None else None
    keep = scratch.folder if scratch is not None else Path(folder)  # type: ignore[arg-type]
    keep.mkdir(parents=True, exist_ok=True)
    files = [keep / name for name in digest_names(found)]
    missing = [i for i, file in enumerate(files) if not file.exists()]
    for number, content in each(digest_bytes, [found[i] for i in missing], client, workers):
        write_whole(files[missing[number]], content)
    walk = Ranks(files, scratch)
    walk.digests, walk.places = keep, found
    walk.info  # so that what cannot be compared is reported here
    return walk


def digest_bytes(place: str) -> bytes:
    """The digest of the trace at a place."""
    with tempfile.TemporaryDirectory(prefix="warpwalk-") as folder:
        trace = places.fetch(place, Path(folder)) if places.is_remote(place) else Path(place)
        if trace.name.endswith(".digest"):
            return trace.read_bytes()
        out = Path(folder, "out.digest")
        call(["digest", trace, "-o", out, "--place", place if places.is_remote(place) else trace.resolve()])
        return out.read_bytes()


def digest_names(found: list[str]) -> list[str]:
    """A name for each digest, after its trace; equal names get numbers."""
    names: list[str] = []
    used: dict[str, int] = {}
    for place in found:
        name = places.stem(places.name_of(place))
        used[name] = used.get(name, 0) + 1
        names.append(f"{name}.digest" if used[name] == 1 else f"{name}-{used[name]}.digest")
    return names


def write_whole(file: Path, content: bytes) -> None:
    """A reader sees all of the file or nothing of it."""
    partial = file.with_name(f"{file.name}.{secrets.token_hex(4)}.partial")
    partial.write_bytes(content)
    partial.replace(file)


class Grades(list):  # type: ignore[type-arg]
    """The submissions of a class, each a dict: student, passed, points, criteria with reasons.

    report: what `warpwalk grade --json` says; file: its file, for `warpwalk grade --graded`; good: whether all pass.
    """

    report: dict[str, Any]
    file: Path
    good: bool

    def frame(self) -> Any:
        """A row for each submission, as a DataFrame of pandas."""
        try:
            import pandas
        except ImportError:
            raise Error("pandas is not installed; the grades are a list of dicts without it") from None
        rows = [{"student": one["student"], "passed": one["passed"], "points": one["points"],
                 "cycles": one["figures"].get("cycles"), "same_as": one.get("same_as", []), "file": one["file"]}
                for one in self]
        return pandas.DataFrame(rows)


def grade(folder: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], exercise: str, client: Any = None, *,
          seed: int | None = None, parts: int | None = None, gpu: str = "h200", output: str | os.PathLike[str] | None = None,
          format: str = "csv", roster: str | os.PathLike[str] | None = None, points: float | None = None,
          feedback: str | os.PathLike[str] | None = None) -> Grades:
    """Grades the submissions of a class (docs/exercises.md), a part of them in each task.

    folder: a folder, or a list of files and folders, that all workers reach under the same path.
    client: of dask.distributed. Without it, the program grades on all cores of this machine.
    seed: of sizes and inputs; the same for all. parts: number of tasks; default: four for each worker.
    output, format, roster, points, feedback: as of `warpwalk grade`.
    """
    one = isinstance(folder, (str, os.PathLike))
    paths = [str(Path(entry).resolve()) for entry in ([folder] if one else folder)]  # type: ignore[list-item, union-attr]
    chosen = seed if seed is not None else secrets.randbits(52) | 1
    count = 1
    if client is not None:
        info = client.scheduler_info()["workers"]
        count = parts or max(1, 4 * len(info))
    scratch = Scratch()
    task = {"paths": paths, "exercise": exercise, "seed": chosen, "gpu": gpu}
    reports = []
    if client is not None:
        tasks = [{**task, "part": f"{number}/{count}"} for number in range(1, count + 1)]
        for number, content in each(grade_part, tasks, client):
            if content:
                reports.append(scratch.folder / f"part{number}.json")
                reports[-1].write_bytes(content)
    whole = scratch.folder / "grades.json"
    words: list[object] = ["grade", *paths, "--exercise", exercise, "--gpu", gpu, "--json", whole]
    words += ["--graded", *sorted(reports)] if reports else ["--seed", chosen]
    words += ["-o", output, "--format", format] if output is not None else []
    words += ["--roster", roster] if roster is not None else []
    words += ["--points", points] if points is not None else []
    words += ["--feedback", feedback] if feedback is not None else []
    answer = call(words, compiler_environment())
    grades = Grades()
    grades.report = json.loads(whole.read_text())
    grades.extend(grades.report["attempts"])
    grades.file, grades.good = whole, answer.good
    grades._scratch = scratch  # type: ignore[attr-defined]
    return grades


def grade_part(task: dict[str, Any]) -> bytes:
    """The report of a part of the submissions, on a worker."""
    with tempfile.TemporaryDirectory(prefix="warpwalk-") as folder:
        out = Path(folder, "part.json")
        call(["grade", *task["paths"], "--exercise", task["exercise"], "--seed", task["seed"], "--gpu", task["gpu"],
              "--part", task["part"], "--threads", 1, "--json", out], compiler_environment())
        return out.read_bytes()
