"""Recordings without a GPU, with a stand-in for PyTorch's profiler; tests/instrumentation tests the recorder itself."""
from __future__ import annotations

import gzip
import json
import logging
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support import ROOT, Test

import warpwalk
from warpwalk import recording

TRACE = {"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
                          "args": {"External id": 1}}]}


class Profile:
    """torch.profiler.profile, as far as it is used."""

    exits = 0

    def __init__(self, **options: Any) -> None:
        self.options = options

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, *_: Any) -> None:
        Profile.exits += 1

    def export_chrome_trace(self, path: str) -> None:
        Path(path).write_text(json.dumps(TRACE))


def torch() -> Any:
    module = types.SimpleNamespace()
    module.profiler = types.SimpleNamespace(profile=Profile, ProfilerActivity=types.SimpleNamespace(CPU=0, CUDA=1))
    module.autograd = types.SimpleNamespace(_profiler_enabled=lambda: False)
    module.cuda = types.SimpleNamespace(is_initialized=lambda: False, is_available=lambda: False)
    return module


class OnTheCpu(Test):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.walk = Path(self.folder.name, "walk.json.gz")
        for patch in (mock.patch.dict(sys.modules, {"torch": torch()}),
                      mock.patch.object(recording, "has_gpu", return_value=False)):
            patch.start()
            self.addCleanup(patch.stop)

    def files(self) -> list[str]:
        return sorted(file.name for file in Path(self.folder.name).iterdir())

    def test_the_walk_is_the_profilers_trace(self) -> None:
        with warpwalk.record(self.walk) as walk:
            self.assertEqual(self.files(), [])
        self.assertEqual(json.loads(gzip.decompress(self.walk.read_bytes())), TRACE)
        self.assertEqual([row["name"] for row in walk.ops], ["aten::mm"])
        self.assertIn("CPU part of torch.profiler, because there is no GPU", walk.how)
        self.assertEqual(self.files(), ["walk.json.gz"])

    def test_an_exception_keeps_what_was_recorded(self) -> None:
        with self.assertRaises(ZeroDivisionError):
            with warpwalk.record(self.walk) as walk:
                1 / 0
        self.assertEqual(len(walk.ops), 1)
        self.assertEqual(self.files(), ["walk.json.gz"])

    def test_one_at_a_time(self) -> None:
        with warpwalk.record(self.walk):
            self.assertIn("a recording is under way", self.error(warpwalk.record(self.walk).__enter__))
        with warpwalk.record(self.walk):  # and another one afterwards
            pass

    def test_places_that_cannot_be_written(self) -> None:
        self.assertIn("ends in .json.gz", self.error(warpwalk.record("walk.txt").__enter__))
        self.assertIn("no such folder", self.error(warpwalk.record("/nowhere/walk.json").__enter__))

    def test_a_profiler_that_fails_leaves_nothing(self) -> None:
        with mock.patch.object(Profile, "export_chrome_trace", side_effect=RuntimeError("disk full")):
            with self.assertRaisesRegex(RuntimeError, "disk full"):
                with warpwalk.record(self.walk):
                    pass
        self.assertEqual(self.files(), [])
        with warpwalk.record(self.walk):
            pass

    def test_a_gpu_that_failed_leaves_no_profiler_running(self) -> None:
        before = Profile.exits
        with mock.patch.object(recording, "synchronize", side_effect=RuntimeError("CUDA error")):
            with self.assertRaisesRegex(RuntimeError, "CUDA error"):
                with warpwalk.record(self.walk):
                    pass
        self.assertEqual(Profile.exits, before + 1)
        self.assertEqual(self.files(), [])

    def test_a_full_disk_leaves_nothing(self) -> None:
        with mock.patch.object(Path, "replace", side_effect=OSError("No space left on device")):
            with self.assertRaisesRegex(OSError, "No space"):
                with warpwalk.record(self.walk):
                    pass
        self.assertEqual(self.files(), [])

    def test_inside_says_that_it_has_no_effect(self) -> None:
        with warpwalk.record(self.walk, inside="aten::mm") as walk:
            pass
        self.assertEqual(walk.notes, ["no launch is kept with its memory: no GPU"])

    def test_what_torch_compile_logs_is_kept_beside_the_walk(self) -> None:
        logger = logging.getLogger("torch.__trace of a test")

        class Handler(logging.Handler):
            """torch._logging._internal.LazyTraceHandler, as far as it is used."""

            def __init__(self, folder: str) -> None:
                super().__init__()
                self.folder = Path(folder)

            def emit(self, record: logging.LogRecord) -> None:
                self.folder.mkdir(parents=True, exist_ok=True)
                with open(self.folder / "dedicated_log_torch_trace_x.log", "a") as log:
                    log.write(self.format(record) + "\n")

        logs = types.ModuleType("torch._logging._internal")
        names = {"LazyTraceHandler": Handler, "TorchLogsFormatter": lambda trace: logging.Formatter("%(message)s"),
                 "trace_log": logger}
        vars(logs).update(names)
        structured = types.SimpleNamespace(INTERN_TABLE={"net.py": 0})
        package = types.ModuleType("torch._logging")
        vars(package).update(_internal=logs, structured=structured)
        log = Path(self.folder.name, "walk.compiled/torch/dedicated_log_torch_trace_x.log")
        with mock.patch.dict(sys.modules, {"torch._logging": package, "torch._logging._internal": logs}):
            for line in ("first", "second"):  # of the same name: the later one stays
                with warpwalk.record(self.walk) as walk:
                    logger.warning(line)
                self.assertEqual(log.read_text(), line + "\n")
                self.assertEqual(walk.compiled, log.parent.parent)
            self.assertEqual(self.files(), ["walk.compiled", "walk.json.gz"])
            self.assertEqual(structured.INTERN_TABLE, {})
            with warpwalk.record(self.walk, compiled=False) as walk:
                logger.info("third")
            self.assertIsNone(walk.compiled)
            with warpwalk.record(self.walk) as walk:  # nothing was compiled
                pass
            self.assertIsNone(walk.compiled)
        self.assertEqual(self.files(), ["walk.json.gz"])
        self.assertEqual(logger.handlers, [])

    def test_without_pytorch_there_is_nothing_to_record_with(self) -> None:
        with mock.patch.dict(sys.modules), mock.patch("importlib.util.find_spec", return_value=None):
            del sys.modules["torch"]
            self.assertIn("PyTorch is not installed", self.error(warpwalk.record(self.walk).__enter__))
        self.assertEqual(self.files(), [])


SCRIPT = f"""
import ctypes, os, sys, threading
sys.path.insert(0, {str(ROOT / 'python')!r})
import warpwalk
cupti = ctypes.CDLL("libcupti.so.13")
for launches in (1, 2):
    with warpwalk.record("walk.json.gz") as walk:
        for _ in range(launches):
            cupti.fake_launch(threading.get_native_id())
    print(walk.how, len(walk.kernels), os.listdir("."))
try:
    with warpwalk.record("walk.json.gz") as walk:
        cupti.fake_launch(threading.get_native_id())
        1 / 0
except ZeroDivisionError:
    print("raised", len(walk.kernels), os.listdir("."))
with warpwalk.record() as walk:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    cupti.fake_launch(threading.get_native_id())
print("forked", len(walk.kernels))
subscriber = ctypes.c_void_p()
cupti.cuptiSubscribe(ctypes.byref(subscriber), None, None)
try:
    warpwalk.record("other.json.gz").__enter__()
except warpwalk.Error as error:
    print(error, os.listdir("."))
"""
FAKES = [os.environ.get(name, "") for name in ("WARPWALK_FAKE_DRIVER", "WARPWALK_FAKE_CUPTI")]


@unittest.skipUnless(all(FAKES), "the fake driver and CUPTI are those of a build")
class WithCupti(Test):
    """With a fake driver and a fake CUPTI, without PyTorch."""

    def test_recordings_of_one_process(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, "-S", "-c", SCRIPT], cwd=folder, capture_output=True, text=True,
                                 env={**os.environ, "LD_LIBRARY_PATH": ":".join(FAKES)})
        self.assertEqual(ran.stderr, "")
        lines = ran.stdout.splitlines()
        self.assertEqual(lines[:4], ["CUPTI 1 ['walk.json.gz']", "CUPTI 2 ['walk.json.gz']",
                                     "raised 1 ['walk.json.gz']", "forked 1"])
        self.assertIn("another profiler uses CUPTI", lines[4])
        self.assertTrue(lines[4].endswith("['walk.json.gz']"), lines[4])


if __name__ == "__main__":
    unittest.main()
