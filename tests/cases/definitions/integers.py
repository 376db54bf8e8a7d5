"""Cases of integer arithmetic: all pairs of corner cases, then random words."""
from .case import Case, given, i32, made, signed, words


def pairs(corners, count, bits, seed):
    """Two lists of `count` values: all pairs of corner cases, then random words."""
    both = [(a, b) for a in corners for b in corners][:count]
    both += zip(words(seed, count - len(both), bits), words(seed + 1, count - len(both), bits))
    return [a for a, _ in both], [b for _, b in both]


C8 = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFF, 0x55]
C16 = [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x00FF]
C32 = [0, 1, 2, 3, 7, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x00010000, 0x12345678]
C64 = [0, 1, 3, 10, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 1, 1 << 32, 0xFFFFFFFF, 0x123456789ABCDEF0]

# The kernel combines element i with element n - 1 - i.
N = 192


def mirrored(corners, bits, seed):
    p, q = pairs(corners, 64, bits, seed)
    return p + words(seed, N - 128, bits) + q[::-1]


Case("integers_8_16", 3, 64, [
    given("a", "i8", signed(mirrored(C8, 8, 1), 8)),
    given("b", "u8", mirrored(C8, 8, 2)),
    given("c", "i16", signed(mirrored(C16, 16, 3), 16)),
    given("d", "u16", mirrored(C16, 16, 4)),
    made("ya", "i8", N * 8), made("yb", "u8", N * 8), made("yc", "i16", N * 8), made("yd", "u16", N * 8), i32(N)],
    ["ya", "yb", "yc", "yd"])

a, b = pairs(C32, 250, 32, 10)
shifts = [0, 1, 5, 31, 32, 33, 63, 64, 255, 256, 0xFFFFFFFF]
some = [shifts[k % len(shifts)] if k % 3 else v & 31 for k, v in enumerate(words(12, 250))]
Case("integers_32", 4, 64, [given("a", "i32", signed(a, 32)), given("b", "i32", signed(b, 32)),
                            given("shift", "u32", some),
                            made("y", "i32", 250 * 12), made("z", "u32", 250 * 12), i32(250)], ["y", "z"])

a, b = pairs(C64, 200, 64, 20)
Case("integers_64", 4, 64, [given("a", "i64", signed(a, 64)), given("b", "i64", signed(b, 64)),
                            given("shift", "u32", some[:200]), made("y", "i64", 1600), made("z", "u64", 1600),
                            i32(200)],
     ["y", "z"])

Case("integers_128", 2, 64, [given("a", "u64", a[:100]), given("b", "u64", b[100:]), made("y", "u64", 1000), i32(100)],
     ["y"])

long = [0xFFFFFFFF] * 8 + [0] * 8 + [0xFFFFFFFF, 0] * 8 + words(30, 60 * 8 - 32)
Case("carries", 2, 32, [given("a", "u32", long), given("b", "u32", [1] + long[:-1]), made("sums", "u32", 60 * 18),
                        made("products", "u32", 60 * 8), made("wide", "u64", 240), i32(60)],
     ["sums", "products", "wide"])

fields = [p | n << 8 for p in (0, 1, 8, 31, 32, 40, 63, 64, 255) for n in (0, 1, 8, 31, 32, 33, 64, 255)]
values = C64 + words(40, len(fields) - len(C64), 64)
Case("bits", 3, 32, [given("a", "u64", values), given("b", "u32", fields), made("y", "u32", len(fields) * 24),
                     made("z", "u64", len(fields) * 4), i32(len(fields))], ["y", "z"])

selectors = [0x3210, 0x7654, 0x0123, 0x8888, 0xFEDC, 0x7531, 0, 1, 2, 3, 31, 32, 33, 0x80000000, 0xFFFFFFFF]
Case("funnel_and_permute", 2, 64, [given("a", "u32", words(50, 120)), given("b", "u32", words(51, 120)),
                                   given("c", "u32", selectors + words(52, 120 - len(selectors))),
                                   made("y", "u32", 120 * 14), i32(120)], ["y"])

a, b = pairs([0, 0x80808080, 0x7F7F7F7F, 0xFFFFFFFF, 0x80007FFF], 100, 32, 60)
Case("dot_products", 2, 64, [given("a", "i32", signed(a, 32)), given("b", "i32", signed(b, 32)),
                             given("c", "i32", signed(words(62, 100), 32)), made("y", "i32", 1000), i32(100)], ["y"])

near = [0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -1, -128, -129, -32768, -32769, 2**31 - 1, -2**31]
a = [p for p in near for _ in near]
b = [q for _ in near for q in near]
Case("saturating_integers", 5, 64, [given("a", "i32", a), given("b", "i32", b), made("y", "i32", len(a) * 12),
                                    i32(len(a))], ["y"])

a, b = pairs([0, 0x80808080, 0x7F7F7F7F, 0xFFFFFFFF, 0x01FF807F, 0x80007FFF], 100, 32, 70)
Case("bytes_in_words", 2, 64, [given("a", "u32", a), given("b", "u32", b), made("y", "u32", 1400), i32(100)], ["y"])
