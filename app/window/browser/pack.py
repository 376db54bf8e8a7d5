#!/usr/bin/env python3
"""Packs the program, its assets and its fonts into one page. Called by scripts/browser."""
import argparse
import base64
import gzip
import io
import lzma
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("fibers.js", "painter.js", "page.js", "messages.js", "start.js")
FONTS = (
    "opentype/inter/Inter-Medium.otf",
    "opentype/inter/Inter-SemiBold.otf",
    "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
    "truetype/jetbrains-mono/JetBrainsMono-Medium.ttf",
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSans-Bold.ttf",
    "truetype/dejavu/DejaVuSansMono.ttf",
)


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
    size = 1 << 26  # the largest distance between equal texts
    packed = lzma.compress(data, format=lzma.FORMAT_ALONE, filters=[{"id": lzma.FILTER_LZMA1, "preset": 9, "dict_size": size}])
    return packed[:5] + len(data).to_bytes(8, "little") + packed[13:]


def part(name: str, data: bytes) -> str:
    return f'<script type="application/octet-stream" id="warpwalk-{name}">{base64.b64encode(data).decode()}</script>\n'


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True, help="folder with warpwalk.js, warpwalk.wasm, unpack.wasm")
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()

    files = [("warpwalk.wasm", (options.build / "warpwalk.wasm").read_bytes())]
    for file in sorted(options.assets.rglob("*")):
        if file.is_file():
            files.append((f"assets/{file.relative_to(options.assets)}", contents(file)))
    for name in FONTS:
        files.append((f"usr/share/fonts/{name}", (options.fonts / name).read_bytes()))
    packed = compressed(archive(files))

    page = (HERE / "page.html").read_text()
    program = (options.build / "warpwalk.js").read_text().replace("</script", "<\\/script")
    scripts = "".join((HERE / name).read_text() for name in SCRIPTS)
    parts = "<!--WALK-->\n<!--PROGRAM-->\n"
    parts += part("unpacker", (options.build / "unpack.wasm").read_bytes()) + part("program", packed)
    parts += f"<script>\n{program}\n</script>\n<script>\n'use strict';\n{scripts}</script>\n<!--/PROGRAM-->"
    options.output.write_text(page.replace("<!--PARTS-->", parts))
    print(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB "
          f"(program {len(files[0][1]) / 1e6:.1f} MB, {len(files)} files, compressed {len(packed) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
