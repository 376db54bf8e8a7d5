#!/usr/bin/env python3
"""Records the core dumps of tests/crash/data again, on a machine with a GPU of compute capability 9.0, nvcc and
cuda-gdb: record.py OUTPUT_FOLDER

Each faulty program of tests/crash/programs writes a dump, full and (_light) without memory; those that hang are asked
for it through CUDA's pipe. What cuda-gdb says of each goes to NAME.gdb, as it is; tests/crash/data has the lines that
the tests compare. tests/crash/shrink.py makes the samples of the dumps.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
FAULTS = "freed null misaligned shared stack local assertion trap jump cluster".split()
HANGS = "barrier named mbarrier spin lock lanes".split()
LIGHT = "skip_nonrelocated_elf_images,skip_global_memory,skip_shared_memory,skip_local_memory"
QUESTIONS = ["info cuda kernels", "info cuda threads", "x/3i $errorpc", "x/3i $pc", "info registers system",
             "info registers $R0 $R1 $R2 $R3 $R4 $R5 $R6 $R7"]


def settings(dump, flags, hangs):
    environment = dict(os.environ, CUDA_COREDUMP_FILE=str(dump))
    if flags:
        environment["CUDA_COREDUMP_GENERATION_FLAGS"] = flags
    if hangs:
        environment.update(CUDA_ENABLE_USER_TRIGGERED_COREDUMP="1", CUDA_COREDUMP_PIPE=str(dump.with_suffix(".pipe")))
    else:
        environment["CUDA_ENABLE_COREDUMP_ON_EXCEPTION"] = "1"
    return environment


def record_hang(command, dump, flags):
    with subprocess.Popen(command, env=settings(dump, flags, True)) as program:
        time.sleep(5)  # the kernel runs, and the driver has made the pipe
        dump.with_suffix(".pipe").write_text("dump")
        try:
            program.wait(20)  # it aborts when the dump is written
        finally:
            program.kill()


def ask_cuda_gdb(dump):
    arguments = [part for question in QUESTIONS for part in ("-ex", question)]
    text = subprocess.run(["cuda-gdb", "-nx", "-batch", "-ex", f"target cudacore {dump}", *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    dump.with_suffix(".gdb").write_text(text.stdout)


def main():
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    sources = sorted(str(source) for source in PROGRAMS.glob("*.cu"))
    subprocess.run(["nvcc", "-arch=sm_90a", "-std=c++17", "-lineinfo", *sources, "-o", out / "crash"], check=True)
    runs = [(name, [str(out / "crash"), name]) for name in FAULTS + HANGS]
    runs.append(("gather_triton", [sys.executable, str(PROGRAMS / "gather_triton.py")]))
    for name, command in runs:
        for suffix, flags in ("", ""), ("_light", LIGHT):
            dump = out / f"{name}{suffix}.core"
            if name in HANGS:
                record_hang(command, dump, flags)
            else:
                subprocess.run(command, env=settings(dump, flags, False))
            ask_cuda_gdb(dump)


if __name__ == "__main__":
    main()
