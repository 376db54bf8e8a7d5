#!/usr/bin/env python3
"""Records what NVIDIA's disassembler prints for machine code of PyTorch and Triton: frameworks.gz, as instructions.gz of
record.py.

    python3 tests/sass/record_frameworks.py [FOLDER]     default: tests/sass/data; needs PyTorch with CUDA 13, Triton,
                                                         cuobjdump

PyTorch: the kernels of at::native in libtorch_cuda, without those of CUB, Thrust and CUTLASS, which are NVIDIA's.
Triton: triton_kernels.py for each architecture. Of each mnemonic with the same kinds of operands a few instructions are
kept.
"""
import collections
import concurrent.futures
import glob
import importlib.util
import mmap
import os
import re
import struct
import subprocess
import sys
import tempfile

import record

EXAMPLES = 5
LONGEST = 6000  # instructions per function
NVIDIA = re.compile(r"cutlass|3cub|6thrust|pytorch_flash|cute|PyTorchMemEff|cudnn|cublas")
FATBIN, CUBIN_ENTRY = 0xBA55ED50, 2
OPERANDS = [(r"\bUR(\d+|Z)\b", "U"), (r"\bR(\d+|Z)\b", "R"), (r"\bUP(\d|T)\b", "Q"), (r"\bP(\d|T)\b", "P"),
            (r"\b(SB|B)\d+\b", r"\1"), (r"SR_?\w+(\.\w+)?", "SR"), (r"0x[0-9a-f]+", "N"),
            (r"(?<![\w.])[-+]?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])", "N"), (r"\.reuse", "")]


def signature(text):
    """The mnemonic and the kinds of the operands."""
    mnemonic, _, operands = re.sub(r"^@!?U?P[\dT] ", "", text).partition(" ")
    for pattern, kind in OPERANDS:
        operands = re.sub(pattern, kind, operands)
    return mnemonic, operands


def is_pytorchs_own(function):
    return "2at6native" in function and not NVIDIA.search(function)


def examples(path, is_wanted):
    """{(architecture, encoding, address, text)} of some instructions in a cubin or fat binary."""
    counts, found = collections.Counter(), set()
    architecture, wanted, number, first = None, False, 0, None
    printed = subprocess.Popen(["cuobjdump", "-sass", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               errors="replace")
    for line in printed.stdout:
        match = record.LINE.match(line)
        if match:
            first = match
            continue
        match = record.SECOND.match(line)
        if match and first:
            number += 1
            encoding = int(first[3], 16) | int(match[1], 16) << 64
            key = (architecture, encoding & 0xfff) + signature(first[2])
            if wanted and number < LONGEST and architecture in record.ARCHITECTURES and counts[key] < EXAMPLES:
                counts[key] += 1
                address = int(first[1], 16) if encoding & 0x1ff in record.BRANCHES else 0
                found.add((architecture, encoding & ~record.SCHEDULING, address, first[2]))
            first = None
        elif "Function : " in line:
            wanted, number = is_wanted(line.split("Function : ")[1].strip()), 0
        elif match := re.search(r"(?:arch =|code for) sm_(\d+)", line):
            architecture = int(match[1])
    printed.wait()
    return found


def fat_binaries(path):
    """Yields (offset, size of the header, size of the rest) of the fat binaries in a library."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        table, = struct.unpack_from("<Q", data, 40)
        entry, count, names = struct.unpack_from("<HHH", data, 58)
        sections = [struct.unpack_from("<IIQQQQ", data, table + i * entry) for i in range(count)]
        for name, _, _, _, at, size in sections:
            start = sections[names][4] + name
            if data[start:data.find(b"\0", start)] != b".nv_fatbin":
                continue
            end = at + size
            while at + 16 <= end:
                magic, _, header, rest = struct.unpack_from("<IHHQ", data, at)
                if magic == FATBIN:
                    yield at, header, rest
                    at += header + rest
                else:
                    at += 8


def of_fat_binary(job):
    path, at, header, rest = job
    with open(path, "rb") as file:
        file.seek(at)
        data = file.read(header + rest)
    kept, place = b"", header
    while place + 64 <= len(data):
        kind, _, size, payload = struct.unpack_from("<HHIQ", data, place)
        architecture, = struct.unpack_from("<I", data, place + 28)
        if kind == CUBIN_ENTRY and architecture in record.ARCHITECTURES:
            kept += data[place:place + size + payload]
        place += size + payload
    if not kept:
        return set()
    with tempfile.NamedTemporaryFile(suffix=".fatbin") as file:
        file.write(struct.pack("<IHHQ", FATBIN, 1, 16, len(kept)) + kept)
        file.flush()
        return examples(file.name, is_pytorchs_own)


def of_cubin(path):
    return examples(path, lambda function: True)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(record.ROOT, "tests", "sass", "data")
    torch = os.path.dirname(importlib.util.find_spec("torch").origin)
    library = os.path.join(torch, "lib", "libtorch_cuda.so")
    counts, found = collections.Counter(), collections.defaultdict(int)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ProcessPoolExecutor() as pool:
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run([sys.executable, os.path.join(here, "triton_kernels.py"), work], check=True)
        jobs = [pool.submit(of_cubin, path) for path in sorted(glob.glob(os.path.join(work, "*.cubin")))]
        jobs += [pool.submit(of_fat_binary, (library,) + part) for part in fat_binaries(library)]
        for job in jobs:
            for architecture, encoding, address, text in sorted(job.result()):
                key = (architecture, encoding & 0xfff) + signature(text)
                bit = 1 << record.ARCHITECTURES.index(architecture)
                if counts[key] < EXAMPLES and not found[encoding, address, text] & bit:
                    counts[key] += 1
                    found[encoding, address, text] |= bit
    record.write_instructions(os.path.join(folder, "frameworks.gz"), {k: mask for k, mask in found.items() if mask})


if __name__ == "__main__":
    main()
