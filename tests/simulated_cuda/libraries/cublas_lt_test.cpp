// cuBLASLt: products with epilogues, scales, orders and layouts, against sums in double precision.
#include <functional>
#include <string>

#include "matrix_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

const CalledLibrary& cublas_lt() {
  static const CalledLibrary& library = *new CalledLibrary{"libcublasLt.so.13", "libcublasLt.so.12"};
  return library;
}

/// Attributes of a descriptor, by the functions for it.
class Descriptor {
 public:
  explicit Descriptor(std::string name) : name_(std::move(name)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { cublas_lt().call((name_ + "Destroy").c_str(), at); }

  template <class Value>
  void set(int attribute, Value value) {
    EXPECT_EQ(cublas_lt().call((name_ + "SetAttribute").c_str(), at, attribute, static_cast<const void*>(&value),
                               sizeof value),
              0)
        << name_ << " " << attribute;
  }
  void* at = nullptr;

 private:
  std::string name_;
};

/// The layout of a matrix, as batches if it has several.
struct Layout : Descriptor {
  explicit Layout(const HostMatrix& matrix) : Descriptor("cublasLtMatrixLayout") {
    cublas_lt().call("cublasLtMatrixLayoutCreate", &at, matrix.type, static_cast<std::uint64_t>(matrix.rows),
                     static_cast<std::uint64_t>(matrix.columns), static_cast<std::int64_t>(matrix.leading));
    if (matrix.batches == 1) return;
    set(5, static_cast<std::int32_t>(matrix.batches));
    set(6, static_cast<std::int64_t>(matrix.stride));
  }
};

struct Operation : Descriptor {
  Operation(int compute, int scale) : Descriptor("cublasLtMatmulDesc") {
    cublas_lt().call("cublasLtMatmulDescCreate", &at, compute, scale);
  }
};

enum Attribute : int {
  pointer_mode = 2,
  operation_a = 3,
  operation_b = 4,
  epilogue = 7,
  bias = 8,
  auxiliary = 11,
  auxiliary_leading = 12,
  a_scale = 17,
  b_scale = 18,
  d_scale = 20,
  a_mode = 31,
  b_mode = 32,
};

/// A product of cuBLASLt: matrices on the host, and those on the device while it runs.
struct MatmulRun {
  HostMatrix a, b, c, d;
  OnDevice<std::uint8_t> at_a{a.bytes}, at_b{b.bytes}, at_c{c.bytes}, at_d{d.bytes};

  /// Asks for an algorithm as PyTorch does, runs it, and reads D.
  int run(const Operation& operation, const void* alpha, const void* beta) {
    const Layout of_a(a), of_b(b), of_c(c), of_d(d);
    void* preference = nullptr;
    cublas_lt().call("cublasLtMatmulPreferenceCreate", &preference);
    std::uint64_t algorithm[16] = {};  // cublasLtMatmulHeuristicResult_t
    int returned = 0;
    int status = cublas_lt().call("cublasLtMatmulAlgoGetHeuristic", blas_handle(), operation.at, of_a.at, of_b.at,
                                  of_c.at, of_d.at, preference, 1, static_cast<void*>(algorithm), &returned);
    cublas_lt().call("cublasLtMatmulPreferenceDestroy", preference);
    if (status != 0) return status;
    EXPECT_EQ(returned, 1);
    status = cublas_lt().call("cublasLtMatmul", blas_handle(), operation.at, alpha,
                              static_cast<const void*>(at_a.get()), of_a.at, static_cast<const void*>(at_b.get()),
                              of_b.at, beta, static_cast<const void*>(at_c.get()), of_c.at,
                              static_cast<void*>(at_d.get()), of_d.at, static_cast<void*>(algorithm),
                              static_cast<void*>(nullptr), std::size_t{0}, static_cast<void*>(nullptr));
    if (status == 0) d.bytes = at_d.values();
    return status;
  }
};

/// D with finish(i, j, alpha * op(A) * op(B) + beta * C).
HostMatrix expected_matmul(const MatmulRun& of, int operation, int other, Complex alpha, Complex beta,
                           const std::function<double(long long, long long, double)>& finish) {
  HostMatrix d = of.d;
  const long long k = operation == 0 ? of.a.columns : of.a.rows;
  for (long long batch = 0; batch < d.batches; ++batch)
    for (long long j = 0; j < d.columns; ++j)
      for (long long i = 0; i < d.rows; ++i) {
        Complex sum = 0;
        for (long long l = 0; l < k; ++l) sum += of.a.of(operation, i, l, batch) * of.b.of(other, l, j, batch);
        sum = alpha * sum + (beta == 0.0 ? 0.0 : beta * of.c.at(i, j, batch));
        d.set(i, j, is_complex(d.type) ? sum : Complex(finish(i, j, sum.real())), batch);
      }
  return d;
}

double as_it_is(long long, long long, double value) { return value; }
double gelu_of(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

MatmulRun make_run(int in, int out, int a_operation, int b_operation, long long m, long long n, long long k,
                   long long gap = 0, long long batches = 1) {
  Noise noise(11);
  HostMatrix a = a_operation == 0 ? HostMatrix(in, m, k, noise, true, gap, batches)
                                  : HostMatrix(in, k, m, noise, true, gap, batches);
  HostMatrix b = b_operation == 0 ? HostMatrix(in, k, n, noise, true, gap, batches)
                                  : HostMatrix(in, n, k, noise, true, gap, batches);
  HostMatrix c(out, m, n, noise, true, gap, batches), d(out, m, n, noise, true, gap, batches);
  return {std::move(a), std::move(b), std::move(c), std::move(d)};
}

struct MatmulTypes {
  int in, out, compute, scale;
  double tolerance;
};
constexpr MatmulTypes matmul_types[] = {
    {f32, f32, 68, f32, 1e-6},   {f32, f32, 77, f32, 1e-6}, {f64, f64, 70, f64, 1e-14}, {f16, f16, 68, f32, 1e-3},
    {bf16, bf16, 68, f32, 8e-3}, {f16, f32, 68, f32, 1e-6}, {bf16, f32, 68, f32, 1e-6},
};

TEST(CublasLt, TypesTransposesAndBatches) {
  for (const MatmulTypes& types : matmul_types)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        MatmulRun of = make_run(types.in, types.out, a, b, 24, 20, 48, 8, 2);
        Operation operation(types.compute, types.scale);
        operation.set(operation_a, a);
        operation.set(operation_b, b);
        const HostScalar alpha(types.scale, 0.5), beta(types.scale, -1);
        ASSERT_EQ(of.run(operation, alpha.bytes, beta.bytes), 0);
        const HostMatrix expected = expected_matmul(of, a, b, 0.5, -1, as_it_is);
        EXPECT_LE(difference(of.d, expected), types.tolerance) << types.in << " " << a << b;
        EXPECT_TRUE(same_gaps(of.d, expected));
      }
}

TEST(CublasLt, BiasAndActivations) {
  for (const MatmulTypes& types : matmul_types)
    for (const int kind : {4, 2, 6, 32, 36}) {
      MatmulRun of = make_run(types.in, types.out, 1, 0, 40, 24, 32);
      Noise noise(2);
      const HostMatrix add(types.out, 40, 1, noise, true);
      const OnDevice<std::uint8_t> at_bias(add.bytes);
      Operation operation(types.compute, types.scale);
      operation.set(operation_a, 1);
      operation.set(epilogue, kind);
      operation.set(bias, static_cast<const void*>(at_bias.get()));
      const HostScalar alpha(types.scale, 1), beta(types.scale, 0);
      ASSERT_EQ(of.run(operation, alpha.bytes, beta.bytes), 0);
      const HostMatrix expected = expected_matmul(of, 1, 0, 1, 0, [&](long long i, long long, double value) {
        if ((kind & 4) != 0) value += add.at(i, 0).real();
        if ((kind & 2) != 0) value = std::max(value, 0.0);
        return (kind & 32) != 0 ? gelu_of(value) : value;
      });
      EXPECT_LE(difference(of.d, expected), types.tolerance * 2) << types.in << " epilogue " << kind;
    }
}

TEST(CublasLt, ReluMaskAndItsGradient) {
  MatmulRun forward = make_run(f16, f16, 1, 0, 40, 24, 32);
  constexpr long long leading = 128;  // bits per column
  const OnDevice<std::uint8_t> mask(std::vector<std::uint8_t>(leading / 8 * 24));
  Operation operation(68, f32);
  operation.set(operation_a, 1);
  operation.set(epilogue, 2 | 128);
  operation.set(auxiliary, static_cast<void*>(mask.get()));
  operation.set(auxiliary_leading, static_cast<std::int64_t>(leading));
  const float one = 1, zero = 0;
  ASSERT_EQ(forward.run(operation, &one, &zero), 0);
  MatmulRun backward = make_run(f16, f16, 1, 1, 40, 24, 16);
  const OnDevice<std::uint8_t> sums(std::vector<std::uint8_t>(40 * 2));
  Operation gradient(68, f32);
  gradient.set(operation_a, 1);
  gradient.set(operation_b, 1);
  gradient.set(epilogue, 8 | 16 | 128);
  gradient.set(auxiliary, static_cast<void*>(mask.get()));
  gradient.set(auxiliary_leading, static_cast<std::int64_t>(leading));
  gradient.set(bias, static_cast<void*>(sums.get()));
  ASSERT_EQ(backward.run(gradient, &one, &zero), 0);
  std::vector<double> row_sums(40);
  const HostMatrix expected = expected_matmul(backward, 1, 1, 1, 0, [&](long long i, long long j, double value) {
    const double kept = forward.d.at(i, j).real() > 0 ? value : 0;
    row_sums[static_cast<std::size_t>(i)] += kept;
    return kept;
  });
  EXPECT_LE(difference(backward.d, expected), 1e-3);
  const std::vector<std::uint8_t> found = sums.values();
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_NEAR(get_number(found.data() + 2 * i, f16).real(), row_sums[i], 0.03) << "row " << i;
}

TEST(CublasLt, GeluInputAndItsGradient) {
  MatmulRun forward = make_run(bf16, f32, 1, 0, 40, 24, 32);
  Noise noise(9);
  HostMatrix input(f32, 40, 24, noise, true);
  const OnDevice<std::uint8_t> kept(input.bytes);
  const auto with_input = [&](Operation& operation, int kind) {
    operation.set(operation_a, 1);
    operation.set(epilogue, kind);
    operation.set(auxiliary, static_cast<void*>(kept.get()));
    operation.set(auxiliary_leading, std::int64_t{40});
  };
  Operation operation(68, f32), gradient(68, f32);
  with_input(operation, 32 | 128);
  const float one = 1, zero = 0;
  ASSERT_EQ(forward.run(operation, &one, &zero), 0);
  input.bytes = kept.values();
  EXPECT_LE(difference(input, expected_matmul(forward, 1, 0, 1, 0, as_it_is)), 1e-6);
  with_input(gradient, 64 | 128);
  MatmulRun backward = make_run(bf16, f32, 1, 0, 40, 24, 16);
  ASSERT_EQ(backward.run(gradient, &one, &zero), 0);
  const HostMatrix expected = expected_matmul(backward, 1, 0, 1, 0, [&](long long i, long long j, double value) {
    const double x = input.at(i, j).real(), step = 1e-5;
    return value * (gelu_of(x + step) - gelu_of(x - step)) / (2 * step);
  });
  EXPECT_LE(difference(backward.d, expected), 1e-5);
}

TEST(CublasLt, ScaledEightBitFloats) {
  for (const int out : {bf16, f16, f32})
    for (const bool by_row : {false, true}) {
      Noise noise(4);
      MatmulRun of = make_run(e4m3, out, 1, 0, 48, 32, 64);
      const long long rows = by_row ? 48 : 1, columns = by_row ? 32 : 1;
      const HostMatrix of_rows(f32, rows, 1, noise, false), of_columns(f32, columns, 1, noise, false);
      const OnDevice<std::uint8_t> at_rows(of_rows.bytes), at_columns(of_columns.bytes);
      Operation operation(68, f32);
      operation.set(operation_a, 1);
      operation.set(a_scale, static_cast<const void*>(at_rows.get()));
      operation.set(b_scale, static_cast<const void*>(at_columns.get()));
      if (by_row) operation.set(a_mode, 3), operation.set(b_mode, 3);
      const float one = 1, zero = 0;
      ASSERT_EQ(of.run(operation, &one, &zero), 0);
      const HostMatrix expected = expected_matmul(of, 1, 0, 1, 0, [&](long long i, long long j, double value) {
        return value * of_rows.at(by_row ? i : 0, 0).real() * of_columns.at(by_row ? j : 0, 0).real();
      });
      EXPECT_LE(difference(of.d, expected), out == f32 ? 1e-6 : out == f16 ? 1e-3 : 8e-3) << out << by_row;
    }
}

TEST(CublasLt, MixedEightBitFloatsAndTheirOutput) {
  MatmulRun of = make_run(e4m3, e4m3, 1, 0, 32, 48, 32);
  Noise noise(6);
  of.b = HostMatrix(e5m2, 32, 48, noise, true);
  of.c = HostMatrix(bf16, 32, 48, noise, true);
  MatmulRun mixed{of.a, of.b, of.c, of.d};
  const OnDevice<float> factor({0.25F});
  Operation operation(68, f32);
  operation.set(operation_a, 1);
  operation.set(d_scale, static_cast<const void*>(factor.get()));
  const float one = 1, zero = 0;
  ASSERT_EQ(mixed.run(operation, &one, &zero), 0);
  const HostMatrix expected =
      expected_matmul(mixed, 1, 0, 1, 0, [](long long, long long, double value) { return value / 4; });
  EXPECT_LE(difference(mixed.d, expected), 0.04);
}

TEST(CublasLt, Integers) {
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      MatmulRun of = make_run(s8, s32, a, b, 48, 32, 64);
      Operation operation(72, s32);
      operation.set(operation_a, a);
      operation.set(operation_b, b);
      const std::int32_t one = 1, zero = 0;
      ASSERT_EQ(of.run(operation, &one, &zero), 0);
      EXPECT_EQ(difference(of.d, expected_matmul(of, a, b, 1, 0, as_it_is)), 0);
    }
}

TEST(CublasLt, ScalarsOnTheDeviceAndVectorsOfAlpha) {
  Noise noise(8);
  const HostMatrix alphas(f32, 24, 1, noise, false);
  const OnDevice<std::uint8_t> at_alpha(alphas.bytes);
  const OnDevice<float> at_beta({2.0F});
  for (const int mode : {1, 3}) {
    MatmulRun of = make_run(f32, f32, 0, 0, 24, 20, 16);
    Operation operation(68, f32);
    operation.set(pointer_mode, mode);
    ASSERT_EQ(of.run(operation, at_alpha.get(), mode == 1 ? static_cast<const void*>(at_beta.get()) : nullptr), 0);
    const HostMatrix expected = expected_matmul(of, 0, 0, 1, 0, [&](long long i, long long j, double value) {
      return value * alphas.at(mode == 1 ? 0 : i, 0).real() + (mode == 1 ? 2 * of.c.at(i, j).real() : 0);
    });
    EXPECT_LE(difference(of.d, expected), 1e-6) << mode;
  }
}

TEST(CublasLt, BadArguments) {
  MatmulRun of = make_run(f32, f32, 0, 0, 8, 8, 8);
  const float one = 1, zero = 0;
  const Operation doubles(70, f64), halves(64, f16);
  EXPECT_EQ(of.run(doubles, &one, &zero), 15);
  EXPECT_EQ(of.run(halves, &one, &zero), 15);
  Operation operation(68, f32);
  EXPECT_EQ(of.run(operation, nullptr, &zero), 7);
  operation.set(operation_a, 1);
  MatmulRun other{HostMatrix(of.a), HostMatrix(of.b), HostMatrix(of.c), HostMatrix(of.d)};
  Noise noise(1);
  other.a = HostMatrix(f32, 9, 8, noise, true);
  EXPECT_EQ(other.run(operation, &one, &zero), 7);  // k of A and B differ
  std::int8_t small = 0;
  EXPECT_EQ(
      cublas_lt().call("cublasLtMatmulDescSetAttribute", operation.at, 3, static_cast<void*>(&small), std::size_t{1}),
      7);
}

}  // namespace
}  // namespace warpwalk::libraries_test
