"""Reductions: a tree in shared memory, numba's own reduction, and a sum by shuffles."""
import newer_cuda  # noqa: F401
import numpy as np
from numba import cuda, float64, int32

threads = 256


@cuda.jit
def sum_blocks(values, sums):
    part = cuda.shared.array(threads, float64)
    t = cuda.threadIdx.x
    total = 0.0
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        total += values[i]
    part[t] = total
    cuda.syncthreads()
    step = threads // 2
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]


@cuda.jit
def sum_warps(values, sums):
    i = cuda.grid(1)
    value = int32(0)
    if i < values.size:
        value = values[i]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xffffffff, value, step)
    if cuda.laneid == 0:
        sums[i // 32] = value


@cuda.reduce
def largest(a, b):
    return max(a, b)


def main():
    values = np.arange(50_000, dtype=np.float64) % 1000 - 250
    sums = cuda.device_array(16, np.float64)
    sum_blocks[16, threads](values, sums)
    print('shared memory:', sums.copy_to_host().sum() == values.sum(), values.sum())
    print('cuda.reduce:', largest(values) == values.max(), values.max())
    integers = np.arange(1000, dtype=np.int32)
    warps = np.zeros(32, np.int32)
    sum_warps[4, threads](integers, warps)
    print('shuffles:', warps.sum() == integers.sum(), warps.sum())


main()
