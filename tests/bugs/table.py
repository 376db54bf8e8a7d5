#!/usr/bin/env python3
"""Writes the table at the end of README.md: what compute-sanitizer reports for each planted bug (yardstick.csv, from an
H200) and what warpwalk reports (expect.json, which tests/run checks).

Exits with 1 if compute-sanitizer finds something that warpwalk does not, unless it is a known false alarm.
"""
import csv
import json
import re
import sys
from pathlib import Path

BUGS = Path(__file__).resolve().parent
BEGIN = "<!-- table.py -->"
# Correct by the memory model: fences with an atomic flag, and bar.arrive, order accesses, but racecheck ignores them.
FALSE_ALARMS = {"fine_cluster_flag", "fine_flag", "fine_named_barriers"}


def verdict(rows):
    """The tools' reports on one bug as text; empty if there are none."""
    found = []
    for row in rows:
        number = re.match(r"(\d+)", row["summary"])
        if row["tool"] == "none" or not number or number.group(1) == "0":
            continue
        found.append(f"{row['tool']}: {row['summary'].split(' displayed')[0]}")
    return ", ".join(found)


def main():
    asked = {}
    with open(BUGS / "yardstick.csv", newline="") as file:
        for row in csv.DictReader(file):
            asked.setdefault(row["bug"], []).append(row)
    lines = [BEGIN, "", "| kernel | compute-sanitizer on an H200 | warpwalk |", "|---|---|---|"]
    missed = []
    for path in sorted(BUGS.glob("*/expect.json")):
        name, expect = path.parent.name, json.loads(path.read_text())
        says = verdict(asked.get(name, []))
        if says and expect["kind"] == "none" and name not in FALSE_ALARMS:
            missed.append(name)
        theirs = says or ("nothing" if name in asked else "not run")
        if name in FALSE_ALARMS:
            theirs += " (a false alarm)"
        ours = "nothing" if expect["kind"] == "none" else f"{expect['kind']}, line {expect['source_line']}"
        lines.append(f"| {name} | {theirs} | {ours} |")
    readme = BUGS / "README.md"
    text = readme.read_text().split(BEGIN)[0]
    readme.write_text(text + "\n".join(lines) + "\n")
    if missed:
        sys.exit("table: compute-sanitizer finds these, warpwalk does not: " + ", ".join(missed))


main()
