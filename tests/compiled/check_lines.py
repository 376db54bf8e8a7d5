#!/usr/bin/env python3
"""Compares the lines that `warpwalk info FOLDER --json` gives to the machine code of Triton's kernels with an
independent reading of the same files.

    python3 tests/compiled/check_lines.py build/release/warpwalk FOLDER...

Expected of an instruction is the chain of positions of the PTX line that it was made from (the cubin's section
.nv_debug_line_sass): the .loc directive in effect there, and the calls that its comment or its inlined_at names.
The cubin's .debug_line must name the same innermost line. Instructions whose PTX has no line must be among
`sass_without_line`, under the line that .debug_line gives. Exits with 1 if less than 99 % agree.
"""
import json
import os
import re
import struct
import subprocess
import sys


def sections(elf):
    """The sections of a 64-bit ELF file by name."""
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + i * size) for i in range(count)]
    strings = headers[names][4]
    found = {}
    for header in headers:
        name = elf[strings + header[0]:elf.index(0, strings + header[0])].decode()
        if header[1] != 8:  # SHT_NOBITS
            found[name] = elf[header[4]:header[4] + header[5]]
    return found


class Reader:
    """Reads a section of DWARF from front to back."""

    def __init__(self, data, at, end):
        self.data, self.at, self.end = data, at, end

    def take(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def leb(self, signed=False):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def text(self):
        end = self.data.index(0, self.at)
        value = self.data[self.at:end].decode()
        self.at = end + 1
        return value


def line_rows(data):
    """The rows of a line table: (address, file, line, index of the row of the call or 0, whether it ends)."""
    rows, names, start = [], [], 0
    while start + 4 <= len(data):
        length, = struct.unpack_from("<I", data, start)
        reader = Reader(data, start + 4, start + 4 + length)
        version, header = reader.take("H"), reader.take("I")
        program = reader.at + header
        step = reader.take("B")
        if version >= 4:
            reader.take("B")
        reader.take("B")
        base, span, first = reader.take("b"), reader.take("B"), reader.take("B")
        operands = [reader.take("B") for _ in range(first - 1)]
        folders = [""]
        while folder := reader.text():
            folders.append(folder)
        files = []
        while name := reader.text():
            folder = folders[reader.leb()]
            reader.leb(), reader.leb()
            files.append(folder + "/" + name if folder else name)
        names += files
        reader.at = program
        address, file, line, call = 0, 1, 1, 0
        while reader.at < reader.end:
            opcode = reader.take("B")
            if opcode >= first:
                address += (opcode - first) // span * step
                line += base + (opcode - first) % span
                rows.append((address, file, line, call, False))
            elif opcode == 0:
                size = reader.leb()
                after = reader.at + size
                extended = reader.take("B")
                if extended == 1:
                    rows.append((address, file, line, call, True))
                    address, file, line, call = 0, 1, 1, 0
                elif extended == 2:
                    address = reader.take("Q")
                elif extended == 0x90:  # NVIDIA's: the row of the call
                    call = reader.leb()
                reader.at = after
            elif opcode == 1:
                rows.append((address, file, line, call, False))
            elif opcode == 2:
                address += reader.leb() * step
            elif opcode == 3:
                line += reader.leb(signed=True)
            elif opcode == 4:
                file = reader.leb()
            elif opcode == 8:
                address += (255 - first) // span * step
            elif opcode == 9:
                address += reader.take("H")
            else:
                for _ in range(operands[opcode - 1]):
                    reader.leb()
        start = reader.end
    return rows, names


def row_at(rows, address):
    covering = None
    for row in rows:
        if row[0] > address:
            break
        covering = row
    return None if covering is None or covering[4] else covering


def ptx_chains(text):
    """By line of PTX: the chain of (file without folders, line) of the .loc in effect, innermost first; None."""
    files = {int(n): os.path.basename(path) for n, path in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, re.M)}
    by_place, chains, now = {}, [None], None
    for line in text.split("\n"):
        loc = re.match(r"\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)(.*)", line)
        if loc:
            place = tuple(int(loc[i]) for i in (1, 2, 3))
            now = [(files.get(place[0], ""), place[1])]
            call = re.search(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)", loc[4])
            if call:
                caller = tuple(int(call[i]) for i in (1, 2, 3))
                now += by_place.get(caller, [(files.get(caller[0], ""), caller[1])])
            for name, number in re.findall(r"@\[ ([^\[\]@]*?):(\d+)(?::\d+)?(?= )", loc[4]):
                now.append((name, int(number)))
            by_place[place] = now
        chains.append(now)
    return chains


def check(kernel):
    """Counts of one kernel, and the first differences."""
    counts = {"instructions": 0, "agree": 0, "without": 0, "said": 0}
    different = []
    with open(kernel["files"]["cubin"], "rb") as file:
        parts = sections(file.read())
    with open(kernel["files"]["ptx"], encoding="utf-8", errors="replace") as file:
        chains = ptx_chains(file.read())
    if ".debug_line" not in parts or ".nv_debug_line_sass" not in parts:
        return counts, different
    source, names = line_rows(parts[".debug_line"])
    ptx, _ = line_rows(parts[".nv_debug_line_sass"])
    given = {}
    for line in kernel["lines"]:
        chain = [(os.path.basename(frame["file"]), frame["line"]) for frame in line["inlined"]]
        if line["python"]:
            chain.append((os.path.basename(line["python"]["file"]), line["python"]["line"]))
        for address in line["sass"]:
            given[address] = chain
    without = set(kernel["sass_without_line"])
    code = parts.get(".text." + kernel["kernel"], b"")
    for address in range(0, len(code), 16):
        counts["instructions"] += 1
        row, of_ptx = row_at(source, address), row_at(ptx, address)
        chain = chains[of_ptx[2]] if of_ptx and of_ptx[2] < len(chains) else None
        innermost = (os.path.basename(names[row[1] - 1]), row[2]) if row else None
        if chain is None or chain[0][1] == 0:
            counts["without"] += 1
            said = address in without and (given.get(address, [None])[0] == innermost)
            counts["said"] += said
            if not said:
                different.append((address, "no line", given.get(address)))
        elif given.get(address) == chain and chain[0] == innermost and address not in without:
            counts["agree"] += 1
        else:
            different.append((address, chain, given.get(address)))
    return counts, different


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    total = {"kernels": 0, "instructions": 0, "agree": 0, "without": 0, "said": 0}
    for folder in folders:
        out = subprocess.run([program, "info", folder, "--json"], check=True, capture_output=True).stdout
        for kernel in json.loads(out)["compiled"]:
            if not kernel["files"]["cubin"] or not kernel["files"]["ptx"]:
                continue
            counts, different = check(kernel)
            total["kernels"] += 1
            for key, value in counts.items():
                total[key] += value
            for address, expected, actual in different[:3]:
                print(f"{kernel['kernel']} 0x{address:x}: expected {expected}, given {actual}")
    lined = total["instructions"] - total["without"]
    share = 100 * total["agree"] / lined if lined else 100
    print(f"{total['kernels']} kernels, {total['instructions']} instructions of SASS: {lined} whose PTX has a line, of "
          f"which {total['agree']} lead to its chain ({share:.2f} %); {total['without']} whose PTX has none, of which "
          f"{total['said']} are reported so")
    return 0 if total["kernels"] and share >= 99 and total["said"] >= 0.99 * total["without"] else 1


if __name__ == "__main__":
    sys.exit(main())
