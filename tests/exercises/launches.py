"""Writes launch files (docs/simulate.md) of the launches of an exercise for kernels in CUDA C++, compiled with nvcc.

    launches.py EXERCISE SOURCE.cu FOLDER [--all]    FOLDER/SOURCE.json: the timed launch; --all: SOURCE_0.json ... too

EXERCISE is a folder with exercise.json. Expressions have the meaning of core/run/exercise/size_expression.h. Of a range
of sizes, the middle is taken.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

NVCC = os.environ.get("NVCC", "/usr/local/cuda/bin/nvcc")


def value(expression, sizes):
    """The number of an expression; `/` of integers rounds towards zero."""
    if not isinstance(expression, str):
        return expression
    if not re.fullmatch(r"[\w+\-*/(),. ]+", expression):
        sys.exit(f"launches: `{expression}` is no expression")
    names = {"min": min, "max": max} | sizes
    return eval(expression.replace("/", "//") if all(isinstance(v, int) for v in sizes.values()) and "." not in expression
                else expression, {"__builtins__": {}}, names)


def drawn(sizes):
    """The middle of each range, a multiple of its step."""
    out = {}
    for name, size in sizes.items():
        if isinstance(size, list):
            step = size[2] if len(size) > 2 else 1
            size = (size[0] + size[1]) // 2 // step * step
        out[name] = size
    return out


def launch_line(source):
    """The grid, block and shared memory that a comment `// launch: grid ..., block ..., shared ...` chooses."""
    match = re.search(r"^// launch:\s*(.*)$", source, re.M)
    chosen = {}
    for part in re.split(r",\s*(?=grid|block|shared)", match.group(1).strip()) if match else []:
        word, _, rest = part.partition(" ")
        chosen[word] = [extent.strip() for extent in re.split(r" x ", rest)]
    return chosen


def launch(exercise, sizes, source):
    template, chosen = exercise["launch"], launch_line(source)
    sizes = drawn(sizes)
    three = lambda extents: [int(value(e, sizes)) for e in (list(extents) + [1, 1])[:3]]
    out = dict(template) | {"kernel": exercise["kernel"]}
    out["grid"] = three(chosen.get("grid", template["grid"]))
    out["block"] = three(chosen.get("block", template["block"]))
    out["dynamic_shared_bytes"] = int(value(chosen.get("shared", [template.get("dynamic_shared_bytes", 0)])[0], sizes))
    out["args"] = [{key: value(item, sizes) if key in ("count", "scalar") else item for key, item in arg.items()}
                   for arg in template["args"]]
    return out


def compile_source(source, folder):
    """The cubin of a source, named without its extension."""
    cubin = folder / f"{source.stem}.cubin"
    subprocess.run([NVCC, "-cubin", "-arch=sm_90", "-lineinfo", "-std=c++17", "-o", cubin, source], check=True)
    return cubin.name


def entry_of(cubin, kernel):
    """The name of a kernel in machine code: its plain name, mangled."""
    found = re.search(rb"_Z%d%s\w*" % (len(kernel), kernel.encode()), cubin.read_bytes())
    return found.group().decode() if found else kernel


def write(exercise, source, folder, every):
    folder.mkdir(parents=True, exist_ok=True)
    cubin = compile_source(source, folder)
    exercise = exercise | {"kernel": entry_of(folder / cubin, exercise["kernel"])}
    text = source.read_text()
    launches = {source.stem: exercise["timed"]}
    if every:
        launches |= {f"{source.stem}_{i}": sizes for i, sizes in enumerate(exercise["sizes"])}
    for name, sizes in launches.items():
        made = launch(exercise, sizes, text) | {"cubin": cubin}
        (folder / f"{name}.json").write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    described = json.loads((Path(sys.argv[1]) / "exercise.json").read_text())
    write(described, Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:] == ["--all"])
