"""The program inside the output of a notebook's cell."""
from __future__ import annotations

import base64
import hashlib
import html
import json
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any, Mapping, Sequence

from .program import HERE, Error, __version__, call

MAX_ROWS = 60
MAX_BYTES = 20 << 20  # of a walk that is put into a notebook

# Which cell of this session carries the program, and in which run of it, by the program's version. A notebook of 20
# frames has the program once.
_carrier: dict[str, tuple[str, int]] = {}


def shell() -> Any:
    """IPython's shell, or None. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def is_running() -> bool:
    """True in a notebook; false in a terminal, also in IPython's."""
    running = shell()
    return running is not None and getattr(running, "kernel", None) is not None


def cell() -> tuple[str, int]:
    """The cell that runs, by the ID that most front ends send, or by its text; and the number of this run."""
    running = shell()
    if running is None:
        return "", 0
    kernel: Any = getattr(running, "kernel", None)
    header: dict[str, Any] = kernel.get_parent() or {} if hasattr(kernel, "get_parent") else {}
    sent = header.get("metadata", {}).get("cellId")
    return str(sent or running.user_ns.get("In", [""])[-1]), int(running.execution_count)


def carries(version: str) -> bool:
    """True if the output has to bring the program along: none did so far, or it was in this cell, which runs anew."""
    now = cell()
    before = _carrier.get(version)
    if before is not None and (before[0] != now[0] or before == now):
        return False
    _carrier[version] = now
    return True


def bundle(files: Sequence[Path], view: Sequence[str], size: tuple[int, int], picture: bytes) -> dict[str, str]:
    """The output by MIME type. Without the page of the program it is the picture alone."""
    encoded = base64.b64encode(picture).decode()
    names = [str(file.name) for file in files]
    out = {"image/png": encoded, "text/plain": f"warpwalk {' '.join([*names, *view])}"}
    exported = export(files, view)
    if exported is not None:
        out["text/html"] = frame_html(*exported, encoded, size)
    return out


def export(files: Sequence[Path], view: Sequence[str]) -> tuple[str, str] | None:
    """The page with the walk, and the program for it, as `warpwalk export --apart` writes them. None: pictures only."""
    if len(files) > 1 or files[0].is_dir() or files[0].stat().st_size > MAX_BYTES:
        return None
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        try:
            call(["export", files[0], "-o", page, "--apart", *view])
        except Error as error:
            if "warpwalk.html was not found" in str(error):
                return None
            raise
        return page.read_text(), Path(folder, "warpwalk-page.js").read_text()


def frame_html(page: str, program: str, picture: str, size: tuple[int, int]) -> str:
    version = f"{__version__}-{len(program)}-{hash_of(program)}"
    options = {"id": f"warpwalk-{uuid.uuid4().hex}", "version": version, "page": page, "width": size[0],
               "height": size[1], "program": program if carries(version) else None}
    text = json.dumps(options).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return (f'<div id="{options["id"]}" style="max-width:{size[0]}px"><img style="width:100%;display:block" '
            f'alt="a picture of warpwalk" src="data:image/png;base64,{picture}"></div>\n'
            f"<script>\n{(HERE / 'frame.js').read_text().rstrip()}({text});\n</script>")


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table of HTML: the columns that have a value, and the first rows."""
    if not rows:
        return "<p>no rows</p>"
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows[:MAX_ROWS])]
    def line(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(shortened(cell)))}</{tag}>" for cell in cells) + "</tr>"
    body = "".join(line([row[name] for name in columns], "td") for row in rows[:MAX_ROWS])
    more = f"<p>{len(rows) - MAX_ROWS} more rows</p>" if len(rows) > MAX_ROWS else ""
    return f"<table><thead>{line(columns, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def shortened(value: Any) -> Any:
    if value is None:
        return ""
    return value[:57] + "..." if isinstance(value, str) and len(value) > 60 else value
