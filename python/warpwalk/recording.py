"""Records what this process does on the GPU and in PyTorch, while a block of code runs."""
from __future__ import annotations

import ctypes
import gzip
import importlib.util
import os
import shutil
import tempfile
import threading
import uuid
import warnings
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Iterable

from . import compiled as compilers
from .arrays import loaded
from .program import Error, Scratch, call, library
from .simulated import GPU, driver_is_simulated
from .walk import Walk

ERRORS_ONLY = "4"  # of KINETO_LOG_LEVEL
# By which launchers name the rank of a process (instrumentation/process_rank.h).
RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
INSIDE_LIMIT = 256 << 20  # bytes of memory that launches are kept with, as in `warpwalk record`


class Recording(Walk):
    """The walk of a recording, complete when its `with` block has ended.

    how: what recorded it; notes: what the program said about it, such as what is missing; compiled: the folder with what
    torch.compile and Triton wrote of the kernels, or None.
    """

    how: str = ""
    notes: list[str]
    compiled: Path | None = None


def record(file: str | os.PathLike[str] | None = None, *, inside: str | Iterable[str] = (), ops: bool = True,
           shapes: bool = True, memory: bool = False, stack: bool = False, sass: bool = False,
           compiled: bool = True) -> Recorder:
    """`with warpwalk.record("walk.json.gz") as walk:` records the block: GPU work, CUDA calls, PyTorch's ops.

    With a GPU, CUPTI records it, and PyTorch's ops are NVTX ranges; if CUPTI cannot be had, because another profiler uses
    it, torch.profiler records. On the simulated GPU (warpwalk.simulated_gpu), the walk also has the lines of Python that
    called the ops. Without a GPU, it is the CPU part of torch.profiler. `walk.how` says which.

    file: the walk, *.json.gz or *.json; without one it is temporary. inside: launches that are kept with their memory, as
    in `warpwalk record --inside` ("aten::mm", "matmul:9"). ops: PyTorch's ops; they cost the CPU several microseconds
    each. shapes: sizes of tensors. memory, stack: allocations and Python frames, by the CPU part of torch.profiler; it
    records no GPU afterwards in this process. sass: machine code of all kernels, if nvdisasm is installed; it is
    disassembled afterwards. compiled: what torch.compile and Triton write of the kernels, in a folder beside the walk. Raises
    Error if nothing can be recorded.
    """
    patterns = [inside] if isinstance(inside, str) else list(inside)
    parts = {"record_shapes": shapes, "profile_memory": memory, "with_stack": stack}
    return Recorder(file, patterns, parts, ops or memory or stack, sass, compiled)


class Recorder(AbstractContextManager[Recording]):
    _active = False  # of this process: CUPTI serves one at a time

    def __init__(self, file: str | os.PathLike[str] | None, inside: list[str], parts: dict[str, bool], ops: bool,
                 sass: bool, compiled: bool) -> None:
        self._scratch = Scratch() if file is None else None
        self._file = self._scratch.folder / "walk.json.gz" if self._scratch is not None else Path(str(file)).absolute()
        # The recording has a name of its own, so that a walk which is there already stays until the new one is complete.
        self._raw = self._file.with_name(f"warpwalk-{os.getpid()}-{uuid.uuid4().hex[:8]}"
                                         f"{'.json' if self._file.suffix == '.json' else '.json.gz'}")
        self._inside, self._parts, self._ops, self._sass = inside, parts, ops, sass
        self._compiled = compiled

    def __enter__(self) -> Recording:
        if Recorder._active:
            raise Error("a recording is under way; end it before the next one begins")
        torch = loaded("torch")
        if torch is not None and torch.autograd._profiler_enabled():
            raise Error("torch.profiler is running; end it before a recording begins")
        check_writable(self._file)
        self._walk = Recording(self._file, self._scratch)
        self._walk.notes = []
        self._exit = ExitStack()
        self._recorder: ctypes.CDLL | None = None
        self._profiler: Any = None
        self._has_ranges = self._simulated = False
        if self._compiled:
            self._exit.callback(compilers.begin_log(compilers.folder_of(self._raw) / "torch"))
        try:
            self._begin_torch(self._begin_cupti())
        except BaseException:
            self._exit.close()
            self._abandon()
            raise
        Recorder._active = True
        return self._walk

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        Recorder._active = False
        try:
            try:
                synchronize()  # raises what the block's kernels did wrong
            finally:
                self._exit.close()
            self._finish()
        except Exception as error:
            if kind is None:
                raise
            self._walk.notes.append(str(error))  # the block's own exception is the one to report
        finally:
            self._abandon()

    def _begin_cupti(self) -> str:
        """Begins with CUPTI. Returns why it cannot be used, or an empty text. docs/record.md describes the functions."""
        if not has_gpu():
            return "no GPU"
        place = str(library("libwarpwalk_inject.so"))
        recorder = ctypes.CDLL(place)  # not PyDLL: other threads run meanwhile
        recorder.warpwalk_recording_error.restype = ctypes.c_char_p
        # getenv() in the library reads what is set here.
        os.environ.update(WARPWALK_RECORD_CODE="1" if self._inside or self._sass else "",
                          WARPWALK_RECORD_INSIDE="\n".join(self._inside),
                          WARPWALK_RECORD_INSIDE_LIMIT=str(INSIDE_LIMIT))
        self._simulated = driver_is_simulated()
        if recorder.warpwalk_begin_recording(os.fsencode(self._raw)) != 0:
            why_not = (recorder.warpwalk_recording_error() or b"").decode()
            if self._simulated:  # torch.profiler would look for a real GPU
                raise Error(why_not)
            return why_not
        self._recorder = recorder
        if self._simulated and self._ops and threading.current_thread() is threading.main_thread():
            ctypes.PyDLL(place).warpwalk_record_python()  # the lines that call the ops
        return ""

    def _begin_torch(self, why_not: str) -> None:
        torch = loaded("torch")
        if torch is None and self._recorder is None and importlib.util.find_spec("torch") is not None:
            import torch  # noqa: F811: without a GPU, it is the only recorder
        recorded_by = "the simulated GPU" if self._simulated else "CUPTI"
        if self._recorder is not None and not self._ops:
            self._walk.how = recorded_by
            return
        if torch is None:
            if self._recorder is None:
                raise Error(f"nothing to record with: {why_not}, and PyTorch is not installed; warpwalk.run and "
                            f"warpwalk.simulate need neither")
            self._walk.how = recorded_by
            return
        beside = self._parts["profile_memory"] or self._parts["with_stack"]
        if self._recorder is not None and (self._inside or self._simulated or not beside):
            # Not the profiler: the first time it runs, it takes CUPTI for itself, or gives the GPU up for good.
            self._exit.enter_context(torch.autograd.profiler.emit_nvtx(record_shapes=self._parts["record_shapes"]))
            self._walk.how = f"{recorded_by}, with PyTorch's ops as NVTX ranges"
            self._has_ranges = True
            if self._simulated:
                if self._parts["profile_memory"]:  # the profiler's clock is another one
                    self._walk.notes.append("PyTorch's memory is not recorded on the simulated GPU")
            elif beside:
                self._walk.notes.append("memory and stack are not recorded beside `inside`")
            return
        activities = [torch.profiler.ProfilerActivity.CPU]
        if self._recorder is not None:
            self._walk.how = "CUPTI and the CPU part of torch.profiler"
        elif torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
            self._walk.how = f"torch.profiler, because CUPTI could not be used: {why_not}"
        else:
            self._walk.how = f"the CPU part of torch.profiler, because there is {why_not}"
        if self._inside:
            self._walk.notes.append(f"no launch is kept with its memory: {why_not}")
        # PyTorch's profiler looks for CUPTI once, also for the CPU part alone, and would warn that a recording has it.
        os.environ.setdefault("KINETO_LOG_LEVEL", ERRORS_ONLY)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._profiler = torch.profiler.profile(activities=activities, **self._parts)
            self._exit.enter_context(self._profiler)

    def _finish(self) -> None:
        """Makes the walk of what was recorded."""
        with tempfile.TemporaryDirectory(prefix="warpwalk-") as folder:
            profile = Path(folder, "profile.json")
            if self._profiler is not None:
                self._profiler.export_chrome_trace(str(profile))
            if self._recorder is None:
                text = profile.read_bytes()
                self._raw.write_bytes(gzip.compress(text, 6) if self._raw.suffix == ".gz" else text)
                self._raw.replace(self._file)
                self._keep_compiled()
                return
            self._recorder.warpwalk_end_recording()
            self._recorder = None
            words: list[object] = ["record", "-o", self._raw]
            words += ["--profile", profile] if self._profiler is not None else []
            words += ["--on", "sim"] if self._simulated else []
            words += [] if self._sass or self._simulated else ["--no-sass"]
            words += [] if self._compiled else ["--no-compiled"]
            for pattern in self._inside:
                words += ["--inside", pattern]
            # The file's name is the caller's: a rank of a distributed run gives each process its own.
            answer = call(words, dict.fromkeys(RANKS))
            finished(self._raw).replace(self._file)
            raw, file = (compilers.folder_of(path).stem for path in (self._raw, self._file))
            self._walk.notes += [line.removeprefix("warpwalk: ").replace(raw, file)
                                 for line in answer.messages.splitlines()]
            self._keep_compiled()
            if self._has_ranges and ": 0 ops, " in answer.messages:
                self._walk.notes.append("no op of PyTorch is recorded; if this thread called some, the program had used "
                                        "NVTX before: import warpwalk at its beginning")

    def _keep_compiled(self) -> None:
        if self._compiled:
            self._walk.compiled = compilers.move(self._raw, self._file)

    def _abandon(self) -> None:
        """Ends what is still under way, and leaves no file of it."""
        if self._recorder is not None:
            self._recorder.warpwalk_end_recording()
            self._recorder = None
        for left in (self._raw, Path(f"{self._raw}.partial")):
            left.unlink(missing_ok=True)
        for folder in (folder_of_ranks(self._raw), compilers.folder_of(self._raw)):
            shutil.rmtree(folder, ignore_errors=True)


def folder_of_ranks(raw: Path) -> Path:
    """Where the program puts the walk of a process that is a rank of a distributed run."""
    return raw.with_name(raw.name.partition(".json")[0])


def finished(raw: Path) -> Path:
    """The walk that the program has made of a recording."""
    return raw if raw.exists() else next(folder_of_ranks(raw).glob("rank*.json*"), raw)


def prepare_nvtx() -> None:
    """NVTX asks for its variable at the first call in this process, so it is set when this package is imported."""
    if any(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/dxg").exists() or os.environ.get(GPU):
        try:
            os.environ.setdefault("NVTX_INJECTION64_PATH", str(library("libwarpwalk_inject.so")))
        except Error:
            pass  # without the library nothing is recorded, which `record` says


def has_gpu() -> bool:
    """True if there is a GPU. The driver is asked, which starts it, only if there is no device file of one."""
    torch = loaded("torch")
    if torch is not None and torch.cuda.is_initialized():
        return True
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return any(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/dxg").exists() or driver.cuInit(0) == 0


def synchronize() -> None:
    """Waits for the GPU, so that the recording has the end of all work."""
    torch = loaded("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.synchronize()
    # Without PyTorch, work that is under way is recorded without its end.


def check_writable(file: Path) -> None:
    if not file.name.endswith((".json", ".json.gz")):
        raise Error(f"{file}: a walk is a file that ends in .json.gz or .json")
    if not file.parent.is_dir():
        raise Error(f"{file.parent}: no such folder")
    if not os.access(file.parent, os.W_OK):
        raise Error(f"{file.parent}: no permission to write there")
