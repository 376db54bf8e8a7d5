"""Firefox over Marionette, the protocol of geckodriver (WebDriver commands as JSON over TCP)."""
from __future__ import annotations

import ast
import base64
import json
import os
import re
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from browser import LIMIT, Browser, BrowserError, Gone, JavaScriptError, Unsupported
from keys import Key
from processes import Wire, split_by_length

NOWHERE = {"network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
           "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9, "network.proxy.no_proxies_on": "",
           "network.proxy.allow_hijacking_localhost": True, "network.dns.disabled": True}
PREFERENCES = NOWHERE | {
    "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "layout.css.devPixelsPerPx": "1.0",
    "remote.prefs.recommended": False,  # Marionette's own would let a file: page read all files
    "focusmanager.testmode": True, "browser.aboutwelcome.enabled": False, "browser.newtabpage.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore", "startup.homepage_welcome_url": "about:blank",
    "browser.topsites.contile.enabled": False, "browser.safebrowsing.update.enabled": False,
    "app.normandy.enabled": False, "extensions.update.enabled": False, "browser.sessionstore.enabled": False,
    "browser.tabs.warnOnClose": False, "dom.disable_beforeunload": True, "hangmonitor.timeout": 0,
    "dom.ipc.reportProcessHangs": False, "dom.max_script_run_time": 0,
    "devtools.console.stdout.content": True, "browser.dom.window.dump.enabled": True}  # its log to stdout
MESSAGE = re.compile(r"console\.(\w+): (?![\w.]+: ?$)(.*)|"  # Firefox's own messages begin with a name
                     r"JavaScript error: ((?:file|data|blob|http)[^,]*|), line (\d+): (.*)")
STRING = r'"(?:[^"\\]|\\.)*"'


class Firefox(Browser):
    """Firefox on a display of its own: headless Firefox has no WebGL. It draws with llvmpipe, on the CPU."""

    def _start(self) -> None:
        profile = self._folder / "profile"
        profile.mkdir()
        preferences = PREFERENCES | {"webgl.disabled": not self.webgl}
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        self._process = self._launch(
            ["firefox-esr", "--marionette", "--no-remote", "--profile", str(profile), *self.extra], {},
            {"DISPLAY": self._display(), "MOZ_CRASHREPORTER_DISABLE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"})
        port = self._wait_for_file(profile / "MarionetteActivePort")
        connection = socket.create_connection(("127.0.0.1", int(port)), timeout=LIMIT)
        self._closers.append(connection.close)
        self._wire = Wire(connection.fileno(), connection.fileno(), split_by_length)
        if self._wire.receive(time.monotonic() + LIMIT) is None:  # its greeting
            raise TimeoutError("Firefox does not answer")
        milliseconds = int(LIMIT * 1000)
        self._call("WebDriver:NewSession", {"unhandledPromptBehavior": "accept", "timeouts": {
            "script": 10 * milliseconds, "pageLoad": milliseconds, "implicit": 0}})
        self._fit()
        self._skipped = len(self._output())

    def _display(self) -> str:
        """Starts an X server with room for the window; returns its name."""
        receiving, sending = os.pipe()
        try:
            screen = f"{self.size[0] + 200}x{self.size[1] + 300}x24"
            self._launch(["Xvfb", "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"],
                         {3: sending}, {}, signal.SIGTERM)
            answer = Wire(receiving, sending, lambda buffer: bytes(buffer) if b"\n" in buffer else None)
            number = answer.receive(time.monotonic() + LIMIT)
        finally:
            os.close(receiving)
            os.close(sending)
        if number is None:
            raise TimeoutError("Xvfb does not start")
        return f":{int(number)}"

    def _wait_for_file(self, file: Path) -> str:
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            with suppress(FileNotFoundError):
                if text := file.read_text():
                    return text
            if self._process.poll() is not None:
                raise Gone(f"Firefox has ended: {self._output()[-500:]}")
            time.sleep(0.05)
        raise TimeoutError(f"Firefox does not start: {self._output()[-500:]}")

    def _fit(self) -> None:
        """Sizes the window so that the page has `size`."""
        deadline = time.monotonic() + LIMIT
        while (inner := self.evaluate("[innerWidth, innerHeight]")) != list(self.size):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the page stays at {inner}")
            outer = self._call("WebDriver:GetWindowRect", {})
            self._call("WebDriver:SetWindowRect", {
                "x": 0, "y": 0, "width": outer["width"] + self.size[0] - inner[0],
                "height": outer["height"] + self.size[1] - inner[1]})
            time.sleep(0.1)

    def open(self, url: str) -> None:
        self._call("WebDriver:Navigate", {"url": url}, LIMIT + 5)

    def wheel(self, x: float, y: float, delta_y: float) -> None:
        self._act("wheel", [{"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0,
                             "deltaY": round(delta_y), "duration": 0, "origin": "viewport"}])

    def drop(self, files: list[Path], x: float, y: float) -> None:
        raise Unsupported("Marionette has no drag and drop of files")

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._call("WebDriver:TakeScreenshot", {"full": False})["value"]))

    @property
    def log(self) -> list[str]:
        found = []
        for line in self._output()[self._skipped:].splitlines():
            if match := MESSAGE.fullmatch(line):
                kind, text, file, number, error = match.groups()
                found.append(f"{kind}: {unquoted(text)}" if kind else f"uncaught: {error} ({file}:{number})")
        return found

    def _pack(self, number: int, method: str, parameters: dict[str, Any]) -> bytes:
        command = json.dumps([0, number, method, parameters]).encode()
        return b"%d:%b" % (len(command), command)

    def _unpack(self, message: Any) -> tuple[int, BrowserError | None, Any]:
        _, number, problem, result = message
        if not problem:
            return number, None, result
        kind = JavaScriptError if problem["error"] == "javascript error" else BrowserError
        return number, kind(problem["message"] or problem["error"]), None

    def _script(self, source: str, seconds: float) -> str:
        """In the page's scope; if the page forbids eval, in Marionette's, without top-level let and const."""
        script = """try { return window.eval(arguments[0]) } catch (error) {
            if (error instanceof window.EvalError) return eval(arguments[0]); throw error }"""
        parameters = {"script": script, "args": [source]}
        value = self._call("WebDriver:ExecuteScript", parameters, seconds)["value"]
        if not isinstance(value, str):
            raise JavaScriptError("a dialog or another address has interrupted the script")
        return value

    def _press(self, keys: list[Key]) -> None:
        self._act("key", [{"type": "keyDown", "value": key.webdriver} for key in keys]
                  + [{"type": "keyUp", "value": key.webdriver} for key in reversed(keys)])

    def _point(self, x: float, y: float, click: bool) -> None:
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}] if click else []
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0, "origin": "viewport"}
        self._act("pointer", [move, *press])

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        self._call("WebDriver:PerformActions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})


def unquoted(text: str) -> str:
    """Console arguments as Chromium shows them: Firefox writes "a\\n" and (new Error("a", "file", 1))."""
    def plain(match: re.Match[str]) -> str:
        try:
            words = str(ast.literal_eval(match[0]))
            return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins surrogates
        except (SyntaxError, ValueError):
            return match[0]
    text = re.sub(rf'\(new (\w+)\(({STRING}), {STRING}, \d+\)\)', r"\1: \2", text)
    return re.sub(STRING, plain, text)
