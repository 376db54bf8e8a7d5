#!/usr/bin/env python3
"""Compiles kernels of assets/kernel_lab at several levels of optimisation, for lab/ptx-sass.

usage: python3 tests/validate/levels.py            writes assets/kernel_lab/levels: machine code and cycles.csv
       python3 tests/validate/levels.py --check    compares the machine code; exit 0: up to date, 1: stale, 77: no
                                                   matching CUDA toolkit
       python3 tests/validate/levels.py --launches FOLDER    writes launch files for record.py

Level G is `nvcc -G`: neither compiler optimises. Levels 0 to 2 are `ptxas -O0` to `-O2` of the PTX in the repository.
Level 3, ptxas's default, is the shipped cubin (scripts/cubins). cycles.csv has the launch of assets/kernel_lab/NAME.json with
the code of each level: SM clocks on an H200 (levels_measured.csv: Nsight Compute, median of five, caches flushed) and
on the simulated H200, and the instructions that warps executed there.

The PTX of -G contains debug sections with the paths of this machine. They are removed before ptxas, so that the output
is the same on every machine. ptxas then places a few variables differently: up to 1 % of the executed instructions.
"""
import argparse
import csv
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAB = ROOT / "assets/kernel_lab"
OUT = LAB / "levels"
KERNELS = ["matmul_tiled", "matmul_naive", "bank_conflicts", "divergence"]
LEVELS = ["G", "0", "1", "2", "3"]


def tool(name):
    return shutil.which(name) or f"/usr/local/cuda/bin/{name}"


def toolkit():
    try:
        said = subprocess.run([tool("ptxas"), "--version"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return re.search(r"V[0-9.]+", said).group()


def debug_ptx(kernel, folder):
    file = folder / f"{kernel}.ptx"
    subprocess.run([tool("nvcc"), "-G", "-ptx", "-arch=sm_90", "-frandom-seed=warpwalk", "-o", file,
                    LAB / f"{kernel}.cu"], check=True)
    text = file.read_text()
    text = text[:text.index("\t.section")]
    text = re.sub(r"^(\.target .*), debug", r"\1", text, flags=re.M)
    file.write_text(re.sub(r'^(\s*\.file\s+\d+ ")[^"\n]*/', r"\1", text, flags=re.M))
    return file


def compiled(kernel, level, folder):
    out = folder / "out.cubin"
    if level == "G":
        options = ["-g", debug_ptx(kernel, folder)]  # warns that the debug sections are missing
    else:
        options = [f"-O{level}", "-lineinfo", LAB / f"{kernel}.ptx"]
    subprocess.run([tool("ptxas"), "-arch=sm_90", *options, "-o", out], check=True, stderr=subprocess.DEVNULL)
    return out.read_bytes()


def cubin_file(kernel, level):
    return LAB / f"{kernel}.cubin.gz" if level == "3" else OUT / f"{kernel}.{level}.cubin.gz"


def launch_file(kernel, level, file):
    # Files are named relative to the launch file.
    text = re.sub(r'"([\w.]+\.bin)"', lambda match: json.dumps(str(LAB / match[1])), (LAB / f"{kernel}.json").read_text())
    launch = json.loads(text)
    launch.pop("ptx")
    launch["cubin"] = str(cubin_file(kernel, level))
    # The mangled name, which the driver needs, is in the PTX.
    launch["kernel"] = re.search(r"\.entry (\w+)", (LAB / f"{kernel}.ptx").read_text()).group(1)
    file.write_text(json.dumps(launch))


def launches(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        for level in LEVELS:
            launch_file(kernel, level, folder / f"{kernel}.{level}.json")
    return 0


def simulated(kernel, level, folder):
    file, report = folder / "launch.json", folder / "report.json"
    launch_file(kernel, level, file)
    subprocess.run([ROOT / "build/release/warpwalk", "simulate", file, "--cycles", "on", "--limit", "4000000000",
                    "--json", report], check=True, stdout=subprocess.DEVNULL)
    read = json.loads(report.read_text())
    return read["cycles"], read["warp_instructions"]


def check(folder):
    version = toolkit()
    stale = 0
    for kernel in KERNELS:
        for level in LEVELS[:-1]:
            shipped = gzip.decompress(cubin_file(kernel, level).read_bytes())
            if version is None or version.encode() not in shipped:
                print("levels: the installed CUDA toolkit is not the one that compiled the kernels", file=sys.stderr)
                return 77
            if compiled(kernel, level, folder) != shipped:
                print(f"levels: {kernel}, level {level}: out of date; run tests/validate/levels.py", file=sys.stderr)
                stale = 1
    return stale


def write(folder):
    OUT.mkdir(exist_ok=True)
    with open(ROOT / "tests/validate/levels_measured.csv", newline="") as file:
        measured = {(row["kernel"], row["level"]): row["cycles"] for row in csv.DictReader(file)}
    rows = []
    for kernel in KERNELS:
        for level in LEVELS:
            if level != "3":
                cubin_file(kernel, level).write_bytes(
                    gzip.compress(compiled(kernel, level, folder), compresslevel=9, mtime=0))
            rows.append((kernel, level, measured[kernel, level], *simulated(kernel, level, folder)))
            print(*rows[-1], flush=True)
    with open(OUT / "cycles.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["kernel", "level", "cycles_measured", "cycles_simulated", "warp_instructions"])
        writer.writerows(rows)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare without writing")
    parser.add_argument("--launches", metavar="FOLDER", type=pathlib.Path, help="write launch files")
    arguments = parser.parse_args()
    checks = arguments.check
    if arguments.launches:
        return launches(arguments.launches)
    with tempfile.TemporaryDirectory() as folder:
        return (check if checks else write)(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
