"""Gives this process a simulated GPU: its CUDA programs, such as PyTorch, run without a real one."""
from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

from .arrays import loaded
from .program import Error, call

GPU = "WARPWALK_GPU"  # the description of the simulated GPU; its libcuda.so.1 reads it
RESTART = "restart the notebook's kernel, or the program, and call warpwalk.simulated_gpu() before torch is imported"


class SimulatedGpu:
    """The simulated GPU of this process: its name, SMs and memory, and how it is simulated."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.description = Path(settings[GPU])
        self.cycles, self.sanitize = (settings.get(f"WARPWALK_{what}") == "1" for what in ("CYCLES", "SANITIZE"))
        self.threads = int(settings.get("WARPWALK_THREADS") or 1)
        content = json.loads(self.description.read_text())
        parameters = {name: entry.get("value") for name, entry in content["parameters"].items()}
        self.name = str(content["name"])
        self.sms = int(parameters["sm_count"])
        self.compute_capability = str(parameters["compute_capability"])
        self.memory_bytes = int(parameters.get("memory_bytes") or 16 << 30)

    def __repr__(self) -> str:
        times = "with the cycles of each kernel" if self.cycles else "kernels take at least the times shown"
        checks = ", checked for errors" if self.sanitize else ""
        return (f"simulated {self.name}: {self.sms} SMs, {self.memory_bytes / 2**30:.0f} GiB, compute capability "
                f"{self.compute_capability}; {times}{checks}; {self.threads} host "
                f"thread{'' if self.threads == 1 else 's'}")


_gpu: SimulatedGpu | None = None
_settings: dict[str, str] = {}


def simulated_gpu(gpu: str = "h200", *, cycles: bool = False, sanitize: bool = False,
                  threads: int | None = None) -> SimulatedGpu:
    """From here on, this process has a simulated GPU, on which CUDA programs run unmodified: call it before PyTorch is imported.

    gpu: one of warpwalk's descriptions ("h200", "h100", "a100", "rtx4090" ...), or a description's file. cycles: simulate the
    cycles of each kernel, so that its time is the model's; otherwise it is a lower bound. sanitize: check each launch, and the
    use of memory between launches. threads: of the host; by default one per hardware thread. Results do not depend on it.

    Processes that this one starts have it, too. In a process that has it already, because `warpwalk record --on sim`, or a
    process with a simulated GPU, has started it, nothing changes. Raises Error if CUDA has been loaded already, and if it is
    called again with other arguments.
    """
    global _gpu, _settings
    words: list[object] = ["record", "--on", "sim", "--gpu", gpu, "--print-environment"]
    words += ["--cycles"] if cycles else []
    words += ["--sanitize"] if sanitize else []
    words += ["--threads", threads] if threads is not None else []
    if threads is not None and threads < 1:
        raise Error(f"threads={threads}: at least one host thread simulates")
    answer = call(words).json()
    wanted = {name: value for name, value in answer["environment"].items() if name.startswith("WARPWALK_")}
    if _gpu is not None:
        if wanted != _settings:
            raise Error(f"this process has a {_gpu} already; for another one, {RESTART}")
        return _gpu
    libraries = [Path(library) for library in answer["libraries"]]
    inherited = os.environ.get(GPU) and driver_is_simulated()
    if not inherited:
        check_not_loaded(libraries)
        os.environ.update(answer["environment"])
    os.environ.setdefault("NVTX_INJECTION64_PATH", answer["recorder"])
    # The loader finds a library that is loaded by its soname, wherever the one that asks for it would look (RPATH).
    for library in libraries:
        try:
            ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise Error(f"{library} cannot be loaded: {error}") from None
    _settings = wanted
    _gpu = SimulatedGpu(dict(os.environ))
    return _gpu


def driver_is_simulated() -> bool:
    """True if the libcuda.so.1 of this process is the simulated GPU's."""
    try:
        driver = ctypes.CDLL("libcuda.so.1", os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return False
    return hasattr(driver, "warpwalk_attach_recorder")


def check_not_loaded(libraries: list[Path]) -> None:
    """Raises Error if this process has CUDA's libraries already: the loader would go on using them."""
    torch: Any = loaded("torch")
    if torch is not None and torch.cuda.is_initialized():
        raise Error(f"PyTorch has started CUDA in this process; {RESTART}")
    names = {library.name for library in libraries}
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return
    for line in maps.splitlines():
        place = line.partition("/")[2]
        # /usr/lib/libcudart.so.13 is mostly a link, to libcudart.so.13.0.96
        if any(place.rpartition("/")[2].startswith(name) for name in names):
            raise Error(f"this process has loaded /{place} already; {RESTART}")
