"""Times of cudaMalloc and cudaFree beside those of PyTorch's caching allocator with a block in its cache.

    python3 times.py h200_allocator.csv

Needs a GPU, PyTorch 2.x, the CUDA headers and g++. Each figure is the median of 15 rounds over 16 blocks of the size.
"""
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile

import torch
from torch.utils import cpp_extension

SIZES = [512, 4096, 65536, 2**20, 2 * 2**20, 8 * 2**20, 32 * 2**20, 128 * 2**20, 512 * 2**20]


def library(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    target = os.path.join(folder, "times.so")
    includes = list(cpp_extension.include_paths())
    home = cpp_extension.CUDA_HOME or "/usr/local/cuda"
    includes.append(os.path.join(home, "include"))
    # The wheels of CUDA's runtime carry headers too.
    site = os.path.dirname(os.path.dirname(torch.__file__))
    for root in (os.path.join(site, "nvidia", "cu13", "include"),
                 os.path.join(site, "nvidia", "cuda_runtime", "include")):
        if os.path.isdir(root):
            includes.append(root)
    lib = os.path.join(os.path.dirname(torch.__file__), "lib")
    command = ["g++", "-std=c++20", "-O2", "-shared", "-fPIC", os.path.join(here, "times.cpp"), "-o", target]
    command += ["-I" + path for path in includes] + ["-L" + lib, "-lc10_cuda", "-lc10", "-Wl,-rpath," + lib]
    command += ["-Wl,--unresolved-symbols=ignore-all"]  # cudaMalloc comes with the runtime that PyTorch has loaded
    subprocess.run(command, check=True)
    return ctypes.CDLL(target, mode=ctypes.RTLD_GLOBAL)


def main():
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    # The runtime that PyTorch uses, for the symbols of cudaMalloc and cudaFree.
    for line in open("/proc/self/maps"):
        path = line.split()[-1]
        if "libcudart" in path:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            break
    with tempfile.TemporaryDirectory() as folder:
        lib = library(folder)
        rows = []
        for size in SIZES:
            figures = []
            for function in (lib.cached_times, lib.driver_times):
                made, freed = [], []
                for _ in range(15):
                    a, b = ctypes.c_double(), ctypes.c_double()
                    torch.cuda.synchronize()
                    if function(ctypes.c_ulonglong(size), 16, ctypes.byref(a), ctypes.byref(b)) != 0:
                        sys.exit("out of memory")
                    made.append(a.value)
                    freed.append(b.value)
                figures += [statistics.median(made), statistics.median(freed)]
                torch.cuda.empty_cache()
            rows.append([size] + [round(f, 1) for f in figures])
    with open(sys.argv[1], "w") as out:
        out.write("bytes,cached_alloc_ns,cached_free_ns,cuda_malloc_ns,cuda_free_ns\n")
        for row in rows:
            out.write(",".join(str(value) for value in row) + "\n")


if __name__ == "__main__":
    main()
