"""Tests of pages that the native program writes, and of a course's page around the page."""
from __future__ import annotations

import json
import shutil
from pathlib import Path

from page import WALKS, Bench, expect, native

COURSE = """<!doctype html><meta charset=utf-8><iframe src="%s" style="width: 1200px; height: 650px"></iframe>
<script>
const page = document.querySelector('iframe').contentWindow
const got = [], tell = message => void page.postMessage(message, '*')
addEventListener('message', event => got.push(event.data))
const last = () => (found => found ? found.state : {})(got.findLast(message => message.warpwalk === 'state'))
</script>"""


def export(bench: Bench) -> str:
    """Pages with a walk, with the program apart, and with a lesson; what cannot be written is one line."""
    folder = bench.folder
    walk = folder / "mine & yours.json.gz"
    shutil.copy(WALKS / "relu_matmul.json.gz", walk)
    exported(bench, walk, "walk.html", "--scene", "map", "--at", "b3")
    for name, scene in (("one", "sm"), ("two", "launch")):
        exported(bench, walk, f"apart/{name}.html", "--scene", scene, "--at", "b2", "--apart")
    sizes = {file.name: file.stat().st_size for file in (folder / "apart").iterdir()}
    expect(sizes.get("warpwalk-page.js", 0) > 1e6 > sizes["one.html"], f"--apart wrote {sizes}")
    lesson = folder / "class.json"
    lesson.write_text(json.dumps({"warpwalk_lesson": 1, "title": "A class", "steps": [
        {"file": walk.name, "scene": "boardroom", "at": "b1", "text": "First."},
        {"file": "two_streams.json.gz", "scene": "map", "at": "b1", "text": "Second."}]}))
    exported(bench, lesson, "lesson.html")
    out = folder / "no.html"
    for words, said in (([walk, "-o", out, "--page", walk], "not a page of warpwalk"),
                        ([walk, "-o", out, "--page", bench.file, "--scene", "no"], "not a scene"),
                        ([walk, "-o", folder / "no.txt", "--page", bench.file], ".html"),
                        ([folder / "none.json", "-o", out, "--page", bench.file], "none.json")):
        refused = native(["export", *words])
        expect(refused.returncode == 2 and said in refused.stderr and refused.stderr.count("\n") == 1,
               f"export {words}: status {refused.returncode}, {refused.stderr!r}")
    with bench.page() as page:
        for name, scene, at in (("walk", "map", "b3"), ("apart/one", "sm", "b2"),
                                ("apart/two", "launch", "b2")):
            now = page.open(file=folder / f"{name}.html")
            found = [now[part] for part in ("file", "scene", "at", "sheet")]
            expect(found == [f"/files/{walk.name}", scene, at, ""], f"{name}.html shows {found}")
        now = page.open(file=folder / "lesson.html")
        expect((now["lesson"], now["lesson_step"]) == ("A class", 1), f"the lesson is {now['lesson']!r}")
        page.browser.key("q")
        page.key("ArrowRight", until="now.lesson_step === 2 && now.scene === 'map' && !now.busy")
        page.expect_no_errors()
    return f"walk {(folder / 'walk.html').stat().st_size / 1e6:.1f} MB, apart {sizes}"


def exported(bench: Bench, file: Path, name: str, *words: str) -> None:
    (bench.folder / name).parent.mkdir(exist_ok=True)
    done = native(["export", file, "-o", bench.folder / name, "--page", bench.file, *words])
    expect(done.returncode == 0, f"export to {name}: {done.stderr}")


def messages(bench: Bench) -> str:
    """A course's page, opened from disk, embeds the page and drives it. All that fails is listed."""
    course = bench.folder / "course.html"
    course.write_text(COURSE % bench.file.resolve().as_uri())
    trace = list((WALKS / "two_streams.json.gz").read_bytes())
    with bench.page() as page:
        browser, problems = page.browser, []
        browser.open(course.as_uri())
        browser.wait_for("got.some(message => message.warpwalk === 'ready')", 60)
        browser.evaluate("tell({warpwalk: 'watch'})")
        browser.wait_for("last().scene")
        for message, condition in (
                ("open', link: 'file=relu_matmul.json.gz&scene=sm&at=b3'",
                 "scene === 'sm' && now.at === 'b3'"),
                ("state'", "sheet === ''"),
                ("step', steps: 1", "at === 'b4' && !now.moving"),
                ("step', steps: -1", "at === 'b3' && !now.moving"),
                ("key', key: 't'", "theme === 'light'"),
                ("open', link: 'file=relu_matmul.json.gz&scene=sm&at=b3&set=sm.registers=64'",
                 "controls['sm.registers'] === 64"),
                (f"open', name: 'mine.json.gz', bytes: new Uint8Array({trace})",
                 "file === '/files/mine.json.gz'"),
                ("open', link: 'file=none.json'", "note.includes('none.json') && now.note_kind === 'error'")):
            browser.evaluate(f"tell({{warpwalk: '{message}}})")
            try:
                browser.wait_for(f"(now => now.{condition})(last())", 5)
            except TimeoutError:
                now = browser.evaluate("last()")
                shown = " ".join(str(now[name]) for name in ("file", "scene", "at", "sheet", "note"))
                problems.append(f"after '{message[:80]}: not {condition}, but {shown}")
        problems += browser.log
        expect(not problems, "\n  ".join(problems))
        return "an iframe of a file: page is allowed; ready, watch, state, open, step, key, bytes"
