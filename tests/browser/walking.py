"""Tests of walking through the page with real keys."""
from __future__ import annotations

import json
import statistics
import time

from page import REPOSITORY, SLOWEST, Bench, Page, State, expect, place

# Keeps when each key was pressed and when the picture was settled after it, in milliseconds.
STEPS = """(() => { const steps = window.steps = []
addEventListener('keydown', () => {
  const begin = performance.now(), before = JSON.stringify(warpwalk.state())
  const look = () => {
    const now = warpwalk.state()
    if (now.moving || now.busy || (JSON.stringify(now) === before && performance.now() < begin + 5000))
      return requestAnimationFrame(look)
    requestAnimationFrame(() => steps.push(performance.now() - begin)) }
  requestAnimationFrame(look) }, true) })()"""


def start(bench: Bench) -> str:
    """The times from opening the file to the first picture and to the first cycle, and of 30 steps."""
    with bench.page() as page:
        begin = time.monotonic()
        page.open()
        first, memory = time.monotonic() - begin, page.browser.memory_mb()
        page.calm()
        while page.state()["scene"] != "schedulers":
            page.key("ArrowDown", until="now.scene !== before.scene")
        page.until("!now.busy && !now.moving", SLOWEST)
        cycle = time.monotonic() - begin
        page.browser.evaluate(STEPS)
        for number in range(30):
            page.browser.key("." if number < 15 else ",")
            page.browser.wait_for(f"steps.length > {number}", SLOWEST)
        steps = page.browser.evaluate("steps")
        page.expect_no_errors()
        expect(cycle < SLOWEST, f"{cycle:.1f} s to the first simulated cycle")
        return (f"first picture {first:.1f} s, first simulated cycle {cycle:.1f} s, a step median "
                f"{statistics.median(steps):.0f} ms, worst {max(steps):.0f} ms, memory {memory:.0f} MB, "
                f"then {page.browser.memory_mb():.0f} MB")


# Keeps how long the page computes in each frame in which something moves, in milliseconds. The program goes on after the
# callback, when the promise that it waits for is resolved; the message comes behind that.
FRAMES = """<script>(() => { const frames = window.frames_taken = [], ask = window.requestAnimationFrame
const done = new MessageChannel()
let begin = 0
done.port2.onmessage = () => { if (window.measures && warpwalk.state().moving) frames.push(performance.now() - begin) }
window.requestAnimationFrame = call => ask(time => {
  begin = performance.now()
  call(time)
  done.port1.postMessage(0) }) })()</script>"""


def frames(bench: Bench) -> str:
    """What a frame of the tour's motion takes: Right through its steps, at 1280 x 720."""
    with bench.page() as page:
        measured = bench.folder / "measured.html"
        text = page.file.read_text(encoding="utf-8")
        measured.write_text(text.replace("<head>", "<head>" + FRAMES, 1), encoding="utf-8")
        page.open(file=measured)
        page.key("Enter", until="now.scene === 'tour'", seconds=SLOWEST)
        page.until("!now.busy && !now.moving", SLOWEST)
        page.browser.evaluate("window.measures = true")
        steps = 1
        while page.state()["scene"] == "tour" and steps < 24:
            page.key("ArrowRight", until="!now.moving && JSON.stringify(now) !== JSON.stringify(before)", seconds=SLOWEST)
            steps += 1
        taken = sorted(page.browser.evaluate("frames_taken"))
        page.expect_no_errors()
        expect(len(taken) > 100, f"only {len(taken)} frames")
        late = sum(one > 12 for one in taken)
        return (f"{steps} steps, {len(taken)} frames: mean {statistics.mean(taken):.1f} ms, 95th percentile "
                f"{taken[len(taken) * 95 // 100]:.1f} ms, worst {taken[-1]:.0f} ms, {late} above 12 ms")


def walk(bench: Bench) -> str:
    """From the start page to the lanes, and the same number of steps back."""
    with bench.page() as page:
        expect(page.open()["sheet"] == "start", "the page does not begin with the start page")
        page.calm()
        states = [page.state()]
        while states[-1]["scene"] != "lanes" or states[-1]["beat"] < 3:
            expect(len(states) < 60, f"no lanes after 60 steps, but {place(states[-1])}")
            states.append(settled(page, "ArrowRight"))
        for number, wanted in reversed(list(enumerate(states[:-1]))):
            back = settled(page, "ArrowLeft")
            expect(place(back) == place(wanted), f"back at step {number}: {place(back)}, not {place(wanted)}")
        page.expect_no_errors()
        return f"{len(states) - 1} steps to {states[-1]['scene']} {states[-1]['at']} and back"


def settled(page: Page, key: str) -> State:
    """Steps and waits for what is simulated for the picture."""
    page.step(key)
    return page.until("!now.busy && !now.moving", SLOWEST)


def lesson(bench: Bench) -> str:
    """All steps of a lesson. Questions are answered by trying one option after the other."""
    steps = len(json.loads((REPOSITORY / "assets" / "lessons" / "from_zero.json").read_text())["steps"])
    with bench.page() as page:
        now, seen, answered = page.open("file=from_zero.json"), [1], 0
        expect(now["lesson_step"] == 1, f"the lesson begins at step {now['lesson_step']}")
        page.browser.key("m")
        while True:
            now = page.until("!now.busy && !now.moving", SLOWEST)
            expect(now["note_kind"] != "error" or not now["note"], f"step {seen[-1]}: {now['note']}")
            if now["question_state"] == "asked":
                answer(page)
                answered += 1
            page.browser.evaluate("window.before = warpwalk.state(), 0")
            page.browser.key("ArrowRight")
            try:
                now = page.until("now.lesson_step !== before.lesson_step", 3 if seen[-1] == steps else 30)
            except AssertionError:
                break
            seen.append(now["lesson_step"])
        expect(seen == list(range(1, steps + 1)), f"the steps were {seen}; now {page.state()['title']}")
        page.expect_no_errors()
        return f"{len(seen)} steps, {answered} questions answered"


def answer(page: Page) -> None:
    for option in "123456789":
        page.key(option, until=f"now.question_option === {option}")
        # After a wrong option, none is chosen.
        now = page.key("Enter", until="!now.moving && "
                       "(now.question_state === 'answered' || now.question_option === 0)")
        if now["question_state"] == "answered":
            return
    raise AssertionError(f"no option is right: {page.state()['title']}")


def settings(bench: Bench) -> str:
    """A theme is there again after a reload; the address shows the same view again, and L copies it."""
    with bench.page() as page:
        page.open("file=relu_matmul.json.gz")
        page.calm()
        theme = page.key("t", until="now.theme !== before.theme")["theme"]
        for _ in range(4):
            page.step("ArrowRight")
        wanted = page.state()
        address = page.browser.wait_for(f"location.href.includes('at={wanted['at']}') && location.href")
        page.browser.evaluate("addEventListener('copy', () => { window.copied = String(document.activeElement.value); })"
                              " || Object.defineProperty(navigator, 'clipboard', {value: undefined}) && 1")
        page.key("l")
        copied = page.browser.wait_for("window.copied")
        expect(copied == address, f"L copies {copied}, not {address}")
        page.browser.open("about:blank")
        page.browser.open(address)
        now = page.shown()
        expect(now["theme"] == theme, f"the theme is {now['theme']}, not {theme}")
        expect(not now["questions"], "questions are on again")
        expect(place(now) == place(wanted), f"{address} shows {place(now)}, not {place(wanted)}")
        page.expect_no_errors()
        return f"theme {theme}; {address.rpartition('/')[2]}"
