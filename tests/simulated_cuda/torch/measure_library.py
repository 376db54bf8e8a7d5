#!/usr/bin/env python3
"""Measures NVIDIA's libraries on a GPU, for assets/libraries: the times of the calls that stand-ins take over (docs/simulated-cuda.md).

  warpwalk record -o h200.json.gz -- python3 measure_library.py run          on the GPU, with PyTorch
  warpwalk record --on sim -o sim.json.gz -- python3 measure_library.py run --once
  python3 measure_library.py join h200.json.gz sim.json.gz -o assets/libraries/h200.csv

`run` makes PyTorch's calls, each in a range "measured N". On the GPU the walk has the library's kernels and their times, on the
simulated one the name that the stand-in gives the call. `join` writes a row per call: the median of the repetitions, each the
sum of the kernels in its range, and the kernel that takes most of it.
"""
from __future__ import annotations

import argparse
import bisect
import ctypes
import gzip
import json
import re
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Callable, Iterator

REPEATS = 15
LIBRARIES = {"cuBLAS": "libcublas.so.{}", "cuDNN": "libcudnn.so.9"}


def calls(torch: Any) -> Iterator[Callable[[], Any]]:
    """PyTorch's calls, by library, type and shape. Inputs are made when a call is taken, and freed with it."""
    def normal(*shape: int, dtype: Any) -> Any:
        return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)

    sizes = [(m, n, k) for m in (1, 16, 64, 128, 512, 1024, 2048) for n, k in
             ((256, 256), (512, 512), (768, 768), (1024, 1024), (768, 3072), (3072, 768))]
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        for tf32 in (False, True) if dtype == torch.float32 else (False,):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.backends.cudnn.allow_tf32 = tf32
            for m, n, k in sizes:
                x, w, b = normal(m, k, dtype=dtype), normal(n, k, dtype=dtype), normal(n, dtype=dtype)
                dy = normal(m, n, dtype=dtype)
                yield lambda: torch.nn.functional.linear(x, w)       # forward, without and with a bias
                yield lambda: torch.nn.functional.linear(x, w, b)
                yield lambda: dy @ w                                 # the gradient of the input
                yield lambda: dy.t() @ x                             # the gradient of the weight
            for batch, m, k in ((12, 128, 64), (12, 512, 64), (16, 1024, 64), (96, 128, 64), (96, 1024, 64), (32, 1024, 128)):
                q, v = normal(batch, m, k, dtype=dtype), normal(batch, m, k, dtype=dtype)
                scores = normal(batch, m, m, dtype=dtype)
                yield lambda: torch.bmm(q, v.transpose(1, 2))
                yield lambda: torch.bmm(scores, v)
            for n, c, h, out, filter in ((1, 64, 56, 64, 3), (8, 64, 56, 64, 3), (32, 64, 56, 64, 3), (32, 128, 28, 128, 3),
                                         (32, 256, 14, 256, 3), (32, 512, 7, 512, 3), (32, 256, 56, 64, 1), (8, 3, 224, 64, 7)):
                image, kernel = normal(n, c, h, h, dtype=dtype), normal(out, c, filter, filter, dtype=dtype)
                stride = 2 if filter == 7 else 1
                yield lambda: torch.nn.functional.conv2d(image, kernel, stride=stride, padding=filter // 2)


def run(repeats: int) -> None:
    import torch

    for name, version in versions().items():
        torch.cuda.nvtx.mark(f"library {name} {version}")
    torch.cuda.nvtx.mark(f"device {torch.cuda.get_device_name()}")
    count = 0
    for count, call in enumerate(calls(torch), 1):
        for _ in range(2 if repeats > 1 else 0):
            call()  # chooses the algorithm
        torch.cuda.synchronize()
        for _ in range(repeats):
            torch.cuda.nvtx.range_push(f"measured {count}")
            call()
            torch.cuda.nvtx.range_pop()
        torch.cuda.synchronize()
    print(f"{count} calls")


def versions() -> dict[str, str]:
    """Of the libraries that PyTorch has loaded."""
    found = {}
    for name, file in LIBRARIES.items():
        for major in ("13", "12"):
            try:
                library = ctypes.CDLL(file.format(major))
                get = library.cublasGetProperty if name == "cuBLAS" else library.cudnnGetProperty
            except (OSError, AttributeError):
                continue
            parts = []
            for part in range(3):  # MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL
                value = ctypes.c_int()
                get(part, ctypes.byref(value))
                parts.append(str(value.value))
            found[name] = ".".join(parts)
            break
    return found


class Work:
    """The kernels in one range."""

    def __init__(self) -> None:
        self.kernels: list[dict[str, Any]] = []

    @property
    def ns(self) -> float:
        return sum(kernel["dur"] for kernel in self.kernels) * 1000

    @property
    def longest(self) -> str:
        return str(max(self.kernels, key=lambda kernel: kernel["dur"])["name"])

    @property
    def names(self) -> set[str]:
        return {kernel["args"]["library call"] for kernel in self.kernels if "library call" in kernel["args"]}


def read(file: Path) -> tuple[dict[int, list[Work]], list[str]]:
    """By number of the call, the work of each repetition; and the program's marks."""
    data = file.read_bytes()
    events = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)["traceEvents"]
    ranges = [(event["ts"], event["ts"] + event["dur"], int(event["name"].split()[1]), Work()) for event in events
              if event.get("ph") == "X" and re.fullmatch(r"measured \d+", event.get("name", ""))]
    ranges.sort(key=lambda one: one[0])
    begins = [one[0] for one in ranges]
    launches = {event["args"]["correlation"]: event["ts"] for event in events
                if event.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in event.get("args", {})}
    for event in events:
        if event.get("cat") != "kernel":
            continue
        launched = launches.get(event["args"].get("correlation"))
        at = bisect.bisect_right(begins, launched) - 1 if launched is not None else -1
        if at >= 0 and launched <= ranges[at][1]:
            ranges[at][3].kernels.append(event)
    found = defaultdict(list)
    for _, _, number, work in ranges:
        if work.kernels:
            found[number].append(work)
    return found, [event["name"] for event in events if event.get("cat") == "nvtx" or event.get("ph") == "i"]


def join(measured: Path, simulated: Path, output: Path) -> int:
    works, marks = read(measured)
    named, _ = read(simulated)
    rows, unnamed = {}, 0
    for number, repetitions in works.items():
        names = {name for work in named.get(number, []) for name in work.names}
        if len(names) != 1:
            unnamed += 1
            continue
        median = statistics.median(work.ns for work in repetitions)
        rows[names.pop()] = (round(median), repetitions[0].longest)
    said = [mark.partition(" ")[2] for word in ("device ", "library ") for mark in marks if mark.startswith(word)]
    lines = [f"# {'; '.join(sorted(set(said), key=said.index))}", "call,ns,kernel"]
    lines += [f'{call},{ns},"{kernel}"' for call, (ns, kernel) in sorted(rows.items())]
    output.parent.mkdir(exist_ok=True)
    output.write_text("\n".join(lines) + "\n")
    print(f"{output}: {len(rows)} calls" + (f"; {unnamed} calls have no name, or several, on the simulated GPU" if unnamed else ""))
    return 0 if rows else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runs = verbs.add_parser("run")
    runs.add_argument("--once", action="store_true", help="without repetitions, for the simulated GPU")
    joins = verbs.add_parser("join")
    joins.add_argument("measured", type=Path)
    joins.add_argument("simulated", type=Path)
    joins.add_argument("-o", "--output", type=Path, required=True)
    chosen = parser.parse_args()
    if chosen.verb == "run":
        run(1 if chosen.once else REPEATS)
        return 0
    return join(chosen.measured, chosen.simulated, chosen.output)


if __name__ == "__main__":
    sys.exit(main())
