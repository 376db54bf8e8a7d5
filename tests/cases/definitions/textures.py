"""Cases of textures: address modes, filters, formats, shapes."""
import math
import random
import struct

from .case import Case, Surface, Texture, given, i32, integers, made, numbers

MODES = ["wrap", "clamp", "mirror", "border"]
nan, inf = math.nan, math.inf


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0] if math.isfinite(value) else value


def after(value, steps):
    """The f32 that is some steps after a positive one."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return struct.unpack("<f", struct.pack("<I", bits + steps))[0]


def positions(size, seed, count):
    """Coordinates in texels: outside, on texels' edges and centers, at multiples of 1/256 and 1/512 and next to them,
    large ones and no numbers, then random ones."""
    near = [k / 2 for k in range(-5, 2 * size + 6)]
    fine = [1.5 + k / 512 for k in range(0, 24)] + [2 + k / 256 for k in range(240, 262, 3)]
    fine += [after(1.5 + k / 512, step) for k in (1, 3, 5, 7, 9) for step in (-1, 1)]
    odd = [nan, inf, -inf, 0.0, -0.0, 1e-40, -1e-40, 1e-9, -1e-9, 1e5, -1e5, 65536.5, -65536.5, 2.0**24, 2.0**31,
           -2.0**31, 1e10, -1e10, 1e30, -1e30, size - 1e-6, size + 1e-6]
    r = random.Random(seed)
    chosen = near + fine + odd
    return (chosen + [r.uniform(-2 * size, 3 * size) for _ in range(count)])[:count]


def several(sizes, seed, count, scale=False):
    """The same for several dimensions. scale: normalized."""
    columns = [positions(size, seed + k, count) for k, size in enumerate(sizes)]
    r = random.Random(seed)
    for column in columns[1:]:
        r.shuffle(column)
    if scale:
        columns = [[f32(v) / size for v in column] for column, size in zip(columns, sizes)]
    return [value for row in zip(*columns) for value in row]


def samplers(with_texels=("clamp", "border")):
    """(address, filter, normalized): in texels where CUDA allows it, then normalized."""
    return ([(a, f, False) for a in with_texels for f in ("point", "linear")] +
            [(a, f, True) for a in MODES for f in ("point", "linear")])


def sampled(dtype, values, channels, of, shape, border=None):
    """One texture for each sampler, all with the same texels."""
    made_of = []
    for k, (address, how, normalized) in enumerate(of):
        more = {"border": border} if address == "border" or "border" in address else {}
        made_of.append(Texture(f"t{k}", dtype, values if k == 0 else None, channels, "texels.in.bin", address=address,
                               filter=how, normalized=normalized, **more, **shape))
    return made_of


n = 320
Case("texture_1d", 3, 128, [
    *sampled("f32", numbers(1, 13, -9, 9), 1, samplers(), {"width": 13}, [2.5, 0, 0, 0]),
    given("x", "f32", several([13], 2, n)), given("u", "f32", several([13], 3, n, True)),
    made("out", "f32", 12 * n), i32(n)], ["out"])

n = 256
Case("texture_2d", 2, 128, [
    *sampled("f32", numbers(4, 7 * 5 * 2, -9, 9), 2, samplers() + [(["wrap", "border"], "linear", True)],
             {"width": 7, "height": 5}, [2.5, -1.5, 0, 0]),
    given("x", "f32", several([7, 5], 5, n)), given("u", "f32", several([7, 5], 6, n, True)),
    made("out", "f32", 2 * 13 * n), i32(n)], ["out"])

n = 256
Case("texture_3d", 2, 128, [
    *sampled("f32", numbers(7, 5 * 4 * 3, -9, 9), 1,
             [("clamp", "point", False), ("border", "linear", False), ("wrap", "point", True), ("wrap", "linear", True),
              ("mirror", "linear", True), ("mirror", "point", True), ("border", "linear", True),
              ("clamp", "linear", True), (["wrap", "mirror", "clamp"], "linear", True)],
             {"width": 5, "height": 4, "depth": 3}, [-3.0, 0, 0, 0]),
    given("x", "f32", several([5, 4, 3], 8, n)), given("u", "f32", several([5, 4, 3], 9, n, True)),
    made("out", "f32", 9 * n), i32(n)], ["out"])

n = 256
layers = integers(10, n - 8, -3, 6) + [2**31 - 1, -2**31, 4, 5, -1, 0, 65536, 2047]
Case("texture_layers", 2, 128, [
    Texture("a", "f32", numbers(11, 6 * 4), 1, "lines.in.bin", width=6, layers=4),
    Texture("b", "f32", None, 1, "lines.in.bin", width=6, layers=4, filter="linear", address="border",
            border=[0.5, 0, 0, 0]),
    Texture("c", "f32", numbers(12, 6 * 5 * 4 * 2), 2, "planes.in.bin", width=6, height=5, layers=4, address="border"),
    Texture("d", "f32", None, 2, "planes.in.bin", width=6, height=5, layers=4, filter="linear"),
    given("x", "f32", several([6, 5], 13, n)), given("layer", "i32", layers),
    made("lines", "f32", 2 * n), made("planes", "f32", 4 * n), i32(n)], ["lines", "planes"])


def directions(seed, count):
    r = random.Random(seed)
    axes = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    ties = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    odd = [(nan, 1, 1), (1, nan, 1), (1, 1, nan), (inf, 1, 1), (-inf, inf, 2), (0, 0, 0), (-0.0, 0, 0), (1e30, 1, 2),
           (1e-40, 0, 0), (1e-30, 2e-30, 3e-30), (2, -2, 1), (-2, 1, 2)]
    exact = [(4, 2 * a + 1, 2 * b + 1) for a in range(-2, 2) for b in range(-2, 2)]
    some = [v for triple in axes + ties + odd + exact for v in triple]
    while len(some) < 3 * count:
        some.append(r.uniform(-1, 1))
    return some


n = 512
Case("texture_cube", 4, 128, [
    Texture("a", "f32", numbers(14, 6 * 16), 1, "faces.in.bin", width=4, cube=True, normalized=True),
    Texture("b", "f32", None, 1, "faces.in.bin", width=4, cube=True, normalized=True, filter="linear"),
    Texture("c", "f32", None, 1, "faces.in.bin", width=4, cube=True, normalized=True, filter="linear", seamless=True),
    Texture("d", "f32", numbers(15, 3 * 6 * 16), 1, "layers.in.bin", width=4, cube=True, layers=3, normalized=True),
    Texture("e", "f32", None, 1, "layers.in.bin", width=4, cube=True, layers=3, normalized=True, filter="linear"),
    given("at", "f32", directions(16, n)), given("layer", "i32", integers(17, n, -1, 4)),
    made("out", "f32", 5 * n), i32(n)], ["out"])

LIMITS = {"u8": (0, 255), "i8": (-128, 127), "u16": (0, 65535), "i16": (-32768, 32767), "u32": (0, 2**32 - 1),
          "i32": (-2**31, 2**31 - 1)}


def texels(dtype, seed, count):
    if dtype in LIMITS:
        low, high = LIMITS[dtype]
        return [low, high, low + 1, high - 1, 0, 1] + integers(seed, count - 6, low, high)
    return [0.0, -0.0, 1.0, 2.0**-14 if dtype == "f16" else 2.0**-120, 2.0**-20 if dtype == "f16" else 2.0**-140,
            -2.5] + numbers(seed, count - 6, -4, 4)


def formats(dtypes, letters, **described):
    textures = []
    for k, (dtype, channels) in enumerate((d, c) for d in dtypes for c in (1, 2, 4)):
        for letter in letters:
            textures.append(Texture(f"{letter}{k}", dtype, texels(dtype, k, 12 * channels) if letter == letters[0] else
                                    None, channels, f"texels{k}.in.bin", width=4, height=3, address="border",
                                    filter="linear" if letter == "l" else "point", border=[0.25, -0.75, 2.0, 100.0],
                                    **({"read": "normalized_float"} if dtype in LIMITS and described else {})))
    return textures


n = 48
Case("texture_floats", 1, 64, [
    *formats(["u8", "i8", "u16", "i16", "f16", "f32"], "pl", read="normalized_float"),
    given("x", "f32", several([4, 3], 18, 24) + numbers(19, 2 * (n - 24), 0, 4)), made("out", "f32", 4 * 36 * n),
    i32(n)], ["out"])
Case("texture_integers", 1, 64, [
    *formats(["u8", "i8", "u16", "i16", "u32", "i32"], "t"),
    given("x", "f32", several([4, 3], 20, 24) + numbers(21, 2 * (n - 24), 0, 4)), made("out", "i32", 4 * 18 * n),
    i32(n)], ["out"])

n = 96
Case("texture_linear_memory", 1, 96, [
    Texture("a", "f32", numbers(22, 40), 1, width=40, memory="linear"),
    Texture("b", "f32", numbers(23, 80), 2, width=40, memory="linear"),
    Texture("c", "i8", integers(24, 40, -128, 127), 1, width=40, memory="linear"),
    Texture("d", "u8", integers(25, 160, 0, 255), 4, width=40, memory="linear", read="normalized_float"),
    Texture("e", "u16", integers(26, 80, 0, 65535), 2, width=40, memory="linear"),
    Texture("f", "f32", numbers(27, 9 * 6), 1, "rows.in.bin", width=9, height=6, memory="pitch"),
    Texture("g", "f32", None, 1, "rows.in.bin", width=9, height=6, memory="pitch", filter="linear", address="border",
            border=[7, 8, 9, 10]),
    Texture("h", "u8", integers(28, 9 * 6 * 4, 0, 255), 4, width=9, height=6, memory="pitch", filter="linear",
            read="normalized_float"),
    given("index", "i32", list(range(-4, 50)) + [2**27 - 1, 2**27, 2**28, -2**31, 2**31 - 1, 65536] +
          integers(29, n - 60, 0, 39)),
    given("x", "f32", several([9, 6], 30, n)), made("out", "f32", 4 * 6 * n), i32(n)], ["out"])

n = 256
Case("texture_gather", 2, 128, [
    Texture("a", "f32", numbers(31, 7 * 5 * 4), 4, width=7, height=5),
    Texture("b", "u8", integers(32, 7 * 5 * 2, 0, 255), 2, width=7, height=5, read="normalized_float", address="wrap",
            normalized=True, filter="linear"),
    Texture("c", "f16", numbers(33, 7 * 5 * 4), 4, width=7, height=5, address=["border", "mirror"], normalized=True,
            border=[1, 2, 3, 4]),
    Texture("d", "i32", integers(34, 7 * 5 * 2, -2**31, 2**31 - 1), 2, width=7, height=5, address="mirror",
            normalized=True),
    given("x", "f32", several([7, 5], 35, n)), given("u", "f32", several([7, 5], 36, n, True)),
    made("out", "f32", 16 * n), made("whole", "i32", 4 * n), i32(n)], ["out", "whole"])

n = 512
steps = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, -1, 0.498, 0.502, 1.4999, nan, inf, -inf, 1 / 512, 1 / 256,
         3 / 512, 0.1, 100.0]
levels = steps + numbers(37, n - len(steps), -0.5, 3.5)
r = random.Random(39)
parts = [r.random() for _ in range(3 * n)]
at = [v for k in range(n) for v in (-0.25 + 1.5 * parts[3 * k + 1], parts[3 * k + 2], levels[k])]
Case("texture_mipmaps", 4, 128, [
    Texture("a", "f32", numbers(40, 85), 1, "planes.in.bin", width=8, height=8, levels=4, normalized=True),
    Texture("b", "f32", None, 1, "planes.in.bin", width=8, height=8, levels=4, normalized=True, filter="linear",
            mip_filter="linear", address="wrap"),
    Texture("c", "f32", None, 1, "planes.in.bin", width=8, height=8, levels=4, normalized=True, filter="linear",
            mip_filter="linear", address="mirror", mip_bias=0.3, mip_clamp=[0.6, 2.4]),
    Texture("d", "f32", numbers(41, 31), 1, width=16, levels=5, normalized=True, filter="linear", mip_filter="point"),
    Texture("e", "f32", numbers(42, 64 + 8 + 1), 1, width=4, height=4, depth=4, levels=3, normalized=True,
            filter="linear", mip_filter="linear"),
    given("at", "f32", at), made("out", "f32", 5 * n), i32(n)], ["out"])

Case("texture_queries", 1, 32, [
    Texture("a", "f32", numbers(43, 9), 1, width=9), Texture("b", "u8", integers(44, 7 * 5 * 4, 0, 255), 4, width=7,
                                                             height=5),
    Texture("c", "f16", numbers(45, 3 * 4 * 5), 1, width=3, height=4, depth=5),
    Texture("d", "i16", integers(46, 6 * 5 * 3 * 2, -9, 9), 2, width=6, height=5, layers=3),
    Texture("e", "f32", numbers(47, 6 * 16), 1, width=4, cube=True),
    Texture("f", "f32", numbers(48, 20), 1, width=20, memory="linear"),
    Surface("g", "f32", numbers(49, 9), 1, width=9), Surface("h", "u8", integers(50, 7 * 5 * 4, 0, 255), 4, width=7,
                                                             height=5),
    Surface("k", "u16", integers(51, 3 * 4 * 5, 0, 9), 1, width=3, height=4, depth=5),
    made("out", "i32", 27)], ["out"])


# Texel i holds i: the result shows how a coordinate is rounded to a position in 1/256 of a texel.
def weights(size, seed, count):
    r = random.Random(seed)
    some = []
    while len(some) < count:
        texel, eighths = r.randrange(1, size - 1), r.randrange(0, 2048)
        middle = texel + eighths / 2048
        some += [middle, after(middle, 1), after(middle, -1), r.uniform(0.5, size - 0.5)]
    return some[:count]


n = 1024
place = weights(64, 52, n)
Case("texture_weights", 8, 128, [
    Texture("a", "f32", list(range(64)), 1, width=64, filter="linear"),
    Texture("b", "f32", None, 1, "a.in.bin", width=64, filter="linear", normalized=True),
    Texture("c", "f32", list(range(100)), 1, width=100, filter="linear", normalized=True, address="wrap"),
    Texture("d", "f32", list(range(1000)), 1, width=1000, filter="linear", normalized=True),
    Texture("e", "f32", list(range(3)), 1, width=3, filter="linear", normalized=True, address="mirror"),
    Texture("f", "f32", list(range(4096)), 1, width=4096, filter="linear", normalized=True, address="wrap"),
    given("x", "f32", place), given("u", "f32", [v / 64 for v in place]), made("out", "f32", 6 * n), i32(n)], ["out"])

n = 2048
r = random.Random(53)
spread = [r.uniform(-1, 1) * 2.0**r.randrange(-30, 30) for _ in range(64)]
where = [(r.randrange(0, 16) * 256 + r.randrange(0, 512)) / 256 for _ in range(3 * n)]
nearby = [1 + r.randrange(0, 64) * 2.0**-23 for _ in range(20)]
Case("texture_rounding", 16, 128, [
    Texture("line", "f32", spread[:20], 1, width=20, filter="linear"),
    Texture("plane", "f32", numbers(54, 400, -1, 1), 1, width=20, height=20, filter="linear"),
    Texture("volume", "f32", numbers(55, 20 * 20 * 20, -1, 1), 1, width=20, height=20, depth=20, filter="linear"),
    Texture("half", "f16", numbers(56, 400, -1, 1), 1, width=20, height=20, filter="linear"),
    Texture("u8", "u8", integers(57, 400, 0, 255), 1, width=20, height=20, filter="linear", read="normalized_float"),
    Texture("i8", "i8", integers(58, 400, -128, 127), 1, width=20, height=20, filter="linear",
            read="normalized_float"),
    Texture("u16", "u16", integers(59, 400, 0, 65535), 1, width=20, height=20, filter="linear",
            read="normalized_float"),
    Texture("i16", "i16", integers(60, 400, -32768, 32767), 1, width=20, height=20, filter="linear",
            read="normalized_float"),
    Texture("close", "f32", nearby, 1, width=20, filter="linear"),
    given("x", "f32", where), made("out", "f32", 9 * n), i32(n)], ["out"])

n = 64
Case("texture_choice", 1, 64, [
    Texture("a", "f32", numbers(61, 20), 1, width=5, height=4, filter="point"),
    Texture("b", "f32", numbers(62, 20), 1, width=5, height=4),
    Texture("c", "f32", numbers(63, 20), 1, width=5, height=4, filter="linear"),
    given("x", "f32", several([5, 4], 64, n)), given("which", "i32", integers(65, n - 1, 0, 2) + [1]),
    made("out", "f32", 3 * n), i32(n)], ["out"])

# Texture and surface variables of the module.
n = 32
Case("texture_references", 1, 32, [given("at", "f32", several([5, 3], 66, n)), made("out", "f32", 2 * n), i32(n)],
     ["out", "target"], references=[
         Texture("image", "f32", numbers(67, 30), 2, width=5, height=3, address="border", border=[1, 2, 3, 4]),
         Surface("target", "u32", integers(68, 32, 0, 999), 1, width=32)])
