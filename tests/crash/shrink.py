#!/usr/bin/env python3
"""Makes a small test sample of a GPU core dump: shrink.py DUMP OUTPUT.gz [SMS]

Keeps the device, the grids with their modules, and what was resident. Leaves out the modules of the driver, SMs without
blocks, and global memory to which neither an argument nor a constant bank of a grid points. The sections that stay are
those of the dump, byte for byte, but for the tables of modules and SMs, which lose the elements left out. SMS: how many
SMs are kept (default: all that have blocks).
"""
import gzip
import struct
import sys

HEADER, ENTRY = 64, 64
(GLOBAL, LOCAL, SHARED, REGISTERS, IMAGE, RELOCATED, FRAMES, DEVICES, CONTEXTS, SMS, GRIDS, BLOCKS, WARPS, LANES,
 MODULES) = range(0x80000002, 0x80000011)
PARAMETERS, BANKS = 0x80000012, 0x80000015


class Section:
    def __init__(self, dump, at):
        (self.name_at, self.type, self.flags, self.address, self.offset, self.size, self.link, self.info, self.align,
         self.entry) = struct.unpack_from("<IIQQQQIIQQ", dump, at)
        self.content = dump[self.offset:self.offset + self.size] if self.type not in (0, 8) else b""

    def rows(self):
        return [self.content[at:at + self.entry] for at in range(0, len(self.content), self.entry)]


def read(dump):
    table, count, names = (struct.unpack_from("<Q", dump, 40)[0], *struct.unpack_from("<HH", dump, 60))
    sections = [Section(dump, table + i * ENTRY) for i in range(count)]
    texts = sections[names].content
    for section in sections:
        section.name = texts[section.name_at:texts.index(b"\0", section.name_at)]
    return sections, names


def shrink(dump, max_sms):
    sections, names = read(dump)
    grid_modules, addresses = set(), set()
    for section in sections:
        if section.type == GRIDS:
            grid_modules |= {struct.unpack_from("<Q", row, 32)[0] for row in section.rows()}
        if section.type == PARAMETERS:
            places = range(0, len(section.content) - 7, 8)
            addresses |= {struct.unpack_from("<Q", section.content, at)[0] for at in places}
        if section.type == BANKS:
            addresses |= {address for row in section.rows() for address, _, bank in [struct.unpack_from("<QII", row)]
                          if bank in (0, 4)}
    busy_sms = set(sorted((s.link, s.info) for s in sections if s.type == BLOCKS and s.content)[:max_sms])
    new_rows = {}  # (section, old row): new row
    for index, section in enumerate(sections):
        if section.type not in (MODULES, SMS):
            continue
        rows = section.rows()
        if section.type == MODULES:
            kept = [i for i, row in enumerate(rows) if struct.unpack_from("<Q", row)[0] in grid_modules]
        else:
            kept = [i for i in range(len(rows)) if (index, i) in busy_sms]
        section.content = b"".join(rows[i] for i in kept)
        new_rows.update({(index, old): new for new, old in enumerate(kept)})

    def keeps(section):
        if section.type == GLOBAL:
            return any(section.address <= a < section.address + section.size for a in addresses)
        if sections[section.link].type in (MODULES, SMS):
            return (section.link, section.info) in new_rows and section.type != IMAGE
        return section.link == 0 or section.link in kept_before

    kept, kept_before = [], set()
    for i, section in enumerate(sections):  # what a section belongs to comes before it
        if keeps(section):
            kept.append(i)
            kept_before.add(i)
    new_index = {old: new for new, old in enumerate(kept)}
    body, headers, texts = bytearray(HEADER), [], bytearray(b"\0")
    for i in kept:
        section = sections[i]
        if i == names:
            continue
        name = len(texts)
        texts += section.name + b"\0"
        info = new_rows.get((section.link, section.info), section.info)
        headers.append([name, section.type, section.flags, section.address, len(body), len(section.content),
                        new_index.get(section.link, 0), info, section.align, section.entry])
        body += section.content
    # The section with the names is the last one of a dump.
    assert kept[-1] == names
    headers.append([len(texts), 3, 0, 0, len(body), len(texts) + len(b".shstrtab\0"), 0, 0, 0, 0])
    body += texts + b".shstrtab\0"
    header = bytearray(dump[:HEADER])
    struct.pack_into("<Q", header, 40, len(body))
    struct.pack_into("<HH", header, 60, len(headers), len(headers) - 1)
    body[:HEADER] = header
    for row in headers:
        body += struct.pack("<IIQQQQIIQQ", *row)
    return bytes(body)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        small = shrink(file.read(), int(sys.argv[3]) if len(sys.argv) > 3 else None)
    with open(sys.argv[2], "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as out:
        out.write(small)
