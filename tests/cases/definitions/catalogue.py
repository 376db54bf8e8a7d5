"""Kernels of the tensor library (kernels/): one or two of every family, in all types and with strides."""
from .case import Case, Scalar, Struct, given, i32, i64, integers, made, numbers

MOST_DIMS = 8  # kernels/elements.cuh


def layout(sizes, *strides):
    """The kernels' struct Layout: sizes and each tensor's strides, innermost dimension first."""
    pad = [0] * (MOST_DIMS - len(sizes))
    return Struct(f"i{MOST_DIMS}i4x{MOST_DIMS * len(strides)}q", len(sizes), *sizes, *pad,
                  *[stride for of in strides for stride in [*of, *pad]])


def op(module, entry, grid, block, args, expect=("y",)):
    Case("catalogue_" + entry, grid, block, args, expect if isinstance(expect, dict) else list(expect), entry=entry,
         ptx=f"../../../assets/ptx/{module}.ptx")


nan, inf = float("nan"), float("inf")
odd = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan]
whole = [0, 1, -1, 2**31 - 1, -2**31]

# Elementwise, contiguous. exp: 2 ulp of f32 (CUDA programming guide), after which an f16 may round the other way.
op("unary", "exp_f16", 2, 256, [given("x", "f16", odd + numbers(1, 400, -12, 12)), made("y", "f16", 407), i32(407)],
   {"y": (9.8e-4, 6e-8)})
op("unary", "sqrt_f64", 2, 256, [given("x", "f64", odd + numbers(2, 300, 0, 1e6)), made("y", "f64", 307), i32(307)])
op("unary", "relu_bf16", 1, 256, [given("x", "bf16", [0.0, -0.0] + numbers(3, 200)), made("y", "bf16", 202), i32(202)])
op("unary", "neg_i64", 1, 256, [given("x", "i64", [-2**63, 2**63 - 1] + whole), made("y", "i64", 7), i32(7)])
op("binary", "div_f32", 2, 256, [given("a", "f32", odd + numbers(4, 300, -9, 9)),
                                 given("b", "f32", numbers(5, 300, -9, 9) + odd), made("y", "f32", 307), i32(307)])
op("binary", "mul_f16", 2, 256, [given("a", "f16", odd + numbers(6, 300, -300, 300)),
                                 given("b", "f16", numbers(7, 300, -300, 300) + odd), made("y", "f16", 307), i32(307)])
op("binary", "mul_i32", 1, 256, [given("a", "i32", whole * 5), given("b", "i32", sorted(whole * 5)),
                                 made("y", "i32", 25), i32(25)])
op("number", "add_number_bf16", 1, 256, [given("x", "bf16", numbers(8, 200)), made("y", "bf16", 200),
                                         Scalar("f32", 0.1), i32(200)])
op("add_scaled", "add_scaled_f32", 1, 256, [given("a", "f32", numbers(9, 200)), given("b", "f32", numbers(10, 200)),
                                            made("y", "f32", 200), Scalar("f32", 0.3), i32(200)])

# Strided: a 12 x 20 result from a transposed tensor, a broadcast row, and every other column.
op("unary_strided", "neg_strided_f32", 1, 256, [given("x", "f32", numbers(11, 240)), made("y", "f32", 240),
                                                layout((20, 12), (12, 1), (1, 20)), i32(240)])
op("binary_strided", "add_strided_bf16", 1, 256, [given("a", "bf16", numbers(12, 240)),
                                                  given("b", "bf16", numbers(13, 20)), made("y", "bf16", 240),
                                                  layout((20, 12), (12, 1), (1, 0), (1, 20)), i32(240)])
op("number_strided", "div_number_strided_f64", 1, 256, [given("x", "f64", numbers(14, 480)), made("y", "f64", 240),
                                                        Scalar("f64", 0.7), layout((20, 12), (2, 40), (1, 20)),
                                                        i32(240)])
op("threshold_backward", "threshold_backward_strided_f16", 1, 256,
   [given("gradient", "f16", numbers(15, 12)), given("x", "f16", numbers(16, 240)), made("y", "f16", 240),
    Scalar("f32", 0.0), layout((20, 12), (0, 1), (12, 1), (1, 20)), i32(240)])
op("fill", "fill_strided_b16", 1, 256, [made("y", "u16", 480), Scalar("u16", 0xABCD),
                                          layout((20, 12), (2, 40)), i32(240)])

# Casts. The hardware defines them exactly even where the result is undefined in C++.
op("copy", "copy_f32_i32", 1, 256, [given("x", "f32", odd + [3e9, -3e9, 2.5, -2.5] + numbers(17, 90, -1e4, 1e4)),
                                    made("y", "i32", 101), i32(101)])
op("copy", "copy_f64_bf16", 1, 256, [given("x", "f64", odd + [1e300, 1e-300] + numbers(18, 90)), made("y", "bf16", 99),
                                     i32(99)])
op("copy_strided", "copy_strided_i64_f16", 1, 256, [given("x", "i64", integers(19, 240, -70000, 70000)),
                                                    made("y", "f16", 240), layout((20, 12), (12, 1), (1, 20)),
                                                    i32(240)])

# Sums: one block per row of 300, two blocks per row with partial sums, one thread per column.
op("sum", "sum_f16_f16", 5, 96, [given("x", "f16", numbers(20, 1500)), made("y", "f16", 5), layout((5,), (300,)),
                                 layout((300,), (1,)), i32(300), i32(300)])
op("sum", "sum_bf16_f32", (5, 2), 64, [given("x", "bf16", numbers(21, 1500)), made("y", "f32", 10),
                                       layout((5,), (300,)), layout((300,), (1,)), i32(300), i32(160)])
op("sum", "sum_i32_i64", 5, 96, [given("x", "i32", integers(22, 1500, -2**31, 2**31 - 1)), made("y", "i64", 5),
                                 layout((5,), (300,)), layout((300,), (1,)), i32(300), i32(300)])
op("sum", "sum_columns_f64_f64", 3, 128, [given("x", "f64", numbers(23, 1500)), made("y", "f64", 300),
                                          layout((300,), (1,)), layout((5,), (300,)), i32(300), i32(5)])

# Products: a batch of two with A transposed and B shared by the batch; a transposed B; integers; a strided vector.
op("mm", "mm_f16", (6, 1, 2), (16, 16), [given("A", "f16", numbers(24, 2 * 20 * 40)),
                                         given("B", "f16", numbers(25, 20 * 25)),
                                         made("y", "f16", 2 * 40 * 25), i32(2), i32(40), i32(25), i32(20),
                                         Struct("3q", 800, 1, 40), Struct("3q", 0, 25, 1)])
op("mm", "mm_f64", (2, 1, 1), (16, 16), [given("A", "f64", numbers(26, 18 * 9)), given("B", "f64", numbers(27, 9 * 7)),
                                         made("y", "f64", 18 * 7), i32(1), i32(18), i32(7), i32(9),
                                         Struct("3q", 0, 9, 1), Struct("3q", 0, 1, 9)])
op("mm", "mm_i64", (1, 1, 1), (16, 16), [given("A", "i64", integers(28, 90, -2**63, 2**63 - 1)),
                                         given("B", "i64", integers(29, 63, -2**63, 2**63 - 1)), made("y", "i64", 70),
                                         i32(1), i32(10), i32(7), i32(9), Struct("3q", 0, 9, 1), Struct("3q", 0, 7, 1)])
op("mv", "mv_bf16", 11, 64, [given("A", "bf16", numbers(30, 11 * 130)), given("x", "bf16", numbers(31, 260)),
                             made("y", "bf16", 11), i32(130), i64(130), i64(1), i64(2)])
