"""Tests of the frames that the notebooks of docs/notebooks show. WARPWALK_RENEW=1 stores their thumbnails anew."""
from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from browser import Browser
from page import REPOSITORY, SLOWEST, Bench, Skip, expect

RUNNER = REPOSITORY / "tests" / "python" / "notebooks.py"
GOLDEN = Path(__file__).resolve().parent / "golden"
PLACES = "document.querySelectorAll('div[id^=warpwalk-]')"
REFERENCES = "document.querySelectorAll('template.reference')"
# Scrolls the frame into view, which begins it, and waits for its picture. Its origin is that of the page, as in Jupyter.
SHOWN = """(() => {
  const place = %s[%d]
  place.scrollIntoView({block: 'start'})
  const frame = place.querySelector('iframe'), inside = frame && frame.contentWindow
  if (!inside || !inside.warpwalk || !inside.document.getElementById('warpwalk-cover').hidden) return null
  const state = inside.warpwalk.state(), box = frame.getBoundingClientRect()
  return state.scene && !state.busy && !state.moving && {state, x: box.x, y: box.y, width: box.width} })()"""
# The picture of the frame's view that the program in the frame draws, in base 64, and the one that stands in for it.
DRAWN = """(async (words, number) => {
  const inside = %s[number].querySelector('iframe').contentWindow
  const {status, error, FS} = await inside.warpwalk.command(words, inside.document.querySelectorAll('.warpwalk-walk').length
    ? [[words[1], Uint8Array.from(atob(inside.document.querySelector('.warpwalk-walk').textContent.trim()),
                                  (c) => c.charCodeAt(0))]] : [])
  if (status !== 0) return error
  let text = ''
  for (const byte of FS.readFile('picture.png')) text += String.fromCharCode(byte)
  return btoa(text) })(%s, %d)"""
# A screenshot's frame at an eighth of its size, as a picture and as the mean difference from a stored one, 0 to 255.
THUMBNAIL = """(async (shot, stored, x, y, width, height) => {
  const load = (url) => new Promise((done, failed) => {
    const image = new Image(); image.onload = () => done(image); image.onerror = failed; image.src = url })
  const drawn = (image, x, y, w, h) => {
    const canvas = document.createElement('canvas'); canvas.width = width; canvas.height = height
    const context = canvas.getContext('2d'); context.imageSmoothingQuality = 'high'
    context.drawImage(image, x, y, w, h, 0, 0, width, height); return canvas }
  const now = drawn(await load(shot), x, y, 8 * width, 8 * height), pixels = (canvas) =>
    canvas.getContext('2d').getImageData(0, 0, width, height).data
  if (!stored) return [now.toDataURL(), 0]
  const before = pixels(drawn(await load(stored), 0, 0, width, height)), after = pixels(now)
  let sum = 0
  for (let i = 0; i < after.length; ++i) sum += Math.abs(after[i] - before[i])
  return ['', sum / (after.length / 4 * 3)] })(%s)"""


def notebooks(bench: Bench) -> str:
    """Each frame shows its view; its program draws the stand-in picture byte by byte; the window looks as stored."""
    said, worst, frames = [], 0.0, 0
    for file in sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb")):
        page_file = bench.folder / f"{file.stem}.html"
        # The system's Python has the system's Jupyter.
        command = ["/usr/bin/python3", RUNNER, "--page", page_file, file.stem]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode == 77:
            raise Skip(ran.stdout.strip())
        expect(ran.returncode == 0, ran.stderr[-400:])
        expect(page_file.read_text().count('"program": "') == 1, f"{file.stem} has the program not once")
        with bench.page() as page:
            page.browser.open(page_file.as_uri())
            for number in range(page.browser.evaluate(f"{PLACES}.length")):
                name = f"{file.stem}-{number}"
                shown = page.browser.wait_for(SHOWN % (PLACES, number), SLOWEST)
                expect_view(page.browser, number, shown["state"], name)
                same = page.browser.evaluate(f"{REFERENCES}[{number}].dataset.same")
                if bench.kind.__name__ == "Chromium" and same == "True":
                    worst = max(worst, look(page.browser, shown, GOLDEN / f"{name}.png"))
                frames += 1
        said.append(f"{file.stem} {page_file.stat().st_size / 1e6:.0f} MB")
    return f"{frames} frames, thumbnails differ by at most {worst:.1f} of 255; {', '.join(said)}"


def expect_view(browser: Browser, number: int, state: dict[str, Any], name: str) -> None:
    reference = f"{REFERENCES}[{number}]"
    words = browser.evaluate(f"{reference}.dataset.words").split()[1:]
    expect(words[1:5] == ["--scene", state["scene"], "--at", state["at"]], f"{name} shows {state['scene']} {state['at']}")
    command = ["render", *words, "--size", "1200x675", "-o", "picture.png"]
    drawn = browser.evaluate(DRAWN % (PLACES, json.dumps(command), number))
    wanted = browser.evaluate(f"{reference}.content.querySelector('img').src").partition(",")[2]
    expect(drawn == wanted, f"{name}: the program in the frame draws another picture: {drawn[:200]}")


def look(browser: Browser, shown: dict[str, Any], golden: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder, "shot.png")
        browser.screenshot(shot)
        url = "data:image/png;base64," + base64.b64encode(shot.read_bytes()).decode()
    renew = bool(os.environ.get("WARPWALK_RENEW"))
    stored = "" if renew else "data:image/png;base64," + base64.b64encode(golden.read_bytes()).decode()
    arguments = ", ".join(map(json.dumps, (url, stored, shown["x"], shown["y"], 150, 84)))
    picture, difference = browser.evaluate(THUMBNAIL % arguments)
    if renew:
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(base64.b64decode(picture.partition(",")[2]))
    expect(difference < 4, f"{golden.name}: the frame differs by {difference:.1f} of 255 on average")
    return float(difference)
