#!/usr/bin/env python3
"""Records the test data of core/sass: what NVIDIA's disassembler prints for the machine code of this repository.

    python3 tests/sass/record.py [FOLDER]     default: tests/sass/data; needs ptxas, nvcc, cuobjdump and nvdisasm 13.0

The PTX of assets/ptx, tests/cases, tests/bugs and tests/exec is compiled for each architecture that it supports, and
two kernels without optimization. Nothing else is disassembled: no code of NVIDIA's libraries is in the data. The files
are gzipped text:

  instructions.gz  every distinct instruction: MASK HIGH LOW ADDRESS TEXT. Numbers are hexadecimal. MASK: the
                   architectures, bit 0 sm_75 to bit 6 sm_120. HIGH and LOW: the encoding, without the scheduling bits
                   105-121. ADDRESS: of branches, whose targets depend on it; else 0. TEXT: as cuobjdump -sass prints
                   it.
  variants.gz      the same for instructions with one bit changed, two per opcode and architecture, where nvdisasm
                   accepts them.
  single.gz        the same as instructions.gz for the PTX instructions of single_instructions.py.
  cubins/*.gz      a few cubins.
  lines.gz         their line tables as nvdisasm -gi and -gp print them: CUBIN FUNCTION ADDRESS KIND PLACE... KIND: gi
                   or gp. PLACE: FILE:LINE, innermost first. Only the instructions at which nvdisasm prints a change.
"""
import collections
import concurrent.futures
import glob
import gzip
import os
import re
import subprocess
import sys
import tempfile

import single_instructions

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ARCHITECTURES = [75, 80, 86, 89, 90, 100, 120]
SCHEDULING = ((1 << 17) - 1) << 105  # all control bits but the reuse flags
BRANCHES = range(0x143, 0x151)       # bits 0-8 of instructions whose text depends on their address
NOP = 0x000fc000000000000000000000007918
UNOPTIMIZED = ["softmax", "matmul_tiled"]
STORED = {
    "softmax": "assets/ptx/softmax.ptx",
    "matmul_tiled": "assets/ptx/matmul_tiled.ptx",
    "relu": "assets/ptx/relu.ptx",
    "amax": "assets/ptx/amax.ptx",
    "calls": "tests/cases/calls/kernel.ptx",
    "constant_memory": "tests/cases/constant_memory/kernel.ptx",
    "module_variables": "tests/cases/module_variables/kernel.ptx",
    "named_barriers": "tests/cases/named_barriers/kernel.ptx",
}
VARIANTS_PER_OPCODE = 2
LINE = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?) ?;\s+/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"\s+/\* 0x([0-9a-f]{16}) \*/")
PLACE = re.compile(r'\s*//## File "([^"]*)", line (\d+)')


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, errors="replace")


def compile_one(job):
    architecture, source, flags, target = job
    if source.endswith(".cu"):
        return run("nvcc", "-cubin", f"-arch=sm_{architecture}", *flags, source, "-o", target).returncode == 0
    with open(source) as file:
        ptx = re.sub(r"\.target sm_\d+a?", f".target sm_{architecture}", file.read())
    with open(target + ".ptx", "w") as file:
        file.write(ptx)
    return run("ptxas", "-lineinfo", "-arch", f"sm_{architecture}", target + ".ptx", "-o", target).returncode == 0


def compile_singles(job):
    """Compiles the instructions of a group that an architecture has. Returns the cubin, or None."""
    target, name, texts, cubin = job
    for _ in range(40):
        ptx = single_instructions.module(target, texts)
        with open(cubin + ".ptx", "w") as file:
            file.write(ptx)
        result = run("ptxas", "-arch", f"sm_{target}", cubin + ".ptx", "-o", cubin)
        if result.returncode == 0:
            return int(target.rstrip("a")), cubin
        bad = single_instructions.rejected(ptx, result.stderr)
        texts = [text for i, text in enumerate(texts) if i not in bad]
        if not bad or not texts:
            break
    print(f"single instructions, {name} for sm_{target}: {result.stderr.splitlines()[0]}", file=sys.stderr)
    return None


def all_singles(pool, folder):
    jobs = [(target, name, texts, os.path.join(folder, f"{name}.{target}.cubin"))
            for target in [str(a) for a in ARCHITECTURES] + ["90a", "100a", "120a"]
            for name, texts in single_instructions.instructions(target).items()]
    return [made for made in pool.map(compile_singles, jobs) if made]


def compile_all(pool, folder):
    """Returns (architecture, cubin) for everything that compiles: older GPUs lack some instructions."""
    sources = [(path, []) for pattern in ("assets/ptx/*.ptx", "tests/*/*/kernel.ptx", "tests/exec/kernels/*.ptx")
               for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    sources += [(os.path.join(ROOT, "kernels", name + ".cu"), ["-G"]) for name in UNOPTIMIZED]
    jobs = [(a, path, flags, cubin_name(folder, os.path.relpath(path, ROOT), a))
            for a in ARCHITECTURES for path, flags in sources]
    return [(job[0], job[3]) for job, good in zip(jobs, pool.map(compile_one, jobs)) if good]


def disassembly(text):
    """Yields (address, text, encoding) of each instruction in disassembler output."""
    first = None
    for line in text.split("\n"):
        match = LINE.match(line)
        if match:
            first = match
            continue
        match = SECOND.match(line)
        if match and first:
            yield int(first[1], 16), first[2], int(first[3], 16) | int(match[1], 16) << 64
            first = None


def instructions(pool, cubins):
    """Returns {(encoding, address, text): architectures} and, for each architecture, some encodings per opcode."""
    found = collections.defaultdict(int)
    examples = {a: collections.defaultdict(list) for a in ARCHITECTURES}
    printed = pool.map(lambda cubin: run("cuobjdump", "-sass", cubin[1]).stdout, cubins)
    for (architecture, _), text in zip(cubins, printed):
        for address, words, encoding in disassembly(text):
            place = address if encoding & 0x1ff in BRANCHES else 0
            found[encoding & ~SCHEDULING, place, words] |= 1 << ARCHITECTURES.index(architecture)
            chosen = examples[architecture][encoding & 0xfff]
            if len(chosen) < VARIANTS_PER_OPCODE and not encoding >> 122 & 15:
                mnemonics = [re.sub(r"^@\S+ ", "", text).split(" ")[0] for _, text in chosen]
                if re.sub(r"^@\S+ ", "", words).split(" ")[0] not in mnemonics:
                    chosen.append((encoding, words))
    return found, examples


def disassemble_raw(job):
    """Disassembles encodings; None for those that nvdisasm rejects. Instructions are preceded by others, so that
    branches backwards have a target."""
    architecture, encodings = job
    lead = 1024
    good = list(range(len(encodings)))
    results = [None] * len(encodings)
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(12):
            file.seek(0)
            file.truncate()
            file.write(NOP.to_bytes(16, "little") * lead)
            file.write(b"".join(encodings[i].to_bytes(16, "little") for i in good))
            file.flush()
            result = run("nvdisasm", "-b", f"SM{architecture}", file.name)
            if result.returncode == 0:
                for match in re.finditer(r"/\*([0-9a-f]{4,})\*/\s+(.*?) ?;", result.stdout):
                    index = int(match[1], 16) // 16 - lead
                    if 0 <= index < len(good):
                        results[good[index]] = (int(match[1], 16), match[2])
                break
            bad = {int(a, 16) // 16 - lead for a in re.findall(r"address 0x([0-9a-f]+)", result.stderr)}
            good = [i for index, i in enumerate(good) if index not in bad]
    return results


def variants(pool, examples):
    found = collections.defaultdict(int)
    for index, architecture in enumerate(ARCHITECTURES):
        encodings = sorted({e ^ 1 << bit for chosen in examples[architecture].values() for e, _ in chosen
                            for bit in range(105)})
        jobs = [(architecture, encodings[i:i + 3000]) for i in range(0, len(encodings), 3000)]
        for (_, part), results in zip(jobs, pool.map(disassemble_raw, jobs)):
            for encoding, result in zip(part, results):
                if result and "INVALID" not in result[1] and "???" not in result[1]:
                    address = result[0] if encoding & 0x1ff in BRANCHES else 0
                    found[encoding & ~SCHEDULING, address, result[1]] |= 1 << index
    return found


def line_table(cubin, option):
    """Yields (function, address, places) where nvdisasm prints another source position."""
    function, places, is_place = None, [], False
    for line in run("nvdisasm", "-c", option, cubin).stdout.split("\n"):
        label = re.match(r"\.text\.(\S+):", line)
        place = PLACE.match(line)
        instruction = re.match(r"\s+/\*([0-9a-f]{4,})\*/", line)
        if label:
            function = label[1]
        elif place:
            places = (places if is_place else []) + [f"{place[1]}:{place[2]}"]
            is_place = True
        elif instruction:
            if is_place:
                yield function, instruction[1], places
            is_place = False


def write(path, lines):
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.write("".join(line + "\n" for line in sorted(lines)).encode())


def cubin_name(work, source, architecture):
    return os.path.join(work, f"{source.replace('/', '-')}.{architecture}.cubin")


def store_cubins(work, folder):
    """Writes the cubins of STORED and returns their line tables."""
    lines = []
    for architecture in ARCHITECTURES:
        for name, source in STORED.items():
            cubin = cubin_name(work, source, architecture)
            if not os.path.exists(cubin):
                continue
            stored = f"{name}.sm_{architecture}"
            with open(cubin, "rb") as file, open(os.path.join(folder, "cubins", stored + ".gz"), "wb") as target:
                with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename="") as packed:
                    packed.write(file.read())
            for option in ("gi", "gp"):
                lines += [" ".join([stored, function, address, option] + places)
                          for function, address, places in line_table(cubin, "-" + option)]
    return lines


def write_instructions(path, found):
    write(path, (f"{mask:x} {encoding >> 64:x} {encoding & (1 << 64) - 1:x} {address:x} {text}"
                 for (encoding, address, text), mask in found.items()))
    print(f"{path}: {len(found)} instructions")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "tests", "sass", "data")
    os.makedirs(os.path.join(folder, "cubins"), exist_ok=True)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor() as pool:
        cubins = compile_all(pool, work)
        found, examples = instructions(pool, cubins)
        write_instructions(os.path.join(folder, "instructions.gz"), found)
        write_instructions(os.path.join(folder, "variants.gz"), variants(pool, examples))
        write_instructions(os.path.join(folder, "single.gz"), instructions(pool, all_singles(pool, work))[0])
        lines = store_cubins(work, folder)
        write(os.path.join(folder, "lines.gz"), lines)
        print(f"{len(cubins)} cubins, {len(lines)} lines")


if __name__ == "__main__":
    main()
