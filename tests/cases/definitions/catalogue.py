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
   ["y"])
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

# Activations. Functions that use ex2.approx or rcp.approx differ in the last bits; the others are exact.
op("gelu", "gelu_f16", 2, 256, [given("x", "f16", odd + numbers(32, 400, -6, 6)), made("y", "f16", 407), i32(407)],
   ["y"])
op("gelu", "gelu_tanh_f64", 1, 256, [given("x", "f64", odd + numbers(33, 200, -6, 6)), made("y", "f64", 207),
                                     i32(207)])
op("gelu", "gelu_backward_strided_f64", 1, 256, [given("g", "f64", numbers(34, 12)), given("x", "f64",
   numbers(35, 240, -6, 6)), made("y", "f64", 240), layout((20, 12), (0, 1), (12, 1), (1, 20)), i32(240)])
op("sigmoid", "sigmoid_f32", 2, 256, [given("x", "f32", odd + numbers(36, 300, -90, 90)), made("y", "f32", 307),
                                      i32(307)], ["y"])
op("sigmoid", "sigmoid_backward_bf16", 1, 256, [given("g", "bf16", numbers(37, 200)), given("y", "bf16",
   numbers(38, 200, 0, 1)), made("to", "bf16", 200), i32(200)], ["to"])
op("tanh", "tanh_f32", 2, 256, [given("x", "f32", odd + [1e-30, 88.0] + numbers(39, 300, -9, 9)),
                                made("y", "f32", 309), i32(309)], ["y"])
op("tanh", "tanh_backward_strided_f16", 1, 256, [given("g", "f16", numbers(40, 20)), given("y", "f16",
   numbers(41, 240)), made("to", "f16", 240), layout((20, 12), (1, 0), (1, 20), (12, 1)), i32(240)], ["to"])

# Powers: a call for most exponents, products for 2 and 3, and a loop for integers.
bases = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, -2.0, -8.0]
op("pow", "pow_f32", 2, 256, [given("a", "f32", bases * 9 + numbers(42, 300, 0, 9)),
                              given("b", "f32", sorted(bases[:-1] + [1 / 3]) * 9 + numbers(43, 300, -9, 9)),
                              made("y", "f32", 381), i32(381)], ["y"])
op("pow", "pow_number_i64", 1, 256, [given("x", "i64", [-2**63, 2**63 - 1] + integers(44, 90, -9, 9)),
                                     made("y", "i64", 92), i64(11), i32(92)])
op("pow", "pow_exponent_of_number_f64", 1, 256, [given("b", "f64", odd + numbers(45, 90, -9, 9)),
                                                 made("y", "f64", 97), Scalar("f64", 2.5), i32(97)])

# Maximum: NaN wins, and equal inputs share the gradient.
op("maximum", "maximum_f16", 2, 256, [given("a", "f16", odd * 7 + numbers(46, 300)),
                                      given("b", "f16", sorted(odd[:-1] + [nan]) * 7 + numbers(47, 300)),
                                      made("y", "f16", 349), i32(349)])
op("maximum", "maximum_strided_i32", 1, 256, [given("a", "i32", integers(48, 240, -2**31, 2**31 - 1)),
                                              given("b", "i32", integers(49, 20, -2**31, 2**31 - 1)),
                                              made("y", "i32", 240), layout((20, 12), (12, 1), (1, 0), (1, 20)),
                                              i32(240)])
op("maximum", "maximum_backward_f32", 1, 256, [given("g", "f32", numbers(50, 107)),
                                               given("a", "f32", odd + numbers(51, 100)),
                                               given("b", "f32", odd + numbers(52, 100)), made("y", "f32", 107),
                                               i32(107)])
op("amax", "amax_bf16_bf16", (5, 2), 64, [given("x", "bf16", numbers(53, 1500)), made("y", "bf16", 10),
                                          layout((5,), (300,)), layout((300,), (1,)), i32(300), i32(160)])
op("amax", "amax_columns_i64_i64", 3, 128, [given("x", "i64", integers(54, 1500, -2**63, 2**63 - 1)),
                                            made("y", "i64", 300), layout((300,), (1,)), layout((5,), (300,)),
                                            i32(300), i32(5)])
op("amax", "equal_mask_strided_f64", 1, 256, [given("x", "f64", (odd + [0.25, 0.5, 0.75]) * 24),
                                              given("m", "f64", [0.5, nan, 0.0, inf, 1.0] * 4),
                                              made("y", "f64", 240), layout((20, 12), (12, 1), (1, 0), (1, 20)),
                                              i32(240)])

# Rows, one block each: softmax of 7 rows of 300, and a layer norm over 5 rows of 90 with weight and bias.
rows, row = layout((7,), (300,), (300,)), layout((300,), (1,), (1,))
op("softmax_rows", "softmax_bf16", 7, 96, [given("x", "bf16", numbers(55, 2100, -9, 9)), made("y", "bf16", 2100),
                                           rows, row, i32(300)], ["y"])
op("softmax_rows", "log_softmax_f64", 7, 96, [given("x", "f64", numbers(56, 2100, -9, 9)), made("y", "f64", 2100),
                                              rows, row, i32(300)])
op("softmax_rows", "softmax_backward_f32", 7, 96,
   [given("g", "f32", numbers(57, 2100)), given("y", "f32", numbers(58, 2100, 0, 1)), made("to", "f32", 2100),
    layout((7,), (300,), (300,), (300,)), layout((300,), (1,), (1,), (1,)), i32(300)], ["to"])
op("layer_norm", "layer_norm_affine_f16", 5, 64,
   [given("x", "f16", numbers(59, 450, -3, 3)), given("weight", "f16", numbers(60, 90)),
    given("bias", "f16", numbers(61, 90)), made("y", "f16", 450), Scalar("f32", 1e-5),
    layout((5,), (90,), (0,), (0,), (90,)), layout((90,), (1,), (1,), (1,), (1,)), i32(90)])
op("layer_norm", "layer_norm_backward_weight_f64", 5, 64,
   [given("g", "f64", numbers(62, 450)), given("x", "f64", numbers(63, 450, -3, 3)),
    given("weight", "f64", numbers(64, 90)), made("to", "f64", 450), Scalar("f64", 1e-5),
    layout((5,), (90,), (90,), (0,), (90,)), layout((90,), (1,), (1,), (1,), (1,)), i32(90)], ["to"])

# A product that starts from a bias: 20 x 25, the bias repeated in every row.
op("addmm", "addmm_bf16", 4, (16, 16), [given("C", "bf16", numbers(65, 25)), given("A", "bf16", numbers(66, 20 * 40)),
                                        given("B", "bf16", numbers(67, 40 * 25)), made("y", "bf16", 500), i32(20),
                                        i32(25), i32(40), Struct("3q", 0, 0, 1), Struct("3q", 0, 40, 1),
                                        Struct("3q", 0, 1, 40)])
op("addmm", "addmm_i32", 4, (16, 16), [given("C", "i32", integers(68, 500, -2**31, 2**31 - 1)),
                                       given("A", "i32", integers(69, 800, -2**31, 2**31 - 1)),
                                       given("B", "i32", integers(70, 1000, -2**31, 2**31 - 1)), made("y", "i32", 500),
                                       i32(20), i32(25), i32(40), Struct("3q", 0, 25, 1), Struct("3q", 0, 40, 1),
                                       Struct("3q", 0, 25, 1)])
