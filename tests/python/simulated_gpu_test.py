"""The simulated GPU in a process of Python, and recordings of it; kernels are launched by CUDA's driver API, with ctypes."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

from simulated_test import SCALE
from support import ROOT

# What the scripts share: launches of the kernel `scale`, and ranges as PyTorch's ops are.
PRELUDE = f"""
import ctypes, os, sys, threading
sys.path.insert(0, {str(ROOT / 'python')!r})
import warpwalk
PTX = {SCALE!r}.encode()

class Program:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.module, self.kernel, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.load()
        self.x = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.x), ctypes.c_size_t(1 << 20))
        self.call("cuMemsetD8_v2", self.x, 1, ctypes.c_size_t(1 << 20))

    def call(self, name, *arguments):
        error = getattr(self.cuda, name)(*arguments)
        assert error == 0, (name, error)

    def load(self):
        self.call("cuModuleLoadData", ctypes.byref(self.module), PTX)
        self.call("cuModuleGetFunction", ctypes.byref(self.kernel), self.module, b"scale")

    def launch(self, blocks=1):
        values = [self.x, self.x, ctypes.c_float(2), ctypes.c_uint32(1000)]
        pointers = (ctypes.c_void_p * 4)(*(ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in values))
        self.call("cuLaunchKernel", self.kernel, blocks, 1, 1, 64, 1, 1, 0, None, pointers, None)

class Ranges:
    \"\"\"A module with NVTX: the function table that its tool fills.\"\"\"
    def __init__(self):
        size, Module = 16, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.functions = (ctypes.c_void_p * size)()
        self.table = (ctypes.c_void_p * (size + 1))(*(ctypes.addressof(self.functions) + 8 * i for i in range(size)), None)
        def module(number, table, count):
            ctypes.c_void_p.from_address(table).value = ctypes.addressof(self.table)
            ctypes.c_uint.from_address(count).value = size
            return int(number == 1)
        self.module = Module(module)
        class Callbacks(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("module", Module)]
        self.callbacks = Callbacks(ctypes.sizeof(Callbacks), self.module)
        Table = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
        self.export = Table(lambda number: ctypes.addressof(self.callbacks) if number == 1 else None)
        assert ctypes.CDLL(os.environ["NVTX_INJECTION64_PATH"]).InitializeInjectionNvtx2(self.export) == 1
    def push(self, name): ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(self.functions[9])(name)
    def pop(self): ctypes.CFUNCTYPE(ctypes.c_int)(self.functions[11])()
"""


def run(script: str, folder: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-S", "-c", PRELUDE + script], cwd=folder, capture_output=True, text=True,
                          timeout=60, env={**os.environ, **environment})


class SimulatedGpu(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def lines(self, script: str, errors: str = "", **environment: str) -> list[str]:
        ran = run(script, self.folder, **environment)
        self.assertEqual(ran.stderr, errors)
        return ran.stdout.splitlines()

    def test_the_process_has_it_and_so_have_its_children(self) -> None:
        lines = self.lines("""
import subprocess
gpu = warpwalk.simulated_gpu("a100", threads=2)
print(gpu)
print(warpwalk.simulated_gpu("a100", threads=2) is gpu)
for wrong in ({"gpu": "h200"}, {"gpu": "a100", "cycles": True, "threads": 2}):
    try:
        warpwalk.simulated_gpu(**wrong)
    except warpwalk.Error as error:
        print(error)
Program().launch()
child = "import ctypes, sys; print(ctypes.CDLL('libcuda.so.1').cuInit(0)); sys.path.insert(0, sys.argv[1]); import warpwalk"
child += "; print(warpwalk.simulated_gpu('a100', threads=2).name)"
print(subprocess.run([sys.executable, "-c", child, sys.path[0]], capture_output=True, text=True, check=True).stdout.split("\\n"))
""")
        self.assertEqual(lines[0], "simulated NVIDIA A100 (40 GB): 108 SMs, 40 GiB, compute capability 8.0; kernels take "
                                   "at least the times shown; 2 host threads")
        self.assertEqual(lines[1], "True")
        for line in lines[2:4]:
            self.assertRegex(line, "^this process has a simulated NVIDIA A100.* already; for another one, restart")
        self.assertEqual(lines[4], "['0', 'NVIDIA A100 (40 GB)', '']")

    def test_what_is_too_late_or_unknown_is_said(self) -> None:
        lines = self.lines("""
import types
for wrong in ({"gpu": "gtx9"}, {"threads": 0}):
    try:
        warpwalk.simulated_gpu(**wrong)
    except warpwalk.Error as error:
        print(error)
torch = sys.modules["torch"] = types.SimpleNamespace(cuda=types.SimpleNamespace(is_initialized=lambda: True))
try:
    warpwalk.simulated_gpu()
except warpwalk.Error as error:
    print(error)
torch.cuda.is_initialized = lambda: False
import mmap
with open("libcudart.so.13.0.97", "w+b") as file:  # as the loader maps it
    file.write(b"x")
    file.flush()
    mapped = mmap.mmap(file.fileno(), 0)
    try:
        warpwalk.simulated_gpu()
    except warpwalk.Error as error:
        print(error)
print("WARPWALK_GPU" in os.environ)
""")
        self.assertIn("--gpu gtx9: unknown GPU; use one of", lines[0])
        self.assertIn("threads=0", lines[1])
        self.assertRegex(lines[2], "^PyTorch has started CUDA in this process; restart the notebook's kernel")
        self.assertRegex(lines[3], "^this process has loaded /.*/libcudart.so.13.0.97 already; restart")
        self.assertEqual(lines[4], "False")

    def test_recordings_one_after_the_other_also_after_cuda_has_started(self) -> None:
        lines = self.lines("""
warpwalk.simulated_gpu()
program = Program()
program.launch()
for launches in (1, 3):
    with warpwalk.record(f"walk{launches}.json.gz") as walk:
        for _ in range(launches):
            program.launch()
    print(walk.how, [row["name"] for row in walk.kernels], [row["name"] for row in walk.launches])
    print(walk.notes, walk.info["devices"][0]["name"], walk.info["streams"])
program.launch()
with warpwalk.record() as walk:
    program.load()                       # another module, which has its place
    program.launch()
    program.launch()
print(len(walk.kernels), walk.notes[1:])
print(sorted(os.listdir(".")))
""")
        self.assertEqual(lines[0], "the simulated GPU ['scale'] ['cuLaunchKernel']")
        self.assertIn("1 launch with memory, which can be opened inside", lines[1])
        self.assertIn("NVIDIA H200 1", lines[1])
        self.assertEqual(lines[2], f"the simulated GPU {['scale'] * 3} {['cuLaunchKernel'] * 3}")
        self.assertIn("3 launches with memory", lines[3])
        self.assertTrue(lines[4].startswith("2 ['") and "2 launches with memory" in lines[4], lines[4])
        self.assertEqual(lines[5], "['walk1.json.gz', 'walk3.json.gz']")

    def test_inside_names_launches_by_their_ops(self) -> None:
        lines = self.lines("""
warpwalk.simulated_gpu()
ranges, program = Ranges(), Program()
for inside in ("aten::mul", "scale:2", "nothing", ""):
    with warpwalk.record("walk.json", inside=inside or ()) as walk:
        program.launch()
        ranges.push(b"aten::mul, seq = 1, sizes = [[4]]")
        program.launch()
        ranges.pop()
        program.launch()
    lines = {row["line"] for row in walk.ops}
    print(len(walk.ops), [note.partition(": ")[2] for note in walk.notes[1:]])
print(walk.how, lines)
""")
        self.assertEqual(lines[:2], ["1 ['1 launch with memory, which can be opened inside']"] * 2)
        self.assertTrue(lines[2].startswith("1 ["), lines[2])
        self.assertEqual(lines[3], "1 ['3 launches with memory, which can be opened inside']")

    def test_threads_launch_while_recordings_begin_and_end(self) -> None:
        lines = self.lines("""
warpwalk.simulated_gpu(threads=1)
program = Program()
recorder = ctypes.CDLL(os.environ["NVTX_INJECTION64_PATH"])
ends = threading.Event()
def work():
    program.call("cuCtxSetCurrent", context)
    while not ends.is_set():
        program.launch()
        program.call("cuCtxSynchronize")
context = ctypes.c_void_p()
program.call("cuCtxGetCurrent", ctypes.byref(context))
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
for number in range(20):
    assert recorder.warpwalk_begin_recording(os.fsencode(os.path.abspath(f"{number}.json"))) == 0
    program.launch()
    assert recorder.warpwalk_end_recording() == 0
assert recorder.warpwalk_end_recording() != 0
ends.set()
for thread in threads: thread.join()
print(len(os.listdir(".")))
""")
        self.assertEqual(lines, ["20"])

    def test_the_end_of_the_program_ends_its_recording(self) -> None:
        self.lines("""
warpwalk.simulated_gpu()
program = Program()
recorder = ctypes.CDLL(os.environ["NVTX_INJECTION64_PATH"])
assert recorder.warpwalk_begin_recording(os.fsencode(os.path.abspath("walk.json"))) == 0
program.launch()
""")
        finished = subprocess.run([os.environ["WARPWALK_PROGRAM"], "record", "--on", "sim", "-o", "walk.json"],
                                  cwd=self.folder, capture_output=True, text=True)
        self.assertIn(" 1 kernel,", finished.stderr)


if __name__ == "__main__":
    unittest.main()
