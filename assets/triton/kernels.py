"""The kernels of lab/cuda-triton in Triton."""
import triton
import triton.language as tl


@triton.jit
def relu(x, y, n, BLOCK_SIZE: tl.constexpr):
    start = tl.program_id(0) * BLOCK_SIZE
    i = start + tl.arange(0, BLOCK_SIZE)
    mask = i < n
    v = tl.load(x + i, mask=mask)
    tl.store(y + i, tl.where(v > 0, v, 0), mask=mask)


@triton.jit
def vecadd(a, b, c, n, BLOCK_SIZE: tl.constexpr):
    start = tl.program_id(0) * BLOCK_SIZE
    i = start + tl.arange(0, BLOCK_SIZE)
    mask = i < n
    u = tl.load(a + i, mask=mask)
    v = tl.load(b + i, mask=mask)
    tl.store(c + i, u + v, mask=mask)


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """c = a b, row by row in memory; m, n and k are divisible by the block's edges."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, k, BLOCK_K):
        tile_a = tl.load(a + rows[:, None] * k + (step + inner)[None, :])
        tile_b = tl.load(b + (step + inner)[:, None] * n + columns[None, :])
        sums = tl.dot(tile_a, tile_b, sums)
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.float16))


CONFIGS = [
    triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}, num_warps=warps, num_stages=stages)
    for m, n, k, warps, stages in [
        (16, 16, 32, 1, 2), (32, 32, 32, 2, 3), (64, 64, 32, 4, 1), (64, 64, 32, 4, 3), (64, 64, 64, 4, 4),
        (64, 128, 64, 4, 4), (128, 64, 64, 4, 3), (128, 128, 32, 4, 4), (128, 128, 64, 4, 3), (128, 128, 64, 8, 3),
        (128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 32, 4, 4),
    ]
]

matmul = triton.autotune(configs=CONFIGS, key=["m", "n", "k"])(matmul_kernel)
