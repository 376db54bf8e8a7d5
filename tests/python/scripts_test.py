"""Scripts on the simulated GPU: `python3 -m warpwalk run train.py`, with a module that stands for PyTorch."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from simulated_gpu_test import PRELUDE
from support import ROOT, Test

import warpwalk
from warpwalk import scripts

# Of PyTorch: the profiler's functions, and ops that are NVTX ranges while it is on and launch a kernel.
TORCH = PRELUDE.replace("import warpwalk", "").replace("sys.path.insert(0,", "repr(") + '''
import sys, types
def module(name, **names):
    made = sys.modules[name] = types.ModuleType(name)
    vars(made).update(names)
    return made

state = None
def _enable_profiler(config, activities):
    global state
    if state is not None:
        raise RuntimeError("Profiler is already enabled on this thread")
    state = config
def _disable_profiler():
    global state
    state = None
profiler = module("torch.autograd.profiler", _enable_profiler=_enable_profiler, _disable_profiler=_disable_profiler,
                  ProfilerConfig=lambda *arguments: arguments,
                  ProfilerState=types.SimpleNamespace(NVTX="NVTX", KINETO="KINETO"))
autograd = module("torch.autograd", profiler=profiler)
_C = module("torch._C", _profiler=types.SimpleNamespace(_ExperimentalConfig=object))
program = ranges = None
def mul():
    global program, ranges
    if program is None:
        program, ranges = Program(), Ranges()
    if state is not None and state[0] == "NVTX":
        ranges.push(b"aten::mul, seq = 3, op_id = 7, sizes = [[2, 3], []]")
    program.launch()
    if state is not None and state[0] == "NVTX":
        ranges.pop()
'''
SCRIPT = """
import os, sys
import torch

class Model:
    def forward(self):
        torch.mul()
        torch.mul()

def main():
    model = Model()
    for _ in range(2):
        model.forward()
    torch.autograd.profiler._enable_profiler(("KINETO",), set())
    torch.mul()
    torch.autograd.profiler._disable_profiler()
    torch.mul()

print(__name__, sys.argv, os.path.basename(sys.path[0]), __file__ == os.path.abspath(__file__), sys.modules["__main__"].Model)
main()
"""


class Scripts(Test):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for below in ("code", "site-packages"):
            (self.folder / below).mkdir()

    def write(self, text: str, name: str = "code/train.py") -> Path:
        (self.folder / name).write_text(text)
        return self.folder / name

    def run_script(self, *arguments: object, module: bool = True) -> subprocess.CompletedProcess[str]:
        before = ["-m", "warpwalk", "run"] if module else []
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{self.folder}/site-packages"}
        return subprocess.run([sys.executable, *before, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env=environment)

    def test_the_walk_has_ops_and_the_lines_that_called_them(self) -> None:
        self.write(TORCH, "site-packages/torch.py")
        ran = self.run_script("--gpu", "a100", self.write(SCRIPT), "--epochs", "3")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout, f"__main__ ['{self.folder}/code/train.py', '--epochs', '3'] code True "
                                     f"<class '__main__.Model'>\n")
        walk = warpwalk.open(self.folder / "train.json.gz")
        self.assertEqual(walk.info["devices"][0]["name"], "NVIDIA A100 (40 GB)")
        self.assertEqual(len(walk.kernels), 6)
        self.assertEqual([row["name"] for row in walk.ops], ["aten::mul"] * 5)  # the script's profiler ran for one
        if sys.version_info >= (3, 11):
            frames = [row["name"] for row in
                      walk.query("SELECT name FROM slices WHERE kind = 'Python frame' ORDER BY start_ns, duration_ns DESC")]
            lines = [f"train.py({line}): Model.forward" for line in (7, 8, 7, 8)]
            self.assertEqual([frame.rpartition("/")[2] for frame in frames if ".py" in frame and "torch.py" not in frame],
                             ["train.py(20): <module>", "train.py(13): main", *lines, "train.py(17): main"])
            self.assertEqual([row["line"] for row in walk.ops], [*lines, "train.py(17): main"])

    def test_what_fails_fails_as_without_warpwalk(self) -> None:
        for text in ("def f():\n    1 / 0\nf()\n", "x = (\n", "import sys\nsys.exit(7)\n", "raise SystemExit('bye')\n",
                     "import os, signal\nsignal.raise_signal(signal.SIGINT)\n",
                     "import sys\nsys.excepthook = lambda *a: print('hook', a[2].tb_lineno, a[2].tb_next)\n1 / 0\n",
                     "import threading, atexit\natexit.register(print, 'end')\nraise ValueError('x') from KeyError('y')\n"):
            script = self.write(text)
            alone, recorded = self.run_script(script, module=False), self.run_script("-o", "walk.json.gz", script)
            left = [line for line in recorded.stderr.splitlines(True) if not line.startswith("warpwalk: ")]
            self.assertEqual((recorded.stdout, "".join(left)), (alone.stdout, alone.stderr))
            # A signal's number and a status of 2 ("nothing was recorded") are those of `warpwalk record`.
            self.assertEqual(recorded.returncode, alone.returncode if alone.returncode > 0 else 1, text)

    def test_children_run_the_script_as_usual(self) -> None:
        ran = self.run_script("-o", "walk.json", self.write("""
import multiprocessing
def square(x): return x * x
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(square, [2, 3]))
"""))
        self.assertEqual(ran.stdout, "[4, 9]\n", ran.stderr)

    def test_which_arguments_are_a_script(self) -> None:
        script = str(self.write(""))
        command = scripts.command(["--cycles", "--gpu", "h100", script, "-o", "x"])
        assert command is not None
        at = command.index("--")
        self.assertEqual(command[1:at], ["record", "--cycles", "--gpu", "h100", "-o", "train.json.gz", "--on", "sim"])
        self.assertEqual(command[-3:], [script, "-o", "x"])
        self.assertEqual(scripts.command(["-o", "w.json", script])[1:4], ["record", "-o", "w.json"])  # type: ignore[index]
        for expression in (["relu(a @ b)", "--shape", "a=2x3"], ["--seed", "1", "a + b"], [], ["--on", "sim"]):
            self.assertIsNone(scripts.command(expression))
        self.assertIn("no such script", self.error(scripts.command, ["nowhere.py"]))
        ran = self.run_script("nowhere.py")
        self.assertEqual((ran.returncode, ran.stderr), (2, "warpwalk: nowhere.py: there is no such script\n"))


if __name__ == "__main__":
    unittest.main()
