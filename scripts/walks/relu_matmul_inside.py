"""torch.relu(a @ b) on matrices of 520 x 32 and 32 x 328 floats, with a tiled matmul in CUDA C++: the default walk.

PyTorch multiplies matrices with cuBLAS, whose machine code may not be shipped. Here aten::mm is registered anew for CUDA,
with the kernel of matmul.cu, so that the code of both kernels is open. Its 693 blocks are more than the 660 that fit on
132 SMs at once (five per SM, limited by registers), and the blocks at two edges of the product lie half outside of it.
The argument is the file for torch.profiler's trace of the CPU; `warpwalk record --profile` reads it.
"""
import sys
import warnings

import torch
from cuda.core import Program, ProgramOptions
from torch.cuda._utils import _cuda_load_module
from torch.profiler import ProfilerActivity, profile, schedule

warnings.filterwarnings("ignore", message=".*verriding.*")

TILE = 16
with open("matmul.cu", encoding="utf-8") as file:
    # Compiled by NVRTC. The line table names the file, so that `warpwalk record` finds the source.
    code = Program(file.read(), "c++", ProgramOptions(name=file.name, lineinfo=True)).compile("cubin").code
matmul = _cuda_load_module(code, ["matmul"])["matmul"]


def mm(a, b):
    (m, depth), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    grid = ((n + TILE - 1) // TILE, (m + TILE - 1) // TILE, 1)
    matmul(grid, (TILE, TILE, 1), [a, b, c, m, n, depth])
    return c


library = torch.library.Library("aten", "IMPL")
library.impl("mm", mm, "CUDA")

torch.manual_seed(1)
a = torch.randint(-4, 5, (520, 32)).float().cuda()
b = torch.randint(-4, 5, (32, 328)).float().cuda()


def step():
    c = torch.relu(a @ b)
    torch.cuda.synchronize()
    return c


assert torch.equal(step().cpu(), torch.relu(a.cpu() @ b.cpu()))
with profile(
    activities=[ProfilerActivity.CPU],
    schedule=schedule(wait=0, warmup=7, active=1, repeat=1),
    on_trace_ready=lambda done: done.export_chrome_trace(sys.argv[1]),
    record_shapes=True,
    with_stack=True,
    profile_memory=True,
) as profiler:
    for _ in range(8):
        step()
        profiler.step()
