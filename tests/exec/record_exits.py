#!/usr/bin/env python3
"""Records what a GPU of compute capability 9.0 computes when lanes exit before, during and after instructions of a warp
that wait for others (kernels/exits.ptx): cubins/exits.cubin and data/exits.bin, 64 words of each kernel in the order of
the file.

    python3 tests/exec/record_exits.py [FOLDER]     default: tests/exec; needs such a GPU and ptxas 13.0
"""
import ctypes as C
import os
import re
import subprocess
import sys

here = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
ptx, cubin = os.path.join(here, "kernels/exits.ptx"), os.path.join(here, "cubins/exits.cubin")
subprocess.run(["ptxas", "-arch=sm_90", ptx, "-o", cubin], check=True)
cuda = C.CDLL("libcuda.so.1")


def call(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    if result:
        raise RuntimeError(f"{name}: CUDA error {result}")


context, module, y = C.c_void_p(), C.c_void_p(), C.c_uint64()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", C.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoad", C.byref(module), cubin.encode())
call("cuMemAlloc_v2", C.byref(y), C.c_size_t(256))
with open(os.path.join(here, "data/exits.bin"), "wb") as out:
    for name in re.findall(r"\.entry (\w+)", open(ptx).read()):
        function, words = C.c_void_p(), C.create_string_buffer(256)
        call("cuModuleGetFunction", C.byref(function), module, name.encode())
        call("cuMemsetD8_v2", y, 0, C.c_size_t(256))
        arguments = (C.c_void_p * 1)(C.addressof(y))
        call("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None)
        call("cuCtxSynchronize")
        call("cuMemcpyDtoH_v2", words, y, C.c_size_t(256))
        out.write(words.raw)
        print(name, flush=True)
