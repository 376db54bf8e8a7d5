"""What tests can do with any browser; chromium.py and firefox.py do it."""
from __future__ import annotations

import abc
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from keys import Key, chord
from processes import Wire, end, family, launch, memory_mb

LIMIT = 60.0  # seconds that a browser may take to start or for one command


class BrowserError(Exception):
    """The browser refused a command."""


class Gone(BrowserError):
    """The browser or its page has ended."""


class JavaScriptError(BrowserError):
    """The expression threw this."""


class Unsupported(BrowserError):
    """This browser's protocol cannot do this."""


class Browser(abc.ABC):
    """A browser with one page. `with` starts it and ends it."""

    def __init__(self, size: tuple[int, int] = (1280, 720), webgl: bool = True,
                 extra: Sequence[str] = ()) -> None:
        self.size, self.webgl, self.extra = size, webgl, tuple(extra)
        self._wire: Wire | None = None
        self._process: subprocess.Popen[bytes]
        self._folder: Path
        self._mark: str
        self._number = 0
        self._closers: list[Callable[[], None]] = []  # what to undo, the last first

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="browser-test-"))
        self._closers.append(lambda: shutil.rmtree(self._folder, ignore_errors=True))
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._wire = None
        while self._closers:
            self._closers.pop()()

    @abc.abstractmethod
    def open(self, url: str) -> None:
        """Goes to the address and waits for its load event."""

    def evaluate(self, expression: str, seconds: float = LIMIT) -> Any:
        """The JSON value of an expression in the page. A promise is awaited; undefined is None."""
        answer = json.loads(self._script(
            f"(async () => {{ try {{ return JSON.stringify({{value: await ({expression}\n)}}) }}"
            " catch (error) { return JSON.stringify({error: String(error)}) } })()", seconds))
        if "error" in answer:
            raise JavaScriptError(answer["error"])
        return answer.get("value")

    def wait_for(self, expression: str, seconds: float = 30) -> Any:
        """The first truthy value of the expression. While it throws, it counts as false."""
        deadline, problem = time.monotonic() + seconds, ""
        while (left := deadline - time.monotonic()) > 0:
            try:
                if found := self.evaluate(f"(value => value ? [value] : null)(await ({expression}\n))", left):
                    return found[0]
            except JavaScriptError as error:
                problem = f" ({error})"
            except TimeoutError:
                break
            time.sleep(0.05)
        raise TimeoutError(f"not true within {seconds:g} s: {expression}{problem}")

    def key(self, name: str, *modifiers: str) -> None:
        """Presses and releases a key: 'ArrowRight', 'a', '?'. Adds Shift for characters that need it."""
        self._press(chord(name, modifiers))

    def type(self, text: str) -> None:
        """Types a text key by key."""
        for character in text:
            self.key({"\n": "Enter", "\t": "Tab"}.get(character, character))

    def click(self, x: float, y: float) -> None:
        """Moves to a place in CSS pixels, presses the left button and releases it."""
        self._point(x, y, click=True)

    def move(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self._point(x, y, click=False)

    @abc.abstractmethod
    def wheel(self, x: float, y: float, delta_y: float) -> None:
        """Turns the wheel. A positive delta scrolls down."""

    @abc.abstractmethod
    def drop(self, files: list[Path], x: float, y: float) -> None:
        """Drags files over the place and drops them there."""

    @abc.abstractmethod
    def screenshot(self, file: Path) -> None:
        """Writes the page as a PNG."""

    @property
    @abc.abstractmethod
    def log(self) -> list[str]:
        """The console messages ('warn: text') and uncaught errors ('uncaught: text') so far."""

    def memory_mb(self) -> float:
        """Resident memory of all its processes in MB. A page of memory that several share counts once."""
        return memory_mb(family(self._process.pid, self._mark))

    def _launch(self, command: Sequence[str], descriptors: dict[int, int], environment: dict[str, str],
                parting: signal.Signals = signal.SIGKILL) -> subprocess.Popen[bytes]:
        """Starts a command whose files go to the temporary folder and which ends with the browser."""
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("XDG_", "MOZ_")) and name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        folder = str(self._folder)
        mark = f"{folder}/{Path(command[0]).name}"
        variables = {"HOME": folder, "TMPDIR": folder, "BROWSER_TEST": mark}
        process = launch(command, kept | variables | environment, Path(f"{mark}.txt"), descriptors, parting)
        self._closers.append(lambda: end(process, mark, parting))
        self._mark = mark  # the browser is launched last
        return process

    def _output(self) -> str:
        """What the browser wrote to stdout and stderr."""
        try:
            return Path(f"{self._mark}.txt").read_text(errors="replace")
        except FileNotFoundError:
            return ""

    def _call(self, method: str, parameters: dict[str, Any], seconds: float = LIMIT) -> Any:
        """Sends a command and returns its result. Events that come before it are kept."""
        self._number += 1
        number, deadline = self._number, time.monotonic() + seconds
        try:
            if self._wire is None:
                raise EOFError
            self._wire.send(self._pack(number, method, parameters), deadline)
            while (message := self._wire.receive(deadline)) is not None:
                answered, problem, result = self._unpack(json.loads(message))
                if answered == number:
                    if problem:
                        raise problem
                    return result
        except (EOFError, ConnectionError) as error:
            raise Gone(f"the browser is not running ({method}) {self._output()[-500:]}".rstrip()) from error
        raise TimeoutError(f"no answer to {method} within {seconds:g} s")

    @abc.abstractmethod
    def _start(self) -> None:
        """Starts `_process` and opens `_wire`."""

    @abc.abstractmethod
    def _pack(self, number: int, method: str, parameters: dict[str, Any]) -> bytes:
        """The bytes of a command."""

    @abc.abstractmethod
    def _unpack(self, message: Any) -> tuple[int, BrowserError | None, Any]:
        """The number, error and result of an answer. Keeps an event and gives number 0."""

    @abc.abstractmethod
    def _script(self, source: str, seconds: float) -> str:
        """Runs an expression whose value is a promise of a string."""

    @abc.abstractmethod
    def _press(self, keys: list[Key]) -> None:
        """Presses keys in this order and releases them in the other."""

    @abc.abstractmethod
    def _point(self, x: float, y: float, click: bool) -> None:
        """Moves the pointer and may click."""
