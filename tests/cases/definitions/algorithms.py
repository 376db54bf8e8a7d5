"""Cases that are whole algorithms."""
import random
import struct

from .case import Case, Scalar, given, i32, integers, made, numbers, words

Case("scan_block", 3, 256, [given("x", "i32", integers(1, 700, -99, 99)), made("inclusive", "i32", 700),
                            made("exclusive", "i32", 700), i32(700)], ["inclusive", "exclusive"])
Case("bitonic_sort", 2, 256, [given("x", "i32", integers(1, 512, -10**6, 10**6)), made("keys", "i32", 512),
                              made("values", "i32", 512), made("by_warp", "i32", 512)], ["keys", "values", "by_warp"])
Case("radix_sort", 2, 128, [given("x", "u32", words(1, 256)), made("y", "u32", 256)], ["y"])
Case("convolution", (3, 4), (16, 8), [given("x", "f32", numbers(1, 45 * 29)), made("y", "f32", 45 * 29), i32(45),
                                      i32(29)],
     ["y"])

r = random.Random(2)
lengths = [r.choice([0, 1, 5, 17, 33, 40]) for _ in range(70)]
starts = [sum(lengths[:k]) for k in range(71)]
Case("sparse_product", 3, 32, [
    given("starts", "i32", starts), given("columns", "i32", integers(3, starts[-1], 0, 63)),
    given("values", "f32", numbers(4, starts[-1])), given("x", "f32", numbers(5, 64)), made("by_thread", "f32", 70),
    made("by_warp", "f32", 70), i32(70)], ["by_thread", "by_warp"])
Case("stencil", (3, 2), (8, 8), [given("x", "f64", numbers(6, 19 * 13 * 7)), made("y", "f64", 19 * 13 * 7), i32(19),
                                 i32(13),
                                 i32(7), Scalar("f64", 0.4), Scalar("f64", 0.1)], ["y"])
Case("matrix_vector", 3, 256, [given("a", "f32", numbers(7, 21 * 148)), given("x", "f32", numbers(8, 148)),
                               given("y", "f32", numbers(9, 21)), i32(21), i32(37), Scalar("f32", 0.75)], ["y"],
     shared=592)

weights = []
for k in range(400):
    scale = struct.unpack("<H", struct.pack("<e", r.uniform(0.001, 0.1)))[0]
    weights += [scale] + [r.getrandbits(32) for _ in range(4)]
Case("quantised_dot", 3, 128, [given("w", "u32", weights), given("activations", "u32", words(10, 320)),
                               given("scales", "f32", numbers(11, 40, 0.01, 0.2)), made("y", "f32", 10), i32(10),
                               i32(40)], ["y"])
Case("philox", 2, 64, [made("words", "u32", 512), made("uniform", "f32", 512), Scalar("u64", 0x123456789ABCDEF),
                       Scalar("u32", 42)],
     ["words", "uniform"], entry="philox_random")

text = b"A warp walks; a Warp of 32 lanes walks where a warp's lanes walk. "
text = (text + b"WARPWALK, warpwalk, wirpwalk and a carpwalk: ") * 3
pattern = b"w?rpwalk"
Case("string_search", 3, 128, [given("text", "i8", text), i32(len(text)), given("pattern", "i8", pattern),
                               i32(len(pattern)),
                               made("found", "u8", len(text)), made("count", "i32", 1),
                               made("first", "i32", 1, 2**31 - 1)],
     ["found", "count", "first"])
Case("mandelbrot", (3, 9), (16, 4), [made("steps", "u8", 45 * 33), made("last", "f32", 45 * 33), i32(45), i32(33),
                                     Scalar("f32", 0.07)], ["steps", "last"])
Case("matrix_double", (3, 3), (8, 8), [given("a", "f64", numbers(12, 19 * 17)), given("b", "f64", numbers(13, 17 * 21)),
                                       made("c", "f64", 19 * 21), made("factor", "f64", 64), i32(19), i32(21), i32(17)],
     ["c", "factor"])
Case("sha256", 2, 32, [given("messages", "u8", words(14, 40 * 64, 8)), made("digests", "u32", 320), i32(40)],
     ["digests"])
Case("fourier", 2, 128, [given("x", "f32", numbers(15, 1024)), made("y", "f32", 1024), Scalar("f32", -1.0)], ["y"])
Case("game_of_life", 1, 64, [given("x", "u32", words(16, 37)), made("y", "u32", 37), i32(37), i32(9)], ["y"],
     shared=296)

neighbours = [sorted({r.randrange(200) for _ in range(r.choice([0, 1, 2, 3, 5]))}) for _ in range(200)]
neighbours[0] = [17, 90, 141]
Case("breadth_first_search", 1, 64, [
    given("starts", "i32", [sum(map(len, neighbours[:k])) for k in range(201)]),
    given("edges", "i32", [v for row in neighbours for v in row]), made("distance", "i32", 200),
    made("levels", "i32", 1),
    i32(200)], ["distance", "levels"])
Case("edit_distance", 5, 64, [given("words", "u8", [97 + v for v in integers(23, 400, 0, 3)]),
                              made("distances", "i32", 5),
                              i32(40)], ["distances"])

# Approximate: README.md gives the reason for each tolerance.
bodies = [v for k in range(100) for v in numbers(100 + k, 3) + numbers(300 + k, 1, 0.1, 1)]
Case("n_body", 2, 64, [given("bodies", "f32", bodies), made("force", "f32", 400), i32(100)], ["force"])
Case("layer_norm", 5, 64, [given("x", "f16", numbers(17, 385)), given("gain", "f32", numbers(18, 77, 0.5, 1.5)),
                           given("bias", "f32", numbers(19, 77)), made("y", "f16", 385), i32(77), Scalar("f32", 1e-5)],
     ["y"])
Case("attention", 3, 32, [given("q", "f32", numbers(20, 1280)), given("k", "f32", numbers(21, 1280)),
                          given("v", "f32", numbers(22, 1280)), made("o", "f32", 1280), i32(80), Scalar("f32", 0.25)],
     ["o"])
