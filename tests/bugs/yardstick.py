#!/usr/bin/env python3
"""Runs compute-sanitizer on the planted bugs: yardstick.py FOLDER [NAME...]

Needs a GPU and compute-sanitizer. Runs every bug that terminates under each of the four tools and without a tool, a few
at a time, with a limit of 20 seconds each. Writes the reports (NAME.TOOL.txt) and summary.csv to FOLDER. The summary
has one row per bug and tool: the number of reports, the first report and the source lines that the reports name. Bugs
that do not terminate (deadlock, runaway) are skipped.
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BUGS = Path(__file__).resolve().parent
DRIVER = BUGS.parent / "cases" / "driver.py"
TOOLS = ("none", "memcheck", "initcheck", "racecheck", "synccheck")
SECONDS = 20
AT_ONCE = 6


def sanitizer():
    found = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not Path(found).exists():
        sys.exit("yardstick: there is no compute-sanitizer; it comes with the CUDA toolkit")
    return found


def ask(name, tool, program):
    """Returns a tool's output and exit status. Kills its whole process group after the time limit."""
    watch = [] if tool == "none" else [program, "--tool", tool, "--target-processes", "all"]
    process = subprocess.Popen([*watch, sys.executable, str(DRIVER), str(BUGS / name / "launch.json")],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=SECONDS)
        return text, str(process.returncode)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        return text, "timeout"


def row(name, tool, text, status):
    said = [line.lstrip("= ").strip() for line in text.splitlines()]
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", text)
    frame = ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY")
    said = [line for line in said if line and not line.startswith(frame)]
    lines = sorted({int(n) for n in re.findall(r"kernel\.cu:(\d+)", text)})
    return {"bug": name, "tool": tool, "exit": status, "summary": summary.group(1) if summary else "",
            "first": said[0] if said else "", "lines": " ".join(map(str, lines))}


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: yardstick.py FOLDER [NAME...]")
    out, program = Path(sys.argv[1]), sanitizer()
    out.mkdir(parents=True, exist_ok=True)
    names = sys.argv[2:] or sorted(p.parent.name for p in BUGS.glob("*/expect.json")
                                   if not p.parent.name.startswith(("deadlock_", "runaway_")))

    def one(pair):
        name, tool = pair
        text, status = ask(name, tool, program)
        (out / f"{name}.{tool}.txt").write_text(text)
        return row(name, tool, text, status)

    with ThreadPoolExecutor(AT_ONCE) as pool, open(out / "summary.csv", "w", newline="") as file:
        table = csv.DictWriter(file, ["bug", "tool", "exit", "summary", "first", "lines"])
        table.writeheader()
        for answer in pool.map(one, [(name, tool) for name in names for tool in TOOLS]):
            table.writerow(answer)
            file.flush()
            print(*answer.values(), sep=" | ", flush=True)


main()
