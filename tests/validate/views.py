#!/usr/bin/env python3
"""Measures what it costs to read a view that is not contiguous, on a GPU with PyTorch.

    python3 views.py FILE          writes FILE: view, stride, elements, ns, load_sectors, dram_read_bytes

Each view has 4,096 rows of 8,192 float32 elements. torch.neg reads it and writes a contiguous result: an element-wise
kernel, whose lanes follow the result's last dimension.

    columns      a[:, ::stride] of a matrix with `stride` times as many columns
    transposed   a.t() of a matrix of 8,192 rows; the result is contiguous
    kept         the same, but the result has the strides of a.t(), as torch.neg(a.t()) makes it

`ns` is the median of 30 calls, timed with CUDA events. The counters are those of Nsight Compute (ncu) for one call
with cold caches: 32-byte sectors that the loads ask L1 for, and bytes read from GPU memory; empty without ncu.
"""
import csv
import io
import shutil
import statistics
import subprocess
import sys

import torch

ROWS, COLUMNS = 4096, 8192
STRIDES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
DRAM = "dram__bytes_read.sum"


def views():
    """Name, stride of the last dimension, view and result; one at a time, since some are large."""
    for stride in STRIDES:
        a = torch.ones(ROWS, COLUMNS * stride, device="cuda")
        yield "columns", stride, a[:, ::stride], torch.empty(ROWS, COLUMNS, device="cuda")
    a = torch.ones(COLUMNS, ROWS, device="cuda")
    yield "transposed", ROWS, a.t(), torch.empty(ROWS, COLUMNS, device="cuda")
    yield "kept", ROWS, a.t(), torch.empty(COLUMNS, ROWS, device="cuda").t()


def time_of(view, out):
    for _ in range(5):
        torch.neg(view, out=out)
    times = []
    for _ in range(30):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        begin.record()
        torch.neg(view, out=out)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e6)
    return round(statistics.median(times))


def launch_each():
    """Under ncu: each view once, between start and stop."""
    for _, _, view, out in views():
        torch.neg(view, out=out)
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStart()
        torch.neg(view, out=out)  # a large view takes several launches
        torch.cuda._sleep(1)      # marks the end
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()


def counters(count):
    """Sectors and bytes of each launch; None without ncu."""
    ncu = shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")
    if ncu is None:
        return [(None, None)] * count
    command = [ncu, "--csv", "--profile-from-start", "off", "--print-units", "base", "--metrics", f"{SECTORS},{DRAM}",
               sys.executable, __file__, "--launch"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = text.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        print(text.stdout[-2000:], text.stderr[-2000:], file=sys.stderr)
        return [(None, None)] * count
    by_launch = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        launch = by_launch.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"]})
        launch[row["Metric Name"]] = round(float(row["Metric Value"].replace(",", "")))
    found, sectors, dram = [], 0, 0
    for _, launch in sorted(by_launch.items()):
        if "spin" in launch["kernel"]:
            found.append((sectors, dram))
            sectors = dram = 0
        else:
            sectors += launch[SECTORS]
            dram += launch[DRAM]
    if len(found) != count:
        print(f"{len(found)} views of {count} were profiled", file=sys.stderr)
        return [(None, None)] * count
    return found


def main():
    if sys.argv[1] == "--launch":
        launch_each()
        return
    rows = [[name, stride, ROWS * COLUMNS, time_of(view, out)] for name, stride, view, out in views()]
    with open(sys.argv[1], "w") as file:
        file.write("view,stride,elements,ns,load_sectors,dram_read_bytes\n")
        for row, found in zip(rows, counters(len(rows))):
            file.write(",".join("" if v is None else str(v) for v in [*row, *found]) + "\n")
    print(torch.__version__, torch.cuda.get_device_name())


if __name__ == "__main__":
    main()
