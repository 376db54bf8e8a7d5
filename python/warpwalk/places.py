"""Files wherever they are: paths, addresses of http, and whatever else fsspec opens."""
from __future__ import annotations

import os
import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from .program import Error

ENDINGS = (".json", ".json.gz", ".sqlite", ".digest")


def is_remote(place: object) -> bool:
    """Whether a place is an address ("s3://bucket/rank0.json.gz") and no path of this machine."""
    return isinstance(place, str) and "://" in place and not place.startswith("file://")


def plain(place: str | os.PathLike[str]) -> str:
    """A path without the file:// before it; addresses as they are."""
    return os.fspath(place).removeprefix("file://")


def name_of(place: str) -> str:
    """The name of the file at an address: of a chain (zip://a.json::x.zip) that of the first link."""
    return place.split("::")[0].split("?")[0].rstrip("/").rsplit("/", 1)[-1] or "trace"


def fetch(place: str, folder: Path) -> Path:
    """Copies what is at an address into a folder, under its own name."""
    file = folder / name_of(place)
    partial = folder / (file.name + ".partial")
    try:
        with opened(place) as source, partial.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    except Error:
        raise
    except Exception as error:  # whatever the file system of an address raises
        partial.unlink(missing_ok=True)
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Error(f"{place}: cannot be fetched ({reason}); check the address and its credentials") from None
    partial.rename(file)
    return file


def opened(place: str) -> Any:
    """The bytes at an address, as a file."""
    try:
        import fsspec
    except ImportError:
        if place.startswith(("http://", "https://")):
            return urllib.request.urlopen(place, timeout=60)
        raise Error(f"{place}: addresses other than http need fsspec; pip install fsspec") from None
    try:
        return fsspec.open(place, "rb").open()
    except ImportError as error:  # the package of this file system
        if place.startswith(("http://", "https://")):
            return urllib.request.urlopen(place, timeout=60)
        raise Error(f"{place}: {error}") from None


def listed(place: str | os.PathLike[str]) -> list[str]:
    """The traces and digests in a folder or that match a pattern (run/rank*.json.gz), by name; else the place itself.

    Of a trace and a digest of the same name, the digest."""
    text = plain(place)
    remote = is_remote(text)
    if not remote:
        path = Path(text)
        if path.is_dir():
            names = [str(one) for one in path.iterdir() if one.is_file()]
        elif any(c in text for c in "*?[") and not path.exists():
            import glob

            names = [one for one in glob.glob(text) if os.path.isfile(one)]
        else:
            return [text]
    else:
        names = remote_names(text)
        if names is None:
            return [text]
    found = sorted(one for one in names if name_of(one).endswith(ENDINGS) and not name_of(one).startswith("."))
    digested = {stem(one) for one in found if one.endswith(".digest")}
    found = [one for one in found if one.endswith(".digest") or stem(one) not in digested]
    if not found:
        raise Error(f"{text}: has no traces (.json, .json.gz, .sqlite or .digest)")
    return found


def remote_names(place: str) -> list[str] | None:
    """The files in a folder at an address, or that match a pattern; None if it is one file."""
    if not (place.endswith("/") or any(c in place for c in "*[")):
        return None
    try:
        import fsspec

        files = fsspec.open_files(place + "*" if place.endswith("/") else place)
        return [one.fs.unstrip_protocol(one.path) for one in files]
    except ImportError as error:
        raise Error(f"{place}: {error}; pip install fsspec, or name each file") from None
    except Exception as error:
        raise Error(f"{place}: cannot be listed ({str(error).splitlines()[0] if str(error) else error!r})") from None


def stem(place: str) -> str:
    """The place without its endings: "run/rank3" of "run/rank3.json.gz"."""
    text = place.removesuffix(".gz")
    return text.rsplit(".", 1)[0]
