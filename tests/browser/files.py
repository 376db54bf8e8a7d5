"""Tests of giving the page files: traces, broken ones, the traces of ranks, and a long one."""
from __future__ import annotations

import base64
import gzip
import json
import shutil
from pathlib import Path

from browser import Unsupported
from page import WALKS, Bench, Page, expect, place

LONG, MOST_MEMORY = 100_000_000, 2000  # bytes of the long trace; MB of the browser with it
# Gives the page files as its chooser does, where a browser cannot be made to drop or choose them.
TAKE = """warpwalk.module.page.take(%s.map(([name, text]) =>
    new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name))).then(() => 0)"""
GAPS = """(() => { let last = performance.now(); window.gap = 0
const frame = () => { const now = performance.now(); gap = Math.max(gap, now - last); last = now
  requestAnimationFrame(frame) }
requestAnimationFrame(frame) })()"""


def give(page: Page, files: list[Path]) -> str:
    try:
        page.browser.drop(files, 500, 300)
        return "dropped"
    except Unsupported:
        data = [[file.name, base64.b64encode(file.read_bytes()).decode()] for file in files]
        page.browser.evaluate(TAKE % json.dumps(data))
        return "handed over"


def drop(bench: Bench) -> str:
    """A trace under another name, a broken one, several as ranks; the start page gives way to a file."""
    mine, broken = bench.folder / "my trace.json.gz", bench.folder / "broken.json"
    shutil.copy(WALKS / "two_streams.json.gz", mine)
    broken.write_text("this is no trace")
    with bench.page() as page:
        before = place(page.open("file=relu_matmul.json.gz&scene=boardroom&at=b3"))
        how = give(page, [broken])
        now = page.until("now.note.includes('broken.json')", 10)
        expect(now["note_kind"] == "error" and "\n" not in now["note"], f"the note is {now['note']!r}")
        expect(place(now) == before, f"the broken file left {place(now)}, not {before}")
        give(page, [mine])
        page.until("now.file.endsWith('/my trace.json.gz') && now.scene === 'lab/overview' && !now.busy")
        give(page, sorted((WALKS / "four_h200_late_loader").glob("*.json.gz")))
        ranks = page.until("now.ranks === 4 && now.scene === 'ranks' && !now.busy")
        page.expect_no_errors()
        if how == "dropped":  # a folder, which a page cannot read as a file
            give(page, [bench.folder])
            said = page.browser.wait_for(
                "!document.getElementById('warpwalk-cover').hidden && 'the page ends' || "
                "!document.getElementById('warpwalk-note').hidden && "
                "document.getElementById('warpwalk-note').textContent")
            expect(said != "the page ends", f"a folder ends the page: {page.browser.log[-1:]}")
        expect(page.open()["sheet"] == "start", "no start page")
        give(page, [mine])
        page.until("now.file.endsWith('/my trace.json.gz') && now.sheet === ''", 8)
        return f"{how}; the late rank is {ranks['rank']}; broken: {now['note']}"


def long(bench: Bench) -> str:
    """A trace of 100 MB, first cancelled, then read: pauses of the page, memory."""
    trace = bench.folder / "long.json"
    write_long(trace)
    with bench.page() as page:
        before = page.open("file=relu_matmul.json.gz&scene=boardroom&at=b3")
        page.browser.evaluate(GAPS)
        page.browser.drop([trace], 500, 300)
        page.until("now.busy", 60)
        page.key("Escape", until="!now.busy", seconds=10)
        now = page.state()
        expect(place(now) == place(before), f"after Esc: {place(now)}")
        gap = page.browser.evaluate("(g => { gap = 0; return g })(gap)")
        page.browser.evaluate("window.begin = performance.now(), 0")
        page.browser.drop([trace], 500, 300)
        now = page.until("now.file.endsWith('/long.json') && !now.busy && !now.moving", 180)
        seconds, longest = page.browser.evaluate("[(performance.now() - begin) / 1000, gap]")
        memory = page.browser.memory_mb()
        page.expect_no_errors()
        expect(memory < MOST_MEMORY, f"{memory:.0f} MB of memory, not below {MOST_MEMORY}")
        return (f"{trace.stat().st_size / 1e6:.0f} MB read in {seconds:.1f} s, longest gap between frames "
                f"{longest:.0f} ms (cancelled: {gap:.0f} ms), memory {memory:.0f} MB, scene {now['scene']}")


def write_long(file: Path) -> None:
    """Repeats the events of a recorded training step, one step after the other."""
    with gzip.open(WALKS / "mlp_train.json.gz", "rt") as packed:
        trace = json.load(packed)
    events = [event for event in trace.pop("traceEvents") if "ts" in event]
    numbers = ("correlation", "External id", "Ev Idx", "Python id", "Python parent id")
    first = min(event["ts"] for event in events)
    span = max(event["ts"] + event.get("dur", 0) for event in events) - first + 100
    with file.open("w") as out:
        out.write(json.dumps(trace)[:-1] + ', "traceEvents": [\n')
        repeats = 0
        while out.tell() < LONG:
            for event in events:
                shift = repeats * 1_000_000
                args = {name: value + shift if name in numbers and isinstance(value, int) else value
                        for name, value in event.get("args", {}).items()}
                more = {"id": event["id"] + shift} if isinstance(event.get("id"), int) else {}
                moved = event | more | {"ts": event["ts"] + repeats * span, "args": args}
                out.write((",\n" if out.tell() > 3 and (repeats or event is not events[0]) else "")
                          + json.dumps(moved))
            repeats += 1
        out.write("\n]}\n")
