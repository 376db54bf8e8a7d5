"""Arms this process: if a kernel fails, CUDA leaves a core dump of the GPU, and the last calls of the program with it."""
from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from .program import Error, program

ARMED = "WARPWALK_ARMED"  # instrumentation/recording_names.h


def arm(folder: str | os.PathLike[str] | None = None, *, memory: bool = False,
        replay: str | Iterable[str] = ()) -> None:
    """Starts the program again as `warpwalk record --armed` does, unless it is armed already.

    Call it first in the program: what ran before runs a second time. folder: for the dump and the calls; without one it
    is `crash`, or `crash-2` ... memory: with the contents of the GPU's memory. replay: parts of the names of kernels
    whose inputs are kept, so that a launch that fails can be run again. Raises Error in a notebook, and if CUDA has
    started.
    """
    if os.environ.get(ARMED):
        return
    torch: Any = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        raise Error("CUDA has started, so that the process cannot be armed; call warpwalk.arm() first in the program")
    if "ipykernel" in sys.modules or not getattr(sys, "orig_argv", None) or hasattr(sys, "ps1"):
        raise Error("only a program can be armed, no notebook and no prompt: it is started again; "
                    "put the code into a file, or start it with warpwalk record --armed")
    command = [str(program()), "record", "--armed"]
    if folder is not None:
        command += ["-o", os.fspath(folder)]
    if memory:
        command.append("--armed-memory")
    for pattern in [replay] if isinstance(replay, str) else replay:
        command += ["--replay", pattern]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], [*command, "--", *sys.orig_argv])
