"""Runs a launch file on this machine's GPU through the CUDA driver: driver.py LAUNCH.json

Needs only Python and the driver (libcuda.so.1). tests/bugs/yardstick.py runs it under compute-sanitizer.
"""
import ctypes
import json
import struct
import sys
from pathlib import Path

from definitions.case import BYTES, LETTERS, bf16_bits
from definitions.values import content_of
from texture_driver import TexelMemory, bind_reference, surface_object, texture_object

MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
STACK_SIZE = 0          # CU_LIMIT_STACK_SIZE
ERROR_LOG = 5           # CU_JIT_ERROR_LOG_BUFFER
ERROR_LOG_BYTES = 6     # CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
NONPORTABLE_CLUSTER = 14  # CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
COOPERATIVE = 2         # CU_LAUNCH_ATTRIBUTE_COOPERATIVE
CLUSTER_DIMENSION = 4   # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
LINE_INFO = 13          # CU_JIT_GENERATE_LINE_INFO


class DriverError(Exception):
    pass


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute; the value is a union of 64 bytes."""
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)), ("count", ctypes.c_uint)]


def launch_config(launch, shared):
    """The configuration of a launch file for cuLaunchKernelEx. Keeps its attributes alive."""
    attributes = []
    if "cluster" in launch:
        attributes.append(LaunchAttribute(CLUSTER_DIMENSION, 0, (ctypes.c_uint32 * 16)(*launch["cluster"])))
    if launch.get("cooperative"):
        attributes.append(LaunchAttribute(COOPERATIVE, 0, (ctypes.c_uint32 * 16)(1)))
    array = (LaunchAttribute * max(len(attributes), 1))(*attributes)
    return LaunchConfig(tuple(launch["grid"]), tuple(launch["block"]), shared, None, array, len(attributes))


class Gpu:
    """The first GPU. After a kernel error this process cannot run anything else: every later call fails with it."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuCtxSetLimit", STACK_SIZE, ctypes.c_size_t(8192))

    def call(self, name, *args):
        status = getattr(self.cuda, name)(*args)
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")

    def load(self, ptx):
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 3)(ERROR_LOG, ERROR_LOG_BYTES, LINE_INFO)
        values = (ctypes.c_void_p * 3)(ctypes.cast(log, ctypes.c_void_p), len(log), 1)
        module = ctypes.c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx), 3, options, values)
        except DriverError as error:
            raise DriverError(f"{error}: {log.value.decode(errors='replace')}")
        return module

    def run(self, launch_file):
        """Runs the launch and returns {buffer: bytes afterwards}."""
        folder = Path(launch_file).parent
        launch = json.loads(Path(launch_file).read_text())
        module = self.load((folder / launch["ptx"]).read_bytes() + b"\0")
        kernel = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, launch["kernel"].encode())
        shared = launch.get("dynamic_shared_bytes", 0)
        if shared > 48 * 1024:
            self.call("cuFuncSetAttribute", kernel, MAX_DYNAMIC_SHARED, shared)

        buffers, cells, objects = {}, [], {}
        for arg in launch["args"]:
            if "texture" in arg or "surface" in arg:
                texels = TexelMemory(self, arg, initial(arg, folder))
                objects[arg.get("texture") or arg["surface"]] = texels
                create = texture_object if "texture" in arg else surface_object
                cells.append(ctypes.c_uint64(create(self, arg, texels)))
                continue
            if "scalar" in arg:
                cells.append(ctypes.create_string_buffer(pack(arg["dtype"], [arg["scalar"]])))
                continue
            if "bytes" in arg:
                data = bytes.fromhex(arg["bytes"])
                cells.append(ctypes.create_string_buffer(data, len(data)))
                continue
            size, address = arg["count"] * BYTES[arg["dtype"]], ctypes.c_uint64()
            self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
            start = initial(arg, folder)
            if start is not None:
                self.call("cuMemcpyHtoD_v2", address, start, ctypes.c_size_t(size))
            buffers[arg["buffer"]] = (address, size)
            cells.append(address)
        for spec in launch.get("references", []):
            texels = TexelMemory(self, spec, initial(spec, folder))
            objects[spec.get("texture") or spec["surface"]] = texels
            bind_reference(self, module, spec, texels)
        pointers = (ctypes.c_void_p * len(cells))(*[ctypes.addressof(cell) for cell in cells])
        if launch.get("nonportable_cluster"):
            self.call("cuFuncSetAttribute", kernel, NONPORTABLE_CLUSTER, 1)
        self.call("cuLaunchKernelEx", ctypes.byref(launch_config(launch, shared)), kernel, pointers, None)
        self.call("cuCtxSynchronize")

        after = {}
        for name, (address, size) in buffers.items():
            data = ctypes.create_string_buffer(size)
            self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(size))
            self.call("cuMemFree_v2", address)
            after[name] = data.raw
        for name, texels in objects.items():
            after[name] = texels.contents(self)
            texels.free(self)
        self.call("cuModuleUnload", module)
        return after


def pack(dtype, values):
    if dtype == "bf16":
        values = [bf16_bits(v) for v in values]
    return struct.pack(f"<{len(values)}{LETTERS[dtype]}", *values)


def initial(arg, folder):
    """The initial contents of a buffer; None: uninitialised."""
    if "file" in arg:
        return content_of(folder, arg["file"])
    fill = arg.get("fill")
    if fill is None:
        return None
    if fill == "iota":
        return pack(arg["dtype"], list(range(arg["count"])))
    if isinstance(fill, dict):
        raise DriverError(f"{arg['buffer']}: random fills are warpwalk's own; give a file")
    return pack(arg["dtype"], [fill]) * arg["count"]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: driver.py LAUNCH.json")
    try:
        Gpu().run(sys.argv[1])
        print("ran")
    except DriverError as failure:
        sys.exit(f"driver: {failure}")
