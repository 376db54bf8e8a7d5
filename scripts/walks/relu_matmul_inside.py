"""torch.relu(a @ b) on matrices of 520 x 32 and 32 x 328 floats, with a tiled matmul in CUDA C++: the default walk.

PyTorch multiplies matrices with cuBLAS, whose machine code may not be shipped. Here mm.cpp registers aten::mm anew for
CUDA, in C++ as PyTorch's own ops are, with the kernel of matmul.cu, so that the code of both kernels is open. Its 693
blocks are more than the 660 that fit on 132 SMs at once (five per SM, limited by registers), and the blocks at two edges
of the product lie half outside of it.

The step is profiled twice in one process, with the same inputs at the same addresses. The first time gives the times:
torch.profiler notes ops and memory alone. The second gives what would change them: the Python frames, and the memory
before and after both kernels (`warpwalk record --inside matmul:SECOND`). join_runs.py makes one walk of both.

The arguments are the library made of mm.cpp and the files for torch.profiler's two traces of the CPU.
"""
import os
import sys

import torch
from cuda.core import Program, ProgramOptions
from torch.profiler import ProfilerActivity, profile, schedule

STEPS = 12  # per profile: the last one is noted, the others warm up caches and the profiler

torch.ops.load_library(sys.argv[1])
torch.cuda.init()
with open("matmul.cu", encoding="utf-8") as file:
    # Compiled by NVRTC. The line table names the file, so that `warpwalk record` finds the source.
    code = Program(file.read(), "c++", ProgramOptions(name=file.name, lineinfo=True)).compile("cubin").code
with open("matmul.cubin", "wb") as file:
    file.write(code)
torch.ops.walk.load("matmul.cubin")
os.remove("matmul.cubin")

torch.manual_seed(1)
a = torch.randint(-4, 5, (520, 32)).float().cuda()
b = torch.randint(-4, 5, (32, 328)).float().cuda()


def step():
    c = torch.relu(a @ b)
    torch.cuda.synchronize()
    return c


def profiled(file, stacks):
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=0, warmup=STEPS - 1, active=1, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(file),
        record_shapes=True,
        with_stack=stacks,
        profile_memory=True,
    ) as profiler:
        for _ in range(STEPS):
            step()
            profiler.step()


assert torch.equal(step().cpu(), torch.relu(a.cpu() @ b.cpu()))
profiled(sys.argv[2], stacks=False)
profiled(sys.argv[3], stacks=True)
