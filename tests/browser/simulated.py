"""Tests of what the program computes in the page, compared with the native program."""
from __future__ import annotations

import difflib
import json
import re
import struct
import time
import zlib
from pathlib import Path

from page import REPOSITORY, WALKS, Bench, Page, State, expect, native

CASES, GOLDEN = REPOSITORY / "tests" / "cases", REPOSITORY / "tests" / "app" / "golden"
HOST_TIMES = ('"cycles_host_seconds"', '"host_seconds"', '"warp_instructions_per_second"')  # differ each time
COLOURS = """(canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  return new Set(new Uint32Array(data.buffer)).size })(document.querySelector('canvas'))"""


def race(bench: Bench) -> str:
    """The example with a race in the Kernel lab: it is run, found, and walked."""
    with bench.page() as page:
        page.open("file=relu_matmul.json.gz")
        page.calm()
        page.key("j", until="now.sheet === 'kernel'")
        page.browser.key("o", "Control")
        page.browser.key("ArrowDown")
        page.key("Enter", until="now.lab_file === 'race.cu'")
        found = page.key("Enter", "Control", until="now.lab_findings >= 0 && !now.busy")["lab_findings"]
        expect(found == 1, f"{found} findings")
        page.key("g", "Control", until="now.sheet === '' && now.scene === 'schedulers' && !now.busy")
        page.expect_no_errors()
        return f"{found} finding, then {page.state()['title']}"


def exercise(bench: Bench) -> str:
    """The first exercise, in PTX and in CUDA C++: its starter fails, a right kernel passes, and is handed in."""
    judged = "now.exercise_criteria_passed >= 0 && !now.busy"

    def judge(page: Page, attempts: int) -> State:
        return page.key("Enter", "Control", until=f"{judged} && now.exercise_attempts === {attempts}", seconds=180)

    with bench.page() as page:
        page.open("file=relu_matmul.json.gz")
        page.calm()
        page.key("J", until="now.sheet === 'exercise'")
        page.key("Enter", until="now.exercise !== ''")
        name = page.state()["exercise"]
        folder = REPOSITORY / "assets" / "exercises" / name
        kernel = json.loads((folder / "exercise.json").read_text())["kernel"]
        starter = judge(page, 1)
        expect(not starter["exercise_passed"] and starter["exercise_criteria_passed"] > 0, "the starter in PTX")
        # The reference is a right kernel with another name.
        ptx = (folder / "reference.ptx").read_text()
        page.paste_over(re.sub(r"(\.entry )\w+", rf"\g<1>{kernel}", ptx))
        expect(judge(page, 2)["exercise_passed"], "a right kernel in PTX")
        page.key("s", "Control", until="now.exercise_focus === 'exercise.name'")
        page.browser.type("Ada")
        said = page.key("Enter", until="now.exercise_note !== ''")["exercise_note"]
        expect(f"Ada.{name}" in said, said)
        if (bench.file.parent / "warpwalk-cuda.js").is_file():
            for _ in range(40):
                if page.state()["exercise_focus"] == "exercise.language":
                    break
                page.browser.key("Tab")
            page.key("Enter", until="now.exercise_criteria_passed === -1")
            while page.state()["exercise_focus"] != "exercise.source":
                page.browser.key("Tab")
            page.paste_over((folder / "starter.cu").read_text())
            cuda = judge(page, 3)
            expect(cuda["exercise_criteria_passed"] == starter["exercise_criteria_passed"],
                   f"{cuda['exercise_criteria_passed']} criteria in CUDA C++, {starter['exercise_criteria_passed']} in PTX")
            source = (folder / "reference.cu").read_text()
            page.paste_over(re.sub(r"(__global__ void )\w+", rf"\g<1>{kernel}", source))
            expect(judge(page, 4)["exercise_passed"], "a right kernel in CUDA C++")
            said += ", and in CUDA C++"
        else:
            bench.skipped.append("CUDA C++: warpwalk-cuda.js is not beside the page (scripts/browser --cuda)")
        page.expect_no_errors()
        return f"{name}: {said}"


def run(bench: Bench) -> str:
    """relu(a @ b) on the simulated GPU gives a walk, which is opened."""
    with bench.page() as page:
        page.open("file=relu_matmul.json.gz")
        page.calm()
        now = page.key("x", until="now.sheet === 'run'")
        expect((now["run"], now["run_on"]) == ("relu(a @ b)", "sim"), f"{now['run']} on {now['run_on']}")
        begin = time.monotonic()
        said = page.key("Enter", until="now.file === 'unsaved walk'", seconds=60)["note"]
        seconds = time.monotonic() - begin
        page.key("Enter", until="now.sheet === '' && !now.moving")
        page.step("ArrowRight")
        page.expect_no_errors()
        return f"{said}, in {seconds:.1f} s"


def cases(bench: Bench) -> str:
    """The reports of all tests/cases are those of the native program, but for the host's times."""
    names = sorted(file.parent.name for file in CASES.glob("*/launch.json"))
    kept = []
    for name in names:
        launch = json.loads((CASES / name / "launch.json").read_text())
        if "cuda" in launch:
            bench.skipped.append(f"{name}: needs NVRTC, which compiles {launch['cuda']}")
        else:
            kept.append((name, launch))
    different, times = [], [0.0, 0.0]
    with bench.page() as page:
        page.open()
        for begin in range(0, len(kept), 40):  # the files of so many cases are handed over at once
            part = kept[begin:begin + 40]
            answers = page.commands([
                (["simulate", f"/tests/cases/{name}/launch.json", "--json", "-", "--threads", "1"],
                 files_of(name, launch), "") for name, launch in part])
            for (name, _), answer in zip(part, answers):
                wanted = native(["simulate", CASES / name / "launch.json", "--json", "-", "--threads", "1"])
                texts = wanted.stdout.splitlines(), answer["out"].splitlines()
                times = [total + host_seconds(text) for total, text in zip(times, texts)]
                lines = [[line for line in text if not line.strip().startswith(HOST_TIMES)] for text in texts]
                if answer["status"] != wanted.returncode or lines[0] != lines[1]:
                    nothing = "", answer["error"]
                    differs = next((pair for pair in zip(*lines) if pair[0] != pair[1]), nothing)
                    different.append(f"{name}: {differs[1].strip()} and not {differs[0].strip()}")
        page.expect_no_errors()
    figures = (f"{len(kept) - len(different)} of {len(kept)} reports equal without times of the host; "
               f"simulated in {times[1]:.1f} s, native {times[0]:.1f} s: ratio {times[1] / times[0]:.1f}")
    expect(not different, "\n  ".join([figures, *different]))
    return figures


def files_of(name: str, launch: dict[str, str]) -> list[tuple[str, bytes]]:
    """The files of a case, and a module of another case; those of assets are in the page."""
    found = [file for file in (CASES / name).iterdir() if file.is_file()]
    found += [(CASES / name / launch[kind]).resolve() for kind in ("ptx", "cubin")
              if launch.get(kind, "").startswith("../") and "assets" not in launch[kind]]
    return [(f"/{file.relative_to(REPOSITORY)}", file.read_bytes()) for file in found]


def host_seconds(report: list[str]) -> float:
    return sum(float(value) for value in re.findall(r'host_seconds": ([\d.e+-]+)', "\n".join(report)))


def pictures(bench: Bench) -> str:
    """Pictures that `render` makes, pixel by pixel, and the text of all scenes of a walk."""
    shell = len(list((REPOSITORY / "tests" / "shell" / "golden").glob("*.png")))
    bench.skipped.append(f"{shell} pictures of tests/shell/golden: of the window, which render does not draw")
    files, others = sorted(GOLDEN.glob("*.png")), []
    with bench.page() as page:
        page.open()
        answers = page.commands([(render(file, "/assets/walks", "/files/picture.png"), [], "/files/picture.png")
                                 for file in files])
        for file, answer in zip(files, answers):
            expect(answer["status"] == 0, f"{file.name}: {answer['error']}")
            wanted = bench.folder / file.name
            native(render(file, str(WALKS), str(wanted)))
            if pixels(answer["file"]) != pixels(wanted.read_bytes()):
                Path(kept := f"/tmp/page-{file.name}").write_bytes(answer["file"])
                raise AssertionError(f"{file.name} differs from the native program's; the page's is {kept}")
            if pixels(answer["file"]) != pixels(file.read_bytes()):
                others.append(file.stem)
        compare_text(page, "h200_relu_matmul_inside")
        page.expect_no_errors()
    bench.skipped += [f"golden {name}: its test draws it before anything is simulated, or with another "
                      "file's name; compared with the native program only" for name in others]
    return (f"{len(files)} pictures are the native program's, {len(files) - len(others)} of them golden, in "
            f"{sum(answer['seconds'] for answer in answers):.1f} s; a text is equal")


def render(file: Path, walks: str, out: str) -> list[str]:
    walk, scene, beat, theme = file.stem.split("-", 3)
    return ["render", f"{walks}/{walk}.json.gz", "--scene", scene, "--at", f"b{beat}", "--theme", theme,
            "--size", "1280x720", "-o", out]


def compare_text(page: Page, walk: str) -> None:
    """The sentences and facts of all scenes, with what is simulated for them."""
    answer = page.commands([(["render", f"/assets/walks/{walk}.json.gz", "--text"], [], "")])[0]
    wanted = native(["render", WALKS / f"{walk}.json.gz", "--text"]).stdout.splitlines()
    found = answer["out"].splitlines()
    differs = list(difflib.unified_diff(wanted, found, "native", "page", lineterm="", n=0))
    expect(not differs, f"the text of {walk} differs: {differs[:6]}")


def pixels(png: bytes) -> tuple[bytes, bytes]:
    """The header and the unpacked rows of a PNG, which were filtered in the same way by the same program."""
    at, header, data = 8, b"", b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        part = png[at + 8:at + 8 + size]
        header, data = (part if kind == b"IHDR" else header), (data + part if kind == b"IDAT" else data)
        at += 12 + size
    return header, zlib.decompress(data)


def pixels_only(bench: Bench) -> str:
    """Without WebGL 2 the page is drawn by the rasteriser."""
    with bench.page(webgl=False) as page:
        page.open("file=relu_matmul.json.gz&scene=boardroom&at=b2")
        colours = page.browser.evaluate(COLOURS)
        expect(colours > 50, f"{colours} colours on the canvas")
        page.calm()
        page.step("ArrowRight")
        page.expect_no_errors()
        return f"{colours} colours"
