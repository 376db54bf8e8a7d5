#!/usr/bin/env python3
"""Compares every form of data/forms.txt.gz from PTX and as the machine code of ptxas, for five architectures.

    tests/run/both_paths/compare_forms.py [--build build/release] [--arch sm_90]... [--like REGEX] [--record]

Prints, for each architecture, how many forms ptxas takes, how many agree, are refused and differ, and each form that
does not agree. --record also writes the forms that agree on sm_90, eight in a kernel, to data/sm_90_N.*.gz, which
both_paths_tests runs without ptxas. Needs ptxas and the program compare_forms (ninja -C build/release compare_forms).
"""
import argparse
import collections
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90"]
PER_MODULE, PER_KERNEL, MODULES = 200, 8, 10


def ptxas():
    return shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"


def kernels_of(program, forms, per_kernel):
    run = subprocess.run([program, "ptx", forms, str(per_kernel)], capture_output=True, text=True, check=True)
    return re.split(r"(?=^\.visible \.entry )", run.stdout, flags=re.M)[1:]


def compile_some(kernels, arch, out):
    """Returns the places of the kernels that ptxas rejects, and its messages."""
    text = f".version 9.0\n.target {arch}\n.address_size 64\n"
    first_lines = []
    for kernel in kernels:
        first_lines.append(text.count("\n") + 1)
        text += kernel
    source = out.with_suffix(".ptx")
    source.write_text(text)
    run = subprocess.run([ptxas(), f"-arch={arch}", source, "-o", out], capture_output=True, text=True)
    if run.returncode == 0:
        return set(), ""
    lines = [int(m[1]) for m in re.finditer(r"line (\d+); *(?:error|fatal)", run.stderr)]
    return {max(i for i, first in enumerate(first_lines) if first <= line) for line in lines if line >= 4}, run.stderr


def compile_all(kernels, arch, folder):
    """Writes folder/N.cubin, without the forms that do not exist for the architecture, and their numbers."""
    taken = []
    for module in range(0, len(kernels), PER_MODULE):
        numbers = list(range(module, min(module + PER_MODULE, len(kernels))))
        while numbers:
            out = folder / f"{module // PER_MODULE}.cubin"
            rejected, messages = compile_some([kernels[n] for n in numbers], arch, out)
            if not messages:
                break
            if not rejected:
                sys.exit(messages)
            numbers = [n for place, n in enumerate(numbers) if place not in rejected]
        taken += numbers
    (folder / "taken.txt").write_text("".join(f"{n}\n" for n in taken))
    return len(taken)


def compressed(path, data):
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def record(program, forms, folder):
    """The forms in machine code, as the test reads them."""
    per_module = -(-len(forms) // (MODULES * PER_KERNEL)) * PER_KERNEL
    for module in range(MODULES):
        some = forms[module * per_module:(module + 1) * per_module]
        text = "".join(form + "\n" for form in some)
        listed = folder / "some.txt"
        listed.write_text(text)
        rejected, messages = compile_some(kernels_of(program, listed, PER_KERNEL), "sm_90", folder / "some.cubin")
        if messages:
            sys.exit(messages)
        compressed(HERE / f"data/sm_90_{module}.txt.gz", text.encode())
        compressed(HERE / f"data/sm_90_{module}.cubin.gz", (folder / "some.cubin").read_bytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--arch", action="append")
    parser.add_argument("--like", default="")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "tests/run/compare_forms"
    lines = gzip.decompress((HERE / "data/forms.txt.gz").read_bytes()).decode().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        listed = folder / "forms.txt"
        listed.write_text("".join(line + "\n" for line in lines if re.search(options.like, line)))
        kernels = kernels_of(program, listed, 1)
        for arch in options.arch or ARCHITECTURES:
            cubins = folder / arch
            cubins.mkdir()
            compile_all(kernels, arch, cubins)
            run = subprocess.run([program, "run", listed, cubins], capture_output=True, text=True, check=True)
            outcomes = [line.split("\t") for line in run.stdout.splitlines()]
            counts = collections.Counter(outcome.split()[0] for _, _, outcome in outcomes)
            print(f"{arch}: {len(outcomes)} forms, {counts['AGREE']} agree, {counts['REFUSED']} refused, "
                  f"{counts['DIFFER']} differ, {counts['FAILED']} failed")
            for _, form, outcome in outcomes:
                if outcome != "AGREE":
                    print(f"  {form}  {outcome}")
            if options.record and arch == "sm_90":
                record(program, [form for _, form, outcome in outcomes if outcome == "AGREE"], folder)


if __name__ == "__main__":
    main()
