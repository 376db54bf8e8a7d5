// cuBLAS: products of matrices of all types, transposes, shapes and batches, against sums in double precision.
#include <string>

#include "matrix_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

/// A product for GemmStridedBatchedEx.
struct GemmCase {
  int in, out, compute, scale;
  int a_operation, b_operation;
  long long m, n, k;
  Complex alpha = 1, beta = 0;
  double tolerance = 1e-6;
  long long gap = 0, batches = 1;
  bool coarse = true;
};

std::string text_of(const GemmCase& of) {
  return "type " + std::to_string(of.in) + " to " + std::to_string(of.out) + ", operations " +
         std::to_string(of.a_operation) + std::to_string(of.b_operation) + ", " + std::to_string(of.m) + "x" +
         std::to_string(of.n) + "x" + std::to_string(of.k) + ", gap " + std::to_string(of.gap);
}

HostMatrix operand(const GemmCase& of, int operation, long long rows, long long columns, Noise& noise) {
  return operation == 0 ? HostMatrix(of.in, rows, columns, noise, of.coarse, of.gap, of.batches)
                        : HostMatrix(of.in, columns, rows, noise, of.coarse, of.gap, of.batches);
}

/// alpha * op(A) * op(B) + beta * C
HostMatrix expected_product(const GemmCase& of, const HostMatrix& a, const HostMatrix& b, const HostMatrix& c) {
  HostMatrix d = c;
  for (long long batch = 0; batch < of.batches; ++batch)
    for (long long j = 0; j < of.n; ++j)
      for (long long i = 0; i < of.m; ++i) {
        Complex sum = 0;
        for (long long l = 0; l < of.k; ++l)
          sum += a.of(of.a_operation, i, l, batch) * b.of(of.b_operation, l, j, batch);
        d.set(i, j, of.alpha * sum + (of.beta == 0.0 ? 0.0 : of.beta * c.at(i, j, batch)), batch);
      }
  return d;
}

void check_gemm(const GemmCase& of, bool on_device = false) {
  SCOPED_TRACE(text_of(of));
  Noise noise(7);
  const HostMatrix a = operand(of, of.a_operation, of.m, of.k, noise),
                   b = operand(of, of.b_operation, of.k, of.n, noise);
  HostMatrix c(of.out, of.m, of.n, noise, true, of.gap, of.batches);
  const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes), at_c(c.bytes);
  const HostScalar alpha(of.scale, of.alpha), beta(of.scale, of.beta);
  const std::vector<std::uint8_t> scalars(alpha.bytes, alpha.bytes + 16), more(beta.bytes, beta.bytes + 16);
  const OnDevice<std::uint8_t> at_alpha(scalars), at_beta(more);
  const void* const alpha_at = on_device ? at_alpha.get() : alpha.bytes;
  const void* const beta_at = on_device ? at_beta.get() : beta.bytes;
  cublas().call("cublasSetPointerMode_v2", blas_handle(), on_device ? 1 : 0);
  ASSERT_EQ(
      cublas().call("cublasGemmStridedBatchedEx", blas_handle(), of.a_operation, of.b_operation, static_cast<int>(of.m),
                    static_cast<int>(of.n), static_cast<int>(of.k), alpha_at, static_cast<const void*>(at_a.get()),
                    of.in, static_cast<int>(a.leading), a.stride, static_cast<const void*>(at_b.get()), of.in,
                    static_cast<int>(b.leading), b.stride, beta_at, static_cast<void*>(at_c.get()), of.out,
                    static_cast<int>(c.leading), c.stride, static_cast<int>(of.batches), of.compute, -1),
      0);
  cublas().call("cublasSetPointerMode_v2", blas_handle(), 0);
  const HostMatrix expected = expected_product(of, a, b, c);
  c.bytes = at_c.values();
  EXPECT_LE(difference(c, expected), of.tolerance);
  EXPECT_TRUE(same_gaps(c, expected));
}

/// Types of inputs and results, with the compute type and the type of alpha and beta.
struct GemmTypes {
  int in, out, compute, scale;
  double tolerance;
};
constexpr GemmTypes all_types[] = {
    {f32, f32, 68, f32, 1e-6},  {f32, f32, 77, f32, 1e-6}, {f64, f64, 70, f64, 1e-14}, {c32, c32, 68, c32, 1e-6},
    {c64, c64, 70, c64, 1e-14}, {f16, f16, 68, f32, 1e-3}, {f16, f32, 68, f32, 1e-6},  {bf16, bf16, 68, f32, 8e-3},
    {bf16, f32, 68, f32, 1e-6}, {f16, f16, 64, f16, 2e-2},
};

TEST(CublasGemm, AllTypesAndTransposes) {
  for (const GemmTypes& types : all_types)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        check_gemm({types.in, types.out, types.compute, types.scale, a, b, 37, 21, 50, 1, 0, types.tolerance, a + b});
}

TEST(CublasGemm, AlignedShapesUseVectors) {
  for (const GemmTypes& types : all_types)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        check_gemm({types.in, types.out, types.compute, types.scale, a, b, 64, 32, 64, 0.5, 1, types.tolerance});
}

TEST(CublasGemm, SmallAndOddShapes) {
  for (const GemmTypes& types : all_types)
    for (const auto& [m, n, k] : {std::array{1, 1, 1}, {1, 17, 3}, {130, 1, 9}, {5, 66, 1}, {3, 4, 0}})
      check_gemm({types.in, types.out, types.compute, types.scale, 0, 1, m, n, k, 2, 0.5, types.tolerance, 3});
}

TEST(CublasGemm, LargeTiles) {
  for (const GemmTypes& types : all_types)
    check_gemm({types.in, types.out, types.compute, types.scale, 1, 0, 126, 121, 40, 1, 0, types.tolerance, 8});
}

TEST(CublasGemm, BatchesAndScalarsOnTheDevice) {
  for (const GemmTypes& types : all_types) {
    const Complex alpha = is_complex(types.in) ? Complex(0.5, -2) : Complex(0.5);
    check_gemm({types.in, types.out, types.compute, types.scale, 0, 0, 9, 10, 11, alpha, alpha, types.tolerance, 1, 3},
               true);
  }
}

TEST(CublasGemm, IntegersAreExact) {
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      check_gemm({s8, s32, 72, s32, a, b, 36, 20, 64, 1, 0, 0});
      check_gemm({s8, s32, 72, s32, a, b, 64, 32, 128, 2, 3, 0, 4});
    }
}

TEST(CublasGemm, RoundingOfFullNumbers) {
  check_gemm({f32, f32, 68, f32, 0, 0, 40, 40, 200, 1, 0, 3e-6, 0, 1, false});
  check_gemm({f64, f64, 70, f64, 0, 0, 40, 40, 200, 1, 0, 1e-14, 0, 1, false});
  check_gemm({f32, f32, 77, f32, 0, 0, 40, 40, 200, 1, 0, 1e-3, 0, 1, false});
}

TEST(CublasGemm, MathModeAllowsTf32) {
  Noise noise(3);
  const HostMatrix a(f32, 32, 64, noise, false), b(f32, 64, 32, noise, false);
  const HostMatrix c(f32, 32, 32, noise, true);
  const GemmCase of{f32, f32, 68, f32, 0, 0, 32, 32, 64};
  const HostMatrix expected = expected_product(of, a, b, c);
  const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes);
  const float alpha = 1, beta = 0;
  double differences[2] = {};
  for (const int mode : {0, 3}) {
    const OnDevice<std::uint8_t> at_c(c.bytes);
    ASSERT_EQ(cublas().call("cublasSetMathMode", blas_handle(), mode), 0);
    ASSERT_EQ(cublas().call("cublasSgemm_v2", blas_handle(), 0, 0, 32, 32, 64, &alpha, at_a.get(), 32, at_b.get(), 64,
                            &beta, at_c.get(), 32),
              0);
    HostMatrix result = c;
    result.bytes = at_c.values();
    differences[mode == 3] = difference(result, expected);
  }
  cublas().call("cublasSetMathMode", blas_handle(), 0);
  EXPECT_LE(differences[0], 2e-6);
  EXPECT_GE(differences[1], 1e-5);
  EXPECT_LE(differences[1], 1e-3);
}

TEST(CublasGemm, ListsOfMatrices) {
  Noise noise(5);
  const GemmCase of{f64, f64, 70, f64, 1, 0, 18, 7, 12, 1, 1, 1e-14, 2, 3};
  const HostMatrix a = operand(of, 1, of.m, of.k, noise), b = operand(of, 0, of.k, of.n, noise);
  HostMatrix c(f64, of.m, of.n, noise, true, of.gap, of.batches);
  const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes), at_c(c.bytes);
  const auto list = [&](const OnDevice<std::uint8_t>& matrices, const HostMatrix& shape) {
    std::vector<std::uint8_t*> addresses;
    for (long long batch = 0; batch < of.batches; ++batch)
      addresses.push_back(matrices.get() + shape.place(0, 0, batch));
    return addresses;
  };
  const OnDevice<std::uint8_t*> list_a(list(at_a, a)), list_b(list(at_b, b)), list_c(list(at_c, c));
  const double alpha = 1, beta = 1;
  ASSERT_EQ(cublas().call("cublasDgemmBatched", blas_handle(), 1, 0, 18, 7, 12, &alpha, list_a.get(),
                          static_cast<int>(a.leading), list_b.get(), static_cast<int>(b.leading), &beta, list_c.get(),
                          static_cast<int>(c.leading), 3),
            0);
  const HostMatrix expected = expected_product(of, a, b, c);
  c.bytes = at_c.values();
  EXPECT_LE(difference(c, expected), of.tolerance);
  EXPECT_TRUE(same_gaps(c, expected));
}

TEST(CublasGemm, BadArguments) {
  const float one = 1;
  float* const none = nullptr;
  const auto sgemm = [&](void* handle, int operation, int m, int lda, const float* alpha) {
    return cublas().call("cublasSgemm_v2", handle, operation, 0, m, 4, 4, alpha, none, lda, none, 4, &one, none, 4);
  };
  EXPECT_EQ(sgemm(nullptr, 0, 4, 4, &one), 1);
  EXPECT_EQ(sgemm(blas_handle(), 0, -1, 4, &one), 7);
  EXPECT_EQ(sgemm(blas_handle(), 0, 4, 3, &one), 7);
  EXPECT_EQ(sgemm(blas_handle(), 9, 4, 4, &one), 7);
  EXPECT_EQ(sgemm(blas_handle(), 0, 4, 4, nullptr), 7);
  EXPECT_EQ(sgemm(blas_handle(), 0, 0, 4, &one), 0);  // nothing to do
}

}  // namespace
}  // namespace warpwalk::libraries_test
