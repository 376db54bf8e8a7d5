"""Measures the cost of recording: 100,000 launches of x.add_(1), three times. overhead.py plain | profile | operators.
"profile" records each round with torch.profiler (CUDA only) and exports the trace; "operators" does the same with
torch.profiler's defaults, which record CUDA and operators."""
import os
import sys
import tempfile
import time

import torch


def launches():
    start = time.perf_counter()
    for _ in range(100_000):
        x.add_(1)
    torch.cuda.synchronize()
    return time.perf_counter() - start


x = torch.zeros(1, device="cuda")
for _ in range(1000):
    x.add_(1)
torch.cuda.synchronize()
for _ in range(3):
    whole = time.perf_counter()
    if sys.argv[1] != "plain":
        only = [torch.profiler.ProfilerActivity.CUDA] if sys.argv[1] == "profile" else None
        with torch.profiler.profile(activities=only) as profiler:
            loop = launches()
        with tempfile.TemporaryDirectory() as folder:
            profiler.export_chrome_trace(os.path.join(folder, "trace.json"))
    else:
        loop = launches()
    print(f"loop {loop:.2f} s, with the trace {time.perf_counter() - whole:.2f} s", flush=True)
