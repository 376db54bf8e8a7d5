"""The parts of a case, and how its files are written."""
import json
import math
import random
import struct
from pathlib import Path

from .values import ARCHIVE, read_values, write_values

CASES = Path(__file__).resolve().parent.parent

# The struct format letter of each dtype. A bf16 is the upper half of an f32.
LETTERS = {"f16": "e", "bf16": "H", "f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
           "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
BYTES = {dtype: struct.calcsize(letter) for dtype, letter in LETTERS.items()}

PORTABLE_CLUSTER = 8  # blocks of a cluster that every GPU with clusters supports

_cases = []


def all_cases():
    return list(_cases)


def bf16_bits(value):
    """The bits of the nearest bfloat16, ties to even. The value must be finite."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


class Buffer:
    """A buffer with values, or filled with one value (fill=None: uninitialised). bits: the values are bit patterns."""

    def __init__(self, name, dtype, values=None, count=None, fill=0, bits=False):
        self.name, self.dtype, self.values, self.fill, self.bits = name, dtype, values, fill, bits
        self.count = len(values) if values is not None else count

    def data(self):
        letter = LETTERS[self.dtype]
        values = self.values
        if self.bits:
            letter = {1: "B", 2: "H", 4: "I", 8: "Q"}[BYTES[self.dtype]]
        elif self.dtype == "bf16":
            values = [bf16_bits(v) for v in values]
        return struct.pack(f"<{len(values)}{letter}", *values)

    def argument(self):
        entry = {"buffer": self.name, "dtype": self.dtype, "count": self.count}
        if self.values is not None:
            entry["file"] = f"{ARCHIVE}/{self.name}.in.bin"
        elif self.fill is not None:
            entry["fill"] = self.fill
        return entry


class Texture:
    """A texture object. shape: width, height and so on; sampler: filter, address and so on (README, "simulate")."""
    kind = "texture"

    def __init__(self, name, dtype, values, channels=1, file=None, bits=False, filled=True, **described):
        self.name, self.dtype, self.channels, self.described = name, dtype, channels, described
        self.values, self.bits = values, bits
        self.file = (file or f"{name}.in.bin") if filled else None

    data = Buffer.data

    def argument(self):
        return {self.kind: self.name, "dtype": self.dtype, "channels": self.channels, **self.described,
                **({"file": f"{ARCHIVE}/{self.file}"} if self.file else {})}


class Surface(Texture):
    """A surface object."""
    kind = "surface"


class Scalar:
    def __init__(self, dtype, value):
        self.dtype, self.value = dtype, value

    def argument(self):
        return {"scalar": self.value, "dtype": self.dtype}


class Struct:
    """A struct passed by value, with the layout of struct.pack."""

    def __init__(self, layout, *values):
        self.data = struct.pack("<" + layout, *values)

    def argument(self):
        return {"bytes": self.data.hex()}


def given(name, dtype, values, bits=False):
    """An input buffer with these values."""
    return Buffer(name, dtype, values=list(values), bits=bits)


def made(name, dtype, count, fill=0):
    """An output buffer, filled with one value before the launch."""
    return Buffer(name, dtype, count=count, fill=fill)


def i32(value):
    return Scalar("i32", value)


def i64(value):
    return Scalar("i64", value)


class Case:
    """A launch. expect: names of buffers that must match bit for bit, or a map from name to (rtol, atol). cluster:
    blocks per cluster, if the launch chooses them."""

    def __init__(self, name, grid, block, args, expect, entry=None, ptx="kernel.ptx", shared=0,
                 root=CASES, references=(), cluster=None, cooperative=False):
        self.name, self.entry, self.ptx, self.args, self.shared = name, entry or name, ptx, args, shared
        self.references = list(references)
        self.folder = root / name
        self.grid, self.block = [self.three(v) for v in (grid, block)]
        self.cluster, self.cooperative = cluster and self.three(cluster), cooperative
        self.expect = expect if isinstance(expect, dict) else {b: (0, 0) for b in expect}
        _cases.append(self)

    @staticmethod
    def three(size):
        size = [size] if isinstance(size, int) else list(size)
        return size + [1] * (3 - len(size))

    def write(self):
        folder = self.folder
        folder.mkdir(exist_ok=True)
        values = {name: data for name, data in read_values(folder).items() if not name.endswith(".in.bin")}
        for arg in self.args + self.references:
            if isinstance(arg, Buffer) and arg.values is not None:
                values[f"{arg.name}.in.bin"] = arg.data()
            if isinstance(arg, Texture) and arg.values is not None:
                values[arg.file] = arg.data()
        write_values(folder, values)
        expect = [f'{json.dumps(n)}: {{"file": "{ARCHIVE}/{n}.out.bin", "rtol": {r}, "atol": {a}}}'
                  for n, (r, a) in self.expect.items()]
        references = []
        if self.references:
            references = ['  "references": [' +
                          ",\n                 ".join(json.dumps(r.argument()) for r in self.references) + ']']
        how = ""
        if self.cluster:
            how += f', "cluster": {json.dumps(self.cluster)}'
            if math.prod(self.cluster) > PORTABLE_CLUSTER:
                how += ', "nonportable_cluster": true'
        if self.cooperative:
            how += ', "cooperative": true'
        text = ",\n".join([
            f'{{ "kernel": {json.dumps(self.entry)}',
            f'  "ptx": {json.dumps(self.ptx)}',
            f'  "grid": {json.dumps(self.grid)}, "block": {json.dumps(self.block)}{how}, '
            f'"dynamic_shared_bytes": {self.shared}',
            '  "args": [' + ",\n           ".join(json.dumps(a.argument()) for a in self.args) + ']',
            *references,
            '  "expect": {' + ",\n             ".join(expect) + '} }'])
        json.loads(text)
        (folder / "launch.json").write_text(text + "\n")


def integers(seed, count, low, high):
    r = random.Random(seed)
    return [r.randint(low, high) for _ in range(count)]


def words(seed, count, bits=32):
    r = random.Random(seed)
    return [r.getrandbits(bits) for _ in range(count)]


def numbers(seed, count, low=-1.0, high=1.0):
    r = random.Random(seed)
    return [low + (high - low) * r.random() for _ in range(count)]


def signed(values, bits):
    """Bit patterns as signed integers (two's complement)."""
    return [v - (1 << bits) if v >> (bits - 1) else v for v in values]
