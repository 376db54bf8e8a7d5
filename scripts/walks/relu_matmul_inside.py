"""torch.relu(a @ b) on 256 x 256 floats with a matmul written in Triton: the default walk.

PyTorch multiplies matrices with cuBLAS, whose machine code may not be shipped. Here aten::mm is registered anew for CUDA,
with a Triton kernel, so that the code of both kernels is open. The argument is the file for torch.profiler's trace of
the CPU; `warpwalk record --profile` reads it.
"""
import sys
import warnings

import torch
import triton
import triton.language as tl
from torch.profiler import ProfilerActivity, profile, schedule

warnings.filterwarnings("ignore", message=".*verriding.*")


@triton.jit
def matmul_kernel(a, b, c, M, N, K, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    rows = tl.program_id(1) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(0) * TILE_N + tl.arange(0, TILE_N)
    inner = tl.arange(0, TILE_K)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for k in range(0, K, TILE_K):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + rows[:, None] * N + columns[None, :], total)


def mm(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    matmul_kernel[(n // 32, m // 32)](a, b, c, m, n, k, TILE_M=32, TILE_N=32, TILE_K=32)
    return c


library = torch.library.Library("aten", "IMPL")
library.impl("mm", mm, "CUDA")

torch.manual_seed(1)
a = torch.randint(-4, 5, (256, 256), device="cuda").float()
b = torch.randint(-4, 5, (256, 256), device="cuda").float()


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
