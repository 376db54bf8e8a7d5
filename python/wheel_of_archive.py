#!/usr/bin/env python3
"""Makes the wheel: the Python files beside this one, and the program of the archive that scripts/package makes.

Usage: python3 python/wheel_of_archive.py -o FOLDER. It is the build backend of pyproject.toml too (PEP 517), so that
`pip install ./python` works in a copy of the sources in which scripts/package has run.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import re
import stat
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ARCHIVES = HERE.parent / "build/package"
TAG = "py3-none-manylinux_2_28_x86_64"  # newest_glibc of scripts/package
# The rest is for desktops: menus, the man page, completions.
PARTS = ("bin/", "lib/", "share/warpwalk/", "share/doc/warpwalk/copyright")
DATE = (2020, 1, 1, 0, 0, 0)  # the same bytes for the same contents


class Wheel:
    """A wheel while it is written: a zip file with a list of its files and their hashes."""

    def __init__(self, file: Path) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self._record: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, DATE)
        entry.external_attr = (stat.S_IFREG | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, info: str) -> None:
        name = f"{info}/RECORD"
        self._zip.writestr(zipfile.ZipInfo(name, DATE), "\n".join([*self._record, f"{name},,", ""]))
        self._zip.close()


def setting(name: str) -> str:
    found = re.search(rf'^{name} = "(.*)"', (HERE / "pyproject.toml").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def metadata(version: str) -> str:
    # The description is the README of this folder.
    return (f"Metadata-Version: 2.1\nName: warpwalk\nVersion: {version}\nSummary: {setting('description')}\n"
            f"Requires-Python: {setting('requires-python')}\n"
            f"Provides-Extra: notebook\nRequires-Dist: ipykernel; extra == 'notebook'\n"
            f"Provides-Extra: frames\nRequires-Dist: pandas; extra == 'frames'\n"
            f"Provides-Extra: torch\nRequires-Dist: torch; extra == 'torch'\n"
            f"Description-Content-Type: text/markdown\n\n{(HERE / 'README.md').read_text()}")


def make(folder: Path) -> str:
    """Writes the wheel into this folder. Returns its name."""
    version = setting("version")
    archive = ARCHIVES / f"warpwalk-{version}-x86_64.tar.gz"
    if not archive.exists():
        raise SystemExit(f"wheel: {archive} is not there; run scripts/package first")
    name, info = f"warpwalk-{version}-{TAG}.whl", f"warpwalk-{version}.dist-info"
    partial = folder / f"{name}.partial"
    wheel = Wheel(partial)
    for file in sorted((HERE / "warpwalk").iterdir()):
        if file.is_file():
            wheel.add(f"warpwalk/{file.name}", file.read_bytes())
    with tarfile.open(archive) as tar:
        for entry in tar:
            path = entry.name.partition("/")[2]
            content = tar.extractfile(entry) if entry.isfile() and path.startswith(PARTS) else None
            if content is not None:
                wheel.add(f"warpwalk/program/{path}", content.read(), 0o755 if path.startswith("bin/") else 0o644)
    wheel.add(f"{info}/METADATA", metadata(version).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: warpwalk\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\nwarpwalk = warpwalk.program:main\n")
    wheel.close(info)
    partial.replace(folder / name)
    return name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    return make(Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    raise SystemExit("wheel: there is no source distribution; build the wheel in a copy of the sources")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output", type=Path, required=True, help="the wheel's folder")
    print(make(parser.parse_args().output))


if __name__ == "__main__":
    sys.exit(main())
