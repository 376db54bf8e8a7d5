"""A CUDA kernel on the simulated GPU, with arrays of the caller."""
from __future__ import annotations

import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from .arrays import SIZES, Array, Empty, from_bytes, loaded, scalar, to_array
from .expression import read_json
from .program import Error, Scratch, call
from .walk import Table, Walk


class Simulation(Walk):
    """A launch on the simulated GPU.

    outputs: the buffers after the launch, by name; findings: what is wrong with the kernel; counters: as in Nsight
    Compute; cycles: of the launch, None if they were not simulated; report: what `warpwalk simulate --json` says; good:
    true without findings.
    """

    outputs: dict[str, Any]
    findings: Table
    counters: dict[str, Any]
    cycles: int | None
    report: dict[str, Any]
    good: bool

    @property
    def finding_beat(self) -> str | None:
        """The beat of the lanes that shows a finding, None without one: it is the one before the last."""
        last = re.match(r"lanes \d+/(\d+)", self.text("lanes")) if self.findings else None
        beat = f"b{int(last[1]) - 1}" if last else ""
        return beat if beat and "Sanitizer: " in self.text("lanes", beat) else None

    def __repr__(self) -> str:
        cycles = "" if self.cycles is None else f", {self.cycles} cycles"
        return f"<warpwalk.Simulation of {self.report['kernel']}: {len(self.findings)} findings{cycles}>"


def simulate(source: str | bytes | os.PathLike[str], kernel: str | None = None, grid: int | Sequence[int] = 1,
             block: int | Sequence[int] = 1, args: Sequence[Any] | Mapping[str, Any] = (), *, sanitize: bool = False,
             gpu: str = "h200", shared_bytes: int = 0, cluster: Sequence[int] | None = None, cooperative: bool = False,
             code: str = "auto", cycles: str = "auto", threads: int | None = None,
             output: str | os.PathLike[str] | None = None) -> Simulation:
    """Runs a kernel on a simulated GPU; no GPU is needed. CUDA C++ needs NVRTC, nvcc or clang on this machine.

    source: CUDA C++ or PTX as text, or a file (.cu, .ptx, .cubin); kernel: its name, if there are several.
    args: one per parameter, in order, or a dict by name. An array is a buffer, `warpwalk.empty` one without contents, a
    number is passed by value: int as i32, float as f32, numpy.int64(5) and ctypes.c_int64(5) as what they are. Arrays
    are not changed; `outputs` has them after the launch.
    sanitize: also finds races and uninitialized reads. Raises Error with the program's line, such as a compiler's.
    """
    scratch = Scratch()
    folder = scratch.folder
    form, file, text = module_of(source, folder)
    name = kernel or only_kernel(form, text)
    named = dict(args) if isinstance(args, Mapping) else name_arguments(args, parameters(text, name))
    launch: dict[str, Any] = {"kernel": name, form: str(file), "grid": triple(grid, "grid"),
                              "block": triple(block, "block"), "dynamic_shared_bytes": shared_bytes}
    if cluster is not None:
        launch["cluster"] = triple(cluster, "cluster")
    if cooperative:
        launch["cooperative"] = True
    arrays: dict[str, Array] = {}
    launch["args"] = [argument(key, value, folder, arrays) for key, value in named.items()]
    (folder / "launch.json").write_text(json.dumps(launch))

    out = Path(output) if output is not None else folder / "walk.json.gz"
    words: list[object] = ["simulate", folder / "launch.json", "--gpu", gpu, "--code", code, "--cycles", cycles,
                           "--json", folder / "report.json", "--values", folder / "values", "-o", out]
    words += ["--sanitize"] if sanitize else []
    words += ["--threads", threads] if threads is not None else []
    answer = call(words, compiler_environment())

    walk = Simulation(out, scratch)
    walk.report = report = read_json(folder / "report.json")
    walk.good = answer.good
    walk.findings = Table(report["findings"])
    walk.cycles = report.get("cycles")
    walk.counters = {key: value for key, value in report.items() if isinstance(value, (int, float)) and
                     not isinstance(value, bool)}
    walk.outputs = {key: from_bytes(Path(report["values"][key]["file"]).read_bytes(), array.dtype, array.shape,
                                    array.kind) for key, array in arrays.items()}
    return walk


def module_of(source: str | bytes | os.PathLike[str], folder: Path) -> tuple[str, Path, str]:
    """The form of the module in a launch file, its file, and its text (empty for machine code)."""
    if isinstance(source, bytes):
        file = folder / "kernel.cubin"
        file.write_bytes(source)
        return "cubin", file, ""
    text = str(source)
    if isinstance(source, str) and ("\n" in text or "__global__" in text or ".version" in text):
        form = "ptx" if "__global__" not in text and ".version" in text else "cuda"
        file = folder / ("kernel.ptx" if form == "ptx" else "kernel.cu")
        file.write_text(text)
        return form, file, text
    file = Path(source).resolve()
    forms = {".cu": "cuda", ".ptx": "ptx", ".cubin": "cubin"}
    if file.suffix not in forms:
        raise Error(f"{text}: a source is CUDA C++ or PTX as text, or a file that ends in .cu, .ptx or .cubin")
    try:
        return forms[file.suffix], file, "" if file.suffix == ".cubin" else file.read_text()
    except OSError as error:
        raise Error(f"{text}: {error.strerror}") from None


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def only_kernel(form: str, text: str) -> str:
    attribute = r"__\w+__\s*(?:\([^)]*\))?"  # such as __launch_bounds__(256), before or after void
    pattern = r"\.entry\s+([\w$]+)" if form == "ptx" else \
        rf"__global__(?:\s+{attribute}|\s+static)*\s+void\s+(?:{attribute}\s+)*(\w+)"
    names = re.findall(pattern, without_comments(text))
    if len(names) != 1:
        raise Error(f"which kernel? give its name; the source has {', '.join(names) or 'none that can be told'}")
    return str(names[0])


def parameters(text: str, kernel: str) -> list[str]:
    """The names of the kernel's parameters; none if they cannot be told, or if a compiler has made them up."""
    found = re.search(rf"\b{re.escape(kernel)}\s*\(([^()]*)\)\s*\{{", without_comments(text))
    if not found or not found[1].strip() or f"{kernel}_param_" in found[1]:
        return []
    names = [re.search(r"(\w+)\s*(?:\[\w*\])?\s*$", one) for one in found[1].split(",")]
    return [name[1] for name in names if name] if all(names) else []


def name_arguments(args: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    if len(names) != len(args) or len(set(names)) != len(names):
        names = [f"arg{i}" for i in range(len(args))]
    return dict(zip(names, args))


def argument(name: str, value: Any, folder: Path, arrays: dict[str, Array]) -> dict[str, Any]:
    """An argument of the launch file. The arrays are kept, so that the outputs get their shapes."""
    if not re.fullmatch(r"\w+", name):
        raise Error(f"args: {name!r} is not a name of letters, digits and underscores")
    if value is None:
        return {"scalar": 0, "dtype": "u64"}  # a null pointer
    by_value = scalar(value, name)
    if by_value is not None:
        return by_value
    if isinstance(value, dict):
        return value  # a form of the launch file, such as a struct
    if isinstance(value, Empty):
        count = 1
        for size in value.shape:
            count *= size
        arrays[name] = Array(value.dtype, value.shape, b"", "torch" if loaded("torch") else "numpy")
        return {"buffer": name, "dtype": value.dtype, "count": count}
    array = to_array(value, name)
    arrays[name] = array
    (folder / f"{name}.in.bin").write_bytes(array.data)
    return {"buffer": name, "dtype": array.dtype, "count": len(array.data) // SIZES[array.dtype],
            "file": f"{name}.in.bin"}


def triple(sizes: int | Sequence[int], what: str) -> list[int]:
    whole = [sizes] if isinstance(sizes, int) else list(sizes)
    if not 1 <= len(whole) <= 3 or not all(isinstance(size, int) for size in whole):
        raise Error(f"{what}: {sizes!r} is not a number, and not one to three of them")
    return whole + [1] * (3 - len(whole))


def compiler_environment() -> dict[str, str | None]:
    """Lets the program find the NVRTC that pip installed for PyTorch, and the headers beside it."""
    spec = importlib.util.find_spec("nvidia")
    for root in map(Path, (spec.submodule_search_locations or []) if spec is not None else []):
        folders = sorted({file.parent for file in root.glob("*/lib/libnvrtc.so.*")})
        if not folders:
            continue
        libraries = os.pathsep.join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), *map(str, folders)]))
        # One folder for all of CUDA 13; with CUDA 12, the headers are in another one.
        headers = next((one for one in (folders[-1].parent, root / "cuda_runtime") if (one / "include").is_dir()), None)
        home = {"CUDA_HOME": str(headers)} if headers is not None and "CUDA_HOME" not in os.environ else {}
        return {"LD_LIBRARY_PATH": libraries, **home}
    return {}
