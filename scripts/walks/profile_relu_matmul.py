"""torch.relu(a @ b) on 1024 x 1024 floats, recorded by torch.profiler: the default walk.

The profiler's first steps are not recorded: it allocates its buffers and CUDA loads its kernels in them, which would be
counted as time of the op.
"""
import sys

import torch
from torch.profiler import ProfilerActivity, profile, schedule

a = torch.randn(1024, 1024, device="cuda")
b = torch.randn(1024, 1024, device="cuda")


def step():
    c = torch.relu(a @ b)
    torch.cuda.synchronize()
    return c


with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
    schedule=schedule(wait=0, warmup=8, active=1, repeat=1),
    on_trace_ready=lambda done: done.export_chrome_trace(sys.argv[1]),
    record_shapes=True,
    with_stack=True,
    profile_memory=True,
) as profiler:
    for _ in range(9):
        step()
        profiler.step()
