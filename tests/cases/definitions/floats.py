"""Cases of floating-point arithmetic: all pairs of special values, then random bit patterns and near-equal pairs."""
import random
import struct

from .case import Case, given, i32, integers, made, numbers, words

# 0, 1, infinity, NaN, smallest and largest denormal and normal, a third, one whose square is denormal, 2^63.
S16 = [0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x0001, 0x83FF, 0x0400, 0x8401, 0x7BFF, 0xFBFF, 0x3555,
       0x3C01]
SB16 = [0, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x0001, 0x807F, 0x0080, 0x8081, 0x7F7F, 0xFF7F, 0x3EAB,
        0x3F81]
S32 = [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x807FFFFF, 0x00800000,
       0x80800001, 0x7F7FFFFF, 0xFF7FFFFF, 0x3EAAAAAB, 0x3F800001, 0x20310000, 0x5F000000]
S64 = [0, 1 << 63, 0x3FF << 52, 0xBFF << 52, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 1, (1 << 63) | ((1 << 52) - 1),
       1 << 52, (1 << 63) | (1 << 52) | 1, (0x7FF << 52) - 1, (0xFFF << 52) - 1, 0x3FD5555555555555, (0x3FF << 52) + 1,
       0x1FF5 << 48]


def sample(special, count, bits, seed):
    """Two lists of bit patterns: all pairs of special values, random values, and values close to their partner."""
    r = random.Random(seed)
    both = [(p, q) for p in special for q in special]
    while len(both) < count:
        p = r.getrandbits(bits)
        both.append((p, r.getrandbits(bits)) if len(both) % 2 else (p, (p ^ r.getrandbits(4)) ^ (1 << (bits - 1))))
    both = both[:count]
    return [p for p, _ in both], [q for _, q in both]


def shuffled(values, seed):
    values = list(values)
    random.Random(seed).shuffle(values)
    return values


def triple(name, dtype, special, count, bits, outputs, grid, block, seed):
    a, b = sample(special, count, bits, seed)
    Case(name, grid, block, [given("a", dtype, a, bits=True), given("b", dtype, b, bits=True),
                             given("c", dtype, shuffled(a, seed), bits=True), *outputs(count)],
         [o.name for o in outputs(count) if hasattr(o, "name")])


triple("f32_rounding", "f32", S32, 400, 32, lambda n: [made("y", "f32", n * 28), i32(n)], 7, 64, 1)
triple("f64_rounding", "f64", S64, 320, 64, lambda n: [made("y", "f64", n * 28), i32(n)], 5, 64, 2)
triple("f32_flush_to_zero", "f32", S32, 400, 32,
       lambda n: [made("y", "f32", n * 14), made("z", "i32", n * 5), made("w", "f64", n), i32(n)], 7, 64, 3)
triple("f32_saturation", "f32", S32, 350, 32, lambda n: [made("y", "f32", n * 9), i32(n)], 6, 64, 4)
triple("f16_arithmetic", "f16", S16, 300, 16, lambda n: [made("y", "f16", n * 16), made("masks", "u32", n), i32(n)],
       5, 64, 5)

a, b = sample(S32, 350, 32, 6)
Case("f32_compare", 6, 64, [given("a", "f32", a, bits=True), given("b", "f32", b, bits=True), made("masks", "u32", 350),
                            made("y", "f32", 350 * 9), i32(350)], ["masks", "y"])


def packed(special, seed):
    a, b = sample(special, 400, 16, seed)
    return a, b, shuffled(a, seed)


a, b, c = packed(S16, 7)
Case("f16_pairs", 4, 64, [given("a", "f16", a, bits=True), given("b", "f16", b, bits=True),
                          given("c", "f16", c, bits=True),
                          made("y", "f16", 200 * 28), made("sums", "f32", 200), i32(200)], ["y", "sums"])
a, b, c = packed(SB16, 8)
Case("bf16_arithmetic", 4, 64, [given("a", "bf16", a, bits=True), given("b", "bf16", b, bits=True),
                                given("c", "bf16", c, bits=True), made("y", "bf16", 200 * 18),
                                made("z", "bf16", 200 * 7),
                                i32(200)], ["y", "z"])

# Ties, the limits of every integer type, infinities and NaN.
EDGES = [0.5, 1.5, 2.5, 0.49999997, 127.5, 128.0, 128.5, 255.5, 256.0, 32767.5, 32768.0, 65535.5, 65536.0, 8388609.0,
         2147483520.0, 2147483648.0, 4294967040.0, 4294967296.0, 9.2233715e18, 9.2233720368547758e18, 1.8446743e19,
         1.8446744073709552e19, 1e30]
edges32 = [struct.unpack("<I", struct.pack("<f", s * v))[0] for v in EDGES for s in (1, -1)] + S32
edges64 = [struct.unpack("<Q", struct.pack("<d", s * v))[0]
           for v in EDGES + [2147483647.5, 4294967295.5, 9007199254740993.0] for s in (1, -1)] + S64
ints = [0, 1, -1, 2**31 - 1, -2**31, 2**24 + 1, -2**24 - 1, 2**25 + 3, 255, 128, 32768, 65535, 2049, 2051, -65521]
longs = [0, 1, 2**64 - 1, 2**63, 2**63 - 1, 2**53 + 1, 2**24 + 1, 2**40 + 2**16 + 1, 2**64 - 2**39, 2**64 - 2**40 - 1]
bits = edges32 + words(10, 97 - len(edges32))
Case("convert_f32", 2, 64, [given("a", "f32", bits, bits=True),
                            given("b", "i32", ints + integers(11, 97 - len(ints), -10**9, 10**9)),
                            given("c", "u64", longs + words(12, 97 - len(longs), 64)), made("y", "i32", 97 * 13),
                            made("w", "u64", 97 * 4), made("z", "f32", 97 * 15), i32(97)], ["y", "w", "z"])
bits = edges64 + words(13, 99 - len(edges64), 64)
Case("convert_f64", 2, 64, [given("a", "f64", bits, bits=True),
                            given("b", "u64", longs + words(14, 99 - len(longs), 64)),
                            made("y", "i64", 990), made("z", "f32", 99 * 4), made("w", "f64", 99 * 8), i32(99)],
     ["y", "z", "w"])
narrow = [65504.0, 65519.0, 65520.0, 65536.0, 6.1e-5, 5.96e-8, 2.98e-8, 2.97e-8, 1.0009765, 1.00048828125, 3.4e38]
bits = [struct.unpack("<I", struct.pack("<f", s * v))[0] for v in narrow for s in (1, -1)] + edges32
bits += [struct.unpack("<I", struct.pack("<f", v))[0] for v in numbers(15, 120 - len(bits), -1000, 1000)]
Case("convert_f16", 2, 64, [given("a", "f32", bits, bits=True),
                            given("b", "i32", ints + integers(16, 120 - len(ints), -70000, 70000)),
                            given("c", "f16", S16 + words(17, 120 - len(S16), 16), bits=True), made("y", "f16", 1200),
                            made("z", "bf16", 600), made("w", "i32", 960), made("v", "f32", 120), i32(120)],
     ["y", "z", "w", "v"])

Case("fused_contraction", 2, 32, [given("a", "f32", numbers(20, 50)), given("b", "f32", numbers(21, 50)),
                                  given("c", "f64", numbers(22, 50)), made("y", "f32", 100), made("z", "f64", 50),
                                  i32(50)],
     ["y", "z"])

wide = numbers(30, 100, -10, 10) + numbers(31, 60, -1e5, 1e5)
wide += [0.0, 1.0, -1.0, 1e-30, 1e30, 3.1415927, 1e-40, 105615.0]
Case("f32_functions", 3, 64, [given("a", "f32", wide), given("b", "f32", shuffled(wide, 32)),
                              made("y", "f32", 168 * 12),
                              made("e", "i32", 168), i32(168)], ["y", "e"])
Case("f64_functions", 2, 64, [given("a", "f64", numbers(33, 100, -20, 20)),
                            given("b", "f64", numbers(34, 100, -20, 20)),
                              made("y", "f64", 800), made("z", "i64", 100), i32(100)], ["y", "z"])

# The rest is approximate: README.md gives the reason for each tolerance.
plain = [v if abs(v) > 0.01 else 0.5 for v in numbers(40, 200, -12, 12)]
Case("approximations", 4, 64, [given("a", "f32", plain), made("reciprocals", "f32", 1200), made("powers", "f32", 400),
                               made("waves", "f32", 400), made("logs", "f32", 200), made("tanhs", "f32", 200),
                               i32(200)],
     ["reciprocals", "powers", "waves", "logs", "tanhs"])
Case("f32_functions_approximate", 4, 64, [given("a", "f32", numbers(41, 200, -6, 6)),
                                          given("b", "f32", numbers(42, 200, -6, 6)),
                                          made("y", "f32", 2400), i32(200)], ["y"])
Case("fast_math", 4, 64, [given("a", "f32", numbers(43, 200, -6, 6)), given("b", "f32", numbers(44, 200, -6, 6)),
                          made("y", "f32", 1200), i32(200)], ["y"])
half = [v if abs(v) > 0.01 else 0.5 for v in numbers(45, 128, -6, 6)]
Case("half_approximations", 1, 64, [given("a", "f16", half), made("y", "f16", 1152), made("rough", "f16", 256),
                                    i32(64)],
     ["y", "rough"])
Case("f64_functions_refined", 2, 64, [given("a", "f64", numbers(46, 100, -9, 9)),
                                      given("b", "f64", numbers(47, 100, -9, 9)),
                                      made("y", "f64", 800), made("rough", "f64", 200), i32(100)],
     ["y", "rough"])
