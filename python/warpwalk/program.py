"""Finds the program and calls it."""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any, Mapping, NoReturn, Sequence

__version__ = "0.1.0"

HERE = Path(__file__).resolve().parent
SIMULATED = "simulated_cuda"  # the folder of the simulated GPU's libraries


class Error(Exception):
    """What the program could not do: its own line, which says what is wrong, where, and what to do."""


def program() -> Path:
    """The program: $WARPWALK_PROGRAM, or that of this package, or of a build beside its sources."""
    named = os.environ.get("WARPWALK_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise Error(f"WARPWALK_PROGRAM: {named} is not a program")
        return Path(named)
    for candidate in (HERE / "program/bin/warpwalk", HERE.parents[1] / "build/release/warpwalk"):
        if os.access(candidate, os.X_OK):
            return candidate
    raise Error("the program warpwalk was not found; install the wheel that scripts/package makes, "
                "or set WARPWALK_PROGRAM to build/release/warpwalk")


def library(name: str) -> Path:
    """A library of the program: beside it in a build, in lib/warpwalk of an installation."""
    folder = program().resolve().parent
    for candidate in (folder / name, folder.parent / "lib/warpwalk" / name):
        if candidate.exists():
            return candidate
    raise Error(f"{name} was not found beside {program()}; install warpwalk again")


class Scratch:
    """A temporary folder, removed with the last object that refers to this one."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="warpwalk-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


class Answer:
    """What one call of the program printed. `good`: exit status 0; otherwise the answer was no (status 1)."""

    def __init__(self, good: bool, output: bytes, messages: str) -> None:
        self.good = good
        self.output = output
        self.messages = messages

    def json(self) -> Any:
        return json.loads(self.output)


def call(arguments: Sequence[object], environment: Mapping[str, str | None] | None = None) -> Answer:
    """Runs `warpwalk ARGUMENTS...`. Raises Error with its line if it could not do what was asked (status 2).

    environment: variables for it, None for one that it must not have.

    Ctrl-C ends it; it then leaves no files behind.
    """
    command = [str(program()), *map(str, arguments)]
    changed: dict[str, str | None] = {**os.environ, **(environment or {})}
    variables = {name: value for name, value in without_simulated_gpu(changed).items() if value is not None}
    try:
        # In a group of its own: a notebook interrupts the kernel's whole group, and the child must get one signal only.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=variables, start_new_session=True)
    except OSError as error:
        raise Error(f"{command[0]}: {error.strerror}") from None
    try:
        output, messages = child.communicate()
    except BaseException:  # KeyboardInterrupt, or an exception of a signal handler
        end(child)
        raise
    text = messages.decode(errors="replace")
    if child.returncode in (0, 1):
        return Answer(child.returncode == 0, output, text)
    if child.returncode < 0:
        raise Error(f"warpwalk {command[1]} ended with {signal.Signals(-child.returncode).name}")
    raise Error(error_line(text) or f"warpwalk {command[1]} ended with status {child.returncode}")


def without_simulated_gpu(environment: Mapping[str, str | None]) -> dict[str, str | None]:
    """The variables without the libraries of the simulated GPU (simulated.py): the program itself does not use CUDA's."""
    def others(value: str) -> str | None:
        return ":".join(part for part in value.split(":") if SIMULATED not in part.split("/")) or None

    return {name: others(value) if value and name in ("LD_PRELOAD", "LD_LIBRARY_PATH") else value
            for name, value in environment.items()}


def end(child: subprocess.Popen[bytes]) -> None:
    """Interrupts the program, and kills it if it has not ended after five seconds."""
    child.send_signal(signal.SIGINT)
    try:
        child.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


def error_line(messages: str) -> str:
    """The line by which the program says what is wrong: the last one, without the program's name."""
    lines = [line for line in messages.splitlines() if line.strip()]
    return lines[-1].removeprefix("warpwalk: ") if lines else ""


def main() -> NoReturn:
    """The command `warpwalk` that pip installs: the program itself. `run train.py` records the script."""
    from .scripts import command

    try:
        recorded = command(sys.argv[2:]) if sys.argv[1:2] == ["run"] else None
        place = str(program())
    except Error as error:
        print(f"warpwalk: {error}", file=sys.stderr)
        sys.exit(2)
    os.execv(place, recorded if recorded is not None else ["warpwalk", *sys.argv[1:]])
