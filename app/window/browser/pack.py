#!/usr/bin/env python3
"""Packs the program, its assets and its fonts into one page. Called by scripts/browser."""
import argparse
import base64
import gzip
import io
import lzma
import re
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("fibers.js", "painter.js", "page.js", "messages.js", "compiler.js", "start.js")
FONTS = (
    "opentype/inter/Inter-Medium.otf",
    "opentype/inter/Inter-SemiBold.otf",
    "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
    "truetype/jetbrains-mono/JetBrainsMono-Medium.ttf",
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSansMono.ttf",
)
# Chinese, Japanese and Korean: the blocks are those of is_cjk() in app/draw/glyphs.cpp.
CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
CJK_FONT = "truetype/wqy/wqy-microhei.ttc"


def archive(files: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def contents(file: Path) -> bytes:
    """Files are compressed together, which makes the page smaller; the program reads both kinds."""
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def compressed(data: bytes) -> bytes:
    """LZMA with the size in its header, which Python's encoder leaves open."""
    coding = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 26, "nice_len": 273}
    packed = lzma.compress(data, format=lzma.FORMAT_ALONE, filters=[coding | {"lc": 4, "pb": 0}])
    return packed[:5] + len(data).to_bytes(8, "little") + packed[13:]


def as_text(data: bytes) -> str:
    """Its size and its bytes in base 85, a quarter longer than the bytes, without the character that begins a tag."""
    sized = len(data).to_bytes(4, "little") + data
    return base64.b85encode(sized + bytes(-len(sized) % 4)).decode().replace("<", "[")


def part(name: str, data: bytes) -> str:
    return f'<script type="application/octet-stream" id="warpwalk-{name}">{as_text(data)}</script>\n'


def cjk_font(letters: str, fonts: Path) -> bytes:
    """A font with these characters alone: a whole one is as large as the page."""
    try:
        from fontTools import subset, ttLib
        font = ttLib.TTFont(fonts / CJK_FONT, fontNumber=0)
    except (ImportError, OSError) as error:
        raise SystemExit(f"pack.py: the assets have {len(letters)} Chinese, Japanese or Korean characters ({error}); "
                         "install python3-fonttools and fonts-wqy-microhei") from error
    smaller = subset.Subsetter(subset.Options(layout_features=[], hinting=False))
    smaller.options.drop_tables += ["FFTM"]  # of FontForge, which nothing reads
    smaller.populate(text=letters)
    smaller.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True, help="folder with warpwalk.js, warpwalk.wasm, unpack.wasm")
    parser.add_argument("--assets", type=Path, required=True, help="the folder of the assets, beside kernels")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()

    program = [(name, (options.build / name).read_bytes()) for name in ("warpwalk.wasm", "warpwalk.js")]
    files = []
    for file in sorted(options.assets.rglob("*")):
        if file.is_file() and file.relative_to(options.assets).parts[0] != "cuda":  # a browser has no compiler
            files.append((f"assets/{file.relative_to(options.assets)}", contents(file)))
    for file in sorted((options.assets.parent / "kernels").glob("*.cu")):  # shown beside PTX and machine code
        files.append((f"assets/kernels/{file.name}", file.read_bytes()))
    for name in FONTS:
        files.append((f"usr/share/fonts/{name}", (options.fonts / name).read_bytes()))
    texts = [*options.assets.glob("narration/*/*.txt"), *options.assets.glob("lessons/*.json")]
    letters = "".join(sorted({letter for file in texts for letter in CJK.findall(file.read_text())}))
    if letters:
        files.append(("usr/share/fonts/truetype/wqy/warpwalk-cjk.ttf", cjk_font(letters, options.fonts)))

    page = (HERE / "page.html").read_text()
    scripts = "".join((HERE / name).read_text() for name in SCRIPTS)
    parts = "<!--WALK-->\n<!--PROGRAM-->\n"
    parts += part("unpacker", (options.build / "unpack.wasm").read_bytes())
    parts += part("program", compressed(archive(program))) + part("files", compressed(archive(files)))
    parts += f"<script>\n'use strict';\n{scripts}</script>\n<!--/PROGRAM-->"
    options.output.write_text(page.replace("<!--PARTS-->", parts))
    print(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB "
          f"(program {len(program[0][1]) / 1e6:.1f} MB, {len(files)} files)")


if __name__ == "__main__":
    main()
