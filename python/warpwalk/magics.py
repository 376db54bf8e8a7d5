"""The cell magics %%warpwalk and %%warpwalk_cuda."""
from __future__ import annotations

import argparse
import re
import shlex
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from .cuda import Simulation, simulate
from .program import Error
from .recording import record
from .walk import Walk


class Options(argparse.ArgumentParser):
    """Reports errors as a magic does, instead of ending the program."""

    def error(self, message: str) -> Any:
        raise UsageError(f"{self.prog}: {message}")


def view_options(name: str) -> Options:
    options = Options(prog=f"%%{name}", add_help=False)
    options.add_argument("--scene")
    options.add_argument("--at")
    options.add_argument("--follow")
    options.add_argument("--name", default="walk", help="the variable that gets the walk")
    options.add_argument("-o", "--output", help="the file of the walk; default: a temporary one")
    return options


@magics_class
class WarpwalkMagics(Magics):
    @cell_magic
    def warpwalk(self, line: str, cell: str) -> None:
        """Records the cell, and shows it: %%warpwalk [--scene NAME] [--at T] [--follow ...] [--inside PATTERN]...
        [--stack] [--name VARIABLE] [-o walk.json.gz]"""
        options = view_options("warpwalk")
        options.add_argument("--inside", action="append", default=[])
        options.add_argument("--stack", action="store_true")
        chosen = options.parse_args(shlex.split(line))
        with record(chosen.output, inside=chosen.inside, stack=chosen.stack) as walk:
            result = self.shell.run_cell(cell)
        self.shell.user_ns[chosen.name] = walk
        if result.success:  # otherwise IPython has shown the error, and the walk has all up to there
            walk.show(chosen.scene, chosen.at, follow=chosen.follow)

    @cell_magic
    def warpwalk_cuda(self, line: str, cell: str) -> None:
        """Runs the cell's CUDA C++ on the simulated GPU: %%warpwalk_cuda [OPTIONS] KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)

        The launch is written as in CUDA, with expressions of Python. Options: --sanitize, --gpu NAME, --cycles on|off,
        --scene, --at, --follow, --name VARIABLE (default: walk), -o FILE. Prints the findings, and shows the scene
        (default: the lanes, at a finding)."""
        before, launch = split_launch(line)
        options = view_options("warpwalk_cuda")
        options.add_argument("--sanitize", action="store_true")
        options.add_argument("--gpu", default="h200")
        options.add_argument("--cycles", default="auto")
        chosen = options.parse_args(shlex.split(before))
        kernel, configuration, arguments = launch
        sizes = self.values(configuration)
        if not 2 <= len(sizes) <= 3:
            raise UsageError("%%warpwalk_cuda: a launch is KERNEL<<<GRID, BLOCK>>>(ARGUMENTS), or <<<GRID, BLOCK, "
                             "SHARED_BYTES>>>")
        walk = simulate(cell, kernel, sizes[0], sizes[1], self.values(arguments), sanitize=chosen.sanitize,
                        gpu=chosen.gpu, shared_bytes=sizes[2] if len(sizes) == 3 else 0, cycles=chosen.cycles,
                        output=chosen.output)
        self.shell.user_ns[chosen.name] = walk
        print_findings(walk)
        at = chosen.at or (None if chosen.scene else walk.finding_beat)
        walk.show(chosen.scene or "lanes", at, follow=chosen.follow)

    def values(self, text: str) -> list[Any]:
        """A list of expressions of Python, in the notebook's names."""
        return list(eval(f"[{text}]", self.shell.user_global_ns, self.shell.user_ns))


def split_launch(line: str) -> tuple[str, tuple[str, str, str]]:
    """The options before a launch, and its kernel, configuration and arguments."""
    found = re.fullmatch(r"(.*?)(\w+)\s*<<<(.*)>>>\s*\((.*)\)\s*;?\s*", line)
    if not found:
        raise UsageError("%%warpwalk_cuda: give the launch: %%warpwalk_cuda [OPTIONS] KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)")
    return found[1], (found[2], found[3], found[4])


def print_findings(walk: Simulation) -> None:
    """The findings, a line each with its place; without any, what the launch took."""
    for finding in walk.findings:
        place = f"line {finding['source_line']}: " if finding.get("source_line") else ""
        print(f"{place}{finding['message']}")
    if not walk.findings:
        cycles = "" if walk.cycles is None else f", {walk.cycles:,} cycles"
        print(f"{walk.report['kernel']}: no findings{cycles}")
