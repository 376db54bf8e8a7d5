#!/usr/bin/env python3
"""Records what a GPU of compute capability 9.0 computes with kernels/simd.cu: cubins/simd.cubin and data/simd.bin, which
has 128 words of each of the inputs a, b and c, then 128 words of each kernel in the order of the file.

    python3 tests/exec/record_simd.py [FOLDER]     default: tests/exec; needs such a GPU and nvcc 13.0
"""
import ctypes as C
import os
import random
import re
import struct
import subprocess
import sys

here = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
source, cubin = os.path.join(here, "kernels/simd.cu"), os.path.join(here, "cubins/simd.cubin")
subprocess.run(["nvcc", "-arch=sm_90", "-cubin", "-frandom-seed=warpwalk", "-o", cubin, source], check=True)
cuda = C.CDLL("libcuda.so.1")
EDGES = [0, 1, 5, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x80008000, 0x7fff7fff,
         0x8000ffff, 0xffff0001, 0x00018000, 0xfffffffe]


def call(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    if result:
        raise RuntimeError(f"{name}: CUDA error {result}")


def memory(content):
    pointer = C.c_uint64()
    call("cuMemAlloc_v2", C.byref(pointer), C.c_size_t(512))
    call("cuMemcpyHtoD_v2", pointer, content, C.c_size_t(512))
    return pointer


context, module = C.c_void_p(), C.c_void_p()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", C.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoad", C.byref(module), cubin.encode())
chosen = random.Random(1)
inputs = [struct.pack("128I", *[chosen.choice(EDGES) if i < 96 else chosen.getrandbits(32) for i in range(128)])
          for _ in range(3)]
pointers = [memory(content) for content in inputs + [bytes(512)]]
with open(os.path.join(here, "data/simd.bin"), "wb") as out:
    out.write(b"".join(inputs))
    for name in re.findall(r"^KERNEL\((\w+)", open(source).read(), re.M):
        function, words, number = C.c_void_p(), C.create_string_buffer(512), C.c_uint32(5)
        call("cuModuleGetFunction", C.byref(function), module, name.encode())
        arguments = (C.c_void_p * 5)(*[C.addressof(p) for p in pointers], C.addressof(number))
        call("cuLaunchKernel", function, 1, 1, 1, 128, 1, 1, 0, None, arguments, None)
        call("cuCtxSynchronize")
        call("cuMemcpyDtoH_v2", words, pointers[3], C.c_size_t(512))
        out.write(words.raw)
        print(name, flush=True)
