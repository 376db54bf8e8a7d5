"""Runs a script as Python does, with PyTorch's ops as NVTX ranges as soon as it has imported torch (`warpwalk run train.py`).

Python runs this file itself: python3 bootstrap.py train.py ARGUMENTS. It imports nothing of warpwalk, and little else.
"""
from __future__ import annotations

import builtins
import ctypes
import importlib.machinery
import os
import sys
import types
from typing import Any

RECORDER = "NVTX_INJECTION64_PATH"  # libwarpwalk_inject.so, which takes NVTX's ranges


class Ranges:
    """PyTorch's ops of this thread, and of its backward pass, as NVTX ranges with their sizes.

    They are those of torch.autograd.profiler.emit_nvtx, which would wait for the GPU, and so start CUDA, before the script
    does. PyTorch has one profiler at a time per thread: while the script's own one runs, there are no ranges.
    """

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._on = False
        module = torch.autograd.profiler
        self._enable, self._disable = module._enable_profiler, module._disable_profiler
        self._paused = False
        self.begin()

        def enable(*arguments: Any, **options: Any) -> Any:
            self._paused = self.end()
            try:
                return self._enable(*arguments, **options)
            except BaseException:
                self.go_on()
                raise

        def disable(*arguments: Any, **options: Any) -> Any:
            try:
                return self._disable(*arguments, **options)
            finally:
                self.go_on()

        if self._on:
            module._enable_profiler, module._disable_profiler = enable, disable

    def begin(self) -> None:
        profiler = self._torch.autograd.profiler
        config = profiler.ProfilerConfig(profiler.ProfilerState.NVTX, True, False, False, False, False,
                                         self._torch._C._profiler._ExperimentalConfig())
        self._enable(config, set())
        self._on = True

    def end(self) -> bool:
        was_on, self._on = self._on, False
        if was_on:
            self._disable()
        return was_on

    def go_on(self) -> None:
        if self._paused:
            self._paused = False
            self.begin()


class TorchFinder:
    """The first finder of modules: calls a function when torch has been imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "torch":
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            del loader.exec_module
            execute(module)
            begin_ranges(module)

        loader.exec_module = exec_module
        return spec


def begin_ranges(torch: Any) -> None:
    """A PyTorch that has no such ranges, as one without CUDA, runs without them."""
    try:
        Ranges(torch)
    except (AttributeError, TypeError, RuntimeError):
        return
    try:
        ctypes.PyDLL(os.environ[RECORDER]).warpwalk_record_python()
    except (KeyError, OSError, AttributeError):
        pass  # without the lines of Python


def without_own_frames(trace: types.TracebackType | None) -> types.TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def run(file: str) -> None:
    """Runs the file as `python3 FILE` does."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(file))
    place = os.path.abspath(file)
    # Kept: the functions of this file need their module.
    sys.modules["warpwalk bootstrap"] = sys.modules["__main__"]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__file__=place, __builtins__=builtins, __cached__=None, __annotations__={},
                         __loader__=importlib.machinery.SourceFileLoader("__main__", place))
    if os.environ.get(RECORDER):
        sys.meta_path.insert(0, TorchFinder())  # type: ignore[arg-type]
    try:
        with open(place, "rb") as source:
            code = compile(source.read(), place, "exec", dont_inherit=True)
        exec(code, main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        # Python reports it and chooses the exit status, but the report has the script's frames only.
        error.__traceback__ = without_own_frames(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.excepthook = lambda *_: None
        raise


if __name__ == "__main__":
    del sys.argv[0]
    run(sys.argv[0])
