"""Vector addition: arrays of the host and of the GPU, a bound that no block fills, and a second type."""
import newer_cuda  # noqa: F401
import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def main():
    print('device:', cuda.get_current_device().name.decode() != '')
    n = 100_003
    a = np.arange(n, dtype=np.float32)
    b = 2 * a
    blocks = (n + 255) // 256
    c = np.zeros_like(a)
    add[blocks, 256](a, b, c)  # numba copies the arrays to the GPU and back
    print('float32:', np.array_equal(c, 3 * a), 'last', c[-1])
    stream = cuda.stream()
    first = cuda.to_device(a.astype(np.int64), stream)
    second = cuda.to_device(b.astype(np.int64), stream)
    sums = cuda.device_array(n, np.int64, stream=stream)
    add[blocks, 256, stream](first, second, sums)
    result = sums.copy_to_host(stream=stream)
    stream.synchronize()
    print('int64:', np.array_equal(result, 3 * np.arange(n)), 'sum', int(result.sum()))


main()
