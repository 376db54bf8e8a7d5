"""Tests the page: `python3 tests/browser/run.py [--page FILE] [NAME...]`. A NAME is a test or a browser."""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import files
import notebooks
import simulated
import walking
import writing
from browser import Browser, BrowserError
from chromium import Chromium
from firefox import Firefox
from page import REPOSITORY, Bench, Skip, bench

BOTH, FIRST = (Chromium, Firefox), (Chromium,)
TESTS: dict[str, tuple[Callable[[Bench], str], tuple[type[Browser], ...]]] = {
    "start": (walking.start, BOTH),
    "frames": (walking.frames, FIRST),
    "walk": (walking.walk, BOTH),
    "lesson": (walking.lesson, BOTH),
    "drop": (files.drop, BOTH),
    "race": (simulated.race, FIRST),
    "exercise": (simulated.exercise, FIRST),
    "run": (simulated.run, FIRST),
    "cases": (simulated.cases, FIRST),
    "pictures": (simulated.pictures, FIRST),
    "export": (writing.export, BOTH),
    "messages": (writing.messages, FIRST),
    "settings": (walking.settings, BOTH),
    "long": (files.long, FIRST),
    "pixels": (simulated.pixels_only, FIRST),
    "notebooks": (notebooks.notebooks, BOTH),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the page in Chromium and Firefox.")
    parser.add_argument("--page", type=Path, default=REPOSITORY / "build" / "browser" / "warpwalk.html")
    kinds = {kind.__name__.lower(): kind for kind in BOTH}
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*TESTS, *kinds]))
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in TESTS and name not in kinds]:
        parser.error(f"no test or browser is named {', '.join(unknown)}")
    if not options.page.is_file():
        parser.error(f"{options.page} is not there; build it with scripts/browser")
    tests = [name for name in options.names if name in TESTS] or list(TESTS)
    browsers = [kinds[name] for name in options.names if name in kinds] or list(BOTH)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in tests:
        test, where = TESTS[name]
        for kind in (kind for kind in where if kind in browsers):
            one(name, test, kind, options.page, counts)
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 1 if counts["failed"] else 0


def one(name: str, test: Callable[[Bench], str], kind: type[Browser], page: Path,
        counts: dict[str, int]) -> None:
    """Does a test and prints a line about it, and one for each part of it that was skipped."""
    begin = time.monotonic()
    with bench(kind, page) as place:
        try:
            result, said = "passed", test(place)
        except Skip as reason:
            result, said = "skipped", str(reason)
        except (AssertionError, BrowserError, OSError) as error:
            result, said = "failed", f"{type(error).__name__}: {error}"
    counts[result] += 1
    counts["skipped"] += len(place.skipped)
    print(f"{name:9} {kind.__name__:8} {time.monotonic() - begin:6.1f} s  {result}: {said}", flush=True)
    for reason in place.skipped:
        print(f"{'':29}skipped: {reason}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
