#!/usr/bin/env python3
"""Makes a small report of Nsight Compute of a large one, for the tests.

usage: make_ncu_report.py LARGE.ncu-rep SMALL.ncu-rep.gz

Keeps one launch of each kernel, with its metrics and its code, but without the sections, rules and curves of the
report's pages, and of the session only what describes the GPU, the versions and the command line. The small report has
the same frame: core/trace/ncu/container.h.
"""
import gzip
import struct
import sys

WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 0, 1, 2, 5


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """Yields number, wire type and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        wire = key & 7
        if wire == WIRE_VARINT:
            value, at = read_varint(data, at)
        else:
            size = {WIRE_64: 8, WIRE_32: 4}.get(wire)
            if size is None:
                size, at = read_varint(data, at)
            value = data[at:at + size]
            at += size
        yield key >> 3, wire, value


def message(rows):
    out = b""
    for number, wire, value in rows:
        out += varint(number << 3 | wire)
        if wire == WIRE_VARINT:
            out += varint(value)
        elif wire == WIRE_BYTES:
            out += varint(len(value)) + value
        else:
            out += value
    return out


def sized(data):
    return struct.pack("<I", len(data)) + data


def small_session(data):
    """ReportSessionDetails: CreationTime, DeviceAttributes, VersionInfo, ProfilerCmdline."""
    return message(row for row in fields(data) if row[0] in (2, 6, 8, 11))


def small_launch(data, names):
    """ProfileResult without Sections, SectionComments, RuleResults and the curves of occupancy."""
    rows = []
    for number, wire, value in fields(data):
        if number in (17, 18, 19):
            continue
        if number == 13:  # ProfileMetricResult: NameId = 1
            name = names[next(v for n, _, v in fields(value) if n == 1)]
            if "occupancy_per_" in name or name.startswith(("breakdown:", "group:", "sass__")):
                continue
        rows.append((number, wire, value))
    return message(rows)


def main(large, small):
    data = open(large, "rb").read()
    at = 8 + struct.unpack_from("<I", data, 4)[0]
    out = data[:at]
    names, kernels = [], set()
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        header = list(fields(data[at + 4:at + 4 + size]))
        at += 4 + size
        values = {number: value for number, _, value in header}
        payload = data[at:at + values[5]]
        at += values[5]
        names += [text.decode() for number, _, text in fields(values[4])]
        if values.get(2):  # NumResults
            kernel = next(v for n, _, v in fields(payload[4:]) if n == 5)
            if kernel in kernels:
                continue
            kernels.add(kernel)
            payload = sized(small_launch(payload[4:], names))
        rows = []
        for number, wire, value in header:
            if number == 3:
                value = small_session(value)
            if number == 5:
                value = len(payload)
            if number == 6:  # ProcessInfo: only the process id
                value = message(row for row in fields(value) if row[0] == 1)
            rows.append((number, wire, value))
        out += sized(message(rows)) + payload
    with gzip.GzipFile(small, "wb", 9, mtime=0) as file:
        file.write(out)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
