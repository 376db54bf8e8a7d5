#!/usr/bin/env python3
"""Records the outputs of the cases on this machine's GPU: record.py [NAME...]

Writes NAME.out.bin in the case's values.tar.gz for every buffer that its launch.json expects. Runs every case twice
and reports outputs that differ between the runs, since they cannot be compared bit for bit. The time limit per case is
20 seconds.
"""
import json
import select
import subprocess
import sys
from pathlib import Path

from definitions.values import read_values, write_values
from driver import DriverError, Gpu

CASES = Path(__file__).resolve().parent
SECONDS = 20


def worker():
    """Runs the launch files named on stdin and prints one line of JSON for each."""
    gpu = Gpu()
    for line in sys.stdin:
        try:
            first, second = gpu.run(line.strip()), gpu.run(line.strip())
            print(json.dumps({"after": {k: v.hex() for k, v in first.items()},
                              "varies": [k for k in first if first[k] != second[k]]}), flush=True)
        except DriverError as error:
            print(json.dumps({"error": str(error)}), flush=True)
            return


class Worker:
    """A process that runs cases. Restarted after a case that failed or timed out."""

    def __init__(self):
        self.process = None

    def run(self, launch_file):
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, __file__, "--worker"], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"{launch_file}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        line = self.process.stdout.readline() if ready else ""
        silent = "the process died" if ready else f"no answer in {SECONDS} s"
        result = json.loads(line) if line else {"error": silent}
        if "error" in result:
            self.stop()
        return result

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def record(folder, result):
    """Writes the outputs and returns the state of each: new, same, changed or varying."""
    said, values = [], read_values(folder)
    for name, want in json.loads((folder / "launch.json").read_text())["expect"].items():
        file, data = want["file"].partition("/")[2], bytes.fromhex(result["after"][name])
        state = "new" if file not in values else "same" if values[file] == data else "CHANGED"
        if name in result["varies"]:
            state += ", VARIES"
        values[file] = data
        said.append(f"{name} {state}")
    write_values(folder, values)
    return "; ".join(said)


def main():
    names = sys.argv[1:] or sorted(p.parent.name for p in CASES.glob("*/launch.json"))
    runner, failed = Worker(), 0
    for name in names:
        result = runner.run(CASES / name / "launch.json")
        failed += "error" in result
        said = f"FAILED: {result['error']}" if "error" in result else record(CASES / name, result)
        print(f"{name}: {said}", flush=True)
    runner.stop()
    print(f"{len(names) - failed} of {len(names)} cases recorded")
    sys.exit(failed > 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        worker()
    else:
        main()
