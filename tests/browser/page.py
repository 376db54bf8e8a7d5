"""The page in a browser: opens it, waits for its state, and runs command lines in it."""
from __future__ import annotations

import base64
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from browser import Browser

REPOSITORY = Path(__file__).resolve().parents[2]
WALKS = REPOSITORY / "assets" / "walks"
PROGRAM = REPOSITORY / "build" / "release" / "warpwalk"
SLOWEST = 60.0  # seconds from opening the page to its first picture
SHOWN = "document.getElementById('warpwalk-cover').hidden && warpwalk.state().scene"
State = dict[str, Any]


class Skip(Exception):
    """The test cannot be done here, for this reason."""


def expect(condition: object, message: object) -> None:
    if not condition:
        raise AssertionError(message)


def native(words: Sequence[str | Path], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the native program."""
    if not PROGRAM.exists():
        raise Skip(f"{PROGRAM} is not built")
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=300)


def place(state: State) -> list[Any]:
    """What is shown, without messages and motion."""
    return [state[name] for name in ("file", "follow", "scene", "beat", "at", "title", "controls")]


class Page:
    """The page in a started browser."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.browser, self.file = browser, file

    def open(self, link: str = "", file: Path | None = None) -> State:
        """Loads the page anew and returns its first state."""
        self.browser.open("about:blank")
        self.browser.open(f"{(file or self.file).resolve().as_uri()}{'#' if link else ''}{link}")
        return self.shown()

    def shown(self) -> State:
        """Waits for the first picture. If the page shows an error instead, that is the error."""
        cover = self.browser.wait_for(
            f"({SHOWN}) || (c => c && c.className === 'failed' && [c.innerText])"
            "(document.getElementById('warpwalk-cover'))", SLOWEST)
        expect(not isinstance(cover, list), f"the page says {cover}; console: {self.browser.log[-5:]}")
        return self.until("!now.moving")

    def state(self) -> State:
        state: State = self.browser.evaluate("warpwalk.state()")
        return state

    def until(self, condition: str, seconds: float = 30) -> State:
        """Waits until a JavaScript condition on the state `now` holds; returns that state."""
        try:
            state: State = self.browser.wait_for(f"(now => ({condition}) && now)(warpwalk.state())", seconds)
            return state
        except TimeoutError as error:
            state = self.state()
            seen = {name: value for name, value in state.items() if value not in ("", 0, False, None)}
            raise AssertionError(f"never {condition} within {seconds:g} s, but {json.dumps(seen)}, "
                                 f"console: {self.browser.log[-3:]}") from error

    def key(self, name: str, *modifiers: str, until: str = "!now.moving", seconds: float = 30) -> State:
        """Presses a key and waits for the condition, in which `before` is the state before the key."""
        self.browser.evaluate("window.before = warpwalk.state(), 0")
        self.browser.key(name, *modifiers)
        return self.until(until, seconds)

    def paste_over(self, text: str) -> None:
        """Replaces the text of the field by one from the clipboard."""
        self.browser.key("a", "Control")
        self.browser.evaluate(f"""(text => {{
            const data = new DataTransfer()
            data.setData('text/plain', text)
            document.activeElement.dispatchEvent(
                new ClipboardEvent('paste', {{clipboardData: data, bubbles: true, cancelable: true}})) }})({json.dumps(text)})""")

    def step(self, name: str, seconds: float = 30) -> State:
        """Presses a key that must change what is shown. A question that is skipped changes only its state."""
        changed = " || ".join(f"now.{part} !== before.{part}"
                              for part in ("scene", "at", "question_state", "lesson_step"))
        return self.key(name, until=f"({changed}) && !now.moving", seconds=seconds)

    def calm(self) -> None:
        """Leaves the start page, and the tour for its first step's scene, without questions and motion."""
        if self.state()["sheet"] == "start":
            self.key("Enter", until="now.sheet === ''")
        if self.state()["questions"]:
            self.key("q", until="!now.questions && !now.moving")
        self.browser.key("m")
        if self.state()["scene"] == "tour":
            self.key("D", until="now.scene !== 'tour' && !now.moving && !now.busy")

    def commands(self, runs: Sequence[tuple[Sequence[str], Sequence[tuple[str, bytes]], str]],
                 seconds: float = 300) -> list[dict[str, Any]]:
        """Runs command lines, one after the other: the words, the files that they find (path, bytes) and the
        path of a file to return, or "". Each gives status, out, error, seconds, and the file's bytes."""
        wanted = [{"words": list(words), "result": result,
                   "files": [[path, base64.b64encode(data).decode()] for path, data in files]}
                  for words, files, result in runs]
        answers: list[dict[str, Any]] = self.browser.evaluate(f"""(async wanted => {{
            const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)), answers = []
            const text = data => {{
              let all = ''
              for (let i = 0; i < data.length; i += 32768)
                all += String.fromCharCode(...data.subarray(i, i + 32768))
              return btoa(all) }}
            for (const {{words, files, result}} of wanted) {{
              const begin = performance.now()
              const given = files.map(([path, data]) => [path, bytes(data)])
              const {{status, out, error, FS}} = await warpwalk.command(words, given)
              const there = result && FS.analyzePath(result).exists
              answers.push({{status, out, error, seconds: (performance.now() - begin) / 1000,
                             file: there ? text(FS.readFile(result)) : ''}}) }}
            return answers }})({json.dumps(wanted)})""", seconds)
        for answer in answers:
            answer["file"] = base64.b64decode(answer["file"])
        return answers

    def expect_no_errors(self) -> None:
        """Nothing was reported on the console."""
        expect(not self.browser.log, f"console: {self.browser.log[:5]}")


@dataclass
class Bench:
    """What a test works with: a kind of browser, the page, and a temporary folder."""
    kind: type[Browser]
    file: Path
    folder: Path
    skipped: list[str] = field(default_factory=list)

    @contextmanager
    def page(self, webgl: bool = True) -> Iterator[Page]:
        with self.kind(webgl=webgl) as browser:
            yield Page(browser, self.file)


@contextmanager
def bench(kind: type[Browser], file: Path) -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="page-test-") as folder:
        yield Bench(kind, file, Path(folder))
