"""A trace, as the program reads it: its tables, its verdict, and its scenes."""
from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

from . import notebook, places
from .program import Error, Scratch, call, program

Row = dict[str, Any]


class Table(list[Row]):
    """Rows of a query, each a dict by column name. Times are in ns since the trace's start."""

    def frame(self) -> Any:
        """The rows as a DataFrame of pandas."""
        try:
            import pandas
        except ImportError:
            raise Error("pandas is not installed; the rows are a list of dicts without it") from None
        return pandas.DataFrame(list(self))

    def _repr_html_(self) -> str:
        return notebook.table(self)


class Walk:
    """A trace: of torch.profiler, Nsight Systems or warpwalk, or a folder or list of files with those of the ranks.

    The file is read when something is asked of it. Temporary files are removed with the object that has them.
    """

    def __init__(self, file: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
                 scratch: Scratch | None = None) -> None:
        several = not isinstance(file, (str, os.PathLike))
        given = [os.fspath(one) for one in file] if several else [os.fspath(file)]  # type: ignore[union-attr,arg-type]
        self.files = [Path(one) for one in given]
        if not self.files or file == "":
            raise Error("no file is given")
        # What is at an address is fetched.
        if any(places.is_remote(one) for one in given):
            scratch = scratch or Scratch()
            self.files = [fetched(one, scratch.folder) for one in given]
        self.file = self.files[0]
        self._scratch = scratch
        self._answers: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"warpwalk.Walk({', '.join(map(str, self.files))})"

    # ---- questions

    def query(self, statement: str) -> Table:
        """Answers one SELECT statement of SQLite; `warpwalk query --schema` lists the tables."""
        if statement not in self._answers:
            self._answers[statement] = call(["query", self._one("query"), statement, "--json"]).json()
        return Table(self._answers[statement])

    @property
    def info(self) -> dict[str, Any]:
        """What `warpwalk info --json` says (docs/verbs.md)."""
        if "info" not in self._answers:
            self._answers["info"] = call(["info", *self.files, "--json", "-"]).json()
        answer: dict[str, Any] = self._answers["info"]
        return answer

    @property
    def kernels(self) -> Table:
        """Kernels by start, with launch parameters, occupancy, op, and line of the program."""
        return self.query("SELECT * FROM kernels")

    @property
    def launches(self) -> Table:
        """CUDA calls that started GPU work, by start."""
        return self.query("SELECT * FROM launches")

    @property
    def ops(self) -> Table:
        """PyTorch's ops, by start."""
        return self.query("SELECT * FROM ops")

    @property
    def steps(self) -> Table:
        """Training steps."""
        return self.query("SELECT * FROM steps")

    @property
    def gaps(self) -> Table:
        """Times in which a GPU had no work, the longest first, with their causes."""
        return self.query("SELECT * FROM gaps ORDER BY duration_ns DESC")

    @property
    def verdict(self) -> str:
        """What limits the GPU that worked longest: launch-bound, compute-bound ...; of ranks, who is waited for."""
        if "ranks" in self.info and len(self.info) == 1:
            return ranks_verdict(self.ranks)
        gpus = self.info["gpu_idle"]
        if not gpus:
            return "no GPU work is recorded"
        return str(max(gpus, key=lambda gpu: int(gpu["computing_ns"] + gpu["communicating_ns"]))["verdict"])

    @property
    def ranks(self) -> dict[str, Any]:
        """Of the ranks of a distributed run: which one the others wait for, and why (docs/ranks.md)."""
        ranks: dict[str, Any] | None = self.info.get("ranks")
        if ranks is None:
            raise Error(f"{self.file}: a trace of one rank; open the folder with those of all ranks")
        return ranks

    # ---- pictures

    def show(self, scene: str | None = None, at: str | None = None, *, follow: str | None = None,
             set: Mapping[str, Any] | None = None, size: tuple[int, int] = (1200, 675)) -> None:
        """Shows the program at a scene and a moment: in a notebook in the cell, else in a window.

        scene, at, follow: as in `warpwalk render` ("lanes", "b3", "kernel:0"; default: the boardroom's first beat); set:
        controls ({"sm.registers": 64}); size: of the frame, in pixels.
        """
        if not notebook.is_running():
            self.open_window(*view_words(scene, at, follow, set))
        else:
            from IPython.display import display

            display(self.frame(scene, at, follow=follow, set=set, size=size))

    def frame(self, scene: str | None = None, at: str | None = None, *, follow: str | None = None,
              set: Mapping[str, Any] | None = None, size: tuple[int, int] = (1200, 675)) -> Frame:
        """What `show` shows, as an object."""
        return Frame(self, view_words(scene, at, follow, set), size)

    def picture(self, scene: str | None = None, at: str | None = None, *, follow: str | None = None,
                set: Mapping[str, Any] | None = None, size: tuple[int, int] = (1920, 1080)) -> bytes:
        """One moment of one scene, as the bytes of a PNG file."""
        return picture(self, view_words(scene, at, follow, set), size)

    def text(self, scene: str | None = None, at: str | None = None, *, follow: str | None = None,
             set: Mapping[str, Any] | None = None) -> str:
        """The sentences and the facts of one moment, for people who cannot see the picture."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "text.txt")
            call(["render", *self.files, *view_words(scene, at, follow, set), "--text", "-o", out])
            return out.read_text()

    def open_window(self, *words: str) -> None:
        """Opens the program's window, and does not wait for it."""
        window = subprocess.Popen([str(program()), *map(str, self.files), *words], stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, start_new_session=True)
        try:
            window.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return
        if window.returncode != 0 and window.stderr is not None:
            raise Error(window.stderr.read().decode(errors="replace").strip().removeprefix("warpwalk: "))

    def export(self, page: str | os.PathLike[str], scene: str | None = None, at: str | None = None, *,
               follow: str | None = None, set: Mapping[str, Any] | None = None) -> None:
        """Writes the program and this walk as one page for any browser (docs/browser.md)."""
        call(["export", self._one("export"), "-o", page, *view_words(scene, at, follow, set)])

    def _one(self, verb: str) -> Path:
        if len(self.files) > 1 or self.file.is_dir():
            raise Error(f"{verb} takes one trace; open that of one rank, such as {self.file}"
                        f"{'/rank0.json.gz' if self.file.is_dir() else ''}")
        return self.file


def fetched(place: str, folder: Path) -> Path:
    """A path as it is; a file or a folder at an address, fetched into a folder."""
    if not places.is_remote(place):
        return Path(place)
    own = Path(tempfile.mkdtemp(dir=folder))
    found = places.listed(place)
    if found == [place]:
        return places.fetch(place, own)
    for one in found:
        places.fetch(one, own)
    return own


class Frame:
    """The program in a cell of a notebook, with a walk at one moment; a picture of it where scripts are not allowed."""

    def __init__(self, walk: Walk, view: list[str], size: tuple[int, int]) -> None:
        self.walk, self.view, self.size = walk, view, size

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return notebook.bundle(self.walk.files, self.view, self.size, picture(self.walk, self.view, self.size))


def picture(walk: Walk, view: list[str], size: tuple[int, int]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "picture.png")
        call(["render", *walk.files, *view, "--size", f"{size[0]}x{size[1]}", "-o", out])
        return out.read_bytes()


def view_words(scene: str | None, at: str | None, follow: str | None, set: Mapping[str, Any] | None) -> list[str]:
    """A view as the words of a command line. Without a moment it is the scene's first beat."""
    words = ["--scene", scene or "boardroom", "--at", at or "b1"]
    if follow is not None:
        words += ["--follow", follow]
    for control, value in (set or {}).items():
        words += ["--set", f"{control}={value}"]
    return words


def ranks_verdict(ranks: Mapping[str, Any]) -> str:
    """Who is waited for most, in one line."""
    if ranks["waits"]:
        group = ranks["late_groups"][0]
        worst = ranks["waits"][group["waits"][0]]
        if len(group["ranks"]) > 1:
            host = f", {'host' if group['place'] == 'host' else 'group'} {group['name'] or ''}".rstrip() if group["place"] \
                else ""
            cause = worst["function"] or worst["name"] or worst["cause"]
            return (f"the others wait for ranks {ranks_text(group['ranks'])}{host}: {worst['late_ns'] / 1e6:.1f} ms, "
                    f"{worst['times']} times in {cause}")
        place = f" in {worst['name']}" if worst["name"] else ""
        return (f"the others wait for rank {worst['late_rank']}: {worst['late_ns'] / 1e6:.1f} ms, "
                f"{worst['times']} times{place}")
    if ranks["doubt"]:
        return "it cannot be told which rank is waited for: " + (
            "ranks are not open" if ranks["doubt"] == "missing" else "the clocks are too uncertain")
    if ranks["always_last"]:
        return f"rank {ranks['always_last']['late_rank']} arrives last nearly always"
    return "no rank is waited for"


def ranks_text(ranks: list[int]) -> str:
    """ "8 to 15", "3, 17, 30 and 4 more"."""
    if len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1)):
        return f"{ranks[0]} to {ranks[-1]}"
    return ", ".join(map(str, ranks[:8])) + (f" and {len(ranks) - 8} more" if len(ranks) > 8 else "")


def open(file: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Walk:
    """A trace, or those of the ranks of a run: a folder, or a list of files. Raises Error if it cannot be read.

    A name that is no file, such as "h200_pytorch_training_step", is that of a walk that comes with the program.
    """
    if isinstance(file, str) and os.sep not in file and "://" not in file and not Path(file).exists():
        file = shipped_walk(file) or file
    walk = Walk(file)
    walk.info  # so that a damaged file is reported here, and not where it is used
    return walk


def shipped_walk(name: str) -> Path | None:
    folder = program().resolve().parent
    for assets in (folder.parent / "share/warpwalk", folder.parents[1] / "assets"):
        for candidate in (assets / "walks" / name, assets / "walks" / f"{name}.json.gz"):
            if candidate.exists():
                return candidate
    return None
