"""Drives Chromium and Firefox in end-to-end tests: `with Chromium() as browser: browser.open(url)`.

Each browser has a fresh profile, no network, and a page of exactly `size` CSS pixels at scale 1. Test:
`python3 tests/browser/browsers.py [chromium] [firefox]`.
"""
from __future__ import annotations

import base64
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from browser import Browser, BrowserError, Gone, JavaScriptError, Unsupported
from chromium import Chromium
from firefox import Firefox

__all__ = ["Browser", "BrowserError", "Chromium", "Firefox", "Gone", "JavaScriptError", "Unsupported"]

PAGE = """<!doctype html><meta charset=utf-8><style>body { margin: 0 } canvas { display: block }</style>
<canvas id=canvas width=1280 height=720></canvas><script>
const events = [], keep = (...fields) => events.push(fields.join()), take = () => events.splice(0)
const gl = canvas.getContext('webgl2')
const draw = () => { gl.clearColor(1, 0.5, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(draw) }
if (gl) draw()
onkeydown = e => e.isTrusted && keep(e.key, e.code, e.ctrlKey, e.shiftKey)
for (const kind of ['pointermove', 'pointerdown', 'pointerup'])
  addEventListener(kind, e => e.isTrusted && keep(kind, e.clientX, e.clientY))
onwheel = e => e.isTrusted && keep('wheel', e.clientX, e.clientY, e.deltaY)
ondragover = e => e.preventDefault()
ondrop = async e => {
  e.preventDefault(); const file = e.dataTransfer.files[0]
  keep('drop', e.clientX, e.clientY, file.name, await file.text()) }
console.log('hello', 7); console.warn('two\\nlines "quoted" é'); console.error(new TypeError('shown'))
setTimeout(() => { throw new Error('late') }); Promise.reject(new Error('rejected'))
</script>"""
PIXEL = """new Promise((done, failed) => {
  const image = new Image(); image.onerror = failed; image.src = '%s'; image.onload = () => {
  const copy = document.createElement('canvas'); copy.width = image.width; copy.height = image.height
  const to = copy.getContext('2d'); to.drawImage(image, 0, 0)
  done([image.width, image.height, ...to.getImageData(640, 360, 1, 1).data]) } })"""
RENDERER = "gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info') ? 0x9246 : gl.RENDERER)"
READ = "fetch('file:///etc/passwd').then(() => 'read', () => 'refused')"


def expect(found: object, wanted: object) -> None:
    if found != wanted:
        raise AssertionError(f"found  {found}\nwanted {wanted}")


def error_of(browser: Browser, expression: str) -> str:
    try:
        return f"no error: {browser.evaluate(expression)}"
    except JavaScriptError as error:
        return str(error)


def check(kind: type[Browser], folder: Path) -> str:
    """Tests all that a browser can do; returns a line about it."""
    page, dropped, picture = folder / "page.html", folder / "a file.txt", folder / "picture.png"
    page.write_text(PAGE)
    dropped.write_text("content")
    begin = time.monotonic()
    with kind() as browser:
        expect(browser.evaluate("1 + 1"), 2)
        started = time.monotonic() - begin
        browser.open(page.as_uri())
        expect(browser.evaluate("[innerWidth, innerHeight, devicePixelRatio]"), [1280, 720, 1])
        expect(browser.evaluate("Promise.resolve({a: [1, 'é']})"), {"a": [1, "é"]})
        expect(error_of(browser, "Promise.reject(new Error('no'))"), "Error: no")
        expect(error_of(browser, "1 +").partition(":")[0], "SyntaxError")
        expect(browser.wait_for("performance.now() > 500 && [7]"), [7])
        try:
            browser.wait_for("missing.name", 0.5)
            raise AssertionError("wait_for found a missing name")
        except TimeoutError as error:
            expect("missing.name" in str(error), True)
        browser.key("ArrowRight")
        browser.key("?")
        browser.key("a", "Control", "Shift")
        browser.type("é\n")
        expect(browser.evaluate("take()"), [
            "ArrowRight,ArrowRight,false,false", "Shift,ShiftLeft,false,true", "?,Slash,false,true",
            "Control,ControlLeft,true,false", "Shift,ShiftLeft,true,true", "A,KeyA,true,true",
            "é,,false,false", "Enter,Enter,false,false"])
        browser.click(100, 200)
        browser.move(10, 20)
        browser.wheel(300, 310, 120)
        browser.wait_for("events.length >= 5")
        expect(browser.evaluate("take()"), ["pointermove,100,200", "pointerdown,100,200", "pointerup,100,200",
                                            "pointermove,10,20", "wheel,300,310,120"])
        try:
            browser.drop([dropped], 400, 401)
            browser.wait_for("events.length")
            expect(browser.evaluate("take()"), ["drop,400,401,a file.txt,content"])
            drop = "drop"
        except Unsupported:
            drop = "no drop"
        browser.screenshot(picture)
        url = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode()
        expect(browser.evaluate(PIXEL % url), [1280, 720, 255, 128, 0, 255])
        expect([message.partition("\n    at")[0].partition(" (file")[0] for message in browser.log],
               ["log: hello 7", 'warn: two\nlines "quoted" é', "error: TypeError: shown",
                "uncaught: Error: late", "uncaught: Error: rejected"])
        expect(browser.evaluate(READ), "refused")
        renderer, memory = browser.evaluate(RENDERER), browser.memory_mb()
    with kind(size=(800, 600), webgl=False) as browser:
        browser.open(page.as_uri())
        expect(browser.evaluate("[gl, innerWidth, innerHeight]"), [None, 800, 600])
    command = ["ps", "-o", "args=", "--ppid", str(os.getpid())]
    children = subprocess.run(command, capture_output=True, text=True).stdout
    expect([line for line in children.splitlines() if not line.startswith("ps ")], [])
    expect(browser._folder.exists(), False)
    return f"starts in {started:.1f} s, {memory:.0f} MB, {drop}, WebGL 2: {renderer}"


def main() -> int:
    failed = 0
    for kind in (Chromium, Firefox):
        if not sys.argv[1:] or kind.__name__.lower() in sys.argv[1:]:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    print(f"{kind.__name__}: {check(kind, Path(folder))}")
                except (AssertionError, BrowserError, OSError) as error:
                    print(f"{kind.__name__}: FAILED: {type(error).__name__}: {error}")
                    failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
