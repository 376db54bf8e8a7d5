"""Headless Chromium over a pipe (https://chromedevtools.github.io/devtools-protocol/)."""
from __future__ import annotations

import base64
import json
import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from browser import LIMIT, Browser, BrowserError, Gone, JavaScriptError
from keys import MODIFIERS, Key
from processes import Wire, split_at_nul

SWITCHES = (
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--mute-audio", "--force-device-scale-factor=1", "--password-store=basic",
    "--host-resolver-rules=MAP * ~NOTFOUND")
WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
NO_WEBGL = ("--disable-webgl", "--disable-webgl2")


class Chromium(Browser):
    """Headless Chromium. Its WebGL is SwiftShader, on the CPU."""

    def _start(self) -> None:
        self._log: list[str] = []
        self._session, self._loaded, self._ended = "", False, ""
        commands, answers = os.pipe(), os.pipe()
        self._closers += [partial(os.close, descriptor) for descriptor in (commands[1], answers[0])]
        try:
            self._process = self._launch(
                ["chromium", *SWITCHES, *(WEBGL if self.webgl else NO_WEBGL), *self.extra,
                 f"--user-data-dir={self._folder}/profile", "about:blank"],
                {3: commands[0], 4: answers[1]}, {})
        finally:
            os.close(commands[0])
            os.close(answers[1])
        self._wire = Wire(answers[0], commands[1], split_at_nul)
        page = {"targetId": self._first_page(time.monotonic() + LIMIT), "flatten": True}
        self._session = self._call("Target.attachToTarget", page)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Inspector"):
            self._call(f"{domain}.enable", {})
        self._call("Emulation.setDeviceMetricsOverride",
                   {"width": self.size[0], "height": self.size[1], "deviceScaleFactor": 1, "mobile": False})
        self._call("Emulation.setFocusEmulationEnabled", {"enabled": True})

    def _first_page(self, deadline: float) -> str:
        while time.monotonic() < deadline:
            for target in self._call("Target.getTargets", {})["targetInfos"]:
                if target["type"] == "page":
                    return str(target["targetId"])
            time.sleep(0.05)
        raise TimeoutError("Chromium opens no page")

    def open(self, url: str) -> None:
        self._loaded = False
        deadline = time.monotonic() + LIMIT
        result = self._call("Page.navigate", {"url": url})
        if "errorText" in result:
            raise BrowserError(f"{url}: {result['errorText']}")
        while "loaderId" in result and not self._loaded:  # without one, only the fragment changed
            if time.monotonic() > deadline:
                raise TimeoutError(f"not loaded within {LIMIT:g} s: {url}")
            self._receive(0.1)

    def wheel(self, x: float, y: float, delta_y: float) -> None:
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=delta_y)

    def drop(self, files: list[Path], x: float, y: float) -> None:
        paths = [str(file.resolve(strict=True)) for file in files]
        data = {"items": [], "files": paths, "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self._call("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", {"format": "png"})["data"]))

    @property
    def log(self) -> list[str]:
        with suppress(Gone):
            self._receive(0)
        return list(self._log)

    def _receive(self, seconds: float) -> None:
        """Keeps the events that come within this time."""
        deadline = time.monotonic() + seconds
        try:
            while self._wire and (message := self._wire.receive(deadline)) is not None:
                self._unpack(json.loads(message))
        except EOFError as error:
            raise Gone("Chromium has ended") from error

    def _pack(self, number: int, method: str, parameters: dict[str, Any]) -> bytes:
        if self._ended:
            raise Gone(self._ended)
        command = {"id": number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        return json.dumps(command).encode() + b"\0"

    def _unpack(self, message: Any) -> tuple[int, BrowserError | None, Any]:
        if "id" in message:
            problem = message.get("error")
            return message["id"], BrowserError(problem["message"]) if problem else None, message.get("result")
        event, details = message["method"], message["params"]
        if event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Runtime.consoleAPICalled":
            kind = {"warning": "warn"}.get(details["type"], details["type"])
            self._log.append(f"{kind}: {' '.join(map(text_of, details['args']))}")
        elif event == "Runtime.exceptionThrown":
            self._log.append(f"uncaught: {thrown(details['exceptionDetails'])}")
        elif event == "Log.entryAdded":
            kind = {"warning": "warn"}.get(details["entry"]["level"], details["entry"]["level"])
            self._log.append(f"{kind}: {details['entry']['text']} {details['entry'].get('url', '')}".rstrip())
        elif event == "Page.javascriptDialogOpening":
            self._number += 1
            assert self._wire
            self._wire.send(self._pack(self._number, "Page.handleJavaScriptDialog", {"accept": True}),
                            time.monotonic() + LIMIT)
        elif event in ("Inspector.targetCrashed", "Target.detachedFromTarget"):
            self._ended = f"the page has ended ({event})"
            raise Gone(self._ended)
        return 0, None, None

    def _script(self, source: str, seconds: float) -> str:
        wanted = {"expression": source, "awaitPromise": True, "returnByValue": True}
        try:
            result = self._call("Runtime.evaluate", wanted, seconds)
        except BrowserError as error:
            if isinstance(error, Gone):
                raise
            raise JavaScriptError(str(error)) from error  # the page has left its address
        if "exceptionDetails" in result:
            raise JavaScriptError(thrown(result["exceptionDetails"]))
        return str(result["result"]["value"])

    def _press(self, keys: list[Key]) -> None:
        bits = 0
        for key in keys:
            bits |= MODIFIERS.get(key.name, 0)
            text = "" if bits & ~MODIFIERS["Shift"] else key.text
            self._key("keyDown" if text else "rawKeyDown", key, bits, text=text)
        for key in reversed(keys):
            bits &= ~MODIFIERS.get(key.name, 0)
            self._key("keyUp", key, bits)

    def _key(self, kind: str, key: Key, bits: int, **more: str) -> None:
        self._call("Input.dispatchKeyEvent",
                   {"type": kind, "key": key.name, "code": key.code, "windowsVirtualKeyCode": key.virtual,
                    "modifiers": bits, "location": 1 if key.name in MODIFIERS else 0} | more)

    def _point(self, x: float, y: float, click: bool) -> None:
        self._mouse("mouseMoved", x, y)
        if click:
            self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
            self._mouse("mouseReleased", x, y, button="left", clickCount=1)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self._call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y} | more)


def text_of(value: dict[str, Any]) -> str:
    """A console argument as text."""
    return str(value.get("value", value.get("unserializableValue", value.get("description", value["type"]))))


def thrown(details: dict[str, Any]) -> str:
    """What was thrown, with its stack if it is an Error."""
    value = details.get("exception", {})
    return str(value.get("description", value.get("value", details["text"])))
