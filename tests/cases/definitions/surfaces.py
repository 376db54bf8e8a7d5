"""Cases of surfaces: shapes, widths, boundary modes, conversions, reductions."""
import random
import struct

from .case import Case, Surface, given, i32, integers, made, numbers, words
from .textures import LIMITS

n = 128
CUBE = {"width": 4, "cube": True}
SHAPES = [{"width": 4}, {"width": 4, "height": 4}, {"width": 4, "height": 4, "depth": 4}, {"width": 4, "layers": 4},
          {"width": 4, "height": 4, "layers": 4}, CUBE, {**CUBE, "layers": 2}]
SIZES = [4, 16, 64, 16, 64, 96, 192]


def surfaces():
    return [Surface("abcdefg"[k], "f32", numbers(k, SIZES[k]), 1, **SHAPES[k]) for k in range(7)]


places = [v for v in (-2, -1, 0, 1, 2, 3, 4, 5)]
r = random.Random(9)
at = [r.choice(places) if k > 30 else r.randrange(0, 4) for k in range(3 * n - 9)]
at += [2**20, 0, 0, 0, -2**31, 1, 1, 1, 2**31 - 1]
Case("surface_dimensions", 1, 128, [*surfaces(), given("at", "i32", at), made("out", "f32", 14 * n), i32(n)], ["out"])
Case("surface_stores", 1, 64, surfaces(), list("abcdefg"), entry="surface_stores",
     ptx="../surface_dimensions/kernel.ptx")

FORMATS = [("u8", 1), ("u8", 2), ("u8", 4), ("i16", 1), ("i16", 4), ("u32", 2), ("f32", 4)]


def values(dtype, seed, count):
    return integers(seed, count, *LIMITS[dtype]) if dtype in LIMITS else numbers(seed, count)


copies = []
for k, (dtype, channels) in enumerate(FORMATS):
    for letter in "ab":
        copies.append(Surface(f"{letter}{k}", dtype, values(dtype, 10 * k + ord(letter), 24 * channels), channels,
                              width=8, height=3))
Case("surface_formats", 1, (8, 3), copies, [f"b{k}" for k in range(7)])

CONVERTED = [("u8", 4), ("i8", 2), ("u16", 4), ("i16", 1), ("u32", 4), ("f16", 4), ("f32", 2)]
bits = [0, 1, 255, 256, 2**31, 2**32 - 1, 127, 128, 65535, 65536, 32767, 32768, 2**32 - 128, 2**32 - 129]
bits += [struct.unpack("<I", struct.pack("<f", v))[0] for v in (1.0, -2.5, 65504.0, 1e9, 1e-7, 0.1, 0.3, -0.0)]
bits += words(70, 96 - len(bits))
Case("surface_conversions", 1, (8, 3), [
    *[Surface("abcdefg"[k], dtype, values(dtype, 80 + k, 24 * channels), channels, width=8, height=3)
      for k, (dtype, channels) in enumerate(CONVERTED)], given("v", "u32", bits)], list("abcdefg"),
     entry="surface_conversions", ptx="../surface_formats/kernel.ptx")

Case("surface_reductions", 1, 96, [
    Surface("a", "u32", integers(90, 12, 0, 999), 1, width=4, height=3),
    Surface("b", "i32", integers(91, 6, -99, 99), 1, width=6),
    Surface("c", "u32", integers(92, 24, 0, 2**31), 1, width=4, height=3, depth=2),
    Surface("d", "u32", integers(93, 12, 0, 999), 1, width=4, height=3),
    given("v", "i32", integers(94, 96, -2**31, 2**31 - 1))], list("abcd"))
