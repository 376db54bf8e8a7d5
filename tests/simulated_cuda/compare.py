#!/usr/bin/env python3
"""Compares the simulated GPU with an H100: what the programs of this folder print, and the digests of their walks.

  compare.py PROGRAMS [--libraries FOLDER] [--out FOLDER] [NAME...]
  compare.py --compile [--outputs-only] [--warpwalk PROGRAM] [NAME...]

PROGRAMS is the folder that build.sh filled. With --compile, `warpwalk compile` compiles them instead, with clang and
without NVIDIA's tools; those that need more than its headers have are left out. FOLDER holds libcuda.so.1 and libcudart.so.13 of the simulated GPU; without
it, those beside warpwalk are used. Every program runs once alone, for its output and exit status, and once recorded.
Differences from expected/ are printed as `diff -u` prints them, and the exit status is 1 if there are any. --out keeps
what was printed and the digests. WARPWALK names the program that records; without it, it is build/release/warpwalk.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
seconds = 300
# What an H100 recorded of a program that CUPTI ended: the number of calls. In pools, cudaFreeAsync of memory that
# cudaMalloc had allocated ends a recorded process; without CUPTI, it succeeds.
walk_ends = {"pools": 24}
# Answers that are left out on both sides. An H100 calls the grid of an ordinary launch valid, though CUDA's programming
# guide allows grid.sync() only in cooperative launches; here it is invalid, so that such a sync() is found.
left_out = {"cooperative": ["in an ordinary launch: valid"]}


# Programs that need what assets/cuda lacks: graphs by hand, textures, clusters by attribute, managed variables, cuda.h.
needs_nvcc = {"capture", "clusters", "driver", "graphs", "libraries", "managed", "pipeline", "textures"}

# Programs whose host functions wait for the host, for seconds at most: on a machine that stalls, they would differ.
timed = {"events", "streams"}

# Programs with variables of the device in an anonymous namespace that the host uses: clang 14 and 16 leave them out of
# the device code, clang 19 does not.
needs_clang_19 = {"copies", "symbols"}


def newest_clang():
    """The major version of the clang that `warpwalk compile` takes; 0 if there is none."""
    versions = [version for version in range(14, 30) if shutil.which(f"clang-{version}")]
    if shutil.which("clang"):
        told = subprocess.run(["clang", "--version"], capture_output=True, text=True).stdout
        found = re.search(r"version (\d+)", told)
        versions += [int(found.group(1))] if found else []
    return max(versions, default=0)


def compile_programs(names, warpwalk, folder):
    """Compiles two programs at a time."""
    def one(name):
        done = subprocess.run([warpwalk, "compile", here / "programs" / f"{name}.cu", "-o", folder / name],
                              capture_output=True, text=True, timeout=seconds)
        if done.returncode != 0:
            print(f"{name}: {done.stderr}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, names))


def environment(warpwalk, libraries):
    """What `warpwalk record --on sim` gives a program, but with these libraries."""
    others = os.environ.get("LD_LIBRARY_PATH")
    return {
        **os.environ,
        "LD_LIBRARY_PATH": f"{libraries}:{others}" if others else str(libraries),
        "WARPWALK_GPU": str(root / "assets/devices/h200.json"),
        "WARPWALK_SANITIZE": "",
        "WARPWALK_CYCLES": "",
        "WARPWALK_THREADS": os.environ.get("WARPWALK_THREADS", "2"),
    }


def recorded(warpwalk, walk):
    library = str(warpwalk.parent / "libwarpwalk_inject.so")
    return {
        "CUDA_INJECTION64_PATH": library,
        "NVTX_INJECTION64_PATH": library,
        "WARPWALK_RECORD": str(walk),
        "WARPWALK_RECORD_CODE": "1",
        "WARPWALK_RECORD_INSIDE_LIMIT": str(256 << 20),
    }


def run(program, variables, folder):
    """What the program prints, with its exit status; the rest of what it says is returned, too."""
    try:
        done = subprocess.run([program], env=variables, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds)
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"").decode(errors="replace")
        return f"{printed}no end after {seconds} s\n", (late.stderr or b"").decode(errors="replace")
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return f"{done.stdout.decode(errors='replace')}exit status {status}\n", done.stderr.decode(errors="replace")


def record(program, name, warpwalk, variables, folder):
    """What the program prints when it is recorded, and the digest of its walk."""
    walk = folder / f"{name}.json"
    printed, _ = run(program, {**variables, **recorded(warpwalk, walk)}, folder)
    return printed, digest(walk, name, warpwalk)


def digest(walk, name, warpwalk):
    done = subprocess.run([warpwalk, "record", "-o", walk], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=seconds)
    if not walk.exists():
        return f"no walk: {done.stderr}"
    command = [sys.executable, here / "digest.py", walk, "--source", here / "programs" / f"{name}.cu"]
    if name in walk_ends:
        command += ["--until", str(walk_ends[name])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    return done.stdout if done.returncode == 0 else f"no digest: {done.stderr}"


def compared(name, text):
    text = re.sub(r"\bptx \d+, binary", "ptx some, binary", text)  # the architecture that the compiler knows
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(tuple(left_out.get(name, []))))


def difference(expected, found, title):
    lines = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), f"expected {title}", f"found {title}",
                                      lineterm="", n=1))
    for line in lines:
        print(line)
    return len(lines) > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path, nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--libraries", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--outputs-only", action="store_true")
    parser.add_argument("--warpwalk", type=pathlib.Path,
                        default=os.environ.get("WARPWALK", root / "build/release/warpwalk"))
    options = parser.parse_intermixed_args()
    warpwalk = options.warpwalk.resolve()
    libraries = (options.libraries or warpwalk.parent / "simulated_cuda").resolve()
    if not (libraries / "libcuda.so.1").exists():
        sys.exit(f"compare.py: {libraries} has no libcuda.so.1")
    names = options.names or sorted(path.stem for path in (here / "programs").glob("*.cu"))
    if options.compile:
        clang = newest_clang()
        if clang == 0:
            print("compare.py: there is no clang to compile the programs with")
            sys.exit(77)
        left = needs_nvcc | timed
        if clang < 19:
            print(f"clang {clang}: without {' and '.join(sorted(needs_clang_19))}")
            left |= needs_clang_19
        names = [name for name in names if name not in left]
        made = tempfile.TemporaryDirectory()
        options.programs = pathlib.Path(made.name)
        compile_programs(names, warpwalk, options.programs)
    variables = environment(warpwalk, libraries)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    differ = []
    for name in names:
        program = options.programs.resolve() / name
        if not program.exists():
            print(f"{name}: not in {options.programs}")
            differ.append(name)
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            printed, said = run(program, variables, folder)
            results = [(f"{name}.txt", printed)]
            if not options.outputs_only:
                printed_again, walk = record(program, name, warpwalk, variables, folder)
                results.append((f"{name}.walk.txt", walk))
        wrong = []
        for title, text in results:
            expected = (here / "expected" / title).read_text()
            wrong.append(difference(compared(name, expected), compared(name, text), title))
        if not options.outputs_only and printed_again != printed:
            wrong[0] |= difference(printed, printed_again, f"{name}.txt, recorded")
        if options.out:
            for title, text in results + [(f"{name}.stderr", said)]:
                (options.out / title).write_text(text)
        print(", ".join(f"{what} {'differs' if bad else 'as on an H100'}"
                        for what, bad in zip([f"{name}: output", "walk"], wrong)), flush=True)
        if any(wrong):
            differ.append(name)
    print(f"{len(names) - len(differ)} of {len(names)} programs as on an H100")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
