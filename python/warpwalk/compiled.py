"""What torch.compile and Triton write of their kernels during a recording."""
from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Callable

from .arrays import loaded

VARIABLE = "TORCH_TRACE"  # where PyTorch writes its log of torch.compile


def folder_of(walk: Path) -> Path:
    """The folder beside a walk, as of `warpwalk record` (docs/record.md)."""
    return walk.with_name(walk.name.removesuffix(".gz").removesuffix(".json") + ".compiled")


def begin_log(folder: Path) -> Callable[[], None]:
    """Has PyTorch write its log of torch.compile into a folder from now on. Returns a function that ends it.

    PyTorch reads TORCH_TRACE when it is imported. If it was imported before, its own handler is added to its logger; these
    names are PyTorch's own (torch._logging), so a version without them writes no log.
    """
    def nothing() -> None:
        pass

    def unset() -> None:
        os.environ.pop(VARIABLE, None)

    if os.environ.get(VARIABLE):
        return nothing  # the person's own
    if loaded("torch") is None:
        os.environ[VARIABLE] = str(folder)
        return unset
    try:
        from torch._logging import _internal as logs, structured
        handler = logs.LazyTraceHandler(str(folder))
        handler.setFormatter(logs.TorchLogsFormatter(trace=True))
        structured.INTERN_TABLE.clear()  # names of files are in the log once: in this one, too
        logger = logs.trace_log
    except (ImportError, AttributeError, TypeError):
        return nothing
    logger.addHandler(handler)

    def end() -> None:
        logger.removeHandler(handler)
        handler.close()

    return end


def move(raw: Path, walk: Path) -> Path | None:
    """Gives what was kept under a recording's own name that of its walk, in place of what an earlier one kept."""
    kept, to = folder_of(raw), folder_of(walk)
    for part in ("torch", "triton"):
        shutil.rmtree(to / part, ignore_errors=True)
    try:
        to.rmdir()  # unless it has something else
    except OSError:
        pass
    if not kept.is_dir():
        return None
    if to.exists():
        for part in kept.iterdir():
            part.replace(to / part.name)
        kept.rmdir()
    else:
        kept.replace(to)
    return to
