"""Cases of the matrix instructions and of asynchronous copies.

Tensor cores have their own way of adding, which these outputs determine. For each step of m16n8k16 or m16n8k8, E is the
maximum of the exponent of the accumulator and the exponents of the products (a's exponent plus b's). Every product and
the accumulator are truncated towards zero to multiples of 2^(E - 25) and added exactly. The result is rounded towards
zero to f32, or to the nearest f16. So no case here needs a tolerance.
"""
import random

from .case import Case, bf16_bits, given, i32, integers, made, numbers, words


def mma(name, a, b, c):
    Case(name, 4, 32, [given("a", "f16", a), given("b", "f16", b), given("c", "f32", c), made("d", "f32", 512),
                       made("d8", "f32", 512), made("dh", "f16", 512)], ["d", "d8", "dh"])


mma("mma_f16", numbers(1, 1024), numbers(2, 512), numbers(3, 512))
mma("mma_f16_exact", integers(1, 1024, -4, 4), integers(2, 512, -4, 4), integers(3, 512, -20, 20))
Case("mma_bf16_ldmatrix", 1, 32, [given("a", "bf16", numbers(4, 1024)), given("b", "bf16", numbers(5, 1024)),
                                  made("c", "f32", 1024), made("raw", "u32", 160)], ["c", "raw"])
small = [bf16_bits(v) for v in range(-8, 9)]
Case("mma_bf16_k8", 3, 32, [
    given("a", "u32", [small[p] | small[q] << 16 for p, q in zip(integers(6, 192, 0, 16), integers(7, 192, 0, 16))]),
    given("b", "u32", [small[p] | small[q] << 16 for p, q in zip(integers(8, 96, 0, 16), integers(9, 96, 0, 16))]),
    given("c", "f32", integers(10, 384, -99, 99)), made("d", "f32", 384)], ["d"])
Case("wmma", 1, 128, [given("a", "f16", numbers(11, 32 * 48)), given("b", "f16", numbers(12, 32 * 48)),
                      given("c", "f32", numbers(13, 1024)), made("d", "f32", 1024), made("e", "f16", 1024)],
     ["d", "e"], entry="wmma_product")


def bit_patterns(seed, count, exponents):
    """16-bit patterns for f16 and bf16: random signs and fractions, and exponent bits chosen from `exponents`."""
    r = random.Random(seed)
    return [r.getrandbits(1) << 15 | r.choice(exponents) << 7 | r.getrandbits(7) for _ in range(count)]


# Eight tiles: exponents close together, far apart, denormal, with infinities and NaN (from 0xf8 in f16, 0xff in bf16).
SPREADS = [range(120, 132), range(96, 160), range(112, 144), range(0, 24), range(0, 248), range(200, 248),
           [0, 60, 120, 127, 128], [*range(100, 140), 0xF8, 0xFF]]
a = [v for k, spread in enumerate(SPREADS) for v in bit_patterns(20 + k, 256, spread)]
b = [v for k, spread in enumerate(SPREADS) for v in bit_patterns(30 + k, 128, spread)]
c = [v for k in range(8) for v in numbers(40 + k, 128, -(4.0 ** (2 * k - 6)), 4.0 ** (2 * k - 6))]
Case("mma_extremes", 8, 32, [
    given("a", "u32", [p | q << 16 for p, q in zip(a[::2], a[1::2])]),
    given("b", "u32", [p | q << 16 for p, q in zip(b[::2], b[1::2])]), given("c", "f32", c),
    made("halves", "f32", 1024),
    made("bfloats", "f32", 1024), made("narrow", "f16", 1024)], ["halves", "bfloats", "narrow"])

Case("async_copies", 1, 64, [given("x", "f32", numbers(14, 1280)), made("y", "f32", 64), i32(5)], ["y"])
Case("async_pipeline", 1, 32, [given("x", "i32", integers(15, 768, 0, 999)), made("y", "i32", 192), i32(6)], ["y"])

Case("matrix_transport", 1, 32, [given("x", "u32", words(16, 128)), made("y", "u32", 288)], ["y"])
Case("tensor_pipeline", (2, 2), 128, [given("a", "f16", integers(17, 64 * 96, -3, 3)),
                                      given("b", "f16", integers(18, 96 * 64, -3, 3)), made("c", "f32", 4096), i32(64),
                                      i32(96)], ["c"])
