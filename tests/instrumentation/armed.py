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

ROOT = Path(__file__).parents[2]
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


def failing_program(kernel_fails):
    """Launches vecadd twice, the second time perhaps for more elements than there are, and ends with an error."""
    cuda = ctypes.CDLL("libcuda.so.1")
    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    cubin = (ROOT / "tests/exec/cubins/vecadd.cubin").read_bytes()
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0 and cuda.cuCtxSetCurrent(context) == 0
    assert cuda.cuModuleLoadData(ctypes.byref(module), cubin) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"vecadd") == 0
    tensors = [ctypes.c_uint64() for _ in range(3)]
    numbers = (ctypes.c_float * 1000)(*range(1000))
    for tensor in tensors:
        assert cuda.cuMemAlloc_v2(ctypes.byref(tensor), ctypes.c_size_t(4000)) == 0
        assert cuda.cuMemcpyHtoD_v2(tensor, numbers, ctypes.c_size_t(4000)) == 0
    for elements, blocks in (1000, 4), (2000 if kernel_fails else 500, 8):
        count = ctypes.c_uint32(elements)
        pointers = (ctypes.c_void_p * 4)(*map(ctypes.addressof, [*tensors, count]))
        assert cuda.cuLaunchKernel(kernel, blocks, 1, 1, 256, 1, 1, 0, None, pointers, None) == 0
        if (result := cuda.cuCtxSynchronize()) != 0:
            sys.exit(f"CUDA error {result}")
    sys.exit("another error")


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


def simulated_driver(build):
    return dict(os.environ, LD_LIBRARY_PATH=str(build / "simulated_cuda"),
                WARPWALK_GPU=str(ROOT / "assets/devices/h200_2sm.json"))


def check_replay(warpwalk):
    """A launch that failed is run again, from the inputs that were kept of it."""
    def record(folder, program):
        run = subprocess.run([warpwalk, "record", "--armed", "--replay", "vecadd", "-o", folder, "--", sys.executable,
                              __file__, program], env=simulated_driver(Path(warpwalk).parent), capture_output=True,
                             text=True, timeout=100)
        assert run.returncode == 1, run
        assert not list(folder.glob("*.partial"))
        return run.stderr, list(folder.glob("*.walk.json.gz"))

    with tempfile.TemporaryDirectory() as folder:
        messages, walks = record(Path(folder) / "failed", "--failing-kernel")
        assert "CUDA error 700" in messages and len(walks) == 1, messages
        again = subprocess.run([warpwalk, "simulate", walks[0], "--launch", "1", "--json", "-"], capture_output=True,
                               text=True)
        assert again.returncode == 1, again.stderr
        report = json.loads(again.stdout)
        finding = report["findings"][0]
        assert (report["grid"], finding["kind"]) == ([8, 1, 1], "out_of_bounds"), report
        # The GPU gives memory in multiples of 256 bytes: element 1024 is the first that is not there.
        assert (finding["block"], finding["thread"]) == ([4, 0, 0], [0, 0, 0]), finding
        # If no kernel has failed, there is nothing to run again.
        messages, walks = record(Path(folder) / "well", "--failing-program")
        assert "another error" in messages and not walks, messages


def check(warpwalk):
    build = Path(warpwalk).parent
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(simulated_driver(build), WARPWALK_ARMED=folder,
                           LD_PRELOAD=str(build / "libwarpwalk_armed.so"))
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
    elif sys.argv[1].startswith("--failing"):
        failing_program(sys.argv[1] == "--failing-kernel")
    else:
        check(sys.argv[1])
        check_replay(sys.argv[1])
