"""Checks the shipped exercises: each starter compiles and fails, each version in tests/exercises/NAME is right, the
solution passes, and no submission of tests/exercises/cheats (EXERCISE.WHAT.cu) passes.

    check.py [--warpwalk PROGRAM] [--solutions] [--every N] [EXERCISE...]

--solutions: of the versions, only the solution. --every N: only each Nth exercise. Needs a compiler for CUDA C++ (NVRTC, nvcc or clang); exit status 77
without one.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXERCISES = ROOT / "assets/exercises"
ALWAYS = {"compiles", "correct", "findings", "block_order"}


def has_compiler(warpwalk):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.cu"
        source.write_text("__global__ void kernel() {}\n")
        return subprocess.run([warpwalk, "compile", source, "--for", "9.0", "--into", folder],
                              capture_output=True).returncode == 0


def grades(warpwalk, name, sources):
    """The grade of each source, by file name."""
    run = subprocess.run([warpwalk, "grade", *sources, "--exercise", EXERCISES / name, "--seed", "5", "--json", "-"],
                         capture_output=True, text=True)
    if run.returncode == 2:
        return run.stderr.strip()
    return {Path(attempt["file"]).name: attempt for attempt in json.loads(run.stdout)["attempts"]}


def failures(grade):
    return "; ".join(f"{c['criterion']}: {c['reason']}" for c in grade["criteria"] if c["judged"] and not c["passed"])


def check(warpwalk, name, every):
    starters = [EXERCISES / name / f"starter.{ending}" for ending in ("cu", "ptx")]
    versions = sorted((HERE / name).glob("*.cu")) if every else [HERE / name / "solution.cu"]
    cheats = sorted((HERE / "cheats").glob(f"{name}.*.cu"))
    graded = grades(warpwalk, name, [*starters, *versions, *cheats])
    if isinstance(graded, str):
        return [graded]
    problems = []
    for file in [*starters, *cheats]:
        if graded[file.name]["passed"]:
            problems.append(f"{file.name} passes")
        compiles = next(c for c in graded[file.name]["criteria"] if c["criterion"] == "compiles")
        if file in starters and not compiles["passed"]:
            problems.append(f"{file.name} does not compile")
    for file in versions:
        wrong = [c for c in graded[file.name]["criteria"] if c["criterion"] in ALWAYS and not c["passed"]]
        if wrong or (file.name == "solution.cu" and not graded[file.name]["passed"]):
            problems.append(f"{file.name}: {failures(graded[file.name])}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warpwalk", default=ROOT / "build/release/warpwalk")
    parser.add_argument("--solutions", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("exercises", nargs="*")
    options = parser.parse_args()
    if not has_compiler(options.warpwalk):
        print("check: there is no compiler for CUDA C++ here")
        sys.exit(77)
    names = options.exercises or sorted(folder.name for folder in EXERCISES.iterdir() if folder.is_dir())
    failed = False
    for name in names[::options.every]:
        problems = check(options.warpwalk, name, not options.solutions)
        failed = failed or bool(problems)
        print(f"{name}: {'right' if not problems else ''}{'; '.join(problems)}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
