"""Atomics: a histogram in shared and global memory, sums of floats, a maximum, and compare-and-swap."""
import newer_cuda  # noqa: F401
import numpy as np
from numba import cuda, int32

bins = 64


@cuda.jit
def count(values, counts):
    own = cuda.shared.array(bins, int32)
    t = cuda.threadIdx.x
    if t < bins:
        own[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    if t < bins:
        cuda.atomic.add(counts, t, own[t])


@cuda.jit
def summarize(values, total, largest):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(total, 0, float(values[i]))
        cuda.atomic.max(largest, 0, values[i])


@cuda.jit
def count_under_lock(lock, counter):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.compare_and_swap(lock, 0, 1) != 0:
            pass
        cuda.threadfence()
        counter[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def main():
    values = (np.arange(20_000, dtype=np.int64) ** 2 % bins).astype(np.int32)
    counts = np.zeros(bins, np.int32)
    blocks = (values.size + 127) // 128
    count[blocks, 128](values, counts)
    print('histogram:', np.array_equal(counts, np.bincount(values, minlength=bins)), counts[:5].tolist())
    total, largest = np.zeros(1), np.zeros(1, np.int32)
    summarize[blocks, 128](values, total, largest)
    print('float64 sum:', total[0] == values.sum(), total[0])
    print('max:', largest[0] == values.max(), largest[0])
    lock, counter = np.zeros(1, np.int32), np.zeros(1, np.int32)
    count_under_lock[20, 32](lock, counter)
    print('lock:', counter[0] == 20, counter[0])


main()
