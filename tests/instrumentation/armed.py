#!/usr/bin/env python3
"""Runs an armed Python program on the simulated GPU's driver, and looks at what it has written down: armed.py WARPWALK

The program finds the driver's functions as CUDA's runtime and others do: by the loader, and by the driver itself.
"""
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 numbers, .param .u32 value) {
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [numbers]; ld.param.u32 %r1, [value];
  mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4; add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r1; ret;
}
\0"""


def program():
    cuda = ctypes.CDLL("libcuda.so.1")

    def function(name):
        """As CUDA's runtime asks the driver."""
        found = ctypes.c_void_p()
        assert cuda.cuGetProcAddress_v2(name, ctypes.byref(found), 12000, ctypes.c_uint64(0), None) == 0
        return ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 11)(found.value)

    def call(result):
        assert result == 0, result

    call(cuda.cuInit(0))
    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    call(cuda.cuCtxSetCurrent(context))
    call(cuda.cuModuleLoadData(ctypes.byref(module), PTX))
    call(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"fill"))
    numbers = ctypes.c_uint64()

    def allocate(bytes):
        call(cuda.cuMemAlloc_v2(ctypes.byref(numbers), ctypes.c_size_t(bytes)))

    def launch():
        value = ctypes.c_uint32(7)
        pointers = (ctypes.c_void_p * 2)(ctypes.addressof(numbers), ctypes.addressof(value))
        call(function(b"cuLaunchKernel")(kernel.value, 1, 1, 1, 32, 1, 1, 0, None, ctypes.addressof(pointers), None))

    for _ in range(3):  # Python's frames are found soon after the first call, not at once
        allocate(4000)
        launch()
        call(cuda.cuCtxSynchronize())
        call(cuda.cuMemFree_v2(numbers))
    allocate(640)
    os.kill(os.getpid(), signal.SIGKILL)


def check(warpwalk):
    build = Path(warpwalk).parent
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, WARPWALK_ARMED=folder, LD_PRELOAD=str(build / "libwarpwalk_armed.so"),
                           LD_LIBRARY_PATH=str(build / "simulated_cuda"), WARPWALK_GPU=str(
                               Path(__file__).parents[2] / "assets/devices/h200_2sm.json"))
        run = subprocess.run([sys.executable, __file__, "--program"], env=environment, timeout=100)
        assert run.returncode == -signal.SIGKILL, run.returncode
        files = list(Path(folder).glob("*.calls"))
        assert len(files) == 1, list(Path(folder).iterdir())
        text = subprocess.run([warpwalk, "info", files[0], "--json", "-"], stdout=subprocess.PIPE, check=True).stdout
        calls = json.loads(text)["calls"]
        names = [call["name"] for call in calls]
        cycle = ["cuMemAlloc", "cuLaunchKernel", "cuCtxSynchronize", "cuMemFree"]
        assert names == ["cuInit"] + 3 * cycle + ["cuMemAlloc"], names
        assert [call["number"] for call in calls] == list(range(1, 15))
        launch = calls[10]
        assert (launch["kernel"], launch["grid"], launch["block"]) == ("fill", [1, 1, 1], [32, 1, 1]), launch
        assert all(call["result"] == 0 for call in calls), calls
        lines = Path(__file__).read_text().splitlines()
        expected = 1 + next(i for i, line in enumerate(lines) if 'b"cuLaunchKernel")(' in line)
        assert launch["python"] == f"armed.py:{expected}", launch
        assert calls[13]["bytes"] == 640


if __name__ == "__main__":
    if sys.argv[1] == "--program":
        program()
    else:
        check(sys.argv[1])
