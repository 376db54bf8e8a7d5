"""`warpwalk run train.py` runs a script on the simulated GPU and records it; any other `warpwalk run` is an expression."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Sequence

from .program import Error, program

# Options of `warpwalk record` that take a value.
WITH_VALUE = {"--gpu", "--threads", "-o", "--output", "--on", "--inside", "--inside-limit", "--source", "--profile",
              "--timed-kernels"}
BOOTSTRAP = Path(__file__).with_name("bootstrap.py")


def command(arguments: Sequence[str]) -> list[str] | None:
    """The command for `warpwalk run ARGUMENTS...`, if it runs a script: the first argument that is no option ends in .py."""
    options: list[str] = []
    words = list(arguments)
    while words and words[0].startswith("-") and words[0] != "--":
        options.append(words.pop(0))
        if options[-1] in WITH_VALUE and words:
            options.append(words.pop(0))
    if words and words[0] == "--":
        words.pop(0)
    if not words or not words[0].endswith(".py"):
        return None
    script = Path(words[0])
    if not script.is_file():
        raise Error(f"{script}: {'a folder, not a script' if script.is_dir() else 'there is no such script'}")
    names = {option.partition("=")[0] for option in options}
    if not names & {"-o", "--output"}:
        options += ["-o", str(free_name(Path(script.stem)))]
    if "--on" not in names:
        options += ["--on", "sim"]
    # Python's own options, such as -X and -W, are the script's, too.
    python = [sys.executable, *subprocess._args_from_interpreter_flags()]  # type: ignore[attr-defined]
    return [str(program()), "record", *options, "--", *python, str(BOOTSTRAP), *words]


def free_name(name: Path) -> Path:
    """train.json.gz, or train-2.json.gz ... if that exists."""
    number, file = 1, name.with_suffix(".json.gz")
    while file.exists() or Path(f"{file}.partial").exists():
        number += 1
        file = name.with_name(f"{name}-{number}.json.gz")
    return file
